//! Walking and running, on the belt of a treadmill.
//!
//! While a foot is down it goes back with the belt at the gait's own speed: it lands on its heel, rolls
//! down about it, lies flat, and rolls up about its ball, where the toes stay behind on the ground. The
//! hips do what hips do: they are lowest when both feet share the load, lean over the foot that stands,
//! turn with the leg that steps, and the chest and the arms turn against them.

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;

use super::posture::{Arm, Foot, Posture};
use super::{ease, wave};
use crate::builtin::humanoid::bones::{
    Bones, CLAVICLE, FOOT, HEAD, HIPS, NECK, SPINE1, SPINE2, SPINE3, Side, TOES,
};

/// How one walks or runs. The left foot lands at phase 0, the right at one half.
#[derive(Debug, Clone)]
pub(in super::super) struct Gait {
    /// Of two steps.
    pub duration_secs: f64,
    /// Of the belt, metres a second.
    pub speed: f64,
    /// How long a foot is down, of the duration.
    pub stance: f64,
    /// When it lies flat and when its heel leaves the ground, of the stance.
    flat: [f64; 2],
    /// Of the foot as it lands, in degrees, toes up.
    landing_pitch: f64,
    /// Of the foot as it leaves, in degrees, heel up.
    leaving_pitch: f64,
    /// Of the ankle in front of its rest place as the foot lands, in metres.
    landing_ahead: f64,
    /// How far the ankle is lifted on its way forwards, in metres, and when, of the swing.
    lift: [f64; 2],
    /// Of each foot from the middle, in metres.
    half_track: f64,
    hips: Hips,
    chest: Chest,
    arms: Arms,
}

/// How hips move: metres, and degrees to each side.
#[derive(Debug, Clone)]
struct Hips {
    /// Below rest.
    low: f64,
    /// Up and down from there.
    bob: f64,
    /// When they are lowest, of the duration.
    lowest: f64,
    /// Over the foot that stands.
    sway: f64,
    /// With the leg that steps.
    turn: f64,
    /// The side of the leg in the air sinks.
    drop: f64,
    /// Forwards, always.
    nod: f64,
}

/// How the chest moves, in degrees.
#[derive(Debug, Clone)]
struct Chest {
    /// Against the hips.
    turn: f64,
    /// Forwards, always.
    nod: f64,
}

/// How arms swing, in degrees.
#[derive(Debug, Clone)]
struct Arms {
    swing: f64,
    /// In the middle, behind the body if negative.
    middle: f64,
    out: f64,
    elbow: f64,
    /// More of it in front than behind.
    elbow_swing: f64,
    curl: f64,
}

