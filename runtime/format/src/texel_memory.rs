//! Memory for the texels of a texture.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// Textures from here on are mapped.
const MAPPED_BYTES: usize = 8 << 20;

/// Bytes on the heap, or, where there are many zeros to begin with, in pages of their own: large ones where
/// the system has them, since to be given each page takes longer than to write it.
#[derive(Debug)]
pub(crate) enum TexelMemory {
    Heap(Vec<u8>),
    Mapped(MmapMut),
}

impl TexelMemory {
    /// So many zeros.
    pub fn zeroed(bytes: usize) -> Self {
        if bytes < MAPPED_BYTES {
            return Self::Heap(vec![0; bytes]);
        }
        match MmapMut::map_anon(bytes) {
            Ok(memory) => {
                // Small pages serve as well.
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
    fn mapped_bytes_are_bytes_like_others() {
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
