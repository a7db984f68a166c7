//! Bounds the distance and the scale of joints, so that every pose of an imported character is finite.
//! Stacked large scales can overflow a pose even if every number in the file is finite.

use glam::{DAffine3, DVec3, Vec3};
use throng_rig::{Clip, Interpolation, Skeleton, Skin, Track};

use crate::error::{Fault, Outcome};
use crate::limits::MAX_REACH;

/// Upper bounds over the rest pose and all clips.
#[derive(Debug, Clone, Copy)]
struct Reach {
    /// Distance from the origin of the space, in metres.
    distance: f64,
    scale: f64,
}

/// Checks that no joint can move farther or scale more than [`MAX_REACH`], in the rest pose or any clip.
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
                    "can move {:.0e} m from the origin and scale by {:.0e}",
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

/// Checks that inverse bind matrices are in the range of float32, which glTF stores them in. FBX stores float64.
pub(crate) fn check_skins(skins: &[Skin]) -> Outcome<()> {
    for (index, skin) in skins.iter().enumerate() {
        let fits = |m: &DAffine3| m.to_cols_array().iter().all(|x| (*x as f32).is_finite());
        if let Some(palette_index) = skin.joint_from_bind().iter().position(|m| !fits(m)) {
            return Err(Fault::data(
                format!("skin {index} '{}'", skin.name.escape_debug()),
                format_args!(
                    "the inverse bind matrix of palette index {palette_index} exceeds the range of float32"
                ),
            ));
        }
    }
    Ok(())
}

/// Returns an upper bound of `measure` over a track. A cubic spline may overshoot its keys: each tangent
/// adds at most 4/27 of its length.
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
    let overshoots = track.times().windows(2).enumerate().map(|(key, span)| {
        let tangents = sizes[3 * key + 2] + sizes[3 * key + 3];
        at_keys + 4.0 / 27.0 * (span[1] - span[0]) * tangents
    });
    overshoots.fold(at_keys, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bound_of_a_cubic_spline_is_tight() {
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
