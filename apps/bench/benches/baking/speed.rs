//! Speed of a bake, compared with the plain glam loop.

use std::cell::RefCell;
use std::hint::black_box;

use glam::{Vec3, Vec3A};
use throng_bake::{BakeSettings, Rate, bake};
use throng_bench::arena::TurnLength;
use throng_bench::contest::{ContestRules, run_contest};
use throng_bench::cpu_arena::CpuArena;
use throng_bench::glam_loop::{GlamMesh, GlamPalette, Point};
use throng_bench::pace::{Pace, WallClock};
use throng_bench::random::Random;
use throng_bench::record::{Contest, Turn};
use throng_bench::stats::median;
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

/// Nine rounds; one bake takes long enough for a turn.
const RULES: ContestRules = ContestRules {
    turn: TurnLength {
        settle_ms: 0.0,
        sample_ms: 0.0,
        max_frames: 1,
    },
    rounds: [9, 9],
    margin: 0.03,
    seed: 1,
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

    let (vertices, frames) = (mesh.vertex_count(), palettes.len());
    let work = (vertices * frames) as u32;
    let mut arena = CpuArena::default();
    arena.add(work, || {
        black_box(baked());
    });
    for level in [Level::Portable, Level::detect().min(Level::Avx2)] {
        arena.add(work, move || skin(packed, palettes, level));
        arena.add(work, move || skin(aligned, palettes, level));
    }
    let ratings = ratings(&mut arena);
    let speed = |index: usize| ratings[index].iter().copied().fold(0.0, f64::max) / 1e6;
    let glam = (1..ratings.len())
        .max_by(|&a, &b| speed(a).total_cmp(&speed(b)))
        .expect("there are four");
    let rounds = ratings[0].iter().zip(&ratings[glam]);
    let ratio = median(&rounds.map(|(ours, glam)| ours / glam).collect::<Vec<_>>());
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

/// Frames × vertices per second of each contestant, in each round.
fn ratings(arena: &mut CpuArena<'_>) -> Vec<Vec<f64>> {
    let instances = (0..arena.len()).map(|entrant| arena.instances(entrant));
    let mut contest = Contest::of(instances.collect());
    let clock = WallClock::new(&|| false);
    let pace = Pace {
        clock: &clock,
        deadline_secs: f64::INFINITY,
    };
    run_contest(arena, &mut contest, &[], RULES, pace, &mut Random::new(1))
        .expect("closures do not fail");
    let rating = |entrant: usize| {
        let turns = contest
            .rounds
            .iter()
            .flat_map(move |round| &round.turns[entrant]);
        turns.map(Turn::rating).collect()
    };
    (0..arena.len()).map(rating).collect()
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
