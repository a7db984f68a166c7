//! Bakes a character into a set.

use throng_format::{
    Encoding, Layout, Manifest, MeshStorage, Metadata, ModelError, ModelExtras, SetError, SetMesh,
    Source, Storage, Texture, TextureEntry, TextureSet, column, p0, read_model, write_model,
};
use throng_rig::{Bounds, Character, CharacterParts, Method, RestVertices, Skinning};
use throng_skin::is_prepared;

use crate::accuracy::BakeReport;
use crate::atlas::Atlas;
use crate::bones::{bake_bones, with_rest_meshes};
use crate::cache_threads::on_cache_threads;
use crate::compact_mesh::{DISPLACEMENT_OF_ERROR, compact_mesh};
use crate::compressed::{CompressedCurves, Lengths, bake_joint_curves, bake_vertex_curves};
use crate::describe::{Encoded, describe};
use crate::measured::Measured;
use crate::mesh_per_part::mesh_per_part;
use crate::order::drawing_order;
use crate::overshoot::widen;
use crate::p0_model::p0_model;
use crate::plan::BakePlan;
use crate::sampler::{Counter, VertexSampler};
use crate::vertices::{bake_vertices, passes};
use crate::{BakeError, BakeSettings, BakeWarning, Preset, Progress};

/// Bakes a character's clips into a texture set. `source` is copied into the manifest.
pub fn bake(
    character: &Character,
    settings: &BakeSettings,
    source: &Source,
    progress: &dyn Progress,
) -> Result<Baked, BakeError> {
    let settings = settings.resolved()?;
    check_vertices(character)?;
    check_prepared(character, settings.skinning)?;
    let mut character = drawing_order(character);
    let mut warnings = Vec::new();
    if let Some(preset) = settings.preset.filter(|preset| preset.is_p0()) {
        (character, warnings) = p0_model(character, preset);
    }
    if settings.preset.is_some_and(Preset::is_p3) {
        character = with_rest_meshes(&character, &settings);
    }
    check_encoding(&character, settings.encoding, settings.skinning)?;
    let baked = on_cache_threads(&character, || {
        let sampler = VertexSampler::new(&character, settings.skinning);
        let plan = BakePlan::new(&character, &settings, &sampler)?;
        bake_planned(&sampler, &settings, &plan, source.clone(), progress)
    });
    // A frame that could not be read is the cause of other failures.
    check_caches(&character)?;
    Ok(Baked { warnings, ..baked? })
}

/// Rejects encodings that store bones where vertices alone can be played.
pub(crate) fn check_encoding(
    character: &Character,
    encoding: Encoding,
    skinning: Skinning,
) -> Result<(), BakeError> {
    if encoding.is_vertex() || !needs_vertex_encoding(character, skinning) {
        return Ok(());
    }
    Err(match character.has_vertex_caches() {
        true => BakeError::VertexCache {
            character: character.name.clone(),
            encoding,
        },
        false => BakeError::NoBoneShader { skinning, encoding },
    })
}

/// True if bone textures cannot play the character: for vertex caches, and for a method that no shader has.
pub(crate) fn needs_vertex_encoding(character: &Character, skinning: Skinning) -> bool {
    character.has_vertex_caches() || skinning == Skinning::Method(Method::DqsBulgeFree)
}

/// Rejects methods that need numbers of each vertex which the character does not have.
pub(crate) fn check_prepared(character: &Character, skinning: Skinning) -> Result<(), BakeError> {
    match is_prepared(character, skinning) {
        true => Ok(()),
        false => Err(BakeError::NotPrepared {
            character: character.name.clone(),
            what: match skinning {
                Skinning::BlendAuto => "blend factors",
                _ => "centres of rotation",
            },
            skinning,
        }),
    }
}

/// Fails where a frame of a vertex cache could not be read since the character was imported.
pub(crate) fn check_caches(character: &Character) -> Result<(), BakeError> {
    match character.cache_failure() {
        Some((part, error)) => Err(BakeError::CacheRead {
            character: character.name.clone(),
            mesh: part.node_name.clone(),
            error: error.clone(),
        }),
        None => Ok(()),
    }
}

