//! The body as a signed distance field, negative inside.
//!
//! Solids are combined in order, each with a smooth union or subtraction over its own blend width.
//! Distances are accurate only close to the surface.

use std::collections::HashMap;

use glam::{DMat3, DVec3, IVec3};

use super::paint::Paint;

/// Shape of a solid.
#[derive(Debug, Clone)]
enum Shape {
    /// Tapered capsule, flattened along one axis.
    Capsule {
        from: DVec3,
        to: DVec3,
        radii: [f64; 2],
        /// Unit vector.
        thin_axis: DVec3,
        /// Relative thickness along `thin_axis`.
        thickness: f64,
    },
    Ellipsoid {
        center: DVec3,
        radii: DVec3,
        ellipsoid_from_model: DMat3,
    },
    /// Half space below a height.
    Ground(f64),
}

/// Combination of a solid with the solids before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Union,
    Subtract,
}

/// A shape, its colour, and the width in metres over which it blends into the body.
#[derive(Debug, Clone)]
pub(super) struct Solid {
    shape: Shape,
    operation: Operation,
    blend: f64,
    paint: Paint,
}

/// Creates a tapered capsule.
pub(super) fn capsule(paint: Paint, from: DVec3, to: DVec3, radii: [f64; 2], blend: f64) -> Solid {
    flat_capsule(paint, from, to, radii, (DVec3::Z, 1.0), blend)
}

/// Creates a tapered capsule that is flattened along an axis.
pub(super) fn flat_capsule(
    paint: Paint,
    from: DVec3,
    to: DVec3,
    radii: [f64; 2],
    (thin_axis, thickness): (DVec3, f64),
    blend: f64,
) -> Solid {
    Solid {
        shape: Shape::Capsule {
            from,
            to,
            radii,
            thin_axis,
            thickness,
        },
        operation: Operation::Union,
        blend,
        paint,
    }
}

/// Creates an ellipsoid along the model's axes.
pub(super) fn ellipsoid(paint: Paint, center: [f64; 3], radii: [f64; 3], blend: f64) -> Solid {
    rotated_ellipsoid(paint, center, radii, DMat3::IDENTITY, blend)
}

/// Creates an ellipsoid whose axes are the columns of `model_from_ellipsoid`.
pub(super) fn rotated_ellipsoid(
    paint: Paint,
    center: [f64; 3],
    radii: [f64; 3],
    model_from_ellipsoid: DMat3,
    blend: f64,
) -> Solid {
    Solid {
        shape: Shape::Ellipsoid {
            center: DVec3::from_array(center),
            radii: DVec3::from_array(radii),
            ellipsoid_from_model: model_from_ellipsoid.transpose(),
        },
        operation: Operation::Union,
        blend,
        paint,
    }
}

/// Creates a solid that subtracts everything below a height.
pub(super) fn ground(height: f64, blend: f64) -> Solid {
    Solid {
        shape: Shape::Ground(height),
        operation: Operation::Subtract,
        blend,
        paint: Paint::Skin,
    }
}

impl Solid {
    /// Returns the same shape, subtracted from the solids before it.
    pub fn subtracted(self) -> Self {
        Self {
            operation: Operation::Subtract,
            ..self
        }
    }

    /// Returns the signed distance to this shape alone.
    fn distance(&self, point: DVec3) -> f64 {
        match &self.shape {
            Shape::Capsule {
                from,
                to,
                radii,
                thin_axis,
                thickness,
            } => {
                let along = *to - *from;
                let offset = point - *from;
                let t = (offset.dot(along) / along.length_squared()).clamp(0.0, 1.0);
                let radius = radii[0] + (radii[1] - radii[0]) * t;
                let offset = offset - along * t;
                if *thickness == 1.0 {
                    return offset.length() - radius;
                }
                let across = *thin_axis * offset.dot(*thin_axis);
                let scaled = offset + across * (1.0 / thickness - 1.0);
                let slope = offset + across * (1.0 / (thickness * thickness) - 1.0);
                let length = scaled.length();
                (length - radius) * length / slope.length().max(1e-9)
            }
            Shape::Ellipsoid {
                center,
                radii,
                ellipsoid_from_model,
            } => {
                let offset = *ellipsoid_from_model * (point - *center);
                let scaled = (offset / *radii).length();
                let slope = (offset / (*radii * *radii)).length();
                scaled * (scaled - 1.0) / slope.max(1e-9)
            }
            Shape::Ground(height) => point.y - height,
        }
    }
}

/// Signed distance field of the body: solids in the order in which they are combined.
#[derive(Debug, Clone)]
pub(super) struct Field {
    solids: Vec<Solid>,
}

/// The solids that affect the field in a region.
#[derive(Debug, Clone)]
pub(super) struct LocalField<'a> {
    solids: Vec<&'a Solid>,
}

