//! Headers of MDD files.

use std::io::Read;

use super::{Header, check_times, checked_counts, truncated, unreadable};
use crate::error::Outcome;

const HEADER_BYTES: usize = 8;

/// Reads the header and the times of an MDD file of a number of bytes.
pub(super) fn read(file: &mut impl Read, file_bytes: u64) -> Outcome<Header> {
    if file_bytes < HEADER_BYTES as u64 {
        return Err(truncated(file_bytes, "at least 8, the header of MDD"));
    }
    let mut int = || -> Outcome<i64> {
        let mut bytes = [0; 4];
        file.read_exact(&mut bytes)
            .map_err(|error| unreadable(&error))?;
        Ok(i64::from(i32::from_be_bytes(bytes)))
    };
    let counts = [int()?, int()?];
    let [frames, points] = checked_counts(counts, file_bytes, HEADER_BYTES as u64, 4)?;
    let mut bytes = vec![0; 4 * frames];
    file.read_exact(&mut bytes)
        .map_err(|error| unreadable(&error))?;
    let (times, _) = bytes.as_chunks::<4>();
    let times_secs: Vec<f64> = times
        .iter()
        .map(|&b| f64::from(f32::from_be_bytes(b)))
        .collect();
    check_times(&times_secs)?;
    Ok(Header {
        points,
        times_secs,
        first_byte: (HEADER_BYTES + 4 * frames) as u64,
    })
}
