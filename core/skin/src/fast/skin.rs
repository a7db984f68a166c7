//! Skins a mesh into batches: chooses the kernel and divides the work among cores.

use std::marker::PhantomData;

use throng_simd::{Lanes, Level, Wide, WideTask};

use super::kernel::{
    BatchPair, BlendByVertexKernel, BlendKernel, BlendPositionsKernel, BulgeFreeKernel, CorKernel,
    Kernel, LinearKernel, MoveBytesKernel, Out, Prepared, RigidKernel, SclerpKernel, Scratch,
};
use super::mesh::{MAX_RUN_BATCHES, REST_ROWS, Run};
use super::palette::{FastPalette, Kind};
use super::skinned::{FastSkinned, SkinnedBatch};
use super::{Cores, FastMesh, FastOptions};

/// Number of rows that are prefetched ahead of the kernel if results are streamed. The mesh is not in the cache
/// either then, and the hardware prefetcher falls behind a kernel that computes.
const AHEAD_ROWS: usize = 160;

/// Smallest share of a core, in batches. Less is done before another core has woken up.
const MIN_SHARE_BATCHES: usize = 2048;

/// Skins a mesh, in batch order. The result does not depend on the number of cores.
///
/// # Panics
/// If the palette has fewer joints than the mesh uses, or the machine lacks the level.
pub fn skin(mesh: &FastMesh, palette: &FastPalette, options: FastOptions, out: &mut FastSkinned) {
    check_joints(mesh, palette);
    run(mesh, palette, Operation::Skin, options, out);
}

/// Skins a mesh on the calling thread. Calls `take` with a few batches at a time and the index of the first,
/// while they are in the cache. All batches come once, in order. `piece` is memory for them.
///
/// # Panics
/// As [`skin`].
pub fn skin_in_pieces(
    mesh: &FastMesh,
    palette: &FastPalette,
    level: Level,
    piece: &mut FastSkinned,
    mut take: impl FnMut(usize, &[SkinnedBatch]),
) {
    check_joints(mesh, palette);
    let job = Job {
        mesh,
        palette,
        operation: Operation::Skin,
        level,
        streams: false,
    };
    let mut runs = mesh.runs();
    while let Some(first) = runs.first() {
        // At least one run, and no more than fits the first-level cache.
        let end = first.first_batch + MAX_RUN_BATCHES;
        let fits = runs.partition_point(|run| run.first_batch + run.batches <= end);
        let (taken, rest) = runs.split_at(fits);
        let batches = taken.iter().map(|run| run.batches).sum();
        let out = piece.resize(batches);
        job.run(taken, out);
        take(first.first_batch, out);
        runs = rest;
    }
}

fn check_joints(mesh: &FastMesh, palette: &FastPalette) {
    assert!(
        mesh.vertex_count() == 0 || mesh.max_joint() < palette.len(),
        "the mesh uses palette index {}, but the palette has {} joints: use the palette of the mesh's skin",
        mesh.max_joint(),
        palette.len()
    );
}

/// Reads and writes the same bytes as [`skin`] and computes almost nothing. For benchmarks: the limit that memory
/// bandwidth sets.
pub fn move_bytes(
    mesh: &FastMesh,
    palette: &FastPalette,
    options: FastOptions,
    out: &mut FastSkinned,
) {
    run(mesh, palette, Operation::MoveBytes, options, out);
}

fn run(
    mesh: &FastMesh,
    palette: &FastPalette,
    operation: Operation,
    options: FastOptions,
    out: &mut FastSkinned,
) {
    let out = out.resize(mesh.batch_count());
    let job = Job {
        mesh,
        palette,
        operation,
        level: options.level,
        streams: options.store_mode.streams(size_of_val(out)),
    };
    match options.cores {
        Cores::One => job.run(mesh.runs(), out),
        Cores::All => job.share(rayon::current_num_threads(), mesh.runs(), out),
    }
}

#[derive(Clone, Copy)]
enum Operation {
    Skin,
    MoveBytes,
}

#[derive(Clone, Copy)]
struct Job<'a> {
    mesh: &'a FastMesh,
    palette: &'a FastPalette,
    operation: Operation,
    level: Level,
    streams: bool,
}

