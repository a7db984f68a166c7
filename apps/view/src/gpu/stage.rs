//! All viewports, and the device's own time.

use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui_wgpu::RenderState;
use glam::Vec3;
use throng_wgpu::{GpuTimes, Ticks, wgpu};

use super::Screen;

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

impl Stage {
    /// Viewports on the device of a window. Errors of the device are collected instead of ending the program.
    pub fn new(render: &RenderState) -> Self {
        let errors = Arc::new(Mutex::new(Vec::new()));
        let collect = |errors: &Arc<Mutex<Vec<String>>>, error: String| {
            let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
            if errors.len() < 16 {
                errors.push(error);
            }
        };
        let uncaptured = errors.clone();
        render
            .device
            .on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
                collect(&uncaptured, error.to_string());
            }));
        let lost = errors.clone();
        render.device.set_device_lost_callback(move |reason, message| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                collect(
                    &lost,
                    format!(
                        "the graphics device was lost ({reason:?}: {message}): start the viewer again; if it happens \
                         again, update the graphics driver or open a smaller crowd"
                    ),
                );
            }
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
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *errors)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        for screen in &mut self.screens {
            screen.release(&self.render);
        }
    }
}
