//! Digests of sources and settings, by which changes are found.

use std::path::Path;

use sha2::{Digest, Sha256};
use throng_import::{ImportError, builtin, visit_source_files};

/// Returns the digest of a file and the side files that it names; for a built-in, of its name and the program's
/// version.
pub fn source_digest(source: &str) -> Result<String, ImportError> {
    let mut hash = Sha256::new();
    if source.starts_with(builtin::PREFIX) {
        hash.update(source);
        hash.update(env!("CARGO_PKG_VERSION"));
        return Ok(hex(hash));
    }
    visit_source_files(Path::new(source), |name, bytes| {
        hash.update(name);
        hash.update(bytes);
    })?;
    Ok(hex(hash))
}

/// Returns the digest of the bytes that `visit` passes on, a part at a time.
pub fn file_digest(
    visit: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<(), ImportError>,
) -> Result<String, ImportError> {
    let mut hash = Sha256::new();
    visit(&mut |bytes| hash.update(bytes))?;
    Ok(hex(hash))
}

/// Returns the digest of a text.
pub fn text_digest(content: &str) -> String {
    bytes_digest(content.as_bytes())
}

/// Returns the digest of bytes.
pub fn bytes_digest(content: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(content);
    hex(hash)
}

/// Returns `sha256:` and the hexadecimal digest.
fn hex(hash: Sha256) -> String {
    let digits: String = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("sha256:{digits}")
}
