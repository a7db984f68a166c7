//! Contestants: techniques, presets and texture sets, with their settings, as crowds on the device.

use std::collections::HashMap;
use std::sync::Arc;

use throng_bake::accuracy::{BakeReport, verify};
use throng_bake::lod::{add_levels, auto_ratios};
use throng_bake::search::keep_influences;
use throng_bake::{BakeSettings, Preset, Progress, bake};
use throng_format::{Encoding, Metadata, Source, Storage, TextureSet};
use throng_rig::{Character, LoopPolicy, Skinning};
use throng_skin::{prepare, prepare_source};
use throng_wgpu::{
    Crowd, CrowdModel, Fades, Gpu, Instancing, MetadataSource, ModelSettings, Technique,
};

use crate::record::{Entrant, Status};

/// A contestant to be made.
#[derive(Debug, Clone)]
pub struct EntrantSpec {
    /// Unique name within its section.
    pub name: String,
    /// Technique, preset or set.
    pub content: Content,
    /// Skinning method; `None` for that of the technique.
    pub skinning: Option<Skinning>,
    /// Settings of the model.
    pub settings: ModelSettings,
    /// Instances that are drawn, and their detail.
    pub visibility: Visibility,
    /// Reason why a suite does not measure the contestant, which is listed with it.
    pub left_out: Option<&'static str>,
}

/// Instances that a contestant draws, and their detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Visibility {
    /// All instances, in full detail.
    #[default]
    Whole,
    /// Visible instances, in full detail.
    Culled,
    /// All instances, in levels of detail.
    Levels,
    /// Visible instances, in levels of detail.
    CulledLevels,
}

impl Visibility {
    /// All combinations.
    pub const ALL: [Self; 4] = [Self::Whole, Self::Culled, Self::Levels, Self::CulledLevels];

    /// Name of the contestant.
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "everything",
            Self::Culled => "culling",
            Self::Levels => "levels of detail",
            Self::CulledLevels => "culling and levels of detail",
        }
    }

    /// True if distant instances have fewer triangles.
    pub fn has_levels(self) -> bool {
        matches!(self, Self::Levels | Self::CulledLevels)
    }

    /// True if instances outside of the picture are left out.
    pub fn is_culled(self) -> bool {
        matches!(self, Self::Culled | Self::CulledLevels)
    }
}

/// Source of a contestant's animation.
#[derive(Debug, Clone)]
pub enum Content {
    /// Static, or animated by the CPU.
    Played(Technique),
    /// Baked into a set of an encoding.
    Baked(Encoding, Storage),
    /// Baked into the layout of a paper.
    Preset(Preset),
    /// A set that was baked before, with the clips of the character by name.
    Set(Arc<TextureSet>),
}

impl EntrantSpec {
    /// A contestant named after its content, with one instanced draw per part.
    pub fn new(content: Content) -> Self {
        let name = match &content {
            Content::Played(technique) => technique.to_string(),
            Content::Baked(encoding, storage) => format!("{encoding} {storage}"),
            Content::Preset(preset) => preset.name().to_owned(),
            Content::Set(set) => set.manifest().name.clone(),
        };
        // P0's shaders read metadata from the texture.
        let metadata = match &content {
            Content::Preset(preset) if preset.is_p0() => MetadataSource::Column,
            _ => MetadataSource::Tables,
        };
        Self {
            name,
            content,
            skinning: None,
            settings: ModelSettings {
                fades: Fades::None,
                metadata,
                ..ModelSettings::default()
            },
            visibility: Visibility::Whole,
            left_out: None,
        }
    }

    /// The static control.
    pub fn control() -> Self {
        Self::new(Content::Played(Technique::Control))
    }

    /// A technique: an encoding is baked as it is by default, 16 bits or compressed.
    pub fn technique(technique: Technique) -> Self {
        Self::new(match technique {
            Technique::Texture(encoding) => Content::Baked(encoding, encoding.default_storage()),
            technique => Content::Played(technique),
        })
    }

