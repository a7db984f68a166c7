//! Source of an image: a character or a texture set, and the clips to play.

use std::path::Path;
use std::sync::Arc;

use throng_bake::drawing_order;
use throng_format::disk::PartySet;
use throng_format::{ClipEntry, InterpolatedValues, Keyframe, PoseEdits, TextureSet};
use throng_import::import_with_caches;
use throng_rig::{Bounds, Character, CharacterPose, Clip, Method, Skinning};
use throng_skin::{posed_bounds, prepare, rest_size};
use throng_studio::Outfit;

use super::chosen_clips::{ChosenClips, Preferred, choose_clips, default_clip};
use super::moving_clips;
use super::party::{is_common, read_characters};
use super::placements::Placement;
use crate::cli::{FractionBy, RenderArgs};
use crate::command::caches::{cache_files, check_caches};
use crate::command::motion::Motion;
use crate::command::pose_clip::add_pose_clip;
use crate::command::read_set::read_set;
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
    /// The other characters of a party; empty for one character or set.
    pub party: Vec<PartySet>,
    /// Names of all characters of a party, the first included; empty for one character or set.
    pub party_names: Vec<String>,
    /// The character with only [`Self::clips`], in their order; `None` for a set whose source is not needed or not found.
    character: Option<Arc<Character>>,
    /// Names of all clips of the file or set.
    pub names: Vec<String>,
    /// Clips to play: those that instances choose from, then those that are named besides.
    pub clips: Vec<PlayedClip>,
    /// Number of clips that instances choose from.
    pub pool: usize,
    /// Number of the clip that instances fade to.
    pub fade_clip: Option<usize>,
    /// Number of the clip from the rest pose to a pose, of which instances hold fractions.
    pub pose_clip: Option<usize>,
    /// Time of a still without one, as a part of the clip's duration.
    pub default_phase: f64,
    /// Largest extent of the bounding box in the rest pose.
    pub size: f32,
    /// True if instances can have outfits.
    pub has_outfits: bool,
    rest: Bounds,
    /// The character before vertices were put on straight lines to a pose.
    straight: Option<StraightPose>,
}

/// A pose that vertices reach on straight lines, which depend on the skinning method.
struct StraightPose {
    character: Character,
    edits: PoseEdits,
    skinning: Skinning,
    clips: Vec<usize>,
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
    /// Reads a set, or imports a character. Instances of a file may name clips.
    pub fn open(args: &RenderArgs, placements: &[Placement]) -> Result<Self, CommandError> {
        let has_fractions = placements.iter().any(|placed| placed.fraction.is_some());
        let poses = args.has_pose() || has_fractions;
        let path = Path::new(&args.source);
        let party = read_characters(path)?.unwrap_or_default();
        let party_names = party.iter().map(|set| set_name(&set.path)).collect();
        let mut party = party.into_iter();
        let first = match party.next() {
            Some(first) => Some(first.set),
            None => read_set(path)?,
        };
        match first {
            Some(_) if poses => Err(CommandError::Usage(format!(
                "{} is a texture set, and a pose is set on a character: name its file, or bake the pose with `throng bake \
                 --rotate` and hold it with --clip pose and --offset",
                args.source
            ))),
            Some(_) if !args.motion.motion.is_empty() => Err(CommandError::Usage(format!(
                "{} is a texture set, and motion is put on a character: name its file, or use `throng bake --motion`",
                args.source
            ))),
            Some(_) if !args.caches.cache.is_empty() => Err(CommandError::Usage(format!(
                "{} is a texture set, and a vertex cache moves the mesh of a file: name that file, or use `throng bake \
                 --cache`",
                args.source
            ))),
            Some(set) => Ok(Self {
                party_names,
                ..Self::of_set(args, placements, set, party.collect())?
            }),
            None => {
                let caches = cache_files(&args.caches);
                let imported = import_with_caches(&args.source, &args.import.options(), &caches)?;
                print_warnings(&imported.warnings);
                let mut warnings = Vec::new();
                let motion = Motion::resolve(&args.motion)?;
                let character = motion.put_on(imported.character, &mut warnings)?;
                warnings.iter().for_each(print_warning);
                match poses {
                    true => Self::of_pose(args, placements, character),
                    false => Self::of_character(args, placements, character),
                }
            }
        }
    }

