//! Benchmark mode: choices and results.

use std::path::PathBuf;

use throng_format::Encoding;
use throng_wgpu::Technique;

use crate::state::Job;
use crate::worker::LiveCurve;

/// Choices and results of the benchmark.
#[derive(Debug, Clone)]
pub struct BenchMode {
    /// Techniques, and whether they take part.
    pub techniques: Vec<(Technique, bool)>,
    /// Longest time in minutes.
    pub minutes: f64,
    /// Most instances.
    pub max_instances: u32,
    /// Distance between rows, in sizes of the character.
    pub spacing: f64,
    /// True if palettes are evaluated each frame; else skeletons are cached.
    pub updates: bool,
    /// Folder of the report.
    pub folder: String,
    /// The benchmark that runs.
    pub job: Option<Job>,
    /// Curves so far.
    pub curves: Vec<LiveCurve>,
    /// Answers of the last run.
    pub answers: Vec<String>,
    /// Page of the last run.
    pub page: Option<PathBuf>,
}

impl Default for BenchMode {
    fn default() -> Self {
        let chosen = [
            Technique::PaletteMatrix,
            Technique::Texture(Encoding::Vertex),
            Technique::Texture(Encoding::BoneQt),
            Technique::Texture(Encoding::BoneLocal),
        ];
        let all = Technique::all().filter(|&technique| technique != Technique::Control);
        Self {
            techniques: all
                .map(|technique| (technique, chosen.contains(&technique)))
                .collect(),
            minutes: 3.0,
            max_instances: 100_000,
            spacing: 1.1,
            updates: true,
            folder: "bench-view".into(),
            job: None,
            curves: Vec::new(),
            answers: Vec::new(),
            page: None,
        }
    }
}
