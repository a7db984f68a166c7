//! Makes panels: bakes or reads their sets, and uploads their crowds.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use throng_bake::accuracy::verify;
use throng_bake::lod::{add_levels, auto_ratios, check_set};
use throng_bake::search::keep_influences;
use throng_bake::{BakeError, BakeSettings, Preset, bake};
use throng_format::{Encoding, Metadata, Storage, TextureSet};
use throng_rig::{Character, LoopPolicy, Method, Skinning};
use throng_skin::{is_prepared, prepare_source};
use throng_wgpu::{
    DecodeMode, Fades, Gpu, GpuError, Instancing, MetadataSource, ModelSettings, Motion, Technique,
};

use super::panel::{Panel, PanelInfo};
use super::party::Uploads;
use super::subject::{Content, Source};
use crate::cli::{LodChoice, PanelChoice, PanelContent, RenderArgs, StorageArgs};
use crate::command::CommandError;
use crate::command::gpu::{crowd_of_character, crowd_of_set};
use crate::command::progress::Bar;
use crate::command::read_set::read_set;
use crate::text::{print_note, print_warning};

/// Returns the panels that the arguments ask for.
pub fn panels(gpu: &Gpu, args: &RenderArgs, source: &Source) -> Result<Vec<Panel>, CommandError> {
    let maker = PanelMaker {
        gpu,
        args,
        source,
        uploads: RefCell::default(),
    };
    if !args.methods.is_empty() {
        let panels = args.methods.iter().map(|&method| {
            let mut panel = maker.make(&PanelChoice {
                content: PanelContent::Technique(Technique::Cpu),
                method: Some(method),
            })?;
            panel.info.title = method.to_string();
            Ok(panel)
        });
        return panels.collect();
    }
    if args.compare.is_empty() {
        let choice = match &args.technique {
            Some(content) => PanelChoice {
                content: content.clone(),
                method: args.method,
            },
            None => default_panel(args, source),
        };
        let mut panel = maker.make(&choice)?;
        for character in &source.party {
            let other = maker.of_set(&character.set, choice.method, Some(&character.path))?;
            panel.others.push(other);
        }
        return Ok(vec![panel]);
    }
    let choices = args.compare.iter().map(|choice| PanelChoice {
        content: choice.content.clone(),
        method: choice.method.or(args.method),
    });
    choices.map(|choice| maker.make(&choice)).collect()
}

/// Returns the panel to draw if no technique is named. A character that is drawn by its own palette keeps its own method.
fn default_panel(args: &RenderArgs, source: &Source) -> PanelChoice {
    let skinning = args.method.unwrap_or_default();
    let technique = match &source.content {
        Content::Character(character)
            if !args.crowd.is_crowd()
                && !source.clips.is_empty()
                && !character.has_vertex_caches() =>
        {
            match is_dual(character, skinning) {
                // No shader has it.
                true if skinning == Skinning::Method(Method::DqsBulgeFree) => Technique::Cpu,
                true => Technique::PaletteDq,
                false => Technique::PaletteMatrix,
            }
        }
        _ => {
            return PanelChoice {
                content: PanelContent::Auto,
                method: args.method,
            };
        }
    };
    PanelChoice {
        content: PanelContent::Technique(technique),
        method: Some(skinning),
    }
}

fn is_dual(character: &Character, skinning: Skinning) -> bool {
    let mut meshes = character.meshes().iter();
    meshes.any(|mesh| skinning.method_of(mesh, 0) != Method::Lbs)
}

/// Makes the panels of an image.
struct PanelMaker<'a> {
    gpu: &'a Gpu,
    args: &'a RenderArgs,
    source: &'a Source,
    uploads: RefCell<Uploads>,
}

