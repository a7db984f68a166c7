//! Identifiers of a source.

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Identifiers and numbers of a text.
pub(in crate::translate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word_char(c))
        .filter(|word| !word.is_empty())
}

/// Replaces identifiers for which `to` returns another.
pub(super) fn map_words(text: &str, mut to: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let is_word = rest.starts_with(is_word_char);
        let end = rest
            .find(|c| is_word_char(c) != is_word)
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        match is_word.then(|| to(run)).flatten() {
            Some(other) => out += &other,
            None => out += run,
        }
        rest = after;
    }
    out
}
