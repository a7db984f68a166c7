//! Encodes eight vertices at a time into texels.

use glam::Vec3;
use throng_format::{Encoding, NormalCode, Precision, Range};
use throng_simd::{F32x8, Lanes};
use throng_skin::fast::BATCH;

use crate::sampler::{VertexBatch, vector};

/// Encoding of vertices. The writing functions are inlined into [`throng_simd::Task`]s.
#[derive(Debug, Clone, Copy)]
pub(super) struct VertexCode {
    pub offsets: OffsetCode,
    pub normals: NormalCode,
    pub precision: Precision,
}

impl VertexCode {
    /// Writes the offsets of a batch to their texels of a frame.
    #[inline(always)]
    pub fn write_offsets<V: F32x8>(
        &self,
        batch: &VertexBatch<'_>,
        indices: &[u32; BATCH],
        out: &mut [u8],
    ) {
        let channels = self.offsets.channels::<V>(batch);
        write_texels(self.precision, channels, indices, out);
    }

    /// Writes the normals of a batch to their texels of a frame.
    #[inline(always)]
    pub fn write_normals<V: F32x8>(
        &self,
        batch: &VertexBatch<'_>,
        indices: &[u32; BATCH],
        out: &mut [u8],
    ) {
        let [x, y, z] = batch.normals;
        let [x, y, z] = [V::load(x), V::load(y), V::load(z)];
        match (self.normals, is_float(self.precision)) {
            (NormalCode::Octahedral, _) => {
                let [u, v] = octahedra([x, y, z]);
                let levels = [
                    level(from_signed(u), 65535.0),
                    level(from_signed(v), 65535.0),
                ];
                scatter(V::low_16_bits(levels).map(u32::to_le_bytes), indices, out);
            }
            (NormalCode::Xyz, true) => {
                write_texels(self.precision, [x, y, z, V::splat(1.0)], indices, out);
            }
            (NormalCode::Xyz, false) => {
                let [x, y, z] = [from_signed(x), from_signed(y), from_signed(z)];
                write_texels(self.precision, [x, y, z, V::splat(1.0)], indices, out);
            }
        }
    }
}

/// Encoding of offsets into the channels of a texel.
#[derive(Debug, Clone, Copy)]
pub(super) enum OffsetCode {
    /// Unchanged.
    Raw,
    /// From 0 to 1 in a range: `offset * scale + bias`.
    Boxed { scale: Vec3, bias: Vec3 },
    /// Direction and length, after division by the radii.
    Ray { inverse_radii: Vec3, signed: bool },
}

impl OffsetCode {
    pub fn new(encoding: Encoding, precision: Precision, range: Option<&Range>) -> Self {
        let vector = |numbers: &[f64]| Vec3::from_array([0, 1, 2].map(|k| numbers[k] as f32));
        match (encoding, range) {
            (_, None) => Self::Raw,
            (Encoding::VertexRay, Some(range)) => Self::Ray {
                inverse_radii: vector(&range.half_extent).recip(),
                signed: is_float(precision),
            },
            (_, Some(range)) => {
                let (center, half) = (vector(&range.center), vector(&range.half_extent));
                // In a range without extent every value is the centre.
                let scale = half.map(|h| if h > 0.0 { 0.5 / h } else { 0.0 });
                Self::Boxed {
                    scale,
                    bias: Vec3::splat(0.5) - center * scale,
                }
            }
        }
    }

    /// Returns four numbers per vertex: from 0 to 1 for unorm texels, unchanged for floats.
    #[inline(always)]
    fn channels<V: F32x8>(&self, batch: &VertexBatch<'_>) -> [V; 4] {
        let [x, y, z] = [batch.offset::<V>(0), batch.offset(1), batch.offset(2)];
        match *self {
            Self::Raw => [x, y, z, V::splat(1.0)],
            Self::Boxed { scale, bias } => [
                x * V::splat(scale.x) + V::splat(bias.x),
                y * V::splat(scale.y) + V::splat(bias.y),
                z * V::splat(scale.z) + V::splat(bias.z),
                V::splat(1.0),
            ],
            Self::Ray {
                inverse_radii,
                signed,
            } => rays([x, y, z], inverse_radii, signed),
        }
    }
}

