//! Digests: whether a source, or what was asked of it, has changed.

use std::fs;
use std::path::Path;

use percent_encoding::percent_decode_str;
use sha2::{Digest, Sha256};
use throng_import::builtin;

/// Of a file and the side files that a .gltf names, or of a built-in's name and our version.
pub fn source_digest(source: &str) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    if source.starts_with(builtin::PREFIX) {
        hash.update(source);
        hash.update(env!("CARGO_PKG_VERSION"));
        return Ok(text(hash));
    }
    let path = Path::new(source);
    let bytes = fs::read(path)?;
    hash.update(&bytes);
    if path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("gltf"))
    {
        for name in side_files(&bytes) {
            // What cannot be read is for the importer to tell.
            if let Ok(bytes) = fs::read(path.with_file_name(&name)) {
                hash.update(name);
                hash.update(bytes);
            }
        }
    }
    Ok(text(hash))
}

/// Of anything that can be written down.
pub fn text_digest(what: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(what);
    text(hash)
}

fn text(hash: Sha256) -> String {
    let hex: String = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("sha256:{hex}")
}

/// Files in the same folder that buffers and images name.
fn side_files(json: &[u8]) -> Vec<String> {
    let Ok(document) = serde_json::from_slice::<serde_json::Value>(json) else {
        return Vec::new();
    };
    let uris = ["buffers", "images"].into_iter().flat_map(|list| {
        let entries = document[list].as_array().into_iter().flatten();
        entries.filter_map(|entry| entry["uri"].as_str())
    });
    let plain =
        |uri: &&str| !uri.starts_with("data:") && !uri.contains("..") && !uri.starts_with('/');
    let decoded = |uri: &str| percent_decode_str(uri).decode_utf8_lossy().into_owned();
    uris.filter(plain).map(decoded).collect()
}
