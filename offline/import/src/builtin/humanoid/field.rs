//! A body as one number at each point: how far it is to the skin, negative inside.
//!
//! Solids are laid over each other in order, each blended into what is there over a width of its own.
//! Distances are near enough to true ones close to the surface, and only there.

use std::collections::HashMap;

use glam::{DMat3, DVec3, IVec3};

use super::paint::Paint;

/// One rounded thing.
#[derive(Debug, Clone)]
enum Shape {
    /// A rod between two balls, thinner along one axis.
    Rod {
        from: DVec3,
        to: DVec3,
        radii: [f64; 2],
        /// Of unit length.
        thin_axis: DVec3,
        /// How thick it is along that axis, of one.
        thickness: f64,
    },
    /// A ball stretched along its own axes.
    Egg {
        center: DVec3,
        radii: DVec3,
        egg_from_model: DMat3,
    },
    /// All that lies below a height.
    Ground(f64),
}

/// What a solid does to those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Add,
    Carve,
}

/// A shape, its colour, and the width over which it blends into the body, in metres.
#[derive(Debug, Clone)]
pub(super) struct Solid {
    shape: Shape,
    deed: Deed,
    blend: f64,
    paint: Paint,
}

/// A rod between two balls of the given radii.
pub(super) fn rod(paint: Paint, from: DVec3, to: DVec3, radii: [f64; 2], blend: f64) -> Solid {
    flat_rod(paint, from, to, radii, (DVec3::Z, 1.0), blend)
}

/// A rod that is thinner along an axis.
pub(super) fn flat_rod(
    paint: Paint,
    from: DVec3,
    to: DVec3,
    radii: [f64; 2],
    (thin_axis, thickness): (DVec3, f64),
    blend: f64,
) -> Solid {
    Solid {
        shape: Shape::Rod {
            from,
            to,
            radii,
            thin_axis,
            thickness,
        },
        deed: Deed::Add,
        blend,
        paint,
    }
}

/// A ball stretched along the model's axes.
pub(super) fn egg(paint: Paint, center: [f64; 3], radii: [f64; 3], blend: f64) -> Solid {
    turned_egg(paint, center, radii, DMat3::IDENTITY, blend)
}

/// A ball stretched along axes of its own, the columns of `model_from_egg`.
pub(super) fn turned_egg(
    paint: Paint,
    center: [f64; 3],
    radii: [f64; 3],
    model_from_egg: DMat3,
    blend: f64,
) -> Solid {
    Solid {
        shape: Shape::Egg {
            center: DVec3::from_array(center),
            radii: DVec3::from_array(radii),
            egg_from_model: model_from_egg.transpose(),
        },
        deed: Deed::Add,
        blend,
        paint,
    }
}

/// Cuts away all below a height.
pub(super) fn ground(height: f64, blend: f64) -> Solid {
    Solid {
        shape: Shape::Ground(height),
        deed: Deed::Carve,
        blend,
        paint: Paint::Skin,
    }
}

impl Solid {
    /// The same shape, cut out of what is there so far.
    pub fn carved(self) -> Self {
        Self {
            deed: Deed::Carve,
            ..self
        }
    }

    /// How far it is to the shape alone.
    fn distance(&self, point: DVec3) -> f64 {
        match &self.shape {
            Shape::Rod {
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
            Shape::Egg {
                center,
                radii,
                egg_from_model,
            } => {
                let offset = *egg_from_model * (point - *center);
                let scaled = (offset / *radii).length();
                let slope = (offset / (*radii * *radii)).length();
                scaled * (scaled - 1.0) / slope.max(1e-9)
            }
            Shape::Ground(height) => point.y - height,
        }
    }
}

/// The body: solids in the order in which they are laid down.
#[derive(Debug, Clone)]
pub(super) struct Field {
    solids: Vec<Solid>,
}

/// Some of a field's solids: all that matter near one place.
#[derive(Debug, Clone)]
pub(super) struct Near<'a> {
    solids: Vec<&'a Solid>,
}

