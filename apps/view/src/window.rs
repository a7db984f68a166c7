//! The window of the viewer on a desktop.

use std::sync::Arc;
use std::time::Instant;

use eframe::egui;
use throng_wgpu::wgpu;

use crate::app::{Options, Viewer};
use crate::recovery::{Loss, Losses, Recovery, until_lost};

/// Error of [`run`].
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No window can be opened.
    #[error(
        "cannot open a window: {0}; on Linux, a display (X11 or Wayland) and a Vulkan or OpenGL driver are needed"
    )]
    Window(#[from] eframe::Error),
    /// The graphics device was lost several times in a row.
    #[error(
        "the graphics device was lost again ({0}): update the graphics driver, or open a smaller crowd or file"
    )]
    DeviceLost(String),
    /// The graphics device was lost, and the viewer cannot be started again.
    #[error("the graphics device was lost, and the viewer cannot be started again: {0}")]
    Restart(std::io::Error),
}

/// Device of the window: timestamps and wireframes where the adapter offers them, and all limits of the adapter.
pub(crate) fn device_descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
    wgpu::DeviceDescriptor {
        label: Some("throng-view"),
        required_features: adapter.features()
            & (wgpu::Features::POLYGON_MODE_LINE
                | wgpu::Features::TIMESTAMP_QUERY
                | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS),
        required_limits: adapter.limits(),
        ..Default::default()
    }
}

/// Options of the window: its device has timestamps and wireframes where the adapter offers them.
pub fn native_options() -> eframe::NativeOptions {
    use eframe::egui_wgpu::{WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew};

    let mut setup = WgpuSetupCreateNew::without_display_handle();
    setup.device_descriptor = Arc::new(device_descriptor);
    eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Throng")
            .with_app_id("throng-view")
            .with_inner_size([1280.0, 720.0])
            .with_min_inner_size([640.0, 400.0])
            .with_drag_and_drop(true),
        wgpu_options: WgpuConfiguration {
            wgpu_setup: WgpuSetup::CreateNew(setup),
            ..Default::default()
        },
        ..Default::default()
    }
}

/// Variable that hands the number of losses of the device to the next process.
const LOSSES: &str = "THRONG_VIEW_LOSSES";

/// Variable that hands the reason of the last loss to the next process.
const LOST: &str = "THRONG_VIEW_LOST";

/// Opens a window and runs the viewer until it is closed. Where the graphics device is lost, this program is started again
/// with the same document.
pub fn run(mut options: Options) -> Result<(), RunError> {
    let number = std::env::var(LOSSES).ok();
    let losses = Losses(number.and_then(|text| text.parse().ok()).unwrap_or(0));
    options.lost = options.lost.or_else(|| std::env::var(LOST).ok());
    let recovery = Recovery::default();
    let of_window = recovery.clone();
    let start = Instant::now();
    let ended = until_lost(&recovery, move || {
        eframe::run_native(
            "throng-view",
            native_options(),
            Box::new(move |creation| {
                let viewer = Viewer::recoverable(creation, options, of_window);
                Ok(Box::new(viewer))
            }),
        )
    });
    let loss = match ended {
        Ok(ended) => return Ok(ended?),
        Err(loss) => loss,
    };
    match losses.after(start.elapsed().as_secs()) {
        Some(losses) => start_again(&loss, losses),
        None => Err(RunError::DeviceLost(loss.reason)),
    }
}

/// Starts this program again in place of the process, or, where a process cannot be replaced, waits for its end.
fn start_again(loss: &Loss, losses: Losses) -> Result<(), RunError> {
    let program = std::env::current_exe().map_err(RunError::Restart)?;
    let mut command = std::process::Command::new(program);
    command
        .args(&loss.source)
        .env(LOSSES, losses.0.to_string())
        .env(LOST, &loss.reason);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        Err(RunError::Restart(command.exec()))
    }
    #[cfg(not(unix))]
    {
        let status = command.status().map_err(RunError::Restart)?;
        std::process::exit(status.code().unwrap_or(1));
    }
}
