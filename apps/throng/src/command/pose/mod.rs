//! `throng pose`: samples, skins and writes a character in one pose.

mod edit;
mod report;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use throng_import::import;
use throng_rig::{Character, CharacterPose, Clip, Skinning, select_by_name};
use throng_skin::artefacts::{PosedSurface, measure};
use throng_skin::reference::{Skinned, skin_part};
use throng_wgpu::Gpu;

use super::gpu::skin_pose;
use super::{CommandError, print_warnings};
use crate::cli::{Device, InterpolatedValues, Keyframe, PoseArgs};
use crate::export::{ExportError, Format, Posed, write_file};
use crate::text::print_warning;
use report::{ClipName, Report};

/// Value of `--clip` for the rest pose.
const NO_CLIP: &str = "none";

/// Poses and skins a character, writes the mesh if an output is named, and prints a report.
pub fn pose(args: &PoseArgs, out: &mut impl Write) -> Result<(), CommandError> {
    // An unsupported file type is reported before any work is done.
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
    print_warnings(&import.warnings);

    let mut pose = CharacterPose::rest(character);
    let mut time_secs = None;
    if let Some((_, clip)) = chosen {
        let asked = args.time.unwrap_or(clip.start_secs());
        let held = asked.clamp(clip.start_secs(), clip.end_secs());
        if held != asked {
            let (start, end) = (clip.start_secs(), clip.end_secs());
            let name = &clip.name;
            print_warning(format_args!(
                "clip '{name}' spans {start} to {end} s: {asked} s is clamped to {held} s"
            ));
        }
        pose.sample(character, clip, held);
        time_secs = Some(held);
    } else if args.time.is_some() {
        print_warning("the rest pose has no time: --time is ignored");
    }
    edit::rotate_joints(&args.rotate, character, &mut pose)?;
    let rest = CharacterPose::rest(character);
    let rest_parts = skin_all(character, &rest, args.method);
    if let Some(Keyframe { fraction, by }) = args.keyframe
        && by == InterpolatedValues::Rotations
    {
        edit::interpolate_joints(character, &rest, fraction, &mut pose);
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
        && by == InterpolatedValues::Positions
    {
        edit::interpolate_vertices(&rest_parts, fraction, &mut parts);
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
        skinning: args.method,
        rotated_joints: args.rotate.len(),
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

/// Returns the clip asked for, or the first that moves for a time without a clip.
fn choose_clip<'c>(
    args: &PoseArgs,
    character: &'c Character,
) -> Result<Option<(usize, &'c Clip)>, CommandError> {
    let clips = character.clips();
    let index = match (args.clip.as_deref(), args.time) {
        (Some(NO_CLIP), _) | (None, None) => return Ok(None),
        (None, Some(_)) if clips.is_empty() => {
            return Err(CommandError::Usage(format!(
                "--time: '{}' has no clips",
                character.name
            )));
        }
        (None, Some(_)) => clips.iter().position(Clip::moves).unwrap_or(0),
        (Some(wanted), _) => {
            let names = clips.iter().map(|clip| clip.name.as_str());
            let found = select_by_name(names, wanted).map_err(|error| {
                CommandError::Usage(format!("--clip: {error}; `none` is the rest pose"))
            })?;
            if !found.namesakes.is_empty() {
                let others: Vec<String> = found.namesakes.iter().map(|i| format!("#{i}")).collect();
                let (taken, others) = (found.index, others.join(", "));
                print_warning(format_args!(
                    "several clips are named '{wanted}': using #{taken}; the others are {others}"
                ));
            }
            found.index
        }
    };
    Ok(Some((index, &clips[index])))
}

/// Refuses to overwrite the source: a posed mesh has neither skeleton nor clips.
fn refuse_source(source: &str, output: &Path) -> Result<(), CommandError> {
    let same = match (Path::new(source).canonicalize(), output.canonicalize()) {
        (Ok(source), Ok(output)) => source == output,
        _ => false,
    };
    if !same {
        return Ok(());
    }
    Err(CommandError::Usage(format!(
        "-o {source}: the posed mesh would overwrite its source: choose another name"
    )))
}

fn skin_all(character: &Character, pose: &CharacterPose, skinning: Skinning) -> Vec<Skinned> {
    let skin = |part| {
        let mut skinned = Skinned::default();
        skin_part(character, part, pose, skinning, &mut skinned);
        skinned
    };
    character.parts().iter().map(skin).collect()
}
