//! Sets on disk: a folder of a manifest, texture files and a mesh, or one GLB with all of it inside.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use glam::Vec2;
use serde::Deserialize;
use thiserror::Error;

use crate::atomic::{AtomicError, AtomicFolder};
use crate::file::{self, Expected, FileError, FileFormat, Supercompression, file_names};
use crate::glb::is_without_extension;
use crate::{
    Extension, FORMAT, Manifest, Model, ModelError, ModelExtras, SetError, TexelFormat, Texture,
    TextureError, TextureSet, VERSION, read_model, write_model,
};

/// The manifest's name in a set's folder.
pub const MANIFEST: &str = "manifest.json";
/// The name of the report in a set's folder.
pub const REPORT: &str = "report.json";
/// The vendor extension of a GLB that holds a set.
pub const EXTENSION: &str = "THRONG_animation_textures";

/// The most bytes of a manifest and of a mesh that are read.
const MAX_BYTES: u64 = 1 << 30;

/// Why a set could not be read or written.
#[derive(Debug, Error)]
pub enum DiskError {
    /// No folder and no file.
    #[error("{} is not there: check the path", path.display())]
    NotThere {
        /// The set.
        path: PathBuf,
    },
    /// No manifest: not a set.
    #[error("{} is not a texture set: it has no {MANIFEST}", path.display())]
    NotASet {
        /// The folder.
        path: PathBuf,
    },
    /// A GLB without a set in it.
    #[error("{} has no texture set in it, no {EXTENSION}: bake it first", path.display())]
    NoExtension {
        /// The file.
        path: PathBuf,
    },
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: std::io::Error,
    },
    /// A file that is too large to be what it says.
    #[error("{} is larger than {MAX_BYTES} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// A set of another version of the format.
    #[error("{}: expected format version {VERSION}, found {version}: bake again", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Version of the set.
        version: u32,
    },
    /// A manifest that is none.
    #[error("{}: {fault}: bake the set again", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        fault: String,
    },
    /// A texture file.
    #[error("{} {error}", path.display())]
    Texture {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: FileError,
    },
    /// Texels that are not as many as the manifest says.
    #[error("{}: texture '{texture}': {error}", path.display())]
    Texels {
        /// The set.
        path: PathBuf,
        /// The texture's name.
        texture: String,
        /// What is wrong.
        error: TextureError,
    },
    /// The mesh.
    #[error("{}: {error}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: ModelError,
    },
    /// Pieces that do not fit together.
    #[error("{}: {error}: bake the set again", path.display())]
    Set {
        /// The set.
        path: PathBuf,
        /// What does not fit.
        error: SetError,
    },
    /// The folder or the file could not be put in its place.
    #[error(transparent)]
    Atomic(#[from] AtomicError),
}

/// Writes a set as a folder, whole or not at all; a set that is there is replaced. Gives back the bytes
/// that its files take, `side_files` not counted.
///
/// Where texels are floats, EXR takes them; integers beside them go to PNG. `side_files` is asked for more files once those bytes are known.
pub fn write_folder(
    set: &TextureSet,
    folder: &Path,
    format: FileFormat,
    supercompression: Supercompression,
    side_files: impl FnOnce(u64) -> Vec<(String, Vec<u8>)>,
) -> Result<u64, DiskError> {
    let target = AtomicFolder::create(folder)?;
    let mut manifest = set.manifest().clone();
    let mut bytes = 0;
    for (index, texture) in set.textures().iter().enumerate() {
        let entry = &mut manifest.textures[index];
        let format = file_format(format, index, texture.format());
        entry.files = file_names(format, &entry.name, entry.layers);
        for (file, name) in entry.files.iter().enumerate() {
            let path = target.path().join(name);
            let mut out = create(&path)?;
            file::write(texture, file as u32, format, supercompression, &mut out).map_err(
                |error| DiskError::Texture {
                    path: folder.join(name),
                    error,
                },
            )?;
            finish(out, &path)?;
            bytes += len(&path)?;
        }
    }
    let path = target.path().join(&manifest.mesh);
    let mut out = create(&path)?;
    write_model(set.model(), model_extras(set), &mut out).map_err(|error| DiskError::Model {
        path: folder.join(&manifest.mesh),
        error,
    })?;
    finish(out, &path)?;
    bytes += len(&path)?;
    let json = serde_json::to_vec_pretty(&manifest).expect("a manifest is plain data");
    let path = target.path().join(MANIFEST);
    fs::write(&path, &json).map_err(io(&path))?;
    bytes += json.len() as u64;
    for (name, contents) in side_files(bytes) {
        let path = target.path().join(name);
        fs::write(&path, contents).map_err(io(&path))?;
    }
    target.commit(says_it_is_a_set)?;
    Ok(bytes)
}

