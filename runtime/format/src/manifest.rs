//! The manifest of a set. `docs/format.md` explains it, `docs/manifest.schema.json` specifies it.

use std::collections::BTreeMap;

use glam::{DAffine3, DMat3, DQuat, Vec2};
use serde::{Deserialize, Serialize};
use throng_rig::{Bounds, LoopPolicy, Skinning};

use crate::{
    Encoding, FrameInterpolation, Grid, Metadata, MotionReference, PoseEdits, Precision, Storage,
    TexelFormat,
};

/// Required value of [`Manifest::format`].
pub const FORMAT: &str = "throng-texture-set";
/// Version of sets that hold their textures and a mesh.
pub const VERSION: u32 = 3;
/// Version of motion sets, which have no mesh, and of sets that use the textures of one.
pub const SHARED_VERSION: u32 = 4;

/// Everything that a shader or a loader needs besides texels and mesh.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`] or [`SHARED_VERSION`]; see [`Self::required_version`].
    pub version: u32,
    /// Name and version of the program that wrote the set.
    pub generator: String,
    /// Name of the character.
    pub name: String,
    /// Source of the bake.
    pub source: Source,
    /// Content of the texels.
    pub encoding: Encoding,
    /// Precision of the frames; `None` for compressed curves.
    pub precision: Option<Precision>,
    /// Skinning method: a method's name, or `as-authored`.
    #[serde(with = "skinning_name")]
    pub method: Skinning,
    /// Interpolation between frames.
    pub interpolation: FrameInterpolation,
    /// Location of clip times and ranges: the manifest alone, or the texels too.
    pub metadata: Metadata,
    /// Coordinate system and unit of length.
    pub axes: Axes,
    /// Largest extent of the bounding box in the rest pose, in metres.
    pub size: f64,
    /// Bounding box over all clips, in metres.
    pub bounds: Bounds,
    /// Clips, in the order of their frames.
    pub clips: Vec<ClipEntry>,
    /// The whole skeleton, parents before children.
    pub joints: Vec<JointEntry>,
    /// Joint lists.
    pub skins: Vec<SkinEntry>,
    /// Parts, in the order of the mesh file.
    pub parts: Vec<PartEntry>,
    /// Locations of values in the texels.
    pub layout: Layout,
    /// Morph weights, in bone sets whose clips animate them.
    pub morphs: Option<MorphLayout>,
    /// Textures and their files.
    pub textures: Vec<TextureEntry>,
    /// File name of the mesh, a GLB in the folder of the manifest.
    pub mesh: String,
    /// Attachment points.
    pub sockets: Vec<Socket>,
    /// Levels of detail below the full mesh, finest first.
    pub lods: Vec<Lod>,
    /// All other files of the set with their digests. Empty in a GLB, and in sets of writers that store no digests.
    #[serde(default)]
    pub files: Vec<FileEntry>,
    /// Largest error that the bake measured, as a fraction of [`Self::size`]; `None` where none was measured.
    #[serde(default)]
    pub max_error_of_size: Option<f64>,
    /// Motion set whose textures the set uses; `None` where it has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<MotionReference>,
    /// `sha256:` and the digest of the character without its clips and of the settings without the choice of clips. Equal
    /// digests mean that clips can be added without baking the others again; `None` where the writer does not support it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_digest: Option<String>,
}

/// A file of a set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// File name in the folder of the manifest.
    pub name: String,
    /// `sha256:` and the digest of the file.
    pub digest: String,
}

