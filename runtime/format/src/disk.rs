//! Sets on disk: a folder with a manifest, texture files and a mesh, or one GLB that holds all of them.

mod error;
#[cfg(test)]
mod fixture;
mod motion;
mod one_file;
mod party;
#[cfg(test)]
mod party_tests;
mod removal;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use glam::Vec2;
use serde::Deserialize;

use crate::atomic::{AtomicError, AtomicFolder, Disk, FileSystem, leftover_of};
use crate::check::check_declared;
use crate::digest::{digest, digest_of};
use crate::file::{self, ExpectedTexture, FileFormat, Supercompression, file_names};
use crate::{
    FORMAT, FileEntry, Manifest, Model, ModelExtras, SHARED_VERSION, SetError, SetMesh,
    SharedTextures, TexelFormat, Texture, TextureSet, VERSION, read_model, write_model,
};

pub use error::DiskError;
use motion::find_motion;
pub use motion::motion_reference;
use one_file::read_glb;
pub use one_file::{read_glb_bytes, write_glb};
pub use party::{PartySet, SetReader, read_party, sets_below};
pub use removal::{SetOnDisk, recover_leftover};

/// File name of the manifest in a set's folder.
pub const MANIFEST: &str = "manifest.json";
/// File name of the bake report in a set's folder.
pub const REPORT: &str = "report.json";
/// Name of the vendor extension of a GLB that holds a set.
pub const EXTENSION: &str = "THRONG_animation_textures";

/// Maximum size of a manifest and of a mesh, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Texels that files of any size may hold, in bytes.
const FREE_TEXEL_BYTES: u128 = 64 << 20;

/// Maximum number of bytes of texels per byte of their files, above [`FREE_TEXEL_BYTES`]. PNG and EXR stay below it, KTX2
/// with Zstandard does unless all texels are equal.
const MAX_EXPANSION: u128 = 1 << 10;

/// A file of a set that decoding does not need, such as a report.
pub struct SideFile<'a> {
    /// Name of the file.
    pub name: &'a str,
    /// Returns the content, given the number of bytes of the files that decoding needs.
    pub contents: &'a dyn Fn(u64) -> Vec<u8>,
}

