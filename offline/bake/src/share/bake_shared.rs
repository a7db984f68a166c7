//! Bakes a group of characters: the bones once, the error on every mesh.

use throng_format::{Source, TextureSet};
use throng_rig::Character;
use throng_skin::rest_size;

use super::on_mesh::member_set;
use super::union::union_of;
use super::{SHARED_ENCODINGS, ShareError, difference};
use crate::accuracy::{BakeReport, verify};
use crate::bake::check_vertices;
use crate::progress_span::ProgressSpan;
use crate::search::{Coverage, Goal, SearchSpace, search};
use crate::{BakeSettings, Progress, bake};

/// Most bakes of a group: the first for the error itself, the others for less, where a mesh exceeds it.
const ATTEMPTS: usize = 3;
/// Part of the error that the next attempt aims for, beside what the last one was over.
const MARGIN: f64 = 0.97;

/// Excess over the error from which no smaller budget helps: something else limits the set, such as its rate.
const HOPELESS: f64 = 2.0;

/// A character of a group.
#[derive(Debug, Clone)]
pub struct SharedCharacter<'a> {
    /// Name in messages, such as that of its file.
    pub label: &'a str,
    /// The character to bake, with the clips of the group.
    pub character: &'a Character,
    /// The character to measure the error against, which may have more influences.
    pub reference: &'a Character,
    /// Source for the manifest.
    pub source: Source,
    /// Maximum error, as a part of the character's own size.
    pub max_error_of_size: f64,
}

/// Choice of the settings of a shared bake. `max_error_of_size` of the settings is replaced.
#[derive(Debug, Clone, PartialEq)]
pub enum ShareGoal {
    /// Bake with these settings.
    Bake(BakeSettings),
    /// Search for the smallest set within the error of every character.
    MaxError {
        /// Settings of all candidates.
        base: BakeSettings,
        /// Constraints.
        space: SearchSpace,
    },
    /// Search for the most accurate set within a number of GPU bytes.
    MaxBytes {
        /// Settings of all candidates.
        base: BakeSettings,
        /// Constraints.
        space: SearchSpace,
        /// Maximum GPU bytes.
        gpu_bytes: u64,
    },
}

/// A set and its report.
#[derive(Debug, Clone)]
pub struct SharedSet {
    /// The set.
    pub set: TextureSet,
    /// Cost and error, measured on the set's meshes; that of a motion set on those of all characters.
    pub report: BakeReport,
}

/// Sets of a group. All hold one copy of the textures.
#[derive(Debug, Clone)]
pub struct SharedSets {
    /// The motion set, without a mesh.
    pub motion: SharedSet,
    /// A set per character, in order.
    pub characters: Vec<SharedSet>,
}

