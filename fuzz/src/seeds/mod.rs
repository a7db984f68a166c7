//! Valid inputs that a fuzzer starts from. They are made of built-in characters when they are needed.

mod abc;
mod bvh;
mod caches;
mod fbx;
mod gltf;
pub mod sets;

use std::io::Cursor;

use throng_format::file::{FileFormat, Supercompression, write};
use throng_format::{MeshStorage, ModelExtras, TexelFormat, Texture, write_model};
use throng_import::builtin::builtin;

use crate::archive;
use crate::sets::curve_sets;
use sets::set_seeds;

/// A named input.
pub type Seed = (String, Vec<u8>);

/// Bakes the sets that targets need, before the time limit of an input applies.
pub fn prepare() {
    set_seeds();
}

/// Seeds of a target.
///
/// # Panics
/// Panics if no target has this name.
pub fn seeds(target: &str) -> Vec<Seed> {
    match target {
        "gltf" => gltf::gltf_seeds(),
        "glb" => {
            let mut seeds = gltf::glb_seeds();
            seeds.extend(meshes());
            seeds
        }
        "fbx" => fbx::fbx_seeds(),
        "abc" => abc::abc_seeds(),
        "bvh" => bvh::bvh_seeds(),
        "obj" => caches::obj_seeds(),
        "cache" => caches::cache_seeds(),
        "manifest" => {
            let mut seeds = per_set(|seed| seed.file(throng_format::disk::MANIFEST).to_vec());
            let home = tempfile::tempdir().expect("a temporary folder");
            seeds.push(("member".into(), sets::member_manifest(home.path())));
            seeds
        }
        "ktx2" => textures(&[FileFormat::Ktx2]),
        "image" => textures(&[FileFormat::Png, FileFormat::Exr]),
        "set_folder" => per_set(|seed| {
            let files = seed.files.iter();
            archive::join(files.map(|(name, content)| (name.as_str(), content.as_slice())))
        }),
        "set_file" => per_set(|seed| seed.glb.clone()),
        "mesh" => meshes(),
        "curves" => {
            let sets = curve_sets().into_iter().enumerate();
            sets.map(|(index, set)| {
                let mut bytes = vec![index as u8];
                bytes.extend(set.textures()[0].bytes());
                (set.manifest().encoding.to_string(), bytes)
            })
            .collect()
        }
        other => panic!("no fuzz target has the name '{other}'"),
    }
}

fn per_set(input: impl Fn(&sets::SetSeed) -> Vec<u8>) -> Vec<Seed> {
    let seeds = set_seeds().iter();
    seeds.map(|seed| (seed.name.clone(), input(seed))).collect()
}

/// Meshes of sets, and of characters with several parts.
fn meshes() -> Vec<Seed> {
    let mut seeds = per_set(|seed| seed.file("mesh.glb").to_vec());
    let character = builtin("bar:24").expect("a built-in character");
    for &storage in MeshStorage::ALL {
        let extras = ModelExtras {
            storage,
            ..ModelExtras::default()
        };
        let mut bytes = Vec::new();
        write_model(&character, extras, &mut bytes).expect("a mesh");
        seeds.push((format!("bar {storage}"), bytes));
    }
    seeds
}

/// A small texture of every texel format in every file format that holds it.
fn textures(formats: &[FileFormat]) -> Vec<Seed> {
    let mut seeds = Vec::new();
    for (index, texels) in TexelFormat::ALL.into_iter().enumerate() {
        for &format in formats.iter().filter(|format| format.can_hold(texels)) {
            let layers = if format == FileFormat::Ktx2 { 2 } else { 1 };
            let size = [5, 3, layers];
            let bytes = (0..15 * layers as usize * texels.texel_bytes()).map(|i| i as u8);
            let texture = Texture::new(texels, size, bytes.collect()).expect("a texture");
            let compressions: &[Supercompression] = match format {
                FileFormat::Ktx2 => &[Supercompression::None, Supercompression::Zstd],
                _ => &[Supercompression::None],
            };
            for &compression in compressions {
                let mut file = Cursor::new(vec![index as u8, 5, 3, layers as u8]);
                let mut content = Cursor::new(Vec::new());
                write(&texture, 0, format, compression, &mut content).expect("a texture file");
                file.get_mut().extend(content.into_inner());
                seeds.push((
                    format!("{texels}.{compression:?}.{format}"),
                    file.into_inner(),
                ));
            }
        }
    }
    seeds
}