/// Maximum factor by which the distance to a non-spherical shape is wrong.
const SLACK: f64 = 1.5;
/// Maximum blend width, in metres. A solid affects points beyond its own blend width through the solids
/// that it blends into.
const MAX_BLEND: f64 = 0.06;
/// Distance where no solid is near, in metres.
const FAR: f64 = 1.0;

impl Field {
    /// Creates a field from solids of the half with x ≥ 0; the other half is its mirror image.
    pub fn new(solids: Vec<Solid>) -> Self {
        Self { solids }
    }

    /// Returns the field within a radius of a point.
    pub fn near(&self, center: DVec3, radius: f64) -> LocalField<'_> {
        let affects = |solid: &&Solid| {
            let reach = solid.blend + MAX_BLEND + radius * SLACK;
            solid.distance(center) <= reach
        };
        LocalField {
            solids: self.solids.iter().filter(affects).collect(),
        }
    }
}

/// Cache of local fields, by cell of a grid.
#[derive(Debug)]
pub(super) struct FieldCache<'a> {
    field: &'a Field,
    cells: HashMap<IVec3, LocalField<'a>>,
}

/// Side of a cell, in metres.
const CELL: f64 = 0.02;
/// Distance from a point within which its local field is valid, in metres.
const VALID_RADIUS: f64 = 0.012;

impl<'a> FieldCache<'a> {
    /// Creates an empty cache.
    pub fn new(field: &'a Field) -> Self {
        Self {
            field,
            cells: HashMap::new(),
        }
    }

    /// Returns the local field at a point.
    pub fn near(&mut self, point: DVec3) -> &LocalField<'a> {
        let cell = (point / CELL).floor();
        self.cells.entry(cell.as_ivec3()).or_insert_with(|| {
            let radius = CELL * 3f64.sqrt() / 2.0 + VALID_RADIUS;
            self.field.near((cell + 0.5) * CELL, radius)
        })
    }
}

impl LocalField<'_> {
    /// Returns true if no solid is near.
    pub fn is_empty(&self) -> bool {
        self.solids.is_empty()
    }

    /// Returns the signed distance to the surface, in metres.
    pub fn distance(&self, point: DVec3) -> f64 {
        let point = DVec3::new(point.x.abs(), point.y, point.z);
        let mut body = FAR;
        for solid in &self.solids {
            let distance = solid.distance(point);
            body = match solid.operation {
                Operation::Union => smooth_min(body, distance, solid.blend),
                Operation::Subtract => -smooth_min(-body, distance, solid.blend),
            };
        }
        body
    }

    /// Returns the gradient of the distance, by central differences over a width in metres.
    pub fn gradient(&self, point: DVec3, width: f64) -> DVec3 {
        let half = width / 2.0;
        let along = |axis: DVec3| {
            (self.distance(point + axis * half) - self.distance(point - axis * half)) / width
        };
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
    }

    /// Projects a nearby point onto the surface. Points on the mirror plane stay on it.
    pub fn project(&self, point: DVec3) -> DVec3 {
        let mut point = point;
        for _ in 0..PROJECTION_STEPS {
            let distance = self.distance(point);
            let ahead = |axis: DVec3| self.distance(point + axis * PROJECTION_WIDTH) - distance;
            let mut slope = DVec3::new(ahead(DVec3::X), ahead(DVec3::Y), ahead(DVec3::Z));
            slope /= PROJECTION_WIDTH;
            if point.x == 0.0 {
                slope.x = 0.0;
            }
            let square = slope.length_squared();
            if square < MIN_SQUARED_SLOPE {
                break; // on a ridge or in a hollow the gradient has no direction
            }
            let step = slope * (distance / square);
            point -= step.clamp_length_max(MAX_PROJECTION_STEP);
        }
        point
    }

    /// Returns the colour of the nearest solid that is not subtracted.
    pub fn paint(&self, point: DVec3) -> Paint {
        let point = DVec3::new(point.x.abs(), point.y, point.z);
        let added = self.solids.iter();
        added
            .filter(|solid| solid.operation == Operation::Union)
            .map(|solid| (solid.distance(point), solid.paint))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(Paint::Skin, |(_, paint)| paint)
    }
}

/// Number of Newton steps of a projection.
const PROJECTION_STEPS: usize = 2;
/// Width of the finite differences of a projection, in metres.
const PROJECTION_WIDTH: f64 = 1e-4;
/// Squared slope below which a projection stops.
const MIN_SQUARED_SLOPE: f64 = 0.04;
/// Maximum length of a projection step, in metres.
const MAX_PROJECTION_STEP: f64 = 0.004;

/// Returns the minimum of two numbers, rounded where they differ by less than `width`.
fn smooth_min(a: f64, b: f64, width: f64) -> f64 {
    let near = (width - (a - b).abs()).max(0.0) / width;
    a.min(b) - near * near * width / 4.0
}