/// An easy walk.
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
        turn: 7.0,
        drop: 4.0,
        nod: 2.0,
    },
    chest: Chest {
        turn: 12.0,
        nod: 2.0,
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

/// A steady run, with both feet in the air twice.
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
        turn: 9.0,
        drop: 4.0,
        nod: 9.0,
    },
    chest: Chest {
        turn: 18.0,
        nod: 5.0,
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

/// How far feet are turned outwards, in degrees.
const TOES_OUT: f64 = 4.0;
/// The back of the sole, where a heel lands: metres behind the model's middle, on the ground.
const HEEL: DVec3 = DVec3::new(0.090, 0.0, -0.066);

impl Gait {
    /// The body at a phase.
    pub(super) fn posture<'a>(&self, bones: &'a Bones, phase: f64) -> Posture<'a> {
        let mut posture = Posture::rest(bones);
        let Hips {
            low,
            bob,
            lowest,
            sway,
            turn,
            drop,
            nod,
        } = self.hips;
        // The middle of the left foot's time on the ground, when the right is in the air.
        let over_left = self.stance / 2.0;
        let left = wave(phase, over_left, 1.0);
        let up = -low - bob * wave(phase, lowest, 2.0);
        posture.hips += DVec3::new(sway * left, up, 0.0);
        let step = wave(phase, 0.0, 1.0);
        posture.turn(HIPS, nod, -turn * step, -drop * left);

        let chest = &self.chest;
        let back = (turn + chest.turn) * wave(phase, 0.02, 1.0);
        for (joint, share) in [(SPINE1, 0.25), (SPINE2, 0.35), (SPINE3, 0.40)] {
            posture.turn(
                joint,
                (chest.nod - nod * 0.3) * share,
                back * share,
                drop * 1.2 * left * share,
            );
        }
        // The head keeps looking ahead.
        let steady = chest.turn * wave(phase, 0.02, 1.0);
        let upright = -(chest.nod + 0.7 * nod) * 0.45;
        for joint in [NECK, HEAD] {
            posture.turn(joint, upright, -steady / 2.0, 0.0);
        }
        for side in Side::BOTH {
            let own = match side {
                Side::Left => phase,
                Side::Right => phase + 0.5,
            };
            self.arm(&mut posture, side, own);
            posture.foot(side, self.foot(bones, side, own));
        }
        posture
    }

    fn arm(&self, posture: &mut Posture<'_>, side: Side, own: f64) {
        let arms = &self.arms;
        // Forwards with the other foot.
        let forwards = wave(own, 0.52, 1.0);
        let late = wave(own, 0.57, 1.0);
        posture.bend(side, CLAVICLE, 4.0 * forwards, 0.0, 0.0);
        posture.arm(
            side,
            Arm {
                swing: arms.middle + arms.swing * forwards,
                out: arms.out,
                twist: -6.0 - 6.0 * forwards,
                elbow: arms.elbow + arms.elbow_swing * late,
                turn: -4.0,
                wrist: 4.0 - 5.0 * late,
                curl: arms.curl,
            },
        );
    }

    /// A foot at its own phase, 0 as it lands.
    fn foot(&self, bones: &Bones, side: Side, own: f64) -> Foot {
        let own = own.rem_euclid(1.0);
        let step = if own < self.stance {
            self.down(bones, own / self.stance)
        } else {
            self.through_the_air(bones, (own - self.stance) / (1.0 - self.stance))
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

    /// On the ground, at a fraction of the stance.
    fn down(&self, bones: &Bones, fraction: f64) -> Step {
        let [ankle, ball] = [FOOT, TOES].map(|j| bones.positions[Side::Left.joint(j)]);
        let secs = fraction * self.stance * self.duration_secs;
        let belt = self.landing_ahead - self.speed * secs;
        let [flat, rising] = self.flat;
        let (pivot, pitch) = if fraction < flat {
            // A heel that lands stops turning gently.
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

    /// Between leaving and landing: a curve that goes on as the foot left and comes in as it lands.
    fn through_the_air(&self, bones: &Bones, t: f64) -> Step {
        const STEP: f64 = 1e-4;
        let swing_per_stance = (1.0 - self.stance) / self.stance;
        let (leaves, lands) = (self.down(bones, 1.0), self.down(bones, 0.0));
        let before = self.down(bones, 1.0 - STEP);
        let after = self.down(bones, STEP);
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

/// A foot seen from the side: its ankle in metres, angles in degrees.
struct Step {
    /// Ahead, with the belt.
    belt: f64,
    /// Ahead from there along the foot, as it rolls.
    roll: f64,
    up: f64,
    pitch: f64,
    toes: f64,
}

/// A cubic with these ends and slopes.
fn hermite(t: f64, [from, leaving, arriving, to]: [f64; 4]) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    from * (2.0 * t3 - 3.0 * t2 + 1.0)
        + leaving * (t3 - 2.0 * t2 + t)
        + arriving * (t3 - t2)
        + to * (3.0 * t2 - 2.0 * t3)
}

/// From 0 up to 1 at the peak and back to 0, level at the peak and quick at the ends.
fn bump(t: f64, peak: f64) -> f64 {
    let way = if t < peak {
        t / peak
    } else {
        (1.0 - t) / (1.0 - peak)
    };
    (FRAC_PI_2 * way).sin()
}
