//! Translations of shaders to GLSL, HLSL and MSL, by naga.
//!
//! A translation holds one entry point and the functions that it calls, below a comment that lists bindings and
//! attributes. Clip space is not adjusted: it is that of `Frame::clip_from_world`.

mod bindings;
mod engine;
mod functions;
mod generated;
mod glsl;
mod hlsl;
mod msl;

pub use engine::{FunctionLibrary, function_library};
pub use functions::{options_declaration, set_info_declaration, translate_functions};
pub use generated::{GeneratedFile, generated, generated_libraries};

use std::fmt;
use std::str::FromStr;

use naga::compact::{KeepUnused, compact};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, ShaderStage};
use thiserror::Error;

use crate::Shader;

/// A shading language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// WGSL, the source itself.
    Wgsl,
    /// GLSL ES 3.00, for WebGL2 and OpenGL ES 3.0.
    Glsl,
    /// HLSL, shader model 5.1.
    Hlsl,
    /// Metal Shading Language 2.0.
    Msl,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 4] = [Self::Wgsl, Self::Glsl, Self::Hlsl, Self::Msl];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wgsl => "wgsl",
            Self::Glsl => "glsl",
            Self::Hlsl => "hlsl",
            Self::Msl => "msl",
        }
    }

    /// File name extension.
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

/// Error of a name that is no shading language.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unsupported shading language '{0}'; expected wgsl, glsl, hlsl or msl")]
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

/// Error of [`translate`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TranslateError {
    /// The shader has no such entry point.
    #[error("the shader '{shader}' has no entry point '{entry_point}': choose from {known}")]
    NoEntryPoint {
        /// Name of the shader.
        shader: &'static str,
        /// Requested entry point.
        entry_point: String,
        /// Entry points that exist.
        known: String,
    },
    /// GLSL ES 3.00 has neither compute shaders nor storage buffers.
    #[error(
        "'{0}' is a compute shader, which GLSL ES 3.00 does not support: use the fragment pass `fill_palette` or another \
         language"
    )]
    NoCompute(String),
    /// The WGSL source is invalid.
    #[error("the shader '{shader}' is invalid: {message}")]
    Invalid {
        /// Name of the shader.
        shader: &'static str,
        /// Error of naga.
        message: String,
    },
    /// The language cannot express the shader.
    #[error("'{entry_point}' cannot be translated to {language}: {message}")]
    Unwritable {
        /// Entry point.
        entry_point: String,
        /// Target language.
        language: Language,
        /// Error of naga.
        message: String,
    },
}

/// Translates one entry point of a shader and the functions that it calls. For WGSL, returns the whole source unchanged.
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

fn validated(module: &Module, shader: &Shader) -> Result<ModuleInfo, TranslateError> {
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(module)
        .map_err(|error| TranslateError::Invalid {
            shader: shader.name,
            message: error.emit_to_string(&shader.source),
        })
}

/// A module with one entry point and nothing unused.
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
        // `compact` requires a valid module.
        validated(&module, shader)?;
        module
            .entry_points
            .retain(|entry| entry.name == entry_point);
        compact(&mut module, KeepUnused::No);
        let info = validated(&module, shader)?;
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
