//! Sums over times, in order, for a report.

use super::compare::{AtTime, BoneAtTime};
use super::histogram::Histogram;
use super::plan::Subject;
use super::report::{Errors, Spread, StepJumps, WorstBone, WorstVertex};
use super::times::TimeKind;

/// Histograms of samples and of times between samples: everything that is counted out of order.
#[derive(Debug, Clone)]
pub(super) struct Histograms {
    pub at_samples: Histogram,
    pub between: Histogram,
}

impl Histograms {
    pub fn new() -> Self {
        Self {
            at_samples: Histogram::new(),
            between: Histogram::new(),
        }
    }

    /// Returns the histogram of a kind of time.
    pub fn of(&mut self, kind: TimeKind) -> Option<&mut Histogram> {
        match kind {
            TimeKind::Sample => Some(&mut self.at_samples),
            TimeKind::Between => Some(&mut self.between),
            TimeKind::Jump | TimeKind::Seam => None,
        }
    }

    /// Gives up the memory of empty steps. Counts can no longer be added.
    pub fn trim(&mut self) {
        self.at_samples.trim();
        self.between.trim();
    }

    pub fn take(&mut self, other: &mut Self) {
        self.at_samples.take(&mut other.at_samples);
        self.between.take(&mut other.between);
    }

    pub fn merge(&mut self, other: &Self) {
        self.at_samples.merge(&other.at_samples);
        self.between.merge(&other.between);
    }
}

/// Sums over times, of one clip or of all.
#[derive(Debug, Clone)]
pub(super) struct Tally {
    pub histograms: Histograms,
    at_samples: Sums,
    between: Sums,
    jumps: Sums,
    seam_max_sq: Option<f64>,
    normal_sum_sq: f64,
    normal_max_sq: f64,
    bone: Option<(Spot, BoneAtTime)>,
    times: u64,
    jump_times: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    count: u64,
    sum_sq: f64,
    worst: Option<Worst>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub clip: usize,
    pub time_secs: f64,
}

/// A vertex and its error at a time, in square metres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worst {
    pub squared: f64,
    pub spot: Spot,
    pub part: usize,
    pub vertex: usize,
}

impl Tally {
    pub fn new() -> Self {
        Self {
            histograms: Histograms::new(),
            at_samples: Sums::default(),
            between: Sums::default(),
            jumps: Sums::default(),
            seam_max_sq: None,
            normal_sum_sq: 0.0,
            normal_max_sq: 0.0,
            bone: None,
            times: 0,
            jump_times: 0,
        }
    }

    /// Adds a time. Sums of floats depend on their order: call it in the order of the clip's times.
    pub fn add(&mut self, clip: usize, at: &AtTime) {
        let spot = Spot {
            clip,
            time_secs: at.time_secs,
        };
        self.times += 1;
        let sums = match at.kind {
            TimeKind::Sample => &mut self.at_samples,
            TimeKind::Between => &mut self.between,
            TimeKind::Jump => &mut self.jumps,
            TimeKind::Seam => {
                self.seam_max_sq = Some(self.seam_max_sq.unwrap_or(0.0).max(at.max_sq));
                return;
            }
        };
        sums.add(spot, at);
        if at.kind == TimeKind::Jump {
            self.jump_times += 1;
            return;
        }
        self.normal_sum_sq += at.normal_sum_sq;
        self.normal_max_sq = self.normal_max_sq.max(at.normal_max_sq);
        if let Some(bone) = at.bone
            && self
                .bone
                .is_none_or(|(_, worst)| bone.max_sq > worst.max_sq)
        {
            self.bone = Some((spot, bone));
        }
    }

    /// Adds the sums of a later clip.
    pub fn merge(&mut self, other: &Self) {
        self.histograms.merge(&other.histograms);
        self.at_samples.merge(&other.at_samples);
        self.between.merge(&other.between);
        self.jumps.merge(&other.jumps);
        if let Some(seam) = other.seam_max_sq {
            self.seam_max_sq = Some(self.seam_max_sq.unwrap_or(0.0).max(seam));
        }
        self.normal_sum_sq += other.normal_sum_sq;
        self.normal_max_sq = self.normal_max_sq.max(other.normal_max_sq);
        if let Some((_, bone)) = other.bone
            && self
                .bone
                .is_none_or(|(_, worst)| bone.max_sq > worst.max_sq)
        {
            self.bone = other.bone;
        }
        self.times += other.times;
        self.jump_times += other.jump_times;
    }

    /// Largest error at all times except jumps, in metres.
    pub fn max_m(&self) -> f64 {
        let worst = [self.at_samples.worst, self.between.worst];
        let squares = worst.iter().flatten().map(|worst| worst.squared);
        squares.fold(0.0, f64::max).sqrt()
    }

    /// False where a decoded number was infinite or not a number.
    pub fn is_finite(&self) -> bool {
        let sums = [self.at_samples, self.between, self.jumps];
        let mut worst = sums.iter().filter_map(|sums| sums.worst);
        worst.all(|worst| worst.squared.is_finite())
            && self.bone.is_none_or(|(_, bone)| bone.max_sq.is_finite())
    }