    fn of_set(
        args: &RenderArgs,
        placements: &[Placement],
        set: TextureSet,
        party: Vec<PartySet>,
    ) -> Result<Self, CommandError> {
        if set.manifest().is_motion() {
            return Err(CommandError::Usage(format!(
                "{} is a motion set, without a mesh: draw a set that uses it, or the folder of both",
                args.source
            )));
        }
        let is_compared = args.show_error || !args.compare.is_empty() || args.technique.is_some();
        if !party.is_empty() && is_compared {
            return Err(CommandError::Usage(format!(
                "{} is a folder of several sets: name one of them for --technique, --compare and --show-error",
                args.source
            )));
        }
        let entries = &set.manifest().clips;
        let names: Vec<&str> = entries.iter().map(|clip| clip.name.as_str()).collect();
        // By default, a mixed crowd plays clips that all its characters have.
        let common = names.iter().map(|name| is_common(name, &party));
        let moving = common.zip(moving_clips::clips_of_set(&set));
        let moving: Vec<bool> = moving.map(|(common, moves)| common && moves).collect();
        let preferred = Preferred::with_motion(set.manifest().source.motion.len());
        let Some(chosen) = choose_clips(args, placements, &names, &moving, preferred)? else {
            return Err(CommandError::Usage(format!(
                "--clip: {} is a texture set, which has no rest pose: name a clip",
                args.source
            )));
        };
        let clips = chosen.all().into_iter().map(|index| {
            let clip = &entries[index];
            PlayedClip {
                index,
                name: clip.name.clone(),
                start_secs: clip.start_secs,
                duration_secs: clip.duration_secs,
                bounds: party_bounds(clip, &party),
            }
        });
        let clips: Vec<PlayedClip> = clips.collect();
        let character = match args.show_error || !args.compare.is_empty() {
            true => character_of_set(args, &set, &clips)?,
            false => None,
        };
        Ok(Self {
            character,
            names: names.into_iter().map(str::to_owned).collect(),
            pool: chosen.pool.len(),
            fade_clip: number_of(&clips, chosen.fade),
            clips,
            pose_clip: None,
            default_phase: DEFAULT_PHASE,
            size: party_size(&set, &party) as f32,
            has_outfits: fits_outfits(&set, &party),
            rest: rest_bounds(set.model()),
            content: Content::Set(Box::new(set)),
            party,
            party_names: Vec::new(),
            straight: None,
        })
    }

    fn of_character(
        args: &RenderArgs,
        placements: &[Placement],
        character: Character,
    ) -> Result<Self, CommandError> {
        let names = names_of(&character);
        let moving = moving_clips::clips_of_character(&character);
        let chosen = choose_clips(args, placements, &names, &moving, preferred(args))?;
        let chosen = chosen.unwrap_or_default();
        Self::of_clips(args, character, &chosen)
    }

    /// Makes a clip that goes from the rest pose to the pose asked for. All instances show it, or those of a file that have
    /// a fraction.
    fn of_pose(
        args: &RenderArgs,
        placements: &[Placement],
        character: Character,
    ) -> Result<Self, CommandError> {
        if args.has_pose() && !args.crowd.clips.is_empty() {
            return Err(CommandError::Usage(
                "--clips: instances hold the pose of --rotate, --keyframe or --fraction: leave --clips out".into(),
            ));
        }
        let edits = edits(args, &character)?;
        let skinning = args.method.unwrap_or_default();
        let mut warnings = Vec::new();
        let posed = add_pose_clip(character.clone(), &edits, skinning, &mut warnings)?;
        for warning in warnings {
            print_warning(warning);
        }
        let names = names_of(&posed);
        let pose = names.len() - 1;
        let chosen = match args.has_pose() {
            true => ChosenClips::one(args, placements, &names, pose)?,
            false => {
                let moving = moving_clips::clips_of_character(&posed);
                let (names, moving) = (&names[..pose], &moving[..pose]);
                let chosen = choose_clips(args, placements, names, moving, preferred(args))?;
                let mut chosen = chosen.unwrap_or_default();
                chosen.add(pose);
                chosen
            }
        };
        let mut source = Self::of_clips(args, posed, &chosen)?;
        source.pose_clip = number_of(&source.clips, Some(pose));
        if args.has_pose() {
            source.default_phase = 1.0;
        }
        let by = edits.keyframe.map(|keyframe| keyframe.by);
        source.straight = (by == Some(InterpolatedValues::Positions)).then(|| StraightPose {
            character,
            edits,
            skinning,
            clips: chosen.all(),
        });
        Ok(source)
    }

    fn of_clips(
        args: &RenderArgs,
        character: Character,
        chosen: &ChosenClips,
    ) -> Result<Self, CommandError> {
        let names = names_of(&character)
            .into_iter()
            .map(str::to_owned)
            .collect();
        let indices = chosen.all();
        let character = with_clips(&args.source, character, &indices)?;
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
        check_caches(&args.source, &character)?;
        let character = Arc::new(character);
        Ok(Self {
            names,
            pool: chosen.pool.len(),
            fade_clip: number_of(&clips, chosen.fade),
            clips,
            pose_clip: None,
            default_phase: DEFAULT_PHASE,
            size: rest_size(&character) as f32,
            has_outfits: Outfit::fits(&character),
            rest: rest_bounds(&character),
            content: Content::Character(character.clone()),
            party: Vec::new(),
            party_names: Vec::new(),
            character: Some(character),
            straight: None,
        })
    }

