//! How fast the kernels are: `cargo bench -p throng-bench --bench skinning [-- --quick]`.
//!
//! For every method, on one core and on all, beside a plain glam loop (the better of the default flags
//! and AVX2 with FMA) and beside a kernel that only moves the same bytes: the ceiling that memory sets.
//! All run in turns; ratios are medians over rounds.

mod glam_loop;
mod scene;

use std::cell::RefCell;
use std::process::ExitCode;
use std::time::Duration;

use glam::Vec3;
use glam_loop::{GlamMesh, GlamPalette};
use scene::Scene;
use throng_bench::measure::{Contender, Effort, Times};
use throng_skin::Method;
use throng_skin::fast::{
    Cores, FastMesh, FastPalette, FastSkinned, Level, Setup, Stores, move_bytes, skin,
};

const METHODS: [Method; 7] = [
    Method::Lbs,
    Method::Dqs,
    Method::DqsPlain,
    Method::DqsDirect,
    Method::DqsSum,
    Method::Blend(0.5),
    Method::BlendPositions(0.5),
];

/// How many times faster than the glam loop a method has to be on one core, at [`BAR_VERTICES`].
const BARS: [(Method, f64); 3] = [
    (Method::Lbs, 2.0),
    (Method::Dqs, 5.0),
    (Method::Blend(0.5), 3.0),
];

const BAR_VERTICES: usize = 100_000;

/// A glam loop below this part of the ceiling was not written well enough to be compared with.
const MIN_GLAM_OF_CEILING: f64 = 0.35;

/// How far the glam loop may be from the kernels, metres: the two are to do the same work.
const SAME_WORK: f32 = 1e-4;

