//! `throng shader`: prints the shaders that decode an encoding.

mod choose;
mod functions;

use std::io::Write;

use throng_format::atomic::write_file;
use throng_format::disk;
use throng_shaders::translate::{Language, translate};
use throng_shaders::{
    Deform, PaletteSource, Pass, Shader, deform_shader, fill_palette_shader, pose_joints_shader,
    with_constants,
};
use throng_wgpu::{DecodeMode, GpuError, SetShaders};

use super::CommandError;
use crate::cli::{ShaderArgs, StageChoice};

/// Shaders of one encoding.
struct Choice {
    /// Distinct vertex shaders; parts may differ in theirs.
    deforms: Vec<Deform>,
    /// Input of the decode pass, if there is one.
    palette: Option<PaletteSource>,
}

/// One source file.
struct SourceFile {
    /// Its entry points.
    name: String,
    text: String,
}

/// Prints the shaders, or writes one of them to a file.
pub fn shader(args: &ShaderArgs, out: &mut impl Write) -> Result<(), CommandError> {
    let files = source_files(args)?;
    if let Some(path) = &args.output {
        let [only] = &files[..] else {
            let names: Vec<_> = files.iter().map(|file| file.name.as_str()).collect();
            return Err(CommandError::Usage(format!(
                "{}: one file cannot hold {}: choose one with --stage",
                path.display(),
                names.join(" and ")
            )));
        };
        write_file(path, only.text.as_bytes())?;
        return Ok(());
    }
    for file in &files {
        if files.len() > 1 {
            writeln!(out, "// ==== {} ====", file.name)?;
        }
        write!(out, "{}", file.text)?;
        if !file.text.ends_with('\n') {
            writeln!(out)?;
        }
    }
    Ok(())
}

fn source_files(args: &ShaderArgs) -> Result<Vec<SourceFile>, CommandError> {
    let (choice, set) = choose(args)?;
    if let Some(stage @ (StageChoice::Functions | StageChoice::PaletteFunctions)) = args.stage {
        return functions::source_files(args, stage, &choice, set.as_ref());
    }
    let shaders = shaders(args, &choice, set.as_ref())?;
    let wanted = args.stage.and_then(entry_point);
    let mut files = Vec::new();
    for shader in &shaders {
        let entries = shader.entry_points.iter().copied();
        let mut entries = entries.filter(|&entry| wanted.is_none_or(|wanted| wanted == entry));
        if args.lang == Language::Wgsl {
            // One file has all entry points.
            files.extend(entries.next().map(|_| SourceFile {
                name: shader.entry_points.join(" and "),
                text: shader.source.clone(),
            }));
            continue;
        }
        for entry in entries {
            let text = translate(shader, entry, args.lang)?;
            // Vertex shaders may share one fragment shader.
            if files.iter().all(|known: &SourceFile| known.text != text) {
                let name = entry.to_owned();
                files.push(SourceFile { name, text });
            }
        }
    }
    if let (Some(wanted), true) = (wanted, files.is_empty()) {
        let known: Vec<_> = shaders
            .iter()
            .flat_map(|shader| shader.entry_points)
            .copied()
            .collect();
        return Err(CommandError::Usage(format!(
            "{wanted} is not a stage of this encoding, which has {}: choose another --stage",
            known.join(", ")
        )));
    }
    Ok(files)
}

/// Returns the shaders to print, and those of the set that the arguments name.
fn choose(args: &ShaderArgs) -> Result<(Choice, Option<SetShaders>), CommandError> {
    let decode = args.decode.unwrap_or(DecodeMode::Direct);
    let (choice, set) = match args.constants.as_ref().or(args.column.as_ref()) {
        None => (choose::by_arguments(args, decode)?, None),
        Some(path) => {
            let set = disk::read(path)?;
            let encoding = set.manifest().encoding;
            if let Some(asked) = args.encoding.filter(|&asked| asked != encoding) {
                return Err(CommandError::Usage(format!(
                    "{}: the encoding of the set is {encoding}, not {asked}: leave --encoding out",
                    path.display()
                )));
            }
            let path = path.clone();
            let shaders = SetShaders::of(&set, decode)
                .map_err(|error| CommandError::Undrawable { path, error })?;
            let choice = Choice {
                deforms: shaders.deforms.clone(),
                palette: shaders.palette,
            };
            (choice, Some(shaders))
        }
    };
    choose::check_decode(&choice, args.decode)?;
    Ok((choice, set))
}

/// Returns the shaders in the order of a frame.
fn shaders(
    args: &ShaderArgs,
    choice: &Choice,
    set: Option<&SetShaders>,
) -> Result<Vec<Shader>, CommandError> {
    let wants_joints = args.stage == Some(StageChoice::Joints);
    if wants_joints && choice.palette != Some(PaletteSource::Curves) {
        return Err(CommandError::Usage(
            "the stage joints exists for bone-local only: choose --encoding bone-local".into(),
        ));
    }
    let mut shaders: Vec<Shader> = match wants_joints {
        true => vec![pose_joints_shader()],
        false => {
            let passes = choice.palette.map(fill_palette_shader).into_iter();
            let draws = choice
                .deforms
                .iter()
                .map(|&deform| deform_shader(deform, Pass::Draw));
            passes.chain(draws).collect()
        }
    };
    for shader in &mut shaders {
        *shader = with_metadata(shader, args, set)?;
    }
    Ok(shaders)
}

/// Reads the metadata of the set as the arguments ask: from its first column, or compiled in.
fn with_metadata(
    shader: &Shader,
    args: &ShaderArgs,
    set: Option<&SetShaders>,
) -> Result<Shader, CommandError> {
    let mut shader = shader.clone();
    if let (Some(set), Some(path)) = (set, &args.column) {
        let column = set
            .column
            .as_ref()
            .ok_or_else(|| CommandError::Undrawable {
                path: path.clone(),
                error: GpuError::NoColumn,
            })?;
        shader = shader.with_column(column);
    }
    if let (Some(set), Some(path)) = (set, &args.constants) {
        shader = with_constants(&shader, &set.info, &set.tables).map_err(|error| {
            let path = path.clone();
            CommandError::Constants { path, error }
        })?;
    }
    Ok(shader)
}

/// Entry point of a stage; `None` for functions, which have none.
fn entry_point(stage: StageChoice) -> Option<&'static str> {
    Some(match stage {
        StageChoice::Vertex => "draw_vertex",
        StageChoice::Fragment => "draw_fragment",
        StageChoice::PaletteVertex => "fill_palette_vertex",
        StageChoice::PaletteFragment => "fill_palette_fragment",
        StageChoice::Joints => "pose_joints",
        StageChoice::Functions | StageChoice::PaletteFunctions => return None,
    })
}
