//! Characters that share motion sets: imported, grouped by skeleton, baked, measured, written.

use std::path::Path;

use throng_bake::share::{
    GroupClips, ShareError, ShareGoal, SharedCharacter, SharedSet, SharedSets, SkeletonGroup,
    bake_shared, group_by_skeleton, group_clips, with_shell,
};
use throng_format::disk::{self, SetReader, SideFile, motion_reference};
use throng_format::{MotionReference, MotionSource, Source, TextureSet};
use throng_import::{ImportOptions, import};
use throng_rig::Character;
use throng_skin::{prepare, prepare_source, rest_size};

use super::inputs::make_folder;
use super::job::{BakeJob, Plan, SetFiles};
use super::levels::with_levels;
use super::one::{check_limit, manifest_source, refuse_own_source, report_json, source_path};
use super::party_job::PartyJob;
use super::party_report::BakedParty;
use super::report::BakedSet;
use crate::command::digest::source_digest;
use crate::command::motion::with_clips_before;
use crate::command::progress::Bar;
use crate::command::set_source::import_with_or_without_mesh;
use crate::command::{CommandError, print_warnings};
use crate::text::{print_note, print_warning};

/// A character of the party.
struct Member<'a> {
    job: &'a BakeJob,
    character: Character,
    /// The character with all influences, where the bake keeps fewer.
    reference: Option<Character>,
}

/// Bakes a party and writes its sets, unless those on disk are up to date: `None`.
pub fn bake_party(party: &PartyJob) -> Result<Option<BakedParty>, CommandError> {
    party.jobs.iter().try_for_each(refuse_own_source)?;
    let key = party.key()?;
    if !party.is_motion_only() && !is_forced(party) && are_characters_unchanged(party, &key)? {
        return Ok(None);
    }
    let imported = party.jobs.iter().map(|job| imported(party, job));
    let members: Vec<Member<'_>> = imported.collect::<Result<_, _>>()?;
    let characters: Vec<&Character> = members.iter().map(|member| &member.character).collect();
    let groups = group_by_skeleton(&characters);
    party.check_outputs(groups.len())?;
    if party.is_motion_only() && !is_forced(party) && are_motions_unchanged(party, &groups, &key)? {
        return Ok(None);
    }
    check_outputs(party, groups.len())?;
    note_groups(party, &groups, &members);
    // Everything is baked before anything is written.
    let mut baked = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        baked.push(bake_group(party, &members, (index, &group.members), &key)?);
    }
    write(party, &groups, baked).map(Some)
}

fn is_forced(party: &PartyJob) -> bool {
    party.jobs.iter().any(|job| job.force)
}

/// Imports the source of a job. Where only its motion is baked, the file may have no mesh.
fn imported<'a>(party: &PartyJob, job: &'a BakeJob) -> Result<Member<'a>, CommandError> {
    let imported = match party.is_motion_only() {
        true => import_with_or_without_mesh(&job.source, &job.import)?,
        false => import(&job.source, &job.import)?,
    };
    print_warnings(&imported.warnings);
    let mut warnings = Vec::new();
    let clips = job.motion.clips_for(&imported.character, &mut warnings)?;
    warnings.iter().for_each(print_warning);
    let character = with_clips_before(imported.character, clips.clone())?;
    // The bake may keep fewer influences than the source has; errors are measured against all of them.
    let all = ImportOptions {
        max_influences: None,
        min_weight: 0.0,
        ..job.import
    };
    let reference = match job.import == all || character.parts().is_empty() {
        true => None,
        false => {
            let reference = import(&job.source, &all)?.character;
            Some(with_clips_before(reference, clips)?)
        }
    };
    Ok(Member {
        job,
        character,
        reference,
    })
}

/// Returns the source entry of a set of the party.
fn source_of(job: &BakeJob, key: &str) -> Result<Source, CommandError> {
    Ok(Source {
        settings: key.to_owned(),
        ..manifest_source(job)?
    })
}

