//! Cameras by name, each suited to a kind of formation.

use std::f32::consts::TAU;

use glam::Vec3;

use crate::arrangement::{Bowl, Street};
use crate::{Arrangement, Camera, View};

/// A camera by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CameraName {
    /// The camera that suits the arrangement.
    #[default]
    Auto,
    /// From the front, as high as fills the picture.
    Front,
    /// From above.
    High,
    /// From the middle of a street, along it.
    Street,
    /// From a seat of a stadium, over the field.
    Stadium,
    /// Low and close in front of the nearest instances.
    Hero,
}

/// A crowd as cameras see it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Formation {
    /// Arrangement; `None` for positions of the caller.
    pub arrangement: Option<Arrangement>,
    /// Number of instances.
    pub count: u32,
    /// Distance between neighbours in metres.
    pub spacing: f32,
    /// Size of the character in metres.
    pub size: f32,
    /// Height of the ground in metres.
    pub ground_y: f32,
}

/// Width or height of the picture that a crowd fills at least.
const FILLED: f32 = 0.9;
/// Part of the other side of the picture that ends the search for a higher camera.
const FILLED_BOTH: f32 = 0.84;
/// Least number of people of a stadium that is seen from a seat; a smaller one is seen from above.
const FULL_STADIUM: u32 = 400;
/// Lowest, highest and step of the angles that [`CameraName::Front`] tries.
const PITCHES: [f32; 3] = [0.16, 0.42, 0.02];

impl CameraName {
    /// All names.
    pub const ALL: [Self; 6] = [
        Self::Auto,
        Self::Front,
        Self::High,
        Self::Street,
        Self::Stadium,
        Self::Hero,
    ];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Front => "front",
            Self::High => "high",
            Self::Street => "street",
            Self::Stadium => "stadium",
            Self::Hero => "hero",
        }
    }

    /// One line about it.
    pub fn about(self) -> &'static str {
        match self {
            Self::Auto => "The camera that suits the arrangement",
            Self::Front => "From the front, as high as fills the picture",
            Self::High => "From above",
            Self::Street => "From the middle of a street, along it",
            Self::Stadium => "From a seat of a stadium, over the field",
            Self::Hero => "Low and close in front of the nearest instances",
        }
    }

    /// Arrangement that the camera is made for.
    pub fn arrangement(self) -> Option<Arrangement> {
        match self {
            Self::Street => Some(Arrangement::Street),
            Self::Stadium => Some(Arrangement::Stadium),
            _ => None,
        }
    }

    /// Returns the camera for a crowd; `points` are the corners of its bounding boxes.
    pub fn camera(
        self,
        formation: &Formation,
        points: impl IntoIterator<Item = Vec3>,
        aspect: f32,
    ) -> Camera {
        let points = outline(points);
        let arrangement = formation.arrangement;
        match self {
            Self::Auto => {
                let suited = match arrangement {
                    Some(Arrangement::Ring | Arrangement::Disc) => Self::High,
                    Some(Arrangement::Street) => Self::Street,
                    Some(Arrangement::Stadium) => Self::Stadium,
                    Some(Arrangement::Grid | Arrangement::Scatter) | None => Self::Front,
                };
                suited.camera(formation, points, aspect)
            }
            Self::Street if arrangement == Some(Arrangement::Street) => {
                street(formation, &points, aspect)
            }
            Self::Stadium
                if arrangement == Some(Arrangement::Stadium) && formation.count >= FULL_STADIUM =>
            {
                stadium(formation, &points, aspect)
            }
            Self::Front => front(&points, aspect),
            Self::Hero | Self::Street => hero(formation, &points, aspect),
            Self::High | Self::Stadium => Camera::framing(points, HIGH, aspect),
        }
    }
}

/// View of [`CameraName::High`].
const HIGH: View = View {
    yaw_rad: 0.0,
    pitch_rad: 0.44,
    fov_rad: 0.5,
    margin: 0.01,
};

