//! Headers of PC2 files.

use std::io::Read;

use super::{Header, check_times, checked_counts, truncated, unreadable};
use crate::error::{ErrorKind, Fault, Outcome};

/// First bytes of a PC2 file.
pub(super) const MAGIC: &[u8; 12] = b"POINTCACHE2\0";

const HEADER_BYTES: usize = 32;

/// Reads the header of a PC2 file of a number of bytes.
pub(super) fn read(file: &mut impl Read, file_bytes: u64, frames_per_sec: f64) -> Outcome<Header> {
    if file_bytes < HEADER_BYTES as u64 {
        return Err(truncated(file_bytes, "at least 32, the header of PC2"));
    }
    let mut header = [0; HEADER_BYTES];
    file.read_exact(&mut header)
        .map_err(|error| unreadable(&error))?;
    if !header.starts_with(MAGIC) {
        let problem = "does not start with 'POINTCACHE2'";
        return Err(
            Fault::new(ErrorKind::Container, "", problem).remedy("check that this is a PC2 file")
        );
    }
    let bytes = |at: usize| [header[at], header[at + 1], header[at + 2], header[at + 3]];
    let int = |at: usize| i64::from(i32::from_le_bytes(bytes(at)));
    let float = |at: usize| f64::from(f32::from_le_bytes(bytes(at)));
    let version = int(12);
    if version != 1 {
        let problem = format!("unsupported PC2 version {version}, expected 1");
        return Err(Fault::new(ErrorKind::Unsupported, "", problem));
    }
    let (start, step) = (float(20), float(24));
    let is_step = step.is_finite() && step > 0.0;
    if !start.is_finite() || !is_step {
        let problem = format!(
            "starts at frame {start} with a sample every {step} frames, expected a number and a positive number"
        );
        return Err(Fault::data("", problem).remedy("export the cache again"));
    }
    let counts = [int(28), int(16)];
    let [frames, points] = checked_counts(counts, file_bytes, HEADER_BYTES as u64, 0)?;
    let time = |frame: usize| (start + step * frame as f64) / frames_per_sec;
    let times_secs: Vec<f64> = (0..frames).map(time).collect();
    check_times(&times_secs)?;
    Ok(Header {
        points,
        times_secs,
        first_byte: HEADER_BYTES as u64,
    })
}
