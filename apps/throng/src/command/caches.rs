//! Vertex caches of a character, by the arguments.

use std::path::Path;

use throng_import::{CacheFile, DEFAULT_CACHE_FPS, ImportError, visit_cache_file};
use throng_rig::Character;

use super::CommandError;
use super::digest::file_digest;
use crate::cli::CacheArgs;

/// Lists the cache files that the arguments name.
pub fn cache_files(args: &CacheArgs) -> Vec<CacheFile> {
    let frames_per_sec = args.cache_fps.unwrap_or(DEFAULT_CACHE_FPS);
    let one = |named: &String| {
        // A file whose own name has an equals sign is a file.
        let split = named.split_once('=').filter(|_| !Path::new(named).exists());
        let (mesh, path) = match split {
            Some((mesh, path)) => (Some(mesh.to_owned()), path),
            None => (None, named.as_str()),
        };
        CacheFile {
            path: path.into(),
            mesh,
            frames_per_sec,
        }
    };
    args.cache.iter().map(one).collect()
}

/// Returns the digest of a cache file, read a part at a time.
pub fn cache_digest(path: &Path) -> Result<String, ImportError> {
    file_digest(|update| visit_cache_file(path, update))
}

/// Fails where a frame of a cache could not be read while the character was posed.
pub fn check_caches(source: &str, character: &Character) -> Result<(), CommandError> {
    match character.cache_failure() {
        Some((part, error)) => Err(CommandError::Unreadable(format!(
            "{source}: the vertex cache of mesh '{}' cannot be read: {error}",
            part.node_name
        ))),
        None => Ok(()),
    }
}

/// Refuses caches for something else than one character.
pub fn refuse_caches(args: &CacheArgs, source: &str, what: &str) -> Result<(), CommandError> {
    match args.cache.is_empty() {
        true => Ok(()),
        false => Err(CommandError::Usage(format!(
            "--cache: {source} is {what}, and a vertex cache moves the mesh of one file: name that file"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_may_name_its_mesh() {
        let args = CacheArgs {
            cache: vec!["flag.pc2".into(), "Sail=a=b.mdd".into()],
            cache_fps: Some(30.0),
        };
        let files = cache_files(&args);
        assert_eq!(files[0].path, Path::new("flag.pc2"));
        assert_eq!(files[0].mesh, None);
        assert_eq!(files[1].path, Path::new("a=b.mdd"));
        assert_eq!(files[1].mesh.as_deref(), Some("Sail"));
        assert_eq!(files[1].frames_per_sec, 30.0);
    }
}