/// Source and settings of a bake.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// `builtin:NAME`, or the path of the source file relative to the set's folder.
    pub path: String,
    /// `sha256:` and the digest of the source file and the files that it refers to.
    pub digest: String,
    /// `sha256:` and the digest of all bake settings. Equal digests mean equal sets.
    pub settings: String,
    /// Maximum number of influences per vertex; `None` where all were kept.
    pub max_influences: Option<usize>,
    /// Influences with a smaller weight were dropped.
    pub min_weight: f64,
    /// True where vertices that were split only for seams share one unique position.
    pub shared_positions: bool,
    /// True where every corner of every face is a vertex of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub corner_vertices: bool,
    /// Pose set by hand, which the source has as an additional clip; `None` where the clips are those of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pose: Option<PoseEdits>,
    /// Files whose clips were put on the character, in this order, before its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub motion: Vec<MotionSource>,
    /// Characters of the same skeleton whose clips the character plays unchanged, in sets that share motion.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lenders: Vec<MotionSource>,
    /// Joints of the character, and the joints of the motion that move them, where they were paired by hand; null where the
    /// joint stays at rest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub joint_pairs: BTreeMap<String, Option<String>>,
    /// Vertex caches that move the meshes of the character, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caches: Vec<CacheSource>,
}

/// A vertex cache beside the file of a character.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CacheSource {
    /// Path of the file relative to the set's folder.
    pub path: String,
    /// `sha256:` and the digest of the file.
    pub digest: String,
    /// Name, index or #index of the mesh's node; `None` where the number of points chose the mesh.
    pub mesh: Option<String>,
    /// Frames per second of a cache that counts frames instead of seconds.
    pub frames_per_sec: f64,
}

/// A file with motion for a character.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MotionSource {
    /// `builtin:NAME`, or the path of the file relative to the set's folder.
    pub path: String,
    /// `sha256:` and the digest of the file and the files that it refers to.
    pub digest: String,
}

impl Source {
    /// A source without digests and options, for sets that stay in memory: all influences, positions shared.
    pub fn in_memory(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            digest: String::new(),
            settings: String::new(),
            max_influences: None,
            min_weight: 0.0,
            shared_positions: true,
            corner_vertices: false,
            pose: None,
            motion: Vec::new(),
            lenders: Vec::new(),
            joint_pairs: BTreeMap::new(),
            caches: Vec::new(),
        }
    }
}

/// Coordinate system, and unit of length of the texels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Axes {
    /// `+y`.
    pub up: String,
    /// `right`.
    pub handedness: String,
    /// Factor from decoded lengths to metres: 1, or that of [`crate::p0::metres_per_unit`] in sets of P0. All other lengths
    /// of a set, including those of the mesh, are metres.
    pub metres_per_unit: f64,
}

impl Manifest {
    /// Returns true for a motion set, which has no mesh.
    pub fn is_motion(&self) -> bool {
        self.parts.is_empty()
    }

    /// Version that the contents need: [`SHARED_VERSION`] for motion sets and sets that use one, so that older readers
    /// refuse them; else [`VERSION`].
    pub fn required_version(&self) -> u32 {
        match self.is_motion() || self.motion.is_some() {
            true => SHARED_VERSION,
            false => VERSION,
        }
    }

    /// Storage of the set's values.
    pub fn storage(&self) -> Storage {
        self.precision.map_or(Storage::Compressed, Storage::Frames)
    }
}

/// Serialises [`Skinning`] as its name.
mod skinning_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use throng_rig::Skinning;

    pub fn serialize<S: Serializer>(skinning: &Skinning, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(skinning)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Skinning, D::Error> {
        let name = String::deserialize(from)?;
        name.parse().map_err(D::Error::custom)
    }
}

impl Axes {
    /// Y up, right-handed, metres.
    pub fn metres() -> Self {
        Self {
            up: "+y".into(),
            handedness: "right".into(),
            metres_per_unit: 1.0,
        }
    }
}

/// A clip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClipEntry {
    /// Name in the source.
    pub name: String,
    /// First frame, counted across all clips.
    pub first_frame: u32,
    /// Number of frames, including both ends; 1 where the duration is zero.
    pub frames: u32,
    /// Frames per second: `(frames - 1) / duration_secs`; 0 where the duration is zero.
    pub rate_hz: f64,
    /// Start time in the source file.
    pub start_secs: f64,
    /// Duration in seconds.
    pub duration_secs: f64,
    /// Behaviour at the end of the clip.
    #[serde(rename = "loop")]
    pub looping: LoopPolicy,
    /// Bounding box over all frames, in metres.
    pub bounds: Bounds,
    /// Motion of the root from the first frame to the last.
    pub root_motion: Option<RootMotion>,
    /// Named times.
    pub events: Vec<Event>,
    /// `sha256:` and the digest of the clip's tracks and times in the source; `None` where the writer stores none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_digest: Option<String>,
}

