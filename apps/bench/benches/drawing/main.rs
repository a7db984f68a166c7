//! Throughput of every technique, relative to a static (unanimated) crowd.
//!
//! `cargo bench -p throng-bench --bench drawing` prints, in one run, each technique against `control`, `control`
//! against a bare static draw, all against `palette-matrix` drawn in a loop, bone textures decoded in the vertex shader
//! against a decode pass, the techniques of the CPU (float32 on all cores) against float64 on one core, and the calling
//! thread's time by number of instances. A ratio is the median over frames of a
//! frame and the control's frame right before it, because the speed of a machine changes from second to second.
//! Arguments select subjects and sets by parts of their names.

mod cpu;
mod float64;
mod stage;

use std::sync::Arc;
use std::time::Duration;

use float64::Float64;
use stage::{Drawn, FrameTime, SIZE, Stage, grid_of_instances};
use throng_bake::{BakeSettings, bake, drawing_order};
use throng_format::{Encoding, Precision, Source, Storage, TextureSet};
use throng_rig::Character;
use throng_wgpu::{
    CrowdModel, DecodeMode, Fades, Gpu, Instancing, ModelSettings, SetBuffers, Technique, Ticks,
};

/// Name of the bare static draw that the control is compared with.
const BARE: &str = "bare static draw";

/// Frames of each contender, in turns.
const ROUNDS: usize = 50;

/// Characters, number of instances, and spacing in metres.
const SUBJECTS: [(&str, usize, f32); 2] = [("humanoid:2330", 300, 1.9), ("bar:312", 2000, 2.2)];

const SETS: [(Encoding, Storage); 14] = [
    (Encoding::Vertex, Storage::Frames(Precision::Unorm8)),
    (Encoding::Vertex, Storage::Frames(Precision::Unorm16)),
    (Encoding::Vertex, Storage::Frames(Precision::F16)),
    (Encoding::Vertex, Storage::Frames(Precision::F32)),
    (Encoding::Vertex, Storage::Compressed),
    (Encoding::VertexRay, Storage::Frames(Precision::Unorm8)),
    (Encoding::BoneMatrix, Storage::Frames(Precision::Unorm8)),
    (Encoding::BoneMatrix, Storage::Frames(Precision::Unorm16)),
    (Encoding::BoneDq, Storage::Frames(Precision::Unorm8)),
    (Encoding::BoneDq, Storage::Frames(Precision::Unorm16)),
    (Encoding::BoneDq, Storage::Frames(Precision::F32)),
    (Encoding::BoneQt, Storage::Frames(Precision::Unorm16)),
    (Encoding::VirtualBones, Storage::Frames(Precision::Unorm16)),
    (Encoding::BoneLocal, Storage::Compressed),
];

struct Contender {
    name: String,
    drawn: Drawn,
    /// Seconds of the control's frame and of the contender's frame right after it.
    frames: Vec<[f64; 2]>,
    /// Seconds of preparing each frame.
    posing: Vec<f64>,
}

impl Contender {
    fn new(name: String, drawn: Drawn) -> Self {
        Self {
            name,
            drawn,
            frames: Vec::new(),
            posing: Vec::new(),
        }
    }

    fn draw(&mut self, stage: &Stage, now: Ticks, spread: f32) -> FrameTime {
        stage.draw(&mut self.drawn, now, spread)
    }

    fn seconds(&self) -> f64 {
        median(self.frames.iter().map(|[_, own]| *own).collect())
    }

    /// Throughput relative to the control.
    fn of_control(&self) -> f64 {
        let ratios = self.frames.iter().map(|[control, own]| control / own);
        median(ratios.collect())
    }
}

