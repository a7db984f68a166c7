//! Searches meet their goal, and no evaluated candidate is better.

mod common;

use std::sync::{LazyLock, Mutex};

use common::*;
use glam::{DQuat, DVec3};
use throng_bake::accuracy::verify;
use throng_bake::search::{
    Candidate, Coverage, Found, Goal, SearchError, SearchSpace, frontier, frontier_table,
    keep_influences, search,
};
use throng_bake::{BakeSettings, Preset, Progress, Rate};
use throng_format::disk::unsupported_texels;
use throng_format::file::FileFormat;
use throng_format::{Encoding, Precision};
use throng_rig::{Character, Clip, Interpolation, MorphTrack};

/// One short clip, so that tests are quick.
fn one_clip(character: &Character) -> BakeSettings {
    let secs = |&clip: &usize| character.clips()[clip].duration_secs();
    let shortest = (0..character.clips().len()).min_by(|a, b| secs(a).total_cmp(&secs(b)));
    BakeSettings {
        clips: shortest.into_iter().collect(),
        ..BakeSettings::default()
    }
}

fn find(character: &Character, space: &SearchSpace, goal: Goal) -> Result<Found, SearchError> {
    search(character, &one_clip(character), space, goal, source(), &())
}

fn only(encodings: &[Encoding]) -> SearchSpace {
    SearchSpace {
        encodings: Some(encodings.to_vec()),
        ..SearchSpace::default()
    }
}

fn exact(candidates: &[Candidate]) -> impl Iterator<Item = &Candidate> {
    candidates.iter().filter(|s| s.exact && s.refused.is_none())
}

#[test]
fn maximum_error_is_met_with_the_fewest_bytes() {
    for name in ["bar", "humanoid:1000"] {
        let character = builtin(name);
        for of_size in [0.000_28, 0.02] {
            let goal = Goal::MaxError { of_size };
            let found = find(&character, &SearchSpace::default(), goal).unwrap();
            let report = verify(&found.set, &character, &()).unwrap();
            assert_eq!(report, found.report, "{name}");
            let error = report.error.errors.overall.max_error_of_size;
            assert!(error <= of_size, "{name}: {error}");
            for candidate in exact(&found.candidates).filter(|s| s.max_error_of_size <= of_size) {
                assert!(
                    candidate.gpu_bytes >= report.gpu_bytes,
                    "{name}: {candidate:?}"
                );
            }
            // No smaller candidate was skipped: its probe exceeds the error.
            for candidate in found.candidates.iter().filter(|s| s.refused.is_none()) {
                let smaller = candidate.gpu_bytes < report.gpu_bytes;
                assert!(
                    !smaller || candidate.max_error_of_size > of_size,
                    "{candidate:?}"
                );
            }
        }
    }
}

#[test]
fn maximum_bytes_are_kept_with_the_least_error() {
    for (name, gpu_bytes) in [("bar", 1500), ("humanoid:1000", 5_000)] {
        let character = builtin(name);
        let goal = Goal::MaxBytes { gpu_bytes };
        let found = find(&character, &SearchSpace::default(), goal).unwrap();
        let report = verify(&found.set, &character, &()).unwrap();
        assert_eq!(report, found.report);
        assert!(report.gpu_bytes <= gpu_bytes, "{}", report.gpu_bytes);
        assert_eq!(found.set.gpu_bytes(), report.gpu_bytes);
        let error = report.error.errors.overall.max_error_of_size;
        for candidate in exact(&found.candidates).filter(|s| s.gpu_bytes <= gpu_bytes) {
            assert!(
                candidate.max_error_of_size >= error,
                "{name}: {candidate:?}"
            );
        }
    }
}

#[test]
fn maximum_bytes_are_used() {
    let character = builtin("humanoid:1000");
    for gpu_bytes in [2_000, 3_000, 6_000] {
        let goal = Goal::MaxBytes { gpu_bytes };
        let found = find(&character, &SearchSpace::default(), goal).unwrap();
        let used = found.report.gpu_bytes as f64 / gpu_bytes as f64;
        assert!((0.9..=1.0).contains(&used), "{gpu_bytes}: {used}");
    }
}

