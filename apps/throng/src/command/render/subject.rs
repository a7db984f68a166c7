//! What is drawn: a character whose clips are those that are played, or a baked set.

use std::path::Path;
use std::sync::Arc;

use throng_bake::drawing_order;
use throng_format::TextureSet;
use throng_format::disk::{self, DiskError};
use throng_import::import;
use throng_rig::{Bounds, Character, CharacterPose, Clip, LoopPolicy, Method, select_by_name};
use throng_skin::{posed_bounds, rest_size};

use crate::cli::RenderArgs;
use crate::command::{CommandError, tell_all};
use crate::text::tell;

/// What `--clip` takes for the rest pose.
const NO_CLIP: &str = "none";
/// A crowd plays no more, unless it is told.
const MAX_CLIPS: usize = 8;
/// Poses that are looked at for the box of a clip.
const BOX_POSES: u32 = 12;

/// What is drawn.
pub struct Source {
    pub content: Content,
    /// Those that are played, numbered as they are in the content.
    pub clips: Vec<PlayedClip>,
    /// The largest extent at rest.
    pub size: f32,
    rest: Bounds,
}

pub enum Content {
    /// Its clips are those that are played.
    Character(Arc<Character>),
    /// Its clips may be more.
    Set(Box<TextureSet>),
}

/// A clip, and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedClip {
    /// Index into the content's clips.
    pub index: u32,
    pub name: String,
    pub start_secs: f64,
    pub duration_secs: f64,
    /// Over the whole clip.
    pub bounds: Bounds,
}

impl Source {
    /// Reads a set, or brings in a character.
    pub fn open(args: &RenderArgs) -> Result<Self, CommandError> {
        match read_set(&args.source)? {
            Some(set) => Self::of_set(args, set),
            None => {
                let imported = import(&args.source, &args.import.options())?;
                tell_all(&imported.warnings);
                Self::of_character(args, imported.character)
            }
        }
    }

    fn of_set(args: &RenderArgs, set: TextureSet) -> Result<Self, CommandError> {
        let entries = &set.manifest().clips;
        let names: Vec<&str> = entries.iter().map(|clip| clip.name.as_str()).collect();
        let Some(chosen) = choose_clips(args, &names)? else {
            return Err(CommandError::Usage(format!(
                "--clip: {} is a baked set, which has no rest pose: name a clip",
                args.source
            )));
        };
        let clips = chosen.into_iter().map(|index| {
            let clip = &entries[index];
            PlayedClip {
                index: index as u32,
                name: clip.name.clone(),
                start_secs: clip.start_secs,
                duration_secs: clip.duration_secs,
                bounds: clip.bounds,
            }
        });
        Ok(Self {
            clips: clips.collect(),
            size: rest_size(set.model()) as f32,
            rest: rest_box(set.model()),
            content: Content::Set(Box::new(set)),
        })
    }

    fn of_character(args: &RenderArgs, character: Character) -> Result<Self, CommandError> {
        let names: Vec<&str> = character.clips().iter().map(|c| c.name.as_str()).collect();
        let chosen = choose_clips(args, &names)?.unwrap_or_default();
        let mut parts = character.into_parts();
        parts.clips = chosen
            .iter()
            .map(|&index| parts.clips[index].clone())
            .collect();
        let unfit = |error| CommandError::Limit(format!("{}: {error}", args.source));
        let character = drawing_order(&Character::new(parts).map_err(unfit)?);
        let has_triangles = |part| !character.mesh_of(part).triangles().is_empty();
        if !character.parts().iter().any(has_triangles) {
            return Err(CommandError::Limit(format!(
                "{}: there is nothing to draw: choose a file that holds a mesh",
                args.source
            )));
        }
        let clips = character.clips().iter().enumerate();
        let clips = clips.map(|(index, clip)| PlayedClip {
            index: index as u32,
            name: clip.name.clone(),
            start_secs: clip.start_secs(),
            duration_secs: clip.duration_secs(),
            bounds: clip_bounds(&character, clip),
        });
        Ok(Self {
            clips: clips.collect(),
            size: rest_size(&character) as f32,
            rest: rest_box(&character),
            content: Content::Character(Arc::new(character)),
        })
    }

