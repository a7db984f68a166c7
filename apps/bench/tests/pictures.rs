//! Contestants on a device: their pictures are compared with the reference before times count, and frames are timed.

use std::sync::Arc;

use throng_bench::arena::Arena;
use throng_bench::entrant::{Content, EntrantSpec, Sets, make};
use throng_bench::gpu_arena::{GpuArena, Ground};
use throng_bench::picture::check_picture;
use throng_bench::record::Status;
use throng_bench::stage::Stage;
use throng_bench::subject::SubjectSpec;
use throng_format::{Encoding, Precision, Storage};
use throng_import::PositionSharing;
use throng_rig::{Character, Method, Skinning};
use throng_skin::is_prepared;
use throng_testkit::adapter_or_skip;
use throng_wgpu::{Gpu, GpuError, Step, Technique};

fn gpu() -> Option<Gpu> {
    let gpu = match Gpu::headless() {
        Err(GpuError::NoAdapter(_)) => None,
        gpu => Some(gpu.unwrap()),
    };
    adapter_or_skip(gpu, "GPU", "mesa-vulkan-drivers")
}

fn twist() -> (Arc<Character>, f64) {
    let spec = SubjectSpec::builtin("cylinder", PositionSharing::Shared, &["twist"]);
    let (character, subject) = spec.prepare().unwrap();
    (character, subject.size_m)
}

#[test]
fn every_technique_draws_the_reference() {
    let Some(gpu) = gpu() else { return };
    let (character, size_m) = twist();
    let mut sets = Sets::new(&character, "builtin:cylinder", &());
    for technique in Technique::all() {
        let spec = EntrantSpec::technique(technique);
        let (mut entrant, made) = make(&gpu, &character, &mut sets, &spec);
        let mut made = made.unwrap_or_else(|| panic!("{technique}: {:?}", entrant.status));
        check_picture(&gpu, size_m, &spec, &mut made, &mut entrant).unwrap();
        assert_eq!(entrant.status, Status::Measured, "{technique}");
        assert!(entrant.picture_error_mm.is_some(), "{technique}");
    }
}

#[test]
fn methods_with_numbers_of_each_vertex_draw_the_reference() {
    let Some(gpu) = gpu() else { return };
    let (character, size_m) = twist();
    let mut sets = Sets::new(&character, "builtin:cylinder", &());
    for skinning in [Skinning::BlendAuto, Method::Cor.into()] {
        for technique in [
            Technique::Cpu,
            Technique::PaletteDq,
            Technique::Texture(Encoding::BoneQt),
            Technique::Texture(Encoding::Vertex),
        ] {
            let spec = EntrantSpec::technique(technique).skinned(skinning);
            let (mut entrant, made) = make(&gpu, &character, &mut sets, &spec);
            let mut made = made.unwrap_or_else(|| panic!("{technique}: {:?}", entrant.status));
            assert!(is_prepared(&made.source, skinning), "{technique}");
            check_picture(&gpu, size_m, &spec, &mut made, &mut entrant).unwrap();
            assert_eq!(entrant.status, Status::Measured, "{technique} {skinning}");
            // Without the numbers, a twist collapses as with LBS.
            made.skinning = Method::Lbs.into();
            check_picture(&gpu, size_m, &spec, &mut made, &mut entrant).unwrap();
            assert_ne!(entrant.status, Status::Measured, "{technique} {skinning}");
        }
    }
}

#[test]
fn another_picture_than_the_reference_is_refused() {
    let Some(gpu) = gpu() else { return };
    let (character, size_m) = twist();
    let mut sets = Sets::new(&character, "builtin:cylinder", &());
    let spec = EntrantSpec::technique(Technique::PaletteMatrix);
    let (mut entrant, made) = make(&gpu, &character, &mut sets, &spec);
    let mut made = made.unwrap();
    // The crowd skins by LBS, which collapses where DQS keeps the volume.
    made.skinning = Method::Dqs.into();
    check_picture(&gpu, size_m, &spec, &mut made, &mut entrant).unwrap();
    assert!(
        matches!(entrant.status, Status::WrongPicture { .. }),
        "{entrant:?}"
    );
}

#[test]
fn a_set_is_held_to_its_own_error() {
    let Some(gpu) = gpu() else { return };
    let (character, size_m) = twist();
    let mut sets = Sets::new(&character, "builtin:cylinder", &());
    let storage = Storage::Frames(Precision::Unorm8);
    let spec = EntrantSpec::new(Content::Baked(Encoding::BoneQt, storage));
    let (mut entrant, made) = make(&gpu, &character, &mut sets, &spec);
    let mut made = made.unwrap();
    check_picture(&gpu, size_m, &spec, &mut made, &mut entrant).unwrap();
    assert_eq!(entrant.status, Status::Measured);
    // The same vertices are too far off for a set that claims to be exact.
    entrant.max_error_mm = Some(0.0);
    check_picture(&gpu, size_m, &spec, &mut made, &mut entrant).unwrap();
    assert!(
        matches!(entrant.status, Status::WrongPicture { .. }),
        "{entrant:?}"
    );
}

#[test]
fn frames_are_timed_until_the_device_is_done() {
    let Some(gpu) = gpu() else { return };
    let (character, size_m) = twist();
    let stage = Stage::new(&gpu);
    let mut sets = Sets::new(&character, "builtin:cylinder", &());
    let specs = [Technique::Control, Technique::PaletteMatrix].map(EntrantSpec::technique);
    let made = specs.map(|spec| make(&gpu, &character, &mut sets, &spec).1);
    let mut arena = GpuArena::new(&stage, made.into(), size_m, Ground::Grid).unwrap();
    for entrant in [0, 1] {
        arena.set_instances(entrant, 20).unwrap();
        let frame = arena.frame(entrant).unwrap();
        assert!(
            frame.cpu_ms > 0.0 && frame.cpu_ms < frame.whole_ms,
            "{frame:?}"
        );
        if let Some(gpu_ms) = frame.gpu_ms {
            assert!(gpu_ms > 0.0 && gpu_ms < frame.whole_ms, "{frame:?}");
        }
        // A tenth of the picture is covered by twenty cylinders.
        assert!(stage.covered_pixels().unwrap() > 1280 * 720 / 50);
    }
    // More instances take longer.
    let time = |arena: &mut GpuArena<'_>, instances| {
        arena.set_instances(0, instances).unwrap();
        let frames = (0..9).map(|_| arena.frame(0).unwrap().whole_ms);
        frames.fold(f64::INFINITY, f64::min)
    };
    let [few, many] = [10, 1000].map(|instances| time(&mut arena, instances));
    assert!(many > 2.0 * few, "{few} ms, {many} ms");
}

#[test]
fn a_switch_that_does_not_apply_is_a_refusal_with_a_reason() {
    let Some(gpu) = gpu() else { return };
    let (character, _) = twist();
    let mut sets = Sets::new(&character, "builtin:cylinder", &());
    let mut spec = EntrantSpec::control();
    spec.settings.switches.upload = Step::Off;
    let (entrant, made) = make(&gpu, &character, &mut sets, &spec);
    assert!(made.is_none());
    let Status::Refused { reason } = entrant.status else {
        panic!("{entrant:?}")
    };
    assert!(reason.contains("upload"), "{reason}");
}
