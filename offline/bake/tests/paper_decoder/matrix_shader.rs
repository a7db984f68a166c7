//! Appendix B.2: matrix bone textures.

use glam::{DAffine3, DMat3, DVec3};

use super::bones::Attributes;
use super::files::{Folder, Sampler};
use super::playback::{Frames, Timing, center_and_bounds};
use super::shader::{Shader, Tolerance, largest_angle};

pub struct MatrixShader {
    animation_texture_sampler: Sampler,
    transformation_link_matrices: Vec<DAffine3>,
    attributes: Attributes,
    timing: Timing,
    unit: f64,
}

impl MatrixShader {
    pub fn new(folder: &Folder, clip: usize, part: usize) -> Self {
        let texture = folder.sampler(0, clip);
        let inverse_binds = folder.inverse_bind_matrices(folder.skin(part));
        Self {
            timing: Timing::read(&texture, 3 * inverse_binds.len()),
            animation_texture_sampler: texture,
            transformation_link_matrices: inverse_binds,
            attributes: Attributes::new(folder, part, 1.0),
            unit: folder.unit(),
        }
    }

    fn get_bone_matrix(&self, frames: &Frames, bone_index: usize) -> DAffine3 {
        let bone_in_texture_index = bone_index * 3;
        let parts = self
            .animation_texture_sampler
            .column(bone_in_texture_index, 12);
        let [bone_center, bounds] = center_and_bounds(&parts);
        let columns = |frame: usize| {
            let fetch = |k: usize| {
                let row = bone_in_texture_index + k;
                self.animation_texture_sampler.texel_fetch(frame, row) * 2.0 - 1.0
            };
            let [col1, col2, col3] = [fetch(0), fetch(1), fetch(2)];
            let col4 = DVec3::new(col1.w, col2.w, col3.w) * bounds + bone_center;
            [col1.truncate(), col2.truncate(), col3.truncate(), col4]
        };
        let (first, second) = (columns(frames.start), columns(frames.end));
        let [col1, col2, col3, col4] =
            [0, 1, 2, 3].map(|k| first[k].lerp(second[k], frames.interpolation));
        let world_matrix = DAffine3 {
            matrix3: DMat3::from_cols(col1, col2, col3),
            translation: col4,
        };
        world_matrix * self.transformation_link_matrices[bone_index]
    }

    fn get_deformation_matrix(&self, frames: &Frames, vertex: usize) -> DAffine3 {
        let (bones, weights) = (
            self.attributes.bone_indices[vertex],
            self.attributes.bone_weights[vertex],
        );
        let mut sum = DAffine3 {
            matrix3: DMat3::ZERO,
            translation: DVec3::ZERO,
        };
        for (bone, weight) in bones.into_iter().zip(weights) {
            let matrix = self.get_bone_matrix(frames, bone);
            sum.matrix3 += matrix.matrix3 * weight;
            sum.translation += matrix.translation * weight;
        }
        sum
    }
}

impl Shader for MatrixShader {
    fn vertices(&self) -> usize {
        self.attributes.position.len()
    }

    fn timing(&self) -> &Timing {
        &self.timing
    }

    fn main(&self, time: f64, vertex: usize) -> [DVec3; 2] {
        let frames = Frames::of(time, &self.timing);
        let def_mat = self.get_deformation_matrix(&frames, vertex);
        let final_pos = def_mat.transform_point3(self.attributes.position[vertex]);
        let normal_out = def_mat.matrix3 * self.attributes.normal_in[vertex];
        [final_pos * self.unit, normal_out.normalize_or_zero()]
    }

    /// A byte is off by at most 2 / 255 of the range -1 to 1 (see `main.rs`), so a matrix entry is off by 2 / 255 and a
    /// translation by 2 / 255 of its bounds. A component of a product with a vector is off by 2 / 255 of the sum of the
    /// vector's components.
    fn tolerance(&self, time: f64, vertex: usize) -> Tolerance {
        let (bones, weights) = (
            self.attributes.bone_indices[vertex],
            self.attributes.bone_weights[vertex],
        );
        let (mut off_position, mut off_normal) = (DVec3::ZERO, DVec3::ZERO);
        for (bone, weight) in bones.into_iter().zip(weights) {
            let parts = self.animation_texture_sampler.column(3 * bone, 12);
            let [_, bounds] = center_and_bounds(&parts);
            let inverse_bind = self.transformation_link_matrices[bone];
            let in_bone = inverse_bind.transform_point3(self.attributes.position[vertex]);
            let normal = inverse_bind.matrix3 * self.attributes.normal_in[vertex];
            let off = weight * 2.0 / 255.0;
            off_position += (bounds + in_bone.abs().element_sum()) * off;
            off_normal += DVec3::splat(normal.abs().element_sum()) * off;
        }
        let def_mat = self.get_deformation_matrix(&Frames::of(time, &self.timing), vertex);
        let normal = def_mat.matrix3 * self.attributes.normal_in[vertex];
        Tolerance {
            metres: off_position.length() * self.unit,
            normal_angle: largest_angle(off_normal.length() / normal.length()),
        }
    }
}
