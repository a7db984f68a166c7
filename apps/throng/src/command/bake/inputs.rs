//! What is to be baked, and where it goes.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use throng_import::builtin;

use crate::cli::{BakeArgs, SetFormat};
use crate::command::CommandError;

/// A set that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// A file or `builtin:NAME`.
    pub source: String,
    /// The set's folder or file.
    pub output: PathBuf,
    /// Whether a set that is there and would come out the same is left alone.
    pub is_resumed: bool,
}

/// One input, or several, which go on where one fails.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    One(Job),
    Many(Vec<Job>),
}

/// Folders deeper than this are not looked into.
const MAX_DEPTH: usize = 16;

/// Files as they are named, folders by what is in them, in order of their names.
pub fn find_inputs(args: &BakeArgs) -> Result<Input, CommandError> {
    let ending = match args.format {
        Some(SetFormat::Glb) => "throng.glb",
        _ => "throng",
    };
    if let [file] = args.files.as_slice()
        && !Path::new(file).is_dir()
    {
        let output = match &args.output {
            Some(output) => output.clone(),
            None => PathBuf::from(format!("{}.{ending}", stem(file))),
        };
        return Ok(Input::One(Job {
            source: file.clone(),
            output,
            is_resumed: false,
        }));
    }
    let library = args.output.clone().unwrap_or_default();
    if is_glb(&library) {
        return Err(CommandError::Usage(format!(
            "{} is one file, several inputs need a folder: name a folder",
            library.display()
        )));
    }
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for input in &args.files {
        let path = Path::new(input);
        if path.is_dir() {
            let before = found.len();
            walk(path, path, 0, &mut found)?;
            if found.len() == before {
                return Err(CommandError::Usage(format!(
                    "{input} has no .glb, .gltf or .fbx file in it"
                )));
            }
        } else {
            found.push((input.clone(), PathBuf::from(stem(input))));
        }
    }
    // Two files of one name but for the ending keep their endings.
    let mut uses: HashMap<PathBuf, usize> = HashMap::new();
    for (_, place) in &found {
        *uses.entry(place.clone()).or_default() += 1;
    }
    let jobs = found.into_iter().map(|(source, place)| {
        let name = if uses[&place] > 1 {
            let extension = Path::new(&source).extension().unwrap_or_default();
            format!("{}.{}", place.display(), extension.to_string_lossy())
        } else {
            place.display().to_string()
        };
        Job {
            source,
            output: library.join(format!("{name}.{ending}")),
            is_resumed: true,
        }
    });
    let jobs: Vec<Job> = jobs.collect();
    refuse_namesakes(&jobs)?;
    if !library.as_os_str().is_empty() {
        make_folder(&library)?;
    }
    Ok(Input::Many(jobs))
}

/// True of a path that is named as one file.
pub fn is_glb(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("glb"))
}

/// Makes a folder and those it is in, where they are missing.
pub fn make_folder(path: &Path) -> Result<(), CommandError> {
    fs::create_dir_all(path).map_err(|error| CommandError::Folder {
        path: path.into(),
        error,
        remedy: "choose another folder for the sets",
    })
}

/// No set may take the place of another.
fn refuse_namesakes(jobs: &[Job]) -> Result<(), CommandError> {
    let mut sources: HashMap<&Path, &str> = HashMap::new();
    for job in jobs {
        if let Some(first) = sources.insert(&job.output, &job.source) {
            return Err(CommandError::Usage(format!(
                "{first} and {} would both be {}: bake them apart",
                job.source,
                job.output.display()
            )));
        }
    }
    Ok(())
}

/// Character files below a folder; sets that were baked are not looked into.
fn walk(
    root: &Path,
    folder: &Path,
    depth: usize,
    found: &mut Vec<(String, PathBuf)>,
) -> Result<(), CommandError> {
    let listed = |entries: fs::ReadDir| entries.map(|entry| Ok(entry?.path())).collect();
    let entries: io::Result<Vec<PathBuf>> = fs::read_dir(folder).and_then(listed);
    let mut entries = entries.map_err(|error| CommandError::Folder {
        path: folder.into(),
        error,
        remedy: "choose a folder that you may read",
    })?;
    entries.sort();
    for path in entries {
        let extension = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        if path.is_dir() {
            if extension != "throng" && depth < MAX_DEPTH {
                walk(root, &path, depth + 1, found)?;
            }
        } else if ["glb", "gltf", "fbx"].contains(&extension.as_str()) && !is_baked(&path) {
            let inside = path.strip_prefix(root).unwrap_or(&path);
            let place = inside.with_extension("");
            found.push((path.display().to_string(), place));
        }
    }
    Ok(())
}

/// True of the files that `--format glb` leaves beside their sources.
fn is_baked(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(".throng.glb") || name.ends_with(".throng.heat.glb")
}

/// A name for a set: the file's without its ending, or the built-in's.
fn stem(source: &str) -> String {
    match source.strip_prefix(builtin::PREFIX) {
        Some(name) => name.replace(':', "-"),
        None => Path::new(source)
            .file_stem()
            .map_or_else(|| "set".into(), |stem| stem.to_string_lossy().into_owned()),
    }
}