impl PanelMaker<'_> {
    /// Bakes the character for a texture technique, or reads a set, and uploads the crowd.
    fn make(&self, choice: &PanelChoice) -> Result<Panel, CommandError> {
        match (&choice.content, &self.source.content) {
            (PanelContent::Set(path), _) => {
                let set = read_set(path)?.ok_or_else(|| {
                    CommandError::Usage(format!(
                        "--compare: {} is not a texture set: name techniques, and the file of the character as the \
                         source",
                        path.display()
                    ))
                })?;
                self.of_set(&set, choice.method, Some(path))
            }
            (PanelContent::Technique(technique), Content::Set(set))
                if *technique == Technique::Texture(set.manifest().encoding) =>
            {
                self.of_set(set, choice.method, None)
            }
            (PanelContent::Auto, Content::Set(set)) => self.of_set(set, choice.method, None),
            (content, Content::Set(set)) if self.source.character().is_none() => {
                let name = content.name();
                Err(CommandError::Usage(format!(
                    "{} is a texture set baked as {}, and {name} needs its character: leave {name} out, or name the file \
                     of the character",
                    self.args.source,
                    set.manifest().encoding
                )))
            }
            (content, _) => self.of_character(content, choice.method),
        }
    }

    /// Refuses a `--decode` that the encoding does not have.
    fn check_decode(&self, encoding: Encoding) -> Result<(), CommandError> {
        match (self.args.decode, encoding) {
            (Some(DecodeMode::Direct), Encoding::BoneLocal) => Err(CommandError::Usage(
                "bone-local is decoded in a pass only, as each joint depends on its parents: leave --decode out".into(),
            )),
            _ => Ok(()),
        }
    }

    fn settings(&self) -> ModelSettings {
        let crowd = &self.args.crowd;
        let may_fade = crowd.fade.is_some() || crowd.placements.is_some();
        ModelSettings {
            instancing: self.args.instancing,
            decode: self.args.decode.unwrap_or_default(),
            fades: if may_fade {
                Fades::Possible
            } else {
                Fades::None
            },
            motion: Motion::None,
            metadata: self.args.metadata_reads,
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
        self.check_decode(encoding)?;
        let technique = Technique::Texture(encoding);
        let baked = set.manifest().method;
        let skinning = method.unwrap_or(match baked {
            Skinning::AsAuthored => technique.default_skinning(),
            Skinning::Method(_) | Skinning::BlendAuto => baked,
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
        if !set.manifest().encoding.is_vertex() && !is_prepared(set.model(), skinning) {
            return Err(CommandError::Usage(format!(
                "{name}: the set has nothing that {skinning} needs: bake it with --method {skinning}"
            )));
        }
        let reference = self.source.character().cloned();
        let reference = reference.map(|source| match skinning.needs_vertex_data() {
            true => Arc::new(prepare_source(
                Arc::unwrap_or_clone(source),
                set.model(),
                skinning,
            )),
            false => source,
        });
        self.check_levels(set, &name)?;
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
                reference,
                has_bounds: changed.is_none(),
            },
            crowd: self
                .uploads
                .borrow_mut()
                .crowd_of_set(self.gpu, set, self.settings())?,
            others: Vec::new(),
        })
    }

    /// Draws the character by a technique; encodings and presets are baked.
    fn of_character(
        &self,
        content: &PanelContent,
        method: Option<Skinning>,
    ) -> Result<Panel, CommandError> {
        match content {
            PanelContent::Auto if self.source.clips.is_empty() => {
                self.of_cpu(Technique::Control, method)
            }
            PanelContent::Auto => self.automatic(method),
            PanelContent::Technique(Technique::Texture(encoding)) => {
                self.of_bake(&self.bake_settings(*encoding, method))
            }
            PanelContent::Technique(technique) => self.of_cpu(*technique, method),
            PanelContent::Preset(preset) => {
                if self.args.storage != StorageArgs::default() {
                    return Err(CommandError::Usage(format!(
                        "{} has a layout and a precision of its own: leave --layout and --precision out",
                        preset.name()
                    )));
                }
                self.of_bake(&BakeSettings {
                    preset: Some(*preset),
                    ..self.bake_settings(preset.encoding(), method)
                })
            }
            PanelContent::Set(_) => unreachable!("sets are read from disk"),
        }
    }

    /// Bakes the first encoding that can represent the character: `bone-qt`, `bone-matrix` where joints shear, or `vertex`
    /// where dual quaternions would have to, and for vertex caches and methods that no shader has.
    fn automatic(&self, method: Option<Skinning>) -> Result<Panel, CommandError> {
        let encodings = [Encoding::BoneQt, Encoding::BoneMatrix, Encoding::Vertex];
        let mut refusal = None;
        for encoding in encodings {
            match self.of_bake(&self.bake_settings(encoding, method)) {
                Err(
                    error @ (CommandError::Bake {
                        error:
                            BakeError::NotHeld { .. }
                            | BakeError::VertexCache { .. }
                            | BakeError::NoBoneShader { .. },
                        ..
                    }
                    | CommandError::Gpu(GpuError::NotRigid)),
                ) => {
                    refusal.get_or_insert(error);
                }
                drawn => {
                    if let Some(refusal) = refusal {
                        print_note(format_args!("using {encoding}: {refusal}"));
                    }
                    return drawn;
                }
            }
        }
        Err(refusal.expect("vertices represent every character"))
    }

    fn bake_settings(&self, encoding: Encoding, method: Option<Skinning>) -> BakeSettings {
        let default = Technique::Texture(encoding).default_skinning();
        let storage = self.args.storage.of(encoding);
        BakeSettings {
            encoding,
            storage,
            skinning: method.unwrap_or(default),
            metadata: match (self.args.metadata_reads, storage) {
                (MetadataSource::Column, Storage::Frames(_)) => Metadata::Column,
                _ => Metadata::Manifest,
            },
            ..BakeSettings::default()
        }
    }

    /// Draws a character that is static or posed by the CPU.
    fn of_cpu(
        &self,
        technique: Technique,
        method: Option<Skinning>,
    ) -> Result<Panel, CommandError> {
        if let Some(LodChoice::Auto | LodChoice::Ratios(_)) = self.args.crowd.lod {
            return Err(CommandError::Usage(format!(
                "--lod: {technique} has no levels of detail: use a texture technique, such as bone-qt"
            )));
        }
        let skinning = method.unwrap_or(technique.default_skinning());
        let character = self.source.character_for(skinning)?;
        if character.has_vertex_caches() && !character.clips().is_empty() {
            return Err(CommandError::Usage(format!(
                "{technique}: skins joints, which do not move a vertex cache: use --technique vertex, or --clip none for \
                 the rest pose"
            )));
        }
        let loops = vec![LoopPolicy::Wrap; self.source.clips.len()];
        let crowd = crowd_of_character(
            self.gpu,
            &character,
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
            reference: Some(character.clone()),
            model: character,
            has_bounds: true,
        };
        Ok(Panel {
            info,
            crowd,
            others: Vec::new(),
        })
    }

    fn of_bake(&self, settings: &BakeSettings) -> Result<Panel, CommandError> {
        let fault = |error| CommandError::Bake {
            source_name: self.args.source.clone(),
            error,
        };
        let skinning = settings.effective_skinning().map_err(fault)?;
        let character = self.source.character_for(skinning)?;
        let set = match settings.preset {
            Some(preset) => {
                self.bake_in_memory(&with_influences_of(preset, &character), settings)?
            }
            None => self.bake_in_memory(&character, settings)?,
        };
        let set = self.with_levels(set, &character)?;
        let technique = Technique::Texture(set.manifest().encoding);
        self.check_decode(set.manifest().encoding)?;
        let storage = set.manifest().storage();
        let clips = (0..).zip(set.manifest().clips.iter().map(|clip| clip.looping));
        let info = PanelInfo {
            technique,
            title: match settings.preset {
                Some(preset) => preset.name().to_owned(),
                None => format!("{technique} {storage}"),
            },
            storage: Some(storage),
            skinning: set.manifest().method,
            clips: clips.collect(),
            model: Arc::new(set.model().clone()),
            reference: Some(character),
            has_bounds: true,
        };
        let crowd = crowd_of_set(self.gpu, &set, self.settings())?;
        Ok(Panel {
            info,
            crowd,
            others: Vec::new(),
        })
    }

    /// Adds levels of detail to a set that was baked for the image.
    fn with_levels(
        &self,
        set: TextureSet,
        character: &Character,
    ) -> Result<TextureSet, CommandError> {
        let ratios = match self.args.crowd.levels() {
            LodChoice::None => return Ok(set),
            LodChoice::Auto if self.args.crowd.lod.is_none() && !self.allows_levels(&set) => {
                return Ok(set);
            }
            LodChoice::Auto => auto_ratios(character),
            LodChoice::Ratios(ratios) => ratios,
        };
        self.check_instancing()?;
        let bar = Bar::new("levels of detail");
        let mut levels = add_levels(set, character, &ratios, &bar)?;
        if levels.set.manifest().max_error_of_size.is_none() {
            // It adds to the errors of levels.
            let report = verify(&levels.set, character, &())?;
            let of_size = report.error.errors.overall.max_error_of_size;
            levels.set.record_error(of_size);
        }
        if matches!(self.args.crowd.lod, Some(LodChoice::Ratios(_))) {
            levels.warnings.iter().for_each(print_warning);
        }
        Ok(levels.set)
    }

    /// Returns false where levels of detail would not be drawn.
    fn allows_levels(&self, set: &TextureSet) -> bool {
        self.args.instancing == Instancing::Instanced && check_set(set).is_ok()
    }

    /// Refuses levels of detail of instances that are drawn one by one or copied.
    fn check_instancing(&self) -> Result<(), CommandError> {
        match self.args.instancing {
            Instancing::Instanced => Ok(()),
            other => Err(CommandError::Usage(format!(
                "--lod: {} draws the full mesh of all instances: leave --instancing out",
                other.name()
            ))),
        }
    }

    /// Refuses ratios of levels for a set on disk, which has those of its bake.
    fn check_levels(&self, set: &TextureSet, name: &str) -> Result<(), CommandError> {
        match &self.args.crowd.lod {
            Some(LodChoice::Ratios(_)) => Err(CommandError::Usage(format!(
                "--lod: {name} is a texture set, which has the levels of detail of its bake: use auto or none, or bake it \
                 with --lod"
            ))),
            Some(LodChoice::Auto) if self.args.instancing != Instancing::Instanced => {
                self.check_instancing()
            }
            Some(LodChoice::Auto) if set.manifest().lods.is_empty() => {
                print_note(format_args!(
                    "{name} has no levels of detail: bake it with --lod 100%,40%,15%"
                ));
                Ok(())
            }
            _ => Ok(()),
        }
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
                "{name}: there is no clip to bake: choose one with --clip, or draw the rest pose with control"
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
        for warning in &baked.warnings {
            print_warning(warning);
        }
        Ok(baked.set)
    }
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
