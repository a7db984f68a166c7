//! Names of local variables that depend on their function alone. naga numbers them through a whole source, so that a
//! function would differ between sources.

use std::collections::HashMap;

use naga::Module;

use super::words::map_words;

/// Ending that makes naga add an underscore, by which locals are recognised.
const MARK: &str = "0";

/// Names that naga makes up.
const MADE_UP: [&str; 2] = ["loop_init", "should_continue"];

/// Marks the names of all locals, before printing.
pub(super) fn mark(module: &mut Module) {
    let marked = |name: &str| format!("{name}{MARK}");
    for (_, function) in module.functions.iter_mut() {
        for argument in &mut function.arguments {
            argument.name = Some(marked(argument.name.as_deref().unwrap_or("argument")));
        }
        for (_, local) in function.local_variables.iter_mut() {
            local.name = Some(marked(local.name.as_deref().unwrap_or("local")));
        }
        for name in function.named_expressions.values_mut() {
            *name = marked(name);
        }
    }
}

/// Numbers the marked names of a printed function in the order of their appearance.
pub(super) fn renumber(item: &str) -> String {
    let mut names = HashMap::new();
    let mut counts = HashMap::new();
    map_words(item, |word| {
        let base = local_base(word)?;
        let name = names.entry(word.to_owned()).or_insert_with(|| {
            let count = counts.entry(base.to_owned()).or_insert(0);
            *count += 1;
            format!("{base}_{count}")
        });
        Some(name.clone())
    })
}

/// The name of a local as it was before it was marked and numbered.
fn local_base(word: &str) -> Option<&str> {
    let unnumbered = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let made_up = |base: &str| MADE_UP.contains(&base);
    if made_up(word) {
        return Some(word);
    }
    let base = unnumbered.strip_suffix('_')?;
    if made_up(base) {
        return Some(base);
    }
    base.strip_suffix(MARK)
}

#[cfg(test)]
mod tests {
    use super::renumber;

    #[test]
    fn numbers_marked_names_by_appearance() {
        let a = "float f(vec4 q0_7, vec4 q0_) { return dot(q0_7, q0_) + _e10 + throng_unit; }";
        let b = "float f(vec4 q0_, vec4 q0_1) { return dot(q0_, q0_1) + _e10 + throng_unit; }";
        let expected = "float f(vec4 q_1, vec4 q_2) { return dot(q_1, q_2) + _e10 + throng_unit; }";
        assert_eq!([a, b].map(renumber), [expected; 2]);
        assert_eq!(
            renumber("bool loop_init_3 = true;"),
            "bool loop_init_1 = true;"
        );
    }
}
