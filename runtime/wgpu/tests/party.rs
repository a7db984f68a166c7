//! Characters of a party: one upload of the textures, and every mesh as the CPU decodes it.

#[path = "common/gpu.rs"]
mod device;
#[path = "common/subjects.rs"]
mod subjects;

use std::sync::LazyLock;

use subjects::{TOLERANCE_MM, capture, expected, gpu, largest_mm, ordered_builtin, scattered};
use throng_bake::share::{ShareGoal, SharedCharacter, SharedSets, bake_shared};
use throng_bake::{BakeSettings, DEFAULT_ERROR_OF_SIZE, Rate};
use throng_format::{Encoding, Precision, Source, Storage, TextureSet};
use throng_wgpu::{CrowdModel, Gpu, GpuError, ModelSettings, MotionTextures, Ticks};

const NOW: Ticks = Ticks(123_456);

/// Two humanoids of different vertices on one motion set.
fn party(encoding: Encoding, storage: Storage) -> SharedSets {
    let characters = ["humanoid:600", "humanoid:1000"].map(ordered_builtin);
    let members = characters.each_ref().map(|character| SharedCharacter {
        label: &character.name,
        character,
        reference: character,
        source: Source::in_memory("builtin:humanoid"),
        max_error_of_size: DEFAULT_ERROR_OF_SIZE,
    });
    let settings = BakeSettings {
        encoding,
        storage,
        rate: Rate::Hz(20.0),
        ..BakeSettings::default()
    };
    let source = Source::in_memory("builtin:humanoid");
    bake_shared(&members, &ShareGoal::Bake(settings), &source, &()).unwrap()
}

static FRAMES: LazyLock<SharedSets> =
    LazyLock::new(|| party(Encoding::BoneQt, Storage::Frames(Precision::Unorm16)));

fn model(gpu: &Gpu, set: &TextureSet, motion: &MotionTextures) -> Result<CrowdModel, GpuError> {
    let settings = ModelSettings::default();
    CrowdModel::with_motion(gpu.device(), gpu.queue(), set, motion, settings)
}

#[test]
fn every_mesh_of_a_party_matches_cpu_decoding_from_one_texture() {
    let Some(gpu) = gpu() else { return };
    let curves = party(Encoding::BoneLocal, Storage::Compressed);
    for party in [&*FRAMES, &curves] {
        let motion = MotionTextures::new(gpu.device(), gpu.queue(), &party.motion.set).unwrap();
        let instances = scattered(12, NOW);
        let mut counts = Vec::new();
        for character in &party.characters {
            let set = &character.set;
            let model = model(gpu, set, &motion).unwrap();
            assert!(model.uses(&motion));
            counts.push(model.vertex_count());
            let mut crowd = model.crowd().unwrap();
            crowd.set_instances(&instances).unwrap();
            let captured = capture(&mut crowd, NOW);
            for (captured, instance) in captured.iter().zip(&instances) {
                let expected = expected(set, instance, NOW, set.rest());
                let error_mm = largest_mm(captured, &expected);
                assert!(error_mm <= TOLERANCE_MM, "{error_mm} mm");
            }
        }
        assert_ne!(counts[0], counts[1]);
    }
}

#[test]
fn models_with_their_own_upload_do_not_use_the_party_texture() {
    let Some(gpu) = gpu() else { return };
    let party = &*FRAMES;
    let motion = MotionTextures::new(gpu.device(), gpu.queue(), &party.motion.set).unwrap();
    let settings = ModelSettings::default();
    let set = &party.characters[0].set;
    let alone = CrowdModel::new(gpu.device(), gpu.queue(), set, settings).unwrap();
    assert!(!alone.uses(&motion));
    assert!(model(gpu, set, &motion.clone()).unwrap().uses(&motion));
}

#[test]
fn textures_of_another_set_and_sets_without_a_mesh_are_refused() {
    let Some(gpu) = gpu() else { return };
    let party = &*FRAMES;
    let motion = MotionTextures::new(gpu.device(), gpu.queue(), &party.motion.set).unwrap();
    let other = subjects::baked(Encoding::BoneQt, Precision::Unorm16);
    let error = model(gpu, &other, &motion).unwrap_err();
    assert!(matches!(error, GpuError::OtherTextures { .. }), "{error}");
    let error = model(gpu, &party.motion.set, &motion).unwrap_err();
    assert!(matches!(error, GpuError::NoMesh { .. }), "{error}");
}
