//! Check before any time counts: every contestant draws the vertices of the float64 reference.

use throng_rig::{Character, CharacterPose, Skinning};
use throng_skin::reference::{Skinned, skin_part};
use throng_wgpu::{Crowd, Gpu, Instance, Play, Technique, Ticks};

use crate::BenchError;
use crate::entrant::{Content, EntrantSpec, Made};
use crate::record::{Entrant, Status};

/// Tolerance of float32, as a part of the size: 0.18 mm at 1.8 m. Added to the error of a texture set.
const FLOAT_TOLERANCE: f64 = 1e-4;

/// Times of the clip that are compared, as parts of its duration.
const TIMES: [f64; 3] = [0.0, 0.31, 0.77];

/// Captures vertices of a contestant and compares them with float64 skinning by the same method at the same time; those of
/// the control with the rest pose. Sets the error and the status of the entrant.
///
/// Steps that are switched off change the picture on purpose, so that such contestants are not compared.
pub fn check_picture(
    gpu: &Gpu,
    size_m: f64,
    spec: &EntrantSpec,
    made: &mut Made,
    entrant: &mut Entrant,
) -> Result<(), BenchError> {
    if spec.settings.switches != Default::default() {
        return Ok(());
    }
    let character = &made.source;
    let is_control = matches!(spec.content, Content::Played(Technique::Control));
    let mut error_m = 0.0_f64;
    for (clip, part) in character
        .clips()
        .iter()
        .enumerate()
        .take(2)
        .flat_map(|(clip, _)| TIMES.into_iter().map(move |part| (clip, part)))
    {
        let clip_secs = part * character.clips()[clip].duration_secs();
        let captured = capture(gpu, &mut made.crowd, made.clips[clip], clip_secs)?;
        let reference = match is_control {
            true => reference(character, made.skinning, None),
            false => reference(character, made.skinning, Some((clip, clip_secs))),
        };
        error_m = error_m.max(largest_distance(&captured, &reference));
    }
    let tolerance_mm = 1e3 * FLOAT_TOLERANCE * size_m + 1.01 * entrant.max_error_mm.unwrap_or(0.0);
    let error_mm = 1e3 * error_m;
    entrant.picture_error_mm = Some(error_mm);
    // Not a number is wrong, too.
    let is_within = error_mm <= tolerance_mm;
    if !is_within {
        entrant.status = Status::WrongPicture {
            reason: format!(
                "a vertex is {error_mm:.3} mm from the reference, more than {tolerance_mm:.3} mm"
            ),
        };
    }
    Ok(())
}

fn capture(
    gpu: &Gpu,
    crowd: &mut Crowd,
    clip: u32,
    clip_secs: f64,
) -> Result<Vec<glam::Vec3>, BenchError> {
    crowd.set_instances(&[Instance {
        play: Play::held(clip, clip_secs as f32),
        ..Instance::default()
    }])?;
    let captured = gpu.checked(|| crowd.capture(Ticks(0))?.wait())??;
    let first = captured.into_iter().next();
    Ok(first.map(|instance| instance.positions).unwrap_or_default())
}

/// Positions of all parts at a time of a clip, or in the rest pose.
fn reference(
    character: &Character,
    skinning: Skinning,
    time: Option<(usize, f64)>,
) -> Vec<glam::DVec3> {
    let mut pose = CharacterPose::rest(character);
    if let Some((clip, clip_secs)) = time {
        let clip = &character.clips()[clip];
        pose.sample(
            character,
            clip,
            clip.start_secs() + f64::from(clip_secs as f32),
        );
    }
    let mut skinned = Skinned::default();
    let mut positions = Vec::new();
    for part in character.parts() {
        skin_part(character, part, &pose, skinning, &mut skinned);
        positions.extend_from_slice(&skinned.positions);
    }
    positions
}

/// Largest distance; NaN if the numbers of vertices differ.
fn largest_distance(captured: &[glam::Vec3], reference: &[glam::DVec3]) -> f64 {
    if captured.len() != reference.len() {
        return f64::NAN;
    }
    let distances = captured
        .iter()
        .zip(reference)
        .map(|(a, b)| a.as_dvec3().distance(*b));
    // `f64::max` would drop what is not a number.
    distances.fold(0.0_f64, |most, distance| {
        match distance <= most || most.is_nan() {
            true => most,
            false => distance,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, Vec3};

    #[test]
    fn distances_that_are_not_numbers_are_not_dropped() {
        let reference = [DVec3::ZERO, DVec3::ONE, DVec3::ZERO];
        let captured = [Vec3::X, Vec3::ONE, Vec3::ZERO];
        assert_eq!(largest_distance(&captured, &reference), 1.0);
        assert!(largest_distance(&captured[..2], &reference).is_nan());
        let broken = [Vec3::ZERO, Vec3::NAN, Vec3::ZERO];
        assert!(largest_distance(&broken, &reference).is_nan());
    }
}
