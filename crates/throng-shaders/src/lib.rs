//! The only WGSL of the project: small pure functions in `wgsl/lib`, thin entry points in `wgsl/entry`.
//!
//! A shader is its entry's file after the library files that it names, put together when this crate is
//! compiled. Functions of the library bind nothing: textures come as arguments, words by `textureLoad`
//! from array textures, so that the same functions serve compute passes and, where there are no storage
//! buffers, fragment passes. A function has the name of its twin on the CPU; where that is a method,
//! the type goes before it (`moment_vector` is `Moment::vector`).

mod blocks;

pub use blocks::{ClipTime, JointTracks, Rows};

/// Source that a device can compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shader {
    /// For labels and messages.
    pub name: &'static str,
    /// WGSL.
    pub source: &'static str,
    /// The function to call.
    pub entry_point: &'static str,
}

/// An entry, whose file and function have one name, after its library files.
macro_rules! shader {
    ($entry:literal uses $($library:literal),*) => {
        Shader {
            name: $entry,
            source: concat!(
                $(include_str!(concat!("wgsl/lib/", $library, ".wgsl")), "\n",)*
                include_str!(concat!("wgsl/entry/", $entry, ".wgsl")),
            ),
            entry_point: $entry,
        }
    };
}

/// Poses of `bone-local`, all joints of all instances in one dispatch: a workgroup an instance.
///
/// | binding of group 0 | |
/// |---|---|
/// | 0 | the stream: an array texture of `R32Uint` |
/// | 1 | uniform: [`JointTracks`] |
/// | 2 | storage, read: a [`ClipTime`] an instance |
/// | 3 | storage, written: [`Rows`] a joint, instance by instance |
pub const DECODE_JOINTS: Shader =
    shader!("decode_joints" uses "words", "quat", "affine", "tracks", "joint");

/// Every shader there is.
pub fn all() -> &'static [Shader] {
    &[DECODE_JOINTS]
}