/// The texels of a set that a folder of such files cannot hold, if any.
pub fn cannot_hold(set: &TextureSet, format: FileFormat) -> Option<TexelFormat> {
    let texels = set.textures().iter().map(Texture::format).enumerate();
    let held = |&(index, texels): &(usize, TexelFormat)| {
        file_format(format, index, texels).can_hold(texels)
    };
    let mut lost = texels.filter(|one| !held(one));
    lost.next().map(|(_, texels)| texels)
}

/// Integers beside floats, such as normals, go to PNG where the others go to EXR.
fn file_format(format: FileFormat, texture: usize, texels: TexelFormat) -> FileFormat {
    match format {
        FileFormat::Exr if texture > 0 && !format.can_hold(texels) => FileFormat::Png,
        format => format,
    }
}

/// Writes a set as one GLB, whole or not at all. Gives back its bytes.
pub fn write_glb(set: &TextureSet, path: &Path) -> Result<u64, DiskError> {
    let extension = Extension {
        name: EXTENSION,
        json: serde_json::json!({ "manifest": set.manifest() }),
        blobs: set.textures().iter().map(Texture::bytes).collect(),
    };
    let extras = ModelExtras {
        extension: Some(extension),
        ..model_extras(set)
    };
    let mut bytes = Vec::new();
    write_model(set.model(), extras, &mut bytes).map_err(|error| DiskError::Model {
        path: path.into(),
        error,
    })?;
    crate::atomic::write_file(path, &bytes)?;
    Ok(bytes.len() as u64)
}

/// Vertex attributes of a set's mesh file.
fn model_extras(set: &TextureSet) -> ModelExtras<'_> {
    ModelExtras {
        second_uvs: set.second_uvs(),
        rest: set.manifest().encoding.is_vertex().then(|| set.rest()),
        extension: None,
    }
}

/// Reads a set: a folder, or a GLB.
pub fn read(path: &Path) -> Result<TextureSet, DiskError> {
    if !path.exists() {
        return Err(DiskError::NotThere { path: path.into() });
    }
    if path.is_dir() {
        read_folder(path)
    } else {
        read_glb(path)
    }
}

/// Reads the manifest of a set alone.
pub fn read_manifest(path: &Path) -> Result<Manifest, DiskError> {
    if !path.is_dir() {
        return Ok(read_glb(path)?.manifest().clone());
    }
    let file = path.join(MANIFEST);
    if !file.is_file() {
        return Err(DiskError::NotASet { path: path.into() });
    }
    parse_manifest(&file, &read_bytes(&file)?)
}

fn read_folder(folder: &Path) -> Result<TextureSet, DiskError> {
    let manifest = read_manifest(folder)?;
    let mut textures = Vec::new();
    for entry in &manifest.textures {
        let size = [entry.width, entry.height, entry.layers];
        let fault = |error| DiskError::Texture {
            path: folder.join(entry.files.first().map_or("", String::as_str)),
            error,
        };
        let expected = Expected::new(entry.texels, size).map_err(fault)?;
        let mut texels = Vec::new();
        for name in &entry.files {
            let path = beside(folder, name)?;
            let format = format_of(&path, folder)?;
            let opened = File::open(&path).map_err(io(&path))?;
            file::read(format, &expected, &mut BufReader::new(opened), &mut texels)
                .map_err(|error| DiskError::Texture { path, error })?;
        }
        let texture = Texture::new(entry.texels, size, texels);
        textures.push(texture.map_err(|error| DiskError::Texels {
            path: folder.into(),
            texture: entry.name.clone(),
            error,
        })?);
    }
    let path = beside(folder, &manifest.mesh)?;
    let model =
        read_model(&read_bytes(&path)?).map_err(|error| DiskError::Model { path, error })?;
    put_together(folder, manifest, textures, model)
}

fn read_glb(path: &Path) -> Result<TextureSet, DiskError> {
    let bytes = read_bytes(path)?;
    let no_extension = || DiskError::NoExtension { path: path.into() };
    // Of any other program's file the reader of models would say that it is damaged.
    if is_without_extension(&bytes, EXTENSION) {
        return Err(no_extension());
    }
    let mut model = read_model(&bytes).map_err(|error| DiskError::Model {
        path: path.into(),
        error,
    })?;
    let extension = model.extension.take_if(|found| found.name == EXTENSION);
    let mut extension = extension.ok_or_else(no_extension)?;
    let manifest = extension
        .json
        .get_mut("manifest")
        .ok_or_else(no_extension)?;
    let manifest = serde_json::to_vec(&manifest.take()).expect("JSON that was read");
    let manifest = parse_manifest(path, &manifest)?;
    if manifest.textures.len() != extension.blobs.len() {
        return Err(DiskError::Manifest {
            path: path.into(),
            fault: format!(
                "{} textures but {} buffer views",
                manifest.textures.len(),
                extension.blobs.len()
            ),
        });
    }
    let textures = manifest
        .textures
        .iter()
        .zip(extension.blobs)
        .map(|(entry, blob)| {
            let size = [entry.width, entry.height, entry.layers];
            Texture::new(entry.texels, size, bytes[blob].to_vec()).map_err(|error| {
                DiskError::Texels {
                    path: path.into(),
                    texture: entry.name.clone(),
                    error,
                }
            })
        });
    let textures = textures.collect::<Result<_, _>>()?;
    put_together(path, manifest, textures, model)
}

