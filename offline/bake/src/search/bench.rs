//! Where candidates are baked and measured.

use std::sync::Arc;

use throng_format::disk::cannot_hold;
use throng_format::file::FileFormat;
use throng_format::{Encoding, Precision, Source, TextureSet};
use throng_rig::Character;

use super::Seen;
use super::candidates::Candidate;
use super::influences::{Body, max_influences};
use crate::accuracy::moving_joints;
use crate::accuracy::{
    BakeReport, ClipToMeasure, MeasurePlan, Playback, SetPlayback, VerifyError, measure, verify,
};
use crate::bake::{Baked, bake_planned};
use crate::plan::{BakePlan, ClipPlan};
use crate::sampler::VertexSampler;
use crate::vertex_tracks::least_bytes;
use crate::vertices::{gpu_bytes, is_boxed};
use crate::{BakeError, BakeSettings, Progress};

/// Times that a probe looks at, about.
const PROBE_TIMES: u64 = 600;
/// A probe's vertices have a box of their own, and are rounded otherwise than in the box of all: what is no
/// farther past a goal than this may still meet it.
const BOX_SLACK: f64 = 1.05;

/// Bakes and measures, and keeps what was seen.
pub(super) struct Bench<'a> {
    pub source: &'a Character,
    pub base: &'a BakeSettings,
    /// At the clips' own rate, or the one that is fixed.
    pub plan: Arc<BakePlan>,
    manifest_source: Source,
    files: Option<FileFormat>,
    stands: Vec<Stand<'a>>,
    measured: MeasurePlan<'a>,
    truth: &'a dyn Playback,
    seen: Vec<Seen>,
}

/// A body, ready to be baked whole or as a probe.
struct Stand<'a> {
    whole: VertexSampler<'a>,
    probe: VertexSampler<'a>,
    /// True where both have the same joints, and so bone sets of the same size.
    same_joints: bool,
    limit: Option<usize>,
    influences: usize,
}

/// A set that was measured in full.
pub(super) struct Trial {
    pub set: TextureSet,
    pub report: BakeReport,
}

impl Trial {
    pub fn error(&self) -> f64 {
        self.report.error.errors.overall.max_error_of_size
    }

    pub fn gpu_bytes(&self) -> u64 {
        self.report.gpu_bytes
    }
}

/// What probes are measured with: the probed source at some times of the plan's clips.
pub(super) fn probe_plan<'a>(
    probed: &'a Character,
    plan: &BakePlan,
    size_m: f64,
) -> MeasurePlan<'a> {
    let clips: Vec<ClipToMeasure> = plan
        .clips
        .iter()
        .map(|clip| ClipToMeasure {
            source_clip: clip.clip,
            looping: clip.looping,
        })
        .collect();
    let all = MeasurePlan::probe(probed, size_m, &clips, 1);
    // Odd, so that samples and times between are both met.
    let stride = (all.times() / PROBE_TIMES) as usize | 1;
    MeasurePlan::probe(probed, size_m, &clips, stride)
}

