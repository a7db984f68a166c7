//! `throng pose`: a character at one time, skinned and written.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use throng_import::import;
use throng_rig::{Character, CharacterPose, Clip, OwnMethod, select_by_name};
use throng_skin::reference::{Skinned, skin_part, skin_part_own};
use throng_skin::{Bounds, Method};

use super::inspect::Box3;
use super::{CommandError, tell_all};
use crate::cli::PoseArgs;
use crate::export::{Format, Posed, write_atomically};
use crate::text::{counted, metres, name, one_line, tell};

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
    let parts = skin_all(character, &pose, args.method);
    if let Some((path, format)) = format {
        let posed = Posed {
            character,
            parts: &parts,
        };
        write_atomically(path, &format.encode(&posed)?)?;
    }

    let mut bounds = Bounds::EMPTY;
    for &position in parts.iter().flat_map(|part| &part.positions) {
        bounds.add(position);
    }
    let report = Report {
        source: &args.source.file,
        clip: chosen.map(|(index, clip)| ClipName {
            index,
            name: &clip.name,
        }),
        time_secs,
        method: method_name(args.method, character),
        parts: parts.len(),
        vertices: parts.iter().map(|part| part.positions.len()).sum(),
        bounds: Box3::of(&bounds),
        output: args.output.as_ref().map(|path| path.display().to_string()),
    };
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)?;
        return Ok(());
    }
    report.write(&bounds, out)
}

/// What came out, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Report<'a> {
    source: &'a str,
    clip: Option<ClipName<'a>>,
    time_secs: Option<f64>,
    method: String,
    parts: usize,
    vertices: usize,
    bounds: Option<Box3>,
    output: Option<String>,
}

#[derive(Debug, Serialize)]
struct ClipName<'a> {
    index: usize,
    name: &'a str,
}

impl Report<'_> {
    fn write(&self, bounds: &Bounds, out: &mut impl Write) -> Result<(), CommandError> {
        let when = match (&self.clip, self.time_secs) {
            (Some(clip), Some(time)) => {
                format!("clip {} '{}' at {time} s", clip.index, name(clip.name))
            }
            _ => "rest pose".to_owned(),
        };
        writeln!(out, "{}: {when}, {}", one_line(self.source), self.method)?;
        let [x, y, z] = bounds.extent().to_array().map(metres);
        writeln!(
            out,
            "  {}, {}, {x} × {y} × {z} m",
            counted(self.parts, "part", "parts"),
            counted(self.vertices, "vertex", "vertices"),
        )?;
        match &self.output {
            Some(path) => writeln!(out, "  wrote {}", one_line(path))?,
            None => writeln!(out, "  add -o FILE.glb to write it")?,
        }
        Ok(())
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
fn method_name(asked: Option<Method>, character: &Character) -> String {
    if let Some(method) = asked {
        return method.to_string();
    }
    let mut names: Vec<&str> = character
        .meshes()
        .iter()
        .map(|mesh| match mesh.own_method {
            OwnMethod::Linear | OwnMethod::Rigid => "lbs",
            OwnMethod::DualQuaternion => "dqs",
            OwnMethod::Blended => "blend by vertex",
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return Method::Lbs.to_string();
    }
    names.join(", ")
}

fn skin_all(character: &Character, pose: &CharacterPose, method: Option<Method>) -> Vec<Skinned> {
    let skin = |part| {
        let mut skinned = Skinned::default();
        match method {
            Some(method) => skin_part(character, part, pose, method, &mut skinned),
            None => skin_part_own(character, part, pose, &mut skinned),
        }
        skinned
    };
    character.parts().iter().map(skin).collect()
}
