//! Memory for the texels of a texture.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// Textures of at least this size are mapped.
const MAPPED_BYTES: usize = 8 << 20;

/// Bytes on the heap, or, for large zeroed textures, in anonymous memory maps. Maps use huge pages where the system has
/// them: page faults of small pages take longer than writing the pages.
#[derive(Debug)]
pub(crate) enum TexelMemory {
    Heap(Vec<u8>),
    Mapped(MmapMut),
}

impl TexelMemory {
    /// Allocates zeroed bytes.
    pub fn zeroed(bytes: usize) -> Self {
        if bytes < MAPPED_BYTES {
            return Self::Heap(vec![0; bytes]);
        }
        match MmapMut::map_anon(bytes) {
            Ok(memory) => {
                // Small pages work as well.
                #[cfg(target_os = "linux")]
                let _ = memory.advise(memmap2::Advice::HugePage);
                Self::Mapped(memory)
            }
            Err(_) => Self::Heap(vec![0; bytes]),
        }
    }
}

impl From<Vec<u8>> for TexelMemory {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Heap(bytes)
    }
}

impl Deref for TexelMemory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Heap(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }
}

impl DerefMut for TexelMemory {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Heap(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }
}

impl Clone for TexelMemory {
    fn clone(&self) -> Self {
        self.to_vec().into()
    }
}

impl PartialEq for TexelMemory {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for TexelMemory {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_memory_behaves_like_heap_memory() {
        for bytes in [0, 3, MAPPED_BYTES - 1, MAPPED_BYTES] {
            let mut memory = TexelMemory::zeroed(bytes);
            assert_eq!(memory, TexelMemory::from(vec![0; bytes]));
            assert_eq!(
                bytes >= MAPPED_BYTES,
                matches!(memory, TexelMemory::Mapped(_))
            );
            let Some(last) = memory.last_mut() else {
                continue;
            };
            *last = 7;
            let copy = memory.clone();
            assert_eq!(copy, memory);
            assert_eq!((copy.len(), copy[bytes - 1]), (bytes, 7));
            assert_ne!(copy, TexelMemory::zeroed(bytes));
        }
    }
}
