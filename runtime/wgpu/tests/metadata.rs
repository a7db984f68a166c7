//! Metadata in the first column of a texture: shaders that read it draw the same vertices as those that read tables.

#[path = "common/gpu.rs"]
mod device;
#[path = "common/subjects.rs"]
mod subjects;

use device::crowd_of_set;
use subjects::{HUMANOID, TOLERANCE_MM, baked_as, capture, expected, gpu, largest_mm, scattered};
use throng_bake::{BakeSettings, Boxes, Preset, Rate};
use throng_format::{Encoding, Metadata, Precision, TextureSet};
use throng_rig::{Character, Method, Part};
use throng_wgpu::{DecodeMode, GpuError, Instance, MetadataSource, ModelSettings, Play, Ticks};

const NOW: Ticks = Ticks(3_000_000);

/// The humanoid with a second, smaller mesh.
fn two_meshes() -> Character {
    let mut parts = Character::clone(&HUMANOID).into_parts();
    let some: Vec<u32> = (0..90).collect();
    parts
        .meshes
        .push(parts.meshes[0].select_vertices(&some, vec![]));
    parts.parts.push(Part {
        mesh: 1,
        ..parts.parts[0].clone()
    });
    Character::new(parts).unwrap()
}

/// Compares shaders of both sources with the CPU, for instances of three clips with cross-fades, and for held poses.
fn compare(set: &TextureSet, what: &str, decode: DecodeMode) {
    let Some(gpu) = gpu() else { return };
    let mut instances = scattered(12, NOW);
    instances.extend([0.1, 0.77].map(|time_secs| Instance {
        play: Play::held(2, time_secs),
        ..Instance::default()
    }));
    for metadata in [MetadataSource::Tables, MetadataSource::Column] {
        let settings = ModelSettings {
            decode,
            metadata,
            ..ModelSettings::default()
        };
        let mut crowd = crowd_of_set(gpu, set, settings).unwrap();
        crowd.set_instances(&instances).unwrap();
        let captured = capture(&mut crowd, NOW);
        for (captured, instance) in captured.iter().zip(&instances) {
            let expected = expected(set, instance, NOW, set.rest());
            let error_mm = largest_mm(captured, &expected);
            assert!(
                error_mm <= TOLERANCE_MM,
                "{what} {decode:?} {metadata:?}: {error_mm} mm"
            );
        }
    }
}

fn settings() -> BakeSettings {
    BakeSettings {
        clips: vec![0, 1, 2],
        skinning: Method::Lbs.into(),
        rate: Rate::Hz(10.0),
        ..BakeSettings::default()
    }
}

#[test]
fn column_of_p0_equals_the_tables() {
    let character = two_meshes();
    for preset in [Preset::P0Vertex8, Preset::P0Matrix8, Preset::P0Dq8] {
        let set = baked_as(
            &character,
            &BakeSettings {
                preset: Some(preset),
                ..settings()
            },
        );
        compare(&set, preset.name(), DecodeMode::Direct);
        if preset != Preset::P0Vertex8 {
            compare(&set, preset.name(), DecodeMode::Pass);
        }
    }
}

#[test]
fn column_of_values_equals_the_tables() {
    for (encoding, precision, boxes, max_side) in [
        (Encoding::Vertex, Precision::Unorm8, None, 2048),
        (Encoding::Vertex, Precision::F32, None, 256),
        (Encoding::VertexRay, Precision::Unorm16, None, 2048),
        (
            Encoding::BoneMatrix,
            Precision::Unorm8,
            Some(Boxes::PerBone),
            2048,
        ),
        (
            Encoding::BoneDq,
            Precision::Unorm16,
            Some(Boxes::Whole),
            2048,
        ),
        // Several layers.
        (
            Encoding::BoneQt,
            Precision::Unorm16,
            Some(Boxes::PerBone),
            32,
        ),
        (Encoding::VirtualBones, Precision::F16, None, 2048),
    ] {
        let set = baked_as(
            &HUMANOID,
            &BakeSettings {
                encoding,
                storage: precision.into(),
                boxes,
                max_side,
                metadata: Metadata::Column,
                ..settings()
            },
        );
        let what = format!("{encoding} {precision}");
        compare(&set, &what, DecodeMode::Direct);
    }
}

#[test]
fn sets_without_a_column_are_refused() {
    let Some(gpu) = gpu() else { return };
    let set = baked_as(&HUMANOID, &settings());
    let column = ModelSettings {
        metadata: MetadataSource::Column,
        ..ModelSettings::default()
    };
    let refused = crowd_of_set(gpu, &set, column);
    assert!(matches!(refused, Err(GpuError::NoColumn)));
}