fn main() -> ExitCode {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let effort = |rounds: usize, turn_millis| Effort {
        rounds: if quick { rounds / 3 } else { rounds }.max(1),
        turn: Duration::from_millis(turn_millis),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "M vertices/s, positions and normals, {} joints, {} on {cores} cores\n",
        scene::JOINTS,
        Level::detect()
    );
    report(&scene::body(10_000), effort(15, 2), Bars::None);
    let met = report(&scene::body(BAR_VERTICES), effort(21, 3), Bars::Checked);
    if !quick {
        report(&scene::body(8_000_000), effort(3, 1), Bars::None);
    }
    if let Some(scene) = scene::real() {
        report(&scene, effort(15, 2), Bars::None);
    }
    if met {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bars {
    Checked,
    None,
}

/// Measures and prints one scene; false where a bar is missed.
fn report(scene: &Scene, effort: Effort, bars: Bars) -> bool {
    let mesh = FastMesh::new(&scene.mesh);
    let vertices = scene.mesh.vertex_count();
    print_scene(scene, &mesh);

    let palettes = METHODS.map(|method| FastPalette::new(method, &scene.palette));
    let glam_palette = GlamPalette::new(&scene.palette);
    let glam_mesh = RefCell::new(GlamMesh::new(&scene.mesh));
    let out = RefCell::new(FastSkinned::default());
    let mut positions = vec![Vec3::ZERO; vertices];
    let mut normals = vec![Vec3::ZERO; vertices];
    let setup = |cores| Setup {
        level: Level::detect(),
        stores: Stores::BySize,
        cores,
    };

    let mut contenders = Vec::new();
    for cores in [Cores::One, Cores::All] {
        let (mesh, out, palette) = (&mesh, &out, &palettes[0]);
        contenders.push(Contender::new("ceiling", move || {
            move_bytes(mesh, palette, setup(cores), &mut out.borrow_mut());
        }));
    }
    for (method, palette) in METHODS.iter().zip(&palettes) {
        let (mesh, out, glam_mesh, glam_palette) = (&mesh, &out, &glam_mesh, &glam_palette);
        for cores in [Cores::One, Cores::All] {
            contenders.push(Contender::new(method.to_string(), move || {
                skin(mesh, palette, setup(cores), &mut out.borrow_mut());
            }));
        }
        for level in [Level::Portable, Level::detect().min(Level::Avx2)] {
            contenders.push(Contender::new(format!("glam {method}"), move || {
                glam_mesh.borrow_mut().skin(*method, glam_palette, level);
            }));
        }
    }
    let in_mesh_order = contenders.len();
    {
        let (mesh, out, palette) = (&mesh, &out, &palettes[0]);
        let (positions, normals) = (&mut positions, &mut normals);
        contenders.push(Contender::new("lbs in mesh order", move || {
            skin(mesh, palette, setup(Cores::One), &mut out.borrow_mut());
            out.borrow().copy_in_mesh_order(mesh, positions, normals);
        }));
    }
    let times = Times::measure(&mut contenders, effort);
    drop(contenders);

    let millions = |contender: usize| vertices as f64 / times.median_secs(contender) / 1e6;
    println!(
        "  {:<20}{:>8}{:>9}{:>7}{:>9}{:>11}{:>7}",
        "", "glam", "one core", "×glam", "ceiling", "all cores", "×one"
    );
    println!(
        "  {:<20}{:>8}{:>9.0}{:>7}{:>9}{:>11.0}{:>7.2}",
        "ceiling",
        "",
        millions(0),
        "",
        "",
        millions(1),
        times.speed_ratio(1, 0)
    );
    let mut met = true;
    for (index, method) in METHODS.iter().enumerate() {
        let one = 2 + 4 * index;
        let (all, plain, avx2) = (one + 1, one + 2, one + 3);
        let glam = if millions(plain) >= millions(avx2) {
            plain
        } else {
            avx2
        };
        let ratio = times.speed_ratio(one, glam);
        let of_ceiling = times.speed_ratio(one, 0);
        println!(
            "  {:<20}{:>8.0}{:>9.0}{:>7.2}{:>8.0}%{:>11.0}{:>7.2}",
            method.to_string(),
            millions(glam),
            millions(one),
            ratio,
            100.0 * of_ceiling,
            millions(all),
            times.speed_ratio(all, one)
        );
        if bars == Bars::Checked
            && let Some((_, bar)) = BARS.iter().find(|(of, _)| of == method)
        {
            let verdict = if ratio >= *bar { "met" } else { "MISSED" };
            met &= ratio >= *bar;
            println!("    at least {bar} times the glam loop: {verdict}");
        }
        if bars == Bars::Checked && *method == Method::Lbs {
            let part = times.speed_ratio(glam, 0);
            let verdict = if part >= MIN_GLAM_OF_CEILING {
                "valid"
            } else {
                "TOO SLOW TO COMPARE"
            };
            println!(
                "    the glam loop is at {:.0} % of the ceiling: {verdict}",
                100.0 * part
            );
        }
    }
    println!(
        "  {:<20}{:>8}{:>9.0}",
        "lbs in mesh order",
        "",
        millions(in_mesh_order)
    );
    println!();

    glam_mesh
        .borrow_mut()
        .skin(Method::Lbs, &glam_palette, Level::Portable);
    let furthest = (0..vertices).map(|v| glam_mesh.borrow().position(v).distance(positions[v]));
    let furthest = furthest.fold(0.0, f32::max);
    assert!(furthest < SAME_WORK, "the glam loop is {furthest} m off");
    met
}

fn print_scene(scene: &Scene, mesh: &FastMesh) {
    let slots = mesh.source_of().len();
    let padding = 100.0 * (slots as f64 / scene.mesh.vertex_count() as f64 - 1.0);
    println!("{}", scene.name);
    println!(
        "  {} vertices with 1, 2, 3, 4, more influences: {:?}",
        scene.mesh.vertex_count(),
        scene::influence_counts(&scene.mesh)
    );
    println!(
        "  {} runs of batches, {padding:.1} % padding, {:.1} bytes read a vertex",
        mesh.run_count(),
        mesh.read_bytes() as f64 / scene.mesh.vertex_count() as f64
    );
}
