//! Golden pictures.
//!
//! Beside each picture is the name of the driver that drew it. A missing golden is a failure. Goldens are rewritten only
//! by `THRONG_WRITE_GOLDENS=1 cargo test -p throng-studio --test goldens`; look at them before you commit them.

mod difference;
mod subjects;

use std::fs;
use std::path::PathBuf;

use difference::Difference;
use glam::Quat;
use subjects::{
    Staged, baked, close_up_of_arms, crowd_of_50, draw, gpu, humanoid, of_character, of_set,
    shifted, upper_body, webgl2,
};
use throng_format::Encoding;
use throng_rig::{Character, Clip, Track};
use throng_studio::Picture;
use throng_wgpu::{Gpu, Technique};

/// Environment variable that rewrites goldens if it is 1.
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

/// Reads a golden.
fn golden(name: &str) -> Picture {
    let path = folder().join(format!("{name}.png"));
    read_png(&path).unwrap_or_else(|| {
        panic!(
            "{} is missing: draw it with {WRITE}=1 cargo test -p throng-studio --test goldens, and look at it",
            path.display()
        )
    })
}

/// Compares a picture with its golden, or rewrites the golden under [`WRITE`].
fn check(gpu: &Gpu, name: &str, staged: &mut Staged) {
    let picture = draw(staged);
    let path = folder().join(format!("{name}.png"));
    if std::env::var(WRITE).as_deref() == Ok("1") {
        write_png(&path, &picture);
        fs::write(
            folder().join(format!("{name}.txt")),
            format!("{}\n", gpu.name()),
        )
        .unwrap();
        return;
    }
    let difference = Difference::between(&golden(name), &picture);
    println!("{name}: {difference:?}");
    if !difference.is_within(Difference::LIMIT) {
        let drawn = std::env::temp_dir().join(format!("throng-{name}.png"));
        write_png(&drawn, &picture);
        panic!(
            "{name} differs from its golden by {difference:?}, expected at most {:?}. The new picture is {}; the golden \
             was drawn by {}. If the change is intended, run {WRITE}=1 cargo test -p throng-studio --test goldens",
            Difference::LIMIT,
            drawn.display(),
            fs::read_to_string(path.with_extension("txt"))
                .unwrap_or_default()
                .trim(),
        );
    }
}

/// The humanoid in the middle of a step, skinned from matrix palettes.
fn walking(gpu: &Gpu) -> Staged {
    of_character(gpu, humanoid("walk"), Technique::PaletteMatrix, 0.1)
}

#[test]
fn walking_humanoid_matches_golden() {
    let Some(gpu) = gpu() else { return };
    check(gpu, "humanoid", &mut upper_body(walking(gpu)));
}

#[test]
fn swinging_arms_match_golden() {
    let Some(gpu) = gpu() else { return };
    check(gpu, "arms", &mut close_up_of_arms(walking(gpu)));
}

#[test]
fn dancing_humanoid_from_compressed_curves_matches_golden() {
    let Some(gpu) = gpu() else { return };
    check(gpu, "dance", &mut of_set(gpu, &subjects::DANCE, 1.2));
}

#[test]
fn bending_bar_from_vertex_textures_matches_golden() {
    let Some(gpu) = gpu() else { return };
    let bar = throng_import::builtin::builtin("bar").unwrap();
    let set = baked(&bar, Encoding::Vertex);
    check(gpu, "bar", &mut of_set(gpu, &set, 0.5));
}

#[test]
fn crowd_of_50_matches_golden() {
    let Some(gpu) = gpu() else { return };
    check(gpu, "crowd", &mut crowd_of_50(gpu));
}

#[test]
fn drawing_twice_gives_the_same_picture() {
    let Some(gpu) = gpu() else { return };
    let mut staged = walking(gpu);
    let picture = draw(&mut staged);
    assert_eq!(draw(&mut staged), picture);
    let is_turquoise = |pixel: &[u8]| pixel[1] > pixel[0].saturating_add(40) && pixel[2] > pixel[0];
    let pixels = picture.rgb.chunks_exact(3);
    let shirt = pixels.filter(|pixel| is_turquoise(pixel)).count();
    assert!(shirt > 200, "{shirt} pixels of the turquoise shirt");
}

/// Another driver may place its samples elsewhere in a pixel: a shift of an eighth of a pixel is within the limit.
#[test]
fn comparison_tolerates_a_shift_of_an_eighth_of_a_pixel() {
    let Some(gpu) = gpu() else { return };
    let picture = draw(&mut shifted(close_up_of_arms(walking(gpu)), 0.125));
    let difference = Difference::between(&golden("arms"), &picture);
    println!("shifted: {difference:?}");
    assert!(difference.is_within(Difference::LIMIT), "{difference:?}");
}

/// Browsers without WebGPU draw the same pictures.
#[test]
fn webgl2_limits_match_the_same_goldens() {
    let Some(gpu) = webgl2() else { return };
    let difference =
        Difference::between(&golden("humanoid"), &draw(&mut upper_body(walking(&gpu))));
    assert!(difference.is_within(Difference::LIMIT), "{difference:?}");
    let mut staged = of_set(&gpu, &subjects::DANCE, 1.2);
    let difference = Difference::between(&golden("dance"), &draw(&mut staged));
    assert!(difference.is_within(Difference::LIMIT), "{difference:?}");
}

#[test]
fn comparison_detects_a_forearm_rotated_by_3_degrees() {
    let Some(gpu) = gpu() else { return };
    let axes = [glam::Vec3::X, glam::Vec3::Z];
    for axis in axes {
        let rotated = with_rotated_forearm(humanoid("walk"), axis, 3.0);
        let staged = of_character(gpu, rotated, Technique::PaletteMatrix, 0.1);
        let picture = draw(&mut close_up_of_arms(staged));
        let difference = Difference::between(&golden("arms"), &picture);
        println!("rotated about {axis}: {difference:?}");
        assert!(
            !difference.is_within(Difference::LIMIT),
            "{axis}: {difference:?}"
        );
    }
}

fn with_rotated_forearm(character: Character, axis: glam::Vec3, degrees: f32) -> Character {
    let mut parts = character.into_parts();
    let joints = parts.skeleton.joints();
    let forearm = joints
        .iter()
        .position(|j| j.name == "left_forearm")
        .unwrap();
    let rotation_offset = Quat::from_axis_angle(axis, degrees.to_radians());
    let clip = &parts.clips[0];
    let mut tracks = clip.joints().to_vec();
    for track in tracks.iter_mut().filter(|track| track.joint == forearm) {
        let rotation = track.rotation.take().unwrap();
        let values = rotation
            .values()
            .iter()
            .map(|&q| q * rotation_offset)
            .collect();
        let times = rotation.times().to_vec();
        track.rotation = Some(Track::new(times.into(), values, rotation.interpolation()).unwrap());
    }
    parts.clips = vec![Clip::new(clip.name.clone(), tracks, Vec::new()).unwrap()];
    Character::new(parts).unwrap()
}
