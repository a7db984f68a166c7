//! KTX2 files: all layers, every texel format, in the layout of a GPU upload.
//!
//! A file is a [`Header`], a [`descriptor`] of the texels, the name of the writer, and one level: layers one after
//! another, or one Zstandard frame of them. Follows the KTX file format specification 2.0, document revision 4.

mod descriptor;
mod header;
mod read;
mod write;

pub use read::read;
pub use write::write;

/// The only key of the key/value data, with its terminator.
const WRITER_KEY: &[u8] = b"KTXwriter\0";

/// Magic bytes: `KTX 20` between angle quotes, and line ends that a text-mode transfer would change.
const MAGIC: [u8; 12] = *b"\xabKTX 20\xbb\r\n\x1a\n";
