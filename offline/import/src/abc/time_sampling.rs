//! Time samplings: times of the samples of properties.

use super::ogawa::{Read, ReadError};

/// Time per cycle of an acyclic sampling.
const ACYCLIC: f64 = f64::MAX / 32.0;

/// Times of samples, in seconds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TimeSampling {
    /// Duration of a cycle; `None` where every sample has its own time.
    cycle_secs: Option<f64>,
    /// Times of the first cycle, or of all samples; at least one.
    times_secs: Vec<f64>,
}

impl TimeSampling {
    /// Parses all samplings of an archive.
    pub(super) fn parse_all(bytes: &[u8]) -> Read<Vec<Self>> {
        let mut samplings = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let head;
            (head, rest) = rest.split_first_chunk::<16>().ok_or_else(truncated)?;
            // The first four bytes are the largest number of samples, which properties state themselves.
            let [_, _, _, _, cycle @ .., c0, c1, c2, c3] = *head;
            let count = u32::from_le_bytes([c0, c1, c2, c3]) as usize;
            let times = count.checked_mul(8).and_then(|bytes| rest.get(..bytes));
            let times = times.filter(|t| !t.is_empty()).ok_or_else(truncated)?;
            rest = &rest[times.len()..];
            let cycle_secs = f64::from_le_bytes(cycle);
            let times = times.as_chunks::<8>().0.iter();
            samplings.push(Self {
                cycle_secs: (cycle_secs != ACYCLIC).then_some(cycle_secs),
                times_secs: times.map(|t| f64::from_le_bytes(*t)).collect(),
            });
        }
        Ok(samplings)
    }

    /// Returns the times of the first `samples` samples: finite and ascending. The caller limits their number.
    pub(super) fn times(&self, samples: usize) -> Read<Vec<f64>> {
        let per_cycle = self.times_secs.len();
        let times: Vec<f64> = match self.cycle_secs {
            None => self
                .times_secs
                .get(..samples)
                .map(<[f64]>::to_vec)
                .ok_or_else(|| {
                    ReadError::data(format_args!(
                        "has {samples} samples, but its time sampling has {per_cycle} times"
                    ))
                })?,
            Some(cycle_secs) => (0..samples)
                .map(|i| self.times_secs[i % per_cycle] + cycle_secs * (i / per_cycle) as f64)
                .collect(),
        };
        if let Some(sample) = times.iter().position(|time| !time.is_finite()) {
            let problem = format!("the time of sample {sample} is not finite");
            return Err(ReadError::data(problem));
        }
        if let Some(before) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(ReadError::data(format_args!(
                "sample {} is at {} s, not after the sample before at {} s",
                before + 1,
                times[before + 1],
                times[before]
            )));
        }
        Ok(times)
    }
}

fn truncated() -> ReadError {
    ReadError::container("the time samplings are truncated")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(cycle_secs: f64, times: &[f64]) -> Vec<u8> {
        let mut bytes = vec![9, 0, 0, 0];
        bytes.extend(cycle_secs.to_le_bytes());
        bytes.extend((times.len() as u32).to_le_bytes());
        bytes.extend(times.iter().flat_map(|t| t.to_le_bytes()));
        bytes
    }

    #[test]
    fn uniform_cyclic_and_acyclic_times_are_those_of_the_library() {
        let all = [
            bytes(0.5, &[2.0]),
            bytes(1.0, &[0.0, 0.25]),
            bytes(ACYCLIC, &[0.0, 3.0, 3.5]),
        ];
        let samplings = TimeSampling::parse_all(&all.concat()).unwrap();
        assert_eq!(samplings[0].times(3).unwrap(), [2.0, 2.5, 3.0]);
        assert_eq!(samplings[1].times(5).unwrap(), [0.0, 0.25, 1.0, 1.25, 2.0]);
        assert_eq!(samplings[2].times(3).unwrap(), [0.0, 3.0, 3.5]);
        assert!(samplings[2].times(4).is_err());
        assert!(samplings[1].times(0).unwrap().is_empty());
    }

    #[test]
    fn rejects_times_that_are_not_finite_or_not_ascending() {
        for (cycle, times) in [
            (0.0, vec![0.0]),
            (-1.0, vec![0.0]),
            (f64::NAN, vec![0.0]),
            (0.1, vec![0.0, 0.2]),
            (ACYCLIC, vec![1.0, 1.0, 2.0]),
            (ACYCLIC, vec![1.0, f64::INFINITY, 2.0]),
        ] {
            let sampling = TimeSampling::parse_all(&bytes(cycle, &times)).unwrap();
            assert!(sampling[0].times(3).is_err(), "{cycle} {times:?}");
        }
    }

    #[test]
    fn rejects_truncated_samplings() {
        let whole = bytes(0.5, &[2.0, 3.0]);
        for length in 1..whole.len() {
            assert!(
                TimeSampling::parse_all(&whole[..length]).is_err(),
                "{length}"
            );
        }
        assert!(TimeSampling::parse_all(&bytes(0.5, &[])).is_err());
    }
}
