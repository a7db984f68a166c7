//! Digests of sources and settings, by which changes are found.

use std::fs;
use std::path::Path;

use percent_encoding::percent_decode_str;
use sha2::{Digest, Sha256};
use throng_import::builtin;

/// Returns the digest of a file and the side files that a .gltf names; for a built-in, of its name and the
/// program's version.
pub fn source_digest(source: &str) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    if source.starts_with(builtin::PREFIX) {
        hash.update(source);
        hash.update(env!("CARGO_PKG_VERSION"));
        return Ok(hex(hash));
    }
    let path = Path::new(source);
    let bytes = fs::read(path)?;
    hash.update(&bytes);
    if path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("gltf"))
    {
        for name in side_files(&bytes) {
            // The import reports files that cannot be read.
            if let Ok(bytes) = fs::read(path.with_file_name(&name)) {
                hash.update(name);
                hash.update(bytes);
            }
        }
    }
    Ok(hex(hash))
}

/// Returns the digest of a text.
pub fn text_digest(content: &str) -> String {
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

/// Lists the files that buffers and images of a .gltf name, below its folder.
fn side_files(json: &[u8]) -> Vec<String> {
    let Ok(document) = serde_json::from_slice::<serde_json::Value>(json) else {
        return Vec::new();
    };
    let uris = ["buffers", "images"].into_iter().flat_map(|list| {
        let entries = document[list].as_array().into_iter().flatten();
        entries.filter_map(|entry| entry["uri"].as_str())
    });
    let is_local =
        |uri: &&str| !uri.starts_with("data:") && !uri.contains("..") && !uri.starts_with('/');
    let decoded = |uri: &str| percent_decode_str(uri).decode_utf8_lossy().into_owned();
    uris.filter(is_local).map(decoded).collect()
}