/// Displacement of a character over a whole clip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RootMotion {
    /// Index of the root joint.
    pub joint: usize,
    /// Translation over the whole clip.
    pub translation: [f64; 3],
    /// Rotation over the whole clip, xyzw.
    pub rotation: [f64; 4],
}

/// A named time of a clip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Name of the event.
    pub name: String,
    /// Seconds from the start of the clip.
    pub time_secs: f64,
}

/// A joint of the skeleton. Its rest pose is in the mesh file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JointEntry {
    /// Name in the source; may be empty.
    pub name: String,
    /// Index of the parent, smaller than the joint's own; `None` for a root.
    pub parent: Option<usize>,
}

/// A skin: its joints. Inverse bind matrices are in the mesh file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SkinEntry {
    /// Name in the source; may be empty.
    pub name: String,
    /// Indices into the joints. `JOINTS_n` of the mesh are palette indices: indices into this list.
    pub joints: Vec<usize>,
    /// Inverse bind matrices as dual quaternions, one per joint: the real part, xyzw, and the dual part, xyzw, in units
    /// of `metres_per_unit`. Their signs are those that the signs in the texels agree with. Present in sets of P0's
    /// dual quaternions, whose shader does not compare signs; empty otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inverse_bind_dual_quaternions: Vec<[f64; 8]>,
}

/// A mesh under a skin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartEntry {
    /// Name of the node; may be empty.
    pub name: String,
    /// Index into the skins.
    pub skin: usize,
    /// Number of vertices.
    pub vertices: u32,
    /// Index of the first unique position among those of all parts, in vertex sets.
    pub first_position: u32,
    /// Number of unique positions.
    pub positions: u32,
    /// Index of the first unique normal among those of all parts, in vertex sets.
    pub first_normal: u32,
    /// Number of unique normals.
    pub normals: u32,
}

/// The range of quantised values: a stored `u` from 0 to 1 means `center + half_extent * (2 u - 1)`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Range {
    /// Centre, one value per component.
    pub center: Vec<f64>,
    /// Half the extent, one value per component.
    pub half_extent: Vec<f64>,
}

impl Range {
    /// The range of all values multiplied by a positive factor.
    pub fn scaled(&self, factor: f64) -> Self {
        let scaled = |values: &[f64]| values.iter().map(|value| value * factor).collect();
        Self {
            center: scaled(&self.center),
            half_extent: scaled(&self.half_extent),
        }
    }
}

/// Locations of values in the texels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Frames of vertices: `vertex` and `vertex-ray`.
    Vertices(VertexLayout),
    /// Frames of bones in model space.
    Bones(BoneLayout),
    /// Compressed curves of joints: `bone-local`.
    JointCurves(JointCurveLayout),
    /// Compressed curves of vertices: `vertex`.
    VertexCurves(VertexCurveLayout),
}

/// Frames of vertices: one texel per unique position and one per unique normal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VertexLayout {
    /// One item per unique position.
    pub positions: Grid,
    /// One item per unique normal.
    pub normals: Grid,
    /// Range of the offsets from the rest pose; `None` where texels are floats. Always present in `vertex-ray`, where
    /// the half extents are the radii of the ellipsoid.
    pub range: Option<Range>,
    /// Storage of normals.
    pub normal_code: NormalCode,
}

/// Storage of a unit vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NormalCode {
    /// Three channels: `2 u - 1`, or the value itself in float formats.
    Xyz,
    /// Two channels: octahedral mapping.
    Octahedral,
}