    /// The same with another name.
    pub fn named(self, name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..self
        }
    }

    /// The same with a skinning method.
    pub fn skinned(self, skinning: impl Into<Skinning>) -> Self {
        Self {
            skinning: Some(skinning.into()),
            ..self
        }
    }

    /// The same with other draw calls, and their name.
    pub fn drawn(mut self, instancing: Instancing) -> Self {
        self.settings.instancing = instancing;
        self.name = format!("{}, {}", self.name, instancing.name());
        self
    }
}

/// Sets of one character, baked and measured once each.
pub struct Sets<'a> {
    character: Arc<Character>,
    source: String,
    made: HashMap<String, Result<Arc<MeasuredSet>, String>>,
    progress: &'a dyn Progress,
}

/// A set and its report.
pub struct MeasuredSet {
    /// The set.
    pub set: TextureSet,
    /// The character, with what the method of the set needs.
    pub source: Arc<Character>,
    /// Cost and error.
    pub report: BakeReport,
}

impl<'a> Sets<'a> {
    /// No sets yet.
    pub fn new(character: &Arc<Character>, source: &str, progress: &'a dyn Progress) -> Self {
        Self {
            character: character.clone(),
            source: source.to_owned(),
            made: HashMap::new(),
            progress,
        }
    }

    /// Returns the set of a contestant, or the reason why the character does not allow it; `None` if it has none.
    pub fn of(&mut self, spec: &EntrantSpec) -> Option<Result<Arc<MeasuredSet>, String>> {
        let settings = match &spec.content {
            Content::Played(_) => return None,
            Content::Set(set) => return Some(self.given(set)),
            Content::Baked(encoding, storage) => {
                let default = Technique::Texture(*encoding).default_skinning();
                let metadata = match (spec.settings.metadata, storage) {
                    (MetadataSource::Column, Storage::Frames(_)) => Metadata::Column,
                    _ => Metadata::Manifest,
                };
                BakeSettings {
                    encoding: *encoding,
                    storage: *storage,
                    skinning: spec.skinning.unwrap_or(default),
                    metadata,
                    ..settings()
                }
            }
            Content::Preset(preset) => {
                let method = preset.method().map(Skinning::from);
                BakeSettings {
                    encoding: preset.encoding(),
                    skinning: spec.skinning.or(method).unwrap_or_default(),
                    preset: Some(*preset),
                    ..settings()
                }
            }
        };
        let has_levels = spec.visibility.has_levels();
        let key = format!("{settings:?} {has_levels}");
        if let Some(made) = self.made.get(&key) {
            return Some(made.clone());
        }
        self.progress.stage(&format!("baking {}", spec.name));
        let made = self.bake(&settings, has_levels).map(Arc::new);
        self.made.insert(key, made.clone());
        Some(made)
    }

    fn bake(&self, settings: &BakeSettings, has_levels: bool) -> Result<MeasuredSet, String> {
        let source = Source::in_memory(self.source.clone());
        let limit = settings.preset.and_then(Preset::max_influences);
        let all = prepared(&self.character, settings.skinning);
        let kept = limit.map(|limit| keep_influences(&all, limit));
        let character = kept.as_ref().unwrap_or(&all);
        // Steps of a bake are not steps of the benchmark.
        let baked = bake(character, settings, &source, &()).map_err(|error| error.to_string())?;
        let report = match baked.report {
            Some(report) => report,
            None => verify(&baked.set, &all, &()).map_err(|error| error.to_string())?,
        };
        let mut set = baked.set;
        if has_levels {
            let ratios = auto_ratios(character);
            let levels = add_levels(set, &all, &ratios, &());
            set = levels.map_err(|error| error.to_string())?.set;
        }
        Ok(MeasuredSet {
            set,
            source: all,
            report,
        })
    }

    fn given(&self, set: &Arc<TextureSet>) -> Result<Arc<MeasuredSet>, String> {
        let source = Character::clone(&self.character);
        let source = prepare_source(source, set.model(), set.manifest().method);
        let report = verify(set, &source, &());
        Ok(Arc::new(MeasuredSet {
            set: TextureSet::clone(set),
            source: Arc::new(source),
            report: report.map_err(|error| error.to_string())?,
        }))
    }
}

