//! The bend bar: a square column with hard edges, as fine as it is asked to be.

use glam::{DVec3, Vec2, Vec3};
use throng_rig::Character;

use super::column::{BONES, HEIGHT, character, to_both_sides, turning};
use super::surface::{Surface, Vertex};

/// As many as the papers' bar has.
pub(super) const DEFAULT_VERTICES: usize = 312;
/// A box: six faces of four.
pub(super) const MIN_VERTICES: usize = 24;
/// The most that can be asked for.
pub(super) const MAX_VERTICES: usize = 1_000_000;

/// How wide and deep it is, in metres.
const WIDTH: f64 = 0.25;
/// How far each bone bends to either side, in degrees.
const BEND_DEGREES: f64 = 30.0;
/// Orange; linear RGBA.
const BASE_COLOR: [f32; 4] = [0.80, 0.33, 0.10, 1.0];

/// Segments along for one across, where quads are square.
const SQUARE: usize = (HEIGHT / WIDTH) as usize;
/// The fewest segments along for one across: quads four times as long as wide.
const FEWEST_ALONG: usize = SQUARE / 4;
/// The most segments along for one across: quads five times as wide as long.
const MOST_ALONG: usize = SQUARE * 5;

/// The bar whose vertex count is the nearest to `vertices` that its shape allows, with a clip `bend`.
///
/// Its quads are at most four times as long as wide and five times as wide as long. It has at least four
/// segments along, and fewer only below 48 vertices, down to a plain box.
pub(super) fn bar(vertices: usize) -> Character {
    let bend = turning("bend", 0..BONES, DVec3::Z, |phase| {
        BEND_DEGREES.to_radians() * to_both_sides(phase)
    });
    let surface = surface(Segments::nearest(vertices));
    character("bar", BASE_COLOR, surface, vec![bend])
}

/// How finely the bar is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segments {
    across: usize,
    along: usize,
}

impl Segments {
    /// Four sides and two caps, each with vertices of its own.
    fn vertex_count(self) -> usize {
        4 * (self.across + 1) * (self.along + 1) + 2 * (self.across + 1).pow(2)
    }

    /// The cut whose vertex count is nearest; of those equally near the one with the squarest quads,
    /// then the one with fewer segments across.
    fn nearest(vertices: usize) -> Self {
        let off = |cut: &Self| cut.vertex_count().abs_diff(vertices);
        // With more across than the root there are far too many, however few are along.
        let candidates = (1..=vertices.isqrt())
            .map(|across| Self::at_most(vertices, across))
            .flat_map(|cut| [Some(cut), cut.finer()])
            .flatten();
        candidates
            .min_by(|a, b| {
                let squarer = || a.stretch().total_cmp(&b.stretch());
                off(a).cmp(&off(b)).then_with(squarer)
            })
            .expect("a cut with one segment across is always among them")
    }

    /// The finest allowed cut of so many segments across with no more than so many vertices, or the
    /// coarsest allowed where even that has more.
    fn at_most(vertices: usize, across: usize) -> Self {
        let caps = 2 * (across + 1).pow(2);
        let rows = vertices.saturating_sub(caps) / (4 * (across + 1));
        let fewest = match across {
            1 => 1, // a box may be asked for
            _ => across * FEWEST_ALONG,
        };
        let along = rows.saturating_sub(1).clamp(fewest, across * MOST_ALONG);
        Self { across, along }
    }

    /// One segment more along, where the shape allows it.
    fn finer(self) -> Option<Self> {
        (self.along < self.across * MOST_ALONG).then_some(Self {
            along: self.along + 1,
            ..self
        })
    }

    /// How far quads are from square: 0 where they are, the same for twice as wide and twice as long.
    fn stretch(self) -> f64 {
        let square = (self.across * SQUARE) as f64;
        (self.along as f64 / square).ln().abs()
    }
}

fn surface(cut: Segments) -> Surface {
    let Segments { across, along } = cut;
    // Whole numbers are halved last, so that both ways round an edge give the same bits.
    let sideways = |i: usize| {
        let doubled = 2.0 * i as f64 - across as f64;
        (WIDTH * doubled / (2.0 * across as f64)) as f32
    };
    let upwards = |row: usize| (HEIGHT * row as f64 / along as f64) as f32;
    let fraction = |i: usize, of: usize| i as f32 / of as f32;
    let half_width = sideways(across);

    let mut surface = Surface::default();
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
        let coarse = (1..FEWEST_ALONG).map(|along| Segments { across: 1, along });
        coarse.chain((1..40).flat_map(|across| {
            let along = across * FEWEST_ALONG..=across * MOST_ALONG;
            along.map(move |along| Segments { across, along })
        }))
    }

    #[test]
    fn the_default_is_the_papers_bar() {
        let character = bar(DEFAULT_VERTICES);
        assert_eq!(character.meshes()[0].vertex_count(), 312);
        let cut = Segments::nearest(312);
        assert_eq!((cut.across, cut.along), (1, 37));
    }

    #[test]
    fn the_count_is_the_nearest_that_the_shape_allows() {
        let cuts: Vec<Segments> = allowed().collect();
        for wanted in (MIN_VERTICES..1200).chain([2_000, 4_321, 9_999]) {
            let off = |cut: &Segments| cut.vertex_count().abs_diff(wanted);
            let best = cuts.iter().map(off).min().unwrap();
            let found = Segments::nearest(wanted);
            assert!(cuts.contains(&found), "{wanted}: {found:?}");
            assert_eq!(off(&found), best, "{wanted}: {found:?}");
            // One segment across has steps of eight vertices; finer bars are within 2 %.
            assert!(best <= 4.max(wanted / 50), "{wanted}: {found:?}");
        }
    }

    #[test]
    fn the_mesh_has_the_count_that_was_found() {
        for (wanted, count) in [
            (24, 24),
            (29, 32),
            (50, 48),
            (1000, 1000),
            (319_999, 320_000),
        ] {
            let vertices = bar(wanted).meshes()[0].vertex_count();
            assert_eq!(vertices, count, "{wanted}");
        }
        assert_eq!(Segments::nearest(MAX_VERTICES).vertex_count(), MAX_VERTICES);
    }

    #[test]
    fn it_fills_its_box() {
        for wanted in [24, 312, 5000] {
            let volume = checks::signed_volume(&bar(wanted).meshes()[0]);
            // A millilitre is 1e-6 m³.
            assert!((volume - WIDTH * WIDTH * HEIGHT).abs() < 1e-6, "{volume}");
        }
    }

    #[test]
    fn it_arches_one_way_then_the_other() {
        let character = bar(DEFAULT_VERTICES);
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
