//! Vertex caches beside a mesh file: PC2 (`.pc2`) and MDD (`.mdd`).
//!
//! A cache has the position of every control point of one mesh at each of its frames. Frames stay in the file and are
//! read when a pose needs them, so memory does not grow with the number of frames. Points are in the space and units of
//! the mesh file, and are converted as its importer converts its control points: an FBX in centimetres has caches in
//! centimetres. The node of the mesh moves them on.
//!
//! - **PC2**, little-endian: `POINTCACHE2\0`, version 1, number of points, first frame, frames per sample, number of
//!   samples, positions. Times are frames; [`CacheFile::frames_per_sec`] converts them.
//! - **MDD**, big-endian: number of frames, number of points, times in seconds, positions.

mod attach;
mod frames;
mod matching;
mod mdd;
mod pc2;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use throng_rig::MorphTrack;

use crate::asset_files::{FileTypes, open_regular};
use crate::error::{ErrorKind, Fault, ImportError, Outcome};
use crate::limits::MAX_CLIP_SECS;
use crate::{Import, ImportOptions, import};
pub use frames::PointCache;

/// Frames per second of PC2 files by default, as Blender has it.
pub const DEFAULT_CACHE_FPS: f64 = 24.0;

/// Bytes of a cache that are read at once.
const CHUNK_BYTES: usize = 48 << 10;

/// A cache file, and the mesh that it moves.
#[derive(Debug, Clone, PartialEq)]
pub struct CacheFile {
    /// Path of a `.pc2` or `.mdd` file.
    pub path: PathBuf,
    /// Name, index or #index of the mesh's node; `None` for the one mesh with as many control points.
    pub mesh: Option<String>,
    /// Frames per second of a PC2 file. MDD files have seconds.
    pub frames_per_sec: f64,
}

/// Imports a file or a built-in character as [`crate::import()`] does, whose meshes are moved by vertex caches. They play in
/// a clip of their own, with the name of the first cache file, before the clips of the file.
///
/// A cache belongs to the mesh with as many control points as it has points: the control points of FBX, the vertices of
/// glTF. If no mesh has, it belongs to the one with as many different positions, numbered in the order of the file, with
/// [`crate::Warning::CachePointsMatched`].
pub fn import_with_caches(
    source: &str,
    options: &ImportOptions,
    caches: &[CacheFile],
) -> Result<Import, ImportError> {
    let mut imported = import(source, options)?;
    if !caches.is_empty() {
        let character = attach::attach(
            source,
            imported.character,
            options,
            caches,
            &mut imported.warnings,
        )?;
        imported.character = character;
    }
    Ok(imported)
}

/// Reads a cache file and passes its bytes to `visit`, a part at a time, for digests.
pub fn visit_cache_file(path: &Path, mut visit: impl FnMut(&[u8])) -> Result<(), ImportError> {
    let source_name = path.display().to_string();
    let (mut file, _) = open(path).map_err(|fault| fault.in_file(&source_name))?;
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        let count = match file.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(unreadable(&error).in_file(&source_name)),
        };
        visit(&buffer[..count]);
    }
}

/// Opens a cache file. Returns its size in bytes, too.
fn open(path: &Path) -> Outcome<(File, u64)> {
    open_regular(path, FileTypes::Caches)
}

fn unreadable(error: &std::io::Error) -> Fault {
    let problem = format_args!("cannot be read: {error}");
    Fault::new(ErrorKind::Io, "", problem).remedy("check the path")
}

/// Fault of a file that is too short for its header.
fn truncated(bytes: u64, expected: impl std::fmt::Display) -> Fault {
    let problem = format!("has {bytes} bytes, expected {expected}: the file is truncated");
    Fault::new(ErrorKind::Container, "", problem).remedy("export or copy it again")
}

/// Header of a cache file.
#[derive(Debug, Clone, PartialEq)]
struct Header {
    points: usize,
    times_secs: Vec<f64>,
    /// Bytes before the first position.
    first_byte: u64,
}

impl Header {
    /// Returns the number of bytes after the last frame of a file of a number of bytes.
    fn bytes_left_over(&self, file_bytes: u64) -> u64 {
        let frames = self.times_secs.len() as u64;
        file_bytes - self.first_byte - 12 * frames * self.points as u64
    }
}

/// Returns the bytes of a file whose header has `header` bytes and a time for each frame of `time_bytes` bytes.
fn expected_bytes(header: u64, frames: u64, points: u64, time_bytes: u64) -> Option<u64> {
    let frame = points.checked_mul(12)?.checked_add(time_bytes)?;
    frames.checked_mul(frame)?.checked_add(header)
}

/// Checks numbers of a header before anything is allocated for them. Returns them as frames and points.
fn checked_counts(
    [frames, points]: [i64; 2],
    file_bytes: u64,
    header: u64,
    time_bytes: u64,
) -> Outcome<[usize; 2]> {
    for (what, count) in [("frames", frames), ("points", points)] {
        if count < 1 {
            let problem = format!("has {count} {what}, expected at least 1");
            return Err(Fault::data("", problem).remedy("export the cache again"));
        }
    }
    if frames as u64 > MorphTrack::MAX_FRAMES as u64 {
        let problem = format!("has {frames} frames");
        return Err(Fault::limit(
            "",
            problem,
            "MAX_FRAMES",
            MorphTrack::MAX_FRAMES,
        ));
    }
    let expected = expected_bytes(header, frames as u64, points as u64, time_bytes);
    match expected {
        Some(expected) if file_bytes >= expected => Ok([frames as usize, points as usize]),
        _ => {
            let expected = expected.map_or("more than any file has".to_owned(), |b| b.to_string());
            let whole = format!("{expected} for {frames} frames of {points} points");
            Err(truncated(file_bytes, whole))
        }
    }
}

/// Checks that times are finite, ascend, and span no more than a day.
fn check_times(times: &[f64]) -> Outcome<()> {
    let remedy = "export the cache again";
    if let Some(frame) = times.iter().position(|time| !time.is_finite()) {
        let problem = format!("the time of frame {frame} is not finite");
        return Err(Fault::data("", problem).remedy(remedy));
    }
    if let Some(frame) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
        let [before, time] = [times[frame], times[frame + 1]];
        let problem = format!(
            "frame {} at {time} s is not after frame {frame} at {before} s",
            frame + 1
        );
        return Err(Fault::data("", problem).remedy(remedy));
    }
    let secs = times[times.len() - 1] - times[0];
    if secs > MAX_CLIP_SECS || times[0].abs() > MAX_CLIP_SECS {
        let problem = format!("lasts from {} s to {} s", times[0], times[times.len() - 1]);
        return Err(Fault::limit("", problem, "MAX_CLIP_SECS", MAX_CLIP_SECS));
    }
    Ok(())
}
