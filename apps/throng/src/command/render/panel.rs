//! One panel of an image: a technique and its crowd.

use std::path::Path;
use std::sync::Arc;

use throng_bake::search::keep_influences;
use throng_bake::{BakeError, BakeSettings, Preset, bake};
use throng_format::{Encoding, Storage, TextureSet};
use throng_rig::{Character, LoopPolicy, Method, Skinning};
use throng_wgpu::{Crowd, Fade, Fades, Gpu, Instance, ModelSettings, Motion, Play, Technique};

use super::read_set::read_set;
use super::subject::{Content, Source};
use crate::cli::{PanelChoice, RenderArgs, Shown};
use crate::command::CommandError;
use crate::command::gpu::{crowd_of_character, crowd_of_set};
use crate::command::progress::Bar;
use crate::text::print_note;

/// A technique with its crowd.
pub struct Panel {
    pub info: PanelInfo,
    pub crowd: Crowd,
}

/// Description of a panel.
pub struct PanelInfo {
    pub technique: Technique,
    /// Title of the panel.
    pub title: String,
    /// Storage of a texture technique.
    pub storage: Option<Storage>,
    /// Skinning of the crowd.
    pub skinning: Skinning,
    /// For each clip of the source: its index in the panel, and its loop policy there.
    clips: Vec<(u32, LoopPolicy)>,
    /// Character or model of a set that is drawn.
    pub model: Arc<Character>,
}

/// Returns the character with as many influences per vertex as a preset holds, and prints a note where there are fewer.
fn with_influences_of(preset: Preset, character: &Arc<Character>) -> Arc<Character> {
    let parts = character.parts().iter();
    let most = parts.map(|part| character.mesh_of(part).influences().max_per_vertex());
    match (preset.max_influences(), most.max()) {
        (Some(limit), Some(most)) if most > limit => {
            let name = preset.name();
            print_note(format_args!(
                "{name}: of up to {most} influences per vertex, the {limit} heaviest are kept"
            ));
            Arc::new(keep_influences(character, limit))
        }
        _ => character.clone(),
    }
}

/// Returns the panels that the arguments ask for.
pub fn panels(gpu: &Gpu, args: &RenderArgs, source: &Source) -> Result<Vec<Panel>, CommandError> {
    if args.compare.is_empty() {
        let choice = PanelChoice {
            shown: match &args.technique {
                Some(shown) => shown.clone(),
                None => default_technique(args, source),
            },
            method: args.method,
        };
        return Ok(vec![Panel::new(gpu, args, source, &choice)?]);
    }
    let choices = args.compare.iter().map(|choice| PanelChoice {
        shown: choice.shown.clone(),
        method: choice.method.or(args.method),
    });
    choices
        .map(|choice| Panel::new(gpu, args, source, &choice))
        .collect()
}

/// Returns the technique to use if none is named.
fn default_technique(args: &RenderArgs, source: &Source) -> Shown {
    match &source.content {
        Content::Set(set) => Shown::Technique(Technique::Texture(set.manifest().encoding)),
        Content::Character(character) if !args.crowd.is_crowd() && !source.clips.is_empty() => {
            let skinning = args.method.unwrap_or_default();
            Shown::Technique(match is_dual(character, skinning) {
                true => Technique::PaletteDq,
                false => Technique::PaletteMatrix,
            })
        }
        Content::Character(_) => Shown::Auto,
    }
}

fn is_dual(character: &Character, skinning: Skinning) -> bool {
    let mut meshes = character.meshes().iter();
    meshes.any(|mesh| skinning.method_of(mesh, 0) != Method::Lbs)
}

impl Panel {
    /// Bakes the character for a texture technique, or reads a set, and uploads the crowd.
    fn new(
        gpu: &Gpu,
        args: &RenderArgs,
        source: &Source,
        choice: &PanelChoice,
    ) -> Result<Self, CommandError> {
        let maker = PanelMaker { gpu, args, source };
        match (&choice.shown, &source.content) {
            (Shown::Set(path), _) => {
                let set = read_set(path)?.ok_or_else(|| {
                    CommandError::Usage(format!(
                        "--compare: {} is not a texture set: name techniques, and the file of the character as the \
                         source",
                        path.display()
                    ))
                })?;
                maker.of_set(&set, choice.method, Some(path))
            }
            (Shown::Technique(technique), Content::Set(set))
                if *technique == Technique::Texture(set.manifest().encoding) =>
            {
                maker.of_set(set, choice.method, None)
            }
            (Shown::Auto, Content::Set(set)) => maker.of_set(set, choice.method, None),
            (shown, content) => match (source.character(), content) {
                (Some(character), _) => maker.of_character(character, shown, choice.method),
                (None, Content::Set(set)) => Err(CommandError::Usage(format!(
                    "{} is a texture set baked as {}: leave --technique out, or name the file of the character",
                    args.source,
                    set.manifest().encoding
                ))),
                (None, Content::Character(_)) => unreachable!("the source is a character"),
            },
        }
    }
}

