//! Arguments of vertex caches.

use clap::Args;

use super::source_parser;

/// Vertex caches beside a mesh file.
#[derive(Debug, Args)]
pub struct CacheArgs {
    /// Vertex caches that move the points of the character's meshes frame by frame: .pc2 or .mdd
    /// files. A cache moves the mesh with as many points, or the one named: MESH=FILE, by name, index
    /// or #index. May be repeated
    #[arg(long, value_name = "[MESH=]FILE", value_parser = source_parser(), help_heading = "Vertex caches")]
    pub cache: Vec<String>,

    /// Frames per second of .pc2 files; .mdd files have times [default: 24]
    #[arg(long, value_name = "HZ", value_parser = parse_fps, requires = "cache", help_heading = "Vertex caches")]
    pub cache_fps: Option<f64>,
}

fn parse_fps(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(fps) if (0.001..=100_000.0).contains(&fps) => Ok(fps),
        _ => Err("expected a number from 0.001 to 100000".into()),
    }
}
