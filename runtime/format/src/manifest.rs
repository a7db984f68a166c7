//! What a set says of itself. `docs/format.md` is the long form, `docs/manifest.schema.json` the strict one.

use glam::{DAffine3, DMat3, DQuat, Vec2};
use serde::{Deserialize, Serialize};
use throng_rig::{Bounds, LoopPolicy, Skinning};

use crate::{Encoding, FrameInterpolation, Grid, Metadata, Precision, Storage, TexelFormat};

/// What [`Manifest::format`] must be.
pub const FORMAT: &str = "throng-texture-set";
/// The version of the format that is written here.
pub const VERSION: u32 = 2;

/// Everything that a shader or a loader needs beside texels and mesh.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The program that wrote it.
    pub generator: String,
    /// The character's name.
    pub name: String,
    /// What was baked.
    pub source: Source,
    /// What texels stand for.
    pub encoding: Encoding,
    /// Precision of the frames; `None` for compressed curves.
    pub precision: Option<Precision>,
    /// Skinning method: a method's name, or `as-authored`.
    #[serde(with = "skinning_name")]
    pub method: Skinning,
    /// What happens between frames.
    pub interpolation: FrameInterpolation,
    /// Whether textures hold their own metadata.
    pub metadata: Metadata,
    /// Which way is up and how long a unit is.
    pub axes: Axes,
    /// Largest extent of the box in the rest pose, in metres.
    pub size: f64,
    /// Over all clips.
    pub bounds: Bounds,
    /// Motions, in the order of their frames.
    pub clips: Vec<ClipEntry>,
    /// The whole skeleton, parents before children.
    pub joints: Vec<JointEntry>,
    /// Which joints move which part, and from where.
    pub skins: Vec<SkinEntry>,
    /// What is drawn, in the order of the mesh file.
    pub parts: Vec<PartEntry>,
    /// Where numbers are in the texels.
    pub layout: Layout,
    /// Weights of morphs, in bone sets whose clips move them.
    pub morphs: Option<MorphLayout>,
    /// Files of texels.
    pub textures: Vec<TextureEntry>,
    /// The mesh, a GLB beside the manifest.
    pub mesh: String,
    /// Places that things can be hung on.
    pub sockets: Vec<Socket>,
    /// Coarser meshes, GLB files that the same textures move.
    pub lods: Vec<Lod>,
}

/// Where a set comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// `builtin:NAME`, or the path of the file from the set's folder.
    pub path: String,
    /// `sha256:` and the digest of the file and its side files.
    pub digest: String,
    /// `sha256:` and the digest of all settings of the bake: equal digests, equal sets.
    pub settings: String,
    /// Influences a vertex that were kept.
    pub max_influences: Option<usize>,
    /// Influences below this were dropped.
    pub min_weight: f64,
    /// False where vertices that are the same point are stored each for itself.
    pub shared_positions: bool,
}

/// Which way is up and how long a unit of the texels is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Axes {
    /// `+y`.
    pub up: String,
    /// `right`.
    pub handedness: String,
    /// What a length that comes out of texels and ranges is multiplied by: 1, or 0.01 where they hold
    /// centimetres. All other lengths of a set, the mesh's too, are metres.
    pub metres_per_unit: f64,
}

impl Manifest {
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

/// A motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClipEntry {
    /// As in the source.
    pub name: String,
    /// Its first frame, counted through all clips.
    pub first_frame: u32,
    /// Frames, both ends among them; one where the clip has no length.
    pub frames: u32,
    /// Frames a second: `(frames - 1) / duration_secs`; 0 where the clip has no length.
    pub rate_hz: f64,
    /// Where it starts in the source's own time.
    pub start_secs: f64,
    /// How long it is.
    pub duration_secs: f64,
    /// What happens at its end.
    #[serde(rename = "loop")]
    pub looping: LoopPolicy,
    /// Over all its frames.
    pub bounds: Bounds,
    /// How the root goes from its place at the first frame to that at the last.
    pub root_motion: Option<RootMotion>,
    /// Marks in time.
    pub events: Vec<Event>,
}

/// Where a clip takes its character.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RootMotion {
    /// The joint that it was taken from.
    pub joint: usize,
    /// Over the whole clip.
    pub translation: [f64; 3],
    /// Over the whole clip, xyzw.
    pub rotation: [f64; 4],
}

/// A mark in time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// What happens.
    pub name: String,
    /// From the clip's start.
    pub time_secs: f64,
}

