//! Draws the frames: places the camera, draws every panel and composes the image.

use std::sync::Arc;

use glam::Vec3;
use throng_rig::{Bounds, Method, Skinning};
use throng_studio::canvas::{self, CaptionLine, Captions, format_mm};
use throng_studio::{
    Arrangement, Camera, CameraName, Cast, Culling, Formation, Lights, Picture, PosedMesh, Scene,
    Shot, Subject, View,
};
use throng_wgpu::{Captured, Crowd, Gpu, Instance, ModelSettings, Play, Technique, Ticks};

use super::error_map::{ReferencePose, colored, distances, reference};
use super::methods::{self, MethodArtefacts};
use super::panel::{Panel, PanelInfo};
use super::party::distribute;
use super::report::{CharacterReport, LevelReport, PanelReport};
use super::subject::Source;
use super::timing::Timing;
use crate::cli::{Light, LodChoice, RenderArgs};
use crate::command::CommandError;
use crate::command::gpu::{capture, crowd_of_character};

/// Error whose text is the widest.
const WIDEST_ERROR_M: f32 = 0.000_012;

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
    /// Ground of the formation, where it is not flat.
    ground: Vec<PosedMesh>,
    timing: Timing,
    shot: Shot,
    size: [u32; 2],
    /// Captions of panels that are compared or measured.
    captions: Option<Captions>,
    /// Error of the brightest colour, in metres.
    full_m: f32,
}

/// Instances, and the formation that they stand in.
pub struct StagedCrowd {
    pub instances: Vec<Instance>,
    pub formation: Formation,
}

/// A panel with its pipelines.
struct PreparedPanel {
    panel: PanelInfo,
    /// The character, and the others of a party with it.
    subjects: Vec<Subject>,
    /// Names of the characters, and numbers of their instances.
    names: Vec<(String, usize)>,
    /// Maximum error over all frames, if it is measured.
    max_error_m: Option<f32>,
    /// Artefacts in the first frame, where methods are compared.
    artefacts: Option<MethodArtefacts>,
}

/// Error of levels of detail that is not seen, in pixels.
const HALF_PIXEL: f32 = 0.5;

/// Crowds are culled, and distant instances have fewer triangles where there are levels of detail.
fn culling(args: &RenderArgs, crowd: &Crowd) -> Culling {
    // Bounding boxes are those of the factor of the method.
    if !args.crowd.is_crowd() || args.factor.is_some() {
        return Culling::None;
    }
    match crowd.model().levels().len() > 1 && args.crowd.lod != Some(LodChoice::None) {
        true => Culling::Levels {
            max_error_px: HALF_PIXEL,
        },
        false => Culling::Frustum,
    }
}

