//! Motions `walk` and `run`, on the belt of a treadmill.
//!
//! A foot on the ground moves back with the belt: it lands on its heel, rolls down about it, lies flat, and
//! rolls up about its ball while the toes stay on the ground. The hips are lowest when both feet share the
//! load, shift over the loaded foot and rotate with the stepping leg; the chest and the arms rotate against
//! them.

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;

use super::posture::{Arm, Foot, Posture};
use super::{cosine, ease};
use crate::builtin::humanoid::bones::{
    Bones, CLAVICLE, FOOT, HEAD, HIPS, NECK, SPINE1, SPINE2, SPINE3, Side, TOES,
};

/// Parameters of a gait. The left foot lands at phase 0, the right foot at phase 0.5.
#[derive(Debug, Clone)]
pub(in super::super) struct Gait {
    /// Duration of two steps, in seconds.
    pub duration_secs: f64,
    /// Speed of the belt, in metres per second.
    pub speed: f64,
    /// Fraction of the duration that a foot is on the ground.
    pub stance: f64,
    /// Fractions of the stance when the foot becomes flat and when its heel leaves the ground.
    flat: [f64; 2],
    /// Pitch of the landing foot in degrees, toes up.
    landing_pitch: f64,
    /// Pitch of the leaving foot in degrees, heel up.
    leaving_pitch: f64,
    /// Distance of the landing ankle in front of its rest position, in metres.
    landing_ahead: f64,
    /// Extra height of the ankle during the swing in metres, and its time as a fraction of the swing.
    lift: [f64; 2],
    /// Sideways distance of each foot from the middle, in metres.
    half_track: f64,
    hips: Hips,
    chest: Chest,
    arms: Arms,
}

/// Motion of the hips. Lengths in metres; angles in degrees to each side.
#[derive(Debug, Clone)]
struct Hips {
    /// Mean height below the rest pose.
    low: f64,
    /// Vertical amplitude.
    bob: f64,
    /// Phase of the lowest point.
    lowest: f64,
    /// Sideways amplitude, towards the loaded foot.
    sway: f64,
    /// Yaw, with the stepping leg.
    yaw: f64,
    /// Roll: the side of the lifted leg drops.
    drop: f64,
    /// Constant pitch, forwards.
    pitch: f64,
}

/// Motion of the chest, in degrees.
#[derive(Debug, Clone)]
struct Chest {
    /// Yaw, against the hips.
    yaw: f64,
    /// Constant pitch, forwards.
    pitch: f64,
}

/// Motion of the arms, in degrees.
#[derive(Debug, Clone)]
struct Arms {
    swing: f64,
    /// Mean of the swing; negative is behind the body.
    middle: f64,
    out: f64,
    elbow: f64,
    /// Amplitude of the elbow, bent more in front than behind.
    elbow_swing: f64,
    curl: f64,
}

/// A relaxed walk.
pub(in super::super) const WALK: Gait = Gait {
    duration_secs: 1.0625,
    speed: 1.30,
    stance: 0.61,
    flat: [0.17, 0.46],
    landing_pitch: 22.0,
    leaving_pitch: 50.0,
    landing_ahead: 0.36,
    lift: [0.070, 0.32],
    half_track: 0.062,
    hips: Hips {
        low: 0.031,
        bob: 0.016,
        lowest: 0.05,
        sway: 0.024,
        yaw: 7.0,
        drop: 4.0,
        pitch: 2.0,
    },
    chest: Chest {
        yaw: 12.0,
        pitch: 2.0,
    },
    arms: Arms {
        swing: 25.0,
        middle: 1.0,
        out: 8.0,
        elbow: 20.0,
        elbow_swing: 11.0,
        curl: 14.0,
    },
};

/// A steady run, with two flight phases.
pub(in super::super) const RUN: Gait = Gait {
    duration_secs: 0.6875,
    speed: 3.40,
    stance: 0.34,
    flat: [0.16, 0.40],
    landing_pitch: 9.0,
    leaving_pitch: 58.0,
    landing_ahead: 0.28,
    lift: [0.330, 0.36],
    half_track: 0.045,
    hips: Hips {
        low: 0.063,
        bob: 0.034,
        lowest: 0.16,
        sway: 0.012,
        yaw: 9.0,
        drop: 4.0,
        pitch: 9.0,
    },
    chest: Chest {
        yaw: 18.0,
        pitch: 5.0,
    },
    arms: Arms {
        swing: 40.0,
        middle: -12.0,
        out: 14.0,
        elbow: 88.0,
        elbow_swing: 16.0,
        curl: 42.0,
    },
};

/// Yaw of the feet outwards, in degrees.
const TOES_OUT: f64 = 4.0;
/// Back of the left sole in the rest pose, where the heel lands, in metres.
const HEEL: DVec3 = DVec3::new(0.090, 0.0, -0.066);