/// Rejects a character without vertices.
pub(crate) fn check_vertices(character: &Character) -> Result<(), BakeError> {
    let mut meshes = character.parts().iter().map(|p| character.mesh_of(p));
    if meshes.all(|mesh| mesh.vertex_count() == 0) {
        return Err(BakeError::NoVertices {
            character: character.name.clone(),
        });
    }
    Ok(())
}

/// A baked set.
#[derive(Debug, Clone)]
pub struct Baked {
    /// The set.
    pub set: TextureSet,
    /// Result of [`crate::accuracy::verify`] against the character that was baked, where baking measured the finished
    /// set: compressed curves. `None` otherwise.
    pub report: Option<BakeReport>,
    /// Parts of the character that a preset's layout does not hold.
    pub warnings: Vec<BakeWarning>,
}

/// Bakes the frames of a plan. `settings` must be resolved.
pub(crate) fn bake_planned(
    sampler: &VertexSampler<'_>,
    settings: &BakeSettings,
    plan: &BakePlan,
    source: Source,
    progress: &dyn Progress,
) -> Result<Baked, BakeError> {
    plan.check_memory(sampler, settings)?;
    let character = sampler.character();
    let frames = plan.frame_times();
    if settings.storage == Storage::Compressed {
        return bake_compressed(sampler, settings, plan, &source, progress);
    }
    let (mut weights, mut bone_colors) = (None, Vec::new());
    let metres_per_unit;
    let mut inverse_bind_duals = Vec::new();
    let (layout, morphs, atlases, measured, model) = if settings.encoding.is_vertex() {
        let steps = frames.len() * passes(settings) + ray_steps(settings, frames.len());
        let done = Counter::new(steps, progress);
        let (baked, model) = rayon::join(
            || bake_vertices(sampler, settings, plan, &done),
            || as_stored(mesh_per_part(character), settings, sampler.size()),
        );
        let baked = baked?;
        metres_per_unit = baked.metres_per_unit;
        (
            Layout::Vertices(baked.layout),
            None,
            baked.atlases,
            baked.measured,
            model?,
        )
    } else {
        let baked = bake_bones(character, settings, plan)?;
        (metres_per_unit, inverse_bind_duals) = (baked.metres_per_unit, baked.inverse_bind_duals);
        let measured = sampler.measure(&frames, &Counter::new(frames.len(), progress));
        let model = match baked.virtual_mesh {
            Some(mesh) => {
                weights = mesh.weights;
                bone_colors = mesh.bone_colors;
                mesh.model
            }
            None => character.clone().into_parts(),
        };
        (
            Layout::Bones(baked.layout),
            baked.morphs,
            baked.atlases,
            measured,
            as_stored(model, settings, sampler.size())?,
        )
    };
    let mut textures: Vec<TextureEntry> = atlases.iter().map(Atlas::entry).collect();
    textures.extend(weights.as_ref().map(weights_entry));
    let mut bounds = clip_bounds(plan, &measured);
    widen(
        &mut bounds,
        sampler,
        plan,
        allowed_error_m(sampler, settings),
    );
    let encoded = Encoded {
        layout,
        morphs,
        textures,
        bounds,
        size: sampler.size(),
        metres_per_unit,
        inverse_bind_duals,
    };
    let manifest = describe(character, settings, plan, source, encoded);
    let rest = rest_of(sampler, settings);
    let mut textures: Vec<Texture> = atlases.into_iter().map(|atlas| atlas.texture).collect();
    textures.extend(weights);
    write_metadata(&manifest, &mut textures[0]);
    Ok(Baked {
        set: TextureSet::new(
            manifest,
            textures,
            SetMesh {
                character: model,
                rest,
                bone_colors,
                storage: settings.mesh,
                lods: Vec::new(),
            },
        )?,
        report: None,
        warnings: Vec::new(),
    })
}

