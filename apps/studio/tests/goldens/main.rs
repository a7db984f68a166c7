//! Pictures that must stay as they are.
//!
//! Beside each is the name of the driver that drew it. A missing one fails; they are written anew only by
//! `THRONG_WRITE_GOLDENS=1 cargo test -p throng-studio --test goldens`, to be looked at before they are committed.

mod likeness;
mod subjects;

use std::fs;
use std::path::PathBuf;

use glam::Quat;
use likeness::Likeness;
use subjects::{
    GPU, Staged, arms, aside, closely, crowd_of_50, draw, humanoid, of_character, of_set, webgl2,
};
use throng_format::Encoding;
use throng_rig::{Character, Clip, Track};
use throng_studio::Picture;
use throng_wgpu::Technique;

/// Set to 1 to write goldens anew.
const WRITE: &str = "THRONG_WRITE_GOLDENS";

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "goldens"]
        .iter()
        .collect()
}

fn write_png(path: &PathBuf, picture: &Picture) {
    let file = fs::File::create(path).unwrap();
    let mut encoder = png::Encoder::new(file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&picture.rgb).unwrap();
    writer.finish().unwrap();
}

fn read_png(path: &PathBuf) -> Option<Picture> {
    let file = std::io::BufReader::new(fs::File::open(path).ok()?);
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgb).unwrap();
    Some(Picture {
        width: info.width,
        height: info.height,
        rgb,
    })
}

/// What a picture is held against.
fn golden(name: &str) -> Picture {
    let path = folder().join(format!("{name}.png"));
    read_png(&path).unwrap_or_else(|| {
        panic!(
            "{} is missing: run {WRITE}=1 cargo test -p throng-studio --test goldens, and look at it",
            path.display()
        )
    })
}

/// Holds a picture against its golden, or writes it where that is asked for.
fn check(name: &str, staged: &mut Staged) {
    let picture = draw(staged);
    let path = folder().join(format!("{name}.png"));
    if std::env::var(WRITE).as_deref() == Ok("1") {
        write_png(&path, &picture);
        fs::write(
            folder().join(format!("{name}.txt")),
            format!("{}\n", GPU.name()),
        )
        .unwrap();
        return;
    }
    let likeness = Likeness::of(&golden(name), &picture);
    println!("{name}: {likeness:?}");
    if !likeness.is_within(Likeness::LIMIT) {
        let seen = std::env::temp_dir().join(format!("throng-{name}.png"));
        write_png(&seen, &picture);
        panic!(
            "{name} looks different, by {likeness:?} where {:?} is allowed. It is now {}; the golden was drawn by {}. \
             If the change is meant, run {WRITE}=1 cargo test -p throng-studio --test goldens",
            Likeness::LIMIT,
            seen.display(),
            fs::read_to_string(path.with_extension("txt"))
                .unwrap_or_default()
                .trim(),
        );
    }
}

#[test]
fn a_humanoid_who_walks() {
    let staged = of_character(&GPU, humanoid("walk"), Technique::PaletteMatrix, 0.1);
    check("humanoid", &mut closely(staged));
}

#[test]
fn arms_that_swing() {
    let staged = of_character(&GPU, humanoid("walk"), Technique::PaletteMatrix, 0.1);
    check("arms", &mut arms(staged));
}

#[test]
fn a_humanoid_who_dances_from_a_texture() {
    let mut staged = of_set(&GPU, &humanoid("dance"), Encoding::BoneLocal, 1.2);
    check("dance", &mut staged);
}

#[test]
fn a_bar_that_bends() {
    let bar = throng_import::builtin::builtin("bar").unwrap();
    let mut staged = of_set(&GPU, &bar, Encoding::Vertex, 0.5);
    check("bar", &mut staged);
}

#[test]
fn a_crowd_of_fifty() {
    check("crowd", &mut crowd_of_50());
}

#[test]
fn a_picture_is_the_same_twice_and_not_empty() {
    let mut staged = of_character(&GPU, humanoid("walk"), Technique::PaletteMatrix, 0.1);
    let picture = draw(&mut staged);
    assert_eq!(draw(&mut staged), picture);
    let shirt = |texel: &[u8]| texel[1] > texel[0].saturating_add(40) && texel[2] > texel[0];
    let seen = picture
        .rgb
        .chunks_exact(3)
        .filter(|texel| shirt(texel))
        .count();
    assert!(seen > 200, "{seen} texels of a turquoise shirt");
}

/// The comparison is blunt enough for a driver whose samples are elsewhere in a texel: here everything is an eighth of
/// a texel aside.
#[test]
fn a_texel_that_is_sampled_elsewhere_is_not_seen() {
    let staged = of_character(&GPU, humanoid("walk"), Technique::PaletteMatrix, 0.1);
    let picture = draw(&mut aside(arms(staged), 0.125));
    let likeness = Likeness::of(&golden("arms"), &picture);
    println!("aside: {likeness:?}");
    assert!(likeness.is_within(Likeness::LIMIT), "{likeness:?}");
}

/// Browsers without WebGPU draw the same.
#[test]
fn webgl2_limits_are_enough() {
    let gpu = webgl2();
    let staged = of_character(&gpu, humanoid("walk"), Technique::PaletteMatrix, 0.1);
    let likeness = Likeness::of(&golden("humanoid"), &draw(&mut closely(staged)));
    assert!(likeness.is_within(Likeness::LIMIT), "{likeness:?}");
    let mut staged = of_set(&gpu, &humanoid("dance"), Encoding::BoneLocal, 1.2);
    let likeness = Likeness::of(&golden("dance"), &draw(&mut staged));
    assert!(likeness.is_within(Likeness::LIMIT), "{likeness:?}");
}

/// The comparison is sharp enough for what an animation gets wrong.
#[test]
fn a_forearm_turned_by_three_degrees_is_seen() {
    let axes = [glam::Vec3::X, glam::Vec3::Z];
    for axis in axes {
        let turned = with_turned_forearm(humanoid("walk"), axis, 3.0);
        let staged = of_character(&GPU, turned, Technique::PaletteMatrix, 0.1);
        let likeness = Likeness::of(&golden("arms"), &draw(&mut arms(staged)));
        println!("turned about {axis}: {likeness:?}");
        assert!(!likeness.is_within(Likeness::LIMIT), "{axis}: {likeness:?}");
    }
}

fn with_turned_forearm(character: Character, axis: glam::Vec3, degrees: f32) -> Character {
    let mut parts = character.into_parts();
    let joints = parts.skeleton.joints();
    let forearm = joints
        .iter()
        .position(|j| j.name == "left_forearm")
        .unwrap();
    let turn = Quat::from_axis_angle(axis, degrees.to_radians());
    let clip = &parts.clips[0];
    let mut tracks = clip.joints().to_vec();
    for track in tracks.iter_mut().filter(|track| track.joint == forearm) {
        let rotation = track.rotation.take().unwrap();
        let values = rotation.values().iter().map(|&q| q * turn).collect();
        let times = rotation.times().to_vec();
        track.rotation = Some(Track::new(times.into(), values, rotation.interpolation()).unwrap());
    }
    parts.clips = vec![Clip::new(clip.name.clone(), tracks, Vec::new()).unwrap()];
    Character::new(parts).unwrap()
}
