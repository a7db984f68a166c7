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
    #[error("no '{wanted}' among {among}{}", suggestion.as_ref().map_or(String::new(), |name| format!("; did you mean '{name}'?")))]
    Unknown {
        /// Requested name or index.
        wanted: String,
        /// Available names, shortened.
        among: String,
        /// A name that differs little.
        suggestion: Option<String>,
    },
}

/// Largest number of names in an error.
const LISTED: usize = 12;
/// Largest number of letters that are compared for a suggestion.
const MAX_TYPED: usize = 64;

/// Name that stands for items without a name, as tables show them.
pub const UNNAMED: &str = "-";

/// Selects an item by name, by index or by `#index`.
///
/// A name takes precedence over an index; `#2` is always the third item. Where neither matches, the case of letters is
/// ignored, and [`UNNAMED`] is an item without a name. Of several items with the same name the first is selected, and
/// [`Match::namesakes`] lists the others.
pub fn select_by_name<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
    wanted: &str,
) -> Result<Match, SelectError> {
    let count = names.clone().count();
    if count == 0 {
        return Err(SelectError::Empty);
    }
    let first_of = |is_same: &dyn Fn(&str) -> bool| {
        let mut same = (0..count)
            .zip(names.clone())
            .filter(|(_, name)| is_same(name));
        let (index, _) = same.next()?;
        let namesakes = same.map(|(index, _)| index).collect();
        Some(Match { index, namesakes })
    };
    if let Some(found) = first_of(&|name| name == wanted) {
        return Ok(found);
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
    let lower = wanted.to_lowercase();
    let is_similar =
        |name: &str| name.to_lowercase() == lower || (wanted == UNNAMED && name.is_empty());
    if let Some(found) = first_of(&is_similar) {
        return Ok(found);
    }
    let distances = names
        .clone()
        .map(|name| (distance(&name.to_lowercase(), &lower), name));
    let nearest = distances.min_by_key(|(distance, _)| *distance);
    let suggestion = nearest.filter(|(distance, name)| 3 * distance <= name.chars().count());
    let listed: Vec<String> = names
        .enumerate()
        .take(LISTED)
        .map(|(index, name)| match name.is_empty() {
            true => format!("{index} without a name (select it as #{index})"),
            false => format!("{index} '{name}'"),
        })
        .collect();
    let more = if count > LISTED {
        format!(" and {} more", count - LISTED)
    } else {
        String::new()
    };
    Err(SelectError::Unknown {
        wanted: wanted.to_owned(),
        among: listed.join(", ") + &more,
        suggestion: suggestion.map(|(_, name)| name.to_owned()),
    })
}

/// Returns the number of letters to insert, delete or replace to get from one text to the other.
fn distance(from: &str, to: &str) -> usize {
    // Long names are not typed by hand.
    let to: Vec<char> = to.chars().take(MAX_TYPED).collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().take(MAX_TYPED).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
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
    fn ignores_case_where_no_name_is_equal() {
        assert_eq!(pick("RUN").unwrap().index, 1);
        assert_eq!(pick("Walk").unwrap().namesakes, [2]);
        let names = ["Walk", "walk"];
        let index = |wanted| select_by_name(names.into_iter(), wanted).unwrap().index;
        assert_eq!([index("Walk"), index("walk"), index("WALK")], [0, 1, 0]);
    }

    #[test]
    fn a_hyphen_selects_an_item_without_a_name() {
        assert_eq!(pick("-").unwrap().index, 3);
        let names = ["", "-", ""];
        let found = select_by_name(names.into_iter(), "-").unwrap();
        assert_eq!(found.index, 1, "a name takes precedence");
        let error = pick("fly").unwrap_err().to_string();
        assert!(
            error.contains("3 without a name (select it as #3)"),
            "{error}"
        );
    }

    #[test]
    fn suggests_a_name_that_differs_little() {
        let names = ["Walk", "Running_Jump", "Idle"];
        let error = |wanted| {
            select_by_name(names.into_iter(), wanted)
                .unwrap_err()
                .to_string()
        };
        assert!(error("wallk").ends_with("; did you mean 'Walk'?"));
        assert!(error("running jmp").ends_with("; did you mean 'Running_Jump'?"));
        assert!(!error("fly").contains("did you mean"));
        assert_eq!(distance("kitten", "sitting"), 3);
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
