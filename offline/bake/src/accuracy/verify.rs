//! Is a set what it says it is, and how far off is it?

use thiserror::Error;
use throng_format::{ClipEntry, Manifest, TextureSet};
use throng_rig::Character;

use super::bake_report::BakeReport;
use super::heat::HeatMap;
use super::measure::{measure, measure_with_heat};
use super::plan::{ClipToMeasure, MeasurePlan};
use super::playback::Playback;
use super::set::SetPlayback;
use super::source::SourcePlayback;
use crate::Progress;
use crate::order::drawing_order;

/// How far starts and lengths of a clip may differ: numbers are written as text.
const SPAN_SLACK_SECS: f64 = 1e-6;
/// How many names an error lists.
const LISTED: usize = 8;

/// Why a set cannot be compared with a source.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum VerifyError {
    /// Another number of parts.
    #[error(
        "'{source_name}' has {in_source} parts, the set has {in_set}: compare with the source it was baked from"
    )]
    Parts {
        /// The source.
        source_name: String,
        /// Parts of the source.
        in_source: usize,
        /// Parts of the set.
        in_set: usize,
    },
    /// A part with another number of vertices.
    #[error(
        "part {part} '{name}' has {in_source} vertices in '{source_name}', {in_set} in the set: compare with the source it was baked from"
    )]
    Vertices {
        /// The source.
        source_name: String,
        /// Index of the part.
        part: usize,
        /// Its name in the source.
        name: String,
        /// Vertices in the source.
        in_source: usize,
        /// Vertices in the set.
        in_set: usize,
    },
    /// Another number of joints.
    #[error(
        "'{source_name}' has {in_source} joints, the set has {in_set}: compare with the source it was baked from"
    )]
    Joints {
        /// The source.
        source_name: String,
        /// Joints of the source.
        in_source: usize,
        /// Joints of the set.
        in_set: usize,
    },
    /// A joint that is another one.
    #[error(
        "joint {joint} is '{in_source}' in '{source_name}', '{in_set}' in the set: compare with the source it was baked from"
    )]
    Joint {
        /// The source.
        source_name: String,
        /// Index of the joint.
        joint: usize,
        /// Its name in the source.
        in_source: String,
        /// Its name in the set.
        in_set: String,
    },
    /// A clip that the source does not have.
    #[error("the set's clip '{clip}' is not in '{source_name}', which has {among}")]
    ClipMissing {
        /// The source.
        source_name: String,
        /// The clip.
        clip: String,
        /// Clips of the source.
        among: String,
    },
    /// A clip that begins or ends elsewhere.
    #[error(
        "clip '{clip}' goes from {source_start_secs} s for {source_secs} s in '{source_name}', from {set_start_secs} s for {set_secs} s in the set: bake it again"
    )]
    ClipSpan {
        /// The source.
        source_name: String,
        /// The clip.
        clip: String,
        /// Its start in the source.
        source_start_secs: f64,
        /// Its length in the source.
        source_secs: f64,
        /// Its start in the set.
        set_start_secs: f64,
        /// Its length in the set.
        set_secs: f64,
    },
    /// Texels that are no numbers.
    #[error(
        "decoded vertices are not finite, first in clip '{clip}': the textures are damaged, bake them again"
    )]
    NotFinite {
        /// The clip.
        clip: String,
    },
}

/// Measures a set against its source: every vertex, at every time that counts.
pub fn verify(
    set: &TextureSet,
    source: &Character,
    progress: &dyn Progress,
) -> Result<BakeReport, VerifyError> {
    verify_played(set, &SetPlayback::new(set), source, progress)
}

/// Measures a set as another player decodes it, such as a GPU.
pub fn verify_played(
    set: &TextureSet,
    tested: &dyn Playback,
    source: &Character,
    progress: &dyn Progress,
) -> Result<BakeReport, VerifyError> {
    measure_ordered(set, tested, &drawing_order(source), progress)
}

/// [`verify`] against a source that is in drawing order already.
pub(crate) fn verify_ordered(
    set: &TextureSet,
    source: &Character,
    progress: &dyn Progress,
) -> Result<BakeReport, VerifyError> {
    measure_ordered(set, &SetPlayback::new(set), source, progress)
}

fn measure_ordered(
    set: &TextureSet,
    tested: &dyn Playback,
    source: &Character,
    progress: &dyn Progress,
) -> Result<BakeReport, VerifyError> {
    let fit = Comparison::new(set.manifest(), set.model(), source)?;
    let error = measure(&fit.reference, tested, &fit.plan, progress);
    checked(BakeReport::new(set, source, error))
}

