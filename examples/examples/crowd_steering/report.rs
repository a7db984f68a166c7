//! Measurements of a run.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use throng_examples::steering::FootSlide;
use throng_examples::steering::foot_slide::{Kind, Spread};
use throng_format::TextureSet;

use crate::STEP;
use crate::walkers::Walkers;

/// Agents whose feet are measured.
const SAMPLE: usize = 300;
/// Steps of the comparison of one core with all cores.
const COMPARED_STEPS: u32 = 12;

/// Times and foot slide of a run.
pub struct Report<'s> {
    feet: FootSlide<'s>,
    frames: u32,
    steering: Duration,
    update: Duration,
}

impl<'s> Report<'s> {
    /// Begins a report.
    pub fn new(set: &'s TextureSet, walkers: &Walkers) -> Result<Self, String> {
        Ok(Self {
            feet: FootSlide::new(set, SAMPLE.min(walkers.instances().len()))?,
            frames: 0,
            steering: Duration::ZERO,
            update: Duration::ZERO,
        })
    }

    /// Times a step of the simulation.
    pub fn steering(&mut self, step: impl FnOnce()) {
        let start = Instant::now();
        step();
        self.steering += start.elapsed();
        self.frames += 1;
    }

    /// Times a change of the instance buffer.
    pub fn update<T>(&mut self, update: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = update();
        self.update += start.elapsed();
        result
    }

    /// Measures the feet after a step.
    pub fn observe(&mut self, walkers: &Walkers) {
        let gaits = walkers.gaits();
        let clips = [&gaits.idle, &gaits.walk, &gaits.run].map(|stride| stride.clip);
        self.feet.observe(walkers.instances(), clips, walkers.now());
    }

    /// Writes everything that was measured.
    pub fn write(&self, walkers: &mut Walkers, out: &mut impl Write) -> io::Result<()> {
        let frames = f64::from(self.frames.max(1));
        let ms = |duration: Duration| 1e3 * duration.as_secs_f64() / frames;
        let overlaps = walkers.simulation().overlaps();
        let levels = walkers
            .simulation()
            .agents()
            .iter()
            .map(|agent| agent.gait.level);
        let [idle, walk, run] = levels.fold([0; 3], |mut counts, level| {
            counts[level.round() as usize] += 1;
            counts
        });
        writeln!(
            out,
            "{} agents, {:.1} s simulated in {} frames",
            walkers.instances().len(),
            walkers.now().secs(),
            self.frames,
        )?;
        writeln!(out, "idle {idle}, walk {walk}, run {run}")?;
        writeln!(out, "steering       {:7.2} ms per frame", ms(self.steering))?;
        writeln!(out, "buffer update  {:7.2} ms per frame", ms(self.update))?;
        let [one, all] = [1, 0].map(|threads| time_per_step(walkers, threads));
        writeln!(out, "steering on one core : all cores  {:.2}", one / all)?;
        writeln!(
            out,
            "overlapping pairs {}, deepest overlap {:.1} mm",
            overlaps.pairs, overlaps.deepest_mm
        )?;
        writeln!(
            out,
            "foot slide of planted feet        steps    mean     p99     max"
        )?;
        for (kind, name) in [
            (Kind::Walk, "walk"),
            (Kind::Run, "run"),
            (Kind::Blend, "blend"),
        ] {
            let [per_step, per_sec] = self.feet.spread(kind);
            write_spread(out, (name, "mm per step"), &per_step)?;
            write_spread(out, (name, "mm per second"), &per_sec)?;
        }
        Ok(())
    }
}

fn write_spread(
    out: &mut impl Write,
    (name, unit): (&str, &str),
    spread: &Spread,
) -> io::Result<()> {
    let Spread {
        count,
        mean,
        p99,
        max,
    } = spread;
    writeln!(
        out,
        "  {name:6} {unit:14} {count:16} {mean:7.1} {p99:7.1} {max:7.1}"
    )
}

/// Returns the seconds of a step on a number of threads; 0 is all cores.
fn time_per_step(walkers: &mut Walkers, threads: usize) -> f64 {
    let mut simulation = walkers.simulation().clone();
    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() else {
        return f64::NAN;
    };
    let secs = STEP.secs() as f32;
    pool.install(|| {
        simulation.step(secs);
        let start = Instant::now();
        (0..COMPARED_STEPS).for_each(|_| simulation.step(secs));
        start.elapsed().as_secs_f64()
    })
}