    /// Returns the character for a skinning method: with the numbers of each vertex that the method needs, and where vertices
    /// move to a pose on straight lines, with the pose as the method skins it.
    pub fn character_for(&self, skinning: Skinning) -> Result<Arc<Character>, CommandError> {
        let straight = self.straight.as_ref();
        let character = match straight.filter(|straight| straight.skinning != skinning) {
            Some(StraightPose {
                character,
                edits,
                clips,
                ..
            }) => {
                let name = character.name.clone();
                let posed = add_pose_clip(character.clone(), edits, skinning, &mut Vec::new())?;
                Arc::new(with_clips(&name, posed, clips)?)
            }
            None => self
                .character
                .clone()
                .expect("techniques other than a set's own need a character"),
        };
        Ok(match skinning.needs_vertex_data() {
            true => Arc::new(prepare(Arc::unwrap_or_clone(character), skinning, &[])),
            false => character,
        })
    }

    /// Returns the imported character; `None` for a set whose source is not needed or not found.
    pub fn character(&self) -> Option<&Arc<Character>> {
        self.character.as_ref()
    }

    /// Returns the height of the ground: the lowest point of all clips.
    pub fn ground_y(&self) -> f32 {
        let clips = self.clips.iter().map(|clip| clip.bounds.min.y);
        match self.clips.is_empty() {
            true => self.rest.min.y as f32,
            false => clips.fold(f64::INFINITY, f64::min) as f32,
        }
    }

    /// Returns the bounding box of a clip, or of the rest pose.
    pub fn bounds(&self, clip: Option<&PlayedClip>) -> Bounds {
        clip.map_or(self.rest, |clip| clip.bounds)
    }
}

/// Clip that one instance of a character plays by default.
fn preferred(args: &RenderArgs) -> Preferred {
    Preferred::with_motion(args.motion.motion.len())
}

fn names_of(character: &Character) -> Vec<&str> {
    let clips = character.clips().iter();
    clips.map(|clip| clip.name.as_str()).collect()
}

/// Returns the number of a clip of the file among those that are played.
fn number_of(clips: &[PlayedClip], index: Option<usize>) -> Option<usize> {
    clips.iter().position(|clip| Some(clip.index) == index)
}

/// Returns the pose asked for, and the way to it. Without any edit, the pose is that of a still.
fn edits(args: &RenderArgs, character: &Character) -> Result<PoseEdits, CommandError> {
    let edits = args.edit.on(args.clip.as_deref(), args.time);
    let is_asked = edits != PoseEdits::default();
    let edits = PoseEdits {
        keyframe: edits.keyframe.or(Some(Keyframe {
            fraction: 1.0,
            by: match (args.crowd.fraction, args.crowd.fraction_by) {
                // A pose without fractions is reached as a clip is.
                (None, _) if args.has_pose() => InterpolatedValues::Rotations,
                (_, Some(FractionBy::Angles)) => InterpolatedValues::Rotations,
                (_, Some(FractionBy::Positions) | None) => InterpolatedValues::Positions,
            },
        })),
        ..edits
    };
    if is_asked {
        return Ok(edits);
    }
    let names = names_of(character);
    let moving = moving_clips::clips_of_character(character);
    let Some(index) = default_clip(&names, &moving, preferred(args)) else {
        return Err(CommandError::Usage(format!(
            "--fraction: '{}' has no clip: set a pose with --rotate",
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
    with_clips(&args.source, character, &indices).map(|character| Some(Arc::new(character)))
}

/// Returns the character with only some of its clips, its vertices in drawing order.
fn with_clips(
    source: &str,
    character: Character,
    clips: &[usize],
) -> Result<Character, CommandError> {
    let mut parts = character.into_parts();
    parts.clips = clips
        .iter()
        .map(|&index| parts.clips[index].clone())
        .collect();
    let failed = |error| CommandError::Failed(format!("{source}: {error}"));
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

/// Bounding box of a clip over all characters of a party.
fn party_bounds(clip: &ClipEntry, party: &[PartySet]) -> Bounds {
    let mut bounds = clip.bounds;
    for entry in party.iter().flat_map(|set| &set.set.manifest().clips) {
        if entry.name == clip.name {
            bounds.union(&entry.bounds);
        }
    }
    bounds
}

/// Name of a set: that of its folder, without the extension.
fn set_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.display().to_string()
}

/// Size of the largest character of a party.
fn party_size(set: &TextureSet, party: &[PartySet]) -> f64 {
    let sets = party.iter().map(|set| &set.set).chain([set]);
    sets.map(|set| rest_size(set.model())).fold(0.0, f64::max)
}

/// Returns true if instances of all characters of a party can have outfits.
fn fits_outfits(set: &TextureSet, party: &[PartySet]) -> bool {
    let mut sets = party.iter().map(|set| &set.set).chain([set]);
    sets.all(|set| Outfit::fits(set.model()))
}

fn rest_bounds(character: &Character) -> Bounds {
    pose_bounds(character, &CharacterPose::rest(character))
}

fn pose_bounds(character: &Character, pose: &CharacterPose) -> Bounds {
    posed_bounds(character, pose, Method::Lbs)
}
