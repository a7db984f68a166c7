//! CPU time per clip of libraries of 250 to 2 000 clips, which must not grow with their number.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use glam::Quat;
use throng_bake::accuracy::verify;
use throng_bake::search::{Goal, SearchSpace, search};
use throng_bake::text::{Align, Table};
use throng_bake::{BakeSettings, DEFAULT_ERROR_OF_SIZE, Effort, bake};
use throng_format::file::{FileFormat, Supercompression};
use throng_format::{Encoding, Storage, TextureSet, disk};
use throng_import::builtin::builtin;
use throng_rig::{Character, Clip, Interpolation, JointTracks, Track};
use throng_testkit::Random;

use crate::{source, verdict};

/// Largest time per clip of the largest library, as a multiple of that of the smallest.
const BAR: f64 = 1.2;
/// Numbers of clips.
const SIZES: [usize; 4] = [250, 500, 1000, 2000];
/// Character whose clips are replaced, unless another is named.
const CHARACTER: &str = "bar:100";
/// Keys of a track, at 30 Hz.
const KEYS: usize = 13;

const STAGES: [&str; 5] = ["SEARCH", "BAKE", "WRITE", "READ", "VERIFY"];

/// Prints CPU milliseconds per clip; returns false if the bar is missed.
pub fn report(named: &[String]) -> bool {
    let name = named.first().map_or(CHARACTER, String::as_str);
    let name = name.strip_prefix("builtin:").unwrap_or(name);
    let Ok(character) = builtin(name) else {
        eprintln!("{name} is not a built-in character");
        return false;
    };
    let mut columns = vec![("CLIPS", Align::Right)];
    columns.extend(STAGES.map(|stage| (stage, Align::Right)));
    columns.push(("ALL", Align::Right));
    let mut table = Table::new(&columns);
    let measured = SIZES.map(|clips| {
        let per_clip = stages(&library(&character, clips)).map(|time| {
            let millis = 1e3 * time.as_secs_f64();
            millis / clips as f64
        });
        let all: f64 = per_clip.iter().sum();
        let mut row = vec![clips.to_string()];
        row.extend(per_clip.iter().chain([&all]).map(|ms| format!("{ms:.3}")));
        table.row(row);
        all
    });
    println!("Libraries of clips on {name}: CPU milliseconds per clip, fast effort");
    println!("{table}");
    let ratio = measured[SIZES.len() - 1] / measured[0];
    println!(
        "  {} clips take {ratio:.2} times as long per clip as {}, bar {BAR}: {}",
        SIZES[SIZES.len() - 1],
        SIZES[0],
        verdict(ratio <= BAR)
    );
    ratio <= BAR
}

/// Returns the CPU time of each stage.
fn stages(character: &Character) -> [Duration; 5] {
    let settings = BakeSettings {
        encoding: Encoding::BoneLocal,
        storage: Storage::Compressed,
        effort: Effort::Fast,
        ..BakeSettings::default()
    };
    let space = SearchSpace::default();
    let goal = Goal::MaxError {
        of_size: DEFAULT_ERROR_OF_SIZE,
    };
    let (found, searching) = timed(|| {
        search(character, &settings, &space, goal, source("library"), &())
            .expect("compressed curves meet the error")
    });
    drop(found);
    let (baked, baking) = timed(|| {
        bake(character, &settings, &source("library"), &())
            .expect("a library bakes")
            .set
    });
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("set");
    let ((), writing) = timed(|| write(&baked, &path));
    let (read, reading) = timed(|| disk::read(&path).expect("the set was just written"));
    let (report, verifying) = timed(|| verify(&read, character, &()).expect("its source"));
    assert_eq!(report.error.clips.len(), character.clips().len());
    [searching, baking, writing, reading, verifying]
}

fn write(set: &TextureSet, path: &Path) {
    disk::write_folder(set, path, FileFormat::Ktx2, Supercompression::None, &[])
        .expect("a writable folder");
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = ProcessTime::now();
    let result = work();
    (result, start.elapsed())
}

/// Returns the character with other clips: every clip rotates about half of the joints, each about an axis of its own.
fn library(character: &Character, clips: usize) -> Character {
    let mut random = Random::new(1);
    let times: Arc<[f64]> = (0..KEYS).map(|key| key as f64 / 30.0).collect();
    let clips = (0..clips).map(|clip| {
        let joints = character.skeleton().joints().iter().enumerate();
        let tracks = joints.filter_map(|(joint, rest)| {
            let mut unit = || random.below(1 << 20) as f32 / (1 << 20) as f32;
            let axis = glam::Vec3::new(unit() - 0.5, unit() - 0.5, unit() - 0.5);
            let (angle, speed, phase, moves) = (unit(), 9.0 * unit(), 6.0 * unit(), unit() < 0.5);
            let rotation = |key: usize| {
                let swing = angle * (speed * key as f32 / 30.0 + phase).sin();
                let turned = Quat::from_axis_angle(axis.normalize_or(glam::Vec3::X), swing);
                (rest.parent_from_joint.rotation.as_quat() * turned).normalize()
            };
            let values: Vec<Quat> = (0..KEYS).map(rotation).collect();
            let track = Track::new(times.clone(), values, Interpolation::Linear);
            moves.then(|| JointTracks {
                rotation: Some(track.expect("as many values as times")),
                ..JointTracks::new(joint)
            })
        });
        let tracks: Vec<JointTracks> = tracks.collect();
        Clip::new(format!("clip {clip}"), tracks, Vec::new()).expect("one track per joint")
    });
    let clips: Vec<Clip> = clips.collect();
    let mut parts = character.clone().into_parts();
    parts.clips = clips;
    Character::new(parts).expect("joints of the skeleton")
}
