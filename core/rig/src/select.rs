//! Selection of a clip or joint by name or index.

use thiserror::Error;

/// The selected item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Index of the item.
    pub index: usize,
    /// Indices of other items with the same name.
    pub namesakes: Vec<usize>,
}

/// A selection that matches nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SelectError {
    /// The list is empty.
    #[error("there are none")]
    Empty,
    /// No name or index matches.
    #[error("no '{wanted}' among {among}")]
    Unknown {
        /// Requested name or index.
        wanted: String,
        /// Available names, shortened.
        among: String,
    },
}

/// Largest number of names in an error.
const LISTED: usize = 12;

/// Selects an item by name, by index or by `#index`.
///
/// A name takes precedence over an index; `#2` is always the third item. Of several items with the same name
/// the first is selected, and [`Match::namesakes`] lists the others.
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
    fn names_take_precedence_over_indices() {
        assert_eq!(pick("run").unwrap().index, 1);
        assert_eq!(pick("").unwrap().index, 3);
        assert_eq!(pick("2").unwrap().index, 2);
        assert_eq!(
            pick("1").unwrap().index,
            4,
            "a name takes precedence over an index"
        );
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
    fn unknown_name_is_an_error_that_lists_available_names() {
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
