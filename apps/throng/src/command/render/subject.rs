//! Source of an image: a character or a texture set, and the clips to play.

use std::path::Path;
use std::sync::Arc;

use throng_bake::drawing_order;
use throng_format::TextureSet;
use throng_format::disk::{self, DiskError};
use throng_import::import;
use throng_rig::{Bounds, Character, CharacterPose, Clip, LoopPolicy, Method, select_by_name};
use throng_skin::{posed_bounds, rest_size};

use crate::cli::RenderArgs;
use crate::command::{CommandError, may_be_glb_set, print_warnings};
use crate::text::print_note;

/// Value of `--clip` for the rest pose.
const NO_CLIP: &str = "none";
/// Most clips that a crowd plays by default.
const MAX_CLIPS: usize = 8;
/// Number of poses in the bounding box of a clip.
const BOUNDS_POSES: u32 = 12;

/// Source of an image.
pub struct Source {
    pub content: Content,
    /// Clips to play, with their indices in the content.
    pub clips: Vec<PlayedClip>,
    /// Largest extent of the bounding box in the rest pose.
    pub size: f32,
    rest: Bounds,
}

pub enum Content {
    /// A character with only the clips to play.
    Character(Arc<Character>),
    /// A texture set with all its clips.
    Set(Box<TextureSet>),
}

/// A clip to play.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedClip {
    /// Index into the clips of the content.
    pub index: u32,
    pub name: String,
    pub start_secs: f64,
    pub duration_secs: f64,
    /// Bounding box over the whole clip.
    pub bounds: Bounds,
}

impl Source {
    /// Reads a set, or imports a character.
    pub fn open(args: &RenderArgs) -> Result<Self, CommandError> {
        match read_set(&args.source)? {
            Some(set) => Self::of_set(args, set),
            None => {
                let imported = import(&args.source, &args.import.options())?;
                print_warnings(&imported.warnings);
                Self::of_character(args, imported.character)
            }
        }
    }

    fn of_set(args: &RenderArgs, set: TextureSet) -> Result<Self, CommandError> {
        let entries = &set.manifest().clips;
        let names: Vec<&str> = entries.iter().map(|clip| clip.name.as_str()).collect();
        let moving = vec![true; names.len()];
        let Some(chosen) = choose_clips(args, &names, &moving)? else {
            return Err(CommandError::Usage(format!(
                "--clip: {} is a texture set, which has no rest pose: name a clip",
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
            rest: rest_bounds(set.model()),
            content: Content::Set(Box::new(set)),
        })
    }

    fn of_character(args: &RenderArgs, character: Character) -> Result<Self, CommandError> {
        let names: Vec<&str> = character.clips().iter().map(|c| c.name.as_str()).collect();
        let moving: Vec<bool> = character.clips().iter().map(Clip::moves).collect();
        let chosen = choose_clips(args, &names, &moving)?.unwrap_or_default();
        let mut parts = character.into_parts();
        parts.clips = chosen
            .iter()
            .map(|&index| parts.clips[index].clone())
            .collect();
        let failed = |error| CommandError::Failed(format!("{}: {error}", args.source));
        let character = drawing_order(&Character::new(parts).map_err(failed)?);
        let has_triangles = |part| !character.mesh_of(part).triangles().is_empty();
        if !character.parts().iter().any(has_triangles) {
            return Err(CommandError::Failed(format!(
                "{}: no triangles to draw: choose a file with a mesh",
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
            rest: rest_bounds(&character),
            content: Content::Character(Arc::new(character)),
        })
    }

    /// Returns the imported character; `None` for a set.
    pub fn character(&self) -> Option<&Arc<Character>> {
        match &self.content {
            Content::Character(character) => Some(character),
            Content::Set(_) => None,
        }
    }

    /// Returns the character, or the model of the set.
    pub fn model(&self) -> &Character {
        match &self.content {
            Content::Character(character) => character,
            Content::Set(set) => set.model(),
        }
    }

    /// Returns the bounding box of a clip, or of the rest pose.
    pub fn bounds(&self, clip: Option<&PlayedClip>) -> Bounds {
        clip.map_or(self.rest, |clip| clip.bounds)
    }

    /// Loop policies of the clips of a character: all wrap.
    pub fn loops(&self) -> Vec<LoopPolicy> {
        vec![LoopPolicy::Wrap; self.clips.len()]
    }
}

/// Reads a set, if the source is one.
fn read_set(source: &str) -> Result<Option<TextureSet>, CommandError> {
    let path = Path::new(source);
    let is_glb = may_be_glb_set(path);
    if !path.is_dir() && !is_glb {
        return Ok(None);
    }
    match disk::read(path) {
        Ok(set) => Ok(Some(set)),
        Err(error) if path.is_dir() => Err(error.into()),
        // A GLB of another tool may fail to parse as a set. One with our extension must parse.
        Err(
            error @ (DiskError::Manifest { .. }
            | DiskError::Texels { .. }
            | DiskError::Model { .. }
            | DiskError::Set { .. }),
        ) if has_extension(path) => Err(error.into()),
        Err(_) => Ok(None),
    }
}

/// Returns whether a GLB contains the name of our extension.
fn has_extension(path: &Path) -> bool {
    let name = disk::EXTENSION.as_bytes();
    std::fs::read(path).is_ok_and(|bytes| bytes.windows(name.len()).any(|window| window == name))
}

/// Returns the indices of the clips to play; `None` for the rest pose. Clips that move nothing are a default only where
/// there is no other.
fn choose_clips(
    args: &RenderArgs,
    names: &[&str],
    moving: &[bool],
) -> Result<Option<Vec<usize>>, CommandError> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&clip| !moving[clip]);
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
            let is_walk =
                |&&clip: &&usize| moving[clip] && names[clip].to_lowercase().contains("walk");
            let walk = order.iter().find(is_walk).copied();
            Ok(Some(vec![walk.unwrap_or(order[0])]))
        }
        None => {
            if names.len() > MAX_CLIPS {
                let of = names.len();
                print_note(format_args!(
                    "the crowd plays the first {MAX_CLIPS} of {of} clips: use --clip to choose one"
                ));
            }
            order.truncate(MAX_CLIPS);
            order.sort_unstable();
            Ok(Some(order))
        }
    }
}

fn clip_bounds(character: &Character, clip: &Clip) -> Bounds {
    let mut pose = CharacterPose::rest(character);
    let mut all = Bounds::EMPTY;
    for step in 0..BOUNDS_POSES {
        let share = f64::from(step) / f64::from(BOUNDS_POSES - 1);
        pose.sample(
            character,
            clip,
            clip.start_secs() + share * clip.duration_secs(),
        );
        all.union(&pose_bounds(character, &pose));
    }
    all
}

fn rest_bounds(character: &Character) -> Bounds {
    pose_bounds(character, &CharacterPose::rest(character))
}

fn pose_bounds(character: &Character, pose: &CharacterPose) -> Bounds {
    posed_bounds(character, pose, Method::Lbs)
}
