//! Checks a set against its source and measures its error.

use thiserror::Error;
use throng_format::{Manifest, TextureSet};
use throng_rig::{Character, VertexFramesError};
use throng_skin::rest_size;

use super::bake_report::BakeReport;
use super::bound::raise_to_bound;
use super::dense::{DenseErrors, measure_densely};
use super::heat::HeatMap;
use super::matching_clips::find_clips;
use super::measure::measure_clips;
use super::measured_clip::{MeasuredClip, error_report};
use super::plan::{ClipToMeasure, MeasurePlan, Subject};
use super::playback::Playback;
use super::set::SetPlayback;
use super::source::SourcePlayback;
use crate::Progress;
use crate::cache_threads::on_cache_threads;
use crate::order::drawing_order;

/// Reason why a set cannot be compared with a source.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum VerifyError {
    /// The numbers of parts differ.
    #[error(
        "'{source_name}' has {in_source} parts, but the set has {in_set}; compare with the source it was baked from"
    )]
    Parts {
        /// Name of the source.
        source_name: String,
        /// Number of parts of the source.
        in_source: usize,
        /// Number of parts of the set.
        in_set: usize,
    },
    /// The numbers of vertices of a part differ.
    #[error(
        "part {part} '{name}' has {in_source} vertices in '{source_name}', but {in_set} in the set; compare with the source it was baked from"
    )]
    Vertices {
        /// Name of the source.
        source_name: String,
        /// Index of the part.
        part: usize,
        /// Name of the part in the source.
        name: String,
        /// Number of vertices in the source.
        in_source: usize,
        /// Number of vertices in the set.
        in_set: usize,
    },
    /// The numbers of joints differ.
    #[error(
        "'{source_name}' has {in_source} joints, but the set has {in_set}; compare with the source it was baked from"
    )]
    Joints {
        /// Name of the source.
        source_name: String,
        /// Number of joints of the source.
        in_source: usize,
        /// Number of joints of the set.
        in_set: usize,
    },
    /// A joint differs in name or parent.
    #[error(
        "joint {joint} is '{in_source}' in '{source_name}', but '{in_set}' in the set; compare with the source it was baked from"
    )]
    Joint {
        /// Name of the source.
        source_name: String,
        /// Index of the joint.
        joint: usize,
        /// Name of the joint in the source.
        in_source: String,
        /// Name of the joint in the set.
        in_set: String,
    },
    /// A clip of the set is not in the source.
    #[error("clip '{clip}' of the set is not in '{source_name}'; clips there: {among}")]
    ClipMissing {
        /// Name of the source.
        source_name: String,
        /// Name of the clip.
        clip: String,
        /// Names of the source's clips.
        among: String,
    },
    /// A clip starts or ends at another time.
    #[error(
        "clip '{clip}' starts at {source_start_secs} s and lasts {source_secs} s in '{source_name}', but starts at {set_start_secs} s and lasts {set_secs} s in the set; bake it again"
    )]
    ClipSpan {
        /// Name of the source.
        source_name: String,
        /// Name of the clip.
        clip: String,
        /// Start in the source.
        source_start_secs: f64,
        /// Duration in the source.
        source_secs: f64,
        /// Start in the set.
        set_start_secs: f64,
        /// Duration in the set.
        set_secs: f64,
    },
    /// A vertex cache of the source could not be read.
    #[error("the vertex cache of mesh '{mesh}' of '{source_name}' cannot be read: {error}")]
    CacheRead {
        /// Name of the source.
        source_name: String,
        /// Name of the mesh.
        mesh: String,
        /// Its first failure.
        error: VertexFramesError,
    },
    /// Texels decode to numbers that are not finite.
    #[error(
        "decoded vertices are not finite, first in clip '{clip}': the textures are damaged; bake them again"
    )]
    NotFinite {
        /// Name of the clip.
        clip: String,
    },
}

/// Measures a set against its source. The largest errors are bounds: those at every time, not only at the times of
/// [`MeasurePlan::full`].
pub fn verify(
    set: &TextureSet,
    source: &Character,
    progress: &dyn Progress,
) -> Result<BakeReport, VerifyError> {
    verify_played(set, &SetPlayback::new(set), source, progress)
}

