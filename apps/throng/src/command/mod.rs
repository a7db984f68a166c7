//! The subcommands.

mod bake;
mod digest;
mod error;
mod gpu;
mod heat;
mod inspect;
mod pose;
mod progress;
mod render;
mod shader;
mod tour;
mod verify;

pub use bake::bake;
pub use error::CommandError;
pub use inspect::inspect;
pub use pose::pose;
pub use render::render;
pub use shader::shader;
pub use tour::tour;
pub use verify::verify;

use throng_import::Warning;

use crate::text::print_warning;

/// Prints the warnings of an import on standard error, without the notes, which only `inspect` shows.
fn print_warnings(warnings: &[Warning]) {
    for warning in warnings.iter().filter(|warning| !warning.is_note()) {
        print_warning(warning);
    }
}
