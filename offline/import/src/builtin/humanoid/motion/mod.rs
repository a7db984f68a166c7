//! Clips of the humanoid: `idle`, `walk`, `run`, `wave` and `dance`, all looping in place.
//!
//! A motion is a function from a phase, 0 to 1, to a [`Posture`]; a clip holds its keys. Feet are positioned
//! and legs follow by inverse kinematics, so that feet do not slide on the ground, or on a treadmill belt.

mod dance;
mod gait;
mod posture;
mod standing;

use std::sync::Arc;

use glam::{Quat, Vec3};
use throng_rig::{Clip, Interpolation, JointTracks, Track};

use super::bones::{Bones, HIPS};
pub(super) use gait::{RUN, WALK};
use posture::Posture;

/// Keys per second of clips with slow feet. A power of two, so that every key time is exact in float32.
const STANDING_RATE_HZ: f64 = 32.0;
/// Keys per second of clips with fast feet.
const GAIT_RATE_HZ: f64 = 64.0;

/// Returns all clips, in index order.
pub(super) fn clips(bones: &Bones) -> Vec<Clip> {
    let gait = |name, gait: &gait::Gait| {
        let posture = |phase| gait.posture(bones, phase);
        clip(bones, name, gait.duration_secs, GAIT_RATE_HZ, posture)
    };
    let standing = |name, secs, posture: fn(&Bones, f64) -> Posture<'_>| {
        let posture = |phase| posture(bones, phase);
        clip(bones, name, secs, STANDING_RATE_HZ, posture)
    };
    vec![
        standing("idle", standing::IDLE_SECS, standing::idle),
        gait("walk", &WALK),
        gait("run", &RUN),
        standing("wave", standing::WAVE_SECS, standing::wave),
        standing("dance", dance::DANCE_SECS, dance::dance),
    ]
}

/// Builds a clip from a motion. The last key equals the first.
fn clip<'a>(
    bones: &Bones,
    name: &str,
    duration_secs: f64,
    rate_hz: f64,
    posture: impl Fn(f64) -> Posture<'a>,
) -> Clip {
    let intervals = (duration_secs * rate_hz).round() as usize;
    let times: Arc<[f64]> = (0..=intervals).map(|k| k as f64 / rate_hz).collect();
    let postures: Vec<Posture<'_>> = (0..intervals)
        .map(|k| posture(k as f64 / intervals as f64))
        .collect();
    let keys = || (0..=intervals).map(|k| &postures[k % intervals]);
    let tracks = |joint: usize| {
        let rotations: Vec<Quat> = keys()
            .map(|p| p.parent_from_joint[joint].normalize().as_quat())
            .collect();
        let track = Track::new(times.clone(), rotations, Interpolation::Linear);
        let mut tracks = JointTracks::new(joint);
        tracks.rotation = Some(track.expect("finite keys at increasing times"));
        if joint == HIPS {
            let translations: Vec<Vec3> = keys().map(|p| p.hips.as_vec3()).collect();
            let track = Track::new(times.clone(), translations, Interpolation::Linear);
            tracks.translation = Some(track.expect("finite keys at increasing times"));
        }
        tracks
    };
    let joints = bones.skin_joints().into_iter().map(tracks).collect();
    Clip::new(name.to_owned(), joints, Vec::new()).expect("one set of tracks per bone")
}

/// Smoothstep from 0 to 1.
fn ease(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Cosine over the phase, with `cycles` periods and a maximum at phase `peak`.
fn cosine(phase: f64, peak: f64, cycles: f64) -> f64 {
    (std::f64::consts::TAU * cycles * (phase - peak)).cos()
}
