//! What the body wears, and how borders between colours become edges of the mesh.

use glam::DVec3;

use super::field::Near;
use super::head::EYE;

/// One colour of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Paint {
    /// Face, neck, arms and hands.
    Skin,
    /// Hair and eyebrows.
    Hair,
    /// With short sleeves.
    Shirt,
    /// Across the chest.
    Stripe,
    /// From the belt to the ankles.
    Trousers,
    /// Their uppers.
    Shoe,
    /// What they stand on.
    Sole,
    /// The white.
    Eye,
    /// Iris and pupil.
    Iris,
    /// A mouth.
    Lips,
}

impl Paint {
    /// Linear RGBA.
    pub fn color(self) -> [f32; 4] {
        let [r, g, b] = match self {
            Self::Skin => [0.76, 0.44, 0.29],
            Self::Hair => [0.085, 0.038, 0.020],
            Self::Shirt => [0.03, 0.40, 0.44],
            Self::Stripe => [0.95, 0.74, 0.34],
            Self::Trousers => [0.075, 0.105, 0.24],
            Self::Shoe => [0.78, 0.18, 0.07],
            Self::Sole => [0.90, 0.87, 0.80],
            Self::Eye => [0.95, 0.94, 0.92],
            Self::Iris => [0.025, 0.014, 0.010],
            Self::Lips => [0.50, 0.19, 0.14],
        };
        [r, g, b, 1.0]
    }
}

/// Where trousers end and the shirt begins, in metres.
const BELT: f64 = 1.005;
/// The stripe over the chest, in metres.
const STRIPE: [f64; 2] = [1.225, 1.275];
/// The thickness of soles, in metres.
const SOLE: f64 = 0.020;
/// The neckline: a point on it and the way up to the head, lower in front.
const NECKLINE: DVec3 = DVec3::new(0.0, 1.520, -0.03);
const NECKLINE_UP: DVec3 = DVec3::new(0.0, 0.78, 0.62);
/// How it rises beside the neck.
const NECKLINE_RISE: f64 = 0.5;
/// Half the width and height of an eye, and the radius of its iris, in metres.
const EYE_HALF: [f64; 2] = [0.0165, 0.0088];
const IRIS_RADIUS: f64 = 0.0080;
/// The middle of the mouth, and half its width and height, in metres.
const MOUTH: f64 = 1.6125;
const MOUTH_HALF: [f64; 2] = [0.0235, 0.0058];

/// The colour at a point of the surface.
pub(super) fn paint_at(near: &Near<'_>, point: DVec3) -> Paint {
    let point = DVec3::new(point.x.abs(), point.y, point.z);
    match near.paint(point) {
        Paint::Trousers | Paint::Shirt if point.y < 1.1 => {
            if point.y > BELT {
                Paint::Shirt
            } else {
                Paint::Trousers
            }
        }
        Paint::Shirt | Paint::Skin if point.x < 0.12 && (1.36..1.58).contains(&point.y) => {
            let rise = NECKLINE_RISE * (point.x - 0.04).max(0.0);
            if (point - NECKLINE).dot(NECKLINE_UP) > rise {
                Paint::Skin
            } else {
                Paint::Shirt
            }
        }
        Paint::Shirt if (STRIPE[0]..STRIPE[1]).contains(&point.y) && point.x < 0.19 => {
            Paint::Stripe
        }
        Paint::Shoe if point.y < SOLE => Paint::Sole,
        Paint::Skin if point.z > 0.03 && point.y > 1.58 => face(point),
        paint => paint,
    }
}

/// Eyes, eyebrows and mouth, on the skin of the face.
fn face(point: DVec3) -> Paint {
    let (x, y) = (point.x, point.y);
    let [across, up] = [(x - EYE.x) / EYE_HALF[0], (y - EYE.y) / EYE_HALF[1]];
    // An almond, a little higher outside.
    if (up - 0.15 * across).abs() < 1.0 - across * across {
        let from_iris = (x - EYE.x + 0.0008).hypot(y - EYE.y - 0.0004);
        return if from_iris < IRIS_RADIUS {
            Paint::Iris
        } else {
            Paint::Eye
        };
    }
    // Rising outwards and then falling, thinner there.
    let across = (x - 0.033) / 0.020;
    let middle = 1.7105 - 0.0042 * across * across;
    let half = 0.0044 * (1.0 - 0.25 * across.max(0.0));
    if across.abs() < 1.0 && (y - middle).abs() < half {
        return Paint::Hair;
    }
    let across = x / MOUTH_HALF[0];
    let curve = (y - MOUTH) / MOUTH_HALF[1] - 0.6 * across * across;
    if curve.hypot(across) < 1.0 {
        return Paint::Lips;
    }
    Paint::Skin
}