/// [`verify_played`], and where on the surface the errors are.
pub fn heat_map(
    set: &TextureSet,
    tested: &dyn Playback,
    source: &Character,
    progress: &dyn Progress,
) -> Result<(BakeReport, HeatMap), VerifyError> {
    let source = &drawing_order(source);
    let fit = Comparison::new(set.manifest(), set.model(), source)?;
    let (error, heat) = measure_with_heat(&fit.reference, tested, &fit.plan, progress);
    Ok((checked(BakeReport::new(set, source, error))?, heat))
}

fn checked(report: BakeReport) -> Result<BakeReport, VerifyError> {
    let mut clips = report.error.clips.iter();
    let broken = clips.find(|clip| !clip.errors.is_finite());
    match broken {
        Some(clip) => Err(VerifyError::NotFinite {
            clip: clip.name.clone(),
        }),
        None => Ok(report),
    }
}

/// A source that fits a set: what to play, and when.
pub struct Comparison<'a> {
    /// The source, with the set's clips and method.
    pub reference: SourcePlayback<'a>,
    /// Every vertex at every time.
    pub plan: MeasurePlan<'a>,
    /// Each clip of the set in the source.
    pub clips: Vec<ClipToMeasure>,
}

impl<'a> Comparison<'a> {
    /// Checks that a set with this manifest and model was baked from a source like this one.
    pub fn new(
        manifest: &Manifest,
        model: &Character,
        source: &'a Character,
    ) -> Result<Self, VerifyError> {
        check_joints(model, source)?;
        check_parts(model, source)?;
        let clips = find_clips(manifest, source)?;
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
    let ours = source.skeleton().joints();
    let theirs = model.skeleton().joints();
    if ours.len() != theirs.len() {
        return Err(VerifyError::Joints {
            source_name: source.name.clone(),
            in_source: ours.len(),
            in_set: theirs.len(),
        });
    }
    let mut pairs = ours.iter().zip(theirs);
    match pairs.position(|(a, b)| (&a.name, a.parent) != (&b.name, b.parent)) {
        None => Ok(()),
        Some(joint) => Err(VerifyError::Joint {
            source_name: source.name.clone(),
            joint,
            in_source: ours[joint].name.clone(),
            in_set: theirs[joint].name.clone(),
        }),
    }
}

/// By name, then by span; of several that fit, the first that no other clip has taken.
fn find_clips(manifest: &Manifest, source: &Character) -> Result<Vec<ClipToMeasure>, VerifyError> {
    let mut taken = vec![false; source.clips().len()];
    let find = |entry: &ClipEntry| {
        let same_name = |clip: usize| source.clips()[clip].name == entry.name;
        let same_span = |clip: usize| {
            let clip = &source.clips()[clip];
            (clip.start_secs() - entry.start_secs).abs() <= SPAN_SLACK_SECS
                && (clip.duration_secs() - entry.duration_secs).abs() <= SPAN_SLACK_SECS
        };
        let mut namesakes = (0..taken.len()).filter(|&clip| same_name(clip));
        let mut fitting = namesakes.clone().filter(|&clip| same_span(clip));
        let free = fitting.clone().find(|&clip| !taken[clip]);
        let Some(source_clip) = free.or_else(|| fitting.next()) else {
            return Err(match namesakes.next() {
                Some(clip) => wrong_span(source, clip, entry),
                None => missing(source, entry),
            });
        };
        taken[source_clip] = true;
        Ok(ClipToMeasure {
            source_clip,
            looping: entry.looping,
        })
    };
    manifest.clips.iter().map(find).collect()
}

fn wrong_span(source: &Character, clip: usize, entry: &ClipEntry) -> VerifyError {
    let clip = &source.clips()[clip];
    VerifyError::ClipSpan {
        source_name: source.name.clone(),
        clip: entry.name.clone(),
        source_start_secs: clip.start_secs(),
        source_secs: clip.duration_secs(),
        set_start_secs: entry.start_secs,
        set_secs: entry.duration_secs,
    }
}

fn missing(source: &Character, entry: &ClipEntry) -> VerifyError {
    let names = source.clips().iter().map(|clip| format!("'{}'", clip.name));
    let mut among: Vec<String> = names.clone().take(LISTED).collect();
    if names.len() > LISTED {
        among.push(format!("{} more", names.len() - LISTED));
    }
    VerifyError::ClipMissing {
        source_name: source.name.clone(),
        clip: entry.name.clone(),
        among: if among.is_empty() {
            "none".into()
        } else {
            among.join(", ")
        },
    }
}
