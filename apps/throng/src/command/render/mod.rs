//! `throng render`: draws a character, a crowd, or techniques side by side, as a still or animated image.

mod crowd;
mod error_map;
mod panel;
mod report;
mod shoot;
mod subject;
mod timing;

use std::io::Write;

use throng_format::atomic::write_file;
use throng_studio::{EncodeError, PictureFile, PictureFormat};
use throng_wgpu::{Gpu, Technique};

use super::CommandError;
use super::progress::Bar;
use crate::cli::RenderArgs;
use panel::{Panel, default_technique};
use report::Report;
use shoot::Renderer;
use subject::Source;
use throng_bake::Progress;
use timing::Timing;

/// Most panels of an image.
const MAX_PANELS: usize = 4;

/// Draws an image, writes it and prints a report.
pub fn render(args: &RenderArgs, out: &mut impl Write) -> Result<(), CommandError> {
    // An unsupported file type is reported before any work is done.
    let format = PictureFormat::from_path(&args.output).ok_or_else(|| {
        CommandError::Usage(format!(
            "{}: unsupported file type; expected .png or .gif",
            args.output.display()
        ))
    })?;
    if args.compare.len() > MAX_PANELS {
        return Err(CommandError::Usage(format!(
            "--compare takes at most {MAX_PANELS} techniques, found {}",
            args.compare.len()
        )));
    }
    args.storage.check().map_err(CommandError::Usage)?;
    let source = Source::open(args)?;
    let measures = args.show_error || !args.compare.is_empty();
    if measures && source.character().is_none() {
        return Err(CommandError::Usage(format!(
            "{} is a texture set, and errors are measured against a character: name its file and the technique",
            args.source
        )));
    }
    let gpu = Gpu::headless()?;
    let techniques: Vec<Technique> = match args.compare.as_slice() {
        [] => vec![
            args.technique
                .unwrap_or_else(|| default_technique(args, &source)),
        ],
        compared => compared.to_vec(),
    };
    let panels: Result<Vec<Panel>, CommandError> = techniques
        .into_iter()
        .map(|technique| Panel::new(&gpu, args, &source, technique))
        .collect();
    let timing = timing(args, &source);
    let size = args.size.unwrap_or(match args.frames {
        Some(_) => [640, 360],
        None => [1280, 720],
    });

    let mut renderer = Renderer::new(&gpu, args, &source, panels?, timing, size)?;
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

    let first = renderer.first();
    let report = Report {
        output: &args.output,
        bytes: bytes.len(),
        width: size[0],
        height: size[1],
        frames: timing.frames,
        fps,
        source: &args.source,
        clips: source.clips.iter().map(|clip| clip.name.as_str()).collect(),
        instances: args.instances,
        vertices: first.model().vertex_count(),
        triangles: first.model().triangle_count() as u64 * u64::from(args.instances),
        panels: renderer.reports(),
        adapter: gpu.name(),
    };
    if args.json {
        report.write_json(out)
    } else {
        report.write_text(out)
    }
}

fn timing(args: &RenderArgs, source: &Source) -> Timing {
    // The time of one instance is that of its clip, which its instance record holds.
    let start_secs = match args.instances {
        1 => 0.0,
        _ => args.time.unwrap_or(0.0),
    };
    match args.frames {
        None => Timing::still(start_secs),
        Some(frames) => {
            let durations: Vec<f64> = source.clips.iter().map(|c| c.duration_secs).collect();
            Timing::animated(start_secs, frames, args.fps, &durations)
        }
    }
}
