//! Choice of the clips of an image.

use throng_rig::select_by_name;

use crate::cli::RenderArgs;
use crate::command::CommandError;
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
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&clip| !moving[clip]);
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
        None if names.is_empty() => return rest_pose(args),
        None if !crowd.is_crowd() => {
            let is_walk =
                |&&clip: &&usize| moving[clip] && names[clip].to_lowercase().contains("walk");
            let walk = order.iter().find(is_walk).copied();
            vec![walk.unwrap_or(order[0])]
        }
        None => {
            order.retain(|&clip| moving[clip]);
            order.sort_unstable();
            match order.is_empty() {
                true => vec![0],
                false => order,
            }
        }
    };
    let fade = match &crowd.fade {
        Some(fade) => Some(select("--fade", names, &fade.clip, "")?),
        None => None,
    };
    Ok(Some(ChosenClips { pool, fade }))
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
    if !found.namesakes.is_empty() {
        let others: Vec<String> = found.namesakes.iter().map(|i| format!("#{i}")).collect();
        print_warning(format_args!(
            "several clips are named '{wanted}': using #{}; the others are {}",
            found.index,
            others.join(", ")
        ));
    }
    Ok(found.index)
}
