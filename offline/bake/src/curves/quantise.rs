//! Keys rounded to integers, and their values.

use glam::{DVec3, DVec4};
use throng_format::curves::{CurveHeader, MAX_KEY_BITS, MAX_WIDTH, step_size};

use super::origins::Origins;

/// Keys as integers.
#[derive(Debug, Default, Clone)]
pub struct Quantised {
    /// Full keys and residuals as stored.
    pub keys: Vec<[i32; 3]>,
    /// Header with the widths of the keys.
    pub header: CurveHeader,
}

/// Rounds keys to multiples of the header's step; sets widths. Returns the bits of the curve.
pub fn quantise_keys(keys: &[DVec3], header: CurveHeader, out: &mut Quantised) -> Option<usize> {
    let scale = 1.0 / f64::from(step_size(header.step));
    let count = keys.len();
    out.keys.clear();
    out.keys.resize(count, [0; 3]);
    let mut most = [[0i32; 2]; 3];
    let mut round = |key: usize, out: &mut Quantised| {
        for (component, exact) in (keys[key] * scale).to_array().into_iter().enumerate() {
            let rounded = nearest_integer(exact);
            out.keys[key][component] = rounded;
            let [min, max] = &mut most[component];
            (*min, *max) = ((*min).min(rounded), (*max).max(rounded));
        }
    };
    for key in (0..count).step_by(2) {
        round(key, out);
    }
    if count.is_multiple_of(2) {
        round(count - 1, out);
    }
    let mut residual = [[0i32; 2]; 3];
    for key in (1..count.saturating_sub(1)).step_by(2) {
        let [before, after] = [out.keys[key - 1], out.keys[key + 1]];
        let exact = keys[key] * scale;
        for component in 0..3 {
            let middle = 0.5 * (f64::from(before[component]) + f64::from(after[component]));
            let rounded = nearest_integer(exact[component] - middle);
            out.keys[key][component] = rounded;
            let [min, max] = &mut residual[component];
            (*min, *max) = ((*min).min(rounded), (*max).max(rounded));
        }
    }
    let width = |[min, max]: [i32; 2]| width_of(min).max(width_of(max));
    out.header = CurveHeader {
        widths: most.map(width),
        residual_widths: residual.map(width),
        ..header
    };
    let fits = |widths: [u32; 3]| {
        widths.iter().all(|&w| w <= MAX_WIDTH) && widths.iter().sum::<u32>() <= MAX_KEY_BITS
    };
    let fits = fits(out.header.widths) && fits(out.header.residual_widths);
    fits.then(|| out.header.bits() as usize)
}

/// Rounds to the nearest integer, half away from zero. Numbers beyond 2^26 take too many bits and are clamped.
#[inline]
fn nearest_integer(x: f64) -> i32 {
    const LARGE: f64 = (1u32 << 26) as f64;
    (x.clamp(-LARGE, LARGE) + 0.5f64.copysign(x)) as i32
}

/// Computes the values of quantised keys, relative to the reference.
pub fn decode_keys(origins: &Origins, quantised: &Quantised, out: &mut Vec<DVec4>) {
    let size = f64::from(step_size(quantised.header.step));
    let kind = origins.kind();
    let keys = &quantised.keys;
    let units = |key: usize| DVec3::from_array(keys[key].map(f64::from));
    let decoded = |key: usize| {
        let in_units = if quantised.header.place(key as u32).is_residual {
            0.5 * (units(key - 1) + units(key + 1)) + units(key)
        } else {
            units(key)
        };
        kind.value(in_units * size)
    };
    out.clear();
    out.extend((0..keys.len()).map(decoded));
    if !quantised.header.has_reference {
        origins.values_from_constant(out);
    }
}

/// Bits of a number between `-2^(w-1)` and `2^(w-1) - 1`.
fn width_of(k: i32) -> u32 {
    match k {
        0 => 0,
        k if k > 0 => 33 - k.leading_zeros(),
        k => 33 - (!k).leading_zeros(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_is_the_fewest_bits_of_a_number() {
        let cases = [
            (0, 0),
            (1, 2),
            (-1, 1),
            (-2, 2),
            (3, 3),
            (-4, 3),
            (-5, 4),
            (127, 8),
            (-128, 8),
        ];
        for (k, width) in cases {
            assert_eq!(width_of(k), width, "{k}");
        }
    }
}
