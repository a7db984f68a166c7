//! Culling and levels of detail of a crowd in the passes of a picture.

use glam::Mat4;
use throng_wgpu::{Crowd, CrowdView, Detail, GpuError, ViewCamera, wgpu};

use crate::scene::PassView;

/// Instances of a crowd that are drawn, and their detail.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Culling {
    /// All instances, in full detail.
    #[default]
    None,
    /// Visible instances, in full detail. The picture is the same.
    Frustum,
    /// Visible instances, in the coarsest levels of detail whose error is at most so many pixels.
    Levels {
        /// Largest error in pixels.
        max_error_px: f32,
    },
}

/// One view per pass.
#[derive(Debug)]
pub(crate) struct PassViews([CrowdView; 3]);

impl PassViews {
    /// Makes the views; `None` for crowds that are drawn one by one.
    pub fn new(crowd: &Crowd) -> Option<Self> {
        let view = || crowd.view().ok();
        Some(Self([view()?, view()?, view()?]))
    }

    pub fn of(&self, pass_view: PassView) -> &CrowdView {
        &self.0[pass_view as usize]
    }

    /// Culls for the cameras of all passes, that of the picture first. Shadows have the detail of the picture.
    pub fn cull(
        &mut self,
        crowd: &Crowd,
        encoder: &mut wgpu::CommandEncoder,
        clip_from_world: [Mat4; 3],
        size_px: [f32; 2],
        culling: Culling,
    ) -> Result<(), GpuError> {
        let detail = match culling {
            Culling::Levels { max_error_px } => Some(Detail {
                clip_from_world: clip_from_world[0],
                size_px,
                max_error_px,
            }),
            Culling::None | Culling::Frustum => None,
        };
        for (view, clip_from_world) in self.0.iter_mut().zip(clip_from_world) {
            let camera = ViewCamera {
                clip_from_world,
                detail,
            };
            crowd.cull(encoder, view, &camera)?;
        }
        Ok(())
    }
}
