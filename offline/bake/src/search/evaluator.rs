//! Bakes and measures candidates.

use std::sync::Arc;

use throng_format::disk::unsupported_texels;
use throng_format::file::FileFormat;
use throng_format::{Encoding, MeshStorage, Source, Storage, TextureSet};
use throng_rig::Character;

use super::Candidate;
use super::candidates::CandidateSettings;
use super::variants::{Variant, max_influences};
use crate::accuracy::moving_joints;
use crate::accuracy::{
    BakeReport, ClipToMeasure, MeasurePlan, Playback, SetPlayback, VerifyError, measure,
    verify_ordered,
};
use crate::bake::{Baked, bake_planned};
use crate::bones::min_bone_bytes;
use crate::compressed::estimate_joint_curves;
use crate::plan::{BakePlan, ClipPlan};
use crate::sampler::VertexSampler;
use crate::vertex_curves::min_bytes;
use crate::vertices::{gpu_bytes, is_ranged};
use crate::{BakeError, BakeSettings, Effort, Progress};

/// Approximate number of times that a probe measures.
const PROBE_TIMES: u64 = 300;
/// Factor by which a probe of vertices quantised to a range may exceed a goal that the full set meets: the range of the
/// probe's vertices differs from that of all vertices, and so does the rounding.
const RANGE_SLACK: f64 = 1.05;

/// Bakes and measures candidates, and records the results.
pub(super) struct Evaluator<'a> {
    pub source: &'a Character,
    pub base: &'a BakeSettings,
    /// Frames at the native rate of the clips, or at the fixed rate.
    pub plan: Arc<BakePlan>,
    manifest_source: Source,
    files: Option<FileFormat>,
    variants: Vec<VariantSamplers<'a>>,
    measured: MeasurePlan<'a>,
    reference: &'a dyn Playback,
    results: Vec<Candidate>,
}

/// A variant of the source, prepared for baking whole or as a probe.
struct VariantSamplers<'a> {
    whole: VertexSampler<'a>,
    probe: VertexSampler<'a>,
    /// True where both have the same joints, so that their bone sets have the same size.
    same_joints: bool,
    /// Number of joints that move vertices.
    joints: usize,
    limit: Option<usize>,
    influences: usize,
}

/// A set, measured at every vertex and time.
pub(super) struct MeasuredSet {
    pub set: TextureSet,
    pub report: BakeReport,
}

impl MeasuredSet {
    pub fn error(&self) -> f64 {
        self.report.error.errors.overall.max_error_of_size
    }

    pub fn gpu_bytes(&self) -> u64 {
        self.report.gpu_bytes
    }
}

/// Returns the measurement of probes: the probed source at some times of the plan's clips.
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
    // An odd stride covers both samples and times between samples.
    let stride = (all.times() / PROBE_TIMES) as usize | 1;
    MeasurePlan::probe(probed, size_m, &clips, stride)
}