impl Gait {
    /// Returns the posture at a phase.
    pub(super) fn posture<'a>(&self, bones: &'a Bones, phase: f64) -> Posture<'a> {
        let mut posture = Posture::rest(bones);
        let Hips {
            low,
            bob,
            lowest,
            sway,
            yaw,
            drop,
            pitch,
        } = self.hips;
        // Middle of the stance of the left foot, when the right foot is in the air.
        let over_left = self.stance / 2.0;
        let left = cosine(phase, over_left, 1.0);
        let up = -low - bob * cosine(phase, lowest, 2.0);
        posture.hips += DVec3::new(sway * left, up, 0.0);
        let step = cosine(phase, 0.0, 1.0);
        posture.rotate(HIPS, pitch, -yaw * step, -drop * left);

        let chest = &self.chest;
        let back = (yaw + chest.yaw) * cosine(phase, 0.02, 1.0);
        for (joint, share) in [(SPINE1, 0.25), (SPINE2, 0.35), (SPINE3, 0.40)] {
            posture.rotate(
                joint,
                (chest.pitch - pitch * 0.3) * share,
                back * share,
                drop * 1.2 * left * share,
            );
        }
        // The head keeps facing ahead.
        let steady = chest.yaw * cosine(phase, 0.02, 1.0);
        let upright = -(chest.pitch + 0.7 * pitch) * 0.45;
        for joint in [NECK, HEAD] {
            posture.rotate(joint, upright, -steady / 2.0, 0.0);
        }
        for side in Side::BOTH {
            let side_phase = match side {
                Side::Left => phase,
                Side::Right => phase + 0.5,
            };
            self.arm(&mut posture, side, side_phase);
            posture.foot(side, self.foot(bones, side, side_phase));
        }
        posture
    }

    fn arm(&self, posture: &mut Posture<'_>, side: Side, side_phase: f64) {
        let arms = &self.arms;
        // An arm swings forwards with the opposite foot.
        let forwards = cosine(side_phase, 0.52, 1.0);
        let late = cosine(side_phase, 0.57, 1.0);
        posture.bend(side, CLAVICLE, 4.0 * forwards, 0.0, 0.0);
        posture.arm(
            side,
            Arm {
                swing: arms.middle + arms.swing * forwards,
                out: arms.out,
                twist: -6.0 - 6.0 * forwards,
                elbow: arms.elbow + arms.elbow_swing * late,
                forearm_twist: -4.0,
                wrist: 4.0 - 5.0 * late,
                curl: arms.curl,
            },
        );
    }

    /// Returns a foot at the phase of its side, which is 0 when the foot lands.
    fn foot(&self, bones: &Bones, side: Side, side_phase: f64) -> Foot {
        let phase = side_phase.rem_euclid(1.0);
        let step = if phase < self.stance {
            self.stance_step(bones, phase / self.stance)
        } else {
            self.swing_step(bones, (phase - self.stance) / (1.0 - self.stance))
        };
        let (sin, cos) = TOES_OUT.to_radians().sin_cos();
        let out = self.half_track + sin * step.roll;
        Foot {
            ankle: DVec3::new(side.sign() * out, step.up, step.belt + cos * step.roll),
            pitch: step.pitch,
            yaw: TOES_OUT,
            toes: step.toes,
        }
    }

    /// Returns the foot on the ground, at a fraction of the stance.
    fn stance_step(&self, bones: &Bones, fraction: f64) -> Step {
        let [ankle, ball] = [FOOT, TOES].map(|j| bones.positions[Side::Left.joint(j)]);
        let secs = fraction * self.stance * self.duration_secs;
        let belt = self.landing_ahead - self.speed * secs;
        let [flat, rising] = self.flat;
        let (pivot, pitch) = if fraction < flat {
            // The rotation of a landing foot ends smoothly.
            let left = 1.0 - fraction / flat;
            (HEEL, self.landing_pitch * left * left)
        } else if fraction < rising {
            (HEEL, 0.0)
        } else {
            let t = (fraction - rising) / (1.0 - rising);
            (ball, -self.leaving_pitch * t * t)
        };
        let (sin, cos) = pitch.to_radians().sin_cos();
        let (back, up) = (ankle.z - pivot.z, ankle.y - pivot.y);
        Step {
            belt: belt + ankle.z,
            roll: back * cos - up * sin - back,
            up: pivot.y + up * cos + back * sin,
            pitch,
            // Toes stay flat while the heel rises.
            toes: (-pitch).max(0.0),
        }
    }

    /// Returns the foot in the air, at a fraction of the swing. Hermite curves continue the velocities at
    /// leaving and landing.
    fn swing_step(&self, bones: &Bones, t: f64) -> Step {
        const STEP: f64 = 1e-4;
        let swing_per_stance = (1.0 - self.stance) / self.stance;
        let (leaves, lands) = (self.stance_step(bones, 1.0), self.stance_step(bones, 0.0));
        let before = self.stance_step(bones, 1.0 - STEP);
        let after = self.stance_step(bones, STEP);
        let curve = |value: fn(&Step) -> f64| {
            let slope = swing_per_stance / STEP;
            let (from, to) = (value(&leaves), value(&lands));
            let leaving = (from - value(&before)) * slope;
            let arriving = (value(&after) - to) * slope;
            hermite(t, [from, leaving, arriving, to])
        };
        let [lift, peak] = self.lift;
        Step {
            belt: curve(|s| s.belt),
            roll: curve(|s| s.roll),
            up: curve(|s| s.up) + lift * bump(t, peak),
            pitch: curve(|s| s.pitch),
            toes: leaves.toes * (1.0 - ease(t * 2.5)),
        }
    }
}

/// Foot seen from the side. Lengths in metres, angles in degrees.
struct Step {
    /// Position of the ankle ahead, moving with the belt.
    belt: f64,
    /// Offset of the ankle along the foot, from rolling.
    roll: f64,
    /// Height of the ankle.
    up: f64,
    pitch: f64,
    toes: f64,
}

/// Cubic Hermite curve with these ends and slopes.
fn hermite(t: f64, [from, leaving, arriving, to]: [f64; 4]) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    from * (2.0 * t3 - 3.0 * t2 + 1.0)
        + leaving * (t3 - 2.0 * t2 + t)
        + arriving * (t3 - t2)
        + to * (3.0 * t2 - 2.0 * t3)
}

/// Rises from 0 to 1 at `peak` and falls back to 0, with zero slope at the peak.
fn bump(t: f64, peak: f64) -> f64 {
    let fraction = if t < peak {
        t / peak
    } else {
        (1.0 - t) / (1.0 - peak)
    };
    (FRAC_PI_2 * fraction).sin()
}