/// Frames of bones in model space: consecutive values per bone, four values per texel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoneLayout {
    /// Meaning of a bone's values.
    pub code: BoneCode,
    /// Texels of a frame; value `n` of the frame is channel `n % c` of item `n / c`, where texels have `c` channels: three
    /// in [`BoneCode::AxisPlanes`], else four.
    pub grid: Grid,
    /// Texels of positions, where those of [`BoneCode::AxisPlanes`] have a texture of their own: item `b` is bone `b`.
    pub positions: Option<Grid>,
    /// Joints that have texels. In [`BoneCode::AxisPlanes`], a joint that skins bind differently has a bone for each bind
    /// pose.
    pub bones: Vec<BoneEntry>,
    /// Ranges of positions (of dual parts, in `bone-dq`): one for all bones, one per bone, or none where texels are
    /// floats.
    pub ranges: Vec<Range>,
    /// Range of scales, where `bone-qt` stores them and texels are not floats.
    pub scale_range: Option<Range>,
    /// True where the bind pose is stored in the rows above the first frame, as many rows as a frame has. Its inverses
    /// are the inverse bind matrices.
    pub rest_row: bool,
    /// Number of channels of `COLOR_0` that hold bone indices: 4, 1 where no vertex has more than one influence, or 0
    /// where vertices have joints only.
    pub color_bones: u32,
    /// Vertex weights, where they are in a texture.
    pub weights: Option<WeightLayout>,
}

/// Meaning of a bone's values. Positions and dual parts are in the range of the bone, all other values from -1 to 1
/// (`2 u - 1`, or the value itself in float formats).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoneCode {
    /// 12 values: three rows of a matrix, each of three values of the linear part and one of the position.
    MatrixRows,
    /// 12 values: three columns of the linear part, each followed by one value of the position. The layout of P0.
    MatrixColumns,
    /// 8 values: the real part of a dual quaternion, xyzw, and the dual part, xyzw. Signs are chosen such that
    /// neighbouring frames are in one hemisphere.
    DualQuaternion,
    /// 6 or 9 values: a rotation as modified Rodrigues parameters, `s = xyz / (1 + w)` of its quaternion with `w >= 0`;
    /// a position; and three scales where the bone has them. The quaternion is `(2 s, 1 - s·s) / (1 + s·s)`. Unlike
    /// xyz with a reconstructed w, precision is the same at every angle.
    RotationPosition,
    /// Three texels per bone: two axes and a position, each in the first three channels of its texel. The third axis is
    /// their cross product.
    Axes,
    /// [`Self::Axes`] by planes, in texels of three channels: with `n` bones, bone `b` has its texels in items `b`, `n + b`
    /// and `2 n + b`. The layout of P3, with a rest row and bone indices in colours.
    AxisPlanes,
}

/// Weights in a texture: the layout of P3.
///
/// Weights of vertex `v`, counted across all parts, are in texel `v % side` of row `v / side`. [`Self::uv`], the centre of
/// that texel, is `TEXCOORD_1` of the vertex. The three channels hold the first three weights; the last weight is one
/// minus their sum. They belong to the bones in the channels of `COLOR_0`, in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightLayout {
    /// Index into the textures.
    pub texture: usize,
    /// Width and height of the texture.
    pub side: u32,
}

impl WeightLayout {
    /// Texture coordinates, from 0 to 1, of the centre of a vertex's texel. Vertices are counted across all parts.
    pub fn uv(&self, vertex: usize) -> Vec2 {
        let side = self.side as usize;
        let middle = |texel: usize| ((texel as f64 + 0.5) / side as f64) as f32;
        Vec2::new(middle(vertex % side), middle(vertex / side))
    }
}

/// A joint that has texels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoneEntry {
    /// Index into the joints.
    pub joint: usize,
    /// Index of the bone's first value in a frame.
    pub first_value: u32,
    /// Constant uniform scale, applied before the texels' transform; negative where the joint mirrors. For matrices that
    /// are not rigid, the divisor that brought their linear part into the range -1 to 1.
    pub scale: f64,
    /// Rotation from joint axes to bone axes, applied before the texels' transform: a unit quaternion, xyzw. Bone axes
    /// are those of the model in the bind pose, so that inverse bind matrices are translations in bone space.
    pub rotation: [f64; 4],
    /// True where three scales follow the position.
    pub has_scale: bool,
}

