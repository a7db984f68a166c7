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
            Self::Skin => [0.66, 0.36, 0.23],
            Self::Hair => [0.055, 0.026, 0.016],
            Self::Shirt => [0.03, 0.30, 0.36],
            Self::Stripe => [0.88, 0.72, 0.42],
            Self::Trousers => [0.055, 0.075, 0.16],
            Self::Shoe => [0.62, 0.13, 0.055],
            Self::Sole => [0.80, 0.76, 0.68],
            Self::Eye => [0.86, 0.84, 0.80],
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
const NECKLINE: DVec3 = DVec3::new(0.0, 1.497, -0.02);
const NECKLINE_UP: DVec3 = DVec3::new(0.0, 0.90, 0.44);
/// How far out the neckline reaches, in metres.
const NECKLINE_REACH: f64 = 0.11;
/// Of the iris, in metres.
const IRIS_RADIUS: f64 = 0.0085;

/// The colour at a point of the surface.
pub(super) fn paint_at(near: &Near<'_>, point: DVec3) -> Paint {
    let x = point.x.abs();
    let paint = near.paint(point);
    match paint {
        Paint::Trousers | Paint::Shirt | Paint::Skin if x < 0.2 && point.y > 0.9 && point.y < 1.1 => {
            if point.y > BELT {
                Paint::Shirt
            } else {
                Paint::Trousers
            }
        }
        Paint::Shirt | Paint::Skin if x < NECKLINE_REACH && (1.36..1.56).contains(&point.y) => {
            if (point - NECKLINE).dot(NECKLINE_UP) > 0.0 {
                Paint::Skin
            } else {
                Paint::Shirt
            }
        }
        Paint::Shirt if (STRIPE[0]..STRIPE[1]).contains(&point.y) && x < 0.19 => Paint::Stripe,
        Paint::Shoe if point.y < SOLE => Paint::Sole,
        Paint::Eye => {
            let across = DVec3::new(x - EYE.x + 0.001, point.y - EYE.y, 0.0);
            if across.length() < IRIS_RADIUS {
                Paint::Iris
            } else {
                Paint::Eye
            }
        }
        Paint::Skin if is_eyebrow(point) => Paint::Hair,
        _ => paint,
    }
}

/// Over the eyes, rising outwards and then falling.
fn is_eyebrow(point: DVec3) -> bool {
    let x = (point.x.abs() - 0.033) / 0.021;
    if x.abs() > 1.0 || point.z < 0.03 {
        return false;
    }
    let middle = 1.7095 - 0.004 * x * x + 0.0015 * x;
    let half = 0.0042 * (1.0 - 0.45 * x.max(0.0));
    (point.y - middle).abs() < half
}
