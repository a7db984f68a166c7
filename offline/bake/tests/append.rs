//! Clips added to a set without baking the others again.

use std::sync::Arc;

use glam::{Quat, Vec3};
use throng_bake::accuracy::{BakeReport, verify};
use throng_bake::append::{
    Append, AppendRefusal, Appended, ClipCounts, Existing, append, record_digests,
};
use throng_bake::joint_curves::TableMisfit;
use throng_bake::{BakeSettings, bake};
use throng_format::curves::{BLOCK_CURVES, ClipRecord, Words};
use throng_format::decode::{self, BonePose};
use throng_format::file::{FileFormat, Supercompression};
use throng_format::{Encoding, Layout, Precision, Source, Storage, TextureSet, disk};
use throng_import::builtin::builtin;
use throng_rig::{Character, Clip, Interpolation, JointTracks, Track};

const KEY: &str = "the settings of these tests";

fn source() -> Source {
    Source::in_memory("test")
}

fn settings() -> BakeSettings {
    BakeSettings {
        encoding: Encoding::BoneLocal,
        storage: Storage::Compressed,
        ..BakeSettings::default()
    }
}

/// A clip that swings every joint of the bar, each with another phase.
fn swing(name: &str, angle: f32, speed: f32) -> Clip {
    let times: Arc<[f64]> = (0..31).map(|key| f64::from(key) / 30.0).collect();
    let tracks = (0..3).map(|joint| {
        let rotation = |key: usize| {
            let phase = speed * key as f32 / 30.0 + joint as f32;
            Quat::from_rotation_z(angle * phase.sin())
        };
        let values = (0..31).map(rotation).collect();
        JointTracks {
            rotation: Some(Track::new(times.clone(), values, Interpolation::Linear).unwrap()),
            ..JointTracks::new(joint)
        }
    });
    Clip::new(name.into(), tracks.collect(), Vec::new()).unwrap()
}

/// The clip with a track of translations or scales of the root.
fn with_root(clip: &Clip, translation: Option<Vec3>, scale: Option<Vec3>) -> Clip {
    let mut tracks = clip.joints().to_vec();
    let track = |from: Vec3, to: Vec3| {
        Track::new([0.0, 1.0].into(), vec![from, to], Interpolation::Linear).unwrap()
    };
    tracks[0].translation = translation.map(|to| track(Vec3::ZERO, to));
    tracks[0].scale = scale.map(|to| track(Vec3::ONE, to));
    Clip::new(clip.name.clone(), tracks, Vec::new()).unwrap()
}

fn with_clips(clips: Vec<Clip>) -> Character {
    let mut parts = builtin("bar:100").unwrap().into_parts();
    parts.clips = clips;
    Character::new(parts).unwrap()
}

fn library(names: &[&str]) -> Character {
    let clip = |name: &&str| {
        let seed = name.bytes().map(f32::from).sum::<f32>();
        swing(name, 0.2 + 0.01 * (seed % 50.0), 1.0 + seed % 7.0)
    };
    with_clips(names.iter().map(clip).collect())
}

/// Bakes all clips and records digests.
fn baked(character: &Character) -> (TextureSet, BakeReport) {
    let baked = bake(character, &settings(), &source(), &()).unwrap();
    let mut set = baked.set;
    let all: Vec<usize> = (0..character.clips().len()).collect();
    record_digests(&mut set, character, KEY, &all);
    (set, baked.report.unwrap())
}

fn try_append(
    (set, report): &(TextureSet, BakeReport),
    character: &Character,
) -> Result<Box<Appended>, AppendRefusal> {
    let existing = Existing {
        set,
        report: Some(report),
    };
    match append(existing, character, &settings(), KEY, &source(), &()).unwrap() {
        Append::Appended(appended) => Ok(appended),
        Append::Refused(refusal) => Err(refusal),
    }
}

fn names(set: &TextureSet) -> Vec<&str> {
    let clips = set.manifest().clips.iter();
    clips.map(|clip| clip.name.as_str()).collect()
}

fn record(set: &TextureSet, clip: usize) -> (Words<'_>, ClipRecord) {
    let Layout::JointCurves(layout) = &set.manifest().layout else {
        panic!("not joint curves")
    };
    let words = Words::of(&set.textures()[layout.texture]);
    (
        words,
        ClipRecord::read(words, layout.clip_table, clip as u32),
    )
}

