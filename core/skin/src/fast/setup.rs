//! How the kernels run.

use throng_simd::Level;

/// How the kernels run. The default suits most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    /// Which instructions.
    pub level: Level,
    /// How results go to memory.
    pub stores: Stores,
    /// How many cores work.
    pub cores: Cores,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            level: Level::detect(),
            stores: Stores::BySize,
            cores: Cores::All,
        }
    }
}

/// How results go to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stores {
    /// Through the cache: right where they are read again soon.
    Cached,
    /// Past the cache: right where they would be pushed out of it before they are read.
    Streaming,
    /// Streaming for results that no cache would hold, cached for others.
    BySize,
}

/// Results larger than this are not expected to stay in a core's share of the cache.
const CACHED_BYTES: usize = 16 << 20;

impl Stores {
    pub(super) fn stream(self, bytes: usize) -> bool {
        match self {
            Self::Cached => false,
            Self::Streaming => true,
            Self::BySize => bytes > CACHED_BYTES,
        }
    }
}

/// How many cores work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cores {
    /// The calling thread alone.
    One,
    /// All threads of the current [`rayon`] pool.
    All,
}