/// How far off the distance to a squeezed shape may be, as a factor.
const SLACK: f64 = 1.5;
/// The widest blend of all, in metres: a solid reaches farther through those that it blends into.
const WIDEST_BLEND: f64 = 0.06;
/// What is farther than all solids near a place, in metres.
const FAR: f64 = 1.0;

impl Field {
    /// Takes solids for the half of the body where x is not negative; the other is its mirror image.
    pub fn new(solids: Vec<Solid>) -> Self {
        Self { solids }
    }

    /// What matters within a distance of a point.
    pub fn near(&self, center: DVec3, radius: f64) -> Near<'_> {
        let matters = |solid: &&Solid| {
            let reach = solid.blend + WIDEST_BLEND + radius * SLACK;
            solid.distance(center) <= reach
        };
        Near {
            solids: self.solids.iter().filter(matters).collect(),
        }
    }
}

/// Looks up what is near one point after another.
#[derive(Debug)]
pub(super) struct Places<'a> {
    field: &'a Field,
    cells: HashMap<IVec3, Near<'a>>,
}

/// Along the side of a cell in which all points share what is near them, in metres.
const CELL: f64 = 0.02;
/// How far about a point things may be asked of what is near it, in metres.
const PLACE_REACH: f64 = 0.012;

impl<'a> Places<'a> {
    /// Nothing has been looked up yet.
    pub fn new(field: &'a Field) -> Self {
        Self {
            field,
            cells: HashMap::new(),
        }
    }

    /// What is near a point.
    pub fn near(&mut self, point: DVec3) -> &Near<'a> {
        let cell = (point / CELL).floor();
        self.cells.entry(cell.as_ivec3()).or_insert_with(|| {
            let radius = CELL * 3f64.sqrt() / 2.0 + PLACE_REACH;
            self.field.near((cell + 0.5) * CELL, radius)
        })
    }
}

impl Near<'_> {
    /// True where nothing is near.
    pub fn is_empty(&self) -> bool {
        self.solids.is_empty()
    }

    /// How far it is to the skin, in metres; negative inside.
    pub fn distance(&self, point: DVec3) -> f64 {
        let point = DVec3::new(point.x.abs(), point.y, point.z);
        let mut body = FAR;
        for solid in &self.solids {
            let distance = solid.distance(point);
            body = match solid.deed {
                Deed::Add => smooth_min(body, distance, solid.blend),
                Deed::Carve => -smooth_min(-body, distance, solid.blend),
            };
        }
        body
    }

    /// The way out and how fast the distance grows that way, seen over a width in metres.
    pub fn gradient(&self, point: DVec3, width: f64) -> DVec3 {
        let half = width / 2.0;
        let along = |axis: DVec3| {
            (self.distance(point + axis * half) - self.distance(point - axis * half)) / width
        };
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
    }

    /// The point of the surface next to one that is near it. Points on the mirror plane stay there.
    pub fn onto_surface(&self, point: DVec3) -> DVec3 {
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
            if square < LEAST_SLOPE {
                break; // a ridge or a hollow: no way is out
            }
            let step = slope * (distance / square);
            point -= step.clamp_length_max(PROJECTION_REACH);
        }
        point
    }

    /// The colour of the solid that is nearest.
    pub fn paint(&self, point: DVec3) -> Paint {
        let point = DVec3::new(point.x.abs(), point.y, point.z);
        let added = self.solids.iter().filter(|s| s.deed == Deed::Add);
        added
            .map(|solid| (solid.distance(point), solid.paint))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(Paint::Skin, |(_, paint)| paint)
    }
}

const PROJECTION_STEPS: usize = 2;
/// In metres.
const PROJECTION_WIDTH: f64 = 1e-4;
/// The square of the least slope that shows a way.
const LEAST_SLOPE: f64 = 0.04;
/// The farthest that a point is moved at once, in metres.
const PROJECTION_REACH: f64 = 0.004;

/// The smaller of two, rounded where they are within `width` of each other.
fn smooth_min(a: f64, b: f64, width: f64) -> f64 {
    let near = (width - (a - b).abs()).max(0.0) / width;
    a.min(b) - near * near * width / 4.0
}