impl<'a> Renderer<'a> {
    pub fn new(
        gpu: &Gpu,
        args: &'a RenderArgs,
        source: &'a Source,
        panels: Vec<Panel>,
        crowd: StagedCrowd,
        timing: Timing,
        size: [u32; 2],
    ) -> Result<Self, CommandError> {
        if args.factor.is_some() && !panels.iter().any(|panel| panel.info.blends()) {
            return Err(CommandError::Usage(
                "--factor: no panel blends LBS and DQS: use --method blend:F".into(),
            ));
        }
        let StagedCrowd {
            instances,
            formation,
        } = crowd;
        let has_methods = !args.methods.is_empty();
        let has_captions = args.show_error || !args.compare.is_empty() || has_methods;
        let [width, height] = canvas::panel_size(size, panels.len());
        let captions = has_captions.then(|| {
            let texts = panels.iter().flat_map(|panel| {
                let info = &panel.info;
                let detail = match has_methods {
                    true => MethodArtefacts::WIDEST.to_owned(),
                    false => detail(info, Some(WIDEST_ERROR_M)),
                };
                [info.title.clone(), detail]
            });
            Captions::fitting(width, &texts.collect::<Vec<_>>())
        });
        let caption_height = captions.map_or(0, |captions| captions.height(2));
        let panel_size = [width, height.saturating_sub(caption_height).max(1)];
        let aspect = panel_size[0] as f32 / panel_size[1] as f32;
        let mut scene = gpu.checked(|| Scene::new(gpu.device(), gpu.queue(), panel_size))??;
        scene.lights = match args.light {
            Light::Noon => Lights::NOON,
            Light::Evening => Lights::EVENING,
        };
        let mut ready = Vec::new();
        for mut panel in panels {
            let others = std::mem::take(&mut panel.others);
            let characters = [panel].into_iter().chain(others);
            let characters: Vec<Panel> = characters.collect();
            let parts = distribute(&instances, characters.len(), args.crowd.seed);
            let (mut subjects, mut names, mut infos) = (Vec::new(), Vec::new(), Vec::new());
            for (mut character, instances) in characters.into_iter().zip(parts) {
                let instances = character.info.instances(&instances);
                gpu.checked(|| character.crowd.set_instances(&instances))??;
                if let Some(factor) = args.factor {
                    character.crowd.set_deform_factor(factor as f32);
                    character.info.skinning = with_factor(character.info.skinning, factor);
                }
                let known = source.party_names.get(names.len());
                let name = known.unwrap_or(&character.info.model.name);
                names.push((name.clone(), instances.len()));
                let mut subject =
                    gpu.checked(|| scene.subject(character.crowd, &character.info.model))??;
                if character.info.has_bounds {
                    subject.culling = culling(args, &subject.crowd);
                }
                subjects.push(subject);
                infos.push(character.info);
            }
            ready.push(PreparedPanel {
                subjects,
                names,
                panel: infos.swap_remove(0),
                max_error_m: None,
                artefacts: None,
            });
        }
        let mut crowds: Vec<&mut Crowd> = ready
            .iter_mut()
            .map(|panel| &mut panel.subjects[0].crowd)
            .collect();
        let framing = Framing {
            name: args.crowd.camera.unwrap_or_default(),
            formation,
            aspect,
        };
        let shot = fit_camera(gpu, source, &instances, &mut crowds, &timing, &framing)?;
        let Formation {
            arrangement,
            count,
            spacing,
            ground_y,
            ..
        } = formation;
        let ground = arrangement.filter(|_| count > 1);
        let ground = ground.and_then(|arrangement| arrangement.ground(count, spacing, ground_y));
        let ground = gpu.checked(|| ground.map(|ground| scene.ground_mesh(&ground)))?;
        let mut renderer = Self {
            gpu: gpu.clone(),
            source,
            args,
            scene,
            panels: ready,
            instances,
            ground: ground.into_iter().collect(),
            timing,
            shot,
            size,
            captions,
            full_m: 0.0,
        };
        if has_captions {
            renderer.measure()?;
        }
        if has_methods {
            renderer.measure_methods()?;
        }
        Ok(renderer)
    }

    pub fn first(&self) -> &Crowd {
        &self.panels[0].subjects[0].crowd
    }

    /// Characters of the first panel.
    pub fn characters(&self) -> Vec<CharacterReport> {
        let panel = &self.panels[0];
        let characters = panel.subjects.iter().zip(&panel.names);
        let report = |(subject, (name, instances)): (&Subject, &(String, usize))| {
            let model = subject.crowd.model();
            CharacterReport {
                name: name.clone(),
                instances: *instances,
                vertices: model.vertex_count(),
                triangles_per_instance: model.triangle_count(),
            }
        };
        characters.map(report).collect()
    }

    pub fn reports(&self) -> Vec<PanelReport> {
        let panels = self.panels.iter().map(|ready| PanelReport {
            title: ready.panel.title.clone(),
            technique: ready.panel.technique.name(),
            storage: ready.panel.storage,
            method: ready.panel.method(),
            as_authored: ready.panel.is_as_authored(),
            max_error_mm: ready.max_error_m.map(|metres| metres * 1000.0),
            artefacts: ready.artefacts.clone(),
            levels: levels(&ready.subjects[0]),
        });
        panels.collect()
    }

