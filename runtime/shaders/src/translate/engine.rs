//! Library of all functions that packages for engines embed: every variant, each function once.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use super::functions::function_items;
use super::functions::items::declared;
use super::functions::words::words;
use super::{Language, TranslateError};
use crate::functions::EngineFunctions;
use crate::{Bones, Deform, PaletteSource, palette_functions, vertex_functions};

/// Functions of every variant in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionLibrary {
    /// Declarations of textures.
    pub bindings: Vec<String>,
    /// Structs, constants and functions, each after those that it uses.
    pub items: Vec<String>,
    /// Bindings and items of each variant, as indices in ascending order.
    pub variants: BTreeMap<String, [Vec<usize>; 2]>,
}

/// Returns the functions of every variant, in GLSL or WGSL.
///
/// # Errors
/// If a function cannot be translated.
pub fn function_library(language: Language) -> Result<FunctionLibrary, TranslateError> {
    let mut bindings = Interned::default();
    let mut items = Interned::default();
    let mut variants = BTreeMap::new();
    for (name, functions) in all_functions() {
        let printed = function_items(&functions, language)?;
        let indices = [
            bindings.indices(printed.bindings),
            items.indices(printed.items),
        ];
        variants.insert(name, indices);
    }
    let (items, places) = ordered(&items.texts);
    for [bindings, items] in variants.values_mut() {
        bindings.sort_unstable();
        for index in items.iter_mut() {
            *index = places[*index];
        }
        items.sort_unstable();
    }
    Ok(FunctionLibrary {
        bindings: bindings.texts,
        items,
        variants,
    })
}

/// All functions by the names of their variants.
fn all_functions() -> impl Iterator<Item = (String, EngineFunctions)> {
    let deforms = Deform::all().into_iter();
    let vertices =
        deforms.filter_map(|deform| Some((deform.variant()?, vertex_functions(deform)?)));
    let sources = Bones::all()
        .map(PaletteSource::Bones)
        .chain([PaletteSource::Curves]);
    let palettes =
        sources.filter_map(|source| Some((source.variant()?, palette_functions(source))));
    vertices.chain(palettes)
}

/// Distinct texts in the order of their first appearance.
#[derive(Default)]
struct Interned {
    texts: Vec<String>,
    places: HashMap<String, usize>,
}

impl Interned {
    fn indices(&mut self, texts: Vec<String>) -> Vec<usize> {
        let index = |text: String| {
            *self.places.entry(text).or_insert_with_key(|text| {
                self.texts.push(text.clone());
                self.texts.len() - 1
            })
        };
        texts.into_iter().map(index).collect()
    }
}

/// Orders items so that each comes after all that it may use, and returns the new place of each.
fn ordered(items: &[String]) -> (Vec<String>, Vec<usize>) {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        if let Some(name) = declared(item) {
            by_name.entry(name).or_default().push(index);
        }
    }
    let mut order = Vec::with_capacity(items.len());
    let mut visited = HashSet::new();
    for index in 0..items.len() {
        visit(index, items, &by_name, &mut visited, &mut order);
    }
    let mut places = vec![0; items.len()];
    for (place, &index) in order.iter().enumerate() {
        places[index] = place;
    }
    let ordered = order.iter().map(|&index| items[index].clone()).collect();
    (ordered, places)
}

/// Appends an item after all that it uses. Items of one name are alternatives, and do not use each other.
fn visit(
    index: usize,
    items: &[String],
    by_name: &HashMap<&str, Vec<usize>>,
    visited: &mut HashSet<usize>,
    order: &mut Vec<usize>,
) {
    if !visited.insert(index) {
        return;
    }
    let own = declared(&items[index]);
    for word in words(&items[index]).filter(|&word| Some(word) != own) {
        for &used in by_name.get(word).into_iter().flatten() {
            visit(used, items, by_name, visited, order);
        }
    }
    order.push(index);
}

impl FunctionLibrary {
    /// Source of a variant: its bindings and its items, without a comment above.
    pub fn source(&self, variant: &str) -> Option<String> {
        let [bindings, items] = self.variants.get(variant)?;
        let bindings: Vec<_> = bindings
            .iter()
            .map(|&index| &*self.bindings[index])
            .collect();
        let items: Vec<_> = items.iter().map(|&index| &*self.items[index]).collect();
        Some(super::functions::joined(&bindings, &items))
    }

    /// JSON: `bindings` and `items` are texts, and `variants` maps a name to two sets of indices. A set is a text of
    /// hexadecimal digits; bit `k` of digit `n` stands for index `4 n + k`.
    pub fn to_json(&self) -> String {
        let texts = |texts: &[String]| {
            let lines: Vec<_> = texts.iter().map(|text| json_text(text)).collect();
            format!("[\n{}\n]", lines.join(",\n"))
        };
        let variants: Vec<_> = self
            .variants
            .iter()
            .map(|(name, sets)| {
                let [bindings, items] = sets.each_ref().map(|indices| hex_set(indices));
                format!("{}: [\"{bindings}\", \"{items}\"]", json_text(name))
            })
            .collect();
        format!(
            "{{\n\"bindings\": {},\n\"items\": {},\n\"variants\": {{\n{}\n}}\n}}",
            texts(&self.bindings),
            texts(&self.items),
            variants.join(",\n")
        )
    }
}

/// A text in JSON.
fn json_text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out += "\\n",
            c if c.is_ascii_control() || !c.is_ascii() => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    write!(out, "\\u{unit:04x}").expect("writing to a string does not fail");
                }
            }
            c => out.push(c),
        }
    }
    out + "\""
}

/// A set of indices in hexadecimal digits, of which the first has the indices 0 to 3.
fn hex_set(indices: &[usize]) -> String {
    let digits = indices.iter().max().map_or(0, |max| max / 4 + 1);
    let mut bits = vec![0_u32; digits];
    for index in indices {
        bits[index / 4] |= 1 << (index % 4);
    }
    bits.into_iter()
        .filter_map(|digit| char::from_digit(digit, 16))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_of_indices_is_hexadecimal() {
        assert_eq!(hex_set(&[0, 1, 6, 9]), "342");
        assert_eq!(hex_set(&[]), "");
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(json_text("a\n\"b\\²"), "\"a\\n\\\"b\\\\\\u00b2\"");
    }
}
