//! KTX2: all layers of any texels, as a GPU takes them.
//!
//! A file is a [`Header`], a [`descriptor`] of the texels, who wrote it, and one level: layers one after another,
//! or one Zstandard frame of them. By the KTX file format specification 2.0, document revision 4.

mod descriptor;
mod header;
mod read;
mod write;

pub use read::read;
pub use write::write;

/// The one key of the key/value data, as the file has it.
const WRITER_KEY: &[u8] = b"KTXwriter\0";

/// `KTX 2.0` between angle quotes, and line ends that a careless transfer would spoil.
const MAGIC: [u8; 12] = *b"\xabKTX 20\xbb\r\n\x1a\n";
