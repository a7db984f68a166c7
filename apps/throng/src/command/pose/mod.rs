//! `throng pose`: a character at one time, skinned and written.

mod by_hand;
mod report;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use throng_import::import;
use throng_rig::{
    AuthoredMethod, Character, CharacterPose, Clip, Method, Skinning, select_by_name,
};
use throng_skin::artefacts::{PosedSurface, measure};
use throng_skin::reference::{Skinned, skin_part};
use throng_wgpu::Gpu;

use super::gpu::skin_pose;
use super::{CommandError, tell_all};
use crate::cli::{Between, Device, Keyframe, PoseArgs};
use crate::export::{ExportError, Format, Posed, write_file};
use crate::text::tell;
use report::{ClipName, Report};

/// What `--clip` takes for the rest pose.
const NO_CLIP: &str = "none";

/// Poses a character, skins it, writes it where asked, and tells what came out.
pub fn pose(args: &PoseArgs, out: &mut impl Write) -> Result<(), CommandError> {
    // A name that says nothing is wrong before any work is done.
    let format = match &args.output {
        Some(path) => {
            refuse_source(&args.source.file, path)?;
            Some((path, Format::from_path(path)?))
        }
        None => None,
    };
    let import = import(&args.source.file, &args.source.options())?;
    let character = &import.character;
    let chosen = choose_clip(args, character)?;
    tell_all(&import.warnings);

    let mut pose = CharacterPose::rest(character);
    let mut time_secs = None;
    if let Some((_, clip)) = chosen {
        let asked = args.time.unwrap_or(clip.start_secs());
        let held = asked.clamp(clip.start_secs(), clip.end_secs());
        if held != asked {
            let (start, end) = (clip.start_secs(), clip.end_secs());
            let of = format!("clip '{}' spans {start} to {end} s", clip.name);
            tell(
                "warning",
                format_args!("{of}: {asked} s is taken as {held} s"),
            );
        }
        pose.sample(character, clip, held);
        time_secs = Some(held);
    } else if args.time.is_some() {
        tell("warning", "the rest pose has no time: --time is not used");
    }
    by_hand::turn_joints(&args.rotate, character, &mut pose)?;
    let rest = CharacterPose::rest(character);
    let rest_parts = skin_all(character, &rest, args.method);
    if let Some(Keyframe { fraction, by }) = args.keyframe
        && by == Between::Rotations
    {
        by_hand::go_part_way(character, &rest, fraction, &mut pose);
    }
    let mut parts = skin_all(character, &pose, args.method);
    if args.device == Device::Gpu {
        let gpu = Gpu::headless()?;
        skin_pose(
            &gpu,
            &Arc::new(character.clone()),
            &pose,
            args.method,
            &mut parts,
        )?;
    }
    if let Some(Keyframe { fraction, by }) = args.keyframe
        && by == Between::Positions
    {
        by_hand::move_part_way(&rest_parts, fraction, &mut parts);
    }
    if let Some((path, format)) = format {
        let posed = Posed {
            character,
            parts: &parts,
        };
        write_file(path, &format.encode(&posed)?).map_err(ExportError::from)?;
    }
    let surface = |pose, parts| PosedSurface { pose, parts };
    let artefacts = measure(
        character,
        surface(&rest, &rest_parts),
        surface(&pose, &parts),
    );
    let report = Report {
        source: &args.source.file,
        clip: chosen.map(|(index, clip)| ClipName {
            index,
            name: &clip.name,
        }),
        time_secs,
        method: method_name(args.method, character),
        turned: args.rotate.len(),
        keyframe: args.keyframe,
        parts: &parts,
        output: args.output.as_deref(),
        artefacts: &artefacts,
        character,
    };
    if args.json {
        report.write_json(out)
    } else {
        report.write_text(out)
    }
}

/// The clip that was asked for; with a time but no clip, the first.
fn choose_clip<'c>(
    args: &PoseArgs,
    character: &'c Character,
) -> Result<Option<(usize, &'c Clip)>, CommandError> {
    let clips = character.clips();
    let index = match (args.clip.as_deref(), args.time) {
        (Some(NO_CLIP), _) | (None, None) => return Ok(None),
        (None, Some(_)) if clips.is_empty() => {
            return Err(CommandError::Usage(format!(
                "--time: '{}' has no clip to take a time from",
                character.name
            )));
        }
        (None, Some(_)) => 0,
        (Some(wanted), _) => {
            let names = clips.iter().map(|clip| clip.name.as_str());
            let found = select_by_name(names, wanted).map_err(|error| {
                CommandError::Usage(format!("--clip: {error}; `none` is the rest pose"))
            })?;
            if !found.namesakes.is_empty() {
                let others: Vec<String> = found.namesakes.iter().map(|i| format!("#{i}")).collect();
                let (taken, others) = (found.index, others.join(", "));
                let shared = format!("several clips are named '{wanted}'");
                tell(
                    "warning",
                    format_args!("{shared}: taking #{taken}; the others are {others}"),
                );
            }
            found.index
        }
    };
    Ok(Some((index, &clips[index])))
}

/// A posed mesh has lost its skeleton and clips, so it must not take the place of what it came from.
fn refuse_source(source: &str, output: &Path) -> Result<(), CommandError> {
    let same = match (Path::new(source).canonicalize(), output.canonicalize()) {
        (Ok(source), Ok(output)) => source == output,
        _ => false,
    };
    if !same {
        return Ok(());
    }
    Err(CommandError::Usage(format!(
        "-o {source}: this would replace the character by one pose of it: choose another name"
    )))
}

/// The method that was asked for, or those that the file says.
fn method_name(skinning: Skinning, character: &Character) -> String {
    if let Skinning::Method(method) = skinning {
        return method.to_string();
    }
    let mut names: Vec<&str> = character
        .meshes()
        .iter()
        .map(|mesh| match mesh.authored_method {
            AuthoredMethod::Linear | AuthoredMethod::Rigid => "lbs",
            AuthoredMethod::DualQuaternion => "dqs",
            AuthoredMethod::Blended => "blended per vertex",
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return Method::Lbs.to_string();
    }
    names.join(", ")
}

fn skin_all(character: &Character, pose: &CharacterPose, skinning: Skinning) -> Vec<Skinned> {
    let skin = |part| {
        let mut skinned = Skinned::default();
        skin_part(character, part, pose, skinning, &mut skinned);
        skinned
    };
    character.parts().iter().map(skin).collect()
}
