//! Names that several clips or joints have.

use throng_rig::Match;

/// Returns the warning about a name that several objects have; `what` is their plural noun.
pub fn namesakes(what: &str, wanted: &str, found: &Match) -> Option<String> {
    if found.namesakes.is_empty() {
        return None;
    }
    let others: Vec<String> = found.namesakes.iter().map(|i| format!("#{i}")).collect();
    Some(format!(
        "several {what} are named '{wanted}': using #{}; the others are {}",
        found.index,
        others.join(", ")
    ))
}
