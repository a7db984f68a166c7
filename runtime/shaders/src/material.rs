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
/// it.
pub fn material_shader(deform: Deform, outputs: VertexOutputs) -> Shader {
    let textures = deform.textures();
    let source = compose(
        &(uploads(&textures) + &deform.prelude()),
        &drawing_files(deform, outputs),
    );
    Shader {
        name: "material",
        source: vertex_in(source, outputs, deform) + "\n" + &outputs.source(),
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

    /// Appends the WGSL of a material. Names of this shader get the prefix `throng_`, so that the material is free in its
    /// own names, but for `VertexOut`, `clip_position` and `previous_clip_position`.
    pub fn with_material(mut self, wgsl: &str) -> Self {
        let names = declared_names(&self.source);
        let prefixed = words(&self.source).map(|word| match names.contains(word) {
            true => format!("{PREFIX}{word}"),
            false => word.to_owned(),
        });
        self.source = prefixed.collect::<String>() + "\n" + wgsl;
        self
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
    fn finds_declared_names_only() {
        let source = "alias Tables = u32;\nstruct Frame {\n    now: u32,\n}\nconst SIGNS: u32 = 1u;\n\
                      @group(1) @binding(14) var<uniform> frame: Frame;\n@vertex\nfn deform(v: VertexIn) -> VertexOut {\n    \
                      let inner = 1;\n}\nstruct VertexOut {\n}\n// const commented: u32\n@group(1) @binding(2) var t: Tables;\n";
        let names: Vec<_> = declared_names(source).into_iter().collect();
        assert_eq!(names, ["Frame", "SIGNS", "Tables", "deform", "frame", "t"]);
    }
}