/// A set of what was read.
fn put_together(
    path: &Path,
    manifest: Manifest,
    textures: Vec<Texture>,
    model: Model,
) -> Result<TextureSet, DiskError> {
    let rest = model.rest.unwrap_or_default();
    let set = TextureSet::new(manifest, textures, model.character, rest);
    let set = set.and_then(|set| {
        check_second_uvs(&set.second_uvs(), &model.second_uvs)?;
        Ok(set)
    });
    set.map_err(|error| DiskError::Set {
        path: path.into(),
        error,
    })
}

/// Second texture coordinates are there where weights are in a texture, and lead to them.
fn check_second_uvs(expected: &[Vec<Vec2>], found: &[Vec<Vec2>]) -> Result<(), SetError> {
    for (mesh, (expected, found)) in expected.iter().zip(found).enumerate() {
        let fault = match (expected.len(), found.len()) {
            (0, 1..) => "has TEXCOORD_1, but weights are in no texture".to_owned(),
            (1.., 0) => "has no TEXCOORD_1, which leads to its weights".to_owned(),
            _ => match expected.iter().zip(found).position(|(a, b)| a != b) {
                Some(v) => format!(
                    "vertex {v} has TEXCOORD_1 {}, not {}",
                    found[v], expected[v]
                ),
                None => continue,
            },
        };
        return Err(SetError::new(format!("mesh {mesh}"), fault));
    }
    Ok(())
}

/// The field that every version of the manifest has.
#[derive(Deserialize)]
struct Head {
    version: u32,
}

fn parse_manifest(path: &Path, bytes: &[u8]) -> Result<Manifest, DiskError> {
    let fault = |fault: String| DiskError::Manifest {
        path: path.into(),
        fault,
    };
    let head: Head = serde_json::from_slice(bytes).map_err(|error| fault(error.to_string()))?;
    if head.version != VERSION {
        return Err(DiskError::Version {
            path: path.into(),
            version: head.version,
        });
    }
    let mut json = serde_json::Deserializer::from_reader(Cursor::new(bytes));
    let manifest =
        serde_path_to_error::deserialize(&mut json).map_err(|error| fault(error.to_string()))?;
    json.end().map_err(|error| fault(error.to_string()))?;
    Ok(manifest)
}

/// True of a folder whose manifest is one of ours, sound or not: others use that name too.
fn says_it_is_a_set(folder: &Path) -> bool {
    let manifest = read_bytes(&folder.join(MANIFEST)).ok();
    let json = manifest.and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    json.is_some_and(|json| json["format"] == FORMAT)
}

/// A file of the set's own folder; a manifest names no others.
fn beside(folder: &Path, name: &str) -> Result<PathBuf, DiskError> {
    let plain = !name.is_empty()
        && Path::new(name).file_name() == Some(name.as_ref())
        && !name.contains(['/', '\\']);
    if !plain {
        return Err(DiskError::Manifest {
            path: folder.join(MANIFEST),
            fault: format!(
                "'{}' is not the name of a file beside it",
                name.escape_debug()
            ),
        });
    }
    Ok(folder.join(name))
}

fn format_of(path: &Path, folder: &Path) -> Result<FileFormat, DiskError> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    extension
        .parse()
        .map_err(|error: file::UnknownFileFormat| DiskError::Manifest {
            path: folder.join(MANIFEST),
            fault: error.to_string(),
        })
}

fn create(path: &Path) -> Result<BufWriter<File>, DiskError> {
    Ok(BufWriter::new(File::create(path).map_err(io(path))?))
}

fn finish(mut out: BufWriter<File>, path: &Path) -> Result<(), DiskError> {
    out.flush().map_err(io(path))
}

fn len(path: &Path) -> Result<u64, DiskError> {
    Ok(fs::metadata(path).map_err(io(path))?.len())
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, DiskError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(io(path))?;
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(io(path))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(DiskError::TooLarge { path: path.into() });
    }
    Ok(bytes)
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> DiskError + '_ {
    |error| DiskError::Io {
        path: path.into(),
        error,
    }
}
