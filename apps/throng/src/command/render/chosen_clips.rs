//! Choice of the clips of an image.

use throng_rig::select_by_name;

use crate::cli::RenderArgs;
use crate::command::CommandError;
use crate::command::namesakes::namesakes;
use crate::text::print_warning;

/// Value of `--clip` for the rest pose.
const NO_CLIP: &str = "none";

/// Indices of the clips of an image.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChosenClips {
    /// Clips that instances choose from.
    pub pool: Vec<usize>,
    /// Clip that instances fade to.
    fade: Option<usize>,
}

impl ChosenClips {
    /// Chooses one clip, and that of `--fade`.
    pub fn one(args: &RenderArgs, names: &[&str], clip: usize) -> Result<Self, CommandError> {
        Ok(Self {
            pool: vec![clip],
            fade: fade(args, names)?,
        })
    }

    /// Returns the pool, then the clip to fade to where it is not in the pool.
    pub fn all(&self) -> impl Iterator<Item = usize> {
        let extra = self.fade.filter(|fade| !self.pool.contains(fade));
        self.pool.iter().copied().chain(extra)
    }

    /// Returns the place of the clip to fade to in [`Self::all`].
    pub fn fade_number(&self) -> Option<usize> {
        let fade = self.fade?;
        self.all().position(|index| index == fade)
    }
}

/// Chooses clips by the arguments; `None` for the rest pose. Clips that move nothing are a default only where there is no
/// other.
pub fn choose_clips(
    args: &RenderArgs,
    names: &[&str],
    moving: &[bool],
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
            if !crowd.is_crowd() {
                return Err(CommandError::Usage(
                    "--clips is for a crowd: use --clip for one instance, or --instances".into(),
                ));
            }
            let wanted = crowd.clips.iter();
            let pool: Result<Vec<usize>, CommandError> = wanted
                .map(|wanted| select("--clips", names, wanted, ""))
                .collect();
            pool?
        }
        None => {
            let Some(default) = default_clip(names, moving) else {
                return rest_pose(args);
            };
            let moving: Vec<usize> = (0..names.len()).filter(|&clip| moving[clip]).collect();
            match crowd.is_crowd() && !moving.is_empty() {
                true => moving,
                false => vec![default],
            }
        }
    };
    let fade = fade(args, names)?;
    Ok(Some(ChosenClips { pool, fade }))
}

/// Returns the clip of one instance: a walk, else the first that moves, else the first.
pub fn default_clip(names: &[&str], moving: &[bool]) -> Option<usize> {
    let clips = || (0..names.len()).filter(|&clip| moving[clip]);
    let walk = clips().find(|&clip| names[clip].to_lowercase().contains("walk"));
    let first = (!names.is_empty()).then_some(0);
    walk.or_else(|| clips().next()).or(first)
}

/// Returns the clip of `--fade`.
fn fade(args: &RenderArgs, names: &[&str]) -> Result<Option<usize>, CommandError> {
    let fade = args.crowd.fade.as_ref();
    fade.map(|fade| select("--fade", names, &fade.clip, ""))
        .transpose()
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