/// A joint of the skeleton.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JointEntry {
    /// As in the source; may be empty.
    pub name: String,
    /// Index into the joints, smaller than its own.
    pub parent: Option<usize>,
    /// At rest, in the parent's space.
    pub translation: [f64; 3],
    /// At rest, in the parent's space, xyzw.
    pub rotation: [f64; 4],
    /// At rest, in the parent's space.
    pub scale: [f64; 3],
}

/// Which joints move a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SkinEntry {
    /// As in the source; may be empty.
    pub name: String,
    /// Indices into the joints; the mesh's joint numbers are indices into this list.
    pub joints: Vec<usize>,
    /// Inverse bind matrices (`joint_from_bind`), three rows of four numbers each; one per joint.
    pub inverse_bind_matrices: Vec<[f64; 12]>,
}

/// A mesh under a skin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartEntry {
    /// The node's name; may be empty.
    pub name: String,
    /// Index into the skins.
    pub skin: usize,
    /// Its vertices.
    pub vertices: u32,
    /// In vertex sets, the item of its first true position.
    pub first_position: u32,
    /// Its true positions.
    pub positions: u32,
    /// In vertex sets, the item of its first true normal.
    pub first_normal: u32,
    /// Its true normals.
    pub normals: u32,
}

/// The range of numbers that were scaled to fit a texel: `center + half_extent * (2 u - 1)`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Range {
    /// The middle, one number a component.
    pub center: Vec<f64>,
    /// Half the extent, one number a component.
    pub half_extent: Vec<f64>,
}

/// Where numbers are in the texels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// `vertex` and `vertex-ray`.
    Vertices(VertexLayout),
    /// Bones in model space.
    Bones(BoneLayout),
    /// `bone-local`.
    JointCurves(JointCurveLayout),
    /// `vertex`, compressed in time.
    VertexCurves(VertexCurveLayout),
}

/// Vertices, one texel each a frame, and their normals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VertexLayout {
    /// One item a true position.
    pub positions: Grid,
    /// One item a true normal.
    pub normals: Grid,
    /// Of the offsets from rest; none where texels are floats. In `vertex-ray`, always there: the half
    /// extents are the radii of the ellipsoid.
    pub range: Option<Range>,
    /// How normals are stored.
    pub normal_code: NormalCode,
}

/// How a unit vector is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NormalCode {
    /// Three channels: `2 u - 1`, or the number itself in floats.
    Xyz,
    /// Two channels: the octahedron unfolded into a square.
    Octahedral,
}

/// Bones in model space: a run of numbers each, four numbers a texel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoneLayout {
    /// What a bone's numbers are.
    pub code: BoneCode,
    /// Texels of a frame; number `n` of the frame is channel `n % 4` of item `n / 4`.
    pub grid: Grid,
    /// One a bone.
    pub bones: Vec<BoneEntry>,
    /// Of positions (of dual parts, in `bone-dq`): one for all bones, one a bone, or none where texels
    /// are floats.
    pub ranges: Vec<Range>,
    /// Of scales, where `bone-qt` carries them and texels are not floats.
    pub scale_range: Option<Range>,
    /// True where the rows above the first frame, as many as a frame has, hold the pose that the mesh
    /// was bound in: its inverse is the link transform.
    pub rest_row: bool,
    /// Weights of vertices, where they are in a texture.
    pub weights: Option<WeightLayout>,
}

/// What the numbers of a bone are. Numbers of positions and dual parts are in the range of the bone,
/// all others from -1 to 1 (`2 u - 1`, or the number itself in floats).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoneCode {
    /// 12: three rows of a matrix, each of three numbers of the linear part and one of the position.
    MatrixRows,
    /// 12: three columns of the linear part, each with one number of the position after it. P0's.
    MatrixColumns,
    /// 8: the real part of a dual quaternion, xyzw, and the dual part, xyzw. Neighbouring frames are in
    /// one hemisphere.
    DualQuaternion,
    /// 6 or 9: a rotation as the three numbers `s = xyz / (1 + w)` of its quaternion with `w >= 0`, a
    /// position, and three scales where the bone has them. Back: `(2 s, 1 - s·s) / (1 + s·s)`. Unlike
    /// xyz with w rebuilt, no angle is stored worse than others.
    RotationPosition,
    /// Three texels per bone: two axes and a position, each in the first three channels of its texel. The third axis is
    /// their cross product.
    Axes,
    /// [`Self::Axes`] by planes: with `n` bones, bone `b` has its texels in items `b`, `n + b` and `2 n + b`. P3's.
    AxisPlanes,
}