impl BoneEntry {
    /// Transform applied before the texels' transform: rotation and scale.
    pub fn bone_from_joint(&self) -> DMat3 {
        DMat3::from_quat(DQuat::from_array(self.rotation)) * self.scale
    }

    /// Transform of the joint, from the decoded transform of the bone.
    pub fn model_from_joint(&self, model_from_bone: DAffine3) -> DAffine3 {
        DAffine3 {
            matrix3: model_from_bone.matrix3 * self.bone_from_joint(),
            translation: model_from_bone.translation,
        }
    }
}

/// Frames of morph weights, four per texel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MorphLayout {
    /// Texels of a frame; weight `n` is channel `n % 4` of item `n / 4`.
    pub grid: Grid,
    /// Number of weights per frame: those of all morph sets, in the order of the mesh file.
    pub weights: u32,
    /// Range with one component per weight; `None` where texels are floats.
    pub range: Option<Range>,
}

/// Compressed curves of joints in their parents' spaces, in a texture of 32-bit words.
///
/// Word `n` is texel `n`, counted across rows and layers. The texture holds the calibration strip, the clip table, the
/// joint table and then, for each clip, the headers and keys of its segments. See [`crate::curves`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JointCurveLayout {
    /// Index into the textures.
    pub texture: usize,
    /// Indices into the joints, one per record, parents before children.
    pub bones: Vec<usize>,
    /// First word of the clip table.
    pub clip_table: u32,
    /// First word of the joint table.
    pub joint_table: u32,
    /// Words per joint record: 4 or 6 (16-bit constants), 8 or 12 (float32); 6 and 12 where joints have scale.
    pub record_words: u32,
    /// Number of curves: 2 per record, or 3 where joints have scale.
    pub curves: u32,
}

/// Compressed curves of vertices, in a texture of 32-bit words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VertexCurveLayout {
    /// Index into the textures.
    pub texture: usize,
    /// First word of the clip table.
    pub clip_table: u32,
    /// Number of curves of unique positions, the first curves of a segment.
    pub positions: u32,
    /// Number of curves of unique normals, the remaining curves of a segment.
    pub normals: u32,
    /// Centre of the offsets: an offset from the rest pose is `center + scale * curve`.
    pub center: [f32; 3],
    /// Scale of the offsets, a power of two.
    pub scale: f32,
}

/// A texture and its files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextureEntry {
    /// Content: `positions`, `normals`, `bones`, `rotations`, `translations`, `morphs`, `curves` or
    /// `weights`.
    pub name: String,
    /// Texel format.
    pub texels: TexelFormat,
    /// Texels per row.
    pub width: u32,
    /// Rows per layer.
    pub height: u32,
    /// Number of layers.
    pub layers: u32,
    /// True where the first row begins with the calibration strip.
    pub calibration: bool,
    /// File names in the folder of the manifest: one file, or one per layer. Empty in a GLB.
    pub files: Vec<String>,
}

/// An attachment point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Socket {
    /// Name of the socket.
    pub name: String,
    /// Index of the joint that it is attached to.
    pub joint: usize,
    /// Translation in the joint's space.
    pub translation: [f64; 3],
    /// Rotation in the joint's space, xyzw.
    pub rotation: [f64; 4],
    /// Item of its origin in the position grid of a vertex set; its X and Y axes are the next two items.
    pub first_position: Option<u32>,
}

/// Largest number of levels of detail below the full mesh.
pub const MAX_LODS: usize = 7;

/// A level of detail below the full mesh: fewer triangles on a subset of its vertices. The triangles are in the mesh
/// file ([`crate::SetMesh::lods`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lod {
    /// Number of triangles of all parts.
    pub triangles: u32,
    /// Largest number of influences per vertex: the heaviest ones, with weights that are scaled to sum to 1.
    pub max_influences: u32,
    /// Largest distance of a vertex of the full mesh from its point on this level, over all clips and times, as a
    /// fraction of [`Manifest::size`]. It leaves out [`Manifest::max_error_of_size`], to which it adds.
    pub max_error_of_size: f64,
}
