//! Draws the frames: places the camera, draws every panel and composes the image.

use std::sync::Arc;

use glam::Vec3;
use throng_bake::accuracy::ramp;
use throng_format::Storage;
use throng_rig::{Bounds, Method, Skinning};
use throng_studio::canvas::{self, LabelLine, format_mm};
use throng_studio::{Camera, Picture, Scene, Shot, Subject, View};
use throng_wgpu::{Captured, Crowd, Gpu, Instance, ModelSettings, Technique, Ticks};

use super::error_map::{colored, distances, reference};
use super::panel::Panel;
use super::report::PanelReport;
use super::subject::Source;
use super::timing::Timing;
use super::{crowd, subject::PlayedClip};
use crate::cli::RenderArgs;
use crate::command::CommandError;
use crate::command::gpu::{capture, crowd_of_character};

/// Number of frames that the camera of a single character is fitted to.
const FITTED_FRAMES: u32 = 12;

/// Scene, panels and camera of an image.
pub struct Renderer<'a> {
    gpu: Gpu,
    source: &'a Source,
    args: &'a RenderArgs,
    scene: Scene,
    panels: Vec<PreparedPanel>,
    instances: Vec<Instance>,
    timing: Timing,
    shot: Shot,
    size: [u32; 2],
    /// Error of the brightest colour, in metres.
    full_m: f32,
}

/// A panel with its pipelines.
struct PreparedPanel {
    title: String,
    technique: Technique,
    storage: Option<Storage>,
    skinning: Skinning,
    subject: Subject,
    /// Maximum error over all frames, if it is measured.
    max_error_m: Option<f32>,
}

impl<'a> Renderer<'a> {
    pub fn new(
        gpu: &Gpu,
        args: &'a RenderArgs,
        source: &'a Source,
        panels: Vec<Panel>,
        timing: Timing,
        size: [u32; 2],
    ) -> Result<Self, CommandError> {
        let panel_size = canvas::panel_size(size, panels.len());
        let aspect = panel_size[0] as f32 / panel_size[1] as f32;
        let scene = Scene::new(gpu, panel_size)?;
        let instances = match args.instances {
            1 => vec![crowd::single_instance(
                source.clips.first(),
                args.time,
                &timing,
            )],
            count => {
                // 10 % less than the view, as the camera looks down and arms reach out.
                let slope = 0.9 * (View::CROWD.fov_rad * 0.5).tan() * aspect;
                crowd::arrange(source, count, args.arrangement, slope, &timing)
            }
        };
        let mut ready = Vec::new();
        for mut panel in panels {
            gpu.checked(|| panel.crowd.set_instances(&instances))??;
            if let Some(factor) = args.factor {
                panel.crowd.set_deform_factor(factor as f32);
            }
            ready.push(PreparedPanel {
                title: panel.title(),
                technique: panel.technique,
                storage: panel.storage,
                skinning: panel.skinning,
                subject: scene.subject(panel.crowd, source.model())?,
                max_error_m: None,
            });
        }
        let crowd = &mut ready[0].subject.crowd;
        let shot = fit_camera(gpu, source, &instances, crowd, &timing, aspect)?;
        let mut renderer = Self {
            gpu: gpu.clone(),
            source,
            args,
            scene,
            panels: ready,
            instances,
            timing,
            shot,
            size,
            full_m: 0.0,
        };
        if args.show_error || renderer.panels.len() > 1 || !args.compare.is_empty() {
            renderer.measure()?;
        }
        Ok(renderer)
    }

    pub fn first(&self) -> &Crowd {
        &self.panels[0].subject.crowd
    }

    pub fn reports(&self) -> Vec<PanelReport> {
        let panels = self.panels.iter().map(|panel| PanelReport {
            technique: panel.technique.name(),
            storage: panel.storage,
            method: panel.skinning.to_string(),
            max_error_mm: panel.max_error_m.map(|metres| metres * 1000.0),
        });
        panels.collect()
    }

    /// Skinning of the reference, with the deform factor of the image.
    fn skinning(&self) -> Skinning {
        let factor = f64::from(self.first().deform_factor());
        match self.args.method {
            Skinning::Method(Method::Blend(_)) => Method::Blend(factor).into(),
            Skinning::Method(Method::BlendPositions(_)) => Method::BlendPositions(factor).into(),
            other => other,
        }
    }

