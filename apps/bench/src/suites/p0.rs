//! P0: *Skinned Animation Textures*, chapter 4. Frames per second against instances of every technique, on four characters
//! of the complexity of the paper's.

mod experiments;
mod hypotheses;
mod printed;
mod tables;

pub use experiments::experiments;

use crate::run::Run;

/// Adds the paper's tables, with its figures beside ours, and the answers to its hypotheses.
pub fn summarize(run: &mut Run<'_>) {
    for section in tables::tables(&run.report) {
        run.put(section);
    }
    let answers = hypotheses::answers(&run.report);
    run.report.answers.extend(answers);
}

/// Names of contestants, as the paper's tables name them in `printed`.
mod names {
    pub const CONTROL: &str = "control";
    /// GPU DQ: one draw call per mesh and instance.
    pub const GPU_DQ: &str = "palette-dq, loop";
    /// GPU matrix.
    pub const GPU_MATRIX: &str = "palette-matrix, loop";
    /// The same with palettes from a cache, as in 4.13.
    pub const GPU_DQ_CACHED: &str = "palette-dq, loop, cached";
    pub const GPU_MATRIX_CACHED: &str = "palette-matrix, loop, cached";
    /// Dual quaternion texture.
    pub const DQ_TEXTURE: &str = "p0-dq8";
    /// Matrix texture.
    pub const MATRIX_TEXTURE: &str = "p0-matrix8";
    /// Vertex texture.
    pub const VERTEX_TEXTURE: &str = "p0-vertex8";
}
