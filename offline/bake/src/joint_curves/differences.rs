//! Errors of vertices over the samples of a segment, from the differences of decoded and exact transforms.

use glam::DAffine3;
use throng_simd::{F32x8, LANES, Lanes, Level, Task};

use super::local_rig::{Influence, LocalRig};

/// Numbers of a transform: three columns and the translation.
const NUMBERS: usize = 12;

/// Differences of transforms by bone, number and sample. They are computed in float64 and stored in float32, so that
/// errors are accurate to six digits.
#[derive(Debug, Clone)]
pub struct Differences {
    samples: usize,
    /// Vectors per number.
    stride: usize,
    lanes: Vec<Lanes>,
}

/// Largest error of a vertex in metres, and its sample.
#[derive(Debug, Clone, Copy)]
pub struct VertexError {
    /// In metres.
    pub size: f64,
    /// Index of the sample.
    pub sample: usize,
}

impl Differences {
    /// All transforms are exact.
    pub fn none(bones: usize, samples: usize) -> Self {
        let stride = samples.div_ceil(LANES);
        Self {
            samples,
            stride,
            lanes: vec![Lanes([0.0; LANES]); bones * NUMBERS * stride],
        }
    }

    /// Sets the differences of a bone at all samples.
    pub fn set(&mut self, bone: usize, exact: &[DAffine3], decoded: &[DAffine3]) {
        let size = NUMBERS * self.stride;
        let lanes = &mut self.lanes[bone * size..][..size];
        for (sample, (a, b)) in exact.iter().zip(decoded).enumerate() {
            let (vector, lane) = (sample / LANES, sample % LANES);
            let difference = [
                b.matrix3.x_axis - a.matrix3.x_axis,
                b.matrix3.y_axis - a.matrix3.y_axis,
                b.matrix3.z_axis - a.matrix3.z_axis,
                b.translation - a.translation,
            ];
            for (column, axis) in difference.iter().enumerate() {
                for (row, number) in axis.to_array().into_iter().enumerate() {
                    lanes[(3 * column + row) * self.stride + vector].0[lane] = number as f32;
                }
            }
        }
    }

    /// Returns the largest error of a vertex. `squares` is a buffer.
    pub fn of(&self, rig: &LocalRig, vertex: usize, squares: &mut Vec<Lanes>) -> VertexError {
        squares.clear();
        squares.resize(self.stride, Lanes([0.0; LANES]));
        Level::detect().run(Squares {
            influences: rig.vertices.of(vertex),
            differences: self,
            out: squares,
        });
        let mut worst = (0f32, 0);
        for (vector, lanes) in squares.iter().enumerate() {
            for (lane, &square) in lanes.0.iter().enumerate() {
                let sample = vector * LANES + lane;
                if square > worst.0 && sample < self.samples {
                    worst = (square, sample);
                }
            }
        }
        VertexError {
            size: f64::from(worst.0).sqrt(),
            sample: worst.1,
        }
    }
}

/// Squared errors of a vertex at all samples.
struct Squares<'a> {
    influences: &'a [Influence],
    differences: &'a Differences,
    out: &'a mut [Lanes],
}

impl Task for Squares<'_> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        let stride = self.differences.stride;
        let size = NUMBERS * stride;
        for (vector, out) in self.out.iter_mut().enumerate() {
            let mut error = [V::splat(0.0); 3];
            for influence in self.influences {
                let bone = &self.differences.lanes[influence.bone * size..][..size];
                let [x, y, z, w] = influence.weighted;
                let [x, y, z, w] = [V::splat(x), V::splat(y), V::splat(z), V::splat(w)];
                for (row, error) in error.iter_mut().enumerate() {
                    let number = |column: usize| (3 * column + row) * stride + vector;
                    let sum = V::load(&bone[number(0)]) * x
                        + V::load(&bone[number(1)]) * y
                        + V::load(&bone[number(2)]) * z
                        + V::load(&bone[number(3)]) * w;
                    *error = *error + sum;
                }
            }
            let square = error[0] * error[0] + error[1] * error[1] + error[2] * error[2];
            square.store(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};
    use throng_rig::CharacterPose;

    use super::*;

    #[test]
    fn errors_are_those_of_skinned_vertices() {
        let character = throng_import::builtin::builtin("humanoid:500").unwrap();
        let pose = CharacterPose::rest(&character);
        let rig = LocalRig::new(&character, &pose);
        let samples = 13;
        let exact: Vec<Vec<DAffine3>> = rig
            .bones
            .iter()
            .map(|&joint| vec![pose.model.model_from_joint[joint]; samples])
            .collect();
        let moved = |bone: usize, sample: usize| {
            let turn = DQuat::from_rotation_y(1e-4 * (bone * sample) as f64);
            exact[bone][sample] * DAffine3::from_rotation_translation(turn, DVec3::X * 1e-4)
        };
        let decoded: Vec<Vec<DAffine3>> = (0..exact.len())
            .map(|bone| (0..samples).map(|sample| moved(bone, sample)).collect())
            .collect();
        let mut differences = Differences::none(exact.len(), samples);
        for bone in 0..exact.len() {
            differences.set(bone, &exact[bone], &decoded[bone]);
        }
        let mut buffer = Vec::new();
        for vertex in (0..rig.vertices.len()).step_by(7) {
            let at = |transforms: &[Vec<DAffine3>], sample: usize| -> DVec3 {
                let influences = rig.vertices.of(vertex).iter();
                let point = |i: &Influence| {
                    i.weight * transforms[i.bone][sample].transform_point3(i.in_joint)
                };
                influences.map(point).sum()
            };
            let errors: Vec<f64> = (0..samples)
                .map(|sample| at(&exact, sample).distance(at(&decoded, sample)))
                .collect();
            let found = differences.of(&rig, vertex, &mut buffer);
            let most = errors.iter().copied().fold(0.0, f64::max);
            assert!((found.size - most).abs() <= 1e-5 * most, "{found:?} {most}");
            assert!(errors[found.sample] >= most * (1.0 - 1e-5));
        }
    }
}
