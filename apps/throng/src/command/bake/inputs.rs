//! Sources to bake, and where their sets go.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use throng_format::file::FileFormat;
use throng_import::builtin;

use crate::cli::SetFormat;
use crate::command::CommandError;
use crate::command::files_below::files_below;

/// A source and its set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Path of a file, or `builtin:NAME`.
    pub source: String,
    /// Folder or file of the set.
    pub output: PathBuf,
}

/// Inputs of one command line.
#[derive(Debug, PartialEq, Eq)]
pub enum Inputs {
    /// One file or built-in.
    One(Input),
    /// Several files or built-ins, or a folder.
    Library {
        /// The folder of all sets, empty for the current one.
        folder: PathBuf,
        inputs: Vec<Input>,
    },
}

impl Inputs {
    /// Returns all inputs.
    pub fn into_list(self) -> Vec<Input> {
        match self {
            Self::One(input) => vec![input],
            Self::Library { inputs, .. } => inputs,
        }
    }
}

/// Extensions of character files that are found in folders. An OBJ file has nothing to bake without a cache, which is named.
const EXTENSIONS: [&str; 4] = ["glb", "gltf", "fbx", "abc"];

/// Lists the files as named and the files in folders, sorted by name.
pub fn find_inputs(
    files: &[String],
    output: Option<&Path>,
    format: Option<SetFormat>,
) -> Result<Inputs, CommandError> {
    if let Some(output) = output {
        refuse_texture_name(output)?;
    }
    let ending = match format {
        Some(SetFormat::Glb) => "throng.glb",
        _ => "throng",
    };
    if let [file] = files
        && !Path::new(file).is_dir()
    {
        let output = match output {
            Some(output) => output.to_owned(),
            None => PathBuf::from(format!("{}.{ending}", stem(file))),
        };
        return Ok(Inputs::One(Input {
            source: file.clone(),
            output,
        }));
    }
    let folder = output.unwrap_or(Path::new("")).to_owned();
    if is_glb(&folder) {
        return Err(CommandError::Usage(format!(
            "{} is one file, but several inputs need a folder: name a folder",
            folder.display()
        )));
    }
    // Sources, and their paths in the library without an extension.
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for input in files {
        let path = Path::new(input);
        if path.is_dir() {
            let files = files_below(path, &EXTENSIONS)?;
            if files.is_empty() {
                return Err(CommandError::Usage(format!(
                    "{input} contains no .glb, .gltf, .fbx or .abc file"
                )));
            }
            let named = files.into_iter().map(|file| (file.source, file.name));
            found.extend(named);
        } else {
            found.push((input.clone(), PathBuf::from(stem(input))));
        }
    }
    // The name of a set depends on its source alone, so that other files in the folder do not rename it.
    let inputs = found.into_iter().map(|(source, path)| Input {
        source,
        output: folder.join(format!("{}.{ending}", path.display())),
    });
    let inputs: Vec<Input> = inputs.collect();
    refuse_equal_outputs(&inputs)?;
    Ok(Inputs::Library { folder, inputs })
}

/// Lists the inputs of a party: as [`find_inputs`], but every set is directly in the folder of the output, also that of a
/// single input.
pub fn find_party(files: &[String], output: Option<&Path>) -> Result<Vec<Input>, CommandError> {
    let folder = output.unwrap_or(Path::new(""));
    if is_glb(folder) {
        return Err(CommandError::Usage(format!(
            "{} is one file, but characters that share a motion set need a folder: name a folder",
            folder.display()
        )));
    }
    refuse_texture_name(folder)?;
    let mut sources = Vec::new();
    for input in files {
        match Path::new(input).is_dir() {
            true => sources.extend(characters_below(Path::new(input))?),
            false => sources.push(input.clone()),
        }
    }
    let inputs = sources.into_iter().map(|source| Input {
        output: folder.join(format!("{}.throng", stem(&source))),
        source,
    });
    let inputs: Vec<Input> = inputs.collect();
    refuse_equal_outputs(&inputs)?;
    Ok(inputs)
}

/// Lists the character files below a folder, sorted by name, without those of baked sets.
pub fn characters_below(folder: &Path) -> Result<Vec<String>, CommandError> {
    let found = files_below(folder, &EXTENSIONS)?;
    if found.is_empty() {
        return Err(CommandError::Usage(format!(
            "{} contains no .glb, .gltf, .fbx or .abc file, and no texture set",
            folder.display()
        )));
    }
    Ok(found.into_iter().map(|file| file.source).collect())
}

/// Returns whether there are character files below a folder.
pub fn has_characters(folder: &Path) -> bool {
    characters_below(folder).is_ok()
}

/// Returns whether a path names a GLB file.
pub fn is_glb(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("glb"))
}

/// Refuses an output that is named like a texture file: a set is a folder of them.
fn refuse_texture_name(output: &Path) -> Result<(), CommandError> {
    let extension = output.extension().unwrap_or_default().to_ascii_lowercase();
    let Some(format) = FileFormat::ALL
        .into_iter()
        .find(|format| extension == format.extension())
    else {
        return Ok(());
    };
    Err(CommandError::Usage(format!(
        "-o {}: a set is a folder or a .glb file: use -o {} --format {format}",
        output.display(),
        output.with_extension("throng").display(),
    )))
}

/// Creates a folder and its missing parents.
pub fn make_folder(path: &Path) -> Result<(), CommandError> {
    fs::create_dir_all(path).map_err(|error| CommandError::Folder {
        path: path.into(),
        error,
    })
}

/// Refuses two inputs with one output.
fn refuse_equal_outputs(inputs: &[Input]) -> Result<(), CommandError> {
    let mut sources: HashMap<&Path, &str> = HashMap::new();
    for input in inputs {
        if let Some(first) = sources.insert(&input.output, &input.source) {
            return Err(CommandError::Usage(format!(
                "{first} and {} would both be written to {}: rename one of them, or bake them separately",
                input.source,
                input.output.display()
            )));
        }
    }
    Ok(())
}

/// Returns the name of a set: that of the file without its extension, or of the built-in.
fn stem(source: &str) -> String {
    match source.strip_prefix(builtin::PREFIX) {
        Some(name) => name.replace(':', "-"),
        None => Path::new(source)
            .file_stem()
            .map_or_else(|| "set".into(), |stem| stem.to_string_lossy().into_owned()),
    }
}
