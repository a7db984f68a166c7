//! Levels of detail of a set that was baked.

use throng_bake::accuracy::{BakeReport, LodReport};
use throng_bake::lod::{LodError, SetWithLevels, add_levels};
use throng_format::TextureSet;
use throng_rig::Character;

use super::job::BakeJob;
use crate::command::CommandError;
use crate::command::progress::Bar;
use crate::text::print_warning;

/// Adds the levels that a job asks for to a set and to its report. `source` has all influences.
pub fn with_levels(
    job: &BakeJob,
    set: TextureSet,
    report: &mut BakeReport,
    source: &Character,
) -> Result<TextureSet, CommandError> {
    if job.lods.is_empty() {
        return Ok(set);
    }
    let bar = Bar::new(&format!("levels of detail of {}", source.name));
    let SetWithLevels { set, warnings } = add_levels(set, source, &job.lods, &bar)?;
    drop(bar);
    for warning in warnings {
        print_warning(format_args!("{}: {warning}", job.source));
    }
    report.lods = LodReport::of_set(&set, report.error.errors.overall.max_error_of_size);
    Ok(set)
}

impl From<LodError> for CommandError {
    fn from(error: LodError) -> Self {
        match error {
            LodError::Source(error) => error.into(),
            error => Self::Failed(error.to_string()),
        }
    }
}