    /// The character that was brought in; sets have none.
    pub fn character(&self) -> Option<&Arc<Character>> {
        match &self.content {
            Content::Character(character) => Some(character),
            Content::Set(_) => None,
        }
    }

    /// Where its surfaces are described.
    pub fn model(&self) -> &Character {
        match &self.content {
            Content::Character(character) => character,
            Content::Set(set) => set.model(),
        }
    }

    /// The box of a clip, or of the rest pose where nothing is played.
    pub fn bounds(&self, clip: Option<&PlayedClip>) -> Bounds {
        clip.map_or(self.rest, |clip| clip.bounds)
    }

    /// What clips of a character do at their ends: everything goes on.
    pub fn loops(&self) -> Vec<LoopPolicy> {
        vec![LoopPolicy::Wrap; self.clips.len()]
    }
}

/// A set, where the name is that of one.
fn read_set(source: &str) -> Result<Option<TextureSet>, CommandError> {
    let path = Path::new(source);
    let is_glb = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("glb"));
    if !path.is_dir() && !is_glb {
        return Ok(None);
    }
    match disk::read(path) {
        Ok(set) => Ok(Some(set)),
        Err(error) if path.is_dir() => Err(error.into()),
        // A plain GLB may be more than the reader of sets takes; one that calls itself a set is held to it.
        Err(DiskError::Manifest { .. } | DiskError::Texture { .. } | DiskError::Texels { .. })
            if is_glb && holds_extension(path) =>
        {
            Err(disk::read(path).err().map_or_else(
                || CommandError::Usage(format!("{source} changed while it was read")),
                CommandError::from,
            ))
        }
        Err(_) => Ok(None),
    }
}

/// True where a GLB names our extension.
fn holds_extension(path: &Path) -> bool {
    let name = disk::EXTENSION.as_bytes();
    std::fs::read(path).is_ok_and(|bytes| bytes.windows(name.len()).any(|window| window == name))
}

/// Indices of the clips that are played; `None` for the rest pose.
fn choose_clips(args: &RenderArgs, names: &[&str]) -> Result<Option<Vec<usize>>, CommandError> {
    match args.clip.as_deref() {
        Some(NO_CLIP) => Ok(None),
        Some(wanted) => {
            let found = select_by_name(names.iter().copied(), wanted).map_err(|error| {
                CommandError::Usage(format!("--clip: {error}; `{NO_CLIP}` is the rest pose"))
            })?;
            Ok(Some(vec![found.index]))
        }
        None if names.is_empty() => Ok(None),
        None if args.instances == 1 => {
            let walks = |name: &&str| name.to_lowercase().contains("walk");
            Ok(Some(vec![names.iter().position(walks).unwrap_or(0)]))
        }
        None => {
            if names.len() > MAX_CLIPS {
                let of = names.len();
                tell(
                    "note",
                    format_args!(
                        "the crowd plays the first {MAX_CLIPS} of {of} clips: --clip names one"
                    ),
                );
            }
            Ok(Some((0..names.len().min(MAX_CLIPS)).collect()))
        }
    }
}

fn clip_bounds(character: &Character, clip: &Clip) -> Bounds {
    let mut pose = CharacterPose::rest(character);
    let mut all = Bounds::EMPTY;
    for step in 0..BOX_POSES {
        let share = f64::from(step) / f64::from(BOX_POSES - 1);
        pose.sample(
            character,
            clip,
            clip.start_secs() + share * clip.duration_secs(),
        );
        all.union(&box_of(character, &pose));
    }
    all
}

fn rest_box(character: &Character) -> Bounds {
    box_of(character, &CharacterPose::rest(character))
}

fn box_of(character: &Character, pose: &CharacterPose) -> Bounds {
    posed_bounds(character, pose, Method::Lbs)
}
