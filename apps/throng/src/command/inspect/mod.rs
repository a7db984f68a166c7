//! `throng inspect`: lists the contents of a character, a texture set or a folder of characters.

mod folder;
mod party;
mod print;
mod report;
mod set;

use std::io::Write;
use std::path::Path;

use throng_import::{import_motion, import_with_caches};

use super::CommandError;
use super::bake::has_characters;
use super::caches::{cache_files, refuse_caches};
use super::party::sets_of_party;
use crate::cli::InspectArgs;
pub use report::Box3;
use report::Report;

/// Prints the contents of a character or a set, or a line per character or set of a folder.
pub fn inspect(args: &InspectArgs, out: &mut impl Write) -> Result<(), CommandError> {
    let source = &args.source.file;
    let path = Path::new(source);
    if let Some(manifest) = set::manifest_of(path)? {
        refuse_caches(&args.source.caches, source, "a texture set")?;
        return set::write(source, &manifest, args.json, out);
    }
    if path.is_dir() {
        refuse_caches(&args.source.caches, source, "a folder")?;
        return match (sets_of_party(path)?, has_characters(path)) {
            (Some(sets), false) => party::inspect(&sets, args.json, out),
            _ => folder::inspect(path, args, out),
        };
    }
    let is_bvh = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("bvh"));
    let caches = cache_files(&args.source.caches);
    let import = match is_bvh && caches.is_empty() {
        // Files of other kinds are read as characters, with or without a mesh.
        true => import_motion(source, &args.source.options())?,
        false => import_with_caches(source, &args.source.options(), &caches)?,
    };
    let report = Report::new(source, &import);
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)?;
    } else {
        report.write(out)?;
    }
    Ok(())
}
