//! The reference, played once and kept for many candidates.

use glam::{DAffine3, DVec3};
use rayon::prelude::*;

use super::plan::MeasurePlan;
use super::playback::{Playback, Played, Player};
use super::times::TimeKind;

/// A playback whose planned times are kept in memory, as many as fit; others are played again.
pub struct CachedReference<'a> {
    playback: &'a dyn Playback,
    /// For each clip, what was kept, by time.
    clips: Vec<Vec<Kept>>,
}

/// A time that was played; parts in a row.
struct Kept {
    time_secs: f64,
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
    part_sizes: Vec<usize>,
    model_from_joint: Vec<DAffine3>,
}

impl<'a> CachedReference<'a> {
    /// Plays the plan's times and keeps them until they take `max_bytes`.
    pub fn new(playback: &'a dyn Playback, plan: &MeasurePlan, max_bytes: usize) -> Self {
        let joints = plan.character.skeleton().len();
        let parts = plan.character.parts().len();
        let bytes = size_of::<Kept>()
            + 2 * plan.vertices() * size_of::<DVec3>()
            + joints * size_of::<DAffine3>()
            + parts * size_of::<usize>();
        let mut left = max_bytes / bytes;
        let mut clips = Vec::with_capacity(plan.clip_count());
        for clip in 0..plan.clip_count() {
            // Across the seam the reference is at its start, which is kept already.
            let times = plan.times_of(clip).filter(|t| t.kind != TimeKind::Seam);
            let mut times: Vec<f64> = times.map(|t| t.reference_secs).take(left).collect();
            times.sort_by(f64::total_cmp);
            left -= times.len();
            let buffers = || (playback.player(), Played::default());
            let kept = times.par_iter().with_min_len(MIN_SHARE).map_init(
                buffers,
                |(player, played), &time_secs| {
                    player.play(clip, time_secs, played);
                    Kept::new(time_secs, played)
                },
            );
            clips.push(kept.collect());
        }
        Self { playback, clips }
    }

    /// How many times are kept.
    pub fn kept(&self) -> usize {
        self.clips.iter().map(Vec::len).sum()
    }

    fn find(&self, clip: usize, time_secs: f64) -> Option<&Kept> {
        let kept = &self.clips[clip];
        let index = kept.partition_point(|k| k.time_secs < time_secs);
        kept.get(index).filter(|k| k.time_secs == time_secs)
    }
}

/// Times that one player plays at least, so that few players are made.
const MIN_SHARE: usize = 32;

impl Kept {
    fn new(time_secs: f64, played: &Played) -> Self {
        let parts = played.parts.iter();
        let join = |of: fn(&throng_skin::reference::Skinned) -> &[DVec3]| {
            let slices: Vec<&[DVec3]> = parts.clone().map(of).collect();
            slices.concat()
        };
        Self {
            time_secs,
            positions: join(|part| &part.positions),
            normals: join(|part| &part.normals),
            part_sizes: parts.clone().map(|part| part.positions.len()).collect(),
            model_from_joint: played.model_from_joint.clone(),
        }
    }

    fn write(&self, out: &mut Played) {
        out.set_parts(self.part_sizes.len());
        let mut first = 0;
        for (part, size) in out.parts.iter_mut().zip(&self.part_sizes) {
            let range = first..first + size;
            part.positions.clear();
            part.positions
                .extend_from_slice(&self.positions[range.clone()]);
            part.normals.clear();
            part.normals.extend_from_slice(&self.normals[range]);
            part.tangents.clear();
            first += size;
        }
        out.model_from_joint.clone_from(&self.model_from_joint);
    }
}

impl Playback for CachedReference<'_> {
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(CachedReferencePlayer {
            reference: self,
            live: None,
        })
    }
}

struct CachedReferencePlayer<'a> {
    reference: &'a CachedReference<'a>,
    /// Made when it is first needed.
    live: Option<Box<dyn Player + 'a>>,
}

impl Player for CachedReferencePlayer<'_> {
    fn play(&mut self, clip: usize, time_secs: f64, out: &mut Played) {
        match self.reference.find(clip, time_secs) {
            Some(kept) => kept.write(out),
            None => self
                .live
                .get_or_insert_with(|| self.reference.playback.player())
                .play(clip, time_secs, out),
        }
    }
}
