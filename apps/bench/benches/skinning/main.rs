//! Speed of the skinning kernels: `cargo bench -p throng-bench --bench skinning [-- --quick]`.
//!
//! Compares every method, on one core and on all, with a plain glam loop (the best of four: unaligned or
//! aligned vectors, default flags or AVX2 with FMA) and with a kernel that only moves the same bytes, the
//! memory ceiling. Contenders run in turns; speeds are those of the fastest round, ratios are medians over
//! rounds. Exits with 1 if a bar is missed.

mod scene;
mod table;

use std::cell::RefCell;
use std::process::ExitCode;
use std::time::Duration;

use glam::{Vec3, Vec3A};
use scene::Scene;
use table::{Bars, Row, Table};
use throng_bench::glam_loop::{GlamMesh, GlamPalette};
use throng_bench::measure::{Contender, Effort, Times};
use throng_rig::Method;
use throng_simd::Level;
use throng_skin::fast::{
    Cores, FastMesh, FastOptions, FastPalette, FastSkinned, StoreMode, move_bytes, skin,
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

/// Largest distance between the vertices of the glam loop's `dqs` and the kernel's, in metres.
const SAME_WORK: f32 = 1e-4;

fn main() -> ExitCode {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let effort = |rounds: usize, turn_millis| Effort {
        rounds: if quick { rounds / 3 } else { rounds },
        turn: Duration::from_millis(turn_millis),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "M vertices/s, positions and normals, {} on {cores} cores\n",
        Level::detect()
    );
    report(&scene::body(10_000), effort(30, 1), Bars::None);
    let met = report(&scene::body(100_000), effort(45, 1), Bars::Checked);
    if !quick {
        report(&scene::body(8_000_000), effort(3, 1), Bars::None);
    }
    if let Some(scene) = scene::real() {
        report(&scene, effort(30, 1), Bars::None);
    }
    if met {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Measures and prints one scene; returns false if a bar is missed.
fn report(scene: &Scene, effort: Effort, bars: Bars) -> bool {
    let mesh = &FastMesh::new(&scene.mesh);
    let vertices = scene.mesh.vertex_count();
    table::print_scene(scene, mesh);

    let palettes = METHODS.map(|method| FastPalette::new(method, &scene.palette));
    let glam_palette = &GlamPalette::new(&scene.palette);
    let packed = &RefCell::new(GlamMesh::<Vec3>::new(&scene.mesh));
    let aligned = &RefCell::new(GlamMesh::<Vec3A>::new(&scene.mesh));
    let out = &RefCell::new(FastSkinned::default());
    let in_order = &RefCell::new((vec![Vec3::ZERO; vertices], vec![Vec3::ZERO; vertices]));

    let mut contenders = Vec::new();
    let ceiling = [Cores::One, Cores::All].map(|cores| {
        let palette = &palettes[0];
        add(&mut contenders, move || {
            move_bytes(mesh, palette, setup(cores), &mut out.borrow_mut());
        })
    });
    let mut rows = Vec::new();
    for (method, palette) in METHODS.into_iter().zip(&palettes) {
        let [one, all] = [Cores::One, Cores::All].map(|cores| {
            add(&mut contenders, move || {
                skin(mesh, palette, setup(cores), &mut out.borrow_mut());
            })
        });
        let in_mesh_order = add(&mut contenders, move || {
            skin(mesh, palette, setup(Cores::One), &mut out.borrow_mut());
            let (positions, normals) = &mut *in_order.borrow_mut();
            out.borrow().copy_in_mesh_order(mesh, positions, normals);
        });
        let mut glam = Vec::new();
        for level in [Level::Portable, Level::detect().min(Level::Avx2)] {
            glam.push(add(&mut contenders, move || {
                packed.borrow_mut().skin(method, glam_palette, level);
            }));
            glam.push(add(&mut contenders, move || {
                aligned.borrow_mut().skin(method, glam_palette, level);
            }));
        }
        rows.push(Row {
            method,
            one,
            all,
            in_mesh_order,
            glam,
        });
    }
    let times = Times::measure(&mut contenders, effort);
    drop(contenders);

    skin(mesh, &palettes[1], setup(Cores::One), &mut out.borrow_mut());
    packed
        .borrow_mut()
        .skin(METHODS[1], glam_palette, Level::Portable);
    let vertices_to_check = if bars == Bars::Checked {
        mesh.slot_of()
    } else {
        &[]
    };
    for (vertex, &slot) in vertices_to_check.iter().enumerate() {
        let (position, normal) = packed.borrow().vertex(vertex);
        let position = position.distance(out.borrow().position(slot as usize));
        let normal = normal.distance(out.borrow().normal(slot as usize));
        let off = position.max(normal);
        assert!(
            off < SAME_WORK,
            "vertex {vertex} of the glam loop is off by {off}"
        );
    }

    let table = Table {
        times,
        vertices,
        ceiling,
        rows,
    };
    table.print(bars)
}

/// Adds a contender and returns its index.
fn add<'a>(contenders: &mut Vec<Contender<'a>>, run: impl FnMut() + 'a) -> usize {
    contenders.push(Contender::new(run));
    contenders.len() - 1
}

fn setup(cores: Cores) -> FastOptions {
    FastOptions {
        level: Level::detect(),
        store_mode: StoreMode::BySize,
        cores,
    }
}
