//! What a character has and glTF has no place for: under `extras.throng` of the root, of nodes and of
//! meshes.
//!
//! ```json
//! { "throng": { "version": 2, "name": "Fox", "morph_sets": [], "materials": [], "images": [] } }
//! { "throng": { "joint": "bone" } }
//! { "throng": { "part": { "node": 3, "primitive": 0 } } }
//! { "throng": { "repeat": 5 } }
//! { "throng": "root" }
//! { "throng": { "vertices": 1728, "triangles": 576, "material": 0, "authored_method": "linear" } }
//! ```
//!
//! Materials and images stand here as the character has them; those of glTF are for viewers, one for
//! each way that a mesh can use one.

use serde::{Deserialize, Serialize};
use throng_rig::{AlphaMode, AuthoredMethod, ImageFormat, JointKind, Material, Texture, Wrap};

use super::F32;

/// `extras` with nothing but ours.
#[derive(Serialize, Deserialize)]
pub struct Throng<T> {
    /// What is ours.
    pub throng: T,
}

/// What stands at the root.
#[derive(Serialize, Deserialize)]
pub struct CharacterExtras {
    /// See [`Self::VERSION`].
    pub version: u32,
    /// The character's name.
    pub name: String,
    /// In order.
    pub morph_sets: Vec<MorphSetExtras>,
    /// In order.
    pub materials: Vec<MaterialExtras>,
    /// In order.
    pub images: Vec<ImageExtras>,
}

impl CharacterExtras {
    /// The version of the model that is written and read here.
    pub const VERSION: u32 = 2;
}

/// Morph weights that move together.
#[derive(Serialize, Deserialize)]
pub struct MorphSetExtras {
    /// Of the node.
    pub name: String,
    /// Of the rest pose.
    pub weights: Vec<F32>,
}

/// What a node is there for. Joints come first, in the order of the skeleton, then parts, then repeats,
/// then the root.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeRole {
    /// A joint.
    Joint(#[serde(with = "JointKindName")] JointKind),
    /// A part.
    Part(PartExtras),
    /// Stands for a joint that a skin names once more, which glTF does not allow; a child of the joint,
    /// at its place.
    Repeat(usize),
    /// Stands above all joints that have no parent, where a skin has joints of several trees, which glTF
    /// does not allow either.
    Root,
}

/// What a part remembers of its source.
#[derive(Serialize, Deserialize)]
pub struct PartExtras {
    /// The node of the source.
    pub node: usize,
    /// The primitive of the node's mesh in the source.
    pub primitive: usize,
    /// Index into the morph sets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub morph_set: Option<usize>,
}

/// `extras` of a mesh.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeshExtras {
    /// Of morph targets, where viewers look for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub target_names: Vec<String>,
    /// What is ours.
    pub throng: MeshOwn,
}

/// What a mesh is.
#[derive(Serialize, Deserialize)]
pub struct MeshOwn {
    /// How many vertices there are. glTF has no empty arrays: where this is zero they hold one.
    pub vertices: usize,
    /// How many triangles there are; likewise.
    pub triangles: usize,
    /// Index into the character's materials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<usize>,
    /// How it is to be skinned.
    #[serde(with = "AuthoredMethodName")]
    pub authored_method: AuthoredMethod,
    /// True where tangents are written only because a morph has some, which glTF does not allow without.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stand_in_tangents: bool,
    /// True where `TEXCOORD_0` is written only because there is a `TEXCOORD_1`; likewise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stand_in_uvs: bool,
}

/// A material of the character.
#[derive(Serialize, Deserialize)]
pub struct MaterialExtras {
    /// May be empty.
    pub name: String,
    /// Linear RGBA.
    pub base_color: [F32; 4],
    /// Of the base colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture: Option<TextureExtras>,
    /// How alpha is used.
    pub alpha: Alpha,
    /// True when back faces show.
    pub double_sided: bool,
}

/// How alpha is used.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alpha {
    /// Not at all.
    Opaque,
    /// Seen from this alpha on.
    Mask(F32),
    /// Blended.
    Blend,
}

/// A texture of the character.
#[derive(Serialize, Deserialize)]
pub struct TextureExtras {
    /// Index into the character's images.
    pub image: usize,
    /// Along U.
    #[serde(with = "WrapName")]
    pub wrap_u: Wrap,
    /// Along V.
    #[serde(with = "WrapName")]
    pub wrap_v: Wrap,
}

/// An image of the character.
#[derive(Serialize, Deserialize)]
pub struct ImageExtras {
    /// May be empty.
    pub name: String,
    /// What the bytes are.
    #[serde(with = "ImageFormatName")]
    pub format: ImageFormat,
    /// Where the bytes are: a buffer view. None for an image without any.
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