impl<'a> Evaluator<'a> {
    pub fn new(
        source: &'a Character,
        base: &'a BakeSettings,
        plan: BakePlan,
        (manifest_source, files): (Source, Option<FileFormat>),
        variants: &'a [Variant],
        (measured, reference): (MeasurePlan<'a>, &'a dyn Playback),
    ) -> Self {
        let samplers = |variant: &'a Variant| VariantSamplers {
            whole: VertexSampler::new(&variant.character, base.skinning),
            probe: VertexSampler::new(&variant.probe, base.skinning),
            same_joints: moving_joints(&variant.character) == moving_joints(&variant.probe),
            joints: moving_joints(&variant.character).len(),
            limit: variant.limit,
            influences: max_influences(&variant.character),
        };
        Self {
            source,
            base,
            plan: Arc::new(plan),
            manifest_source,
            files,
            variants: variants.iter().map(samplers).collect(),
            measured,
            reference,
            results: Vec::new(),
        }
    }

    /// Number of unique positions times number of frames of the plan.
    pub fn vertex_frames(&self) -> u64 {
        let [positions, _] = counts(&self.variants[0].whole);
        positions as u64 * u64::from(self.plan.frames())
    }

    /// True where a clip of the plan animates morph weights.
    pub fn has_morph_tracks(&self) -> bool {
        let clips = self.plan.clips.iter();
        let mut sources = clips.map(|clip| &self.source.clips()[clip.clip]);
        sources.any(|clip| !clip.morphs().is_empty())
    }

    /// Number of variants of the source.
    pub fn variant_count(&self) -> usize {
        self.variants.len()
    }

    /// Returns the frames at the lowest rate that suits an encoding.
    pub fn auto_plan(&self, encoding: Encoding) -> Result<BakePlan, BakeError> {
        let settings = self.base.clone();
        let settings = BakeSettings {
            encoding,
            ..settings
        };
        BakePlan::new(self.source, &settings, &self.variants[0].whole)
    }

    /// Returns a lower bound of the GPU bytes of a candidate that stores frames; those of vertices are exact.
    pub fn min_frame_bytes(&self, candidate: &CandidateSettings) -> Result<u64, BakeError> {
        let variant = &self.variants[candidate.variant];
        let settings = self.settings(candidate, self.base.max_error_of_size)?;
        if candidate.encoding.is_vertex() {
            return gpu_bytes(&settings, &candidate.plan, counts(&variant.whole));
        }
        Ok(min_bone_bytes(&settings, &candidate.plan, variant.joints))
    }

    /// Returns a lower bound of the GPU bytes of compressed vertex curves.
    pub fn min_vertex_curve_bytes(&self, candidate: &CandidateSettings) -> u64 {
        let curves = counts(&self.variants[candidate.variant].whole).iter().sum();
        min_bytes(self.source, &candidate.plan, curves)
    }

    /// Measures a probe of a candidate that stores frames, and sets the candidate's bytes. Returns a lower bound of its
    /// error; `None` where the candidate is refused.
    pub fn probe(&mut self, candidate: &mut CandidateSettings) -> Option<f64> {
        match self.probed_error(candidate) {
            Ok((error, gpu_bytes)) => {
                candidate.gpu_bytes = gpu_bytes;
                self.record(candidate, gpu_bytes, error, false);
                Some(error)
            }
            Err(error) => {
                self.record_refusal(candidate, &error);
                None
            }
        }
    }

    /// False where a probe's error already rules out that the full set is within `of_size`.
    pub fn may_meet(&self, candidate: &CandidateSettings, probed: f64, of_size: f64) -> bool {
        let settings = self.settings(candidate, of_size);
        let ranged = candidate.encoding.is_vertex() && settings.is_ok_and(|s| is_ranged(&s));
        probed <= of_size * if ranged { RANGE_SLACK } else { 1.0 }
    }

    /// Returns a lower bound of the error, and the GPU bytes of the whole set.
    fn probed_error(&self, candidate: &CandidateSettings) -> Result<(f64, u64), BakeError> {
        // Rounding of the mesh only adds to the error.
        let settings = BakeSettings {
            mesh: MeshStorage::Exact,
            ..self.settings(candidate, self.base.max_error_of_size)?
        };
        let variant = &self.variants[candidate.variant];
        let set = self.bake(&variant.probe, &settings, candidate, &())?.set;
        let gpu_bytes = match (candidate.encoding.is_vertex(), variant.same_joints) {
            (true, _) => candidate.gpu_bytes,
            (false, true) => set.gpu_bytes(),
            (false, false) => {
                let whole = self.bake(&variant.whole, &settings, candidate, &())?;
                whole.set.gpu_bytes()
            }
        };
        let tested = SetPlayback::new(&set);
        let report = measure(self.reference, &tested, &self.measured, &());
        let error = report.errors.overall.max_error_of_size;
        if error.is_finite() {
            return Ok((error, gpu_bytes));
        }
        Err(BakeError::Measure(VerifyError::NotFinite {
            clip: self.source.clips()[self.plan.clips[0].clip].name.clone(),
        }))
    }

    /// Compresses joint curves for an error with little effort, without proof. Records and returns the bytes and a lower
    /// bound of the error; `None` where the candidate is refused.
    pub fn estimate(
        &mut self,
        candidate: &mut CandidateSettings,
        max_error_of_size: f64,
        progress: &dyn Progress,
    ) -> Option<(u64, f64)> {
        let sampler = &self.variants[candidate.variant].whole;
        let estimated = self
            .fast_settings(candidate, max_error_of_size)
            .and_then(|settings| {
                let (character, size_m) = (sampler.character(), sampler.size());
                estimate_joint_curves(character, &settings, &candidate.plan, size_m, progress)
            });
        match estimated {
            Ok((gpu_bytes, error)) => {
                // Another error gives another set: keep the earlier result.
                candidate.result = None;
                self.record(candidate, gpu_bytes, error, false);
                Some((gpu_bytes, error))
            }
            Err(error) => {
                self.record_refusal(candidate, &error);
                None
            }
        }
    }

    /// Bakes the set of the last [`Self::estimate`] and measures it in full. Its record replaces that of the estimate.
    pub fn measure_estimate(
        &mut self,
        candidate: &mut CandidateSettings,
        max_error_of_size: f64,
    ) -> Option<MeasuredSet> {
        let settings = self.fast_settings(candidate, max_error_of_size);
        match settings.and_then(|settings| self.bake_and_measure(candidate, &settings, &())) {
            Ok(measured_set) => {
                let (gpu_bytes, error) = (measured_set.gpu_bytes(), measured_set.error());
                self.record(candidate, gpu_bytes, error, true);
                Some(measured_set)
            }
            Err(error) => {
                self.record_refusal(candidate, &error);
                None
            }
        }
    }

    fn fast_settings(
        &self,
        candidate: &CandidateSettings,
        max_error_of_size: f64,
    ) -> Result<BakeSettings, BakeError> {
        Ok(BakeSettings {
            effort: Effort::Fast,
            ..self.settings(candidate, max_error_of_size)?
        })
    }

    /// Bakes a candidate and measures every vertex at every time. Curves are compressed for `max_error_of_size`. `None`
    /// where the candidate is refused.
    pub fn measure_fully(
        &mut self,
        candidate: &mut CandidateSettings,
        max_error_of_size: f64,
        progress: &dyn Progress,
    ) -> Option<MeasuredSet> {
        let settings = self.settings(candidate, max_error_of_size);
        let measured =
            settings.and_then(|settings| self.bake_and_measure(candidate, &settings, progress));
        match measured {
            Ok(measured_set) => {
                if candidate.storage == Storage::Compressed {
                    // Another error gives another set: keep the earlier result.
                    candidate.result = None;
                }
                self.record(
                    candidate,
                    measured_set.gpu_bytes(),
                    measured_set.error(),
                    true,
                );
                Some(measured_set)
            }
            Err(error) => {
                self.record_refusal(candidate, &error);
                None
            }
        }
    }

    fn bake_and_measure(
        &self,
        candidate: &CandidateSettings,
        settings: &BakeSettings,
        progress: &dyn Progress,
    ) -> Result<MeasuredSet, BakeError> {
        let variant = &self.variants[candidate.variant];
        let baked = self.bake(&variant.whole, settings, candidate, progress)?;
        let report = match baked.report {
            // The bake measured against the variant, which is the source only where no influences were dropped.
            Some(report) if variant.limit.is_none() => report,
            _ => verify_ordered(&baked.set, self.source, &())?,
        };
        Ok(MeasuredSet {
            set: baked.set,
            report,
        })
    }

    fn bake(
        &self,
        sampler: &VertexSampler<'_>,
        settings: &BakeSettings,
        candidate: &CandidateSettings,
        progress: &dyn Progress,
    ) -> Result<Baked, BakeError> {
        let mut source = self.manifest_source.clone();
        if let Some(limit) = self.variants[candidate.variant].limit {
            source.max_influences = Some(limit);
        }
        let baked = bake_planned(sampler, settings, &candidate.plan, source, progress)?;
        let lost = |format| Some((format, unsupported_texels(&baked.set, format)?));
        match self.files.and_then(lost) {
            Some((format, texels)) => Err(BakeError::FileFormat { format, texels }),
            None => Ok(baked),
        }
    }

    fn settings(
        &self,
        candidate: &CandidateSettings,
        max_error_of_size: f64,
    ) -> Result<BakeSettings, BakeError> {
        let settings = BakeSettings {
            encoding: candidate.encoding,
            storage: candidate.storage,
            max_error_of_size,
            ..self.base.clone()
        };
        settings.resolved()
    }

    fn record(
        &mut self,
        candidate: &mut CandidateSettings,
        gpu_bytes: u64,
        error: f64,
        exact: bool,
    ) {
        let result = Candidate {
            gpu_bytes,
            max_error_of_size: error,
            exact,
            ..self.candidate_of(candidate)
        };
        match candidate.result {
            Some(index) => self.results[index] = result,
            None => {
                candidate.result = Some(self.results.len());
                self.results.push(result);
            }
        }
    }

    /// Records a refusal, once for all rates.
    pub fn record_refusal(&mut self, candidate: &mut CandidateSettings, error: &BakeError) {
        let result = Candidate {
            refused: Some(error.to_string()),
            ..self.candidate_of(candidate)
        };
        let same = |other: &&Candidate| {
            (other.encoding, other.storage, &other.refused)
                == (result.encoding, result.storage, &result.refused)
        };
        match candidate.result {
            Some(index) => self.results[index] = result,
            None if self.results.iter().any(|other| same(&other)) => {}
            None => {
                candidate.result = Some(self.results.len());
                self.results.push(result);
            }
        }
    }

    fn candidate_of(&self, candidate: &CandidateSettings) -> Candidate {
        let rates = candidate.plan.clips.iter().map(ClipPlan::rate_hz);
        Candidate {
            encoding: candidate.encoding,
            storage: candidate.storage,
            rate_hz: rates.fold(0.0, f64::max),
            influences: self.variants[candidate.variant].influences,
            gpu_bytes: candidate.gpu_bytes,
            max_error_of_size: 0.0,
            exact: false,
            refused: None,
        }
    }

    /// Returns all candidates in the order of their first evaluation.
    pub fn into_candidates(self) -> Vec<Candidate> {
        self.results
    }
}

/// Numbers of unique positions and unique normals.
fn counts(sampler: &VertexSampler<'_>) -> [usize; 2] {
    [sampler.rest().positions.len(), sampler.rest().normals.len()]
}
