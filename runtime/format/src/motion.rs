//! Motion sets: textures without a mesh, which the characters of one skeleton share.

use serde::{Deserialize, Serialize};
use throng_rig::{Bounds, Character, CharacterParts};

use crate::disk::is_plain;
use crate::{
    BoneCode, ClipEntry, Layout, Manifest, PartEntry, SHARED_VERSION, SetError, SetMesh, SkinEntry,
    Source, TextureEntry, TextureSet, VERSION,
};

/// The motion set whose textures a set uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MotionReference {
    /// `../` and the name of the motion set's folder, which is beside that of the set.
    pub path: String,
    /// `sha256:` and the digest of the motion set's manifest, which in turn holds the digests of its textures.
    pub digest: String,
}

impl MotionReference {
    /// Name of the motion set's folder; `None` where the path leads elsewhere.
    pub fn name(&self) -> Option<&str> {
        let name = self.path.strip_prefix("../")?;
        is_plain(name).then_some(name)
    }
}

/// A mesh that plays the clips of a motion set.
#[derive(Debug, Clone)]
pub struct MotionMesh {
    /// Name of the character.
    pub name: String,
    /// Source of the mesh.
    pub source: Source,
    /// The meshes, on the skeleton of the motion set.
    pub mesh: SetMesh,
    /// Largest extent of the bounding box in the rest pose, in metres.
    pub size: f64,
    /// Bounding box of each clip, in metres.
    pub clip_bounds: Vec<Bounds>,
}

impl TextureSet {
    /// Returns the motion set with these textures: the same clips and joints, without a mesh.
    ///
    /// Sets whose texels belong to their mesh are refused: vertices, morph weights, and bones in the layouts of papers,
    /// which hold bind poses.
    pub fn without_mesh(&self) -> Result<Self, SetError> {
        let mut manifest = self.manifest().clone();
        refuse_texels_of_meshes(&manifest)?;
        manifest.parts = Vec::new();
        manifest.skins = Vec::new();
        manifest.lods = Vec::new();
        manifest.motion = None;
        manifest.version = SHARED_VERSION;
        let skeleton = self.model().skeleton().clone();
        let parts = CharacterParts::without_mesh(manifest.name.clone(), skeleton, Vec::new());
        let skeleton = Character::new(parts);
        let skeleton = skeleton.map_err(|error| SetError::new("mesh", error.to_string()))?;
        let mesh = SetMesh {
            storage: self.mesh().storage,
            ..skeleton.into()
        };
        Self::new(manifest, self.shared_textures().clone(), mesh)
    }

    /// Returns the set of another mesh with the same clips and the same copy of the textures. The mesh must have the joints
    /// of this set, and no levels of detail: [`Self::with_lods`] adds them. The measured error is left out, which was that of
    /// another mesh.
    pub fn with_mesh(&self, character: MotionMesh) -> Result<Self, SetError> {
        let mut manifest = self.manifest().clone();
        refuse_texels_of_meshes(&manifest)?;
        let MotionMesh {
            name,
            source,
            mesh,
            size,
            clip_bounds,
        } = character;
        check_skeletons(self.model(), &mesh.character)?;
        if clip_bounds.len() != manifest.clips.len() {
            let (found, expected) = (clip_bounds.len(), manifest.clips.len());
            return Err(SetError::new(
                "clips",
                format!("expected {expected} bounding boxes, found {found}"),
            ));
        }
        manifest.bounds = Bounds::EMPTY;
        for (clip, bounds) in manifest.clips.iter_mut().zip(clip_bounds) {
            clip.bounds = bounds;
            manifest.bounds.union(&bounds);
        }
        manifest.name = name;
        manifest.source = source;
        manifest.size = size;
        manifest.skins = SkinEntry::of_model(&mesh.character);
        manifest.parts = PartEntry::of_model(&mesh.character);
        manifest.lods = Vec::new();
        manifest.max_error_of_size = None;
        manifest.motion = None;
        manifest.version = VERSION;
        Self::new(manifest, self.shared_textures().clone(), mesh)
    }

    /// Returns the set as one that is stored without textures: they are those of a motion set beside it.
    pub fn with_motion(self, motion: MotionReference) -> Result<Self, SetError> {
        let mut manifest = self.manifest().clone();
        manifest.motion = Some(motion);
        manifest.version = SHARED_VERSION;
        for texture in &mut manifest.textures {
            texture.files.clear();
        }
        Self::new(manifest, self.shared_textures().clone(), self.into_mesh())
    }
}

fn refuse_texels_of_meshes(manifest: &Manifest) -> Result<(), SetError> {
    let code = match &manifest.layout {
        Layout::Bones(layout) => Some(layout.code),
        _ => None,
    };
    let (location, what) = if manifest.encoding.is_vertex() {
        ("encoding", "vertices")
    } else if manifest.morphs.is_some() {
        ("morphs", "animated morph weights")
    } else if code == Some(BoneCode::AxisPlanes) {
        ("layout.bones.code", "bind poses")
    } else {
        return Ok(());
    };
    Err(SetError::new(
        location,
        format!("the textures hold {what} of one mesh: bake each character on its own"),
    ))
}

fn check_skeletons(motion: &Character, model: &Character) -> Result<(), SetError> {
    let (expected, found) = (motion.skeleton().joints(), model.skeleton().joints());
    if expected.len() != found.len() {
        return Err(SetError::new(
            "joints",
            format!(
                "expected {} as in the motion set, found {}",
                expected.len(),
                found.len()
            ),
        ));
    }
    let mut pairs = expected.iter().zip(found);
    match pairs.position(|(a, b)| (&a.name, a.parent) != (&b.name, b.parent)) {
        None => Ok(()),
        Some(joint) => Err(SetError::new(
            format!("joints[{joint}]"),
            format!(
                "expected '{}' as in the motion set, found '{}'",
                expected[joint].name.escape_debug(),
                found[joint].name.escape_debug()
            ),
        )),
    }
}

/// Checks that a set and its motion set describe the same texels, joints and clips.
pub(crate) fn check_motion(manifest: &Manifest, motion: &Manifest) -> Result<(), SetError> {
    let fails = |location: &str, problem: &str| Err(SetError::new(location, problem));
    if !motion.is_motion() || motion.motion.is_some() {
        return fails(
            "parts",
            "expected a set without a mesh, found one with a mesh",
        );
    }
    if manifest.joints != motion.joints {
        return fails(
            "joints",
            "expected the same as in the motion set, found others",
        );
    }
    let clip = |clip: &ClipEntry| ClipEntry {
        bounds: Bounds::EMPTY,
        ..clip.clone()
    };
    if !manifest
        .clips
        .iter()
        .map(clip)
        .eq(motion.clips.iter().map(clip))
    {
        return fails(
            "clips",
            "expected the same as in the motion set, found others",
        );
    }
    let texture = |texture: &TextureEntry| TextureEntry {
        files: Vec::new(),
        ..texture.clone()
    };
    let textures = motion.textures.iter().map(texture);
    if !manifest.textures.iter().map(texture).eq(textures) {
        return fails(
            "textures",
            "expected formats and sizes of the motion set, found others",
        );
    }
    let encoded = |manifest: &Manifest| {
        (
            manifest.encoding,
            manifest.precision,
            manifest.interpolation,
            manifest.metadata,
        )
    };
    if encoded(manifest) != encoded(motion) || manifest.axes != motion.axes {
        return fails("encoding", "expected that of the motion set, found another");
    }
    if manifest.layout != motion.layout || manifest.morphs != motion.morphs {
        return fails("layout", "expected that of the motion set, found another");
    }
    Ok(())
}
