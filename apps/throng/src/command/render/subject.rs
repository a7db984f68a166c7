//! Source of an image: a character or a texture set, and the clips to play.

use std::path::Path;
use std::sync::Arc;

use throng_bake::drawing_order;
use throng_format::{PoseEdits, TextureSet};
use throng_import::import;
use throng_rig::{Bounds, Character, CharacterPose, Clip, Method};
use throng_skin::{posed_bounds, rest_size};

use super::chosen_clips::{ChosenClips, choose_clips, default_clip};
use super::read_set::read_set;
use crate::cli::{FractionBy, RenderArgs};
use crate::command::pose_clip::add_pose_clip;
use crate::command::set_source::import_source;
use crate::command::{CommandError, print_warnings};
use crate::text::{print_note, print_warning};

/// Number of poses in the bounding box of a clip.
const BOUNDS_POSES: u32 = 12;
/// Time of a still, as a part of the clip's duration.
const DEFAULT_PHASE: f64 = 0.08;

/// Source of an image.
pub struct Source {
    pub content: Content,
    /// The character with only [`Self::clips`], in their order; `None` for a set whose source is not needed or not found.
    character: Option<Arc<Character>>,
    /// Clips to play: those that instances choose from, then the one that they fade to.
    pub clips: Vec<PlayedClip>,
    /// Number of clips that instances choose from.
    pub pool: usize,
    /// Number of the clip that instances fade to.
    pub fade_clip: Option<usize>,
    /// Time of a still without one, as a part of the clip's duration.
    pub default_phase: f64,
    /// For a clip from the rest pose to a pose set by hand: the values that fractions interpolate.
    pub pose: Option<FractionBy>,
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
    /// Index into the clips of the file or set.
    pub index: usize,
    pub name: String,
    pub start_secs: f64,
    pub duration_secs: f64,
    /// Bounding box over the whole clip.
    pub bounds: Bounds,
}

impl Source {
    /// Reads a set, or imports a character.
    pub fn open(args: &RenderArgs) -> Result<Self, CommandError> {
        match read_set(Path::new(&args.source))? {
            Some(set) => Self::of_set(args, set),
            None => {
                let imported = import(&args.source, &args.import.options())?;
                print_warnings(&imported.warnings);
                match args.has_pose() {
                    true => Self::of_pose(args, imported.character),
                    false => Self::of_character(args, imported.character),
                }
            }
        }
    }

    fn of_set(args: &RenderArgs, set: TextureSet) -> Result<Self, CommandError> {
        if args.has_pose() {
            return Err(CommandError::Usage(format!(
                "{} is a texture set, and a pose is set on a character: name its file, or bake the pose with `throng bake \
                 --rotate`",
                args.source
            )));
        }
        let entries = &set.manifest().clips;
        let names: Vec<&str> = entries.iter().map(|clip| clip.name.as_str()).collect();
        let moving = vec![true; names.len()];
        let Some(chosen) = choose_clips(args, &names, &moving)? else {
            return Err(CommandError::Usage(format!(
                "--clip: {} is a texture set, which has no rest pose: name a clip",
                args.source
            )));
        };
        let clips = chosen.all().map(|index| {
            let clip = &entries[index];
            PlayedClip {
                index,
                name: clip.name.clone(),
                start_secs: clip.start_secs,
                duration_secs: clip.duration_secs,
                bounds: clip.bounds,
            }
        });
        let clips: Vec<PlayedClip> = clips.collect();
        let character = match args.show_error || !args.compare.is_empty() {
            true => character_of_set(args, &set, &clips)?,
            false => None,
        };
        Ok(Self {
            character,
            clips,
            pool: chosen.pool.len(),
            fade_clip: chosen.fade_number(),
            default_phase: DEFAULT_PHASE,
            pose: None,
            size: rest_size(set.model()) as f32,
            rest: rest_bounds(set.model()),
            content: Content::Set(Box::new(set)),
        })
    }

    fn of_character(args: &RenderArgs, character: Character) -> Result<Self, CommandError> {
        let names: Vec<&str> = character.clips().iter().map(|c| c.name.as_str()).collect();
        let moving: Vec<bool> = character.clips().iter().map(Clip::moves).collect();
        let chosen = choose_clips(args, &names, &moving)?.unwrap_or_default();
        Self::of_clips(args, character, &chosen)
    }