fn baked(character: &Character, encoding: Encoding, storage: impl Into<Storage>) -> TextureSet {
    let settings = BakeSettings {
        encoding,
        storage: storage.into(),
        skinning: Technique::Texture(encoding).default_skinning(),
        ..BakeSettings::default()
    };
    let source = Source::in_memory(character.name.clone());
    bake(character, &settings, &source, &()).unwrap().set
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn played(
    gpu: &Gpu,
    character: &Arc<Character>,
    technique: Technique,
    instancing: Instancing,
) -> CrowdModel {
    let settings = ModelSettings {
        instancing,
        fades: Fades::None,
        ..ModelSettings::default()
    };
    let (device, queue) = (gpu.device(), gpu.queue());
    CrowdModel::of_character(
        device,
        queue,
        character,
        &[],
        technique,
        technique.default_skinning(),
        settings,
    )
    .unwrap()
}

fn run(control: &mut Contender, contenders: &mut [Contender], stage: &Stage, spread: f32) {
    for round in 0..ROUNDS + 2 {
        let now = Ticks(round as u32 * 2184);
        for contender in &mut *contenders {
            let standing = control.draw(stage, now, spread);
            let own = contender.draw(stage, now, spread);
            // The first rounds compile and fill caches.
            if round >= 2 {
                let frame = [standing, own].map(|time| time.whole.as_secs_f64());
                contender.frames.push(frame);
                contender.posing.push(own.preparing.as_secs_f64());
            }
        }
    }
}

fn subject(gpu: &Gpu, stage: &Stage, name: &str, count: usize, size: f32) {
    let character = Arc::new(drawing_order(
        &throng_import::builtin::builtin(name).unwrap(),
    ));
    let clips = character.clips().len() as u32;
    let (instances, spread) = grid_of_instances(count, clips, size);
    let mut contenders = Vec::new();
    let mut add = |name: String, model: &CrowdModel| {
        let mut crowd = model.crowd().unwrap();
        crowd.set_instances(&instances).unwrap();
        let drawn = Drawn::Crowd(Box::new(crowd), stage.plain(model));
        contenders.push(Contender::new(name, drawn));
    };
    let control = played(gpu, &character, Technique::Control, Instancing::Instanced);
    add("control".into(), &control);
    let matrices = Technique::PaletteMatrix;
    add(
        "palette-matrix, loop".into(),
        &played(gpu, &character, matrices, Instancing::Loop),
    );
    for technique in cpu::TECHNIQUES {
        let model = played(gpu, &character, technique, Instancing::Instanced);
        add(cpu::name(technique), &model);
    }
    add(
        "cpu, skin-once".into(),
        &played(gpu, &character, Technique::Cpu, Instancing::SkinOnce),
    );
    add(
        "control, loop".into(),
        &played(gpu, &character, Technique::Control, Instancing::Loop),
    );
    let names = chosen(is_part_of_set);
    for (encoding, precision) in SETS {
        let name = set_name((encoding, precision));
        if !is_chosen(&names, &name) {
            continue;
        }
        let set = baked(&character, encoding, precision);
        let of_set = |decode, instancing| {
            let settings = ModelSettings {
                instancing,
                decode,
                fades: Fades::None,
                ..ModelSettings::default()
            };
            CrowdModel::new(gpu.device(), gpu.queue(), &set, settings).unwrap()
        };
        add(
            name.clone(),
            &of_set(DecodeMode::Direct, Instancing::Instanced),
        );
        if !encoding.is_vertex() && encoding != Encoding::BoneLocal {
            add(
                format!("{name}, pass"),
                &of_set(DecodeMode::Pass, Instancing::Instanced),
            );
        }
        if encoding == Encoding::BoneQt {
            add(
                format!("{name}, skin-once"),
                &of_set(DecodeMode::Direct, Instancing::SkinOnce),
            );
        }
    }
    // The mesh of a bone set is that of the character.
    let set = baked(&character, Encoding::BoneQt, Precision::Unorm16);
    let bare = stage.bare(&SetBuffers::of(&set).unwrap(), &instances);
    contenders.insert(1, Contender::new(BARE.into(), Drawn::Bare(bare)));
    for technique in cpu::TECHNIQUES {
        let model = played(gpu, &character, technique, Instancing::Instanced);
        let mut crowd = model.crowd().unwrap();
        crowd.set_instances(&instances).unwrap();
        let drawn = stage.float64(&model, crowd, Float64::new(gpu, &character, technique));
        contenders.push(Contender::new(cpu::float64_name(technique), drawn));
    }
    let model = control;
    let mut control = contenders.remove(0);
    run(&mut control, &mut contenders, stage, spread);
    control.draw(stage, Ticks(0), spread);
    let pixels = stage.covered() as f64 / count as f64;
    let loop_ = &contenders[1];
    let vertices = model.vertex_count();
    println!(
        "\n{name}: {count} instances of {vertices} vertices and {} triangles at {} × {}, about {pixels:.0} pixels each",
        model.triangle_count(),
        SIZE[0],
        SIZE[1]
    );
    println!(
        "  {:36} {:>9} {:>14} {:>20}",
        "", "ms", "of control", "of palette, loop"
    );
    for contender in &contenders {
        let bar = bar(&contender.name);
        let of_control = contender.of_control();
        let verdict = match bar {
            _ if contender.name == BARE && of_control > 1.05 => "  at most 105 %: MISSED".into(),
            _ if contender.name == BARE => "  at most 105 %: met".into(),
            Some(bar) if of_control < bar => format!("  bar {:.0} %: MISSED", 100.0 * bar),
            Some(bar) => format!("  bar {:.0} %: met", 100.0 * bar),
            None => String::new(),
        };
        println!(
            "  {:36} {:>9.2} {:>13.1}% {:>19.2}×{verdict}",
            contender.name,
            1e3 * contender.seconds(),
            100.0 * of_control,
            of_control / loop_.of_control(),
        );
    }
    cpu::print(&contenders);
}

fn set_name((encoding, precision): (Encoding, Storage)) -> String {
    format!("{encoding} {precision}")
}

fn is_part_of_subject(part: &str) -> bool {
    SUBJECTS.iter().any(|(name, ..)| name.contains(part))
}

fn is_part_of_set(part: &str) -> bool {
    SETS.iter().any(|&set| set_name(set).contains(part))
}

/// Arguments that select by name. Arguments with dashes are cargo's.
fn chosen(is_part: fn(&str) -> bool) -> Vec<String> {
    let names = std::env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    names.filter(|name| is_part(name)).collect()
}

/// Returns true if a name is selected, or if nothing is.
fn is_chosen(parts: &[String], name: &str) -> bool {
    parts.is_empty() || parts.iter().any(|part| name.contains(part.as_str()))
}

/// Required throughput: for bones of 16 bits or fewer, and for vertices.
fn bar(name: &str) -> Option<f64> {
    let small = !name.contains("f32");
    match name {
        _ if name.starts_with("vertex") => Some(0.9),
        _ if name.starts_with("bone") || name.starts_with("virtual") => small.then_some(0.75),
        _ => None,
    }
}

/// Prints the calling thread's time per frame by number of instances.
fn calling_thread(gpu: &Gpu, stage: &Stage) {
    let character = throng_import::builtin::builtin("bar:312").unwrap();
    println!("\nCPU time of the calling thread per frame, µs (median)");
    println!(
        "  {:24} {:>8} {:>8} {:>8} {:>8}",
        "instances", 10, 100, 1000, 10_000
    );
    for (encoding, precision) in [
        (Encoding::BoneQt, Storage::Frames(Precision::Unorm16)),
        (Encoding::Vertex, Storage::Frames(Precision::F16)),
        (Encoding::BoneLocal, Storage::Compressed),
    ] {
        let set = baked(&character, encoding, precision);
        print!("  {:24}", format!("{encoding} {precision}"));
        for count in [10, 100, 1000, 10_000] {
            let (instances, spread) = grid_of_instances(count, 1, 2.2);
            let settings = ModelSettings {
                fades: Fades::None,
                ..ModelSettings::default()
            };
            let model = CrowdModel::new(gpu.device(), gpu.queue(), &set, settings).unwrap();
            let mut crowd = model.crowd().unwrap();
            crowd.set_instances(&instances).unwrap();
            let mut drawn = Drawn::Crowd(Box::new(crowd), stage.plain(&model));
            let times = (0..12).map(|round| {
                let time = stage.draw(&mut drawn, Ticks(round * 999), spread);
                time.calling_thread
            });
            let times: Vec<Duration> = times.collect();
            print!(
                " {:>8.0}",
                1e6 * median(times[2..].iter().map(Duration::as_secs_f64).collect())
            );
        }
        println!();
    }
}

fn main() {
    let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
    println!("on {}", gpu.name());
    println!("skinning: dqs for palette-dq and bone-dq, lbs for all others");
    let stage = Stage::new(&gpu);
    if let [unknown, ..] = &*chosen(|name| !is_part_of_subject(name) && !is_part_of_set(name)) {
        let sets = SETS.map(set_name).join(", ");
        let subjects = SUBJECTS.map(|(name, ..)| name).join(", ");
        eprintln!("unknown name '{unknown}'; subjects are {subjects}, sets are {sets}");
        std::process::exit(2);
    }
    let names = chosen(is_part_of_subject);
    for (name, count, size) in SUBJECTS {
        if is_chosen(&names, name) {
            subject(&gpu, &stage, name, count, size);
        }
    }
    if names.is_empty() {
        calling_thread(&gpu, &stage);
    }
}
