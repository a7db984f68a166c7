//! Buffer views packed by meshoptimizer (`EXT_meshopt_compression`, `KHR_meshopt_compression`).

use meshopt::{
    decode_filter_color, decode_filter_exp, decode_filter_oct, decode_filter_quat,
    decode_index_buffer, decode_index_sequence, decode_vertex_buffer,
};

use super::schema::Meshopt;
use crate::error::{Fault, Outcome};

/// Unpacks `count * byte_stride` bytes. The decoders take any input; sizes are checked here.
pub(super) fn unpack(packed: &Meshopt, source: &[u8], name: &str) -> Outcome<Vec<u8>> {
    let fault = |problem: String| Fault::data(format!("{name}, meshopt"), problem);
    let count = packed.count as usize;
    let stride = packed.byte_stride as usize;
    let broken = |_| fault("the packed bytes are damaged".into());
    let bytes = match packed.mode.as_str() {
        "ATTRIBUTES" => {
            if stride == 0 || stride > 256 || !stride.is_multiple_of(4) {
                return Err(fault(format!("a stride of {stride} bytes")));
            }
            unpack_vertices(source, count, stride).map_err(broken)?
        }
        "TRIANGLES" if !count.is_multiple_of(3) => {
            return Err(fault(format!("{count} indices are no triangles")));
        }
        "TRIANGLES" => match stride {
            2 => to_bytes(
                &decode_index_buffer(source, count).map_err(broken)?,
                u16::to_le_bytes,
            ),
            4 => to_bytes(
                &decode_index_buffer(source, count).map_err(broken)?,
                u32::to_le_bytes,
            ),
            _ => return Err(fault(format!("indices of {stride} bytes"))),
        },
        "INDICES" => match stride {
            2 => to_bytes(
                &decode_index_sequence(source, count).map_err(broken)?,
                u16::to_le_bytes,
            ),
            4 => to_bytes(
                &decode_index_sequence(source, count).map_err(broken)?,
                u32::to_le_bytes,
            ),
            _ => return Err(fault(format!("indices of {stride} bytes"))),
        },
        other => return Err(fault(format!("mode '{other}' is not known"))),
    };
    filter(packed, bytes).ok_or_else(|| {
        fault(format!(
            "filter '{}' on elements of {stride} bytes",
            packed.filter.as_deref().unwrap_or_default()
        ))
    })
}

/// An element of `N` bytes: the decoder wants its stride as a type.
#[derive(Clone)]
struct Element<const N: usize>([u8; N]);

impl<const N: usize> Default for Element<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

fn unpack_vertices(source: &[u8], count: usize, stride: usize) -> meshopt::Result<Vec<u8>> {
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

fn filter(packed: &Meshopt, bytes: Vec<u8>) -> Option<Vec<u8>> {
    match (
        packed.filter.as_deref().unwrap_or("NONE"),
        packed.byte_stride,
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

/// Runs a filter over groups of `G` components of `S` bytes.
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
