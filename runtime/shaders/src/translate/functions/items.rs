//! Items of a printed source: a struct, a constant, a binding or a function each.

use std::collections::{HashMap, HashSet};

use super::words::words;

/// Splits a source into its items, without empty lines between them.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut items = Vec::new();
    let mut item: Vec<&str> = Vec::new();
    let mut depth = 0_i32;
    for line in text.lines() {
        let line = line.trim_end();
        if item.is_empty() && line.is_empty() {
            continue;
        }
        item.push(line);
        let braces = |brace| line.matches(brace).count() as i32;
        depth += braces('{') - braces('}');
        let ends = line.ends_with([';', '}']) || line.starts_with('#');
        if depth == 0 && ends {
            items.push(item.join("\n"));
            item.clear();
        }
    }
    items
}

/// Name that an item declares: the last identifier before its body, value or parameters.
pub(in crate::translate) fn declared(item: &str) -> Option<&str> {
    let code = item.lines().find(|line| !line.starts_with("//"))?;
    let head = code.split(['(', '{', '=', ':', '[']).next()?;
    words(head).last()
}

/// Keeps the items that others of a given name use, in their order.
pub(super) fn used(items: Vec<String>, roots: &[&str]) -> Vec<String> {
    let by_name: HashMap<&str, usize> = items
        .iter()
        .enumerate()
        .filter_map(|(index, item)| Some((declared(item)?, index)))
        .collect();
    let mut open: Vec<usize> = roots
        .iter()
        .filter_map(|root| by_name.get(root).copied())
        .collect();
    let mut kept: HashSet<usize> = open.iter().copied().collect();
    while let Some(index) = open.pop() {
        let uses = words(&items[index]).filter_map(|word| by_name.get(word).copied());
        open.extend(uses.filter(|used| kept.insert(*used)));
    }
    let numbered = items.into_iter().enumerate();
    numbered
        .filter_map(|(index, item)| kept.contains(&index).then_some(item))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
#version 300 es

uniform int a;
@group(1) @binding(2)
var b: i32;

struct S {
    int x;
};

const uint UNUSED = 1u;

int f(S s) {
    if (true) {
        return 1;
    }

    return 2;
}
";

    #[test]
    fn splits_directives_bindings_and_functions() {
        let items = split(TEXT);
        let starts: Vec<_> = items.iter().map(|item| &item[..4]).collect();
        assert_eq!(starts, ["#ver", "unif", "@gro", "stru", "cons", "int "]);
        assert_eq!(items[2], "@group(1) @binding(2)\nvar b: i32;");
        assert!(items[5].ends_with("return 2;\n}"));
    }

    #[test]
    fn keeps_only_what_the_roots_use() {
        let kept = used(split(TEXT), &["f"]);
        let names: Vec<_> = kept.iter().filter_map(|item| declared(item)).collect();
        assert_eq!(names, ["S", "f"]);
    }

    #[test]
    fn declared_name_is_found_in_both_languages() {
        let items = [
            "const uint N = 1u;",
            "const N: u32 = 1u;",
            "const uvec4 N[7] = uvec4[7](uvec4(0u));",
            "struct N {\n    x: u32,\n}",
            "fn N(a: u32) -> u32 {\n}",
            "// begin\nconst N: S = S(\n    1u\n);\n// end",
        ];
        for item in items {
            assert_eq!(declared(item), Some("N"), "{item}");
        }
    }
}
