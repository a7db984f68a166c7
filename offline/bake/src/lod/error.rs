//! Largest error of levels over all times of all clips.
//!
//! Both points of a pair are skinned in float64 from the source, by the method of the set. Clips are divided at every key of
//! the source, and a polynomial through five times of each piece gives the largest distance, as in
//! [`crate::accuracy::verify`].

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::DVec3;
use rayon::prelude::*;
use throng_rig::{Character, Clip};

use super::pairs::Pair;
use crate::Progress;
use crate::accuracy::{
    NODES, POSITIONS, PointPlayer, SourcePlayback, Verdict, judge, source_pieces,
};

/// Largest value of a polynomial between the steps in which it is searched, as a multiple of that at a step.
const BETWEEN_STEPS: f64 = 1.000_5;

/// A level to prove the error of.
pub(super) struct PairedLevel {
    /// Index into [`Motions::playbacks`].
    pub variant: usize,
    pub pairs: Vec<Pair>,
    /// Distance that a pair is known to have, in metres.
    pub known_m: f64,
}

/// The source with all influences and with fewer.
pub(super) struct Motions<'a> {
    /// The first has all influences.
    pub playbacks: &'a [SourcePlayback<'a>],
    pub clips: &'a [&'a Clip],
    pub size_m: f64,
}

/// Returns the largest distance of the pairs of each level over all times, in metres.
pub(super) fn largest_errors(
    motions: &Motions<'_>,
    levels: &[PairedLevel],
    progress: &dyn Progress,
) -> Vec<f64> {
    let points = points_of(motions.playbacks[0].character());
    let clips = motions.clips.iter().enumerate();
    let pieces = clips.flat_map(|(clip, source)| {
        let pieces = source_pieces(source).into_iter();
        pieces.map(move |piece| (clip, piece))
    });
    let pieces: Vec<(usize, [f64; 2])> = pieces.collect();
    let next = AtomicUsize::new(0);
    let examine_some = |_| {
        let mut examiner = Examiner::new(motions, &points, levels);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(clip, piece)) = pieces.get(index) else {
                return examiner.largest;
            };
            examiner.examine(clip, piece);
            progress.step(index + 1, pieces.len());
        }
    };
    let known = || levels.iter().map(|level| level.known_m).collect();
    let largest = (0..rayon::current_num_threads())
        .into_par_iter()
        .map(examine_some)
        .reduce(known, |a: Vec<f64>, b| {
            a.into_iter().zip(b).map(|(a, b)| a.max(b)).collect()
        });
    let largest = largest.into_iter();
    largest.map(|error| BETWEEN_STEPS * error).collect()
}

/// Part and first vertex of each point.
fn points_of(character: &Character) -> Vec<[u32; 2]> {
    let parts = character.parts().iter().enumerate();
    let of_part = |(index, part)| {
        let first = character.mesh_of(part).unique().first_of_position();
        first.iter().map(move |&vertex| [index as u32, vertex])
    };
    parts.flat_map(of_part).collect()
}

/// Players of one playback at the nodes of a polynomial, and the positions of points there.
struct Nodes<'a> {
    players: [Box<dyn PointPlayer + 'a>; NODES],
    /// Points that are skinned.
    used: Vec<u32>,
    /// One per point; only those used are valid.
    positions: [Vec<DVec3>; NODES],
}

impl<'a> Nodes<'a> {
    fn new(playback: &'a SourcePlayback<'a>, used: Vec<u32>, points: usize) -> Self {
        Self {
            players: std::array::from_fn(|_| playback.points()),
            used,
            positions: std::array::from_fn(|_| vec![DVec3::ZERO; points]),
        }
    }

    fn seek(&mut self, clip: usize, [start, end]: [f64; 2]) {
        for (player, position) in self.players.iter_mut().zip(POSITIONS) {
            player.seek(clip, start + (end - start) * position);
        }
    }

    fn skin(&mut self, points: &[[u32; 2]]) {
        for (player, positions) in self.players.iter().zip(&mut self.positions) {
            for &point in &self.used {
                positions[point as usize] = position(player.as_ref(), points[point as usize]);
            }
        }
    }
}

fn position(player: &dyn PointPlayer, [part, vertex]: [u32; 2]) -> DVec3 {
    player.position(part as usize, vertex as usize)
}

