//! How far joints can come. Every number of a file may be finite and a pose overflow all the same,
//! where large scales are stacked; what comes out of an import poses to finite numbers.

use glam::{DVec3, Vec3};
use throng_rig::{Clip, Interpolation, Skeleton, Track};

use crate::error::{Fault, Outcome};
use crate::limits::MAX_REACH;

/// The farthest that something goes and the most that it scales.
#[derive(Debug, Clone, Copy)]
struct Reach {
    distance: f64,
    scale: f64,
}

/// Refuses joints that could come farther or scale more than [`MAX_REACH`], at rest or in any clip.
pub(crate) fn check(skeleton: &Skeleton, clips: &[Clip]) -> Outcome<()> {
    let joints = skeleton.joints();
    let mut local: Vec<Reach> = joints
        .iter()
        .map(|joint| Reach {
            distance: joint.parent_from_joint.translation.length(),
            scale: joint.parent_from_joint.scale.abs().max_element(),
        })
        .collect();
    for tracks in clips.iter().flat_map(Clip::joints) {
        let Reach { distance, scale } = &mut local[tracks.joint];
        if let Some(track) = &tracks.translation {
            *distance = distance.max(bound(track, DVec3::length));
        }
        if let Some(track) = &tracks.scale {
            *scale = scale.max(bound(track, |v| v.abs().max_element()));
        }
    }
    let mut model: Vec<Reach> = Vec::with_capacity(joints.len());
    for (index, joint) in joints.iter().enumerate() {
        let above = joint.parent.map_or(
            Reach {
                distance: 0.0,
                scale: 1.0,
            },
            |parent| model[parent],
        );
        let reach = Reach {
            distance: above.distance + above.scale * local[index].distance,
            scale: above.scale * local[index].scale,
        };
        if !(reach.distance <= MAX_REACH && reach.scale <= MAX_REACH) {
            return Err(Fault::limit(
                format!("joint {index} '{}'", joint.name.escape_debug()),
                format_args!(
                    "can come {:.0e} m far and scale by {:.0e}",
                    reach.distance, reach.scale
                ),
                "MAX_REACH",
                format_args!("{MAX_REACH:e}"),
            ));
        }
        model.push(reach);
    }
    Ok(())
}

/// The largest that a track gets, by a measure of its values. Splines may go past their keys: each
/// tangent adds at most 4/27 of its length.
fn bound(track: &Track<Vec3>, measure: impl Fn(DVec3) -> f64) -> f64 {
    let sizes: Vec<f64> = track
        .values()
        .iter()
        .map(|v| measure(v.as_dvec3()))
        .collect();
    let largest = |sizes: &[f64]| sizes.iter().copied().fold(0.0, f64::max);
    if track.interpolation() != Interpolation::CubicSpline {
        return largest(&sizes);
    }
    let at_keys = sizes.iter().skip(1).step_by(3).copied().fold(0.0, f64::max);
    let past_keys = track.times().windows(2).enumerate().map(|(key, span)| {
        let tangents = sizes[3 * key + 2] + sizes[3 * key + 3];
        at_keys + 4.0 / 27.0 * (span[1] - span[0]) * tangents
    });
    past_keys.fold(at_keys, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splines_stay_within_their_bound_and_come_near_it() {
        let values = [[0.0, 1.0, 9.0], [-9.0, 1.0, 0.0]].concat();
        let values = values.iter().map(|&y| Vec3::new(0.0, y, 0.0)).collect();
        let track = Track::new([0.0, 2.0].into(), values, Interpolation::CubicSpline).unwrap();
        let bound = bound(&track, DVec3::length);
        let samples = (0..=100).map(|i| track.sample(f64::from(i) / 50.0).length());
        let highest = samples.fold(0.0, f64::max);
        assert!(
            highest <= bound && bound < 1.25 * highest,
            "{highest} {bound}"
        );
    }
}