    /// Returns the pose of the first instance of a panel, in the character's clips.
    fn reference_pose(&self, panel: &PanelInfo, now: Ticks) -> ReferencePose {
        let instance = &self.instances[0];
        let at = |play: &Play| {
            let clip = play.clip() as usize;
            let duration_secs = self.source.clips[clip].duration_secs;
            (
                clip,
                play.time_secs(duration_secs, panel.looping(clip), now),
            )
        };
        // The control technique shows the rest pose.
        let is_posed = panel.technique != Technique::Control && !self.source.clips.is_empty();
        let fade = instance.fade.filter(|_| is_posed);
        ReferencePose {
            first: is_posed.then(|| at(&instance.play)),
            second: fade.map(|fade| {
                let (clip, time_secs) = at(&fade.to);
                (clip, time_secs, fade.weight(now))
            }),
        }
    }

    /// Returns the vertices of a panel at a frame, and their errors in metres. `None` where the panel has other vertices
    /// than the character, or there is no character to compare with.
    fn errors_at(
        &mut self,
        panel: usize,
        frame: u32,
    ) -> Result<Option<(Captured, Vec<f32>)>, CommandError> {
        let info = &self.panels[panel].panel;
        let Some(character) = &info.reference else {
            return Ok(None);
        };
        let now = Ticks::from_secs(self.timing.secs(frame));
        let at = self.reference_pose(info, now);
        let expected = reference(character, &at, info.skinning);
        let crowd = &mut self.panels[panel].subjects[0].crowd;
        let captured = capture(&self.gpu, crowd, now)?.swap_remove(0);
        if captured.positions.len() != expected.len() {
            return Ok(None);
        }
        let errors = distances(&captured, &expected);
        Ok(Some((captured, errors)))
    }

    fn measure(&mut self) -> Result<(), CommandError> {
        for panel in 0..self.panels.len() {
            for frame in 0..self.timing.frames {
                let Some((_, errors)) = self.errors_at(panel, frame)? else {
                    continue;
                };
                let max = errors.into_iter().fold(0.0, larger);
                let known = self.panels[panel].max_error_m.get_or_insert(0.0);
                *known = known.max(max);
                self.full_m = self.full_m.max(max);
            }
        }
        Ok(())
    }

    /// Measures the artefacts of every method in the first frame, and moves the camera to the joint in focus.
    fn measure_methods(&mut self) -> Result<(), CommandError> {
        let now = Ticks::from_secs(self.timing.secs(0));
        let at = self.reference_pose(&self.panels[0].panel, now);
        let first = &self.panels[0].panel;
        let Some(character) = first.reference.clone() else {
            return Ok(());
        };
        let focus = methods::focus(self.args, &character)?;
        if let Some(joint) = focus {
            let points = methods::focused(&character, &at, joint, self.source.size);
            let [width, height] = self.scene.size();
            let aspect = width as f32 / height as f32;
            self.shot.camera = Camera::framing(points, View::PORTRAIT, aspect);
        }
        let joint = focus.or_else(|| methods::worst_joint(&character, &at, first.skinning));
        let Some(joint) = joint else {
            return Ok(());
        };
        for ready in &mut self.panels {
            let PanelInfo {
                reference,
                skinning,
                ..
            } = &ready.panel;
            let reference = reference.as_ref();
            ready.artefacts = reference
                .and_then(|character| methods::artefacts(character, &at, *skinning, joint));
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
            if let Some(captions) = self.captions {
                let ready = &self.panels[panel];
                let detail = match &ready.artefacts {
                    Some(artefacts) => artefacts.caption(),
                    None => detail(&ready.panel, ready.max_error_m),
                };
                let lines = [(ready.panel.title.as_str(), true), (&detail, false)];
                let lines = lines.map(|(text, is_title)| CaptionLine { text, is_title });
                picture = captions.above(&picture, &lines);
            }
            pictures.push(picture);
        }
        let mut sheet = match <[Picture; 1]>::try_from(pictures) {
            Ok([picture]) => picture,
            Err(pictures) => canvas::sheet(self.size, &pictures),
        };
        if self.args.show_error {
            canvas::legend(&mut sheet, self.full_m * 1000.0);
        }
        Ok(sheet)
    }

    fn shoot(&mut self, panel: usize, frame: u32) -> Result<Picture, CommandError> {
        let shot = Shot {
            now: Ticks::from_secs(self.timing.secs(frame)),
            ..self.shot
        };
        let mut cast = Cast {
            subjects: &mut self.panels[panel].subjects,
            meshes: &self.ground,
            lines: &[],
        };
        Ok(self.scene.shoot_cast(&mut cast, &shot)?)
    }

