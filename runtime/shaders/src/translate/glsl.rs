//! GLSL ES 3.00. A texture and a block are found by name, which naga makes from group and binding.

use naga::back::glsl::{Options, PipelineOptions, Version, Writer, WriterFlags};

use super::Entry;
use super::bindings::header;

/// naga's name for the first instance of a draw, which GLSL ES adds to its own count.
const FIRST_INSTANCE: &str = "naga_vs_first_instance";

/// Draws points, whose size is undefined in GLSL until it is written.
const DRAWS_POINTS: &str = "capture_vertex";

pub(super) fn write(entry: &Entry) -> Result<String, String> {
    let options = Options {
        version: Version::new_gles(300),
        // Engines have their own minds about clip space.
        writer_flags: match entry.point().name == DRAWS_POINTS {
            true => WriterFlags::FORCE_POINT_SIZE,
            false => WriterFlags::empty(),
        },
        ..Options::default()
    };
    let point = PipelineOptions {
        shader_stage: entry.stage(),
        entry_point: entry.point().name.clone(),
        multiview: None,
    };
    let mut text = String::new();
    let names = Writer::new(
        &mut text,
        &entry.module,
        &entry.info,
        &options,
        &point,
        Default::default(),
    )
    .and_then(|mut writer| writer.write())
    .map_err(|error| error.to_string())?;

    let mut places = Vec::new();
    for bound in entry.bound() {
        let texture = names
            .texture_mapping
            .iter()
            .find(|(_, mapping)| mapping.texture == bound.variable)
            .map(|(name, _)| format!("texture {name}"));
        let block = names.uniforms.get(&bound.variable);
        let place = texture.or_else(|| block.map(|name| format!("uniform block {name}")));
        if let Some(place) = place {
            let (group, binding) = (bound.group, bound.binding);
            let mut what = format!("{} (group {group}, binding {binding})", bound.name);
            if let Some(upload) = bound.upload {
                what += &format!(": {upload}");
            }
            places.push((place, what));
        }
    }
    if text.contains(FIRST_INSTANCE) {
        places.push((
            format!("uniform uint {FIRST_INSTANCE}"),
            "0, or what comes before the first instance of the draw".to_owned(),
        ));
    }
    // The version must be the first line.
    let (version, rest) = text.split_once('\n').ok_or("naga wrote no version")?;
    let header = header(entry, "main", &places, |at| format!("attribute {at}"));
    Ok(format!("{version}\n{header}{}", rest.trim_start()))
}
