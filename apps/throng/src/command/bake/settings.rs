//! What was asked for, as the baker takes it.

use throng_bake::search::{Goal, SearchSpace};
use throng_bake::{BakeSettings, Boxes, DEFAULT_ERROR_OF_SIZE, Rate, Sides};
use throng_format::{Encoding, Metadata, SetLayout};
use throng_rig::{Character, select_by_name};

use crate::cli::{BakeArgs, BoxChoice, EncodingChoice, SetFormat};
use crate::command::CommandError;

/// How a set is found.
pub enum Way {
    /// These settings.
    Bake(BakeSettings),
    /// The best of many.
    Search {
        base: BakeSettings,
        space: SearchSpace,
        goal: Goal,
    },
}

/// What the arguments ask of a character of a size in metres, for files of a format.
pub fn way(
    args: &BakeArgs,
    format: SetFormat,
    character: &Character,
    size: f64,
) -> Result<Way, CommandError> {
    let of_size = args.max_error.map(|limit| limit.of_size(size));
    let mut settings = BakeSettings {
        skinning: args.method,
        clips: clips(args, character)?,
        rate: args.rate.unwrap_or(Rate::Native),
        interpolation: args.interpolate,
        looping: args.looping,
        boxes: args.boxes.map(|boxes| match boxes {
            BoxChoice::Bone => Boxes::PerBone,
            BoxChoice::Whole => Boxes::Whole,
        }),
        metadata: args.metadata,
        sides: if args.pow2 {
            Sides::PowerOfTwo
        } else {
            Sides::Exact
        },
        max_side: args.max_side,
        max_error_of_size: of_size.unwrap_or(DEFAULT_ERROR_OF_SIZE),
        preset: args.preset,
        ..BakeSettings::default()
    };
    if args.preset.is_some() {
        return Ok(Way::Bake(settings));
    }
    let encoding = match args.encoding {
        EncodingChoice::Auto => None,
        EncodingChoice::One(encoding) => Some(encoding),
    };
    args.storage.check().map_err(CommandError::Usage)?;
    let is_compressed =
        encoding == Some(Encoding::BoneLocal) || args.storage.layout == Some(SetLayout::Compressed);
    if is_compressed && args.metadata == Metadata::Column {
        return Err(CommandError::Usage(
            "--metadata column is for frames; compressed curves hold their own tables: \
             remove --metadata or use --layout frames"
                .into(),
        ));
    }
    let is_fixed =
        encoding.is_some() && args.max_bytes.is_none() && (is_compressed || of_size.is_none());
    if let (Some(encoding), true) = (encoding, is_fixed) {
        settings.encoding = encoding;
        settings.storage = args.storage.of(encoding);
        return Ok(Way::Bake(settings));
    }
    let goal = match args.max_bytes {
        Some(gpu_bytes) => Goal::MaxBytes { gpu_bytes },
        None => Goal::MaxError {
            of_size: settings.max_error_of_size,
        },
    };
    let space = SearchSpace {
        encodings: encoding.map(|encoding| vec![encoding]),
        layout: args.storage.layout,
        precision: args.storage.precision,
        rate: args.rate,
        files: match format {
            SetFormat::Folder(format) => Some(format),
            SetFormat::Glb => None,
        },
        ..SearchSpace::default()
    };
    Ok(Way::Search {
        base: settings,
        space,
        goal,
    })
}

fn clips(args: &BakeArgs, character: &Character) -> Result<Vec<usize>, CommandError> {
    let names: Vec<&str> = character
        .clips()
        .iter()
        .map(|clip| clip.name.as_str())
        .collect();
    let mut chosen = Vec::new();
    for asked in &args.clips {
        let found = select_by_name(names.iter().copied(), asked)
            .map_err(|error| CommandError::Usage(format!("--clips {asked}: {error}")))?;
        if !chosen.contains(&found.index) {
            chosen.push(found.index);
        }
    }
    Ok(chosen)
}
