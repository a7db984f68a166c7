//! Pictures and animations of a viewport, frame by frame while the window goes on drawing.

use std::path::PathBuf;

use throng_studio::{Picture, PictureFile, PictureFormat};

use crate::export::{ExportDialog, ExportKind};
use crate::gpu::Stage;
use crate::state::State;

/// A file that is being recorded.
pub struct Recording {
    path: PathBuf,
    format: PictureFormat,
    view: usize,
    /// Number of frames, and that of the next.
    frames: u32,
    next: u32,
    fps: Option<u32>,
    file: Option<PictureFile>,
    /// Time and state of the timeline before the recording.
    before: (f64, bool),
    /// True once the next frame was drawn.
    is_drawn: bool,
}

impl Recording {
    /// Begins a recording of the focused viewport. A path with another extension is reported.
    pub fn new(dialog: &ExportDialog, state: &mut State) -> Option<Self> {
        let path = PathBuf::from(&dialog.path);
        let Some(format) = PictureFormat::from_path(&path) else {
            state.report(
                format!("Cannot export {}", dialog.path),
                "unsupported file type; expected .png or .gif",
            );
            return None;
        };
        let is_animated = dialog.kind == ExportKind::Animation;
        let frames = match is_animated {
            true => (state.timeline.duration_secs() * f64::from(dialog.fps)).round() as u32,
            false => 1,
        };
        let before = (state.timeline.time_secs(), state.timeline.is_playing);
        state.timeline.is_playing = false;
        Some(Self {
            path,
            format,
            view: state.focus,
            frames: frames.max(1),
            next: 0,
            fps: is_animated.then_some(dialog.fps),
            file: None,
            before,
            is_drawn: false,
        })
    }

    /// Records a frame that was drawn, and moves the timeline to the next. Returns true at the end.
    pub fn step(&mut self, state: &mut State, stage: &Stage) -> bool {
        if !self.is_drawn {
            // The next call comes after the frame of this time.
            if let Some(fps) = self.fps {
                state.timeline.seek(f64::from(self.next) / f64::from(fps));
            }
            self.is_drawn = true;
            return false;
        }
        self.is_drawn = false;
        let result = self.record(stage);
        let is_done = self.next == self.frames;
        match result {
            Ok(()) if !is_done => {
                let (next, frames) = (self.next, self.frames);
                state.notice = Some(format!("recording {next} of {frames} frames"));
                return false;
            }
            Ok(()) => match self.finish() {
                Ok(message) => state.notice = Some(message),
                Err(error) => state.report("Cannot write the picture", error),
            },
            Err(error) => state.report("Cannot record the picture", error),
        }
        state.timeline.seek(self.before.0);
        state.timeline.is_playing = self.before.1;
        true
    }

    fn record(&mut self, stage: &Stage) -> Result<(), String> {
        let picture = read(stage, self.view)?;
        let size = [picture.width, picture.height];
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let file = PictureFile::begin(self.format, size, self.frames, self.fps);
                self.file.insert(file.map_err(|error| error.to_string())?)
            }
        };
        file.add(picture).map_err(|error| error.to_string())?;
        self.next += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<String, String> {
        let Some(file) = self.file.take() else {
            return Err("nothing was recorded".into());
        };
        let bytes = file.finish().map_err(|error| error.to_string())?;
        let written = throng_format::atomic::write_file(&self.path, &bytes);
        written.map_err(|error| error.to_string())?;
        Ok(format!("wrote {}", self.path.display()))
    }
}

/// Reads the picture of a viewport.
#[cfg(not(target_arch = "wasm32"))]
fn read(stage: &Stage, view: usize) -> Result<Picture, String> {
    let screen = stage.screens.get(view).ok_or("the viewport was closed")?;
    let gpu = throng_wgpu::Gpu::new(&stage.render.device, &stage.render.queue);
    let size = screen.picture().size();
    let rgba = gpu.read_texture(screen.picture());
    let rgba = rgba.map_err(|error| error.to_string())?;
    Ok(Picture::from_rgba(size.width, size.height, &rgba))
}

/// Browsers cannot wait for the device.
#[cfg(target_arch = "wasm32")]
fn read(_stage: &Stage, _view: usize) -> Result<Picture, String> {
    Err("the browser build cannot record pictures".into())
}
