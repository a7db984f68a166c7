//! The subcommands.

mod bake;
mod bench;
mod caches;
mod digest;
mod error;
mod files_below;
mod gpu;
mod heat;
mod inspect;
mod lent_clips;
mod motion;
mod namesakes;
mod party;
mod pose;
mod pose_clip;
mod pose_edits;
mod progress;
mod read_set;
mod render;
mod set_source;
mod shader;
mod tour;
mod verify;
mod view;

pub use bake::bake;
pub use bench::bench;
pub use error::CommandError;
pub use inspect::inspect;
pub use pose::pose;
pub use render::render;
pub use shader::shader;
pub use tour::tour;
pub use verify::verify;
pub use view::view;

use std::path::Path;

use throng_import::Warning;
use throng_import::limits::MAX_FILE_BYTES;

use crate::text::print_warning;

/// Prints the warnings of an import on standard error, without the notes, which only `inspect` shows.
fn print_warnings(warnings: &[Warning]) {
    for warning in warnings.iter().filter(|warning| !warning.is_note()) {
        print_warning(warning);
    }
}

/// Returns whether a path may be a set in one file: a regular `.glb` file that is not too large to be read.
fn may_be_glb_set(path: &Path) -> bool {
    let is_glb = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("glb"));
    let is_readable = |data: std::fs::Metadata| data.is_file() && data.len() <= MAX_FILE_BYTES;
    is_glb && std::fs::metadata(path).is_ok_and(is_readable)
}
