//! Printed table of a scene.

use throng_bench::measure::Times;
use throng_rig::Method;
use throng_skin::fast::FastMesh;

use crate::scene::{self, Scene};

/// Required speed on one core, relative to the glam loop.
const BARS: [(Method, f64); 3] = [
    (Method::Lbs, 2.0),
    (Method::Dqs, 5.0),
    (Method::Blend(0.5), 3.0),
];

/// Required speed of the glam loop, as a fraction of the memory ceiling: a slower loop is not a fair contender.
const MIN_GLAM_OF_CEILING: f64 = 0.35;

/// Whether [`BARS`] hold for a scene.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bars {
    Checked,
    None,
}

/// Indices of a method's contenders in the times.
pub struct Row {
    pub method: Method,
    pub one: usize,
    pub all: usize,
    pub in_mesh_order: usize,
    pub glam: Vec<usize>,
}

pub struct Table {
    pub times: Times,
    pub vertices: usize,
    /// On one core and on all.
    pub ceiling: [usize; 2],
    pub rows: Vec<Row>,
}

pub fn print_scene(scene: &Scene, mesh: &FastMesh) {
    let vertices = scene.mesh.vertex_count() as f64;
    println!("{}", scene.name);
    println!(
        "  vertices with 1, 2, 3, 4, more influences: {:?}; {} joints",
        scene::influence_counts(&scene.mesh),
        scene.palette.len()
    );
    println!(
        "  {} runs of batches, {:.1} % padding, {:.1} bytes read a vertex",
        mesh.run_count(),
        100.0 * (mesh.source_of().len() as f64 / vertices - 1.0),
        mesh.read_bytes() as f64 / vertices
    );
}

impl Table {
    /// Prints the table; returns false if a bar is missed.
    pub fn print(&self, bars: Bars) -> bool {
        println!(
            "  {:<20}{:>6}{:>10}{:>7}{:>9}{:>11}{:>6}{:>15}",
            "", "glam", "one core", "×glam", "ceiling", "all cores", "×one", "in mesh order"
        );
        let [one, all] = self.ceiling;
        println!(
            "  {:<20}{:>6}{:>10.0}{:>7}{:>9}{:>11.0}{:>6.2}",
            "moving the bytes",
            "",
            self.speed(one),
            "",
            "",
            self.speed(all),
            self.times.speed_ratio(all, one)
        );
        let mut remarks = Vec::new();
        for row in &self.rows {
            self.print_row(row);
            if bars == Bars::Checked {
                self.check(row, &mut remarks);
            }
        }
        for (remark, _) in &remarks {
            println!("  {remark}");
        }
        println!();
        remarks.iter().all(|(_, met)| *met)
    }

    fn print_row(&self, row: &Row) {
        let glam = self.best_glam(row);
        println!(
            "  {:<20}{:>6.0}{:>10.0}{:>7.2}{:>8.0}%{:>11.0}{:>6.2}{:>15.0}",
            row.method.to_string(),
            self.speed(glam),
            self.speed(row.one),
            self.times.speed_ratio(row.one, glam),
            100.0 * self.times.speed_ratio(row.one, self.ceiling[0]),
            self.speed(row.all),
            self.times.speed_ratio(row.all, row.one),
            self.speed(row.in_mesh_order)
        );
    }

    fn check(&self, row: &Row, remarks: &mut Vec<(String, bool)>) {
        let glam = self.best_glam(row);
        if let Some((method, bar)) = BARS.iter().find(|(method, _)| *method == row.method) {
            let ratio = self.times.speed_ratio(row.one, glam);
            let met = ratio >= *bar;
            let verdict = if met { "met" } else { "MISSED" };
            let bar = format!("{method}: {ratio:.2} times the glam loop, bar {bar}: {verdict}");
            remarks.push((bar, met));
        }
        if row.method == Method::Lbs {
            let part = self.times.speed_ratio(glam, self.ceiling[0]);
            let verdict = if part >= MIN_GLAM_OF_CEILING {
                "valid"
            } else {
                "slower than a loop that is bound by memory"
            };
            let percent = 100.0 * part;
            remarks.push((
                format!("the glam loop is at {percent:.0} % of the ceiling: {verdict}"),
                true,
            ));
        }
    }

    /// Index of the fastest glam loop.
    fn best_glam(&self, row: &Row) -> usize {
        let fastest = |a: &&usize, b: &&usize| self.speed(**a).total_cmp(&self.speed(**b));
        *row.glam.iter().max_by(fastest).expect("there are four")
    }

    /// Millions of vertices per second in the fastest round.
    fn speed(&self, contender: usize) -> f64 {
        self.vertices as f64 / self.times.best_secs(contender) / 1e6
    }
}
