//! Data of a character that glTF has no fields for: `extras.throng` of the root, of nodes, of meshes and of skins.
//!
//! ```json
//! { "throng": { "version": 3, "name": "Fox", "morph_sets": [], "materials": [], "images": [] } }
//! { "throng": { "joint": "bone" } }
//! { "throng": { "part": { "node": 3, "primitive": 0 } } }
//! { "throng": { "repeat": 5 } }
//! { "throng": "root" }
//! { "throng": { "vertices": 1728, "triangles": 576, "material": 0, "authored_method": "linear",
//!               "lods": [{ "triangles": 288, "indices": 9 }] } }
//! { "throng": { "inverse_bind_matrices": 12 } }
//! ```
//!
//! Materials and images are stored here as the character has them. Those of glTF are for viewers, and have one entry for
//! each combination that a mesh uses.

use serde::{Deserialize, Serialize};
use throng_rig::{AlphaMode, AuthoredMethod, ImageFormat, JointKind, Material, Texture, Wrap};

use super::F32;

/// `extras` with the field `throng`.
#[derive(Serialize, Deserialize)]
pub struct ThrongExtras<T> {
    /// Data of this program.
    pub throng: T,
}

/// `extras.throng` of the root.
#[derive(Serialize, Deserialize)]
pub struct CharacterExtras {
    /// See [`Self::VERSION`].
    pub version: u32,
    /// Name of the character.
    pub name: String,
    /// Morph sets in the order of the character.
    pub morph_sets: Vec<MorphSetExtras>,
    /// Materials in the order of the character.
    pub materials: Vec<MaterialExtras>,
    /// Images in the order of the character.
    pub images: Vec<ImageExtras>,
}

impl CharacterExtras {
    /// Version of the model format that this crate reads and writes.
    pub const VERSION: u32 = 3;
}

/// A morph set.
#[derive(Serialize, Deserialize)]
pub struct MorphSetExtras {
    /// Name of the node.
    pub name: String,
    /// Weights in the rest pose.
    pub weights: Vec<F32>,
}

/// Role of a node. Joints come first, in the order of the skeleton, then parts, then repeats, then the root.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeRole {
    /// A joint.
    Joint(#[serde(with = "JointKindName")] JointKind),
    /// A part.
    Part(PartExtras),
    /// Copy of a joint that a skin lists more than once, which glTF does not allow. It is a child of the joint, with the
    /// identity transform.
    Repeat(usize),
    /// Common parent of all joints without a parent, where a skin has joints of several trees, which glTF does not allow.
    Root,
}

/// `extras.throng` of a skin whose inverse bind matrices scale quantised positions, where those for positions in metres do
/// not follow from them.
#[derive(Serialize, Deserialize)]
pub struct SkinExtras {
    /// Accessor of the inverse bind matrices for positions in metres.
    pub inverse_bind_matrices: usize,
}

/// Quantisation of positions and of their morph offsets: a position is `offset + step * stored`, an offset
/// `step * stored`, in metres and without rounding.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PositionGrid {
    /// Distance of neighbouring values, in metres.
    pub step: F32,
    /// Smallest position, in metres.
    pub offset: [F32; 3],
}

/// Origin of a part in the source file.
#[derive(Serialize, Deserialize)]
pub struct PartExtras {
    /// Node in the source.
    pub node: usize,
    /// Primitive of the node's mesh in the source.
    pub primitive: usize,
    /// Index into the morph sets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub morph_set: Option<usize>,
}

/// `extras` of a mesh.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeshExtras {
    /// Names of morph targets, in the field that viewers read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub target_names: Vec<String>,
    /// Data of this program.
    pub throng: MeshInfo,
}

