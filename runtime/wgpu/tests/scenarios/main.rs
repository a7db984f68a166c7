//! Every technique on the GPU equals its twin on the CPU: characters × techniques × methods × times.
//!
//! `table.json` lists the scenarios and their tolerances. Vulkan runs with the limits of the adapter, GL with the limits
//! of WebGL2.

mod compare;
#[path = "../common/gpu.rs"]
mod device;
mod table;

use std::sync::Arc;

use compare::{Worst, compare, has_tangent};
use device::{crowd_of_character, crowd_of_set};
use glam::Vec3Swizzles;
use table::{CharacterRow, PlayedRow, SetRow, table};
use throng_bake::accuracy::{Playback, Played, SetPlayback};
use throng_bake::{BakeError, BakeSettings, Preset, Rate, bake, drawing_order};
use throng_format::{Encoding, Source, TextureSet};
use throng_import::ImportOptions;
use throng_rig::{Character, CharacterPose, LoopPolicy, Method, Skinning};
use throng_skin::reference::{Skinned, skin_part};
use throng_wgpu::{
    DecodeMode, Gpu, GpuError, GpuLimits, Instance, ModelSettings, Play, Technique, Ticks,
};

/// Tangents are read back as 16-bit numbers.
const TANGENT_DEGREES: f64 = 0.01;