    /// Draws the vertices of a panel, coloured by their errors.
    fn shoot_error(&mut self, panel: usize, frame: u32) -> Result<Picture, CommandError> {
        let Some((captured, errors)) = self.errors_at(panel, frame)? else {
            return Err(CommandError::Usage(format!(
                "--show-error: the vertices of {} are not those of {}: bake the set again",
                self.panels[panel].panel.title, self.args.source
            )));
        };
        let model = &self.panels[panel].panel.model;
        let posed = Arc::new(colored(model, &captured, &errors, self.full_m)?);
        let mut crowd = crowd_of_character(
            &self.gpu,
            &posed,
            &[],
            Technique::Control,
            Skinning::AsAuthored,
            ModelSettings::default(),
        )?;
        crowd.set_instances(&[Instance::default()])?;
        let mut subject = self.gpu.checked(|| self.scene.subject(crowd, &posed))??;
        Ok(self.scene.shoot(&mut subject, &self.shot)?)
    }
}

/// Returns the larger of two errors. That of a vertex that is not finite is infinite.
fn larger(a: f32, b: f32) -> f32 {
    if b.is_finite() {
        a.max(b)
    } else {
        f32::INFINITY
    }
}

/// Returns the second line of a caption.
fn detail(panel: &PanelInfo, max_error_m: Option<f32>) -> String {
    let method = panel.method();
    match max_error_m {
        Some(metres) => format!("{method}, max error {} mm", format_mm(metres * 1000.0)),
        None => format!("{method}, error not measured"),
    }
}

/// Returns the skinning with the deform factor of the image.
fn with_factor(skinning: Skinning, factor: f64) -> Skinning {
    match skinning {
        Skinning::Method(Method::Blend(_)) => Method::Blend(factor).into(),
        Skinning::Method(Method::BlendPositions(_)) => Method::BlendPositions(factor).into(),
        other => other,
    }
}

/// Returns the widening of the view of a crowd to each side per unit of depth, in a picture of this size: 10 % less than
/// the view, as the camera looks down and arms reach out.
pub fn slope([width, height]: [u32; 2]) -> f32 {
    let aspect = width as f32 / height as f32;
    0.9 * (View::CROWD.fov_rad * 0.5).tan() * aspect
}

/// Camera of a crowd by name, and the crowd.
struct Framing {
    name: CameraName,
    formation: Formation,
    aspect: f32,
}

/// Fits the camera to all instances in all frames; to one instance in all panels.
fn fit_camera(
    gpu: &Gpu,
    source: &Source,
    instances: &[Instance],
    crowds: &mut [&mut Crowd],
    timing: &Timing,
    framing: &Framing,
) -> Result<Shot, CommandError> {
    let clip_of = |instance: &Instance| source.clips.get(instance.play.clip() as usize);
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
            for crowd in &mut *crowds {
                points.append(&mut capture(gpu, crowd, now)?.swap_remove(0).positions);
            }
        }
        Camera::framing(points, View::PORTRAIT, framing.aspect)
    } else {
        let corners = boxes().map(glam::DVec3::as_vec3);
        let Framing {
            name,
            formation,
            aspect,
        } = framing;
        name.camera(formation, corners, *aspect)
    };
    Ok(Shot {
        camera,
        // People of a stadium are above its field.
        ground_y: match framing.formation.arrangement {
            Some(Arrangement::Stadium) if instances.len() > 1 => framing.formation.ground_y,
            _ => casters.min.y as f32,
        },
        casters,
        character_size: source.size,
        now: Ticks(0),
    })
}

/// Levels of detail of a crowd; empty where all instances have the full mesh.
fn levels(subject: &Subject) -> Vec<LevelReport> {
    let Culling::Levels { .. } = subject.culling else {
        return Vec::new();
    };
    let levels = subject.crowd.model().levels();
    let report = levels.map(|level| LevelReport {
        triangles: level.triangles,
        max_error_mm: 1e3 * level.max_error_m,
    });
    report.collect()
}