    /// Returns the vertices of a panel at a frame, and their errors in metres.
    fn errors_at(
        &mut self,
        panel: usize,
        frame: u32,
    ) -> Result<(Captured, Vec<f32>), CommandError> {
        let character = self
            .source
            .character()
            .expect("only characters are measured");
        let now = Ticks::from_secs(self.timing.secs(frame));
        let clip = self.source.clips.first();
        let play = self.instances[0].play;
        let skinning = self.skinning();
        let time_secs = clip.map_or(0.0, |clip: &PlayedClip| {
            let looping = throng_rig::LoopPolicy::Wrap;
            play.time_secs(clip.duration_secs, looping, now)
        });
        // The control technique shows the rest pose.
        let clip = clip.filter(|_| self.panels[panel].technique != Technique::Control);
        let expected = reference(character, clip, time_secs, skinning);
        let crowd = &mut self.panels[panel].subject.crowd;
        let mut captured = capture(&self.gpu, crowd, now)?;
        let captured = captured.swap_remove(0);
        let errors = distances(&captured, &expected);
        Ok((captured, errors))
    }

    fn measure(&mut self) -> Result<(), CommandError> {
        for panel in 0..self.panels.len() {
            let mut max = 0.0f32;
            for frame in 0..self.timing.frames {
                let (_, errors) = self.errors_at(panel, frame)?;
                max = errors.into_iter().fold(max, f32::max);
            }
            self.panels[panel].max_error_m = Some(max);
            self.full_m = self.full_m.max(max);
        }
        Ok(())
    }

    /// Draws one frame.
    pub fn frame(&mut self, frame: u32) -> Result<Picture, CommandError> {
        let mut pictures = Vec::new();
        for panel in 0..self.panels.len() {
            let mut picture = if self.args.show_error {
                self.shoot_error(panel, frame)?
            } else {
                self.shoot(panel, frame)?
            };
            if !self.args.compare.is_empty() || self.args.show_error {
                let PreparedPanel {
                    title,
                    skinning,
                    max_error_m,
                    ..
                } = &self.panels[panel];
                let error_mm = max_error_m.map_or(0.0, |metres| metres * 1000.0);
                let detail = format!("{skinning}, max error {} mm", format_mm(error_mm));
                let lines = [(title.as_str(), true), (detail.as_str(), false)];
                canvas::label(
                    &mut picture,
                    &lines.map(|(text, is_title)| LabelLine { text, is_title }),
                );
            }
            pictures.push(picture);
        }
        let mut sheet = match <[Picture; 1]>::try_from(pictures) {
            Ok([picture]) => picture,
            Err(pictures) => canvas::sheet(self.size, &pictures),
        };
        if self.args.show_error {
            canvas::legend(&mut sheet, self.full_m * 1000.0, ramp);
        }
        Ok(sheet)
    }

    fn shoot(&mut self, panel: usize, frame: u32) -> Result<Picture, CommandError> {
        let shot = Shot {
            now: Ticks::from_secs(self.timing.secs(frame)),
            ..self.shot
        };
        Ok(self.scene.shoot(&mut self.panels[panel].subject, &shot)?)
    }

    /// Draws the vertices of a panel, coloured by their errors.
    fn shoot_error(&mut self, panel: usize, frame: u32) -> Result<Picture, CommandError> {
        let character = self
            .source
            .character()
            .expect("only characters are measured");
        let (captured, errors) = self.errors_at(panel, frame)?;
        let posed = Arc::new(colored(character, &captured, &errors, self.full_m)?);
        let mut crowd = crowd_of_character(
            &self.gpu,
            &posed,
            &[],
            Technique::Control,
            Skinning::AsAuthored,
            ModelSettings::default(),
        )?;
        crowd.set_instances(&[Instance::default()])?;
        let mut subject = self.scene.subject(crowd, &posed)?;
        Ok(self.scene.shoot(&mut subject, &self.shot)?)
    }
}

/// Fits the camera to all instances in all frames.
fn fit_camera(
    gpu: &Gpu,
    source: &Source,
    instances: &[Instance],
    crowd: &mut Crowd,
    timing: &Timing,
    aspect: f32,
) -> Result<Shot, CommandError> {
    let clip_of = |instance: &Instance| {
        let index = instance.play.clip();
        source.clips.iter().find(|clip| clip.index == index)
    };
    let boxes = || {
        instances.iter().flat_map(|instance| {
            let bounds = source.bounds(clip_of(instance));
            bounds.transformed_corners(instance.world_from_model.as_daffine3())
        })
    };
    let casters = Bounds::of(boxes());
    let camera = if let [_] = instances {
        let mut points: Vec<Vec3> = Vec::new();
        let step = timing.frames.div_ceil(FITTED_FRAMES).max(1);
        for frame in (0..timing.frames).step_by(step as usize) {
            let now = Ticks::from_secs(timing.secs(frame));
            points.append(&mut capture(gpu, crowd, now)?.swap_remove(0).positions);
        }
        Camera::framing(points, View::PORTRAIT, aspect)
    } else {
        Camera::framing(boxes().map(glam::DVec3::as_vec3), View::CROWD, aspect)
    };
    Ok(Shot {
        camera,
        ground_y: casters.min.y as f32,
        casters,
        character_size: source.size,
        now: Ticks(0),
    })
}
