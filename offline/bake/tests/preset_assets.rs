//! Presets of papers on every character of `shared/assets`: baked with all clips, or refused for a reason of the layout.

mod common;

use common::try_baked;
use throng_bake::search::keep_influences;
use throng_bake::{BakeError, BakeSettings, Preset, Rate};
use throng_import::{ImportOptions, import_file};
use throng_testkit::{files_below, shared_assets};

/// True where the paper's layout has no place for a property of the character.
fn is_a_limit_of_the_layout(error: &BakeError) -> bool {
    matches!(
        error,
        // Scale in dual quaternions.
        BakeError::NotHeld { .. } | BakeError::PresetInverseBind { .. }
            // Morph weights in bones.
            | BakeError::PresetMorphs { .. }
            // More than 16 383 vertices in a mesh, or a rate above 255 Hz.
            | BakeError::PresetDoesNotFit { .. } | BakeError::PresetRate { .. }
            // Scale in axes, or more than 256 virtual bones.
            | BakeError::VirtualBones { .. }
    )
}

#[test]
fn every_character_bakes_unless_the_layout_cannot_hold_it() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let mut characters = 0;
    let presets = [
        Preset::P0Vertex8,
        Preset::P0Matrix8,
        Preset::P0Dq8,
        Preset::P3VirtualBones,
    ];
    let mut counts = [0; 4];
    for folder in ["fbx", "gltf"] {
        for path in files_below(&assets.join(folder), &["glb", "gltf", "fbx"]) {
            let Ok(imported) = import_file(&path, &ImportOptions::default()) else {
                continue; // invalid on purpose
            };
            let character = imported.character;
            let mut meshes = character.meshes().iter();
            if character.clips().is_empty() || meshes.all(|mesh| mesh.vertex_count() == 0) {
                continue;
            }
            characters += 1;
            for (preset, count) in presets.into_iter().zip(&mut counts) {
                let settings = BakeSettings {
                    preset: Some(preset),
                    rate: Rate::Hz(6.0),
                    max_side: 16_384,
                    ..BakeSettings::default()
                };
                // The command limits influences, too.
                let limited = match preset.max_influences() {
                    Some(limit) => &keep_influences(&character, limit),
                    None => &character,
                };
                match try_baked(limited, &settings) {
                    Ok(_) => *count += 1,
                    Err(error) => {
                        let name = path.strip_prefix(&assets).unwrap().display();
                        eprintln!("{name}: {error}");
                        assert!(is_a_limit_of_the_layout(&error), "{name}: {error}");
                    }
                }
            }
        }
    }
    for (preset, count) in presets.into_iter().zip(counts) {
        eprintln!("{}: {count} of {characters} characters", preset.name());
    }
    // The numbers of docs/papers.md.
    assert_eq!((characters, counts), (83, [82, 76, 61, 66]));
}