    /// Sets the index of the clip that was measured.
    pub fn set_clip(&mut self, clip: usize) {
        for sums in [&mut self.at_samples, &mut self.between, &mut self.jumps] {
            if let Some(worst) = &mut sums.worst {
                worst.spot.clip = clip;
            }
        }
        if let Some((spot, _)) = &mut self.bone {
            spot.clip = clip;
        }
    }

    pub fn errors(&self, subject: &Subject<'_>) -> Errors {
        let mut overall = self.at_samples;
        overall.merge(&self.between);
        let mut both = Histogram::new();
        both.merge(&self.histograms.at_samples);
        both.merge(&self.histograms.between);
        let jumps = self.jumps.spread(0.0, subject.size_m);
        Errors {
            overall: overall.spread(both.p99(), subject.size_m),
            at_samples: self
                .at_samples
                .spread(self.histograms.at_samples.p99(), subject.size_m),
            between_samples: self
                .between
                .spread(self.histograms.between.p99(), subject.size_m),
            max_normal_error_deg: self.normal_max_sq.sqrt().to_degrees(),
            rms_normal_error_deg: root_mean(self.normal_sum_sq, overall.count).to_degrees(),
            bone_error_mm: self.bone.map(|(_, bone)| millimetres(bone.max_sq)),
            seam_error_mm: self.seam_max_sq.map(millimetres),
            worst: overall.worst.map(|worst| worst.named(subject)),
            worst_bone: self.worst_bone(subject),
            step_jumps: (self.jump_times > 0).then(|| StepJumps {
                times: self.jump_times,
                max_error_mm: jumps.max_error_mm,
                max_error_of_size: jumps.max_error_of_size,
                worst: self.jumps.worst.map(|worst| worst.named(subject)),
            }),
            times: self.times,
        }
    }

    fn worst_bone(&self, subject: &Subject<'_>) -> Option<WorstBone> {
        let (spot, bone) = self.bone.filter(|(_, bone)| bone.max_sq > 0.0)?;
        Some(WorstBone {
            error_mm: millimetres(bone.max_sq),
            clip: spot.clip,
            clip_name: subject.clip_names[spot.clip].to_owned(),
            time_secs: spot.time_secs,
            joint: bone.joint,
            joint_name: joint_name(subject, bone.joint),
        })
    }
}

impl Sums {
    fn add(&mut self, spot: Spot, at: &AtTime) {
        let (part, vertex) = at.worst;
        let worst = Worst {
            squared: at.max_sq,
            spot,
            part,
            vertex,
        };
        self.merge(&Self {
            count: at.vertices,
            sum_sq: at.sum_sq,
            worst: (at.max_sq > 0.0).then_some(worst),
        });
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum_sq += other.sum_sq;
        if let Some(worst) = other.worst
            && self.worst.is_none_or(|best| worst.squared > best.squared)
        {
            self.worst = other.worst;
        }
    }

    fn spread(&self, p99_of_size: f64, size_m: f64) -> Spread {
        let max_m = self.worst.map_or(0.0, |worst| worst.squared.sqrt());
        // The upper end of a step may exceed the largest error.
        let p99_m = (p99_of_size * unit(size_m)).min(max_m);
        let rms_m = root_mean(self.sum_sq, self.count);
        let of_size = |metres: f64| metres / unit(size_m);
        Spread {
            max_error_mm: 1e3 * max_m,
            p99_error_mm: 1e3 * p99_m,
            rms_error_mm: 1e3 * rms_m,
            max_error_of_size: of_size(max_m),
            p99_error_of_size: of_size(p99_m),
            rms_error_of_size: of_size(rms_m),
            comparisons: self.count,
        }
    }
}

impl Worst {
    pub fn named(&self, subject: &Subject<'_>) -> WorstVertex {
        let character = subject.character;
        let part = &character.parts()[self.part];
        let (entries, _) = character.mesh_of(part).influences().run(self.vertex);
        let joint = character.skin_of(part).joints()[entries[0] as usize];
        WorstVertex {
            error_mm: millimetres(self.squared),
            clip: self.spot.clip,
            clip_name: subject.clip_names[self.spot.clip].to_owned(),
            time_secs: self.spot.time_secs,
            part: self.part,
            part_name: part.node_name.clone(),
            vertex: self.vertex,
            joint,
            joint_name: joint_name(subject, joint),
        }
    }
}

/// Returns the unit of errors: the size, or a metre where the size is zero.
pub(super) fn unit(size_m: f64) -> f64 {
    if size_m > 0.0 { size_m } else { 1.0 }
}

fn joint_name(subject: &Subject<'_>, joint: usize) -> String {
    subject.character.skeleton().joints()[joint].name.clone()
}

fn millimetres(squared_metres: f64) -> f64 {
    1e3 * squared_metres.sqrt()
}

fn root_mean(sum_sq: f64, count: u64) -> f64 {
    (sum_sq / count.max(1) as f64).sqrt()
}
