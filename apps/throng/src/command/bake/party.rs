//! Characters that share motion sets: imported, grouped by skeleton, baked, measured, written.

use throng_bake::share::{
    GroupClips, ShareError, ShareGoal, SharedCharacter, SharedSet, SharedSets, SkeletonGroup,
    bake_shared, group_by_skeleton, group_clips, with_shell,
};
use throng_format::disk::{self, SetReader, SideFile, motion_reference};
use throng_format::{MotionReference, Source, TextureSet};
use throng_import::{ImportOptions, import};
use throng_rig::Character;
use throng_skin::rest_size;

use super::inputs::make_folder;
use super::job::{BakeJob, Plan, SetFiles};
use super::one::{check_limit, manifest_source, refuse_own_source, report_json};
use super::party_job::PartyJob;
use super::party_report::{BakedMotion, BakedParty};
use super::report::BakedSet;
use crate::command::progress::Bar;
use crate::command::{CommandError, print_warnings};
use crate::text::print_note;

/// A character of the party.
struct Member<'a> {
    job: &'a BakeJob,
    character: Character,
    /// The character with all influences, where the bake keeps fewer.
    reference: Option<Character>,
}

/// A group that was baked.
struct BakedGroup<'a> {
    /// Indices of the characters.
    members: &'a [usize],
    sets: SharedSets,
}

/// Bakes a party and writes its sets, unless those on disk are up to date: `None`.
pub fn bake_party(party: &PartyJob) -> Result<Option<BakedParty>, CommandError> {
    party.jobs.iter().try_for_each(refuse_own_source)?;
    let key = party.key()?;
    if !party.is_motion_only() && !is_forced(party) && are_characters_unchanged(party, &key)? {
        return Ok(None);
    }
    let members: Vec<Member<'_>> = party.jobs.iter().map(imported).collect::<Result<_, _>>()?;
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
    for group in &groups {
        baked.push(bake_group(party, &members, &group.members, &key)?);
    }
    write(party, &members, baked).map(Some)
}

fn is_forced(party: &PartyJob) -> bool {
    party.jobs.iter().any(|job| job.force)
}

/// Imports the source of a job. A file without a mesh is refused, unless only its motion is baked.
fn imported(job: &BakeJob) -> Result<Member<'_>, CommandError> {
    let imported = import(&job.source, &job.import)?;
    print_warnings(&imported.warnings);
    // The bake may keep fewer influences than the source has; errors are measured against all of them.
    let all = ImportOptions {
        max_influences: None,
        min_weight: 0.0,
        ..job.import
    };
    let reference = match job.import == all {
        true => None,
        false => Some(import(&job.source, &all)?.character),
    };
    Ok(Member {
        job,
        character: imported.character,
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
    let job = BakeJob {
        output: party.motion_output(group),
        ..party.jobs[members[0]].clone()
    };
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

fn bake_group<'a>(
    party: &PartyJob,
    members: &[Member<'_>],
    group: &'a [usize],
    key: &str,
) -> Result<BakedGroup<'a>, CommandError> {
    let labels: Vec<&str> = group.iter().map(|&i| members[i].job.source.as_str()).collect();
    let failed = |error: ShareError| failed(&labels, error);
    let sources: Vec<(&str, &Character)> = labels
        .iter()
        .zip(group)
        .map(|(label, &index)| (*label, &members[index].character))
        .collect();
    let clips = group_clips(&sources).map_err(failed)?;
    let with_clips = |character: &Character| {
        with_shell(clips.on(character)).map_err(|error| failed(error.into()))
    };
    let mut characters = Vec::new();
    for &index in group {
        let member = &members[index];
        let character = with_clips(&member.character)?;
        let reference = member.reference.as_ref().map(with_clips).transpose()?;
        characters.push((character, reference));
    }
    let mut shared = Vec::new();
    let mut plan = None;
    for ((character, reference), (&index, label)) in characters.iter().zip(group.iter().zip(&labels)) {
        let job = members[index].job;
        let reference = reference.as_ref().unwrap_or(character);
        let own_plan = job.plan_for(character, rest_size(reference))?;
        let (Plan::Bake(settings) | Plan::Search { base: settings, .. }) = &own_plan;
        clips.check_morphs(&labels, &settings.clips).map_err(failed)?;
        shared.push(SharedCharacter {
            label,
            character,
            reference,
            source: member_source(job, key, &clips, members, group, index)?,
            max_error_of_size: settings.max_error_of_size,
        });
        plan.get_or_insert(own_plan);
    }
    let goal = goal(plan.expect("a group has a character"));
    let group_index = party_group(party, members, group);
    let motion_source = motion_source(party, group, group_index, key)?;
    let bar = Bar::new(&match labels.as_slice() {
        [one] => format!("baking {one}"),
        several => format!("baking {} characters", several.len()),
    });
    let sets = bake_shared(&shared, &goal, &motion_source, &bar).map_err(failed)?;
    drop(bar);
    for (&index, set) in group.iter().zip(&sets.characters) {
        check_limit(members[index].job, &set.report)?;
    }
    Ok(BakedGroup {
        members: group,
        sets,
    })
}