/// Writes a set as a folder, completely or not at all. Replaces the files of an existing set and keeps all others. Returns
/// the number of bytes of its files, without `side_files`.
///
/// With EXR, integer textures that accompany float textures are written as PNG. A set that uses the textures of a motion
/// set ([`TextureSet::with_motion`]) has no texture files; write the motion set first.
pub fn write_folder(
    set: &TextureSet,
    folder: &Path,
    format: FileFormat,
    supercompression: Supercompression,
    side_files: &[SideFile<'_>],
) -> Result<u64, DiskError> {
    write_folder_on(Disk, set, folder, format, supercompression, side_files)
}

fn write_folder_on(
    system: impl FileSystem,
    set: &TextureSet,
    folder: &Path,
    format: FileFormat,
    supercompression: Supercompression,
    side_files: &[SideFile<'_>],
) -> Result<u64, DiskError> {
    let target = AtomicFolder::create(system, folder, listed_files)?;
    let mut manifest = set.manifest().clone();
    let mut files = Vec::new();
    let mut bytes = 0;
    // Textures of a motion set are in its own folder.
    let own: &[Texture] = match manifest.motion {
        Some(_) => &[],
        None => set.textures(),
    };
    for (index, texture) in own.iter().enumerate() {
        let entry = &mut manifest.textures[index];
        let format = file_format(format, index, texture.format());
        entry.files = file_names(format, &entry.name, entry.layers);
        for (file, name) in entry.files.iter().enumerate() {
            let mut out = target.create_file(name)?;
            file::write(texture, file as u32, format, supercompression, &mut out).map_err(
                |error| DiskError::Texture {
                    path: folder.join(name),
                    error,
                },
            )?;
            let path = target.finish_file(name, out)?;
            bytes += len(&path)?;
            files.push(file_entry(name, file_digest(&path)?));
        }
    }
    let texel_bytes = own.iter().map(|texture| texture.bytes().len());
    check_expansion(folder, texel_bytes.map(|bytes| bytes as u128).sum(), bytes)?;
    let mut out = target.create_file(&manifest.mesh)?;
    write_model(set.model(), model_extras(set), &mut out).map_err(|error| DiskError::Model {
        path: folder.join(&manifest.mesh),
        error,
    })?;
    let path = target.finish_file(&manifest.mesh, out)?;
    bytes += len(&path)?;
    files.push(file_entry(&manifest.mesh, file_digest(&path)?));
    // All digests have one length: the size of the manifest is known before the side files, which may state it.
    let first_side_file = files.len();
    files.extend(
        side_files
            .iter()
            .map(|file| file_entry(file.name, digest(b""))),
    );
    manifest.files = files;
    bytes += manifest_json(&manifest).len() as u64;
    for (file, entry) in side_files
        .iter()
        .zip(&mut manifest.files[first_side_file..])
    {
        let contents = (file.contents)(bytes);
        entry.digest = digest(&contents);
        target.write_file(file.name, &contents)?;
    }
    target.write_file(MANIFEST, &manifest_json(&manifest))?;
    target.commit()?;
    Ok(bytes)
}

fn manifest_json(manifest: &Manifest) -> Vec<u8> {
    serde_json::to_vec(manifest).expect("manifests serialise to JSON")
}

fn file_entry(name: &str, digest: String) -> FileEntry {
    FileEntry {
        name: name.to_owned(),
        digest,
    }
}

/// Errors where [`write_folder`] would refuse to replace what is at a path: a file, or a folder with files but without a
/// manifest that can be read.
pub fn check_replaceable(path: &Path) -> Result<(), DiskError> {
    let Ok(metadata) = path.metadata() else {
        return Ok(());
    };
    let path = path.to_owned();
    if !metadata.is_dir() {
        return Err(AtomicError::NotAFolder { path }.into());
    }
    let mut entries = path.read_dir().map_err(io(&path))?;
    match entries.next().is_none() || listed_files(&path).is_some() {
        true => Ok(()),
        false => Err(AtomicError::HoldsOtherFiles { path }.into()),
    }
}

/// The first texel format of a set that a folder of such files cannot store; `None` where it can store all.
pub fn unsupported_texels(set: &TextureSet, format: FileFormat) -> Option<TexelFormat> {
    let texels = set.textures().iter().map(Texture::format).enumerate();
    let is_supported = |&(index, texels): &(usize, TexelFormat)| {
        file_format(format, index, texels).can_hold(texels)
    };
    let mut unsupported = texels.filter(|texture| !is_supported(texture));
    unsupported.next().map(|(_, texels)| texels)
}

/// File format of one texture: integer textures that accompany float textures, such as normals, are PNG instead of EXR.
fn file_format(format: FileFormat, texture: usize, texels: TexelFormat) -> FileFormat {
    match format {
        FileFormat::Exr if texture > 0 && !format.can_hold(texels) => FileFormat::Png,
        format => format,
    }
}

/// Vertex attributes of a set's mesh file.
fn model_extras(set: &TextureSet) -> ModelExtras<'_> {
    ModelExtras {
        second_uvs: set.second_uvs(),
        bone_colors: set.bone_colors().to_vec(),
        rest: set.manifest().encoding.is_vertex().then(|| set.rest()),
        extension: None,
        storage: set.mesh().storage,
        lods: &set.mesh().lods,
    }
}

/// Reads and checks a set: a folder, or a GLB. A set that uses the textures of a motion set gets its own copy of them; a
/// [`SetReader`] reads several with one copy.
pub fn read(path: &Path) -> Result<TextureSet, DiskError> {
    SetReader::default().read(path)
}

/// Reads only the manifest of a set.
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

fn read_folder(reader: &mut SetReader, folder: &Path) -> Result<TextureSet, DiskError> {
    let manifest = read_manifest(folder)?;
    let path = sibling_path(folder, &manifest.mesh)?;
    let bytes = read_bytes(&path)?;
    let model = read_model(&bytes).map_err(|error| DiskError::Model {
        path: path.clone(),
        error,
    })?;
    let mesh_digest = digest(&bytes);
    drop(bytes);
    let (mesh, second_uvs) = set_mesh(model);
    // Sizes are checked before memory is allocated for them.
    let declared = check_declared(&manifest, &mesh);
    let declared = declared.map_err(|error| DiskError::Set {
        path: folder.into(),
        error,
    })?;
    let textures = match &manifest.motion {
        Some(reference) => {
            let (motion, described) = find_motion(folder, &manifest, reference)?;
            shared_textures(reader, &motion, &described, &declared)?
        }
        None if manifest.is_motion() => {
            let motion = folder.canonicalize().map_err(io(folder))?;
            shared_textures(reader, &motion, &manifest, &declared)?
        }
        None => read_textures(folder, &manifest, &declared)?.into(),
    };
    let set = assemble(folder, manifest, textures, mesh, &second_uvs)?;
    let manifest = set.manifest();
    check_digest(&path, manifest, &manifest.mesh, || Ok(mesh_digest))?;
    Ok(set)
}

/// Textures of a motion set: those that the reader has already, unless the files have changed since, or read now.
fn shared_textures(
    reader: &mut SetReader,
    motion: &Path,
    manifest: &Manifest,
    declared: &[ExpectedTexture],
) -> Result<SharedTextures, DiskError> {
    match reader.motions.get(motion) {
        Some((files, textures)) if *files == manifest.files && !files.is_empty() => {
            Ok(textures.clone())
        }
        _ => {
            let textures: SharedTextures = read_textures(motion, manifest, declared)?.into();
            let known = (manifest.files.clone(), textures.clone());
            reader.motions.insert(motion.into(), known);
            Ok(textures)
        }
    }
}

/// Reads the texture files of a manifest, and checks their digests.
fn read_textures(
    folder: &Path,
    manifest: &Manifest,
    declared: &[ExpectedTexture],
) -> Result<Vec<Texture>, DiskError> {
    check_texture_files(folder, manifest, declared)?;
    let mut textures = Vec::new();
    for (entry, expected) in manifest.textures.iter().zip(declared) {
        let mut texels = Vec::new();
        for name in &entry.files {
            let path = sibling_path(folder, name)?;
            let format = format_of(&path, folder)?;
            let mut input = BufReader::new(open(&path)?);
            file::read(format, expected, &mut input, &mut texels).map_err(|error| {
                DiskError::Texture {
                    path: path.clone(),
                    error,
                }
            })?;
            check_digest(&path, manifest, name, || file_digest(&path))?;
        }
        let texture = Texture::new(expected.format(), expected.size(), texels);
        textures.push(texture.map_err(|error| DiskError::Texels {
            path: folder.into(),
            texture: entry.name.clone(),
            error,
        })?);
    }
    Ok(textures)
}

/// Checks names, number and size of the texture files against the texels that the manifest declares.
fn check_texture_files(
    folder: &Path,
    manifest: &Manifest,
    declared: &[ExpectedTexture],
) -> Result<(), DiskError> {
    let problem = |problem: String| DiskError::Manifest {
        path: folder.join(MANIFEST),
        problem,
    };
    let mut names = HashSet::new();
    let (mut texel_bytes, mut file_bytes) = (0, 0);
    for (entry, expected) in manifest.textures.iter().zip(declared) {
        texel_bytes += expected.bytes() as u128;
        for name in &entry.files {
            let path = sibling_path(folder, name)?;
            let format = format_of(&path, folder)?;
            let count = format.file_count(entry.layers);
            if entry.files.len() != count {
                let (found, layers) = (entry.files.len(), entry.layers);
                return Err(problem(format!(
                    "texture '{}': expected {count} {format} files for {layers} layers, found {found}",
                    entry.name.escape_debug()
                )));
            }
            if !names.insert(name) {
                return Err(problem(format!("{} is listed twice", name.escape_debug())));
            }
            file_bytes += open(&path)?.metadata().map_err(io(&path))?.len();
        }
    }
    check_expansion(folder, texel_bytes, file_bytes)
}

/// Limits the memory that small files can ask for.
fn check_expansion(path: &Path, texel_bytes: u128, file_bytes: u64) -> Result<(), DiskError> {
    if texel_bytes <= FREE_TEXEL_BYTES + u128::from(file_bytes) * MAX_EXPANSION {
        return Ok(());
    }
    Err(DiskError::Expansion {
        path: path.into(),
        texel_bytes,
        file_bytes,
    })
}

/// Compares a file with its digest in the manifest, where it has one.
fn check_digest(
    path: &Path,
    manifest: &Manifest,
    name: &str,
    digest: impl FnOnce() -> Result<String, DiskError>,
) -> Result<(), DiskError> {
    match manifest.files.iter().find(|file| file.name == name) {
        Some(file) if file.digest != digest()? => Err(DiskError::Digest { path: path.into() }),
        _ => Ok(()),
    }
}

fn file_digest(path: &Path) -> Result<String, DiskError> {
    digest_of(open(path)?).map_err(io(path))
}

/// Meshes of a model file, and its second texture coordinates.
fn set_mesh(model: Model) -> (SetMesh, Vec<Vec<Vec2>>) {
    let mesh = SetMesh {
        character: model.character,
        rest: model.rest.unwrap_or_default(),
        bone_colors: model.bone_colors,
        storage: model.storage,
        lods: model.lods,
    };
    (mesh, model.second_uvs)
}

/// Builds and checks a set from its parts.
fn assemble(
    path: &Path,
    manifest: Manifest,
    textures: SharedTextures,
    mesh: SetMesh,
    second_uvs: &[Vec<Vec2>],
) -> Result<TextureSet, DiskError> {
    let set = TextureSet::new(manifest, textures, mesh);
    let set = set.and_then(|set| {
        check_second_uvs(&set.second_uvs(), second_uvs)?;
        Ok(set)
    });
    set.map_err(|error| DiskError::Set {
        path: path.into(),
        error,
    })
}

/// Checks that `TEXCOORD_1` is present exactly where weights are in a texture, and addresses them.
fn check_second_uvs(expected: &[Vec<Vec2>], found: &[Vec<Vec2>]) -> Result<(), SetError> {
    for (mesh, (expected, found)) in expected.iter().zip(found).enumerate() {
        let problem = match (expected.len(), found.len()) {
            (0, 1..) => "has TEXCOORD_1, but the set has no weight texture".to_owned(),
            (1.., 0) => "has no TEXCOORD_1, which the weight texture needs".to_owned(),
            _ => match expected.iter().zip(found).position(|(a, b)| a != b) {
                Some(v) => format!(
                    "expected TEXCOORD_1 {} of vertex {v}, found {}",
                    expected[v], found[v]
                ),
                None => continue,
            },
        };
        return Err(SetError::new(format!("mesh {mesh}"), problem));
    }
    Ok(())
}

/// The field that manifests of every version have.
#[derive(Deserialize)]
struct VersionField {
    version: u32,
}

fn parse_manifest(path: &Path, bytes: &[u8]) -> Result<Manifest, DiskError> {
    let problem = |problem: String| DiskError::Manifest {
        path: path.into(),
        problem,
    };
    let field: VersionField =
        serde_json::from_slice(bytes).map_err(|error| problem(error.to_string()))?;
    if ![VERSION, SHARED_VERSION].contains(&field.version) {
        return Err(DiskError::Version {
            path: path.into(),
            version: field.version,
        });
    }
    let mut json = serde_json::Deserializer::from_reader(Cursor::new(bytes));
    let manifest =
        serde_path_to_error::deserialize(&mut json).map_err(|error| problem(error.to_string()))?;
    json.end().map_err(|error| problem(error.to_string()))?;
    Ok(manifest)
}

/// Names of a set's files, the manifest last; `None` for a folder without a manifest of [`FORMAT`] that can be read. Sets
/// of other versions and damaged sets are read as far as they name files.
fn listed_files(folder: &Path) -> Option<Vec<OsString>> {
    let manifest = read_bytes(&folder.join(MANIFEST)).ok()?;
    let json: serde_json::Value = serde_json::from_slice(&manifest).ok()?;
    if json["format"] != FORMAT {
        return None;
    }
    let entries = |list: &str| json[list].as_array().into_iter().flatten();
    let textures = entries("textures").flat_map(|texture| texture["files"].as_array());
    let files = textures
        .flatten()
        .chain(entries("files").map(|file| &file["name"]))
        .chain([&json["mesh"]]);
    let names = files.filter_map(|name| name.as_str());
    let names = names.chain([REPORT]).filter(|name| *name != MANIFEST);
    let mut names: Vec<OsString> = names
        .filter(|name| is_plain(name))
        .map(Into::into)
        .collect();
    names.push(MANIFEST.into());
    Some(names)
}

/// True for the name of a file without a folder.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && Path::new(name).file_name() == Some(name.as_ref())
        && !name.contains(['/', '\\'])
}

