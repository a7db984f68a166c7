//! The only WGSL of the project: small pure functions in `wgsl/lib`, what binds textures to them in
//! `wgsl/source`, thin entry points in `wgsl/entry`.
//!
//! A shader is a list of files ([`deform_shader`], [`fill_palette_shader`]) after a few constants. Files that stand for
//! each other define the same functions (`joint_affine`, `skin_vertex`, `deform`), so that a choice of
//! files is a choice of technique and no code is conditional. Functions of the library bind nothing, and
//! read by `textureLoad`, so that the same ones serve compute passes and WebGL2. A function has the name
//! of its twin on the CPU; where that is a method, the type goes before it (`moment_vector` is
//! `Moment::vector`).
//!
//! What a shader must know of a set is bound beside its texels, or compiled in ([`with_set_info`],
//! [`with_constants`]). With the feature `translate`, shaders are written in the languages of engines too.

mod blocks;
mod compose;
mod constants;
mod deform;
mod shader;
#[cfg(feature = "translate")]
pub mod translate;

pub use blocks::{
    BACKWARDS, CaptureTarget, Codec, Frame, Grid, InstanceBlock, JointCurves, Material, PlayBlock,
    Rows, Scene, SetInfo, SkinnedPart, TABLE_COLUMNS, TICKS_PER_SEC,
};
pub use compose::file_names;
pub use constants::{ConstantsError, MAX_CONSTANT_RECORDS, with_constants, with_set_info};
pub use deform::{
    BoneKind, Bones, Deform, InterpolationKind, Joints, Morphs, SkinMethod, TexelKind,
};
pub use shader::{
    BlurPass, PaletteSource, Pass, Shader, UNIFORM_RECORDS, all_shaders, backdrop_shader,
    bare_shader, blur_contact_shader, deform_shader, fill_palette_shader, pose_joints_shader,
};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
