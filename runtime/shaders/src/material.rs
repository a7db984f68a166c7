//! Shaders that draw with the caller's material.

use std::collections::BTreeSet;

use crate::compose::compose;
use crate::files::{drawing_files, uploads, vertex_in};
use crate::vertex_out::VertexOutputs;
use crate::{Deform, Shader};

/// Name of the vertex entry point of [`material_shader`], after [`Shader::with_material`].
pub const MATERIAL_VERTEX: &str = "throng_draw_vertex";

/// Names that are not prefixed: the struct that materials read, and the functions that they supply.
const SHARED: [&str; 3] = ["VertexOut", "clip_position", "previous_clip_position"];

/// Prefix of all other names.
const PREFIX: &str = "throng_";

/// Returns the vertex shader of a technique with the outputs that a material reads. [`Shader::with_material`] completes
/// it. `declared` are the fields of `VertexOut`: those of `outputs`, or more where no fragment shader reads them.
pub fn material_shader(deform: Deform, outputs: VertexOutputs, declared: VertexOutputs) -> Shader {
    let textures = deform.textures();
    let source = compose(
        &(uploads(&textures) + &deform.prelude()),
        &drawing_files(deform, outputs),
    );
    Shader {
        name: "material",
        source: vertex_in(source, outputs, deform) + "\n" + &outputs.source(declared),
        entry_points: &[MATERIAL_VERTEX],
        textures,
    }
}

impl Shader {
    /// Binds group 1 as another group.
    pub fn with_group(mut self, group: u32) -> Self {
        if group != 1 {
            self.source = self
                .source
                .replace("@group(1)", &format!("@group({group})"));
        }
        self
    }

    /// Makes positions of all shaders of a technique equal to the bit, whatever else they compute. Some compilers then
    /// optimise less.
    pub fn with_invariant_position(mut self) -> Self {
        let declared = "struct DrawOut {\n    @builtin(position)";
        self.source = self
            .source
            .replace(declared, &format!("{declared} @invariant"));
        self
    }

    /// Takes the index of an instance from attribute 15, so that instances may be drawn from a list of visible ones.
    pub fn with_index_attribute(mut self) -> Self {
        self.source = self.source.replace(
            "@builtin(instance_index) instance: u32",
            "@location(15) instance: u32",
        );
        self
    }

    /// Appends the WGSL of a material. Names of this shader get the prefix `throng_`, so that the material is free in its
    /// own names, but for `VertexOut`, `clip_position` and `previous_clip_position`.
    pub fn with_material(mut self, wgsl: &str) -> Self {
        let names = declared_names(&self.source);
        let prefixed = words(&self.source).map(|word| match names.contains(word) {
            true => format!("{PREFIX}{word}"),
            false => word.to_owned(),
        });
        let (directives, wgsl) = split_directives(wgsl);
        self.source = [directives, &prefixed.collect::<String>(), wgsl].join("\n");
        self
    }
}

/// Splits WGSL after its directives, which must come first in a module.
fn split_directives(wgsl: &str) -> (&str, &str) {
    let mut end = 0;
    loop {
        let rest = after_comments(&wgsl[end..]);
        let word = rest.split(|c: char| !c.is_ascii_alphabetic()).next();
        let is_directive =
            word.is_some_and(|word| ["enable", "requires", "diagnostic"].contains(&word));
        match rest.find(';') {
            Some(at) if is_directive => end = wgsl.len() - rest.len() + at + 1,
            _ => return wgsl.split_at(end),
        }
    }
}

/// WGSL after leading spaces and comments.
fn after_comments(wgsl: &str) -> &str {
    let mut rest = wgsl.trim_start();
    loop {
        let end = match rest {
            _ if rest.starts_with("//") => rest.find('\n'),
            _ if rest.starts_with("/*") => rest.find("*/").map(|at| at + 2),
            _ => return rest,
        };
        rest = rest[end.unwrap_or(rest.len())..].trim_start();
    }
}

/// Names that are declared in the first column of a line.
fn declared_names(source: &str) -> BTreeSet<&str> {
    let declarations = source
        .lines()
        .filter(|line| !line.starts_with([' ', '/', '}']));
    let names = declarations.filter_map(|line| {
        let mut line = words(line).filter(|word| !word.trim().is_empty());
        let keyword = line.find(|word| ["fn", "struct", "const", "alias", "var"].contains(word))?;
        if keyword == "var" {
            // `var<storage, read> name`: the name is before the colon.
            return line.take_while(|word| *word != ":").last();
        }
        line.next()
    });
    names.filter(|name| !SHARED.contains(name)).collect()
}

/// Splits WGSL into words and the characters between them.
fn words(source: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = source;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_come_first() {
        let wgsl = "// A material.\n/* x */ enable f16;\ndiagnostic(off, derivative_uniformity);\nfn enable_x() {}";
        let (directives, rest) = split_directives(wgsl);
        assert!(
            directives.ends_with("derivative_uniformity);"),
            "{directives}"
        );
        assert_eq!(rest, "\nfn enable_x() {}");
        assert_eq!(split_directives("fn a() { b; }").0, "");
    }

    #[test]
    fn finds_declared_names_only() {
        let source = "alias Tables = u32;\nstruct Frame {\n    now: u32,\n}\nconst SIGNS: u32 = 1u;\n\
                      @group(1) @binding(14) var<uniform> frame: Frame;\n@vertex\nfn deform(v: VertexIn) -> VertexOut {\n    \
                      let inner = 1;\n}\nstruct VertexOut {\n}\n// const commented: u32\n@group(1) @binding(2) var t: Tables;\n";
        let names: Vec<_> = declared_names(source).into_iter().collect();
        assert_eq!(names, ["Frame", "SIGNS", "Tables", "deform", "frame", "t"]);
    }
}
