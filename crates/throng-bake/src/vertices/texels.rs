//! Eight vertices at a time into texels.

use glam::Vec3;
use half::f16;
use half::slice::HalfFloatSliceExt;
use throng_format::{Encoding, NormalCode, Precision, Range};
use throng_skin::fast::{BATCH, Lanes};

use crate::sampler::VertexBatch;

/// Four channels of each vertex of a batch.
type Texels = [f32; 4 * BATCH];

/// How offsets become the channels of a texel.
#[derive(Debug, Clone, Copy)]
pub(super) struct OffsetCode {
    precision: Precision,
    form: Form,
}

#[derive(Debug, Clone, Copy)]
enum Form {
    /// As they are.
    Raw,
    /// From 0 to 1 in a box: `offset * scale + bias`.
    Boxed { scale: Vec3, bias: Vec3 },
    /// Direction and length, after a division by the radii.
    Ray { inverse_radii: Vec3 },
}

impl OffsetCode {
    pub fn new(encoding: Encoding, precision: Precision, range: Option<&Range>) -> Self {
        let vector = |numbers: &[f64]| Vec3::from_array([0, 1, 2].map(|k| numbers[k] as f32));
        let form = match (encoding, range) {
            (_, None) => Form::Raw,
            (Encoding::VertexRay, Some(range)) => Form::Ray {
                inverse_radii: vector(&range.half_extent).recip(),
            },
            (_, Some(range)) => {
                let (center, half) = (vector(&range.center), vector(&range.half_extent));
                // A side of no length is all middle.
                let scale = half.map(|h| if h > 0.0 { 0.5 / h } else { 0.0 });
                Form::Boxed {
                    scale,
                    bias: Vec3::splat(0.5) - center * scale,
                }
            }
        };
        Self { precision, form }
    }

    /// Writes the offsets of a batch to their places in `out`.
    pub fn write(&self, batch: &VertexBatch<'_>, places: &[u32; BATCH], out: &mut [u8]) {
        let mut texels: Texels = [1.0; 4 * BATCH];
        let offset =
            |axis: usize, lane: usize| batch.positions[axis].0[lane] - batch.rest[axis].0[lane];
        match self.form {
            Form::Raw => {
                for axis in 0..3 {
                    for lane in 0..BATCH {
                        texels[4 * lane + axis] = offset(axis, lane);
                    }
                }
            }
            Form::Boxed { scale, bias } => {
                for axis in 0..3 {
                    for lane in 0..BATCH {
                        texels[4 * lane + axis] = offset(axis, lane) * scale[axis] + bias[axis];
                    }
                }
            }
            Form::Ray { inverse_radii } => {
                let signed = matches!(self.precision, Precision::F16 | Precision::F32);
                for lane in 0..BATCH {
                    let offset = Vec3::from_array([0, 1, 2].map(|axis| offset(axis, lane)));
                    let ray = offset * inverse_radii;
                    let length = ray.length();
                    let direction = ray.try_normalize().unwrap_or(Vec3::X);
                    let direction = if signed {
                        direction
                    } else {
                        0.5 * direction + 0.5
                    };
                    texels[4 * lane..][..4].copy_from_slice(&direction.extend(length).to_array());
                }
            }
        }
        write_texels(self.precision, &texels, places, out);
    }
}