/// Joints of a vertex in its colour and weights in a texture: P3's.
///
/// Channel `k` of a vertex's colour is the index of its bone `k`, divided by 255. Weights of vertex `v`,
/// counted through all parts, are in texel `v % side` of row `v / side`; [`Self::uv`], the middle of that
/// texel, is `TEXCOORD_1` of the vertex. The first three channels hold the first three weights, and the
/// last weight is what they leave of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightLayout {
    /// Index into the textures.
    pub texture: usize,
    /// Texels of a row, and rows.
    pub side: u32,
}

impl WeightLayout {
    /// The middle of the texel of a vertex, counted through all parts, in parts of the texture's sides.
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
    /// Where its numbers start in a frame.
    pub first_value: u32,
    /// A uniform scale that never changes, applied before the texels' transform; negative where the joint
    /// mirrors. In matrices that are not rigid, what their linear part was divided by to fit.
    pub scale: f64,
    /// Rotation from joint axes to bone axes, applied before the texels' transform: a unit quaternion, xyzw. Bone axes
    /// are those of the model in the bind pose, so that inverse bind matrices are translations in bone space.
    pub rotation: [f64; 4],
    /// True where three numbers of scale follow.
    pub has_scale: bool,
}

impl BoneEntry {
    /// What comes before the texels' transform: turn and scale.
    pub fn bone_from_joint(&self) -> DMat3 {
        DMat3::from_quat(DQuat::from_array(self.rotation)) * self.scale
    }

    /// The joint's transform, from the texels'.
    pub fn model_from_joint(&self, model_from_bone: DAffine3) -> DAffine3 {
        DAffine3 {
            matrix3: model_from_bone.matrix3 * self.bone_from_joint(),
            translation: model_from_bone.translation,
        }
    }
}

/// Weights of morphs, four a texel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MorphLayout {
    /// Texels of a frame; weight `n` is channel `n % 4` of item `n / 4`.
    pub grid: Grid,
    /// Weights of a frame: of all morph sets, in the order of the mesh file.
    pub weights: u32,
    /// One component a weight; none where texels are floats.
    pub range: Option<Range>,
}

/// Joints in their parents' spaces, as packed curves in a stream of words.
///
/// Word `n` is texel `n`, counted through rows and layers. The stream holds the calibration strip, the
/// clip table, the joint table and then, for each clip, its segments' headers and keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JointCurveLayout {
    /// Index into the textures.
    pub texture: usize,
    /// Indices into the joints, one a record, parents before children.
    pub bones: Vec<usize>,
    /// Word of the clip table.
    pub clip_table: u32,
    /// Word of the joint table.
    pub joint_table: u32,
    /// Words of a record: 8, or 12 where joints have scale.
    pub record_words: u32,
    /// Curves of a segment.
    pub curves: u32,
}

/// Vertices as packed curves in a stream of words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VertexCurveLayout {
    /// Index into the textures.
    pub texture: usize,
    /// Word of the clip table.
    pub clip_table: u32,
    /// Curves of true positions, the first of a segment.
    pub positions: u32,
    /// Curves of true normals, the rest of a segment.
    pub normals: u32,
    /// An offset from rest is `center + scale * curve`.
    pub center: [f32; 3],
    /// A power of two.
    pub scale: f32,
}

/// A texture and its files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextureEntry {
    /// What it holds: `positions`, `normals`, `bones`, `morphs`, `curves`, `weights`.
    pub name: String,
    /// How a texel is stored.
    pub texels: TexelFormat,
    /// Texels in a row.
    pub width: u32,
    /// Rows in a layer.
    pub height: u32,
    /// Layers.
    pub layers: u32,
    /// True where the first row begins with the calibration strip.
    pub calibration: bool,
    /// One file, or one a layer, beside the manifest; empty inside a GLB.
    pub files: Vec<String>,
}

/// A place that things can be hung on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Socket {
    /// Its name.
    pub name: String,
    /// The joint that carries it.
    pub joint: usize,
    /// In the joint's space.
    pub translation: [f64; 3],
    /// In the joint's space, xyzw.
    pub rotation: [f64; 4],
    /// In vertex sets, the item of its origin's texel; its X and Y axes follow as two more items.
    pub first_position: Option<u32>,
}

/// A coarser mesh.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lod {
    /// A GLB beside the manifest.
    pub mesh: String,
    /// To be drawn where the character covers less of the screen's height than this.
    pub screen_height: f64,
}