/// Returns the points that are farthest along 64 directions on the ground, each gently and steeply raised and lowered: of
/// the convex hull, enough to frame all points.
fn outline(points: impl IntoIterator<Item = Vec3>) -> Vec<Vec3> {
    const DIRECTIONS: usize = 64;
    let directions: [Vec3; DIRECTIONS] = std::array::from_fn(|index| {
        let (sin, cos) = (TAU * index as f32 / DIRECTIONS as f32).sin_cos();
        Vec3::new(cos, 0.0, sin)
    });
    let mut farthest: [[Option<(f32, Vec3)>; 4]; DIRECTIONS] = [[None; 4]; DIRECTIONS];
    for point in points {
        for (direction, farthest) in directions.iter().zip(&mut farthest) {
            let along = direction.dot(point);
            for (slope, best) in [0.5, -0.5, 4.0, -4.0].into_iter().zip(farthest) {
                // Height counts, so that the tops of those at the edge are kept.
                let along = along + slope * point.y;
                if best.is_none_or(|(known, _)| known < along) {
                    *best = Some((along, point));
                }
            }
        }
    }
    let points = farthest.into_iter().flatten().flatten();
    points.map(|(_, point)| point).collect()
}

/// Returns the lowest camera whose picture is filled, else the one that fills most.
fn front(points: &[Vec3], aspect: f32) -> Camera {
    let [low, high, step] = PITCHES;
    let steps = ((high - low) / step).round() as u32;
    let cameras = (0..=steps).map(|index| {
        let view = View {
            pitch_rad: low + step * index as f32,
            margin: 0.04,
            ..View::CROWD
        };
        Camera::framing(points.iter().copied(), view, aspect)
    });
    let mut best: Option<(f32, Camera)> = None;
    for camera in cameras {
        let [width, height] = filled(&camera, points);
        if width.max(height) >= FILLED && width.min(height) >= FILLED_BOTH {
            return camera;
        }
        if best.is_none_or(|(known, _)| known + 0.01 < width * height) {
            best = Some((width * height, camera));
        }
    }
    best.map_or_else(
        || Camera::framing([], View::CROWD, aspect),
        |(_, camera)| camera,
    )
}

/// Returns the parts of the width and of the height of a picture that points span.
fn filled(camera: &Camera, points: &[Vec3]) -> [f32; 2] {
    let clip_from_world = camera.clip_from_world();
    let (min, max) = points
        .iter()
        .map(|&point| clip_from_world.project_point3(point))
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), p| {
            (min.min(p), max.max(p))
        });
    [0.5 * (max.x - min.x), 0.5 * (max.y - min.y)]
}

/// Returns the distance of the farthest point, with some room behind.
fn far(eye: Vec3, points: &[Vec3]) -> f32 {
    let farthest = points.iter().map(|point| point.distance(eye));
    1.5 * farthest.fold(1e-3, f32::max)
}

fn hero(formation: &Formation, points: &[Vec3], aspect: f32) -> Camera {
    let (size, nearest) = (
        formation.size,
        points.iter().fold(0.0, |z: f32, p| z.max(p.z)),
    );
    let ground = Vec3::Y * formation.ground_y;
    let eye = ground + Vec3::new(-0.5 * size, 0.62 * size, nearest + 1.5 * size);
    let at = ground + Vec3::new(0.15 * size, 0.56 * size, nearest - 2.0 * size);
    Camera::looking(eye, at, 0.72, aspect, far(eye, points))
}

fn street(formation: &Formation, points: &[Vec3], aspect: f32) -> Camera {
    let &Formation {
        count,
        spacing,
        size,
        ground_y,
        ..
    } = formation;
    let street = Street::new(count);
    let half = street.half_width() * spacing;
    let length = street.length() * spacing;
    let eye = Vec3::new(0.16 * half, ground_y + 1.75 * size, 2.0 * size);
    let at = Vec3::new(
        -0.04 * half,
        ground_y + 0.5 * size,
        -(0.3 * length).min(8.0 * size),
    );
    Camera::looking(eye, at, 0.66, aspect, far(eye, points))
}

