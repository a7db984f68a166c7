//! All viewports, and the device's own time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use eframe::egui_wgpu::RenderState;
use glam::Vec3;
use throng_wgpu::{GpuTimes, Ticks, wgpu};

use super::Screen;
use crate::recovery::Recovery;

/// Vertices of one instance in world space, part after part.
#[derive(Debug, Clone, PartialEq)]
pub struct Vertices {
    /// Positions.
    pub positions: Vec<Vec3>,
    /// Normals of unit length.
    pub normals: Vec<Vec3>,
    /// Time that they show.
    pub at: Ticks,
}

/// Errors that are kept until they are shown.
const MAX_ERRORS: usize = 16;

/// Viewports on a device.
pub struct Stage {
    /// The window's device and textures.
    pub render: RenderState,
    /// Viewports; made when they are first shown.
    pub screens: Vec<Screen>,
    /// Timestamps around the passes of the first viewport.
    pub times: Option<GpuTimes>,
    /// Errors that the device reported.
    errors: Arc<Mutex<Vec<String>>>,
}

fn lock(errors: &Mutex<Vec<String>>) -> MutexGuard<'_, Vec<String>> {
    errors.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stage {
    /// Viewports on the device of a window. Errors of the device are collected instead of ending the program.
    pub fn new(render: &RenderState, recovery: &Recovery) -> Self {
        let errors = Arc::new(Mutex::new(Vec::new()));
        let uncaptured = errors.clone();
        render
            .device
            .on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
                let mut errors = lock(&uncaptured);
                if errors.len() < MAX_ERRORS {
                    errors.push(error.to_string());
                }
            }));
        let recovery = recovery.clone();
        render
            .device
            .set_device_lost_callback(move |reason, message| {
                recovery.lose(match message.is_empty() {
                    true => format!("{reason:?}"),
                    false => message,
                });
            });
        Self {
            render: render.clone(),
            screens: Vec::new(),
            times: GpuTimes::new(&render.device, &render.queue),
            errors,
        }
    }

    /// Makes as many viewports as are shown, and releases the others.
    pub fn set_count(&mut self, count: usize) -> Result<(), String> {
        while self.screens.len() > count {
            if let Some(mut screen) = self.screens.pop() {
                screen.release(&self.render);
            }
        }
        while self.screens.len() < count {
            self.screens.push(Screen::new(&self.render)?);
        }
        Ok(())
    }

    /// Returns the errors that the device reported since the last call.
    pub fn take_errors(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.errors))
    }

    /// Runs the callbacks of the device.
    pub fn poll(&self) {
        // An error is that of a lost device, which a callback notes.
        let _ = self.render.device.poll(wgpu::PollType::Poll);
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        for screen in &mut self.screens {
            screen.release(&self.render);
        }
    }
}
