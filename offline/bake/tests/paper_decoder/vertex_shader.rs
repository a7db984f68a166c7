//! Appendix D.2: vertex textures.

use glam::DVec3;

use super::files::{Folder, Sampler};
use super::playback::{Frames, Timing, center_and_bounds};
use super::shader::{Shader, Tolerance, largest_angle};

pub struct VertexShader {
    animation_vertex_texture_sampler: Sampler,
    animation_normal_texture_sampler: Sampler,
    position: Vec<DVec3>,
    true_index: Vec<usize>,
    vertex_center: DVec3,
    vertex_bounds: DVec3,
    timing: Timing,
    unit: f64,
}

impl VertexShader {
    pub fn new(folder: &Folder, clip: usize, part: usize) -> Self {
        let page = clip * folder.parts() + part;
        let positions = folder.sampler(0, page);
        let [vertex_center, vertex_bounds] = center_and_bounds(&positions.column(2, 12));
        let timing = Timing::read(&positions, 0);
        let true_index = folder.attribute(part, "_UNIQUE_POSITION");
        Self {
            animation_normal_texture_sampler: folder.sampler(1, page),
            animation_vertex_texture_sampler: positions,
            position: folder.vectors(part, "_REST_POSITION"),
            true_index: true_index.iter().map(|index| index[0] as usize).collect(),
            vertex_center,
            vertex_bounds,
            timing,
            unit: folder.unit(),
        }
    }

    fn get_vertex_position(&self, frames: &Frames, true_index: usize) -> DVec3 {
        let sampler = &self.animation_vertex_texture_sampler;
        let at = |frame: usize| {
            let texel = sampler.texel_fetch(frame, true_index).truncate();
            (texel * 2.0 - 1.0) * self.vertex_bounds + self.vertex_center
        };
        at(frames.start).lerp(at(frames.end), frames.interpolation)
    }
}

impl Shader for VertexShader {
    fn vertices(&self) -> usize {
        self.position.len()
    }

    fn timing(&self) -> &Timing {
        &self.timing
    }

    fn main(&self, time: f64, vertex: usize) -> [DVec3; 2] {
        let frames = Frames::of(time, &self.timing);
        let true_index = self.true_index[vertex];
        let final_pos = self.get_vertex_position(&frames, true_index);
        let sampler = &self.animation_normal_texture_sampler;
        let at = |frame: usize| sampler.texel_fetch(frame, true_index).truncate() * 2.0 - 1.0;
        let final_nor = at(frames.start).lerp(at(frames.end), frames.interpolation);
        let position = self.position[vertex] / self.unit;
        [(position + final_pos) * self.unit, final_nor.normalize()]
    }

    /// A component of a position is off by 2 / 255 of its bounds, and a component of a unit normal by 2 / 255.
    fn tolerance(&self, _: f64, _: usize) -> Tolerance {
        Tolerance {
            metres: (self.vertex_bounds * (2.0 / 255.0)).length() * self.unit,
            normal_angle: largest_angle(DVec3::splat(2.0 / 255.0).length()),
        }
    }
}