fn stadium(formation: &Formation, points: &[Vec3], aspect: f32) -> Camera {
    let &Formation {
        count,
        spacing,
        size,
        ground_y,
        ..
    } = formation;
    let bowl = Bowl::new(count);
    let seat = bowl.on_long_side(0.72) * spacing;
    let field = bowl.field() * spacing;
    let eye = seat + Vec3::new(0.30 * field.x, ground_y + 1.7 * size, 0.0);
    let at = Vec3::new(
        -0.12 * field.x,
        ground_y - 0.35 * bowl.top() * spacing,
        -0.45 * field.y,
    );
    Camera::looking(eye, at, 0.86, aspect, far(eye, points))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Random, places};

    /// Corners of boxes of people at the places of a crowd.
    fn boxes(arrangement: Arrangement, count: u32) -> Vec<Vec3> {
        let places = (0..).zip(places(arrangement, count, 0.51));
        let corners = places.flat_map(|(index, place)| {
            let transform = place.world_from_model(1.3, &mut Random::of_instance(0, index));
            let corner = move |i: u32| {
                let side = |bit: u32| if i & bit == 0 { -0.35 } else { 0.35 };
                Vec3::new(side(1), if i & 2 == 0 { 0.0 } else { 1.8 }, side(4))
            };
            (0..8).map(move |i| transform.transform_point3(corner(i)))
        });
        corners.collect()
    }

    fn formation(arrangement: Arrangement, count: u32) -> Formation {
        Formation {
            arrangement: Some(arrangement),
            count,
            spacing: 1.3,
            size: 1.8,
            ground_y: 0.0,
        }
    }

    #[test]
    fn crowds_fill_the_picture() {
        for arrangement in Arrangement::FLAT {
            for count in [2, 5, 20, 100, 2000] {
                let points = boxes(arrangement, count);
                let formation = formation(arrangement, count);
                let camera = CameraName::Auto.camera(&formation, points.iter().copied(), 1.78);
                let [width, height] = filled(&camera, &points);
                assert!(width < 1.0 && height < 1.0, "{arrangement:?} of {count}");
                assert!(
                    width.max(height) >= FILLED,
                    "{arrangement:?} of {count}: {width} × {height}"
                );
            }
        }
    }

    #[test]
    fn cameras_of_formations_see_people_over_the_whole_width() {
        for arrangement in [Arrangement::Street, Arrangement::Stadium] {
            for count in [60, 300, 3000] {
                let points = boxes(arrangement, count);
                let formation = formation(arrangement, count);
                let camera = CameraName::Auto.camera(&formation, points.iter().copied(), 1.78);
                let clip_from_world = camera.clip_from_world();
                let seen = points.iter().filter_map(|&point| {
                    let at = clip_from_world * point.extend(1.0);
                    let is_seen = at.w > camera.near && at.x.abs() < at.w && at.y.abs() < at.w;
                    is_seen.then_some(at.x / at.w)
                });
                let (low, high, number) = seen.fold((0f32, 0f32, 0), |(low, high, number), x| {
                    (low.min(x), high.max(x), number + 1)
                });
                assert!(
                    number * 4 > points.len(),
                    "{arrangement:?} of {count}: {number}"
                );
                assert!(
                    high - low > if count < 100 { 1.3 } else { 1.8 },
                    "{arrangement:?} of {count}: {low} to {high}"
                );
            }
        }
    }

    #[test]
    fn the_outline_frames_as_all_points_do() {
        let points = boxes(Arrangement::Disc, 500);
        let outlined = Camera::framing(outline(points.iter().copied()), HIGH, 1.6);
        let all = Camera::framing(points.iter().copied(), HIGH, 1.6);
        // 1 % of the distance.
        let distance = all.eye.length();
        assert!(outlined.eye.distance(all.eye) < 0.01 * distance);
    }
}
