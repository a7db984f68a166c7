//! What each command does.

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

use crate::text::tell;

/// Tells what was changed on the way in, on standard error. Notes are for `inspect`.
fn tell_all(warnings: &[Warning]) {
    for warning in warnings.iter().filter(|warning| !warning.is_note()) {
        tell("warning", warning);
    }
}
