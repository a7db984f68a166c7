//! WGSL that decodes animation textures and skins vertices: small pure functions in `wgsl/lib`, bindings in `wgsl/source`,
//! thin entry points in `wgsl/entry`, and functions for engines in `wgsl/function`.
//!
//! A shader is a few constants and a list of files ([`deform_shader`], [`fill_palette_shader`]). Alternative files define
//! the same functions (`joint_affine`, `accumulate`, `skin_vertex`, `deform`), so that a choice of files is a choice of
//! technique, without conditional code. Functions in `lib` bind nothing and read textures by `textureLoad`, so that they
//! work in compute passes and in WebGL2. A function has the name of its CPU twin; if that is a method, the type comes
//! first (`moment_vector` is `Moment::vector`).
//!
//! `lib/influences` holds the only loop over the influences of a vertex. A skinning method supplies what it sums.
//!
//! Renderers draw with a material of their own: [`material_shader`] has the vertex stage with the outputs that the material
//! reads, and [`Shader::with_material`] appends the material.
//!
//! ```
//! use throng_shaders::{Deform, MATERIAL_VERTEX, VertexOutputs, material_shader};
//!
//! let material = "
//!     fn clip_position(world_position: vec3<f32>) -> vec4<f32> { return vec4(world_position, 1.0); }
//!     @fragment fn shade(in: VertexOut) -> @location(0) vec4<f32> { return in.color; }
//! ";
//! let outputs = VertexOutputs::read_by(material);
//! assert!(outputs.color && !outputs.normal);
//! let shader = material_shader(Deform::VertexCurves, outputs, outputs).with_material(material);
//! assert!(shader.source.contains(&format!("fn {MATERIAL_VERTEX}")));
//! ```
//!
//! An engine with shaders of its own calls [`vertex_functions`] and [`palette_functions`], which have no entry point.
//!
//! The description of a set ([`SetInfo`] and tables) is bound beside its textures, or compiled in ([`with_set_info`],
//! [`with_constants`]); timing and ranges can be read from the texels ([`Shader::with_column`]). The feature `translate` adds translations to GLSL, HLSL and MSL.

mod blocks;
mod bones;
mod column;
mod compose;
mod constants;
mod curve_texture;
mod deform;
mod files;
mod functions;
mod material;
mod shader;
mod skin_method;
mod switches;
#[cfg(feature = "translate")]
pub mod translate;
mod variant;
mod vertex_out;

pub use blocks::{
    BACKWARDS, CULL_LEVELS, CaptureTarget, Codec, CullView, Frame, Grid, HELD_FADE, InstanceBlock,
    JointCurves, PlayBlock, Rows, SetInfo, SkinnedPart, TABLE_COLUMNS, TICKS_PER_SEC,
};
pub use bones::{BoneKind, Bones, InterpolationKind, TexelKind};
pub use column::{ColumnForm, ColumnReader};
pub use compose::file_names;
pub use constants::{ConstantsError, MAX_CONSTANT_RECORDS, with_constants, with_set_info};
pub use curve_texture::CurveTexture;
pub use deform::{Deform, InfluenceSource, Joints, Morphs};
pub use functions::{
    EngineFunction, EngineFunctions, EngineOptions, palette_functions, vertex_functions,
};
pub use material::{MATERIAL_VERTEX, material_shader};
pub use shader::{
    CULL_GROUP, PaletteSource, Pass, Shader, UNIFORM_RECORDS, all_shaders, cull_shader,
    deform_shader, fill_palette_shader, pose_joints_shader,
};
pub use skin_method::SkinMethod;
pub use vertex_out::VertexOutputs;

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
