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

    /// Writes the offsets of a batch; `texel_of` says where each item is in `out`.
    pub fn write(&self, batch: &VertexBatch<'_>, texel_of: &[u32], out: &mut [u8]) {
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
        let places = batch
            .position_items
            .map(|item| texel_of[item as usize] as usize);
        write_texels(self.precision, &texels, &places, out);
    }
}

/// Writes four channels of each vertex: from 0 to 1, or as they are in floats.
fn write_texels(precision: Precision, texels: &Texels, places: &[usize; BATCH], out: &mut [u8]) {
    match precision {
        Precision::Unorm8 => {
            let levels = texels.map(|x| (x.clamp(0.0, 1.0) * 255.0 + 0.5) as i32 as u8);
            scatter::<4>(&levels, places, out);
        }
        Precision::Unorm16 => {
            let levels = texels.map(unorm16).map(u16::to_le_bytes);
            scatter::<8>(levels.as_flattened(), places, out);
        }
        Precision::F16 => {
            let mut halves = [f16::ZERO; 4 * BATCH];
            halves.convert_from_f32_slice(texels);
            scatter::<8>(halves.map(f16::to_le_bytes).as_flattened(), places, out);
        }
        Precision::F32 | Precision::Packed => {
            scatter::<16>(texels.map(f32::to_le_bytes).as_flattened(), places, out);
        }
    }
}

/// Texels of `N` bytes to their places.
fn scatter<const N: usize>(texels: &[u8], places: &[usize; BATCH], out: &mut [u8]) {
    let (texels, _) = texels.as_chunks::<N>();
    let (out, _) = out.as_chunks_mut::<N>();
    for (texel, &place) in texels.iter().zip(places) {
        out[place] = *texel;
    }
}

fn unorm16(x: f32) -> u16 {
    (x.clamp(0.0, 1.0) * 65535.0 + 0.5) as i32 as u16
}

/// Writes the normals of a batch.
pub(super) fn write_normals(
    code: NormalCode,
    precision: Precision,
    batch: &VertexBatch<'_>,
    texel_of: &[u32],
    out: &mut [u8],
) {
    let places = batch
        .normal_items
        .map(|item| texel_of[item as usize] as usize);
    match code {
        NormalCode::Octahedral => {
            let [u, v] = octahedra(batch.normals);
            let mut texels = [[0; 4]; BATCH];
            for lane in 0..BATCH {
                let [a, b] = [u[lane], v[lane]].map(|x| unorm16(0.5 * x + 0.5).to_le_bytes());
                texels[lane] = [a[0], a[1], b[0], b[1]];
            }
            scatter::<4>(texels.as_flattened(), &places, out);
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
            write_texels(precision, &texels, &places, out);
        }
    }
}

/// The octahedron unfolded, as `throng_format::decode::octahedron_from_vector` does it.
fn octahedra([x, y, z]: &[Lanes; 3]) -> [[f32; BATCH]; 2] {
    let mut out = [[0.0; BATCH]; 2];
    for lane in 0..BATCH {
        let (x, y, z) = (x.0[lane], y.0[lane], z.0[lane]);
        let inverse = 1.0 / (x.abs() + y.abs() + z.abs()).max(f32::MIN_POSITIVE);
        let (u, v) = (x * inverse, y * inverse);
        let (folded_u, folded_v) = ((1.0 - v.abs()).copysign(u), (1.0 - u.abs()).copysign(v));
        out[0][lane] = if z >= 0.0 { u } else { folded_u };
        out[1][lane] = if z >= 0.0 { v } else { folded_v };
    }
    out
}