/// [`verify`] with another player of the set, such as a GPU, at the times of the plan. Between them the set is decoded on
/// the CPU.
pub fn verify_played(
    set: &TextureSet,
    tested: &dyn Playback,
    source: &Character,
    progress: &dyn Progress,
) -> Result<BakeReport, VerifyError> {
    let (report, _) = measure_set(set, tested, &drawing_order(source), false, progress)?;
    Ok(report)
}

/// [`verify`] against a source that is in drawing order already.
pub(crate) fn verify_ordered(
    set: &TextureSet,
    source: &Character,
    progress: &dyn Progress,
) -> Result<BakeReport, VerifyError> {
    let (report, _) = measure_set(set, &SetPlayback::new(set), source, false, progress)?;
    Ok(report)
}

/// [`verify_played`], and the largest error of each vertex.
pub fn heat_map(
    set: &TextureSet,
    tested: &dyn Playback,
    source: &Character,
    progress: &dyn Progress,
) -> Result<(BakeReport, HeatMap), VerifyError> {
    measure_set(set, tested, &drawing_order(source), true, progress)
}

/// Measures a set against a source in drawing order. The heat map is empty unless asked for.
fn measure_set(
    set: &TextureSet,
    tested: &dyn Playback,
    source: &Character,
    with_heat: bool,
    progress: &dyn Progress,
) -> Result<(BakeReport, HeatMap), VerifyError> {
    let comparison = Comparison::new(set.manifest(), set.model(), source)?;
    let (clips, heat) = on_cache_threads(source, || {
        measure_compared(set, tested, &comparison, with_heat, progress)
    })?;
    let error = error_report(&clips, &comparison.plan.subject());
    Ok((BakeReport::new(set, source, error), heat))
}

/// Measures the clips of a set as [`verify`] does, against these clips of a source in drawing order.
pub(crate) fn measure_clips_of(
    set: &TextureSet,
    source: &Character,
    clips: Vec<ClipToMeasure>,
    progress: &dyn Progress,
) -> Result<Vec<MeasuredClip>, VerifyError> {
    let comparison = Comparison::of_clips(set.manifest(), set.model(), source, clips)?;
    let tested = SetPlayback::new(set);
    let (clips, _) = measure_compared(set, &tested, &comparison, false, progress)?;
    Ok(clips)
}

/// Returns the report of [`verify`] from the measurements of all clips of a set, which may have been measured in other sets.
/// `source` is in drawing order.
pub(crate) fn report_of(
    set: &TextureSet,
    source: &Character,
    mut clips: Vec<MeasuredClip>,
) -> BakeReport {
    for (index, clip) in clips.iter_mut().enumerate() {
        clip.set_index(index);
    }
    let names = set.manifest().clips.iter();
    let subject = Subject {
        character: source,
        size_m: rest_size(source),
        clip_names: names.map(|clip| clip.name.as_str()).collect(),
    };
    BakeReport::new(set, source, error_report(&clips, &subject))
}

fn measure_compared(
    set: &TextureSet,
    tested: &dyn Playback,
    comparison: &Comparison<'_>,
    with_heat: bool,
    progress: &dyn Progress,
) -> Result<(Vec<MeasuredClip>, HeatMap), VerifyError> {
    let Comparison {
        reference, plan, ..
    } = comparison;
    let stage = |first| Half { progress, first };
    let (mut clips, mut heat) = measure_clips(reference, tested, plan, with_heat, &stage(0));
    check_caches(plan.character)?;
    check_finite(&clips, plan)?;
    let playbacks = (reference, &SetPlayback::new(set));
    let raised = with_heat.then_some(&mut heat);
    raise_to_bound(&mut clips, raised, playbacks, plan, &stage(1));
    check_caches(plan.character)?;
    check_finite(&clips, plan)?;
    Ok((clips, heat))
}

/// Compares a set with its source at `per_interval` equally spaced times per interval between samples of the source, keys
/// or not: a check of [`verify`] that knows nothing of keys and knots.
pub fn verify_densely(
    set: &TextureSet,
    source: &Character,
    per_interval: u32,
    progress: &dyn Progress,
) -> Result<DenseErrors, VerifyError> {
    let source = &drawing_order(source);
    let Comparison {
        reference, plan, ..
    } = Comparison::new(set.manifest(), set.model(), source)?;
    let playbacks = (&reference, &SetPlayback::new(set));
    let errors = on_cache_threads(source, || {
        measure_densely(playbacks, &plan, per_interval, progress)
    });
    check_caches(source)?;
    Ok(errors)
}