/// Returns the character with what the method needs, chosen from all its clips.
fn prepared(character: &Arc<Character>, skinning: Skinning) -> Arc<Character> {
    match skinning.needs_vertex_data() {
        true => Arc::new(prepare(Character::clone(character), skinning, &[])),
        false => character.clone(),
    }
}

fn settings() -> BakeSettings {
    BakeSettings {
        // Instances loop for as long as the benchmark runs, whatever they play.
        looping: Some(LoopPolicy::Wrap),
        // As P0's textures, whose rows are vertices.
        max_side: 16384,
        ..BakeSettings::default()
    }
}

/// A contestant on the device.
pub struct Made {
    /// The crowd, without instances.
    pub crowd: Crowd,
    /// The character, with what the method needs.
    pub source: Arc<Character>,
    /// Method of its vertices.
    pub skinning: Skinning,
    /// Index of each clip of the character.
    pub clips: Vec<u32>,
    /// Instances that are drawn, and their detail.
    pub visibility: Visibility,
}

/// Makes a contestant, or describes why not.
pub fn make(
    gpu: &Gpu,
    character: &Arc<Character>,
    sets: &mut Sets<'_>,
    spec: &EntrantSpec,
) -> (Entrant, Option<Made>) {
    let mut entrant = Entrant {
        name: spec.name.clone(),
        skinning: String::new(),
        status: Status::Measured,
        gpu_bytes: None,
        max_error_mm: None,
        picture_error_mm: None,
    };
    if let Some(reason) = spec.left_out {
        entrant.status = Status::Refused {
            reason: reason.into(),
        };
        return (entrant, None);
    }
    let made = match (&spec.content, sets.of(spec)) {
        (Content::Played(technique), _) => {
            let skinning = spec.skinning.unwrap_or(technique.default_skinning());
            let source = prepared(character, skinning);
            let model = gpu.checked(|| {
                CrowdModel::of_character(
                    gpu.device(),
                    gpu.queue(),
                    &source,
                    &[],
                    *technique,
                    skinning,
                    spec.settings,
                )
            });
            if *technique != Technique::Control {
                entrant.skinning = skinning.to_string();
            }
            crowd_of(gpu, model).map(|crowd| Made {
                crowd,
                source,
                skinning,
                clips: (0..character.clips().len() as u32).collect(),
                visibility: spec.visibility,
            })
        }
        (_, Some(Ok(measured))) => {
            let MeasuredSet {
                set,
                source,
                report,
            } = &*measured;
            entrant.gpu_bytes = Some(report.gpu_bytes);
            entrant.max_error_mm = Some(report.error.errors.overall.max_error_mm);
            entrant.skinning = set.manifest().method.to_string();
            let model =
                gpu.checked(|| CrowdModel::new(gpu.device(), gpu.queue(), set, spec.settings));
            crowd_of(gpu, model).and_then(|crowd| {
                Ok(Made {
                    clips: clips_of(character, crowd.model())?,
                    crowd,
                    source: source.clone(),
                    skinning: set.manifest().method,
                    visibility: spec.visibility,
                })
            })
        }
        (_, Some(Err(reason))) => Err(reason),
        (_, None) => Err("there is no set".into()),
    };
    match made {
        Ok(made) => (entrant, Some(made)),
        Err(reason) => {
            entrant.status = Status::Refused { reason };
            (entrant, None)
        }
    }
}

fn crowd_of(
    gpu: &Gpu,
    model: Result<Result<CrowdModel, throng_wgpu::GpuError>, throng_wgpu::GpuError>,
) -> Result<Crowd, String> {
    let crowd = model
        .and_then(|model| model)
        .and_then(|model| gpu.checked(|| model.crowd())?);
    crowd.map_err(|error| error.to_string())
}

/// Index of each clip of the character in a model, by name.
fn clips_of(character: &Character, model: &CrowdModel) -> Result<Vec<u32>, String> {
    let clips = character.clips().iter().map(|clip| {
        let index = model.clip(&clip.name);
        index.ok_or_else(|| format!("the set has no clip '{}'", clip.name))
    });
    clips.collect()
}