fn character(row: &CharacterRow) -> Option<Character> {
    let path = match row.source.starts_with("builtin:") {
        true => row.source.clone(),
        false => throng_testkit::shared_assets()?
            .join(&row.source)
            .display()
            .to_string(),
    };
    let imported = throng_import::import(&path, &ImportOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", row.source));
    Some(with_vertex_data(drawing_order(&imported.character)))
}

/// Gives each vertex a centre of rotation and a blend factor, equal where vertices share a position.
fn with_vertex_data(character: Character) -> Character {
    let mut parts = character.into_parts();
    for mesh in &mut parts.meshes {
        let positions = mesh.positions().to_vec();
        let centers = positions.iter().map(|&p| 0.7 * p + 0.1 * p.yzx());
        mesh.set_rotation_centers(centers.collect()).unwrap();
        if mesh.blend_factors().is_empty() {
            let factors = positions
                .iter()
                .map(|p| (7.0 * p.x + 5.0 * p.y).fract().abs());
            mesh.set_blend_factors(factors.collect()).unwrap();
        }
    }
    Character::new(parts).unwrap()
}

fn source() -> Source {
    Source {
        digest: "sha256:00".into(),
        settings: "sha256:00".into(),
        ..Source::in_memory("test")
    }
}

fn bake_row(character: &Character, row: &SetRow, method: &str) -> Result<TextureSet, BakeError> {
    let settings = BakeSettings {
        encoding: row.encoding.parse().unwrap(),
        storage: row.storage.parse().unwrap(),
        skinning: method.parse().unwrap(),
        clips: vec![0],
        rate: Rate::Hz(10.0),
        interpolation: row.blend.as_ref().map(|blend| blend.parse().unwrap()),
        max_side: row.max_side.unwrap_or(2048),
        max_error_of_size: 0.01,
        preset: row.preset.as_ref().map(|name| {
            let named = |preset: &&Preset| preset.name() == name;
            *Preset::ALL.iter().find(named).unwrap()
        }),
        ..BakeSettings::default()
    };
    Ok(bake(character, &settings, &source(), &())?.set)
}

/// Instances that hold fractions of a clip, and their times in seconds.
fn held(times: &[f64], duration_secs: f64) -> (Vec<Instance>, Vec<f64>) {
    let secs = times.iter().map(|time| (time * duration_secs) as f32);
    let instances = secs.clone().map(|time_secs| Instance {
        play: Play::held(0, time_secs),
        ..Instance::default()
    });
    (instances.collect(), secs.map(f64::from).collect())
}

/// Runs `work` on both devices in parallel.
fn on_both<T: Send>(gpus: &[Gpu; 2], work: impl Fn(&Gpu) -> T + Sync) -> [T; 2] {
    let work = &work;
    std::thread::scope(|scope| {
        gpus.each_ref()
            .map(|gpu| scope.spawn(move || work(gpu)))
            .map(|thread| thread.join().unwrap())
    })
}

struct Runner {
    /// Vulkan with the limits of the adapter, GL with the limits of WebGL2.
    gpus: [Gpu; 2],
    times: Vec<f64>,
    /// Number of poses that were compared.
    compared: usize,
    /// Largest errors of the current character.
    worst: Worst,
    failures: Vec<String>,
}

impl Runner {
    /// Records a comparison, and a failure if it exceeds the tolerance.
    fn record(&mut self, row: &CharacterRow, what: &str, worst: Worst) {
        self.compared += 1;
        self.worst.mm = self.worst.mm.max(worst.mm);
        self.worst.degrees = self.worst.degrees.max(worst.degrees);
        self.worst.tangent_degrees = self.worst.tangent_degrees.max(worst.tangent_degrees);
        let angle = worst.degrees.max(worst.tangent_degrees - TANGENT_DEGREES);
        if worst.mm > row.tolerance_mm || angle > row.tolerance_degrees {
            self.failures.push(format!(
                "{} {what}: {:.4} mm at vertex {} (expected at most {}), normals {:.3}° and tangents {:.3}° (expected \
                 at most {})",
                row.source,
                worst.mm,
                worst.vertex,
                row.tolerance_mm,
                worst.degrees,
                worst.tangent_degrees,
                row.tolerance_degrees
            ));
        }
    }

    fn compare_set(
        &mut self,
        row: &CharacterRow,
        set: &TextureSet,
        what: &str,
        decode: DecodeMode,
    ) {
        let settings = ModelSettings {
            decode,
            ..ModelSettings::default()
        };
        let method = set.manifest().method;
        let is_bones = !set.manifest().encoding.is_vertex();
        let playback = SetPlayback::new(set);
        let mut player = playback.player();
        let (instances, times) = held(&self.times, set.manifest().clips[0].duration_secs);
        let expected: Vec<Vec<Skinned>> = times
            .iter()
            .map(|&time_secs| {
                let mut played = Played::default();
                player.play(0, time_secs, &mut played);
                played.parts
            })
            .collect();
        let both = on_both(&self.gpus, |gpu| {
            let mut crowd = crowd_of_set(gpu, set, settings)?;
            crowd.set_instances(&instances)?;
            crowd.capture(Ticks(12345))?.wait()
        });
        for (captured, gpu) in both.into_iter().zip(self.gpus.clone()) {
            let what = format!("{what} on {:?}", gpu.backend());
            let captured = match captured {
                Ok(captured) => captured,
                Err(GpuError::NotRigid)
                    if is_bones && method != Method::Lbs.into() && !row.rigid =>
                {
                    return;
                }
                Err(error) => {
                    self.failures
                        .push(format!("{} {what}: {error}", row.source));
                    continue;
                }
            };
            for ((captured, expected), time_secs) in captured.iter().zip(&expected).zip(&times) {
                let worst = compare(captured, expected, |part, vertex| {
                    has_tangent(set.model(), part, vertex)
                });
                self.record(row, &format!("{what} at {time_secs:.3} s"), worst);
            }
        }
    }

    fn compare_sets(&mut self, row: &CharacterRow, character: &Character, sets: &[SetRow]) {
        for set_row in sets
            .iter()
            .filter(|set_row| row.thorough || !set_row.thorough)
        {
            for method in &set_row.methods {
                let mut what = format!("{} {} {method}", set_row.encoding, set_row.storage);
                for extra in [&set_row.blend, &set_row.preset].into_iter().flatten() {
                    what += &format!(" {extra}");
                }
                let set = match bake_row(character, set_row, method) {
                    Ok(set) => set,
                    Err(_) if row.cannot_hold(set_row) => continue,
                    Err(error) => {
                        self.failures
                            .push(format!("{} {what}: {error}", row.source));
                        continue;
                    }
                };
                for decode in &set_row.decode {
                    let place = match decode.as_str() {
                        "pass" => DecodeMode::Pass,
                        _ => DecodeMode::Direct,
                    };
                    self.compare_set(row, &set, &format!("{what} {decode}"), place);
                }
            }
        }
    }

    fn compare_played(
        &mut self,
        row: &CharacterRow,
        character: &Arc<Character>,
        played: &PlayedRow,
    ) {
        let technique: Technique = played.technique.parse().unwrap();
        let clip = &character.clips()[0];
        for method in &played.methods {
            let method: Skinning = method.parse().unwrap();
            let (instances, times) = held(&self.times, clip.duration_secs());
            let mut pose = CharacterPose::rest(character);
            let mut expected = Vec::new();
            for time_secs in &times {
                if technique != Technique::Control {
                    pose.sample(character, clip, clip.start_secs() + time_secs);
                }
                let skin = |part| {
                    let mut skinned = Skinned::default();
                    skin_part(character, part, &pose, method, &mut skinned);
                    skinned
                };
                expected.push(character.parts().iter().map(skin).collect::<Vec<_>>());
            }
            let both = on_both(&self.gpus, |gpu| {
                let loops = [LoopPolicy::Once];
                let settings = ModelSettings::default();
                let made = crowd_of_character(gpu, character, &loops, technique, method, settings);
                let mut crowd =
                    made.unwrap_or_else(|error| panic!("{} {technique}: {error}", row.source));
                crowd.set_instances(&instances).unwrap();
                crowd.capture(Ticks(0)).unwrap().wait().unwrap()
            });
            for (captured, gpu) in both.into_iter().zip(self.gpus.clone()) {
                for ((captured, expected), time_secs) in captured.iter().zip(&expected).zip(&times)
                {
                    let backend = gpu.backend();
                    let what = format!("{technique} {method} on {backend:?} at {time_secs:.3} s");
                    let worst = compare(captured, expected, |part, vertex| {
                        has_tangent(character, part, vertex)
                    });
                    self.record(row, &what, worst);
                }
            }
        }
    }
}

#[test]
fn every_technique_matches_its_cpu_twin() {
    let table = table();
    let Some(vulkan) = device::open(wgpu::Backends::VULKAN, GpuLimits::Adapter) else {
        return;
    };
    let Some(gl) = device::open(wgpu::Backends::GL, GpuLimits::WebGl2) else {
        return;
    };
    println!("{}, {}", vulkan.name(), gl.name());
    let mut runner = Runner {
        gpus: [vulkan, gl],
        times: table.times.clone(),
        compared: 0,
        worst: Worst::default(),
        failures: Vec::new(),
    };
    for row in &table.characters {
        let Some(character) = character(row) else {
            continue;
        };
        let before = runner.compared;
        runner.worst = Worst::default();
        let started = std::time::Instant::now();
        runner.compare_sets(row, &character, &table.sets);
        let character = Arc::new(character);
        for played in table
            .played
            .iter()
            .filter(|played| row.thorough || !played.thorough)
        {
            runner.compare_played(row, &character, played);
        }
        println!(
            "{}: {} poses, errors of at most {:.5} mm, normals {:.4}°, tangents {:.4}°, {:.1} s",
            row.source,
            runner.compared - before,
            runner.worst.mm,
            runner.worst.degrees,
            runner.worst.tangent_degrees,
            started.elapsed().as_secs_f64()
        );
    }
    println!("{} poses", runner.compared);
    assert!(runner.failures.is_empty(), "{}", runner.failures.join("\n"));
    assert!(runner.compared > 1000);
}

#[test]
fn refuses_bulge_free_skinning_in_shaders() {
    let Some(gpu) = device::open(wgpu::Backends::VULKAN, GpuLimits::Adapter) else {
        return;
    };
    let table = table();
    let character = Arc::new(character(&table.characters[0]).expect("a built-in character"));
    let row = table.sets.iter().find(|row| row.encoding == "bone-qt");
    let refused = bake_row(&character, row.unwrap(), "dqs-bulge-free").unwrap_err();
    assert!(
        refused.to_string().contains("use --encoding vertex"),
        "{refused}"
    );
    let method = Method::DqsBulgeFree;
    let set = bake_row(&character, row.unwrap(), "dqs").unwrap();
    let set = set.with_skinning(method.into()).unwrap();
    let of_set = crowd_of_set(&gpu, &set, ModelSettings::default());
    let of_palette = crowd_of_character(
        &gpu,
        &character,
        &[],
        Technique::PaletteDq,
        method,
        ModelSettings::default(),
    );
    for result in [of_set.map(|_| ()), of_palette.map(|_| ())] {
        let error = result.unwrap_err().to_string();
        assert!(
            error.contains("technique cpu, or bake as vertex"),
            "{error}"
        );
    }
}

#[test]
fn table_covers_every_encoding_and_technique() {
    let table = table();
    for encoding in Encoding::ALL {
        assert!(
            table.sets.iter().any(|row| row.encoding == encoding.name()),
            "{encoding}"
        );
    }
    for technique in
        Technique::all().filter(|technique| !matches!(technique, Technique::Texture(_)))
    {
        assert!(
            table
                .played
                .iter()
                .any(|row| row.technique == technique.name()),
            "{technique}"
        );
    }
}