/// Players and buffers of one thread.
struct Examiner<'a> {
    points: &'a [[u32; 2]],
    levels: &'a [PairedLevel],
    size_m: f64,
    /// One per playback; `None` where no level uses it.
    nodes: Vec<Option<Nodes<'a>>>,
    largest: Vec<f64>,
}

impl<'a> Examiner<'a> {
    fn new(motions: &'a Motions<'a>, points: &'a [[u32; 2]], levels: &'a [PairedLevel]) -> Self {
        let nodes = motions.playbacks.iter().enumerate();
        let nodes = nodes.map(|(variant, playback)| {
            let used: Vec<u32> = match variant {
                0 => (0..points.len() as u32).collect(),
                _ => corners_of(levels.iter().filter(|level| level.variant == variant)),
            };
            (!used.is_empty()).then(|| Nodes::new(playback, used, points.len()))
        });
        Self {
            points,
            levels,
            size_m: motions.size_m,
            nodes: nodes.collect(),
            largest: levels.iter().map(|level| level.known_m).collect(),
        }
    }

    /// Examines all pairs of all levels in a piece of a clip.
    fn examine(&mut self, clip: usize, piece: [f64; 2]) {
        for nodes in self.nodes.iter_mut().flatten() {
            nodes.seek(clip, piece);
            nodes.skin(self.points);
        }
        let mut again = vec![Vec::new(); self.levels.len()];
        for (level, again) in again.iter_mut().enumerate() {
            for (index, pair) in self.levels[level].pairs.iter().enumerate() {
                let errors = self.errors(level, pair, |nodes, node, point| {
                    nodes.positions[node][point as usize]
                });
                if !self.judge(level, &errors, 0) {
                    again.push(index as u32);
                }
            }
        }
        for (level, again) in again.iter().enumerate() {
            self.examine_halves(clip, piece, level, again, 0);
        }
    }

    /// Examines pairs of a level again, in both halves of a piece.
    fn examine_halves(
        &mut self,
        clip: usize,
        [start, end]: [f64; 2],
        level: usize,
        pairs: &[u32],
        depth: usize,
    ) {
        if pairs.is_empty() {
            return;
        }
        let middle = 0.5 * (start + end);
        for half in [[start, middle], [middle, end]] {
            for nodes in self.nodes.iter_mut().flatten() {
                nodes.seek(clip, half);
            }
            let mut again = Vec::new();
            for &index in pairs {
                let pair = &self.levels[level].pairs[index as usize];
                let errors = self.errors(level, pair, |nodes, node, point| {
                    position(nodes.players[node].as_ref(), self.points[point as usize])
                });
                if !self.judge(level, &errors, depth + 1) {
                    again.push(index);
                }
            }
            self.examine_halves(clip, half, level, &again, depth + 1);
        }
    }

    /// Differences of a pair at the nodes.
    #[inline(always)]
    fn errors(
        &self,
        level: usize,
        pair: &Pair,
        position: impl Fn(&Nodes<'a>, usize, u32) -> DVec3,
    ) -> [DVec3; NODES] {
        let [full, coarse] = [0, self.levels[level].variant].map(|variant| {
            let nodes = self.nodes[variant].as_ref();
            nodes.expect("playbacks of levels have players")
        });
        std::array::from_fn(|node| {
            let corners = pair.corners.iter().zip(pair.weights);
            let on_surface: DVec3 = corners
                .map(|(&corner, weight)| position(coarse, node, corner) * weight)
                .sum();
            position(full, node, pair.point) - on_surface
        })
    }

    /// Keeps the error of a pair in a piece. Returns false where it has not converged.
    fn judge(&mut self, level: usize, errors: &[DVec3; NODES], depth: usize) -> bool {
        let known = self.levels[level].known_m;
        match judge(errors, known, self.size_m, depth) {
            Verdict::Below => true,
            Verdict::NotConverged => false,
            Verdict::Peak(peak) => {
                self.largest[level] = self.largest[level].max(peak.bound());
                true
            }
        }
    }
}

/// Corners of all pairs, each once.
fn corners_of<'a>(levels: impl Iterator<Item = &'a PairedLevel>) -> Vec<u32> {
    let pairs = levels.flat_map(|level| &level.pairs);
    let mut corners: Vec<u32> = pairs.flat_map(|pair| pair.corners).collect();
    corners.sort_unstable();
    corners.dedup();
    corners
}
