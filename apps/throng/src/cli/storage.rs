//! Arguments for the storage of values.

use clap::Args;
use throng_format::{Encoding, Precision, SetLayout, Storage};

/// `--layout` and `--precision`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
pub struct StorageArgs {
    /// Layout of the set: frames (a grid of samples), or compressed (curves;
    /// for vertex and bone-local)
    /// [default: compressed for bone-local, else frames; bake may choose]
    #[arg(long, value_name = "LAYOUT", verbatim_doc_comment)]
    pub layout: Option<SetLayout>,

    /// Precision of frames: unorm8, unorm16, f16 or f32
    /// [default: unorm16; bake may choose]
    #[arg(long, value_name = "P", verbatim_doc_comment)]
    pub precision: Option<Precision>,
}

impl StorageArgs {
    /// Storage of a fixed encoding; the encoding's default where neither option is given.
    pub fn of(self, encoding: Encoding) -> Storage {
        match (self.layout, self.precision) {
            (Some(SetLayout::Compressed), _) => Storage::Compressed,
            (_, Some(precision)) => Storage::Frames(precision),
            (Some(SetLayout::Frames), None) => Storage::Frames(Precision::Unorm16),
            (None, None) => encoding.default_storage(),
        }
    }

    /// Checks that a precision is given for frames only.
    pub fn check(self) -> Result<(), String> {
        match (self.layout, self.precision) {
            (Some(SetLayout::Compressed), Some(precision)) => Err(format!(
                "--precision {precision} applies to frames, and compressed curves choose their own bits: leave \
                 --precision out, or use --layout frames"
            )),
            _ => Ok(()),
        }
    }
}
