//! What the humanoid does: `idle`, `walk`, `run`, `wave` and `dance`, each a loop on the spot.
//!
//! A motion is a function from a phase, 0 to 1, to a [`Posture`]; a clip is its keys. Feet are put where
//! they belong and legs follow, so that feet stand still on the ground, or on the belt of a treadmill.

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

/// Keys a second where feet stand still. A power of two, so that float32 holds every key's time exactly.
const STANDING_RATE_HZ: f64 = 32.0;
/// Keys a second where feet move fast.
const GAIT_RATE_HZ: f64 = 64.0;

/// All clips, in the order in which they are listed.
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

/// Keys a motion. The last key is the first again.
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
        tracks.rotation = Some(track.expect("a finite key at each of the rising times"));
        if joint == HIPS {
            let places: Vec<Vec3> = keys().map(|p| p.hips.as_vec3()).collect();
            let track = Track::new(times.clone(), places, Interpolation::Linear);
            tracks.translation = Some(track.expect("a finite key at each of the rising times"));
        }
        tracks
    };
    let joints = bones.bound().into_iter().map(tracks).collect();
    Clip::new(name.to_owned(), joints, Vec::new()).expect("a track a bone")
}

/// From 0 to 1, level at both ends.
fn ease(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// A cosine over the phase, at its height where the phase is `peak`, `times` as often.
fn wave(phase: f64, peak: f64, times: f64) -> f64 {
    (std::f64::consts::TAU * times * (phase - peak)).cos()
}