/// Asserts that a clip has the words of a clip of another set: equal, except for the places of its keys, which are counted
/// from the start of the texture. `end` is the first word after the clip in `new`.
#[track_caller]
fn assert_same_words(old: (&TextureSet, usize), new: (&TextureSet, usize), end: u32) {
    let (old_words, old) = record(old.0, old.1);
    let (new_words, new) = record(new.0, new.1);
    let shift = new.first_word.wrapping_sub(old.first_word);
    let mut shifted = 0;
    for word in 0..end - new.first_word {
        let (a, b) = (
            old_words.get(old.first_word + word),
            new_words.get(new.first_word + word),
        );
        if a != b || (shift == 0 && b == a) {
            let is_pointer = b.wrapping_sub(a) == shift;
            assert!(is_pointer, "word {word}: {a:#x} became {b:#x}");
            shifted += u32::from(shift != 0);
        }
    }
    let blocks = old.segments * old.present.div_ceil(BLOCK_CURVES);
    assert_eq!(shifted, if shift == 0 { 0 } else { blocks });
    assert_eq!(
        ClipRecord {
            first_word: old.first_word,
            ..new
        },
        old
    );
}

/// Asserts that a clip decodes to identical bits in both sets.
#[track_caller]
fn assert_decodes_alike(old: (&TextureSet, usize), new: (&TextureSet, usize)) {
    let mut poses = [BonePose::rest(old.0.model()), BonePose::rest(new.0.model())];
    for step in 0..=97 {
        let time_secs = f64::from(step) / 97.0;
        decode::bones(old.0, old.1, time_secs, &mut poses[0]);
        decode::bones(new.0, new.1, time_secs, &mut poses[1]);
        let bits = |pose: &BonePose| -> Vec<u64> {
            let joints = pose.model_from_joint.iter();
            joints
                .flat_map(|joint| joint.to_cols_array().map(f64::to_bits))
                .collect()
        };
        assert_eq!(bits(&poses[0]), bits(&poses[1]), "at {time_secs} s");
    }
}

#[test]
fn kept_clips_have_unchanged_words_and_decode_to_identical_bits() {
    let old = baked(&library(&["a", "b", "c"]));
    let appended = try_append(&old, &library(&["a", "b", "c", "d", "e"])).unwrap();
    assert_eq!(names(&appended.set), ["a", "b", "c", "d", "e"]);
    let expected = ClipCounts {
        kept: 3,
        added: 2,
        ..ClipCounts::default()
    };
    assert_eq!(appended.counts, expected);
    for clip in 0..3 {
        let (_, next) = record(&appended.set, clip + 1);
        assert_same_words((&old.0, clip), (&appended.set, clip), next.first_word);
        assert_decodes_alike((&old.0, clip), (&appended.set, clip));
    }
    // The joint table is that of the existing set.
    let [before, after] = [&old.0, &appended.set].map(|set| {
        let Layout::JointCurves(layout) = &set.manifest().layout else {
            panic!("not joint curves")
        };
        let words = Words::of(&set.textures()[0]);
        let count = layout.record_words * layout.bones.len() as u32;
        (0..count)
            .map(|word| words.get(layout.joint_table + word))
            .collect::<Vec<u32>>()
    });
    assert_eq!(before, after);
}

#[test]
fn errors_of_every_clip_are_those_of_a_full_verification() {
    let old = baked(&library(&["a", "b"]));
    let character = library(&["a", "new", "b", "newer"]);
    let appended = try_append(&old, &character).unwrap();
    let report = appended.report.unwrap().error;
    let verified = verify(&appended.set, &character, &()).unwrap().error;
    assert_eq!(report.clips, verified.clips);
    let limit = settings().max_error_of_size;
    let (found, expected) = (report.errors, verified.errors);
    assert!(found.overall.max_error_of_size <= limit);
    assert_eq!(found.worst, expected.worst);
    assert_eq!(found.worst_bone, expected.worst_bone);
    assert_eq!(found.times, expected.times);
    for (found, expected) in [
        (found.overall, expected.overall),
        (found.at_samples, expected.at_samples),
        (found.between_samples, expected.between_samples),
    ] {
        assert_eq!(found.max_error_mm, expected.max_error_mm);
        assert_eq!(found.comparisons, expected.comparisons);
        assert!((found.rms_error_mm / expected.rms_error_mm - 1.0).abs() < 1e-9);
        assert!(found.p99_error_mm >= expected.p99_error_mm);
        assert!(found.p99_error_mm <= expected.max_error_mm);
    }
    assert!((found.rms_normal_error_deg / expected.rms_normal_error_deg - 1.0).abs() < 1e-9);
    assert_eq!(found.max_normal_error_deg, expected.max_normal_error_deg);
    assert_eq!(found.seam_error_mm, expected.seam_error_mm);
}

