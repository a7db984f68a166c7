//! Finding a clip or joint by what a person typed.

use thiserror::Error;

/// What was found, and whether its name is shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The index.
    pub index: usize,
    /// Others of the same name.
    pub namesakes: Vec<usize>,
}

/// Why nothing was found.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SelectError {
    /// There are none at all.
    #[error("there are none")]
    Empty,
    /// No name or index fits.
    #[error("no '{wanted}' among {among}")]
    Unknown {
        /// What was typed.
        wanted: String,
        /// The names there are, shortened.
        among: String,
    },
}

/// How many names an error lists.
const LISTED: usize = 12;

/// Takes a name, an index, or `#index`.
///
/// A name wins over an index, so `#2` is the sure way to say the third. Of several with the same name
/// the first is taken and the others are told.
pub fn select_by_name<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
    wanted: &str,
) -> Result<Match, SelectError> {
    let count = names.clone().count();
    if count == 0 {
        return Err(SelectError::Empty);
    }
    let mut same = names
        .clone()
        .enumerate()
        .filter(|(_, name)| *name == wanted);
    if let Some((index, _)) = same.next() {
        let namesakes = same.map(|(index, _)| index).collect();
        return Ok(Match { index, namesakes });
    }
    let digits = wanted.strip_prefix('#').unwrap_or(wanted);
    if let Ok(index) = digits.parse::<usize>()
        && index < count
    {
        return Ok(Match {
            index,
            namesakes: Vec::new(),
        });
    }
    let listed: Vec<String> = names
        .enumerate()
        .take(LISTED)
        .map(|(index, name)| format!("{index} '{name}'"))
        .collect();
    let more = if count > LISTED {
        format!(" and {} more", count - LISTED)
    } else {
        String::new()
    };
    Err(SelectError::Unknown {
        wanted: wanted.to_owned(),
        among: listed.join(", ") + &more,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] = ["walk", "run", "walk", "", "1"];

    fn pick(wanted: &str) -> Result<Match, SelectError> {
        select_by_name(NAMES.iter().copied(), wanted)
    }

    #[test]
    fn names_then_indices() {
        assert_eq!(pick("run").unwrap().index, 1);
        assert_eq!(pick("").unwrap().index, 3);
        assert_eq!(pick("2").unwrap().index, 2);
        assert_eq!(pick("1").unwrap().index, 4, "a name wins over an index");
        assert_eq!(pick("#1").unwrap().index, 1);
        assert_eq!(
            pick("walk").unwrap(),
            Match {
                index: 0,
                namesakes: vec![2]
            }
        );
    }

    #[test]
    fn what_is_not_there_is_an_error_that_lists_what_is() {
        let error = pick("fly").unwrap_err().to_string();
        assert!(
            error.contains("'fly'") && error.contains("1 'run'"),
            "{error}"
        );
        assert!(pick("5").is_err());
        assert!(pick("-1").is_err());
        assert_eq!(
            select_by_name([].into_iter(), "walk"),
            Err(SelectError::Empty)
        );
    }
}