/// Fails where a frame of a vertex cache could not be read.
fn check_caches(source: &Character) -> Result<(), VerifyError> {
    match source.cache_failure() {
        Some((part, error)) => Err(VerifyError::CacheRead {
            source_name: source.name.clone(),
            mesh: part.node_name.clone(),
            error: error.clone(),
        }),
        None => Ok(()),
    }
}

/// Progress of the first or second half of a measurement.
struct Half<'a> {
    progress: &'a dyn Progress,
    first: usize,
}

impl Progress for Half<'_> {
    fn step(&self, done: usize, total: usize) {
        self.progress.step(self.first * total + done, 2 * total);
    }
}

fn check_finite(clips: &[MeasuredClip], plan: &MeasurePlan<'_>) -> Result<(), VerifyError> {
    match clips.iter().position(|clip| !clip.is_finite()) {
        Some(clip) => Err(VerifyError::NotFinite {
            clip: plan.clips[clip].source.name.clone(),
        }),
        None => Ok(()),
    }
}

/// A set and the source it was baked from, checked to match.
pub struct Comparison<'a> {
    /// The source, with the set's clips and skinning method.
    pub reference: SourcePlayback<'a>,
    /// Every vertex at every time.
    pub plan: MeasurePlan<'a>,
    /// The source's clip of each clip of the set.
    pub clips: Vec<ClipToMeasure>,
}

impl<'a> Comparison<'a> {
    /// Returns the source's clip of each clip of a set.
    pub(crate) fn clips_of(
        manifest: &Manifest,
        source: &Character,
    ) -> Result<impl Iterator<Item = usize>, VerifyError> {
        let clips = find_clips(manifest, source)?;
        Ok(clips.into_iter().map(|clip| clip.source_clip))
    }

    /// Checks that a set with this manifest and model was baked from a source like this one.
    pub fn new(
        manifest: &Manifest,
        model: &Character,
        source: &'a Character,
    ) -> Result<Self, VerifyError> {
        // A wrong source is reported by its joints before its clips.
        check_joints(model, source)?;
        check_parts(model, source)?;
        let clips = find_clips(manifest, source)?;
        Self::of_clips(manifest, model, source, clips)
    }

    /// [`Self::new`] with the clips of the source that those of the set were baked from.
    fn of_clips(
        manifest: &Manifest,
        model: &Character,
        source: &'a Character,
        clips: Vec<ClipToMeasure>,
    ) -> Result<Self, VerifyError> {
        check_joints(model, source)?;
        check_parts(model, source)?;
        let indices = clips.iter().map(|clip| clip.source_clip).collect();
        Ok(Self {
            reference: SourcePlayback::new(source, indices, manifest.method),
            plan: MeasurePlan::full(source, &clips),
            clips,
        })
    }
}

fn check_parts(model: &Character, source: &Character) -> Result<(), VerifyError> {
    let (in_source, in_set) = (source.parts().len(), model.parts().len());
    if in_source != in_set {
        return Err(VerifyError::Parts {
            source_name: source.name.clone(),
            in_source,
            in_set,
        });
    }
    for (index, (a, b)) in source.parts().iter().zip(model.parts()).enumerate() {
        let in_source = source.mesh_of(a).vertex_count();
        let in_set = model.mesh_of(b).vertex_count();
        if in_source != in_set {
            return Err(VerifyError::Vertices {
                source_name: source.name.clone(),
                part: index,
                name: a.node_name.clone(),
                in_source,
                in_set,
            });
        }
    }
    Ok(())
}

fn check_joints(model: &Character, source: &Character) -> Result<(), VerifyError> {
    let source_joints = source.skeleton().joints();
    let set_joints = model.skeleton().joints();
    if source_joints.len() != set_joints.len() {
        return Err(VerifyError::Joints {
            source_name: source.name.clone(),
            in_source: source_joints.len(),
            in_set: set_joints.len(),
        });
    }
    let mut pairs = source_joints.iter().zip(set_joints);
    match pairs.position(|(a, b)| (&a.name, a.parent) != (&b.name, b.parent)) {
        None => Ok(()),
        Some(joint) => Err(VerifyError::Joint {
            source_name: source.name.clone(),
            joint,
            in_source: source_joints[joint].name.clone(),
            in_set: set_joints[joint].name.clone(),
        }),
    }
}
