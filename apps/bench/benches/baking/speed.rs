//! Speed of a bake, compared with the plain glam loop.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Duration;

use glam::{Vec3, Vec3A};
use throng_bake::{BakeSettings, Rate, bake};
use throng_bench::glam_loop::{GlamMesh, GlamPalette, Point};
use throng_bench::measure::{Contender, Effort, Times};
use throng_format::{Encoding, Precision, TextureSet};
use throng_import::builtin::builtin;
use throng_rig::{Character, CharacterPose, Method};
use throng_simd::Level;

use crate::{source, verdict};

/// Required speed relative to the glam loop.
const BAR: f64 = 1.5;

const VERTICES: [usize; 2] = [45_000, 100_000];
const RATE_HZ: f64 = 30.0;
/// The clips that are baked.
const CLIPS: [&str; 2] = ["walk", "dance"];

const EFFORT: Effort = Effort {
    rounds: 9,
    turn: Duration::from_millis(1),
};

/// Prints the speeds; returns false if the bar is missed.
pub fn report() -> bool {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "Baking `vertex` f16 on {cores} cores, {}: M frames × vertices/s of the quietest round, ratios \
         within a round (median) and of the quietest rounds",
        Level::detect()
    );
    println!(
        "  {:>8}{:>8}{:>14}{:>7}{:>8}{:>8}{:>8}",
        "vertices", "frames", "glam, 1 core", "bake", "median", "best", "bar"
    );
    let all_met = VERTICES.map(one);
    println!();
    all_met.into_iter().all(|met| met)
}

/// Measures one size.
fn one(wanted: usize) -> bool {
    let name = format!("humanoid:{wanted}");
    let character = &builtin(&name).expect("a built-in character");
    let clips = CLIPS.map(|name| {
        let found = character.clips().iter().position(|clip| clip.name == name);
        found.expect("a clip of the humanoid")
    });
    let settings = &BakeSettings {
        encoding: Encoding::Vertex,
        storage: Precision::F16.into(),
        rate: Rate::Hz(RATE_HZ),
        clips: clips.to_vec(),
        ..BakeSettings::default()
    };
    let source = &source(&name);
    let baked = || {
        bake(character, settings, source, &())
            .expect("a humanoid bakes")
            .set
    };
    let set = baked();
    let palettes = &palettes(character, &set, &clips);
    let mesh = character.mesh_of(&character.parts()[0]);
    let packed = &RefCell::new(GlamMesh::<Vec3>::new(mesh));
    let aligned = &RefCell::new(GlamMesh::<Vec3A>::new(mesh));

    let mut contenders = vec![Contender::new(move || {
        black_box(baked());
    })];
    for level in [Level::Portable, Level::detect().min(Level::Avx2)] {
        contenders.push(Contender::new(move || skin(packed, palettes, level)));
        contenders.push(Contender::new(move || skin(aligned, palettes, level)));
    }
    let times = Times::measure(&mut contenders, EFFORT);
    let glam = (1..contenders.len())
        .min_by(|&a, &b| times.best_secs(a).total_cmp(&times.best_secs(b)))
        .expect("there are four");

    let (vertices, frames) = (mesh.vertex_count(), palettes.len());
    let speed = |index| (vertices * frames) as f64 / times.best_secs(index) / 1e6;
    let ratio = times.speed_ratio(0, glam);
    let met = ratio >= BAR;
    println!(
        "  {vertices:>8}{frames:>8}{:>14.0}{:>7.0}{ratio:>8.2}{:>8.2}{BAR:>8} {}",
        speed(glam),
        speed(0),
        speed(0) / speed(glam),
        verdict(met)
    );
    met
}

/// Poses of every frame of a set for the glam loop, which only has to skin.
fn palettes(character: &Character, set: &TextureSet, clips: &[usize]) -> Vec<GlamPalette> {
    let mut pose = CharacterPose::rest(character);
    let skin = character.parts()[0].skin;
    let mut palettes = Vec::new();
    for (entry, &clip) in set.manifest().clips.iter().zip(clips) {
        let clip = &character.clips()[clip];
        for frame in 0..entry.frames {
            let time_secs = clip.start_secs() + f64::from(frame) / entry.rate_hz;
            pose.sample(character, clip, time_secs);
            palettes.push(GlamPalette::new(&pose.palettes[skin]));
        }
    }
    palettes
}

/// Skins every frame in sequence into the mesh's buffer.
fn skin<P: Point>(mesh: &RefCell<GlamMesh<P>>, palettes: &[GlamPalette], level: Level) {
    let mut mesh = mesh.borrow_mut();
    for palette in palettes {
        mesh.skin(Method::Lbs, palette, level);
    }
    black_box(mesh.vertex(0));
}
