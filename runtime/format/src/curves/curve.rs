//! Values of compressed curves. Every function has a WGSL twin of the same name.

use glam::{Quat, Vec3, Vec4};
use throng_rig::quat_from_mrp_f32;

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

/// Value of a curve of translation, scale or offsets, relative to its reference. `position` is the position in the
/// segment, from 0 to 1.
pub fn vector_curve(
    words: Words<'_>,
    first_key_word: u32,
    header: &CurveHeader,
    position: f32,
) -> Vec3 {
    let (span, weights) = span_weights(header, position);
    let mut sum = Vec3::ZERO;
    for key in 0..=header.degree {
        sum += weights[key as usize] * read_key(words, first_key_word, header, span + key);
    }
    sum
}

/// Value of a curve of rotation, relative to its reference. Keys are rotations; they are blended as quaternions, and the
/// sum is normalised.
pub fn rotation_curve(
    words: Words<'_>,
    first_key_word: u32,
    header: &CurveHeader,
    position: f32,
) -> Quat {
    let (span, weights) = span_weights(header, position);
    let mut sum = Vec4::ZERO;
    for key in 0..=header.degree {
        let mrp = read_key(words, first_key_word, header, span + key);
        sum += weights[key as usize] * Vec4::from(quat_from_mrp_f32(mrp));
    }
    Quat::from_vec4(sum / sum.length())
}

/// Span of a position in the segment, and the weights of its keys.
fn span_weights(header: &CurveHeader, position: f32) -> (u32, [f32; 4]) {
    let along = position * header.spans as f32;
    let span = (along as u32).min(header.spans - 1);
    (span, spline_weights(header.degree, along - span as f32))
}

/// Reads a key, relative to the reference.
fn read_key(words: Words<'_>, first_key_word: u32, header: &CurveHeader, key: u32) -> Vec3 {
    let mut bit = header.offset + key * header.key_bits();
    let mut value = [0.0; 3];
    for (component, &width) in value.iter_mut().zip(&header.widths) {
        if width > 0 {
            let bits = words.bits(first_key_word, bit, width);
            *component = bits as f32 - (1u32 << (width - 1)) as f32;
        }
        bit += width;
    }
    Vec3::from_array(value) * step_size(header.step)
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
}
