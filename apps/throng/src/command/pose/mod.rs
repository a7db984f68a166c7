//! `throng pose`: samples, skins and writes a character in one pose.

mod interpolate;
mod report;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use throng_bake::pose_clip::interpolate_joints;
use throng_export::{ExportError, Format, Posed, write_file};
use throng_format::{InterpolatedValues, Keyframe};
use throng_import::import_with_caches;
use throng_rig::{Character, CharacterPose, Skinning};
use throng_skin::artefacts::{PosedSurface, measure};
use throng_skin::prepare;
use throng_skin::reference::{Skinned, skin_part};
use throng_wgpu::Gpu;

use super::caches::{cache_files, check_caches};
use super::gpu::skin_pose;
use super::pose_edits::edited_pose;
use super::{CommandError, print_warnings};
use crate::cli::{Device, PoseArgs};
use crate::text::print_warning;
use interpolate::interpolate_vertices;
use report::{ClipName, Report};

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
    let caches = cache_files(&args.source.caches);
    let import = import_with_caches(&args.source.file, &args.source.options(), &caches)?;
    let character = &prepare(import.character, args.method, &[]);
    if args.device == Device::Gpu && character.has_vertex_caches() {
        return Err(CommandError::Usage(
            "--device gpu: skins joints, which do not move a vertex cache: leave --device out"
                .into(),
        ));
    }
    let edits = args.edit.on(args.base.clip.as_deref(), args.base.time);
    let mut warnings = Vec::new();
    let edited = edited_pose(character, &edits, &mut warnings)?;
    print_warnings(&import.warnings);
    warnings.iter().for_each(print_warning);
    let mut pose = edited.pose;
    let rest = CharacterPose::rest(character);
    let rest_parts = skin_all(character, &rest, args.method);
    if let Some(Keyframe { fraction, by }) = edits.keyframe
        && by == InterpolatedValues::Rotations
    {
        interpolate_joints(character, &rest, fraction, &mut pose);
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
    if let Some(Keyframe { fraction, by }) = edits.keyframe
        && by == InterpolatedValues::Positions
    {
        interpolate_vertices(&rest_parts, fraction, &mut parts);
    }
    check_caches(&args.source.file, character)?;
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
        clip: edited.clip.map(|(index, clip)| ClipName {
            index,
            name: &clip.name,
        }),
        time_secs: edited.time_secs,
        skinning: args.method,
        rotated_joints: edits.rotate.len(),
        keyframe: edits.keyframe,
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
