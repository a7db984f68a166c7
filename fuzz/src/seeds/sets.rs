//! Small texture sets of every encoding.

use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Value, json};
use throng_bake::{BakeSettings, Rate, bake};
use throng_format::file::{FileFormat, Supercompression};
use throng_format::{Encoding, Precision, Source, Storage, TextureSet, disk};
use throng_import::builtin::builtin;

/// A set in memory, as the files of a folder, and as one GLB.
pub struct SetSeed {
    /// Name of the encoding.
    pub name: String,
    /// The set.
    pub set: TextureSet,
    /// Names and contents of the files of its folder.
    pub files: Vec<(String, Vec<u8>)>,
    /// The set as one file.
    pub glb: Vec<u8>,
}

impl SetSeed {
    /// Content of a file of the folder.
    pub fn file(&self, name: &str) -> &[u8] {
        let file = self.files.iter().find(|(other, _)| other == name);
        &file.expect("every set has the file").1
    }
}

/// Bakes the seeds, once per process.
pub fn set_seeds() -> &'static [SetSeed] {
    static SEEDS: OnceLock<Vec<SetSeed>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let unorm16 = Storage::Frames(Precision::Unorm16);
        let float32 = Storage::Frames(Precision::F32);
        let ktx2 = FileFormat::Ktx2;
        vec![
            seed(Encoding::BoneQt, unorm16, ktx2, Supercompression::Zstd),
            seed(
                Encoding::BoneDq,
                unorm16,
                FileFormat::Png,
                Supercompression::None,
            ),
            seed(
                Encoding::BoneMatrix,
                float32,
                FileFormat::Exr,
                Supercompression::None,
            ),
            seed(
                Encoding::BoneLocal,
                Storage::Compressed,
                ktx2,
                Supercompression::None,
            ),
            seed(
                Encoding::VirtualBones,
                float32,
                ktx2,
                Supercompression::Zstd,
            ),
            seed(Encoding::Vertex, unorm16, ktx2, Supercompression::None),
            seed(
                Encoding::Vertex,
                Storage::Compressed,
                ktx2,
                Supercompression::None,
            ),
            seed(Encoding::VertexRay, unorm16, ktx2, Supercompression::None),
            motion_seed(),
        ]
    })
}

/// A motion set: compressed curves without a mesh.
fn motion_seed() -> SetSeed {
    let none = Supercompression::None;
    let seed = seed(
        Encoding::BoneLocal,
        Storage::Compressed,
        FileFormat::Ktx2,
        none,
    );
    let motion = seed.set.without_mesh().expect("bones need no mesh");
    seed_of("motion".into(), motion, FileFormat::Ktx2, none)
}

/// Folder name of the motion set that [`member_manifest`] refers to.
pub const MOTION: &str = "motion.throng";

/// Writes a motion set into a folder, and returns the manifest of a set beside it that uses its textures.
pub fn member_manifest(folder: &Path) -> Vec<u8> {
    let mut seeds = set_seeds().iter();
    let motion = seeds.next_back().expect("the motion set is the last seed");
    let path = folder.join(MOTION);
    std::fs::create_dir(&path).expect("a folder");
    for (name, content) in &motion.files {
        std::fs::write(path.join(name), content).expect("a file");
    }
    let reference = disk::motion_reference(&path).expect("a motion set");
    let encoding = motion.set.manifest().encoding;
    let whole = seeds.find(|seed| seed.set.manifest().encoding == encoding);
    let whole = whole.expect("the encoding has a seed with a mesh");
    let member = whole.set.clone().with_motion(reference).expect("a set");
    serde_json::to_vec_pretty(member.manifest()).expect("JSON")
}

fn seed(
    encoding: Encoding,
    storage: Storage,
    format: FileFormat,
    supercompression: Supercompression,
) -> SetSeed {
    let character = builtin("bar:24").expect("a built-in character");
    let settings = BakeSettings {
        encoding,
        storage,
        clips: vec![0],
        rate: Rate::Hz(6.0),
        // Coarse curves are found quickly.
        max_error_of_size: 0.02,
        ..BakeSettings::default()
    };
    let source = Source::in_memory("builtin:bar:24");
    let set = bake(&character, &settings, &source, &())
        .expect("a set")
        .set;
    let name = format!("{encoding}-{:?}", set.manifest().textures[0].texels);
    seed_of(name, set, format, supercompression)
}

fn seed_of(
    name: String,
    set: TextureSet,
    format: FileFormat,
    supercompression: Supercompression,
) -> SetSeed {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let target = folder.path().join("set");
    disk::write_folder(&set, &target, format, supercompression, &[]).expect("a set");
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(&target)
        .expect("a folder")
        .map(|entry| {
            let entry = entry.expect("an entry of a folder");
            let name = entry.file_name().to_string_lossy().into_owned();
            let content = std::fs::read(entry.path()).expect("a file");
            match name == disk::MANIFEST {
                true => (name, manifest_without_digests(&content)),
                false => (name, content),
            }
        })
        .collect();
    files.sort();
    let file = folder.path().join("set.glb");
    disk::write_glb(&set, &file).expect("a set");
    SetSeed {
        name,
        glb: glb_without_digests(&std::fs::read(&file).expect("a file")),
        set,
        files,
    }
}

/// Removes the digests of files, which are optional. Otherwise no mutation of a file would get past them.
fn manifest_without_digests(manifest: &[u8]) -> Vec<u8> {
    let mut json: Value = serde_json::from_slice(manifest).expect("JSON");
    json["files"] = json!([]);
    serde_json::to_vec_pretty(&json).expect("JSON")
}

/// Removes the digests of buffer views from a GLB.
fn glb_without_digests(glb: &[u8]) -> Vec<u8> {
    let length = u32::from_le_bytes(glb[12..16].try_into().expect("4 bytes")) as usize;
    let (document, rest) = glb[20..].split_at(length);
    let mut json: Value = serde_json::from_slice(document).expect("JSON");
    let extension = &mut json["extensions"][disk::EXTENSION];
    extension
        .as_object_mut()
        .expect("the extension of a set")
        .remove("bufferViewDigests");
    let mut document = json.to_string().into_bytes();
    document.resize(document.len().next_multiple_of(4), b' ');
    let total = 20 + document.len() + rest.len();
    let mut out = glb[..8].to_vec();
    out.extend((total as u32).to_le_bytes());
    out.extend((document.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(document);
    out.extend(rest);
    out
}
