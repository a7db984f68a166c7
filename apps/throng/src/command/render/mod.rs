//! `throng render`: draws a character, a crowd, or techniques side by side, as a still or animated image.

mod activity;
mod chosen_clips;
mod error_map;
mod instances;
mod methods;
mod moving_clips;
mod panel;
mod panel_maker;
mod party;
mod placements;
mod report;
mod shoot;
mod subject;
mod timing;

use std::io::Write;
use std::ops::RangeInclusive;

use throng_format::atomic::write_file;
use throng_studio::{EncodeError, Formation, PictureFile, PictureFormat};
use throng_wgpu::Gpu;

use super::CommandError;
use super::progress::Bar;
use crate::cli::RenderArgs;
use instances::Instances;
use panel_maker::panels;
use report::{CharacterReport, Report};
use shoot::{Renderer, StagedCrowd};
use subject::Source;
use throng_bake::Progress;
use timing::Timing;

/// Panels of a comparison.
const PANELS: RangeInclusive<usize> = 2..=9;

/// Draws an image, writes it and prints a report.
pub fn render(args: &RenderArgs, out: &mut impl Write) -> Result<(), CommandError> {
    // An unsupported file type is reported before any work is done.
    let format = PictureFormat::from_path(&args.output).ok_or_else(|| {
        CommandError::Usage(format!(
            "{}: unsupported file type; expected .png or .gif",
            args.output.display()
        ))
    })?;
    if !args.compare.is_empty() && !PANELS.contains(&args.compare.len()) {
        return Err(CommandError::Usage(format!(
            "--compare takes {} to {} panels, found {}",
            PANELS.start(),
            PANELS.end(),
            args.compare.len()
        )));
    }
    if !args.methods.is_empty() && !PANELS.contains(&args.methods.len()) {
        return Err(CommandError::Usage(format!(
            "--methods takes {} to {} methods, found {}",
            PANELS.start(),
            PANELS.end(),
            args.methods.len()
        )));
    }
    args.storage.check().map_err(CommandError::Usage)?;
    args.crowd.check().map_err(CommandError::Usage)?;
    if args.time.is_some() && args.crowd.offset.is_some() && !args.crowd.is_crowd() {
        return Err(CommandError::Usage(
            "--offset and --time both set the time of one instance: leave one out".into(),
        ));
    }
    let placements = match &args.crowd.placements {
        Some(path) => placements::read(path)?,
        None => Vec::new(),
    };
    let source = Source::open(args, &placements)?;
    if args.show_error && source.character().is_none() {
        return Err(CommandError::Usage(format!(
            "--show-error: {} is a texture set whose source is not there: name the file of the character and the \
             technique",
            args.source
        )));
    }
    let gpu = Gpu::headless()?;
    let panels = panels(&gpu, args, &source)?;
    let timing = timing(args, &source);
    let size = args.size.unwrap_or(match args.frames {
        Some(_) => [640, 360],
        None => [1280, 720],
    });

    let made = Instances {
        source: &source,
        args: &args.crowd,
        timing: &timing,
    };
    let instances = match placements.as_slice() {
        [] if args.crowd.is_crowd() => made.arranged(shoot::slope(size)),
        [] => vec![made.single(args.time.or(worst_time(args, &source)?))],
        placements => made.placed(placements)?,
    };
    let count = instances.len();
    let formation = Formation {
        arrangement: placements.is_empty().then(|| args.crowd.arrangement()),
        count: count as u32,
        spacing: made.spacing(),
        size: source.size,
        ground_y: source.ground_y(),
    };
    let crowd = StagedCrowd {
        instances,
        formation,
    };
    let mut renderer = Renderer::new(&gpu, args, &source, panels, crowd, timing, size)?;
    let fps = timing.is_animated().then_some(timing.fps);
    let fault = |error: EncodeError| CommandError::Picture {
        path: args.output.clone(),
        reason: error.to_string(),
    };
    let mut file = PictureFile::begin(format, size, timing.frames, fps).map_err(fault)?;
    let bar = Bar::new("drawing");
    for frame in 0..timing.frames {
        let picture = renderer.frame(frame)?;
        file.add(picture).map_err(fault)?;
        bar.step(frame as usize + 1, timing.frames as usize);
    }
    drop(bar);
    let bytes = file.finish().map_err(fault)?;
    write_file(&args.output, &bytes)?;

    let (first, characters) = (renderer.first(), renderer.characters());
    let report = Report {
        output: &args.output,
        bytes: bytes.len(),
        width: size[0],
        height: size[1],
        frames: timing.frames,
        fps,
        source: &args.source,
        clips: source.clips.iter().map(|clip| clip.name.as_str()).collect(),
        instances: count,
        vertices: first.model().vertex_count(),
        triangles: characters.iter().map(CharacterReport::triangles).sum(),
        characters: match source.party.is_empty() {
            true => Vec::new(),
            false => characters,
        },
        panels: renderer.reports(),
        adapter: gpu.name(),
    };
    if args.json {
        report.write_json(out)
    } else {
        report.write_text(out)
    }
}

/// Returns the time of the pose in which methods differ most, where methods are compared.
fn worst_time(args: &RenderArgs, source: &Source) -> Result<Option<f64>, CommandError> {
    if args.methods.is_empty() || args.crowd.offset.is_some() {
        return Ok(None);
    }
    let Some(character) = source.character() else {
        return Ok(None);
    };
    let focus = methods::focus(args, character)?;
    let clip = character.clips().first();
    Ok(clip.map(|clip| methods::worst_time(character, clip, focus)))
}

fn timing(args: &RenderArgs, source: &Source) -> Timing {
    // The time of one instance is that of its clip, which its instance record holds.
    let start_secs = match args.crowd.is_crowd() && !args.has_pose() {
        false => 0.0,
        true => args.time.unwrap_or(0.0),
    };
    match args.frames {
        None => Timing::still(start_secs),
        Some(frames) => {
            let durations: Vec<f64> = source.clips.iter().map(|c| c.duration_secs).collect();
            Timing::animated(start_secs, frames, args.fps, &durations)
        }
    }
}
