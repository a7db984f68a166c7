//! Choice of the clips of an image.

use throng_rig::select_by_name;

use super::placements::Placement;
use crate::cli::RenderArgs;
use crate::command::CommandError;
use crate::command::namesakes::namesakes;
use crate::text::print_warning;

/// Value of `--clip` for the rest pose.
const NO_CLIP: &str = "none";

/// Indices of the clips of an image, in the file or set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChosenClips {
    /// Clips that instances choose from.
    pub pool: Vec<usize>,
    /// Clip that instances fade to.
    pub fade: Option<usize>,
    /// Clips that single instances name.
    named: Vec<usize>,
}

impl ChosenClips {
    /// Chooses one clip, and those that the arguments and instances name besides.
    pub fn one(
        args: &RenderArgs,
        placements: &[Placement],
        names: &[&str],
        clip: usize,
    ) -> Result<Self, CommandError> {
        Self::new(args, placements, names, vec![clip])
    }

    fn new(
        args: &RenderArgs,
        placements: &[Placement],
        names: &[&str],
        pool: Vec<usize>,
    ) -> Result<Self, CommandError> {
        let fade = args.crowd.fade.as_ref();
        let fade = fade.map(|fade| select("--fade", names, &fade.clip, ""));
        let mut named = Vec::new();
        for (index, placement) in placements.iter().enumerate() {
            let keys = [
                ("clip", &placement.clip),
                ("fade_clip", &placement.fade_clip),
            ];
            for (key, name) in keys {
                if let Some(name) = name {
                    let found = select_by_name(names.iter().copied(), name).map_err(|error| {
                        CommandError::Usage(format!(
                            "--placements: instance {index}: {key}: {error}"
                        ))
                    })?;
                    named.push(found.index);
                }
            }
        }
        Ok(Self {
            pool,
            fade: fade.transpose()?,
            named,
        })
    }

    /// Adds a clip that no instance chooses by chance.
    pub fn add(&mut self, clip: usize) {
        self.named.push(clip);
    }

    /// Returns the pool, then the other clips, each once.
    pub fn all(&self) -> Vec<usize> {
        let mut all = self.pool.clone();
        for &clip in self.fade.iter().chain(&self.named) {
            if !all.contains(&clip) {
                all.push(clip);
            }
        }
        all
    }
}

/// Chooses clips by the arguments; `None` for the rest pose. Clips that move nothing are a default only where there is no
/// other.
pub fn choose_clips(
    args: &RenderArgs,
    placements: &[Placement],
    names: &[&str],
    moving: &[bool],
    preferred: Preferred,
) -> Result<Option<ChosenClips>, CommandError> {
    let crowd = &args.crowd;
    let pool = match args.clip.as_deref() {
        Some(NO_CLIP) => return rest_pose(args),
        Some(wanted) => vec![select(
            "--clip",
            names,
            wanted,
            "; `none` is the rest pose",
        )?],
        None if !crowd.clips.is_empty() => {
            let wanted = crowd.clips.iter();
            let pool: Result<Vec<usize>, CommandError> = wanted
                .map(|wanted| select("--clips", names, wanted, ""))
                .collect();
            pool?
        }
        None => {
            let Some(default) = default_clip(names, moving, preferred) else {
                return rest_pose(args);
            };
            let moving: Vec<usize> = (0..names.len()).filter(|&clip| moving[clip]).collect();
            match crowd.is_crowd() && !moving.is_empty() {
                true => moving,
                false => vec![default],
            }
        }
    };
    ChosenClips::new(args, placements, names, pool).map(Some)
}

/// Clip that one instance plays by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preferred {
    /// A walk, else the first that moves, else the first.
    Walk,
    /// The first that moves, else the first: clips from other files are before a character's own.
    First,
}

impl Preferred {
    /// Preference for a character with clips from a number of files.
    pub fn with_motion(files: usize) -> Self {
        match files {
            0 => Self::Walk,
            _ => Self::First,
        }
    }
}

/// Returns the clip of one instance.
pub fn default_clip(names: &[&str], moving: &[bool], preferred: Preferred) -> Option<usize> {
    let clips = || (0..names.len()).filter(|&clip| moving[clip]);
    let is_walk = |clip: &usize| names[*clip].to_lowercase().contains("walk");
    let walk = clips().find(|clip| preferred == Preferred::Walk && is_walk(clip));
    let first = (!names.is_empty()).then_some(0);
    walk.or_else(|| clips().next()).or(first)
}

/// Returns no clips; the rest pose has nothing to fade from.
fn rest_pose(args: &RenderArgs) -> Result<Option<ChosenClips>, CommandError> {
    match &args.crowd.fade {
        Some(fade) => Err(CommandError::Usage(format!(
            "--fade {}: there is no clip to fade from: choose one with --clip",
            fade.clip
        ))),
        None => Ok(None),
    }
}

/// Returns the index of a clip that an option names.
fn select(option: &str, names: &[&str], wanted: &str, more: &str) -> Result<usize, CommandError> {
    let found = select_by_name(names.iter().copied(), wanted)
        .map_err(|error| CommandError::Usage(format!("{option}: {error}{more}")))?;
    if let Some(warning) = namesakes("clips", wanted, &found) {
        print_warning(warning);
    }
    Ok(found.index)
}
