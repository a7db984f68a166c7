//! Instruction sets and their detection at run time.

use std::fmt;

/// A set of SIMD instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Plain arrays, compiled for the baseline of the target. Runs on any machine.
    Portable,
    /// x86-64 with AVX2, FMA and F16C: 8 lanes.
    Avx2,
    /// x86-64 with AVX-512F: 16 lanes.
    Avx512,
}

impl Level {
    /// All levels, the widest last.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// Returns the widest level of this machine.
    pub fn detect() -> Self {
        Self::available().last().unwrap_or(Self::Portable)
    }

    /// Returns the levels of this machine, the widest last.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|level| level.is_available())
    }

    /// Returns true if this machine has the instructions.
    #[inline]
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("f16c")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f") && Self::Avx2.is_available(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// Panics if this machine lacks the instructions.
    #[inline]
    pub(crate) fn check(self) {
        assert!(
            self.is_available(),
            "this machine does not have {self}: use Level::detect()"
        );
    }
}

impl Default for Level {
    /// Returns [`Self::detect`].
    fn default() -> Self {
        Self::detect()
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Portable => "portable",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_the_widest_available_level() {
        let available: Vec<Level> = Level::available().collect();
        assert_eq!(available[0], Level::Portable);
        assert_eq!(available.last(), Some(&Level::detect()));
        assert!(available.is_sorted());
        assert_eq!(Level::default(), Level::detect());
    }
}
