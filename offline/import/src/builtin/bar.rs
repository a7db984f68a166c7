//! The bar: a bending square column with hard edges and a given number of vertices.

use glam::{DVec3, Vec2, Vec3};
use throng_rig::Character;

use super::column::{BONES, HEIGHT, character, rotation_clip, sine};
use super::surface::{FaceVertices, Surface, Vertex};

/// Number of vertices of the bar in the papers.
pub(super) const DEFAULT_VERTICES: usize = 312;
/// Number of vertices of a box: six faces of four.
pub(super) const MIN_VERTICES: usize = 24;
/// Maximum number of vertices.
pub(super) const MAX_VERTICES: usize = 1_000_000;

/// Width and depth, in metres.
const WIDTH: f64 = 0.25;
/// Maximum bend of each bone to either side, in degrees.
const BEND_DEGREES: f64 = 30.0;
/// Orange; linear RGBA.
const BASE_COLOR: [f32; 4] = [0.80, 0.33, 0.10, 1.0];

/// Segments along per segment across that make quads square.
const SQUARE: usize = (HEIGHT / WIDTH) as usize;
/// Minimum number of segments along per segment across: quads four times as long as wide.
const MIN_ALONG: usize = SQUARE / 4;
/// Maximum number of segments along per segment across: quads five times as wide as long.
const MAX_ALONG: usize = SQUARE * 5;

/// Generates the bar with the number of vertices nearest to `vertices`, and its clip `bend`.
///
/// Quads are at most four times as long as wide and at most five times as wide as long. The bar has at
/// least four segments along, and fewer only below 48 vertices, down to a plain box.
pub(super) fn bar(vertices: usize, faces: FaceVertices) -> Character {
    let bend = rotation_clip("bend", 0..BONES, DVec3::Z, |phase| {
        BEND_DEGREES.to_radians() * sine(phase)
    });
    let surface = surface(Segments::nearest(vertices), faces);
    character("bar", BASE_COLOR, surface, vec![bend])
}

/// Number of segments across and along the bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segments {
    across: usize,
    along: usize,
}

impl Segments {
    /// Returns the number of vertices: four sides and two caps share none.
    fn vertex_count(self) -> usize {
        4 * (self.across + 1) * (self.along + 1) + 2 * (self.across + 1).pow(2)
    }

    /// Returns the segments with the nearest number of vertices. Ties go to the squarest quads, then to
    /// fewer segments across.
    fn nearest(vertices: usize) -> Self {
        let difference = |segments: &Self| segments.vertex_count().abs_diff(vertices);
        // More segments across than the square root give too many vertices in any case.
        let candidates = (1..=vertices.isqrt())
            .map(|across| Self::at_most(vertices, across))
            .flat_map(|segments| [Some(segments), segments.finer()])
            .flatten();
        candidates
            .min_by(|a, b| {
                let squarer = || a.stretch().total_cmp(&b.stretch());
                difference(a).cmp(&difference(b)).then_with(squarer)
            })
            .expect("one segment across is always a candidate")
    }

    /// Returns the finest allowed segments with at most `vertices` vertices, or the coarsest allowed ones if
    /// even those have more.
    fn at_most(vertices: usize, across: usize) -> Self {
        let caps = 2 * (across + 1).pow(2);
        let rows = vertices.saturating_sub(caps) / (4 * (across + 1));
        let min_along = match across {
            1 => 1, // a plain box is allowed
            _ => across * MIN_ALONG,
        };
        let along = rows.saturating_sub(1).clamp(min_along, across * MAX_ALONG);
        Self { across, along }
    }

    /// Returns one more segment along, if allowed.
    fn finer(self) -> Option<Self> {
        (self.along < self.across * MAX_ALONG).then_some(Self {
            along: self.along + 1,
            ..self
        })
    }

    /// Returns the deviation of quads from square: 0 if square, equal for twice as wide and twice as long.
    fn stretch(self) -> f64 {
        let square = (self.across * SQUARE) as f64;
        (self.along as f64 / square).ln().abs()
    }
}