    /// Makes a clip that goes from the rest pose to the pose asked for.
    fn of_pose(args: &RenderArgs, character: Character) -> Result<Self, CommandError> {
        if !args.crowd.clips.is_empty() {
            return Err(CommandError::Usage(
                "--clips: instances hold the pose of --rotate, --keyframe or --fraction-by angles: leave --clips out".into(),
            ));
        }
        let edits = edits(args, &character)?;
        let mut warnings = Vec::new();
        let skinning = args.method.unwrap_or_default();
        let character = add_pose_clip(character, &edits, skinning, &mut warnings)?;
        for warning in warnings {
            print_warning(warning);
        }
        let names: Vec<&str> = character.clips().iter().map(|c| c.name.as_str()).collect();
        let chosen = ChosenClips::one(args, &names, names.len() - 1)?;
        let mut source = Self::of_clips(args, character, &chosen)?;
        source.default_phase = 1.0;
        source.pose = Some(args.crowd.fraction_by);
        Ok(source)
    }

    fn of_clips(
        args: &RenderArgs,
        character: Character,
        chosen: &ChosenClips,
    ) -> Result<Self, CommandError> {
        let indices: Vec<usize> = chosen.all().collect();
        let character = with_clips(args, character, &indices)?;
        let has_triangles = |part| !character.mesh_of(part).triangles().is_empty();
        if !character.parts().iter().any(has_triangles) {
            return Err(CommandError::Failed(format!(
                "{}: no triangles to draw: choose a file with a mesh",
                args.source
            )));
        }
        let clips = character.clips().iter().zip(indices);
        let clips = clips.map(|(clip, index)| PlayedClip {
            index,
            name: clip.name.clone(),
            start_secs: clip.start_secs(),
            duration_secs: clip.duration_secs(),
            bounds: clip_bounds(&character, clip),
        });
        let clips: Vec<PlayedClip> = clips.collect();
        let character = Arc::new(character);
        Ok(Self {
            clips,
            pool: chosen.pool.len(),
            fade_clip: chosen.fade_number(),
            default_phase: DEFAULT_PHASE,
            pose: None,
            size: rest_size(&character) as f32,
            rest: rest_bounds(&character),
            content: Content::Character(character.clone()),
            character: Some(character),
        })
    }

    /// Returns the imported character; `None` for a set whose source is not needed or not found.
    pub fn character(&self) -> Option<&Arc<Character>> {
        self.character.as_ref()
    }

    /// Returns the bounding box of a clip, or of the rest pose.
    pub fn bounds(&self, clip: Option<&PlayedClip>) -> Bounds {
        clip.map_or(self.rest, |clip| clip.bounds)
    }
}

/// Returns the pose asked for. By angles, without any edit, it is the pose that a still of one instance shows.
fn edits(args: &RenderArgs, character: &Character) -> Result<PoseEdits, CommandError> {
    let edits = args.edit.on(args.clip.as_deref(), args.time);
    if edits != PoseEdits::default() {
        return Ok(edits);
    }
    let names: Vec<&str> = character.clips().iter().map(|c| c.name.as_str()).collect();
    let moving: Vec<bool> = character.clips().iter().map(Clip::moves).collect();
    let Some(index) = default_clip(&names, &moving) else {
        return Err(CommandError::Usage(format!(
            "--fraction-by angles: '{}' has no clip: set a pose with --rotate",
            character.name
        )));
    };
    let clip = &character.clips()[index];
    Ok(PoseEdits {
        clip: Some(format!("#{index}")),
        time_secs: Some(clip.start_secs() + DEFAULT_PHASE * clip.duration_secs()),
        ..edits
    })
}

/// Imports the source of a set, with the clips that are played. Where it is not found, errors are not measured, which a
/// note says.
fn character_of_set(
    args: &RenderArgs,
    set: &TextureSet,
    clips: &[PlayedClip],
) -> Result<Option<Arc<Character>>, CommandError> {
    let imported = match import_source(Path::new(&args.source), set.manifest(), None) {
        Ok((_, imported)) => imported,
        Err(error) => {
            print_note(format_args!("errors are not measured: {error}"));
            return Ok(None);
        }
    };
    let character = imported.character;
    let index_of = |played: &PlayedClip| {
        let entry = &set.manifest().clips[played.index];
        let mut names = character.clips().iter();
        names.position(|clip| clip.name == entry.name)
    };
    let Some(indices) = clips.iter().map(index_of).collect::<Option<Vec<_>>>() else {
        print_note(format_args!(
            "errors are not measured: the source of {} has other clips",
            args.source
        ));
        return Ok(None);
    };
    with_clips(args, character, &indices).map(|character| Some(Arc::new(character)))
}

/// Returns the character with only some of its clips, its vertices in drawing order.
fn with_clips(
    args: &RenderArgs,
    character: Character,
    clips: &[usize],
) -> Result<Character, CommandError> {
    let mut parts = character.into_parts();
    parts.clips = clips
        .iter()
        .map(|&index| parts.clips[index].clone())
        .collect();
    let failed = |error| CommandError::Failed(format!("{}: {error}", args.source));
    Ok(drawing_order(&Character::new(parts).map_err(failed)?))
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