/// Bakes a group of characters with equal skeletons and the same clips into one motion set, and measures the error on every
/// mesh. The union of all meshes is baked for the smallest of the characters' errors in metres.
///
/// `motion_source` is copied into the manifest of the motion set. With [`ShareGoal::MaxError`], every character is within
/// its error, or the result is [`ShareError::NotMet`].
pub fn bake_shared(
    characters: &[SharedCharacter<'_>],
    goal: &ShareGoal,
    motion_source: &Source,
    progress: &dyn Progress,
) -> Result<SharedSets, ShareError> {
    check(characters, goal)?;
    let meshes: Vec<&Character> = characters.iter().map(|member| member.character).collect();
    let union = union_of(&meshes);
    let size_m = rest_size(&union);
    let limits = characters
        .iter()
        .map(|c| c.max_error_of_size * rest_size(c.reference));
    let limit_m = limits.fold(f64::INFINITY, f64::min);
    let mut budget_m = limit_m;
    let whole = ProgressSpan::whole(progress);
    let mut best: Option<(f64, SharedSets)> = None;
    for attempt in 0..ATTEMPTS {
        let span = match attempt {
            0 => whole.between(0, 700),
            _ => whole.between(700, 950).nth(attempt - 1, ATTEMPTS - 1),
        };
        let max_error_of_size = budget_m / size_m.max(f64::MIN_POSITIVE);
        let baked = bake_union(&union, goal, max_error_of_size, motion_source, &span);
        let (motion, settings) = match (baked, &best) {
            (Ok(baked), _) => baked,
            // A smaller error than asked for may be out of reach.
            (Err(ShareError::Search(_)), Some(_)) => break,
            (Err(error), _) => return Err(error),
        };
        progress.stage("measuring every character");
        let mut sets = Vec::new();
        for (index, member) in characters.iter().enumerate() {
            let span = whole.between(950, 1000).nth(index, characters.len());
            sets.push(measured_set(
                &motion.set,
                member,
                &settings,
                limit_m,
                &span,
            )?);
        }
        let over = |(member, set): (&SharedCharacter<'_>, &SharedSet)| {
            let error = set.report.error.errors.overall.max_error_of_size;
            error / member.max_error_of_size.max(f64::MIN_POSITIVE)
        };
        let worst = characters.iter().zip(&sets).map(over).fold(0.0, f64::max);
        if best.as_ref().is_none_or(|(least, _)| worst < *least) {
            let characters = sets;
            best = Some((worst, SharedSets { motion, characters }));
        }
        let can_improve = match goal {
            ShareGoal::Bake(settings) => settings.storage == throng_format::Storage::Compressed,
            ShareGoal::MaxError { .. } => true,
            ShareGoal::MaxBytes { .. } => false,
        };
        if worst <= 1.0 || worst > HOPELESS || !can_improve {
            break;
        }
        budget_m *= MARGIN / worst;
    }
    let (worst, sets) = best.expect("there is at least one attempt");
    match goal {
        ShareGoal::MaxError { .. } if worst > 1.0 => Err(not_met(characters, &sets)),
        _ => Ok(sets),
    }
}

/// The error of the first character that exceeds its limit.
fn not_met(characters: &[SharedCharacter<'_>], sets: &SharedSets) -> ShareError {
    let errors = sets.characters.iter();
    let errors = errors.map(|set| set.report.error.errors.overall.max_error_of_size);
    let mut over = characters.iter().zip(errors);
    let over = over.find(|(member, error)| *error > member.max_error_of_size);
    let (member, error_of_size) = over.expect("a character exceeds its limit");
    ShareError::NotMet {
        character: member.label.to_owned(),
        limit_of_size: member.max_error_of_size,
        error_of_size,
    }
}

/// Rejects groups and settings that cannot share textures.
fn check(characters: &[SharedCharacter<'_>], goal: &ShareGoal) -> Result<(), ShareError> {
    let Some(first) = characters.first() else {
        return Err(ShareError::NoClips {
            characters: "no characters".into(),
        });
    };
    let (ShareGoal::Bake(settings)
    | ShareGoal::MaxError { base: settings, .. }
    | ShareGoal::MaxBytes { base: settings, .. }) = goal;
    if let Some(preset) = settings.preset {
        return Err(ShareError::Preset {
            preset: preset.name(),
        });
    }
    if let ShareGoal::Bake(settings) = goal
        && settings.encoding.is_vertex()
    {
        return Err(ShareError::Encoding {
            encoding: settings.encoding,
        });
    }
    for member in characters {
        check_vertices(member.character)?;
        let clips = member.character.clips();
        if let Some(clip) = clips.iter().find(|clip| !clip.morphs().is_empty()) {
            return Err(ShareError::MorphWeights {
                character: member.label.to_owned(),
                clip: clip.name.clone(),
            });
        }
        let differs = difference(first.character, member.character);
        if let Some(difference) = differs {
            return Err(ShareError::Skeletons {
                first: first.label.to_owned(),
                second: member.label.to_owned(),
                difference: difference.to_string(),
            });
        }
    }
    Ok(())
}

/// Bakes the union. Returns its motion set, and the settings that the meshes are stored with.
fn bake_union(
    union: &Character,
    goal: &ShareGoal,
    max_error_of_size: f64,
    source: &Source,
    progress: &dyn Progress,
) -> Result<(SharedSet, BakeSettings), ShareError> {
    let (set, report, settings) = match goal {
        ShareGoal::Bake(settings) => {
            let settings = BakeSettings {
                max_error_of_size,
                ..settings.clone()
            };
            let baked = bake(union, &settings, source, progress)?;
            let report = match baked.report {
                Some(report) => report,
                None => verify(&baked.set, union, &())?,
            };
            (baked.set, report, settings)
        }
        ShareGoal::MaxError { base, space } | ShareGoal::MaxBytes { base, space, .. } => {
            let goal = match goal {
                ShareGoal::MaxBytes { gpu_bytes, .. } => Goal::MaxBytes {
                    gpu_bytes: *gpu_bytes,
                },
                _ => Goal::MaxError {
                    of_size: max_error_of_size,
                },
            };
            let asked = space.encodings.as_deref().unwrap_or(&SHARED_ENCODINGS);
            let shared = asked.iter().filter(|encoding| !encoding.is_vertex());
            let shared: Vec<_> = shared.copied().collect();
            if let (true, Some(&encoding)) = (shared.is_empty(), asked.first()) {
                return Err(ShareError::Encoding { encoding });
            }
            let space = SearchSpace {
                encodings: Some(shared),
                coverage: Coverage::BestOnly,
                ..space.clone()
            };
            let found = search(union, base, &space, goal, source.clone(), progress)?;
            let manifest = found.set.manifest();
            let settings = BakeSettings {
                encoding: manifest.encoding,
                storage: manifest.storage(),
                ..base.clone()
            };
            (found.set, found.report, settings)
        }
    };
    let mut motion = set.without_mesh()?;
    motion.record_error(report.error.errors.overall.max_error_of_size);
    let shared = SharedSet {
        set: motion,
        report,
    };
    Ok((shared, settings.resolved()?))
}

/// Puts a character on the motion set and measures it. Its mesh is rounded within a part of `limit_m`.
fn measured_set(
    motion: &TextureSet,
    member: &SharedCharacter<'_>,
    settings: &BakeSettings,
    limit_m: f64,
    progress: &dyn Progress,
) -> Result<SharedSet, ShareError> {
    let size_m = rest_size(member.character).max(f64::MIN_POSITIVE);
    let settings = BakeSettings {
        max_error_of_size: limit_m / size_m,
        ..settings.clone()
    };
    let mut set = member_set(motion, member.character, &settings, member.source.clone())?;
    let report = verify(&set, member.reference, progress)?;
    set.record_error(report.error.errors.overall.max_error_of_size);
    Ok(SharedSet { set, report })
}