impl<'a> Bench<'a> {
    pub fn new(
        source: &'a Character,
        base: &'a BakeSettings,
        plan: BakePlan,
        (manifest_source, files): (Source, Option<FileFormat>),
        bodies: &'a [Body],
        (measured, truth): (MeasurePlan<'a>, &'a dyn Playback),
    ) -> Self {
        let stand = |body: &'a Body| Stand {
            whole: VertexSampler::new(&body.character, base.skinning),
            probe: VertexSampler::new(&body.probe, base.skinning),
            same_joints: moving_joints(&body.character) == moving_joints(&body.probe),
            limit: body.limit,
            influences: max_influences(&body.character),
        };
        Self {
            source,
            base,
            plan: Arc::new(plan),
            manifest_source,
            files,
            stands: bodies.iter().map(stand).collect(),
            measured,
            truth,
            seen: Vec::new(),
        }
    }

    /// Vertices of all frames of the plan.
    pub fn vertex_frames(&self) -> u64 {
        let [positions, _] = counts(&self.stands[0].whole);
        positions as u64 * u64::from(self.plan.frames())
    }

    /// True where a clip has weights of morphs.
    pub fn morphs_move(&self) -> bool {
        let clips = self.plan.clips.iter();
        let mut sources = clips.map(|clip| &self.source.clips()[clip.clip]);
        sources.any(|clip| !clip.morphs().is_empty())
    }

    pub fn bodies(&self) -> usize {
        self.stands.len()
    }

    /// Frames at the lowest rate that suits an encoding.
    pub fn auto_plan(&self, encoding: Encoding) -> Result<BakePlan, BakeError> {
        let settings = self.base.clone();
        let settings = BakeSettings {
            encoding,
            ..settings
        };
        BakePlan::new(self.source, &settings, &self.stands[0].whole)
    }

    /// What a plain candidate takes on a GPU.
    pub fn plain_bytes(&self, candidate: &Candidate) -> Result<u64, BakeError> {
        let stand = &self.stands[candidate.body];
        let settings = self.settings(candidate, self.base.max_error_of_size)?;
        if candidate.encoding.is_vertex() {
            return gpu_bytes(&settings, &candidate.plan, counts(&stand.whole));
        }
        let sampler = if stand.same_joints {
            &stand.probe
        } else {
            &stand.whole
        };
        let baked = self.bake(sampler, &settings, candidate, &())?;
        Ok(baked.set.gpu_bytes())
    }

    /// What vertices compressed in time take at least.
    pub fn least_vertex_bytes(&self, candidate: &Candidate) -> u64 {
        let tracks = counts(&self.stands[candidate.body].whole).iter().sum();
        least_bytes(self.source, &candidate.plan, tracks)
    }

    /// How far a plain candidate is off at least; `None` where it is refused.
    pub fn probe(&mut self, candidate: &mut Candidate) -> Option<f64> {
        match self.probed_error(candidate) {
            Ok(error) => {
                self.note(candidate, candidate.gpu_bytes, error, false);
                Some(error)
            }
            Err(error) => {
                self.note_refused(candidate, &error);
                None
            }
        }
    }

    /// False where what a probe found is past an error, whatever all vertices show.
    pub fn may_meet(&self, candidate: &Candidate, probed: f64, of_size: f64) -> bool {
        let settings = self.settings(candidate, of_size);
        let boxed = candidate.encoding.is_vertex() && settings.is_ok_and(|s| is_boxed(&s));
        probed <= of_size * if boxed { BOX_SLACK } else { 1.0 }
    }

    fn probed_error(&self, candidate: &Candidate) -> Result<f64, BakeError> {
        let settings = self.settings(candidate, self.base.max_error_of_size)?;
        let sampler = &self.stands[candidate.body].probe;
        let set = self.bake(sampler, &settings, candidate, &())?.set;
        let tested = SetPlayback::new(&set);
        let report = measure(self.truth, &tested, &self.measured, &());
        let error = report.errors.overall.max_error_of_size;
        if error.is_finite() {
            return Ok(error);
        }
        Err(BakeError::Measure(VerifyError::NotFinite {
            clip: self.source.clips()[self.plan.clips[0].clip].name.clone(),
        }))
    }

    /// Bakes and measures every vertex at every time; curves are packed for an error. `None` where it is
    /// refused.
    pub fn full(
        &mut self,
        candidate: &mut Candidate,
        max_error_of_size: f64,
        progress: &dyn Progress,
    ) -> Option<Trial> {
        match self.trial(candidate, max_error_of_size, progress) {
            Ok(trial) => {
                if candidate.precision == Precision::Packed {
                    // Each is another set.
                    candidate.seen = None;
                }
                self.note(candidate, trial.gpu_bytes(), trial.error(), true);
                Some(trial)
            }
            Err(error) => {
                self.note_refused(candidate, &error);
                None
            }
        }
    }

    fn trial(
        &self,
        candidate: &Candidate,
        max_error_of_size: f64,
        progress: &dyn Progress,
    ) -> Result<Trial, BakeError> {
        let stand = &self.stands[candidate.body];
        let settings = self.settings(candidate, max_error_of_size)?;
        let baked = self.bake(&stand.whole, &settings, candidate, progress)?;
        let report = match baked.report {
            // Measured against the body: the source only where that has all influences.
            Some(report) if stand.limit.is_none() => report,
            _ => verify(&baked.set, self.source, &())?,
        };
        Ok(Trial {
            set: baked.set,
            report,
        })
    }

    fn bake(
        &self,
        sampler: &VertexSampler<'_>,
        settings: &BakeSettings,
        candidate: &Candidate,
        progress: &dyn Progress,
    ) -> Result<Baked, BakeError> {
        let mut source = self.manifest_source.clone();
        if let Some(limit) = self.stands[candidate.body].limit {
            source.max_influences = Some(limit);
        }
        let baked = bake_planned(sampler, settings, &candidate.plan, source, progress)?;
        let lost = |format| Some((format, cannot_hold(&baked.set, format)?));
        match self.files.and_then(lost) {
            Some((format, texels)) => Err(BakeError::FileFormat { format, texels }),
            None => Ok(baked),
        }
    }

    fn settings(
        &self,
        candidate: &Candidate,
        max_error_of_size: f64,
    ) -> Result<BakeSettings, BakeError> {
        let settings = BakeSettings {
            encoding: candidate.encoding,
            precision: candidate.precision,
            max_error_of_size,
            ..self.base.clone()
        };
        settings.resolved()
    }

    fn note(&mut self, candidate: &mut Candidate, gpu_bytes: u64, error: f64, exact: bool) {
        let seen = Seen {
            gpu_bytes,
            max_error_of_size: error,
            exact,
            ..self.seen_of(candidate)
        };
        match candidate.seen {
            Some(index) => self.seen[index] = seen,
            None => {
                candidate.seen = Some(self.seen.len());
                self.seen.push(seen);
            }
        }
    }

    /// Keeps a refusal, once for all rates.
    pub fn note_refused(&mut self, candidate: &mut Candidate, error: &BakeError) {
        let seen = Seen {
            refused: Some(error.to_string()),
            ..self.seen_of(candidate)
        };
        let same = |other: &&Seen| {
            (other.encoding, other.precision, &other.refused)
                == (seen.encoding, seen.precision, &seen.refused)
        };
        match candidate.seen {
            Some(index) => self.seen[index] = seen,
            None if self.seen.iter().any(|other| same(&other)) => {}
            None => {
                candidate.seen = Some(self.seen.len());
                self.seen.push(seen);
            }
        }
    }

    fn seen_of(&self, candidate: &Candidate) -> Seen {
        let rates = candidate.plan.clips.iter().map(ClipPlan::rate_hz);
        Seen {
            encoding: candidate.encoding,
            precision: candidate.precision,
            rate_hz: rates.fold(0.0, f64::max),
            influences: self.stands[candidate.body].influences,
            gpu_bytes: candidate.gpu_bytes,
            max_error_of_size: 0.0,
            exact: false,
            refused: None,
        }
    }

    pub fn into_seen(self) -> Vec<Seen> {
        self.seen
    }
}

/// Positions and normals.
fn counts(sampler: &VertexSampler<'_>) -> [usize; 2] {
    [sampler.rest().positions.len(), sampler.rest().normals.len()]
}