impl Job<'_> {
    /// Gives each core a share. The calling thread takes the first, so that it never waits for another to wake
    /// up. `out` holds the batches of the runs.
    fn share(&self, cores: usize, runs: &[Run], out: &mut [SkinnedBatch]) {
        if cores < 2 || out.len() <= MIN_SHARE_BATCHES || runs.len() < 2 {
            return self.run(runs, out);
        }
        let end = runs[0].first_batch + out.len() / cores;
        let split = runs.partition_point(|run| run.first_batch < end);
        let split = split.clamp(1, runs.len() - 1);
        let (first_runs, other_runs) = runs.split_at(split);
        let (first, other) = out.split_at_mut(other_runs[0].first_batch - runs[0].first_batch);
        rayon::in_place_scope(|scope| {
            scope.spawn(|_| self.share(cores - 1, other_runs, other));
            self.run(first_runs, first);
        });
    }

    fn run(&self, runs: &[Run], out: &mut [SkinnedBatch]) {
        let stretched = !self.palette.stretches.is_empty();
        match (self.operation, self.palette.kind, stretched) {
            (Operation::MoveBytes, _, _) => self.run_kernel::<MoveBytesKernel>(runs, out),
            (_, Kind::Linear, false) => self.run_kernel::<LinearKernel<false>>(runs, out),
            (_, Kind::Linear, true) => self.run_kernel::<LinearKernel<true>>(runs, out),
            (_, Kind::Rigid(_), false) => self.run_kernel::<RigidKernel<false>>(runs, out),
            (_, Kind::Rigid(_), true) => self.run_kernel::<RigidKernel<true>>(runs, out),
            (_, Kind::BulgeFree, false) => self.run_kernel::<BulgeFreeKernel<false>>(runs, out),
            (_, Kind::BulgeFree, true) => self.run_kernel::<BulgeFreeKernel<true>>(runs, out),
            (_, Kind::Cor, false) => self.run_kernel::<CorKernel<false>>(runs, out),
            (_, Kind::Cor, true) => self.run_kernel::<CorKernel<true>>(runs, out),
            (_, Kind::Sclerp, false) => self.run_kernel::<SclerpKernel<false>>(runs, out),
            (_, Kind::Sclerp, true) => self.run_kernel::<SclerpKernel<true>>(runs, out),
            (_, Kind::Blend(_), false) => self.run_kernel::<BlendKernel<false>>(runs, out),
            (_, Kind::Blend(_), true) => self.run_kernel::<BlendKernel<true>>(runs, out),
            (_, Kind::BlendByVertex(_), false) => {
                self.run_kernel::<BlendByVertexKernel<false>>(runs, out);
            }
            (_, Kind::BlendByVertex(_), true) => {
                self.run_kernel::<BlendByVertexKernel<true>>(runs, out);
            }
            (_, Kind::BlendPositions(_), false) => {
                self.run_kernel::<BlendPositionsKernel<false>>(runs, out);
            }
            (_, Kind::BlendPositions(_), true) => {
                self.run_kernel::<BlendPositionsKernel<true>>(runs, out);
            }
        }
    }

    fn run_kernel<K: Kernel>(&self, runs: &[Run], out: &mut [SkinnedBatch]) {
        self.level.run_wide(RunKernel {
            job: self,
            runs,
            out,
            kernel: PhantomData::<K>,
        });
    }

    #[inline(always)]
    fn run_at<V: Wide, K: Kernel>(&self, runs: &[Run], mut out: &mut [SkinnedBatch]) {
        // A local of this alignment makes the compiler align the stack, and with it spilled registers. Unaligned,
        // they straddle cache lines and sometimes pages, at half the speed or less.
        std::hint::black_box(&mut { Lanes::ZERO });
        let mut scratch = Scratch::default();
        for run in runs {
            let (batches, rest) = out.split_at_mut(run.batches);
            out = rest;
            match run.influences {
                _ if !V::UNROLLS => self.run_one::<V, K, 0>(run, batches, &mut scratch),
                1 => self.run_one::<V, K, 1>(run, batches, &mut scratch),
                2 => self.run_one::<V, K, 2>(run, batches, &mut scratch),
                3 => self.run_one::<V, K, 3>(run, batches, &mut scratch),
                4 => self.run_one::<V, K, 4>(run, batches, &mut scratch),
                _ => self.run_one::<V, K, 0>(run, batches, &mut scratch),
            }
        }
    }

    #[inline(always)]
    fn run_one<'a, V: Wide, K: Kernel, const N: usize>(
        &'a self,
        run: &Run,
        out: &mut [SkinnedBatch],
        scratch: &mut Scratch,
    ) {
        let kernel = K::Of::<'a, N>::new(self.palette, self.mesh.joints_of(run), scratch);
        let records = self.mesh.records_of(run);
        let pivots = self.mesh.pivots_of(run);
        let factors = self.mesh.factors_of(run);
        let centers = self.mesh.centers_of(run);
        // The length of a record is known at compile time if `N` is.
        let rows = REST_ROWS + if N == 0 { run.influences } else { N };
        for (index, out) in out.chunks_mut(V::WIDTH).enumerate() {
            let first = index * V::WIDTH;
            let second = first + out.len() - 1;
            if K::PREFETCHES && self.streams {
                prefetch::<V>(records, second * rows + AHEAD_ROWS, rows);
            }
            let pair = BatchPair {
                records: [
                    &records[first * rows..][..rows],
                    &records[second * rows..][..rows],
                ],
                pivots: [&pivots[first], &pivots[second]],
                factors: [&factors[first], &factors[second]],
                centers: centers.map(|centers| [&centers[first], &centers[second]]),
            };
            let (first, rest) = out.split_first_mut().expect("chunks are not empty");
            let mut out = Out {
                first,
                second: rest.first_mut(),
                streams: self.streams,
            };
            kernel.skin::<V>(&pair, scratch, &mut out);
        }
    }
}

/// One kernel over the runs of a job, compiled per level.
struct RunKernel<'a, K> {
    job: &'a Job<'a>,
    runs: &'a [Run],
    out: &'a mut [SkinnedBatch],
    kernel: PhantomData<K>,
}

impl<K: Kernel> WideTask for RunKernel<'_, K> {
    #[inline(always)]
    fn run<V: Wide>(self) {
        self.job.run_at::<V, K>(self.runs, self.out);
    }
}

/// Prefetches a record, two rows per cache line. Past the end of the mesh nothing happens.
#[inline(always)]
fn prefetch<V: Wide>(records: &[Lanes], first_row: usize, rows: usize) {
    let first = records.as_ptr().wrapping_add(first_row);
    for row in (0..rows).step_by(2) {
        V::prefetch(first.wrapping_add(row));
    }
}