impl PanelInfo {
    /// Returns instances whose clips are those of the panel. Those of `instances` are indices into the source's clips.
    pub fn instances(&self, instances: &[Instance]) -> Vec<Instance> {
        let translated = |play: Play| {
            let index = |clip: u32| self.clips.get(clip as usize).map_or(0, |&(index, _)| index);
            match play {
                Play::Running { clip, start, speed } => Play::Running {
                    clip: index(clip),
                    start,
                    speed,
                },
                Play::Held { clip, time_secs } => Play::held(index(clip), time_secs),
            }
        };
        let instance = |instance: &Instance| Instance {
            play: translated(instance.play),
            fade: instance.fade.map(|fade| Fade {
                to: translated(fade.to),
                ..fade
            }),
            ..*instance
        };
        instances.iter().map(instance).collect()
    }

    /// Returns the loop policy of a clip of the source.
    pub fn looping(&self, clip: usize) -> LoopPolicy {
        self.clips
            .get(clip)
            .map_or(LoopPolicy::Wrap, |&(_, looping)| looping)
    }

    /// Returns the skinning method that runs. As authored, that of each mesh.
    pub fn method(&self) -> String {
        if self.technique == Technique::Control {
            return "none".into();
        }
        let mut names: Vec<String> = Vec::new();
        for mesh in self.model.meshes() {
            let name = match self.skinning.method_of_mesh(mesh) {
                Some(method) => method.to_string(),
                None => "blend per vertex".into(),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(" and ")
    }
}

/// Makes the panels of an image.
struct PanelMaker<'a> {
    gpu: &'a Gpu,
    args: &'a RenderArgs,
    source: &'a Source,
}

impl PanelMaker<'_> {
    fn settings(&self) -> ModelSettings {
        let crowd = &self.args.crowd;
        let may_fade = crowd.fade.is_some() || crowd.placements.is_some();
        ModelSettings {
            instancing: self.args.instancing,
            decode: self.args.decode,
            fades: if may_fade {
                Fades::Possible
            } else {
                Fades::None
            },
            motion: Motion::None,
            ..ModelSettings::default()
        }
    }

    /// Draws a set of the source, or one on disk, which has the same clips by name.
    fn of_set(
        &self,
        set: &TextureSet,
        method: Option<Skinning>,
        path: Option<&Path>,
    ) -> Result<Panel, CommandError> {
        let encoding = set.manifest().encoding;
        let technique = Technique::Texture(encoding);
        let baked = set.manifest().method;
        let skinning = method.unwrap_or(match baked {
            Skinning::AsAuthored => technique.default_skinning(),
            Skinning::Method(_) => baked,
        });
        let name = path.map_or(self.args.source.clone(), |path| path.display().to_string());
        let changed = match skinning == baked {
            true => None,
            false => Some(
                set.clone()
                    .with_skinning(skinning)
                    .map_err(|error| CommandError::Usage(format!("{name}: {error}")))?,
            ),
        };
        let set = changed.as_ref().unwrap_or(set);
        let entries = &set.manifest().clips;
        let clips = self.source.clips.iter().map(|played| {
            let index = match path {
                None => Some(played.index),
                Some(_) => entries.iter().position(|entry| entry.name == played.name),
            };
            let index = index.ok_or_else(|| {
                CommandError::Usage(format!("{name}: the set has no clip '{}'", played.name))
            })?;
            Ok((index as u32, entries[index].looping))
        });
        let clips: Result<Vec<_>, CommandError> = clips.collect();
        let storage = set.manifest().storage();
        let title = match path.and_then(Path::file_name) {
            Some(name) => format!("{}: {technique} {storage}", name.display()),
            None => format!("{technique} {storage}"),
        };
        Ok(Panel {
            info: PanelInfo {
                technique,
                title,
                storage: Some(storage),
                skinning,
                clips: clips?,
                model: Arc::new(set.model().clone()),
            },
            crowd: crowd_of_set(self.gpu, set, self.settings())?,
        })
    }

