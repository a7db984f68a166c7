//! The manifest of a set.

use throng_format::{
    Axes, ClipEntry, FORMAT, JointEntry, Layout, Manifest, MorphLayout, PartEntry, SkinEntry,
    Source, TextureEntry, VERSION,
};
use throng_rig::{Bounds, Character};

use crate::BakeSettings;
use crate::plan::BakePlan;

/// Results of the encoders.
pub(crate) struct Encoded {
    /// Layout of the textures.
    pub layout: Layout,
    /// Layout of morph weights.
    pub morphs: Option<MorphLayout>,
    /// Textures, without file names.
    pub textures: Vec<TextureEntry>,
    /// Bounding box of each clip.
    pub bounds: Vec<Bounds>,
    /// Size of the character in metres.
    pub size: f64,
    /// Length of a unit of the texels in metres.
    pub metres_per_unit: f64,
    /// Inverse bind matrices of each skin as dual quaternions; empty unless a preset stores them.
    pub inverse_bind_duals: Vec<Vec<[f64; 8]>>,
}

/// Returns the manifest. `settings` must be resolved.
pub(crate) fn describe(
    character: &Character,
    settings: &BakeSettings,
    plan: &BakePlan,
    source: Source,
    encoded: Encoded,
) -> Manifest {
    let mut overall = Bounds::EMPTY;
    for bounds in &encoded.bounds {
        overall.union(bounds);
    }
    Manifest {
        format: FORMAT.into(),
        version: VERSION,
        generator: concat!("throng ", env!("CARGO_PKG_VERSION")).into(),
        name: character.name.clone(),
        source,
        encoding: settings.encoding,
        precision: settings.storage.precision(),
        method: settings.skinning,
        interpolation: settings
            .interpolation
            .unwrap_or(throng_format::FrameInterpolation::Linear),
        metadata: settings.metadata,
        axes: Axes {
            metres_per_unit: encoded.metres_per_unit,
            ..Axes::metres()
        },
        size: encoded.size,
        bounds: overall,
        clips: clips(character, plan, &encoded.bounds),
        joints: JointEntry::of_model(character),
        skins: skins(character, encoded.inverse_bind_duals),
        parts: PartEntry::of_model(character),
        layout: encoded.layout,
        morphs: encoded.morphs,
        textures: encoded.textures,
        mesh: "mesh.glb".into(),
        sockets: Vec::new(),
        lods: Vec::new(),
        files: Vec::new(),
        max_error_of_size: None,
        motion: None,
        base_digest: None,
    }
}

/// Returns the clips with their bounding boxes.
pub(crate) fn clips(character: &Character, plan: &BakePlan, bounds: &[Bounds]) -> Vec<ClipEntry> {
    let clips = plan.clips.iter().zip(bounds);
    clips
        .map(|(entry, bounds)| ClipEntry {
            name: character.clips()[entry.clip].name.clone(),
            first_frame: entry.first_frame,
            frames: entry.frames,
            rate_hz: entry.rate_hz(),
            start_secs: entry.start_secs,
            duration_secs: entry.duration_secs,
            looping: entry.looping,
            bounds: *bounds,
            root_motion: None,
            events: Vec::new(),
            content_digest: None,
        })
        .collect()
}

fn skins(character: &Character, mut inverse_bind_duals: Vec<Vec<[f64; 8]>>) -> Vec<SkinEntry> {
    inverse_bind_duals.resize(character.skins().len(), Vec::new());
    let mut skins = SkinEntry::of_model(character);
    for (skin, duals) in skins.iter_mut().zip(inverse_bind_duals) {
        skin.inverse_bind_dual_quaternions = duals;
    }
    skins
}