fn surface(segments: Segments, faces: FaceVertices) -> Surface {
    let Segments { across, along } = segments;
    // Integers are halved last, so that both faces at an edge get the same bits.
    let sideways = |i: usize| {
        let doubled = 2.0 * i as f64 - across as f64;
        (WIDTH * doubled / (2.0 * across as f64)) as f32
    };
    let upwards = |row: usize| (HEIGHT * row as f64 / along as f64) as f32;
    let fraction = |i: usize, of: usize| i as f32 / of as f32;
    let half_width = sideways(across);

    let mut surface = Surface::new(faces);
    for (side, normal) in [Vec3::Z, Vec3::X, Vec3::NEG_Z, Vec3::NEG_X]
        .into_iter()
        .enumerate()
    {
        let right = Vec3::Y.cross(normal);
        surface.add_grid(across, along, |i, row| Vertex {
            position: normal * half_width + right * sideways(i) + Vec3::Y * upwards(row),
            normal,
            uv: Vec2::new(
                (side as f32 + fraction(i, across)) / 4.0,
                1.0 - fraction(row, along),
            ),
            color: [1.0; 4],
        });
    }
    for (normal, right, up, row) in [
        (Vec3::Y, Vec3::X, Vec3::NEG_Z, along),
        (Vec3::NEG_Y, Vec3::X, Vec3::Z, 0),
    ] {
        surface.add_grid(across, across, |i, j| Vertex {
            position: right * sideways(i) + up * sideways(j) + Vec3::Y * upwards(row),
            normal,
            uv: Vec2::new(fraction(i, across), 1.0 - fraction(j, across)),
            color: [1.0; 4],
        });
    }
    surface
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::checks;
    use throng_rig::CharacterPose;

    fn allowed() -> impl Iterator<Item = Segments> {
        let coarse = (1..MIN_ALONG).map(|along| Segments { across: 1, along });
        coarse.chain((1..40).flat_map(|across| {
            let along = across * MIN_ALONG..=across * MAX_ALONG;
            along.map(move |along| Segments { across, along })
        }))
    }

    #[test]
    fn default_matches_the_bar_of_the_papers() {
        let character = bar(DEFAULT_VERTICES, FaceVertices::Shared);
        assert_eq!(character.meshes()[0].vertex_count(), 312);
        let segments = Segments::nearest(312);
        assert_eq!((segments.across, segments.along), (1, 37));
    }

    #[test]
    fn finds_the_nearest_allowed_vertex_count() {
        let all: Vec<Segments> = allowed().collect();
        for wanted in (MIN_VERTICES..1200).chain([2_000, 4_321, 9_999]) {
            let difference = |segments: &Segments| segments.vertex_count().abs_diff(wanted);
            let best = all.iter().map(difference).min().unwrap();
            let found = Segments::nearest(wanted);
            assert!(all.contains(&found), "{wanted}: {found:?}");
            assert_eq!(difference(&found), best, "{wanted}: {found:?}");
            // One segment across has steps of eight vertices; finer bars are within 2 %.
            assert!(best <= 4.max(wanted / 50), "{wanted}: {found:?}");
        }
    }

    #[test]
    fn mesh_has_the_vertex_count_of_its_segments() {
        for (wanted, count) in [
            (24, 24),
            (29, 32),
            (50, 48),
            (1000, 1000),
            (319_999, 320_000),
        ] {
            let vertices = bar(wanted, FaceVertices::Shared).meshes()[0].vertex_count();
            assert_eq!(vertices, count, "{wanted}");
        }
        assert_eq!(Segments::nearest(MAX_VERTICES).vertex_count(), MAX_VERTICES);
    }

    #[test]
    fn volume_equals_that_of_the_box() {
        for wanted in [24, 312, 5000] {
            let volume = checks::signed_volume(&bar(wanted, FaceVertices::Shared).meshes()[0]);
            // A millilitre is 1e-6 m³.
            assert!((volume - WIDTH * WIDTH * HEIGHT).abs() < 1e-6, "{volume}");
        }
    }

    #[test]
    fn bends_to_both_sides() {
        let character = bar(DEFAULT_VERTICES, FaceVertices::Shared);
        let clip = &character.clips()[0];
        assert_eq!(clip.name, "bend");
        let mut pose = CharacterPose::rest(&character);
        let mut tip_at = |secs: f64| {
            pose.sample(&character, clip, secs);
            pose.model.model_from_joint[BONES].translation
        };
        let (left, middle, right) = (tip_at(0.5), tip_at(1.0), tip_at(1.5));
        assert!(left.x < -1.0 && left.y < 1.0, "{left}");
        assert!(middle.abs_diff_eq(DVec3::Y * HEIGHT, 1e-6), "{middle}");
        assert!(right.abs_diff_eq(DVec3::new(-left.x, left.y, left.z), 1e-6));
    }
}
