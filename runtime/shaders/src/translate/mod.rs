//! Shaders in the languages of engines, made by naga from the same WGSL.
//!
//! A translation holds one entry point and what it calls, under a comment that says what to bind where. Clip
//! space is left as it is: whoever gives `clip_from_world` decides.

mod bindings;
mod glsl;
mod hlsl;
mod kept;
mod msl;

pub use kept::{KeptFile, kept};

use std::fmt;
use std::str::FromStr;

use naga::compact::{KeepUnused, compact};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, ShaderStage};
use thiserror::Error;

use crate::Shader;

/// A language that shaders can be had in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// WebGPU's: the source itself.
    Wgsl,
    /// GLSL ES 3.00, for WebGL2 and OpenGL ES 3.0.
    Glsl,
    /// HLSL of shader model 5.1.
    Hlsl,
    /// Metal's, version 2.0.
    Msl,
}

impl Language {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::Wgsl, Self::Glsl, Self::Hlsl, Self::Msl];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wgsl => "wgsl",
            Self::Glsl => "glsl",
            Self::Hlsl => "hlsl",
            Self::Msl => "msl",
        }
    }

    /// How its files end.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Msl => "metal",
            _ => self.name(),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no language has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not a shading language: choose from wgsl, glsl, hlsl, msl")]
pub struct UnknownLanguage(String);

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(name: &str) -> Result<Self, UnknownLanguage> {
        let found = Self::ALL
            .into_iter()
            .find(|language| language.name() == name);
        found.ok_or_else(|| UnknownLanguage(name.to_owned()))
    }
}

/// Why a shader cannot be had in a language.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TranslateError {
    /// The shader has no such function.
    #[error("the shader '{shader}' has no entry point '{entry_point}': choose from {known}")]
    NoEntryPoint {
        /// Its name.
        shader: &'static str,
        /// What was asked for.
        entry_point: String,
        /// What there is.
        known: String,
    },
    /// GLSL ES 3.00 has neither compute shaders nor storage buffers.
    #[error(
        "'{0}' is a compute shader, and GLSL ES 3.00 has none: use the fragment pass `fill_palette` instead, or \
         another language"
    )]
    NoCompute(String),
    /// The source is not valid.
    #[error("the shader '{shader}' is not valid: {message}")]
    Invalid {
        /// Its name.
        shader: &'static str,
        /// What naga said.
        message: String,
    },
    /// The language has no way to say it.
    #[error("'{entry_point}' cannot be written in {language}: {message}")]
    Unwritable {
        /// Which function.
        entry_point: String,
        /// Which language.
        language: Language,
        /// What naga said.
        message: String,
    },
}

/// One entry point of a shader, and what it calls, in a language. WGSL is the source as it is, all entry points.
pub fn translate(
    shader: &Shader,
    entry_point: &str,
    language: Language,
) -> Result<String, TranslateError> {
    if !shader.entry_points.contains(&entry_point) {
        return Err(TranslateError::NoEntryPoint {
            shader: shader.name,
            entry_point: entry_point.to_owned(),
            known: shader.entry_points.join(", "),
        });
    }
    if language == Language::Wgsl {
        return Ok(shader.source.clone());
    }
    let entry = Entry::parse(shader, entry_point)?;
    if language == Language::Glsl && entry.stage() == ShaderStage::Compute {
        return Err(TranslateError::NoCompute(entry_point.to_owned()));
    }
    let written = match language {
        Language::Glsl => glsl::write(&entry),
        Language::Hlsl => hlsl::write(&entry),
        _ => msl::write(&entry),
    };
    written.map_err(|message| TranslateError::Unwritable {
        entry_point: entry_point.to_owned(),
        language,
        message,
    })
}

/// A module with one entry point and nothing that it does not use.
struct Entry {
    module: Module,
    info: ModuleInfo,
    /// As [`Shader::textures`].
    textures: Vec<(u32, &'static str)>,
}

impl Entry {
    fn parse(shader: &Shader, entry_point: &str) -> Result<Self, TranslateError> {
        let invalid = |message: String| TranslateError::Invalid {
            shader: shader.name,
            message,
        };
        let mut module = naga::front::wgsl::parse_str(&shader.source)
            .map_err(|error| invalid(error.to_string()))?;
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        let mut validate = |module: &Module| {
            validator
                .validate(module)
                .map_err(|error| invalid(error.emit_to_string(&shader.source)))
        };
        // Only what is valid can be compacted.
        validate(&module)?;
        module
            .entry_points
            .retain(|entry| entry.name == entry_point);
        compact(&mut module, KeepUnused::No);
        let info = validate(&module)?;
        Ok(Self {
            module,
            info,
            textures: shader.textures.clone(),
        })
    }

    fn point(&self) -> &naga::EntryPoint {
        &self.module.entry_points[0]
    }

    fn stage(&self) -> ShaderStage {
        self.point().stage
    }
}
