//! `throng shader`: what decodes an encoding, in the language of an engine.

mod choose;

use std::io::Write;

use throng_format::atomic::write_file;
use throng_format::disk;
use throng_shaders::translate::{Language, translate};
use throng_shaders::{
    Deform, PaletteSource, Pass, Shader, deform_shader, fill_palette_shader, pose_joints_shader,
    with_constants,
};
use throng_wgpu::{DecodePlace, SetShaders};

use super::CommandError;
use crate::cli::{DecodeChoice, ShaderArgs, StageChoice};

/// What to draw with.
struct Choice {
    /// One for each way that parts are moved.
    deforms: Vec<Deform>,
    palette: Option<PaletteSource>,
}

/// A text that is a file of its own, and what it holds.
struct Text {
    name: String,
    text: String,
}

/// Prints shaders, or writes one.
pub fn shader(args: &ShaderArgs, out: &mut impl Write) -> Result<(), CommandError> {
    let texts = texts(args)?;
    if let Some(path) = &args.output {
        let [only] = &texts[..] else {
            let names: Vec<_> = texts.iter().map(|text| text.name.as_str()).collect();
            return Err(CommandError::Usage(format!(
                "{}: {} are files of their own: choose one by --stage",
                path.display(),
                names.join(" and ")
            )));
        };
        write_file(path, only.text.as_bytes())?;
        return Ok(());
    }
    for text in &texts {
        if texts.len() > 1 {
            writeln!(out, "// ==== {} ====", text.name)?;
        }
        write!(out, "{}", text.text)?;
        if !text.text.ends_with('\n') {
            writeln!(out)?;
        }
    }
    Ok(())
}

fn texts(args: &ShaderArgs) -> Result<Vec<Text>, CommandError> {
    let shaders = shaders(args)?;
    let wanted = args.stage.map(entry_point);
    let mut texts = Vec::new();
    for shader in &shaders {
        let entries = shader.entry_points.iter().copied();
        let mut entries = entries.filter(|&entry| wanted.is_none_or(|wanted| wanted == entry));
        if args.lang == Language::Wgsl {
            // One source has them all.
            texts.extend(entries.next().map(|_| Text {
                name: shader.entry_points.join(" and "),
                text: shader.source.clone(),
            }));
            continue;
        }
        for entry in entries {
            let text = translate(shader, entry, args.lang)?;
            // Ways to move vertices may share what is drawn after.
            if texts.iter().all(|known: &Text| known.text != text) {
                let name = entry.to_owned();
                texts.push(Text { name, text });
            }
        }
    }
    if let (Some(wanted), true) = (wanted, texts.is_empty()) {
        let known: Vec<_> = shaders
            .iter()
            .flat_map(|shader| shader.entry_points)
            .copied()
            .collect();
        return Err(CommandError::Usage(format!(
            "{wanted} is not part of this: there are {}; choose another --stage",
            known.join(", ")
        )));
    }
    Ok(texts)
}

/// In the order that a frame runs them.
fn shaders(args: &ShaderArgs) -> Result<Vec<Shader>, CommandError> {
    let decode = match args.decode {
        Some(DecodeChoice::Palette) => DecodePlace::Pass,
        Some(DecodeChoice::Vertex) | None => DecodePlace::Direct,
    };
    let (choice, set) = match &args.constants {
        None => (choose::by_arguments(args, decode)?, None),
        Some(path) => {
            let set = disk::read(path)?;
            let encoding = set.manifest().encoding;
            if let Some(asked) = args.encoding.filter(|&asked| asked != encoding) {
                return Err(CommandError::Usage(format!(
                    "{}: the set is {encoding}, not {asked}: leave --encoding out",
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
    let wants_joints = args.stage == Some(StageChoice::Joints);
    if wants_joints && choice.palette != Some(PaletteSource::Curves) {
        return Err(CommandError::Usage(
            "joints are decoded from bone-local alone: choose --encoding bone-local".into(),
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
    if let (Some(set), Some(path)) = (set, &args.constants) {
        for shader in &mut shaders {
            *shader = with_constants(shader, &set.info, &set.tables).map_err(|error| {
                let path = path.clone();
                CommandError::Constants { path, error }
            })?;
        }
    }
    Ok(shaders)
}

fn entry_point(stage: StageChoice) -> &'static str {
    match stage {
        StageChoice::Vertex => "draw_vertex",
        StageChoice::Fragment => "draw_fragment",
        StageChoice::PaletteVertex => "fill_palette_vertex",
        StageChoice::PaletteFragment => "fill_palette_fragment",
        StageChoice::Joints => "pose_joints",
    }
}
