//! Appendix C.2: dual quaternion bone textures.

use glam::{DVec3, DVec4};

use super::bones::Attributes;
use super::files::{Folder, Sampler, numbers};
use super::playback::{Frames, Timing};
use super::shader::{Shader, Tolerance, largest_angle};

/// `mat2x4`: the real part and the dual part.
type Mat2x4 = [DVec4; 2];

fn quaternion_multiply(p: DVec4, q: DVec4) -> DVec4 {
    DVec4::new(
        p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
        p.w * q.y + p.y * q.w + p.z * q.x - p.x * q.z,
        p.w * q.z + p.z * q.w + p.x * q.y - p.y * q.x,
        p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
    )
}

fn dual_quaternion_multiply(p: Mat2x4, o: Mat2x4) -> Mat2x4 {
    let real = quaternion_multiply(p[0], o[0]);
    let dual = quaternion_multiply(p[0], o[1]) + quaternion_multiply(p[1], o[0]);
    [real, dual]
}

fn deform_dual_quat([real, dual]: Mat2x4, vec: DVec3) -> DVec3 {
    let (r, d) = (real.truncate(), dual.truncate());
    (r.cross(r.cross(vec) + vec * real.w + d) + d * real.w - r * dual.w) * 2.0 + vec
}

fn rotate_quat(quat: DVec4, vec: DVec3) -> DVec3 {
    let uv = quat.truncate().cross(vec);
    let uuv = quat.truncate().cross(uv);
    vec + ((uv * quat.w) + uuv) * 2.0
}

pub struct DualQuaternionShader {
    animation_texture_sampler: Sampler,
    link_quaternions: Vec<Mat2x4>,
    attributes: Attributes,
    timing: Timing,
    unit: f64,
}

impl DualQuaternionShader {
    pub fn new(folder: &Folder, clip: usize, part: usize) -> Self {
        let texture = folder.sampler(0, clip);
        let skin = folder.skin(part);
        let duals = &folder.manifest["skins"][skin]["inverse_bind_dual_quaternions"];
        let mut inverse_binds = vec![[DVec4::W, DVec4::ZERO]; folder.bones().len()];
        let mut scale = 1.0;
        for (palette_index, bone) in folder.palette(skin).into_iter().enumerate() {
            let Some(bone) = bone else { continue };
            let q = numbers(&duals[palette_index]);
            if q[..] != [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0] {
                // The scale that the joints of a skin have in common belongs to the mesh.
                scale = folder.inverse_bind_matrices(skin)[bone]
                    .matrix3
                    .determinant()
                    .cbrt();
            }
            inverse_binds[bone] = [DVec4::from_slice(&q[..4]), DVec4::from_slice(&q[4..])];
        }
        Self {
            timing: Timing::read(&texture, 2 * inverse_binds.len()),
            animation_texture_sampler: texture,
            link_quaternions: inverse_binds,
            attributes: Attributes::new(folder, part, scale),
            unit: folder.unit(),
        }
    }

    /// The box of a dual part, whole numbers: section 3.5.2.
    fn center_and_bounds(&self, bone_index: usize) -> [DVec4; 2] {
        let parts = self.animation_texture_sampler.column(2 * bone_index, 8);
        [
            DVec4::from_slice(&parts[..4]) - 128.0,
            DVec4::from_slice(&parts[4..]),
        ]
    }

    /// `worldDualQuat` of `getDualQuaternion`.
    fn world_dual_quat(&self, frames: &Frames, bone_index: usize) -> Mat2x4 {
        let bone_in_texture_index = bone_index * 2;
        let [quat_center, bounds] = self.center_and_bounds(bone_index);
        let fetch = |frame: usize, k: usize| {
            let row = bone_in_texture_index + k;
            self.animation_texture_sampler.texel_fetch(frame, row) * 2.0 - 1.0
        };
        let mix =
            |k: usize| fetch(frames.start, k).lerp(fetch(frames.end, k), frames.interpolation);
        let (real, dual) = (mix(0), mix(1));
        [real, dual * bounds + quat_center]
    }

    fn get_dual_quaternion(&self, frames: &Frames, bone_index: usize) -> Mat2x4 {
        let world_dual_quat = self.world_dual_quat(frames, bone_index);
        dual_quaternion_multiply(world_dual_quat, self.link_quaternions[bone_index])
    }

    fn get_deformation_dual_quaternion(&self, frames: &Frames, vertex: usize) -> Mat2x4 {
        let (bones, weights) = (
            self.attributes.bone_indices[vertex],
            self.attributes.bone_weights[vertex],
        );
        let mut deformation = [DVec4::ZERO; 2];
        for (bone, weight) in bones.into_iter().zip(weights) {
            let dual_quat = self.get_dual_quaternion(frames, bone);
            deformation = [0, 1].map(|k| deformation[k] + dual_quat[k] * weight);
        }
        // normalizeDQ
        let magnitude = deformation[0].length();
        deformation.map(|part| part / magnitude)
    }
}

impl Shader for DualQuaternionShader {
    fn vertices(&self) -> usize {
        self.attributes.position.len()
    }

    fn timing(&self) -> &Timing {
        &self.timing
    }

    fn main(&self, time: f64, vertex: usize) -> [DVec3; 2] {
        let frames = Frames::of(time, &self.timing);
        let dq = self.get_deformation_dual_quaternion(&frames, vertex);
        let pos = deform_dual_quat(dq, self.attributes.position[vertex]);
        let normal = rotate_quat(dq[0], self.attributes.normal_in[vertex]);
        [pos * self.unit, normal.normalize_or_zero()]
    }

    /// Errors to the first order. A byte is off by at most 2 / 255 of the range -1 to 1 (see
    /// `main.rs`), so the real part of a bone is off by `e = 4 / 255`, and the dual part by `2 / 255` of its bounds. A
    /// real part that is off by `e` turns by `2 e`: the vertex in the bone's space, and the bone's position, which is twice
    /// the dual part times the conjugate of the real part. Blending divides by the length of the sum of the real parts. The
    /// sum of the real parts is off by `e`, and a rotation turns by twice the angle of its quaternion.
    fn tolerance(&self, time: f64, vertex: usize) -> Tolerance {
        let frames = Frames::of(time, &self.timing);
        let (bones, weights) = (
            self.attributes.bone_indices[vertex],
            self.attributes.bone_weights[vertex],
        );
        let (mut sum, mut blended) = (0.0, DVec4::ZERO);
        let off_real = 4.0 / 255.0;
        for (bone, weight) in bones.into_iter().zip(weights) {
            let [_, bounds] = self.center_and_bounds(bone);
            let inverse_bind = self.link_quaternions[bone];
            let in_bone = deform_dual_quat(inverse_bind, self.attributes.position[vertex]).length();
            let position = 2.0 * self.world_dual_quat(&frames, bone)[1].length();
            let off_dual = 2.0 / 255.0 * bounds.length();
            sum += weight * (2.0 * off_real * (in_bone + position) + 2.0 * off_dual);
            let real = self.get_dual_quaternion(&frames, bone)[0];
            // As it is without cancellation.
            let sign = if real.dot(blended) < 0.0 { -1.0 } else { 1.0 };
            blended += real * (sign * weight);
        }
        Tolerance {
            metres: sum / blended.length() * self.unit,
            normal_angle: 2.0 * largest_angle(off_real / blended.length()),
        }
    }
}
