//! Parts that the three shaders have in common.

use std::f64::consts::PI;

use glam::DVec3;
use throng_bake::Preset;

use super::dual_quaternion_shader::DualQuaternionShader;
use super::files::Folder;
use super::matrix_shader::MatrixShader;
use super::playback::Timing;
use super::vertex_shader::VertexShader;

/// Shader of one part of a clip.
pub trait Shader {
    /// Number of vertices.
    fn vertices(&self) -> usize;

    /// Length and rate of the clip.
    fn timing(&self) -> &Timing;

    /// Position of a vertex in metres, and its normal.
    fn main(&self, time: f64, vertex: usize) -> [DVec3; 2];

    /// Largest errors of a vertex that its bytes explain.
    fn tolerance(&self, time: f64, vertex: usize) -> Tolerance;

    /// Time at which the shader shows a frame.
    fn time_of(&self, frame: f64) -> f64 {
        frame / self.timing().frame_rate.max(1e-9)
    }
}

/// Largest errors of a vertex.
pub struct Tolerance {
    pub metres: f64,
    /// Angle of the normal, in radians.
    pub normal_angle: f64,
}

/// Returns the largest angle between a vector and one that differs from it by a part of its length.
pub fn largest_angle(part: f64) -> f64 {
    // False for NaN, too.
    if part < 1.0 { part.asin() } else { PI }
}

/// Opens the shader of a part of a clip.
pub fn shader(preset: Preset, folder: &Folder, clip: usize, part: usize) -> Box<dyn Shader> {
    match preset {
        Preset::P0Vertex8 => Box::new(VertexShader::new(folder, clip, part)),
        Preset::P0Matrix8 => Box::new(MatrixShader::new(folder, clip, part)),
        _ => Box::new(DualQuaternionShader::new(folder, clip, part)),
    }
}