    /// Draws the character by a technique; encodings and presets are baked.
    fn of_character(
        &self,
        character: &Arc<Character>,
        shown: &Shown,
        method: Option<Skinning>,
    ) -> Result<Panel, CommandError> {
        match shown {
            Shown::Auto if self.source.clips.is_empty() => {
                self.of_cpu(character, Technique::Control, method)
            }
            Shown::Auto => self.automatic(character, method),
            Shown::Technique(Technique::Texture(encoding)) => {
                let settings = self.bake_settings(*encoding, method);
                self.of_bake(character, &settings)
            }
            Shown::Technique(technique) => self.of_cpu(character, *technique, method),
            Shown::Preset(preset) => {
                let settings = BakeSettings {
                    preset: Some(*preset),
                    ..self.bake_settings(preset.encoding(), method)
                };
                self.of_bake(&with_influences_of(*preset, character), &settings)
            }
            Shown::Set(_) => unreachable!("sets are read from disk"),
        }
    }

    /// Bakes the first encoding that can represent the character: `bone-qt`, or `bone-matrix` where joints shear.
    fn automatic(
        &self,
        character: &Arc<Character>,
        method: Option<Skinning>,
    ) -> Result<Panel, CommandError> {
        let settings = self.bake_settings(Encoding::BoneQt, method);
        match self.of_bake(character, &settings) {
            Err(CommandError::Bake {
                error: error @ BakeError::NotHeld { .. },
                ..
            }) => {
                print_note(format_args!("using bone-matrix: {error}"));
                let settings = self.bake_settings(Encoding::BoneMatrix, method);
                self.of_bake(character, &settings)
            }
            other => other,
        }
    }

    fn bake_settings(&self, encoding: Encoding, method: Option<Skinning>) -> BakeSettings {
        let default = Technique::Texture(encoding).default_skinning();
        BakeSettings {
            encoding,
            storage: self.args.storage.of(encoding),
            skinning: method.unwrap_or(default),
            ..BakeSettings::default()
        }
    }

    /// Draws a character that is static or posed by the CPU.
    fn of_cpu(
        &self,
        character: &Arc<Character>,
        technique: Technique,
        method: Option<Skinning>,
    ) -> Result<Panel, CommandError> {
        let skinning = method.unwrap_or(technique.default_skinning());
        let loops = vec![LoopPolicy::Wrap; self.source.clips.len()];
        let crowd = crowd_of_character(
            self.gpu,
            character,
            &loops,
            technique,
            skinning,
            self.settings(),
        )?;
        let info = PanelInfo {
            technique,
            title: technique.to_string(),
            storage: None,
            skinning,
            clips: (0..).zip(loops).collect(),
            model: character.clone(),
        };
        Ok(Panel { info, crowd })
    }

    fn of_bake(
        &self,
        character: &Arc<Character>,
        settings: &BakeSettings,
    ) -> Result<Panel, CommandError> {
        let set = self.bake_in_memory(character, settings)?;
        let technique = Technique::Texture(set.manifest().encoding);
        let storage = set.manifest().storage();
        let clips = (0..).zip(set.manifest().clips.iter().map(|clip| clip.looping));
        let info = PanelInfo {
            technique,
            title: match settings.preset {
                Some(preset) => preset.name().to_owned(),
                None => format!("{technique} {storage}"),
            },
            storage: Some(storage),
            skinning: settings.skinning,
            clips: clips.collect(),
            model: Arc::new(set.model().clone()),
        };
        let crowd = crowd_of_set(self.gpu, &set, self.settings())?;
        Ok(Panel { info, crowd })
    }

    fn bake_in_memory(
        &self,
        character: &Arc<Character>,
        settings: &BakeSettings,
    ) -> Result<TextureSet, CommandError> {
        let name = settings
            .preset
            .map_or(settings.encoding.name(), Preset::name);
        if character.clips().is_empty() {
            return Err(CommandError::Usage(format!(
                "--technique {name}: '{}' has no clip to bake: use --technique control",
                character.name
            )));
        }
        // A set that is not written needs no digests.
        let source = throng_format::Source::in_memory(self.args.source.clone());
        let bar = Bar::new(&format!("baking {name}"));
        let baked =
            bake(character, settings, &source, &bar).map_err(|error| CommandError::Bake {
                source_name: self.args.source.clone(),
                error,
            })?;
        Ok(baked.set)
    }
}