/// Returns whether valid sets of all characters are there that were baked from the same sources by the same job. Reading
/// them reads and checks their motion sets.
fn are_characters_unchanged(party: &PartyJob, key: &str) -> Result<bool, CommandError> {
    let mut reader = SetReader::default();
    for job in &party.jobs {
        let source = source_of(job, key)?;
        let set = reader.read(&job.output);
        if !set.is_ok_and(|set| set.manifest().motion.is_some() && is_same(&set, &source)) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn are_motions_unchanged(
    party: &PartyJob,
    groups: &[SkeletonGroup],
    key: &str,
) -> Result<bool, CommandError> {
    for (index, group) in groups.iter().enumerate() {
        let source = motion_source(party, &group.members, index, key)?;
        let set = disk::read(&party.motion_output(index));
        if !set.is_ok_and(|set| set.manifest().is_motion() && is_same(&set, &source)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Compares what is known before the sources are imported.
fn is_same(set: &TextureSet, source: &Source) -> bool {
    let known = &set.manifest().source;
    let fields = |source: &Source| {
        let Source {
            path,
            digest,
            settings,
            ..
        } = source;
        [path.clone(), digest.clone(), settings.clone()]
    };
    fields(known) == fields(source)
}

/// Source of a motion set: that of the first character of its group.
fn motion_source(
    party: &PartyJob,
    members: &[usize],
    group: usize,
    key: &str,
) -> Result<Source, CommandError> {
    let mut job = party.jobs[members[0]].clone();
    job.output = party.motion_output(group);
    source_of(&job, key)
}

/// Refuses, before any work, folders that the sets may not replace.
fn check_outputs(party: &PartyJob, groups: usize) -> Result<(), CommandError> {
    let motions = (0..groups).map(|group| party.motion_output(group));
    let characters = party.jobs.iter().map(|job| job.output.clone());
    let characters = characters.filter(|_| !party.is_motion_only());
    for path in motions.chain(characters) {
        disk::check_replaceable(&path).map_err(CommandError::WriteSet)?;
    }
    Ok(())
}

/// Prints a note for each character that cannot use the first motion set.
fn note_groups(party: &PartyJob, groups: &[SkeletonGroup], members: &[Member<'_>]) {
    let Some((first, others)) = groups.split_first() else {
        return;
    };
    for (index, group) in others.iter().enumerate() {
        if let Some(difference) = &group.differs {
            print_note(format_args!(
                "{} uses {}, as its skeleton is not that of {}: {difference}",
                members[group.members[0]].job.source,
                party.motion_output(index + 1).display(),
                members[first.members[0]].job.source,
            ));
        }
    }
}

/// Bakes the characters of a group with the clips of all of them.
fn bake_group(
    party: &PartyJob,
    members: &[Member<'_>],
    group: (usize, &[usize]),
    key: &str,
) -> Result<SharedSets, CommandError> {
    let (group_index, group) = group;
    let members: Vec<&Member<'_>> = group.iter().map(|&index| &members[index]).collect();
    let labels: Vec<&str> = members.iter().map(|m| m.job.source.as_str()).collect();
    let failed = |error: ShareError| CommandError::Share {
        source_names: labels.join(", "),
        error: Box::new(error),
    };
    let characters = members.iter().map(|member| &member.character);
    let named: Vec<_> = labels.iter().copied().zip(characters).collect();
    let clips = group_clips(&named).map_err(failed)?;
    let to_bake = |character: &Character| {
        let character = clips.on(character);
        match party.is_motion_only() {
            true => with_shell(character).map_err(|error| failed(error.into())),
            false => Ok(character),
        }
    };
    let mut characters = Vec::new();
    for member in &members {
        let character = to_bake(&member.character)?;
        let chosen = member.job.clip_indices(&character)?;
        let skinning = member.job.skinning()?;
        let character = prepare(character, skinning, &chosen);
        let reference = member.reference.as_ref().map(to_bake).transpose()?;
        let reference = reference.map(|source| prepare_source(source, &character, skinning));
        characters.push((character, reference));
    }
    let mut shared = Vec::new();
    let mut plans = Vec::new();
    for (index, (character, reference)) in characters.iter().enumerate() {
        let job = members[index].job;
        let reference = reference.as_ref().unwrap_or(character);
        let plan = job.plan_for(character, rest_size(reference))?;
        let (Plan::Bake(settings) | Plan::Search { base: settings, .. }) = &plan;
        clips
            .check_morphs(&labels, &settings.clips)
            .map_err(failed)?;
        shared.push(SharedCharacter {
            label: labels[index],
            character,
            reference,
            source: with_lenders(source_of(job, key)?, &clips, &members, index, &job.output)?,
            max_error_of_size: settings.max_error_of_size,
        });
        plans.push(plan);
    }
    let goal = goal(plans.swap_remove(0));
    let motion_output = party.motion_output(group_index);
    let motion_source = motion_source(party, group, group_index, key)?;
    let motion_source = with_lenders(motion_source, &clips, &members, 0, &motion_output)?;
    let bar = Bar::new(&match labels.as_slice() {
        [one] => format!("baking {one}"),
        several => format!("baking {} characters", several.len()),
    });
    let mut sets = bake_shared(&shared, &goal, &motion_source, &bar).map_err(failed)?;
    drop(bar);
    for (member, set) in members.iter().zip(&sets.characters) {
        check_limit(member.job, &set.report)?;
    }
    let baked = std::mem::take(&mut sets.characters);
    for ((member, shared), baked) in members.iter().zip(&shared).zip(baked) {
        let SharedSet { set, mut report } = baked;
        let set = with_levels(member.job, set, &mut report, shared.reference)?;
        sets.characters.push(SharedSet { set, report });
    }
    Ok(sets)
}

/// Records the characters whose clips a member plays without having them.
fn with_lenders(
    mut source: Source,
    clips: &GroupClips,
    members: &[&Member<'_>],
    member: usize,
    output: &Path,
) -> Result<Source, CommandError> {
    for lender in clips.lenders_to(&members[member].character, member) {
        let job = members[lender].job;
        source.lenders.push(MotionSource {
            path: source_path(&job.source, output, job.files),
            digest: source_digest(&job.source)?,
        });
    }
    Ok(source)
}

fn goal(plan: Plan) -> ShareGoal {
    match plan {
        Plan::Bake(settings) => ShareGoal::Bake(settings),
        Plan::Search {
            base,
            space,
            max_gpu_bytes: None,
        } => ShareGoal::MaxError { base, space },
        Plan::Search {
            base,
            space,
            max_gpu_bytes: Some(gpu_bytes),
        } => ShareGoal::MaxBytes {
            base,
            space,
            gpu_bytes,
        },
    }
}

/// Writes the sets of all groups: each motion set first, then the characters that refer to it.
fn write(
    party: &PartyJob,
    groups: &[SkeletonGroup],
    baked: Vec<SharedSets>,
) -> Result<BakedParty, CommandError> {
    let output = party.output();
    let folder = match party.is_one_motion() {
        true => output.parent().unwrap_or(output),
        false => output,
    };
    if !folder.as_os_str().is_empty() {
        make_folder(folder)?;
    }
    let mut out = BakedParty::new(output);
    for (index, (group, sets)) in groups.iter().zip(baked).enumerate() {
        let path = party.motion_output(index);
        let files = party.jobs[group.members[0]].files;
        let motion = write_set(sets.motion, &path, files)?;
        let mut characters = Vec::new();
        if !party.is_motion_only() {
            let reference = motion_reference(&path).map_err(CommandError::WriteSet)?;
            for (&member, shared) in group.members.iter().zip(sets.characters) {
                let output = &party.jobs[member].output;
                characters.push(write_set(using(shared, &reference)?, output, files)?);
            }
        }
        out.add(motion, characters);
    }
    Ok(out)
}

/// Returns a set as one that refers to its motion set.
fn using(shared: SharedSet, motion: &MotionReference) -> Result<SharedSet, CommandError> {
    let set = shared.set.with_motion(motion.clone());
    let set = set.map_err(|error| CommandError::Failed(error.to_string()))?;
    Ok(SharedSet { set, ..shared })
}

fn write_set(shared: SharedSet, output: &Path, files: SetFiles) -> Result<BakedSet, CommandError> {
    let SharedSet { set, mut report } = shared;
    let SetFiles::Folder {
        format,
        supercompression,
    } = files
    else {
        unreachable!("parties are written as folders");
    };
    let report_file = |bytes| {
        let mut report = report.clone();
        report.disk_bytes = Some(bytes);
        report_json(&report)
    };
    let side_files = [SideFile {
        name: disk::REPORT,
        contents: &report_file,
    }];
    let bytes = disk::write_folder(&set, output, format, supercompression, &side_files);
    report.disk_bytes = Some(bytes.map_err(CommandError::WriteSet)?);
    Ok(BakedSet {
        output: output.to_owned(),
        report,
        candidates: Vec::new(),
        target: None,
        changes: None,
        pruned: Vec::new(),
    })
}