/// Without compressed curves, the chosen set is between candidates with too large an error and too many bytes.
#[test]
fn frame_sets_are_chosen_between_too_inaccurate_and_too_large_ones() {
    let character = builtin("humanoid:1000");
    let space = only(&[Encoding::BoneQt, Encoding::BoneMatrix]);
    let of_size = 0.004;
    let found = find(&character, &space, Goal::MaxError { of_size }).unwrap();
    let chosen = found.report.gpu_bytes;
    let error = found.report.error.errors.overall.max_error_of_size;
    assert!(error <= of_size, "{error}");
    let larger = |s: &&Candidate| s.gpu_bytes > chosen && s.max_error_of_size < error;
    let smaller = |s: &&Candidate| s.gpu_bytes < chosen && s.max_error_of_size > of_size;
    assert!(found.candidates.iter().any(|s| larger(&s)));
    assert!(found.candidates.iter().any(|s| smaller(&s)));

    let goal = Goal::MaxBytes {
        gpu_bytes: chosen + 1,
    };
    let fitted = find(&character, &space, goal).unwrap();
    assert!(fitted.report.gpu_bytes <= chosen + 1);
    assert!(fitted.report.error.errors.overall.max_error_of_size <= error);
}

/// Curves compressed for the default error are too large here; coarser ones are found.
#[test]
fn curves_are_compressed_until_they_fit() {
    let character = builtin("humanoid:1000");
    let space = only(&[Encoding::BoneLocal]);
    let of_size = BakeSettings::default().max_error_of_size;
    let held = find(&character, &space, Goal::MaxError { of_size }).unwrap();
    let gpu_bytes = held.report.gpu_bytes * 3 / 4;
    let found = find(&character, &space, Goal::MaxBytes { gpu_bytes }).unwrap();
    assert!(found.candidates.iter().any(|s| s.gpu_bytes > gpu_bytes));
    assert!(found.report.gpu_bytes <= gpu_bytes);
    assert!(found.report.gpu_bytes * 10 >= gpu_bytes * 8, "room is used");
}

/// Bytes that are computed without baking equal those of the baked set.
#[test]
fn predicted_bytes_of_frame_candidates_equal_those_of_their_sets() {
    let character = builtin("humanoid:1000");
    let encodings = [Encoding::VertexRay, Encoding::Vertex, Encoding::BoneQt];
    for encoding in encodings {
        for precision in [Precision::Unorm8, Precision::F16, Precision::F32] {
            let space = SearchSpace {
                precision: Some(precision),
                rate: Some(Rate::Hz(10.0)),
                ..only(&[encoding])
            };
            let goal = Goal::MaxBytes { gpu_bytes: 1 };
            let Err(SearchError::NotMet { candidates, .. }) = find(&character, &space, goal) else {
                panic!("fits a byte");
            };
            let settings = BakeSettings {
                encoding,
                storage: precision.into(),
                rate: Rate::Hz(10.0),
                ..one_clip(&character)
            };
            let set = baked(&character, &settings);
            let error = verify(&set, &character, &()).unwrap().error.errors.overall;
            assert_eq!(candidates.len(), 1);
            assert_eq!(
                candidates[0].gpu_bytes,
                set.gpu_bytes(),
                "{encoding} {precision}"
            );
            assert!(!candidates[0].exact);
            let bound = candidates[0].max_error_of_size;
            assert!(bound <= 1.05 * error.max_error_of_size);
            assert!(bound > 0.5 * error.max_error_of_size, "{encoding} {bound}");
        }
    }
}

#[test]
fn result_does_not_depend_on_the_number_of_threads() {
    let character = builtin("bar");
    for goal in [
        Goal::MaxError { of_size: 0.001 },
        Goal::MaxBytes { gpu_bytes: 3000 },
    ] {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let run = || find(&character, &SearchSpace::default(), goal).unwrap();
            let found = pool.build().unwrap().install(run);
            (
                found.set.textures().to_vec(),
                found.report,
                found.candidates,
            )
        };
        let one = run(1);
        assert_eq!(run(1), one);
        assert_eq!(run(2), one);
    }
}