fn is_float(precision: Precision) -> bool {
    matches!(precision, Precision::F16 | Precision::F32)
}

/// Returns directions, and lengths in the last channel.
#[inline(always)]
fn rays<V: F32x8>(offsets: [V; 3], inverse_radii: Vec3, signed: bool) -> [V; 4] {
    let mut axes = [Lanes::ZERO; 3];
    for (offset, axis) in offsets.into_iter().zip(&mut axes) {
        offset.store(axis);
    }
    let mut channels = [Lanes::ZERO; 4];
    for lane in 0..BATCH {
        let ray = vector(&axes, lane) * inverse_radii;
        let length = ray.length();
        let direction = ray.try_normalize().unwrap_or(Vec3::X);
        let direction = if signed {
            direction
        } else {
            0.5 * direction + 0.5
        };
        let numbers = direction.extend(length).to_array();
        for (channel, number) in channels.iter_mut().zip(numbers) {
            channel.0[lane] = number;
        }
    }
    let [x, y, z, length] = &channels;
    [V::load(x), V::load(y), V::load(z), V::load(length)]
}

/// Writes four channels of each vertex to its texel.
#[inline(always)]
fn write_texels<V: F32x8>(
    precision: Precision,
    channels: [V; 4],
    indices: &[u32; BATCH],
    out: &mut [u8],
) {
    let [x, y, z, w] = channels;
    match precision {
        Precision::Unorm8 => {
            let last = 255.0;
            let levels = [
                level(x, last),
                level(y, last),
                level(z, last),
                level(w, last),
            ];
            scatter(V::low_8_bits(levels).map(u32::to_le_bytes), indices, out);
        }
        Precision::Unorm16 => {
            let last = 65535.0;
            let levels = [
                level(x, last),
                level(y, last),
                level(z, last),
                level(w, last),
            ];
            scatter(
                V::low_16_bits_of_four(levels).map(u64::to_le_bytes),
                indices,
                out,
            );
        }
        Precision::F16 => {
            scatter(V::to_f16_bits(channels).map(u64::to_le_bytes), indices, out);
        }
        Precision::F32 => {
            let mut texels = [[0; 16]; BATCH];
            for (index, channel) in channels.into_iter().enumerate() {
                let mut numbers = Lanes::ZERO;
                channel.store(&mut numbers);
                for (texel, number) in texels.iter_mut().zip(numbers.0) {
                    texel[4 * index..][..4].copy_from_slice(&number.to_le_bytes());
                }
            }
            scatter(texels, indices, out);
        }
    }
}

/// Copies texels to their indices.
#[inline(always)]
fn scatter<const N: usize>(texels: [[u8; N]; BATCH], indices: &[u32; BATCH], out: &mut [u8]) {
    let (out, _) = out.as_chunks_mut::<N>();
    for (texel, &index) in texels.iter().zip(indices) {
        out[index as usize] = *texel;
    }
}

/// Returns the nearest level of a number from 0 to 1, in the last bits. A float of this magnitude has no bits for
/// fractions, so adding it rounds.
#[inline(always)]
fn level<V: F32x8>(x: V, last: f32) -> V {
    const WHOLE: f32 = 8_388_608.0; // 2^23
    let inside = x.max(V::splat(0.0)).min(V::splat(1.0));
    inside * V::splat(last) + V::splat(WHOLE)
}

/// Maps -1..=1 to 0..=1.
#[inline(always)]
fn from_signed<V: F32x8>(x: V) -> V {
    V::splat(0.5) * x + V::splat(0.5)
}

/// Unfolds an octahedron, as `throng_format::decode::octahedron_from_vector` does.
#[inline(always)]
fn octahedra<V: F32x8>([x, y, z]: [V; 3]) -> [V; 2] {
    let one = V::splat(1.0);
    let inverse = one / (x.abs() + y.abs() + z.abs() + V::splat(f32::MIN_POSITIVE));
    let (u, v) = (x * inverse, y * inverse);
    let (folded_u, folded_v) = ((one - v.abs()).copysign(u), (one - u.abs()).copysign(v));
    [
        z.select_non_negative(u, folded_u),
        z.select_non_negative(v, folded_v),
    ]
}
