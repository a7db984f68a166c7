//! Which instructions the kernels use.

use std::fmt;

/// A set of SIMD instructions. Results of different levels differ by rounding only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// What the compiler makes of plain arrays; runs anywhere.
    Portable,
    /// x86-64 with AVX2, FMA and F16C: 8 vertices at a time.
    Avx2,
    /// x86-64 with AVX-512F: 16 vertices at a time.
    Avx512,
}

impl Level {
    /// All levels, the widest last.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The widest level of this machine.
    pub fn detect() -> Self {
        let available = Self::ALL.into_iter().rev().find(|level| level.available());
        available.unwrap_or(Self::Portable)
    }

    /// True where this machine has the instructions.
    pub fn available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("f16c")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f") && Self::Avx2.available(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// Panics where this machine lacks the instructions.
    #[inline]
    pub(super) fn check(self) {
        assert!(
            self.available(),
            "this machine has no {self}: use Level::detect()"
        );
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Portable => "portable",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
        })
    }
}
