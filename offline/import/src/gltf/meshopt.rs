//! Buffer views compressed by meshoptimizer (`EXT_meshopt_compression`, `KHR_meshopt_compression`).

use meshopt::{
    decode_filter_color, decode_filter_exp, decode_filter_oct, decode_filter_quat,
    decode_index_buffer, decode_index_sequence, decode_vertex_buffer,
};

use super::schema::Meshopt;
use crate::error::{Fault, Outcome};

/// Decompresses `count * byte_stride` bytes. The decoders accept any input; sizes are checked here.
pub(super) fn decompress(compression: &Meshopt, source: &[u8], name: &str) -> Outcome<Vec<u8>> {
    let fault = |problem: String| Fault::data(format!("{name}, meshopt"), problem);
    let count = compression.count as usize;
    let stride = compression.byte_stride as usize;
    let corrupt = |_| fault("the compressed data is corrupt".into());
    let index_size = || {
        fault(format!(
            "unsupported index size of {stride} bytes; expected 2 or 4"
        ))
    };
    let bytes = match compression.mode.as_str() {
        "ATTRIBUTES" => {
            if stride == 0 || stride > 256 || !stride.is_multiple_of(4) {
                return Err(fault(format!(
                    "unsupported stride of {stride} bytes; expected a multiple of 4 up to 256"
                )));
            }
            decompress_vertices(source, count, stride).map_err(corrupt)?
        }
        "TRIANGLES" if !count.is_multiple_of(3) => {
            return Err(fault(format!(
                "{count} indices do not form triangles; expected a multiple of 3"
            )));
        }
        "TRIANGLES" => match stride {
            2 => to_bytes(
                &decode_index_buffer(source, count).map_err(corrupt)?,
                u16::to_le_bytes,
            ),
            4 => to_bytes(
                &decode_index_buffer(source, count).map_err(corrupt)?,
                u32::to_le_bytes,
            ),
            _ => return Err(index_size()),
        },
        "INDICES" => match stride {
            2 => to_bytes(
                &decode_index_sequence(source, count).map_err(corrupt)?,
                u16::to_le_bytes,
            ),
            4 => to_bytes(
                &decode_index_sequence(source, count).map_err(corrupt)?,
                u32::to_le_bytes,
            ),
            _ => return Err(index_size()),
        },
        other => {
            return Err(fault(format!(
                "unsupported mode '{other}'; expected ATTRIBUTES, TRIANGLES or INDICES"
            )));
        }
    };
    filter(compression, bytes).ok_or_else(|| {
        fault(format!(
            "unsupported filter '{}' for elements of {stride} bytes",
            compression.filter.as_deref().unwrap_or_default()
        ))
    })
}

/// An element of `N` bytes: the decoder takes the stride from the size of a type.
#[derive(Clone)]
struct Element<const N: usize>([u8; N]);

impl<const N: usize> Default for Element<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

fn decompress_vertices(source: &[u8], count: usize, stride: usize) -> meshopt::Result<Vec<u8>> {
    macro_rules! for_stride {
        ($($n:literal)*) => {
            match stride {
                $($n => decode_vertex_buffer::<Element<$n>>(source, count)
                    .map(|elements| elements.iter().flat_map(|e| e.0).collect()),)*
                _ => unreachable!("strides are multiples of 4 up to 256"),
            }
        };
    }
    for_stride!(
        4 8 12 16 20 24 28 32 36 40 44 48 52 56 60 64 68 72 76 80 84 88 92 96 100 104 108 112 116
        120 124 128 132 136 140 144 148 152 156 160 164 168 172 176 180 184 188 192 196 200 204 208
        212 216 220 224 228 232 236 240 244 248 252 256
    )
}

/// Applies the filter of a buffer view; `None` if it does not support the element size.
fn filter(compression: &Meshopt, bytes: Vec<u8>) -> Option<Vec<u8>> {
    match (
        compression.filter.as_deref().unwrap_or("NONE"),
        compression.byte_stride,
    ) {
        ("NONE", _) => Some(bytes),
        ("OCTAHEDRAL", 4) => Some(filtered::<1, 4, i8>(
            &bytes,
            i8::from_le_bytes,
            i8::to_le_bytes,
            decode_filter_oct,
        )),
        ("OCTAHEDRAL", 8) => Some(filtered::<2, 4, i16>(
            &bytes,
            i16::from_le_bytes,
            i16::to_le_bytes,
            decode_filter_oct,
        )),
        ("QUATERNION", 8) => Some(filtered::<2, 4, i16>(
            &bytes,
            i16::from_le_bytes,
            i16::to_le_bytes,
            decode_filter_quat,
        )),
        ("EXPONENTIAL", stride) if stride % 4 == 0 => Some(filtered::<4, 1, u32>(
            &bytes,
            u32::from_le_bytes,
            u32::to_le_bytes,
            decode_filter_exp,
        )),
        ("COLOR", 4) => Some(filtered::<1, 4, u8>(
            &bytes,
            u8::from_le_bytes,
            u8::to_le_bytes,
            decode_filter_color,
        )),
        ("COLOR", 8) => Some(filtered::<2, 4, u16>(
            &bytes,
            u16::from_le_bytes,
            u16::to_le_bytes,
            decode_filter_color,
        )),
        _ => None,
    }
}

/// Applies a filter to groups of `G` components of `S` bytes.
fn filtered<const S: usize, const G: usize, T: Copy + Default>(
    bytes: &[u8],
    from: impl Fn([u8; S]) -> T,
    to: impl Fn(T) -> [u8; S],
    run: impl Fn(&mut [[T; G]]),
) -> Vec<u8> {
    let component = |chunk: &[u8]| {
        let mut raw = [0; S];
        raw.copy_from_slice(chunk);
        from(raw)
    };
    let mut groups: Vec<[T; G]> = bytes
        .chunks_exact(S * G)
        .map(|group| std::array::from_fn(|i| component(&group[i * S..(i + 1) * S])))
        .collect();
    run(&mut groups);
    groups.iter().flatten().flat_map(|&c| to(c)).collect()
}

fn to_bytes<T: Copy, const S: usize>(values: &[T], to: impl Fn(T) -> [u8; S]) -> Vec<u8> {
    values.iter().flat_map(|&v| to(v)).collect()
}