#[test]
fn changed_clips_stay_in_place_and_removed_clips_go() {
    let old = baked(&library(&["a", "b", "c", "d"]));
    let mut clips = library(&["new", "d", "c", "a"]).clips().to_vec();
    clips[2] = swing("c", 0.123, 2.0);
    let character = with_clips(clips);
    let appended = try_append(&old, &character).unwrap();
    assert_eq!(names(&appended.set), ["a", "c", "d", "new"]);
    assert_eq!(appended.clips, [3, 2, 1, 0]);
    let expected = ClipCounts {
        kept: 2,
        added: 1,
        changed: 1,
        removed: 1,
    };
    assert_eq!(appended.counts, expected);
    assert_decodes_alike((&old.0, 0), (&appended.set, 0));
    assert_decodes_alike((&old.0, 3), (&appended.set, 2));
    let verified = verify(&appended.set, &character, &()).unwrap();
    assert_eq!(appended.report.unwrap().error.clips, verified.error.clips);
    let entries = &appended.set.manifest().clips;
    let mut first_frame = 0;
    for entry in entries {
        assert_eq!(entry.first_frame, first_frame);
        first_frame += entry.frames;
    }
}

#[test]
fn clips_of_one_name_are_told_apart_by_their_content() {
    let twins = |names: &[(&str, f32)]| {
        with_clips(
            names
                .iter()
                .map(|&(name, angle)| swing(name, angle, 3.0))
                .collect(),
        )
    };
    let old = baked(&twins(&[("x", 0.3), ("x", 0.6)]));
    let character = twins(&[("x", 0.6), ("y", 0.4), ("x", 0.3)]);
    let appended = try_append(&old, &character).unwrap();
    assert_eq!(appended.clips, [2, 0, 1]);
    assert_eq!(appended.counts.kept, 2);
    // The verification finds the clips of the same content, although another order of the source suggests others.
    let verified = verify(&appended.set, &character, &()).unwrap();
    assert_eq!(appended.report.unwrap().error.clips, verified.error.clips);
}

#[test]
fn clips_can_only_go() {
    let old = baked(&library(&["a", "b", "c"]));
    let character = library(&["c", "a"]);
    let appended = try_append(&old, &character).unwrap();
    assert_eq!(names(&appended.set), ["a", "c"]);
    assert!(appended.set.gpu_bytes() < old.0.gpu_bytes());
    let verified = verify(&appended.set, &character, &()).unwrap();
    assert_eq!(appended.report.unwrap().error.clips, verified.error.clips);
}

#[test]
fn sets_can_be_appended_to_again_and_again() {
    let mut current = baked(&library(&["a", "b"]));
    let first = current.0.clone();
    for names in [&["a", "b", "c"][..], &["a", "b", "c", "d"]] {
        let appended = try_append(&current, &library(names)).unwrap();
        assert_eq!(appended.counts.added, 1);
        current = (appended.set, appended.report.unwrap());
    }
    for clip in 0..2 {
        assert_decodes_alike((&first, clip), (&current.0, clip));
    }
}

#[test]
fn appended_set_reads_back_from_a_folder_and_a_glb() {
    let old = baked(&library(&["a", "b"]));
    let set = try_append(&old, &library(&["a", "b", "c"])).unwrap().set;
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("set");
    disk::write_folder(&set, &folder, FileFormat::Ktx2, Supercompression::None, &[]).unwrap();
    let glb = temporary.path().join("set.glb");
    disk::write_glb(&set, &glb).unwrap();
    for path in [folder, glb] {
        let read = disk::read(&path).unwrap();
        assert_eq!(read.textures(), set.textures());
        assert_eq!(read.manifest().clips, set.manifest().clips);
        assert_eq!(read.manifest().base_digest, set.manifest().base_digest);
    }
}

