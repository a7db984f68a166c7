//! Values of compressed curves. Every function has a WGSL twin of the same name.

use glam::{Quat, Vec3, Vec4};
use throng_rig::quat_from_mrp_f32;

use super::header::{REFERENCE_WIDTH, reference_value};
use super::{CurveHeader, Words, step_size};

/// Weights of the keys of a span, for a uniform B-spline. `f` is the position in the span, from 0 to 1.
pub fn spline_weights(degree: u32, f: f32) -> [f32; 4] {
    let g = 1.0 - f;
    match degree {
        0 => [1.0, 0.0, 0.0, 0.0],
        1 => [g, f, 0.0, 0.0],
        2 => [0.5 * g * g, 0.5 + f * g, 0.5 * f * f, 0.0],
        _ => [
            g * g * g / 6.0,
            (4.0 - 3.0 * f * f * (1.0 + g)) / 6.0,
            (4.0 - 3.0 * g * g * (1.0 + f)) / 6.0,
            f * f * f / 6.0,
        ],
    }
}

/// Weight of the second of two unit quaternions whose normalised linear interpolation is the spherical one at `f`.
/// `cosine` is that of the angle between them, at least 0. Up to 60° the angle is exact within 2e-5 radians.
#[inline]
pub fn slerp_weight(cosine: f32, f: f32) -> f32 {
    let u = 1.0 - cosine;
    let h = f - 0.5;
    // A polynomial fitted to sin(f φ) / (sin(f φ) + sin((1 - f) φ)).
    let a = u * (-0.075_792_92 + 0.873_211_6 * u);
    let b = u * (0.674_833_7 + u * (0.090_398_28 + 0.093_756_52 * u));
    f + f * h * (f - 1.0) * (a * h * h + b)
}

/// Value of a curve of translation, scale or offsets, relative to its reference. `position` is the position in the
/// segment, from 0 to 1.
pub fn vector_curve(
    words: Words<'_>,
    first_key_word: u32,
    header: &CurveHeader,
    position: f32,
) -> Vec3 {
    let (span, f) = find_span(header, position);
    let weights = spline_weights(header.degree, f);
    let mut sum = Vec3::ZERO;
    for key in 0..=header.degree {
        sum += weights[key as usize] * read_key(words, first_key_word, header, span + key);
    }
    sum * step_size(header.step)
}

/// Value of a curve of rotation, relative to its reference. Keys are rotations. They are blended as quaternions, and the
/// sum is normalised; those of degree 1 are interpolated spherically.
pub fn rotation_curve(
    words: Words<'_>,
    first_key_word: u32,
    header: &CurveHeader,
    position: f32,
) -> Quat {
    let (span, f) = find_span(header, position);
    let mut weights = spline_weights(header.degree, f);
    let size = step_size(header.step);
    let key = |key: u32| {
        let mrp = size * read_key(words, first_key_word, header, span + key);
        Vec4::from(quat_from_mrp_f32(mrp))
    };
    let mut keys = [Vec4::ZERO; 4];
    for index in 0..=header.degree {
        keys[index as usize] = key(index);
    }
    if header.degree == 1 {
        let second = slerp_weight(keys[0].dot(keys[1]).clamp(0.0, 1.0), f);
        weights = [1.0 - second, second, 0.0, 0.0];
    }
    let mut sum = Vec4::ZERO;
    for (weight, key) in weights.into_iter().zip(keys) {
        sum += weight * key;
    }
    Quat::from_vec4(sum / sum.length())
}

/// Span of a position in the segment, and the position in the span, from 0 to 1.
fn find_span(header: &CurveHeader, position: f32) -> (u32, f32) {
    let along = position * header.spans as f32;
    let span = (along as u32).min(header.spans - 1);
    (span, along - span as f32)
}

/// Reads a key in units of the step, relative to the reference.
fn read_key(words: Words<'_>, first_key_word: u32, header: &CurveHeader, key: u32) -> Vec3 {
    let stored = |key: u32| {
        let place = header.place(key);
        let widths = if place.is_residual {
            header.residual_widths
        } else {
            header.widths
        };
        read_vector(words, first_key_word, place.bit, widths)
    };
    if !header.place(key).is_residual {
        return stored(key);
    }
    0.5 * (stored(key - 1) + stored(key + 1)) + stored(key)
}

/// Reads three integers of the given numbers of bits, each around the middle of its range.
fn read_vector(words: Words<'_>, first_word: u32, mut bit: u32, widths: [u32; 3]) -> Vec3 {
    let mut value = [0.0; 3];
    for (component, width) in value.iter_mut().zip(widths) {
        if width > 0 {
            let bits = words.bits(first_word, bit, width);
            *component = bits as f32 - (1u32 << (width - 1)) as f32;
        }
        bit += width;
    }
    Vec3::from_array(value)
}

/// Reads the reference of a curve that has one of its own.
pub fn read_reference(words: Words<'_>, first_key_word: u32, header: &CurveHeader) -> Vec3 {
    let component = |index: u32| {
        let bit = header.offset + index * REFERENCE_WIDTH;
        reference_value(words.bits(first_key_word, bit, REFERENCE_WIDTH))
    };
    Vec3::new(component(0), component(1), component(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_and_meet_at_knots() {
        for degree in 0..=3 {
            for step in 0..=10 {
                let f = step as f32 / 10.0;
                let sum: f32 = spline_weights(degree, f).iter().sum();
                assert!((sum - 1.0).abs() < 1e-6, "degree {degree} at {f}");
            }
            if degree > 0 {
                let (end, start) = (spline_weights(degree, 1.0), spline_weights(degree, 0.0));
                for key in 0..3 {
                    assert!((end[key + 1] - start[key]).abs() < 1e-6);
                }
                assert!(end[0].abs() < 1e-6);
            }
        }
    }

    #[test]
    fn cubic_weights_match_the_textbook_formula() {
        let f = 0.3f32;
        let expected = [
            (1.0 - f).powi(3) / 6.0,
            (3.0 * f.powi(3) - 6.0 * f * f + 4.0) / 6.0,
            (-3.0 * f.powi(3) + 3.0 * f * f + 3.0 * f + 1.0) / 6.0,
            f.powi(3) / 6.0,
        ];
        for (weight, expected) in spline_weights(3, f).iter().zip(expected) {
            assert!((weight - expected).abs() < 1e-6);
        }
    }

    #[test]
    fn slerp_weight_follows_the_arc() {
        for degrees in [0.0, 1.0, 10.0, 30.0, 45.0, 60.0f64] {
            let angle = degrees.to_radians();
            for step in 0..=20 {
                let f = f64::from(step) / 20.0;
                let weight = f64::from(slerp_weight(angle.cos() as f32, f as f32));
                let (x, y) = ((1.0 - weight) + weight * angle.cos(), weight * angle.sin());
                let error = y.atan2(x) - f * angle;
                assert!(error.abs() < 2e-5, "{degrees}° at {f}: {error:e}");
            }
        }
    }
}