fn bake_compressed(
    sampler: &VertexSampler<'_>,
    settings: &BakeSettings,
    plan: &BakePlan,
    source: &Source,
    progress: &dyn Progress,
) -> Result<Baked, BakeError> {
    let character = sampler.character();
    let bounds = bounds_of_clips(sampler, plan, allowed_error_m(sampler, settings));
    let model = match settings.encoding.is_vertex() {
        true => mesh_per_part(character),
        false => character.clone().into_parts(),
    };
    let Stored {
        model,
        displacement_m,
    } = stored(model, settings, sampler.size())?;
    let finish = |clips: &[usize], curves: CompressedCurves| {
        let bounds = clips.iter().map(|&clip| bounds[clip]).collect();
        let plan = plan.subset(clips);
        finish_curves(sampler, settings, (&plan, bounds), &model, source, curves)
    };
    let (set, report) = match settings.encoding.is_vertex() {
        true => bake_vertex_curves(sampler, settings, plan, progress, finish)?,
        false => {
            let lengths = Lengths {
                size_m: sampler.size(),
                mesh_error_m: displacement_m,
            };
            bake_joint_curves(character, settings, plan, lengths, progress, finish)?
        }
    };
    Ok(Baked {
        set,
        report: Some(report),
        warnings: Vec::new(),
    })
}

/// Returns the set of compressed curves of a plan, whose clips have these bounds.
pub(crate) fn finish_curves(
    sampler: &VertexSampler<'_>,
    settings: &BakeSettings,
    (plan, bounds): (&BakePlan, Vec<Bounds>),
    model: &Character,
    source: &Source,
    curves: CompressedCurves,
) -> Result<TextureSet, BakeError> {
    let encoded = Encoded {
        layout: curves.layout,
        morphs: curves.morphs,
        textures: curves.entries,
        bounds,
        size: sampler.size(),
        metres_per_unit: 1.0,
        inverse_bind_duals: Vec::new(),
    };
    let manifest = describe(sampler.character(), settings, plan, source.clone(), encoded);
    let mesh = SetMesh {
        character: model.clone(),
        rest: rest_of(sampler, settings),
        bone_colors: Vec::new(),
        storage: settings.mesh,
        lods: Vec::new(),
    };
    Ok(TextureSet::new(manifest, curves.textures, mesh)?)
}

/// Frames of clips that are measured at once, so that memory does not grow with the number of clips.
const MEASURED_FRAMES: u32 = 1 << 14;

/// Error that a set may have, in metres.
pub(crate) fn allowed_error_m(sampler: &VertexSampler<'_>, settings: &BakeSettings) -> f64 {
    settings.max_error_of_size * sampler.size()
}

/// Returns the bounding box of each clip of a plan, which vertices do not leave between frames, nor by an error in metres.
pub(crate) fn bounds_of_clips(
    sampler: &VertexSampler<'_>,
    plan: &BakePlan,
    error_m: f64,
) -> Vec<Bounds> {
    let mut bounds = Vec::with_capacity(plan.clips.len());
    while bounds.len() < plan.clips.len() {
        let mut frames = 0;
        let batch = (bounds.len()..plan.clips.len()).take_while(|&clip| {
            let is_first = frames == 0;
            frames += plan.clips[clip].frames;
            is_first || frames <= MEASURED_FRAMES
        });
        let batch = plan.subset(&batch.collect::<Vec<_>>());
        let frames = batch.frame_times();
        let measured = sampler.measure(&frames, &Counter::new(frames.len(), &()));
        bounds.extend(clip_bounds(&batch, &measured));
    }
    widen(&mut bounds, sampler, plan, error_m);
    bounds
}

/// Progress steps of the pass that finds the ellipsoid of `vertex-ray`.
fn ray_steps(settings: &BakeSettings, frames: usize) -> usize {
    match settings.encoding {
        Encoding::VertexRay => frames,
        _ => 0,
    }
}