/// Writes four channels of each vertex: from 0 to 1, or as they are in floats.
fn write_texels(precision: Precision, texels: &Texels, places: &[u32; BATCH], out: &mut [u8]) {
    // Loops over arrays: each becomes a few vector instructions.
    match precision {
        Precision::Unorm8 => {
            let mut bytes = [0; 4 * BATCH];
            for (byte, &x) in bytes.iter_mut().zip(texels) {
                *byte = level(x, 255.0) as u8;
            }
            scatter::<4>(&bytes, places, out);
        }
        Precision::Unorm16 => {
            let mut bytes = [[0; 2]; 4 * BATCH];
            for (bytes, &x) in bytes.iter_mut().zip(texels) {
                *bytes = (level(x, 65535.0) as u16).to_le_bytes();
            }
            scatter::<8>(bytes.as_flattened(), places, out);
        }
        Precision::F16 => {
            let mut halves = [f16::ZERO; 4 * BATCH];
            halves.convert_from_f32_slice(texels);
            let mut bytes = [[0; 2]; 4 * BATCH];
            for (bytes, half) in bytes.iter_mut().zip(halves) {
                *bytes = half.to_le_bytes();
            }
            scatter::<8>(bytes.as_flattened(), places, out);
        }
        Precision::F32 | Precision::Packed => {
            let mut bytes = [[0; 4]; 4 * BATCH];
            for (bytes, &x) in bytes.iter_mut().zip(texels) {
                *bytes = x.to_le_bytes();
            }
            scatter::<16>(bytes.as_flattened(), places, out);
        }
    }
}

/// Texels of `N` bytes to their places.
#[inline]
fn scatter<const N: usize>(texels: &[u8], places: &[u32; BATCH], out: &mut [u8]) {
    let (texels, _) = texels.as_chunks::<N>();
    let (out, _) = out.as_chunks_mut::<N>();
    for (texel, &place) in texels.iter().zip(places) {
        out[place as usize] = *texel;
    }
}

/// The nearest of so many levels from 0 to 1. A float of this size has no bits left for fractions, so
/// adding it rounds; unlike a cast, whole batches do it at once.
#[inline]
fn level(x: f32, last: f32) -> u32 {
    const WHOLE: f32 = 8_388_608.0; // 2^23
    let above = if x > 0.0 { x } else { 0.0 };
    let inside = if above < 1.0 { above } else { 1.0 };
    (inside * last + WHOLE).to_bits() - WHOLE.to_bits()
}

/// Writes the normals of a batch.
pub(super) fn write_normals(
    code: NormalCode,
    precision: Precision,
    batch: &VertexBatch<'_>,
    places: &[u32; BATCH],
    out: &mut [u8],
) {
    match code {
        NormalCode::Octahedral => {
            let [u, v] = octahedra(batch.normals);
            let mut texels = [[0; 4]; BATCH];
            for (texel, (u, v)) in texels.iter_mut().zip(u.iter().zip(&v)) {
                let [low, high] = [u, v].map(|x| level(0.5 * x + 0.5, 65535.0));
                *texel = (low | high << 16).to_le_bytes();
            }
            scatter::<4>(texels.as_flattened(), places, out);
        }
        NormalCode::Xyz => {
            let signed = matches!(precision, Precision::F16 | Precision::F32);
            let mut texels: Texels = [1.0; 4 * BATCH];
            for axis in 0..3 {
                for lane in 0..BATCH {
                    let x = batch.normals[axis].0[lane];
                    texels[4 * lane + axis] = if signed { x } else { 0.5 * x + 0.5 };
                }
            }
            write_texels(precision, &texels, places, out);
        }
    }
}

/// The octahedron unfolded, as `throng_format::decode::octahedron_from_vector` does it.
#[inline]
fn octahedra([x, y, z]: &[Lanes; 3]) -> [[f32; BATCH]; 2] {
    let (mut us, mut vs) = ([0.0; BATCH], [0.0; BATCH]);
    for lane in 0..BATCH {
        let (x, y, z) = (x.0[lane], y.0[lane], z.0[lane]);
        let inverse = 1.0 / (x.abs() + y.abs() + z.abs() + f32::MIN_POSITIVE);
        let (u, v) = (x * inverse, y * inverse);
        let (folded_u, folded_v) = ((1.0 - v.abs()).copysign(u), (1.0 - u.abs()).copysign(v));
        us[lane] = if z >= 0.0 { u } else { folded_u };
        vs[lane] = if z >= 0.0 { v } else { folded_v };
    }
    [us, vs]
}