#[test]
fn unmet_goal_names_the_nearest_candidate() {
    let character = builtin("bar");
    let space = only(&[Encoding::BoneQt, Encoding::BoneLocal]);
    let message = |goal| find(&character, &space, goal).unwrap_err().to_string();
    let bytes = message(Goal::MaxBytes { gpu_bytes: 1 });
    for words in [
        "no candidate fits into 1 B",
        "the nearest is",
        "allow more bytes",
    ] {
        assert!(bytes.contains(words), "{bytes}");
    }
    let error = message(Goal::MaxError { of_size: 5e-8 });
    for words in ["% of size", "the nearest is", "a larger error"] {
        assert!(error.contains(words), "{error}");
    }
    for of_size in [0.0, -1.0, f64::NAN] {
        let refused = find(&character, &space, Goal::MaxError { of_size });
        assert!(matches!(refused, Err(SearchError::BadError { .. })));
    }
    let goal = Goal::MaxError { of_size: 0.01 };
    let preset = BakeSettings {
        preset: Some(Preset::P0Dq8),
        ..one_clip(&character)
    };
    let refused = search(&character, &preset, &space, goal, source(), &());
    assert!(matches!(refused, Err(SearchError::Preset { .. })));
    let half = SearchSpace {
        precision: Some(Precision::F16),
        ..only(&[Encoding::BoneLocal])
    };
    let refused = find(&character, &half, goal).unwrap_err().to_string();
    assert_eq!(
        refused,
        "bone-local does not support f16: choose another layout, precision or encoding"
    );
    let fast = SearchSpace {
        rate: Some(Rate::Hz(1000.0)),
        ..SearchSpace::default()
    };
    assert!(matches!(
        find(&character, &fast, goal),
        Err(SearchError::Bake(_))
    ));
}

fn growing() -> Character {
    let key = |angle: f64, scale: DVec3| (DVec3::Y * 0.5, DQuat::from_rotation_x(angle), scale);
    let rotates = vec![key(0.0, DVec3::ONE), key(0.5, DVec3::ONE)];
    let grows = vec![key(0.0, DVec3::ONE), key(0.0, DVec3::new(1.0, 2.0, 1.0))];
    chain(&[vec![rotates, grows]])
}

#[test]
fn refused_candidates_are_reported_and_not_chosen() {
    let character = growing();
    let space = only(&[Encoding::BoneDq, Encoding::VirtualBones, Encoding::BoneQt]);
    let goal = Goal::MaxError { of_size: 0.01 };
    let found = find(&character, &space, goal).unwrap();
    assert_eq!(found.report.encoding, Encoding::BoneQt);
    for encoding in [Encoding::BoneDq, Encoding::VirtualBones] {
        let mut refused = found.candidates.iter().filter(|s| s.encoding == encoding);
        assert!(refused.clone().count() > 0);
        assert!(refused.all(|s| s.refused.as_ref().unwrap().contains("bone-qt")));
    }
    assert!(
        frontier(&found.candidates)
            .iter()
            .all(|s| s.refused.is_none())
    );
    let refused = find(&character, &only(&[Encoding::BoneDq]), goal).unwrap_err();
    assert!(matches!(refused, SearchError::AllRefused { .. }));
    assert!(refused.to_string().contains("'joint1'"), "{refused}");
}

#[test]
fn fewer_influences_are_the_heaviest_and_are_measured_against_all() {
    let character = builtin("humanoid:1000");
    let one = keep_influences(&character, 1);
    let (all, kept) = (
        character.meshes()[0].influences(),
        one.meshes()[0].influences(),
    );
    assert_eq!(kept.max_per_vertex(), 1);
    for vertex in 0..all.vertex_count() {
        assert_eq!(kept.run(vertex), (&all.run(vertex).0[..1], &[1.0][..]));
    }
    let space = SearchSpace {
        influences: Some(1),
        precision: Some(Precision::F32),
        ..only(&[Encoding::BoneQt])
    };
    let found = find(&character, &space, Goal::MaxBytes { gpu_bytes: 1 << 20 }).unwrap();
    assert_eq!(
        (found.report.influences, found.candidates[0].influences),
        (1, 1)
    );
    assert_eq!(found.set.manifest().source.max_influences, Some(1));
    // Joints crease, whatever the frame rate.
    assert!(found.report.error.errors.overall.max_error_of_size > 0.001);
    assert_eq!(verify(&found.set, &character, &()).unwrap(), found.report);
}

