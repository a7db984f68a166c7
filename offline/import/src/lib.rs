//! glTF and FBX files and built-in characters, checked and repaired, as [`throng_rig`] types.
//!
//! Files come from strangers. What is broken beyond doubt is an [`ImportError`] that names the file, the
//! object and the remedy; what can be repaired soundly is repaired and told as a [`Warning`]. Nothing
//! that comes out can hold a joint out of range, a cycle, a NaN or unsorted keys. Side files are read
//! from the asset's own folder only, and [`limits`] keep memory in proportion to the file.

mod assemble;
pub mod builtin;
mod error;
mod fbx;
mod gltf;
mod leaves;
pub mod limits;
mod options;
mod reach;
mod side_file;
mod warning;
mod weights;

use std::io::Read;
use std::path::Path;

use throng_rig::Character;

pub use error::{ErrorKind, ImportError};
use error::{Fault, Outcome};
use limits::MAX_FILE_BYTES;
pub use options::{ImportOptions, LeafPolicy, PositionSharing};
pub use warning::Warning;

/// A character and what was changed on the way in.
#[derive(Debug, Clone)]
pub struct Import {
    /// The character.
    pub character: Character,
    /// What the file was.
    pub format: SourceFormat,
    /// The program that wrote the file, where it says so.
    pub generator: Option<String>,
    /// What was changed or left out.
    pub warnings: Vec<Warning>,
}

/// What a character came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceFormat {
    /// glTF 2.0 as JSON.
    Gltf,
    /// glTF 2.0 in one binary file.
    Glb,
    /// Autodesk FBX.
    Fbx,
    /// Made by code.
    Builtin,
}

impl SourceFormat {
    /// The format's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gltf => "glTF",
            Self::Glb => "GLB",
            Self::Fbx => "FBX",
            Self::Builtin => "built-in",
        }
    }
}

/// Brings in `builtin:NAME` or a file.
pub fn import(source: &str, options: &ImportOptions) -> Result<Import, ImportError> {
    match source.strip_prefix(builtin::PREFIX) {
        Some(name) => import_builtin(source, name, options),
        None => import_file(Path::new(source), options),
    }
}

fn import_builtin(
    source: &str,
    name: &str,
    options: &ImportOptions,
) -> Result<Import, ImportError> {
    let fault = |fault: Fault| fault.in_file(source);
    let character = builtin::builtin(name)
        .map_err(|error| fault(Fault::new(ErrorKind::Name, "", error).remedy("")))?;
    let mut warnings = Vec::new();
    let mut parts = character.into_parts();
    for mesh in &mut parts.meshes {
        let vertices = (0..mesh.vertex_count()).map(|v| {
            let pairs = mesh.influences().of(v);
            pairs.map(|(joint, weight)| (joint as u32, weight))
        });
        let influences = weights::influences(name, vertices, options, &mut warnings)
            .map_err(|error| fault(Fault::data("", error)))?;
        mesh.set_influences(influences)
            .map_err(|error| fault(Fault::data("", error)))?;
        if options.positions == PositionSharing::Shared {
            mesh.share_positions();
        } else {
            mesh.split_positions();
        }
    }
    let character = Character::new(parts).map_err(|error| fault(Fault::data("", error)))?;
    Ok(Import {
        character,
        format: SourceFormat::Builtin,
        generator: None,
        warnings,
    })
}

/// Brings in a file.
pub fn import_file(path: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    let source_name = path.display().to_string();
    let bytes = read_file(path).map_err(|fault| fault.in_file(&source_name))?;
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    import_bytes(&source_name, &bytes, Some(folder), options)
}

/// Brings in the bytes of a glTF, GLB or FBX file; `source_name` ends in `.fbx` for the last. Without a
/// folder, side files are refused.
pub fn import_bytes(
    source_name: &str,
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ImportOptions,
) -> Result<Import, ImportError> {
    let path = Path::new(source_name);
    let name = path.file_stem().map_or_else(
        || source_name.to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    );
    let extension = path.extension().unwrap_or_default();
    let format = match bytes.starts_with(b"glTF") {
        _ if extension.eq_ignore_ascii_case("fbx") => SourceFormat::Fbx,
        true => SourceFormat::Glb,
        false => SourceFormat::Gltf,
    };
    let mut warnings = Vec::new();
    let read = match format {
        SourceFormat::Fbx => fbx::read,
        _ => gltf::read,
    };
    let (character, generator) = read(&name, bytes, folder, options, &mut warnings)
        .map_err(|fault| fault.in_file(source_name))?;
    Ok(Import {
        character,
        format,
        generator,
        warnings,
    })
}

fn read_file(path: &Path) -> Outcome<Vec<u8>> {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    if !["glb", "gltf", "fbx"]
        .iter()
        .any(|known| extension == *known)
    {
        return Err(
            Fault::new(ErrorKind::Name, "", "is not a kind of file that is read")
                .remedy("name a .glb or .gltf file, or builtin:NAME"),
        );
    }
    let io = |error: std::io::Error| {
        Fault::new(ErrorKind::Io, "", format_args!("cannot be read: {error}"))
            .remedy("check the path")
    };
    let file = std::fs::File::open(path).map_err(io)?;
    if file.metadata().map_err(io)?.is_dir() {
        return Err(Fault::new(ErrorKind::Io, "", "is a folder").remedy("name a file in it"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(io)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(Fault::limit(
            "",
            "is too large",
            "MAX_FILE_BYTES",
            MAX_FILE_BYTES,
        ));
    }
    Ok(bytes)
}

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