/// `extras.throng` of a mesh.
#[derive(Serialize, Deserialize)]
pub struct MeshInfo {
    /// Number of vertices. glTF has no empty arrays: where this is zero, arrays hold one element.
    pub vertices: usize,
    /// Number of triangles. Where this is zero, the index array holds one triangle.
    pub triangles: usize,
    /// Index into the character's materials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<usize>,
    /// Skinning method of the source.
    #[serde(with = "AuthoredMethodName")]
    pub authored_method: AuthoredMethod,
    /// True where tangents are placeholders: glTF allows tangents of morph targets only with those of the mesh.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stand_in_tangents: bool,
    /// True where `TEXCOORD_0` is a placeholder: glTF allows `TEXCOORD_1` only with `TEXCOORD_0`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stand_in_uvs: bool,
    /// Quantisation of positions; `None` where they are floats in metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantization: Option<PositionGrid>,
    /// Levels of detail below the full mesh, finest first. All meshes of a file have as many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lods: Vec<LodInfo>,
}

/// Triangles of a mesh in a level of detail.
#[derive(Serialize, Deserialize)]
pub struct LodInfo {
    /// Number of triangles.
    pub triangles: usize,
    /// Accessor of the indices; `None` for no triangles, since glTF has no empty arrays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub indices: Option<usize>,
}

/// A material of the character.
#[derive(Serialize, Deserialize)]
pub struct MaterialExtras {
    /// Name; may be empty.
    pub name: String,
    /// Base colour, linear RGBA.
    pub base_color: [F32; 4],
    /// Texture of the base colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture: Option<TextureExtras>,
    /// Alpha mode.
    pub alpha: Alpha,
    /// True where back faces are drawn.
    pub double_sided: bool,
}

/// Alpha mode.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alpha {
    /// Alpha is ignored.
    Opaque,
    /// Drawn where alpha is at least this cutoff.
    Mask(F32),
    /// Alpha blending.
    Blend,
}

/// A texture of the character.
#[derive(Serialize, Deserialize)]
pub struct TextureExtras {
    /// Index into the character's images.
    pub image: usize,
    /// Wrap mode along U.
    #[serde(with = "WrapName")]
    pub wrap_u: Wrap,
    /// Wrap mode along V.
    #[serde(with = "WrapName")]
    pub wrap_v: Wrap,
}

/// An image of the character.
#[derive(Serialize, Deserialize)]
pub struct ImageExtras {
    /// Name; may be empty.
    pub name: String,
    /// File format of the bytes.
    #[serde(with = "ImageFormatName")]
    pub format: ImageFormat,
    /// Buffer view of the bytes; `None` for an image without bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<usize>,
}

impl From<&Material> for MaterialExtras {
    fn from(material: &Material) -> Self {
        Self {
            name: material.name.clone(),
            base_color: material.base_color.map(F32),
            texture: material.texture.map(|texture| TextureExtras {
                image: texture.image,
                wrap_u: texture.wrap_u,
                wrap_v: texture.wrap_v,
            }),
            alpha: match material.alpha {
                AlphaMode::Opaque => Alpha::Opaque,
                AlphaMode::Mask { cutoff } => Alpha::Mask(F32(cutoff)),
                AlphaMode::Blend => Alpha::Blend,
            },
            double_sided: material.double_sided,
        }
    }
}

impl From<MaterialExtras> for Material {
    fn from(extras: MaterialExtras) -> Self {
        Self {
            name: extras.name,
            base_color: extras.base_color.map(|channel| channel.0),
            texture: extras.texture.map(|texture| Texture {
                image: texture.image,
                wrap_u: texture.wrap_u,
                wrap_v: texture.wrap_v,
            }),
            alpha: match extras.alpha {
                Alpha::Opaque => AlphaMode::Opaque,
                Alpha::Mask(F32(cutoff)) => AlphaMode::Mask { cutoff },
                Alpha::Blend => AlphaMode::Blend,
            },
            double_sided: extras.double_sided,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "JointKind", rename_all = "snake_case")]
enum JointKindName {
    Bone,
    Node,
    Leaf,
    AddedLeaf,
    Stretch,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "AuthoredMethod", rename_all = "snake_case")]
enum AuthoredMethodName {
    Linear,
    Rigid,
    DualQuaternion,
    Blended,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Wrap", rename_all = "snake_case")]
enum WrapName {
    Repeat,
    Mirror,
    Clamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ImageFormat", rename_all = "snake_case")]
enum ImageFormatName {
    Png,
    Jpeg,
}