#[derive(Default)]
struct Steps(Mutex<Vec<(usize, usize)>>);

impl Progress for Steps {
    fn step(&self, done: usize, total: usize) {
        self.0.lock().unwrap().push((done, total));
    }
}

/// The search of `bar` within 0.1 % of size over the whole space, and its progress; run once for all tests.
static BAR: LazyLock<(Found, Vec<(usize, usize)>)> = LazyLock::new(|| {
    let character = builtin("bar");
    let steps = Steps::default();
    let (space, goal) = (SearchSpace::default(), Goal::MaxError { of_size: 0.001 });
    let settings = one_clip(&character);
    let found = search(&character, &settings, &space, goal, source(), &steps).unwrap();
    (found, steps.0.into_inner().unwrap())
});

#[test]
fn progress_reaches_its_total_and_the_frontier_is_a_table() {
    let (found, steps) = &*BAR;
    assert!(
        steps
            .iter()
            .all(|&(done, total)| done <= total && total == steps[0].1)
    );
    assert_eq!(steps.last().unwrap().0, steps[0].1);
    let best = frontier(&found.candidates);
    for pair in best.windows(2) {
        assert!(pair[0].gpu_bytes <= pair[1].gpu_bytes);
    }
    assert!(best.iter().any(|s| s.gpu_bytes == found.report.gpu_bytes));
    let table = frontier_table(&found.candidates, found.report.error.size_m);
    assert_eq!(table.lines().count(), best.len() + 1);
    let text = serde_json::to_string(&found.candidates).unwrap();
    assert_eq!(
        serde_json::from_str::<Vec<Candidate>>(&text).unwrap(),
        found.candidates
    );
}

#[test]
fn search_for_the_best_only_finds_the_same_with_fewer_candidates() {
    let character = builtin("bar");
    let goal = Goal::MaxError { of_size: 0.001 };
    let best_only = SearchSpace {
        coverage: Coverage::BestOnly,
        ..SearchSpace::default()
    };
    let (with_frontier, _) = &*BAR;
    let best_only = find(&character, &best_only, goal).unwrap();
    assert_eq!(best_only.report, with_frontier.report);
    assert!(best_only.candidates.len() < with_frontier.candidates.len());
}

#[test]
fn search_considers_only_texels_that_the_file_format_holds() {
    let character = builtin("bar");
    for files in [FileFormat::Png, FileFormat::Exr] {
        for encoding in [Encoding::BoneQt, Encoding::VertexRay] {
            let space = SearchSpace {
                files: Some(files),
                ..only(&[encoding])
            };
            for goal in [
                Goal::MaxError { of_size: 0.02 },
                Goal::MaxBytes { gpu_bytes: 1 << 20 },
            ] {
                let found = find(&character, &space, goal).unwrap();
                assert_eq!(
                    unsupported_texels(&found.set, files),
                    None,
                    "{files}, {encoding}"
                );
            }
        }
    }
    let space = SearchSpace {
        files: Some(FileFormat::Png),
        precision: Some(Precision::F16),
        ..only(&[Encoding::BoneQt])
    };
    let error = find(&character, &space, Goal::MaxError { of_size: 0.02 }).unwrap_err();
    assert!(
        error.to_string().contains("png files cannot hold"),
        "{error}"
    );
}

/// A morph whose keys are between the frames of the clip's native rate.
#[test]
fn joint_curves_with_morphs_use_rates_that_keep_the_weights_accurate() {
    let mut parts = morphing().into_parts();
    let weights = vec![0.25, 0.0, 0.25, 2.0, 0.25, 0.0];
    let times = [0.0, 0.25, 1.0].into();
    let track = MorphTrack::new(0, times, weights, 2, Interpolation::Linear).unwrap();
    parts.clips = vec![Clip::new("talk".into(), vec![], vec![track]).unwrap()];
    let character = Character::new(parts).unwrap();
    let goal = Goal::MaxError { of_size: 0.000_28 };
    let found = find(&character, &only(&[Encoding::BoneLocal]), goal).unwrap();
    let error = found.report.error.errors.overall.max_error_of_size;
    assert!(error <= 0.000_28, "{error}");
    assert!(found.report.rate_hz > 30.0, "{}", found.report.rate_hz);
}
