//! Bounding boxes of clips hold all decoded vertices, between frames too.

mod common;

use common::*;
use throng_bake::accuracy::{Playback, Played, SetPlayback, verify};
use throng_bake::{BakeSettings, Rate};
use throng_format::{Encoding, Precision, Storage};

/// Times per frame.
const STEPS: u32 = 7;

#[test]
fn no_decoded_vertex_leaves_the_bounds_of_its_clip() {
    for (name, encoding, storage, hz) in [
        (
            "humanoid:1000",
            Encoding::BoneQt,
            Precision::Unorm16.into(),
            None,
        ),
        (
            "humanoid:1000",
            Encoding::BoneQt,
            Precision::Unorm8.into(),
            Some(6.0),
        ),
        (
            "humanoid:1000",
            Encoding::Vertex,
            Precision::Unorm8.into(),
            Some(8.0),
        ),
        (
            "humanoid:1000",
            Encoding::BoneMatrix,
            Precision::F16.into(),
            Some(10.0),
        ),
        (
            "humanoid:1000",
            Encoding::BoneLocal,
            Storage::Compressed,
            None,
        ),
        (
            "bar:100",
            Encoding::BoneQt,
            Precision::Unorm16.into(),
            Some(6.0),
        ),
        ("box", Encoding::BoneMatrix, Precision::F32.into(), None),
    ] {
        let character = builtin(name);
        let settings = BakeSettings {
            rate: hz.map_or(Rate::Native, Rate::Hz),
            ..settings_of(encoding, storage)
        };
        let mut set = baked(&character, &settings);
        let report = verify(&set, &character, &()).unwrap();
        set.record_error(report.error.errors.overall.max_error_of_size);
        let playback = SetPlayback::new(&set);
        let mut player = playback.player();
        let mut played = Played::default();
        for (index, clip) in set.manifest().clips.iter().enumerate() {
            let steps = STEPS * (clip.frames - 1).max(1);
            for step in 0..=steps {
                let secs = clip.duration_secs * f64::from(step) / f64::from(steps);
                player.play(index, secs, &mut played);
                let mut positions = played.parts.iter().flat_map(|part| &part.positions);
                let outside = positions
                    .find(|p| p.cmplt(clip.bounds.min).any() || p.cmpgt(clip.bounds.max).any());
                assert_eq!(outside, None, "{name} {encoding} {}: {secs} s", clip.name);
            }
            // Close to the motion all the same.
            assert!(clip.bounds.extent().max_element() < 3.0 * set.manifest().size.max(1.0));
        }
    }
}

#[test]
fn recording_an_error_twice_widens_the_bounds_once() {
    let mut set = baked(&builtin("bar:100"), &BakeSettings::default());
    let before = set.manifest().clips[0].bounds;
    set.record_error(0.02);
    set.record_error(0.01);
    let bounds = set.manifest().clips[0].bounds;
    let margin = 0.01 * set.manifest().size;
    assert!((bounds.min - (before.min - margin)).length() < 1e-12);
    assert!((bounds.max - (before.max + margin)).length() < 1e-12);
    assert_eq!(set.manifest().bounds, bounds);
    assert!((set.measured_bounds(0).min - before.min).length() < 1e-12);
}
