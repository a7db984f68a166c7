//! The codecs of the glTF extension `EXT_meshopt_compression`, in safe Rust: vertex attributes (version 0), triangles and
//! index sequences.
//!
//! Streams are those of the reference implementation, meshoptimizer, in both directions. Filters and other versions are not
//! supported. Decoders accept any bytes: damaged streams are errors, and memory is in proportion to the stream.

mod bytes;
mod indices;
mod triangles;
mod vertices;

use thiserror::Error;

pub use indices::{decode_indices, encode_indices};
pub use triangles::{canonical_triangles, decode_triangles, encode_triangles};
pub use vertices::{MAX_STRIDE, decode_vertices, encode_vertices};

/// A stream that cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MeshoptError {
    /// The first byte is not that of the expected codec and version.
    #[error("expected a meshopt stream that starts with {expected:#04x}, found {found:#04x}")]
    Header {
        /// First byte of supported streams.
        expected: u8,
        /// First byte of the stream.
        found: u8,
    },
    /// The stream ends before its last element.
    #[error("the meshopt stream ends before its last element")]
    Truncated,
    /// Bytes follow the last element.
    #[error("the meshopt stream has {bytes} bytes after its last element")]
    TrailingBytes {
        /// Number of bytes.
        bytes: usize,
    },
    /// The codec does not support the size of a vertex.
    #[error("expected a stride that is a multiple of 4 up to {MAX_STRIDE}, found {stride}")]
    Stride {
        /// Bytes per vertex.
        stride: usize,
    },
}

#[cfg(test)]
mod tests;