/// Path of a file in the set's folder. Manifests may not name files elsewhere.
fn sibling_path(folder: &Path, name: &str) -> Result<PathBuf, DiskError> {
    if !is_plain(name) {
        return Err(DiskError::Manifest {
            path: folder.join(MANIFEST),
            problem: format!(
                "'{}' is not the name of a file in the folder of the manifest",
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
            problem: error.to_string(),
        })
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, DiskError> {
    let file = open(path)?;
    let mut bytes = Vec::new();
    if file.metadata().map_err(io(path))?.len() <= MAX_BYTES {
        let mut file = file.take(MAX_BYTES + 1);
        file.read_to_end(&mut bytes).map_err(io(path))?;
        if bytes.len() as u64 <= MAX_BYTES {
            return Ok(bytes);
        }
    }
    Err(DiskError::TooLarge { path: path.into() })
}

fn len(path: &Path) -> Result<u64, DiskError> {
    Ok(path.metadata().map_err(io(path))?.len())
}

/// Opens a regular file. Pipes and devices, which may never end, are refused without waiting for a writer.
fn open(path: &Path) -> Result<File, DiskError> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let file = options.open(path).map_err(io(path))?;
    match file.metadata().map_err(io(path))?.is_file() {
        true => Ok(file),
        false => Err(DiskError::NotAFile { path: path.into() }),
    }
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> DiskError + '_ {
    |error| DiskError::Io {
        path: path.into(),
        error,
    }
}
