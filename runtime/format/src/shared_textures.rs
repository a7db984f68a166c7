//! Textures that several sets hold in common.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};

use crate::Texture;
use crate::digest::text;

/// Textures of a set. Clones refer to the same texels: the characters of a party hold one copy.
#[derive(Debug, Clone)]
pub struct SharedTextures(Arc<Contents>);

#[derive(Debug)]
struct Contents {
    textures: Vec<Texture>,
    digest: OnceLock<String>,
}

impl SharedTextures {
    /// Returns true where both are one copy in memory.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Digest of formats, sizes and texels: `sha256:` and 64 hexadecimal digits. Computed at the first call.
    pub fn digest(&self) -> &str {
        self.0.digest.get_or_init(|| {
            let mut hash = Sha256::new();
            for texture in &self.0.textures {
                hash.update(texture.format().to_string());
                for side in texture.size() {
                    hash.update(side.to_le_bytes());
                }
                hash.update(texture.bytes());
            }
            text(hash)
        })
    }
}

impl From<Vec<Texture>> for SharedTextures {
    fn from(textures: Vec<Texture>) -> Self {
        Self(Arc::new(Contents {
            textures,
            digest: OnceLock::new(),
        }))
    }
}

impl Deref for SharedTextures {
    type Target = [Texture];

    fn deref(&self) -> &[Texture] {
        &self.0.textures
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TexelFormat;

    fn textures(size: [u32; 3], byte: u8) -> SharedTextures {
        let mut texture = Texture::zeroed(TexelFormat::Rgba8Unorm, size).unwrap();
        texture.bytes_mut()[5] = byte;
        vec![texture].into()
    }

    #[test]
    fn clones_are_one_copy_and_equal_texels_have_equal_digests() {
        let first = textures([4, 2, 1], 1);
        assert!(first.is_same(&first.clone()));
        let equal = textures([4, 2, 1], 1);
        assert!(!first.is_same(&equal));
        assert_eq!(first.digest(), equal.digest());
        assert_ne!(first.digest(), textures([4, 2, 1], 2).digest());
        assert_ne!(first.digest(), textures([2, 4, 1], 1).digest());
    }
}