#[test]
fn clip_that_leaves_the_extent_of_the_curves_is_refused() {
    let old = baked(&library(&["a", "b"]));
    let mut clips = library(&["a", "b", "far"]).clips().to_vec();
    clips[2] = with_root(&clips[2], Some(Vec3::new(0.0, 0.0, 3.0)), None);
    let refusal = try_append(&old, &with_clips(clips)).unwrap_err();
    let AppendRefusal::Table(TableMisfit::Extent { clip, .. }) = &refusal else {
        panic!("{refusal}")
    };
    assert_eq!(clip, "far");
}

#[test]
fn clip_that_scales_is_refused_by_a_set_without_scales() {
    let old = baked(&library(&["a", "b"]));
    let mut clips = library(&["a", "b", "big"]).clips().to_vec();
    clips[2] = with_root(&clips[2], None, Some(Vec3::splat(2.0)));
    let refusal = try_append(&old, &with_clips(clips)).unwrap_err();
    let is_scale =
        matches!(&refusal, AppendRefusal::Table(TableMisfit::Scale { clip, .. }) if clip == "big");
    assert!(is_scale, "{refusal}");
}

#[test]
fn joints_that_moved_before_may_move_again() {
    let moved = |name: &str, to: f32| with_root(&swing(name, 0.3, 2.0), Some(Vec3::X * to), None);
    let old = baked(&with_clips(vec![moved("a", 1.0), moved("b", 0.4)]));
    let character = with_clips(vec![moved("a", 1.0), moved("b", 0.4), moved("c", 0.7)]);
    let appended = try_append(&old, &character).unwrap();
    let verified = verify(&appended.set, &character, &()).unwrap();
    assert_eq!(appended.report.unwrap().error.clips, verified.error.clips);
    assert!(verified.error.errors.overall.max_error_of_size <= settings().max_error_of_size);
}

#[test]
fn other_character_settings_and_encodings_are_refused() {
    let clips = ["a", "b", "c"];
    let character = library(&clips);
    let old = baked(&library(&clips[..2]));
    let existing = Existing {
        set: &old.0,
        report: None,
    };
    let refusal =
        |existing, character: &Character, settings: &BakeSettings, key: &str, source| match append(
            existing,
            character,
            settings,
            key,
            &source,
            &(),
        )
        .unwrap()
        {
            Append::Appended(_) => None,
            Append::Refused(refusal) => Some(refusal),
        };
    let same = settings();
    assert_eq!(refusal(existing, &character, &same, KEY, source()), None);
    let other = Some(AppendRefusal::OtherBase);
    assert_eq!(
        refusal(existing, &character, &same, "other", source()),
        other
    );
    let mut parts = character.clone().into_parts();
    parts.meshes[0].scale_positions(1.01);
    let scaled = Character::new(parts).unwrap();
    assert_eq!(refusal(existing, &scaled, &same, KEY, source()), other);
    let fewer = Source {
        max_influences: Some(1),
        ..source()
    };
    assert_eq!(refusal(existing, &character, &same, KEY, fewer), other);
    let encoding = Some(AppendRefusal::Encoding);
    let frames = BakeSettings {
        encoding: Encoding::BoneQt,
        storage: Precision::Unorm16.into(),
        ..settings()
    };
    assert_eq!(
        refusal(existing, &character, &frames, KEY, source()),
        encoding
    );
    let unlike = library(&["x", "y"]);
    let nothing = Some(AppendRefusal::NothingKept);
    assert_eq!(refusal(existing, &unlike, &same, KEY, source()), nothing);
    // A set without digests.
    let plain = bake(&library(&clips[..2]), &same, &source(), &())
        .unwrap()
        .set;
    let existing = Existing {
        set: &plain,
        report: None,
    };
    assert_eq!(refusal(existing, &character, &same, KEY, source()), other);
}

#[test]
fn report_of_other_clips_is_not_used() {
    let old = baked(&library(&["a", "b"]));
    let other = baked(&library(&["a", "z"]));
    let appended = try_append(&(old.0, other.1), &library(&["a", "b", "c"])).unwrap();
    assert!(appended.report.is_none());
}
