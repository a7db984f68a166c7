//! Characters that the user names: files, built-in characters and texture sets.

use std::path::Path;
use std::sync::Arc;

use throng_bench::subject::SubjectSpec;
use throng_format::TextureSet;

use crate::cli::{BenchArgs, DEFAULT_SOURCE};
use crate::command::CommandError;
use crate::command::print_warnings;
use crate::command::read_set::read_set;
use crate::command::set_source::import_source;
use throng_import::import;

/// A character, and the texture set that was named in its place.
pub type NamedSubject = (SubjectSpec, Option<Arc<TextureSet>>);

/// Imports the characters. A texture set stands for the character that it was baked from, and takes part itself.
pub fn subjects(args: &BenchArgs) -> Result<Vec<NamedSubject>, CommandError> {
    let default = [DEFAULT_SOURCE.to_owned()];
    let files = match args.files.is_empty() {
        true => &default[..],
        false => &args.files,
    };
    let mut subjects = Vec::new();
    for file in files {
        let path = Path::new(file);
        let set = match file.starts_with(throng_import::builtin::PREFIX) {
            true => None,
            false => read_set(path)?,
        };
        let (source, imported) = match &set {
            Some(set) => import_source(path, set.manifest(), None)?,
            None => (file.clone(), import(file, &args.import.options())?),
        };
        print_warnings(&imported.warnings);
        let clips = match (&set, args.clips.is_empty()) {
            // Instances play what all contestants have.
            (Some(set), true) => {
                let clips = set.manifest().clips.iter();
                clips.map(|clip| clip.name.clone()).collect()
            }
            _ => args.clips.clone(),
        };
        let subject = SubjectSpec {
            source,
            options: args.import.options(),
            clips,
            character: Some(imported.character),
        };
        subjects.push((subject, set.map(Arc::new)));
    }
    Ok(subjects)
}
