//! Contestants that the user names: techniques, presets and texture sets.

use std::path::Path;
use std::sync::Arc;

use throng_bench::entrant::{Content, EntrantSpec};
use throng_bench::suites::character::default_techniques;
use throng_format::{Encoding, Storage, TextureSet};
use throng_wgpu::DecodeMode;

use crate::cli::{BenchArgs, PanelChoice, PanelContent, StorageArgs};
use crate::command::CommandError;
use crate::command::read_set::read_set;

/// Contestants of the arguments, with the set that was named as a character.
pub fn entrants(
    args: &BenchArgs,
    set: Option<Arc<TextureSet>>,
) -> Result<Vec<EntrantSpec>, CommandError> {
    let mut specs: Vec<EntrantSpec> = set
        .map(|set| EntrantSpec::new(Content::Set(set)))
        .into_iter()
        .collect();
    match args.techniques.is_empty() {
        true => {
            let defaults = default_techniques().into_iter();
            specs.extend(defaults.map(|spec| with_storage(args, spec)));
        }
        false => {
            for choice in &args.techniques {
                specs.push(entrant(args, choice)?);
            }
        }
    }
    for spec in &mut specs {
        let is_bone_local = matches!(spec.content, Content::Baked(Encoding::BoneLocal, _));
        if let Some(decode) = args.decode.filter(|_| !is_bone_local) {
            spec.settings.decode = decode;
            if decode == DecodeMode::Pass {
                spec.name += ", pass";
            }
        }
    }
    make_names_unique(&mut specs);
    Ok(specs)
}

fn entrant(args: &BenchArgs, choice: &PanelChoice) -> Result<EntrantSpec, CommandError> {
    let mut spec = match &choice.content {
        PanelContent::Auto => {
            return Err(CommandError::Usage(
                "--techniques: auto is not a technique: name encodings such as bone-local,vertex"
                    .into(),
            ));
        }
        PanelContent::Technique(technique) => {
            with_storage(args, EntrantSpec::technique(*technique))
        }
        PanelContent::Preset(preset) => EntrantSpec::new(Content::Preset(*preset)),
        PanelContent::Set(path) => {
            let set = read_set(path)?.ok_or_else(|| {
                CommandError::Usage(format!(
                    "--techniques: {} is not a texture set",
                    path.display()
                ))
            })?;
            let name = path.file_name().map(Path::new).unwrap_or(path);
            EntrantSpec::new(Content::Set(Arc::new(set))).named(name.display().to_string())
        }
    };
    if let Some(method) = choice.method {
        spec.name = format!("{}:{method}", spec.name);
        spec.skinning = Some(method);
    }
    Ok(spec)
}

/// The contestant with the storage that the arguments ask for.
fn with_storage(args: &BenchArgs, spec: EntrantSpec) -> EntrantSpec {
    match spec.content {
        Content::Baked(encoding, _) if args.storage != StorageArgs::default() => {
            let storage: Storage = args.storage.of(encoding);
            EntrantSpec::new(Content::Baked(encoding, storage))
        }
        _ => spec,
    }
}

/// Numbers contestants that have the name of an earlier one.
fn make_names_unique(specs: &mut [EntrantSpec]) {
    for at in 0..specs.len() {
        let name = specs[at].name.clone();
        let before = specs[..at]
            .iter()
            .filter(|spec| spec.name == name || spec.name.starts_with(&format!("{name} #")));
        match before.count() {
            0 => {}
            count => specs[at].name = format!("{name} #{}", count + 1),
        }
    }
}
