//! Colours of the body: skin, hair, clothes and face.

use glam::DVec3;

use super::field::LocalField;
use super::head::EYE;

/// Colour of a part of the body. The order is that of the slots that renderers know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Paint {
    /// Face, neck, arms and hands.
    Skin,
    /// Hair and eyebrows.
    Hair,
    /// Shirt with short sleeves.
    Shirt,
    /// Stripe across the chest.
    Stripe,
    /// Trousers from the belt to the ankles.
    Trousers,
    /// Uppers of the shoes.
    Shoe,
    /// Soles of the shoes.
    Sole,
    /// White of the eyes.
    Eye,
    /// Iris and pupil.
    Iris,
    /// Mouth.
    Lips,
}

impl Paint {
    /// Returns the colour as linear RGBA. Alpha names the slot, counted down from 255 in steps of 1/255, so that renderers
    /// can replace the colour of a slot; opaque surfaces ignore alpha.
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
        [r, g, b, f32::from(255 - self.slot()) / 255.0]
    }

    /// Number of the slot; 0 is left for surfaces without one.
    fn slot(self) -> u8 {
        self as u8 + 1
    }
}

/// Height of the border between trousers and shirt, in metres.
const BELT: f64 = 1.005;
/// Lower and upper height of the stripe, in metres.
const STRIPE: [f64; 2] = [1.225, 1.275];
/// Thickness of soles, in metres.
const SOLE: f64 = 0.020;
/// Point on the plane of the neckline.
const NECKLINE: DVec3 = DVec3::new(0.0, 1.520, -0.03);
/// Normal of the plane of the neckline, towards the head. The neckline is lower in front.
const NECKLINE_UP: DVec3 = DVec3::new(0.0, 0.78, 0.62);
/// Slope of the neckline beside the neck.
const NECKLINE_RISE: f64 = 0.5;
/// Half width and half height of an eye, in metres.
const EYE_HALF: [f64; 2] = [0.0165, 0.0088];
/// Radius of the iris, in metres.
const IRIS_RADIUS: f64 = 0.0080;
/// Height of the mouth, in metres.
const MOUTH: f64 = 1.6125;
/// Half width and half height of the mouth, in metres.
const MOUTH_HALF: [f64; 2] = [0.0235, 0.0058];

/// Returns the colour at a point of the surface.
pub(super) fn paint_at(near: &LocalField<'_>, point: DVec3) -> Paint {
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

/// Returns the colour at a point of the face: eyes, eyebrows, mouth or skin.
fn face(point: DVec3) -> Paint {
    let (x, y) = (point.x, point.y);
    let [across, up] = [(x - EYE.x) / EYE_HALF[0], (y - EYE.y) / EYE_HALF[1]];
    // Eye: an almond shape, a little higher on the outside.
    if (up - 0.15 * across).abs() < 1.0 - across * across {
        let from_iris = (x - EYE.x + 0.0008).hypot(y - EYE.y - 0.0004);
        return if from_iris < IRIS_RADIUS {
            Paint::Iris
        } else {
            Paint::Eye
        };
    }
    // Eyebrow: an arch, thinner on the outside.
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
