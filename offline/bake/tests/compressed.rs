//! Compressed curves are within the requested error, and read back from disk.

use std::sync::atomic::{AtomicUsize, Ordering};

use throng_bake::accuracy::verify;
use throng_bake::{BakeSettings, Effort, Progress, bake};
use throng_format::curves::{ClipRecord, Words};
use throng_format::{Encoding, Layout, Precision, Source, Storage, disk};
use throng_import::builtin::builtin;
use throng_rig::Character;

fn source(path: &str) -> Source {
    Source {
        digest: "sha256:0".into(),
        settings: "sha256:0".into(),
        ..Source::in_memory(path)
    }
}

fn settings(encoding: Encoding, max_error_of_size: f64) -> BakeSettings {
    BakeSettings {
        encoding,
        storage: Storage::Compressed,
        max_error_of_size,
        ..BakeSettings::default()
    }
}

fn character(name: &str) -> Character {
    builtin(name).unwrap()
}

#[test]
fn joint_curves_of_every_built_in_are_within_the_error() {
    for name in ["humanoid:1000", "bar", "cylinder", "graph:40"] {
        let character = character(name);
        let mut bytes = u64::MAX;
        for max_error in [0.000_05, 0.000_28, 0.002] {
            let settings = settings(Encoding::BoneLocal, max_error);
            let baked = bake(&character, &settings, &source(name), &()).unwrap();
            let report = verify(&baked.set, &character, &()).unwrap();
            assert_eq!(baked.report.as_ref(), Some(&report), "measured once");
            let error = report.error.errors.overall.max_error_of_size;
            assert!(error <= max_error, "{name} at {max_error}: {error}");
            assert!(report.gpu_bytes <= bytes, "{name}: coarser is not smaller");
            bytes = report.gpu_bytes;
        }
    }
}

#[test]
fn vertex_curves_are_within_the_error_and_small() {
    let character = character("humanoid:1000");
    let mut compressed = settings(Encoding::Vertex, 0.000_5);
    compressed.clips = vec![2];
    let set = bake(&character, &compressed, &source("x"), &())
        .unwrap()
        .set;
    let report = verify(&set, &character, &()).unwrap();
    let error = report.error.errors.overall.max_error_of_size;
    assert!(error <= 0.000_5, "{error} {:?}", report.error.errors.worst);
    assert!(report.error.errors.max_normal_error_deg < 6.0);
    let frames = BakeSettings {
        storage: Precision::F16.into(),
        ..compressed
    };
    let frames = bake(&character, &frames, &source("x"), &()).unwrap().set;
    assert!(report.gpu_bytes * 2 < frames.gpu_bytes());
}

#[test]
fn compressed_set_reads_back_from_a_folder_and_a_glb() {
    let character = character("humanoid:1000");
    let folder = tempfile::tempdir().unwrap();
    for (encoding, storage) in [
        (Encoding::BoneLocal, Storage::Compressed),
        (Encoding::BoneQt, Storage::Frames(Precision::Unorm16)),
        (Encoding::Vertex, Storage::Frames(Precision::F16)),
    ] {
        let settings = BakeSettings {
            encoding,
            storage,
            clips: vec![2],
            ..BakeSettings::default()
        };
        let set = bake(&character, &settings, &source("x"), &()).unwrap().set;
        let path = folder.path().join("set");
        let format = "ktx2".parse().unwrap();
        disk::write_folder(&set, &path, format, Default::default(), &[]).unwrap();
        let glb = folder.path().join("set.glb");
        disk::write_glb(&set, &glb).unwrap();
        for read in [disk::read(&path).unwrap(), disk::read(&glb).unwrap()] {
            assert_eq!(read.textures(), set.textures());
            assert_eq!(read.manifest().clips, set.manifest().clips);
            assert_eq!(read.manifest().layout, set.manifest().layout);
        }
    }
}

/// Counts how often clips are compressed again.
#[derive(Default)]
struct Attempts(AtomicUsize);

impl Progress for Attempts {
    fn stage(&self, name: &str) {
        let is_again = name == "compressing clips above the error again";
        self.0.fetch_add(usize::from(is_again), Ordering::Relaxed);
    }
}

/// Fast effort computes errors of few vertices; the others must seldom exceed the error.
#[test]
fn fast_effort_passes_the_proof_at_once() {
    let character = character("humanoid:1000");
    let settings = BakeSettings {
        effort: Effort::Fast,
        ..settings(Encoding::BoneLocal, 0.000_28)
    };
    let attempts = Attempts::default();
    bake(&character, &settings, &source("x"), &attempts).unwrap();
    assert_eq!(attempts.0.into_inner(), 0);
}

#[test]
fn fast_effort_is_within_the_error_and_a_tenth_of_the_bytes() {
    let character = character("humanoid:1000");
    let bytes = [Effort::Fast, Effort::Normal, Effort::Best].map(|effort| {
        let settings = BakeSettings {
            effort,
            ..settings(Encoding::BoneLocal, 0.000_28)
        };
        let baked = bake(&character, &settings, &source("x"), &()).unwrap();
        let error = baked.report.unwrap().error.errors.overall.max_error_of_size;
        assert!(error <= 0.000_28, "{effort:?}: {error}");
        baked.set.gpu_bytes() as f64
    });
    let [fast, normal, best] = bytes;
    assert!(fast <= 1.1 * normal && best <= 1.01 * normal, "{bytes:?}");
}

/// A clip pays for the channels that move in it, not for those of other clips.
#[test]
fn clips_store_only_channels_that_move_in_them() {
    let character = character("humanoid:1000");
    let baked_bytes = |clips: Vec<usize>| {
        let settings = BakeSettings {
            clips,
            ..settings(Encoding::BoneLocal, 0.000_28)
        };
        let set = bake(&character, &settings, &source("x"), &()).unwrap().set;
        let Layout::JointCurves(layout) = &set.manifest().layout else {
            panic!("bone-local has joint curves");
        };
        let words = Words::of(&set.textures()[layout.texture]);
        let present = |clip| ClipRecord::read(words, layout.clip_table, clip).present;
        let clips = set.manifest().clips.len() as u32;
        (layout.curves, (0..clips).map(present).collect::<Vec<u32>>())
    };
    let (curves, present) = baked_bytes(Vec::new());
    assert!(
        present
            .iter()
            .all(|&present| present > 0 && present < curves)
    );
    let (_, alone) = baked_bytes(vec![3]);
    assert!(present[3] <= alone[0] + 6, "{present:?} {alone:?}");
}
