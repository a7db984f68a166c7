//! Compact meshes: rounded within the error, stored in few bits, and part of the reported error.

mod common;

use std::path::Path;

use common::*;
use throng_bake::accuracy::verify;
use throng_bake::{BakeSettings, Preset, bake};
use throng_format::disk::{read, write_folder, write_glb};
use throng_format::file::{FileFormat, Supercompression};
use throng_format::{Encoding, MeshStorage, Precision, Storage, TextureSet};
use throng_rig::{Character, CharacterPose, Mesh};
use throng_skin::reference::{Skinned, skin_part};
use throng_skin::rest_size;

fn settings(mesh: MeshStorage) -> BakeSettings {
    BakeSettings {
        mesh,
        ..settings_of(Encoding::BoneMatrix, Precision::F32)
    }
}

/// Largest distance of vertices of two characters with the same skeleton, over all clips of the first.
fn displacement(source: &Character, model: &Character) -> f64 {
    let (mut a, mut b) = (Skinned::default(), Skinned::default());
    let mut largest: f64 = 0.0;
    for clip in source.clips() {
        for step in 0..=40 {
            let mut pose = CharacterPose::rest(source);
            let fraction = f64::from(step) / 40.0;
            pose.sample(
                source,
                clip,
                clip.start_secs() + fraction * clip.duration_secs(),
            );
            for part in source.parts() {
                skin_part(source, part, &pose, throng_rig::Method::Lbs, &mut a);
                skin_part(model, part, &pose, throng_rig::Method::Lbs, &mut b);
                let pairs = a.positions.iter().zip(&b.positions);
                largest = pairs.fold(largest, |largest, (a, b)| largest.max(a.distance(*b)));
            }
        }
    }
    largest
}

#[test]
fn rounding_moves_no_vertex_by_more_than_a_twentieth_of_the_error() {
    let character = builtin("humanoid:1000");
    let size = rest_size(&character);
    for max_error_of_size in [0.000_28, 0.000_05, 0.000_001] {
        let settings = BakeSettings {
            max_error_of_size,
            ..settings(MeshStorage::Compact)
        };
        let set = baked(&character, &settings);
        let of_error = displacement(&character, set.model()) / (max_error_of_size * size);
        println!(
            "{max_error_of_size}: {:.2} % of the error",
            100.0 * of_error
        );
        assert!(of_error <= 0.052, "{of_error}");
    }
}

#[test]
fn exact_meshes_are_not_rounded() {
    let character = builtin("humanoid:1000");
    let set = baked(&character, &settings(MeshStorage::Exact));
    assert_eq!(displacement(&character, set.model()), 0.0);
    let preset = BakeSettings {
        preset: Some(Preset::P0Matrix8),
        ..settings(MeshStorage::Compact)
    };
    assert_eq!(
        baked(&character, &preset).mesh().storage,
        MeshStorage::Exact
    );
}

#[test]
fn rounding_keeps_counts_unique_vertices_and_order() {
    let character = builtin("humanoid:1000");
    let set = baked(&character, &settings(MeshStorage::Compact));
    for (mesh, source) in set.model().meshes().iter().zip(character.meshes()) {
        assert_eq!(mesh.unique(), source.unique());
        assert_eq!(first_uses(mesh), first_uses(source));
        for (triangle, source) in mesh.triangles().iter().zip(source.triangles()) {
            let mut rotations = (0..3).map(|rotation| {
                let mut rotated = *source;
                rotated.rotate_left(rotation);
                rotated
            });
            assert!(rotations.any(|rotated| rotated == *triangle));
        }
    }
}

/// Vertices in the order in which triangles first use them.
fn first_uses(mesh: &Mesh) -> Vec<u32> {
    let mut seen = vec![false; mesh.vertex_count()];
    let corners = mesh.triangles().as_flattened().iter().copied();
    corners
        .filter(|&vertex| !std::mem::replace(&mut seen[vertex as usize], true))
        .collect()
}

fn write_both(set: &TextureSet, folder: &Path) -> [TextureSet; 2] {
    let (path, file) = (folder.join("set"), folder.join("set.glb"));
    write_folder(set, &path, FileFormat::Ktx2, Supercompression::None, &[]).unwrap();
    write_glb(set, &file).unwrap();
    [read(&path).unwrap(), read(&file).unwrap()]
}

#[test]
fn the_reported_error_includes_rounding_and_is_that_of_the_set_on_disk() {
    let character = builtin("humanoid:1000");
    let folder = tempfile::tempdir().unwrap();
    for (encoding, storage) in [
        (Encoding::BoneLocal, Storage::Compressed),
        (Encoding::BoneQt, Storage::Frames(Precision::Unorm16)),
        (Encoding::Vertex, Storage::Frames(Precision::Unorm16)),
    ] {
        let settings = BakeSettings {
            clips: vec![2],
            ..settings_of(encoding, storage)
        };
        let baked = bake(&character, &settings, &source(), &()).unwrap();
        let report = verify(&baked.set, &character, &()).unwrap();
        let errors = &report.error.errors.overall;
        if let Some(report) = &baked.report {
            assert_eq!(
                report.error.errors.overall.max_error_of_size,
                errors.max_error_of_size
            );
        }
        for read in write_both(&baked.set, folder.path()) {
            assert!(read.model() == baked.set.model(), "{encoding}");
            assert!(read.rest() == baked.set.rest(), "{encoding}");
            assert_eq!(read.mesh().storage, MeshStorage::Compact);
            let again = verify(&read, &character, &()).unwrap();
            assert_eq!(
                again.error.errors.overall.max_error_of_size,
                errors.max_error_of_size
            );
            assert_eq!(
                again.error.errors.overall.rms_error_of_size,
                errors.rms_error_of_size
            );
        }
    }
    // The error is that of the rounded mesh.
    let error_of = |mesh: MeshStorage| {
        let set = baked(&character, &settings(mesh));
        verify(&set, &character, &()).unwrap().error.errors.overall
    };
    let (compact, exact) = (error_of(MeshStorage::Compact), error_of(MeshStorage::Exact));
    assert!(compact.rms_error_of_size != exact.rms_error_of_size);
}
