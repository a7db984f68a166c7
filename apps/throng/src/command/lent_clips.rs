//! Clips that the characters of a group lend each other.

use throng_bake::share::{ShareError, difference, group_clips};
use throng_import::ImportOptions;
use throng_rig::Character;

use super::CommandError;
use super::set_source::import_with_or_without_mesh;

/// Returns a character with the clips of others of the same skeleton, as a bake with `--share` gives them to it: unchanged,
/// and by their own names.
pub fn with_lent_clips(
    source: &str,
    character: Character,
    lenders: &[String],
    options: &ImportOptions,
) -> Result<Character, CommandError> {
    let failed = |error: ShareError| CommandError::Share {
        source_names: source.to_owned(),
        error: Box::new(error),
    };
    if lenders.is_empty() {
        return Ok(character);
    }
    let mut characters = Vec::new();
    for lender in lenders {
        let lent = import_with_or_without_mesh(lender, options)?;
        if let Some(difference) = difference(&character, &lent.character) {
            return Err(failed(ShareError::Skeletons {
                first: source.to_owned(),
                second: lender.clone(),
                difference: difference.to_string(),
            }));
        }
        characters.push((lender.as_str(), lent.character));
    }
    let lent = characters.iter().map(|(name, lender)| (*name, lender));
    let members: Vec<_> = [(source, &character)].into_iter().chain(lent).collect();
    Ok(group_clips(&members).map_err(failed)?.on(&character))
}