/// Rest pose that a vertex set stores; empty for bone sets.
fn rest_of(sampler: &VertexSampler<'_>, settings: &BakeSettings) -> RestVertices {
    match settings.encoding.is_vertex() {
        true => sampler.rest().clone(),
        false => RestVertices::default(),
    }
}

/// The character as sets store it.
pub(crate) struct Stored {
    pub model: Character,
    /// Largest displacement of a vertex by rounding, in metres.
    pub displacement_m: f64,
}

/// The character as sets store it. `settings` must be resolved.
pub(crate) fn as_stored(
    parts: CharacterParts,
    settings: &BakeSettings,
    size_m: f64,
) -> Result<Character, BakeError> {
    Ok(stored(parts, settings, size_m)?.model)
}

/// The character as sets store it: without clips, and with values rounded as in its file, so that a set in memory
/// equals the set read back, and measured errors include the rounding. `settings` must be resolved.
pub(crate) fn stored(
    mut parts: CharacterParts,
    settings: &BakeSettings,
    size_m: f64,
) -> Result<Stored, BakeError> {
    remove_caches(&mut parts);
    let mut character = Character::new(parts).expect("a checked character stays valid");
    let mut displacement_m = 0.0;
    if settings.mesh == MeshStorage::Compact {
        let max_displacement_m = DISPLACEMENT_OF_ERROR * settings.max_error_of_size * size_m;
        (character, displacement_m) =
            compact_mesh(&character, settings.skinning, max_displacement_m);
    }
    let mut parts = character.into_parts();
    parts.clips = Vec::new();
    let character = Character::new(parts).expect("a checked character stays valid without clips");
    let mut file = Vec::new();
    let fault = |error: ModelError| SetError::new("mesh", error.to_string());
    let extras = ModelExtras {
        storage: settings.mesh,
        ..ModelExtras::default()
    };
    write_model(&character, extras, &mut file).map_err(fault)?;
    Ok(Stored {
        model: read_model(&file).map_err(fault)?.character,
        displacement_m,
    })
}

/// Removes vertex caches, whose meshes rest as they stand, and their morph sets.
fn remove_caches(parts: &mut CharacterParts) {
    let mut is_kept = vec![true; parts.morph_sets.len()];
    for part in &mut parts.parts {
        if parts.meshes[part.mesh].vertex_cache().is_some()
            && let Some(set) = part.morph_set.take()
        {
            is_kept[set] = false;
        }
    }
    for mesh in &mut parts.meshes {
        mesh.remove_vertex_cache();
    }
    if is_kept.iter().all(|&kept| kept) {
        return;
    }
    let before = |set: usize| is_kept[..set].iter().filter(|&&kept| kept).count();
    for part in &mut parts.parts {
        part.morph_set = part.morph_set.map(before);
    }
    let mut kept = is_kept.iter();
    parts.morph_sets.retain(|_| kept.next() == Some(&true));
    // Tracks of clips belong to the sets; a stored character has no clips.
    parts.clips = Vec::new();
}

fn weights_entry(texture: &Texture) -> TextureEntry {
    let [width, height, layers] = texture.size();
    TextureEntry {
        name: "weights".into(),
        texels: texture.format(),
        width,
        height,
        layers,
        calibration: false,
        files: Vec::new(),
    }
}

/// Returns the bounding box of the frames of each clip.
fn clip_bounds(plan: &BakePlan, measured: &[Measured]) -> Vec<Bounds> {
    let mut rest = measured;
    let mut next_clip = |frames: u32| {
        let (clip, others) = rest.split_at(frames as usize);
        rest = others;
        let mut bounds = Bounds::EMPTY;
        for frame in clip.iter().map(Measured::bounds) {
            bounds.union(&frame);
        }
        bounds
    };
    plan.clips
        .iter()
        .map(|clip| next_clip(clip.frames))
        .collect()
}

fn write_metadata(manifest: &Manifest, texture: &mut Texture) {
    match manifest.metadata {
        Metadata::Manifest => {}
        Metadata::Column => column::write(texture, &column::values(manifest)),
        Metadata::P0Column => p0::write_metadata(texture, manifest),
    }
}
