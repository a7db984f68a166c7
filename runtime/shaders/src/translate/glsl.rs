//! GLSL ES 3.00. Textures and uniform blocks are bound by name; naga makes the names from group and binding.

use naga::back::glsl::{Options, PipelineOptions, ReflectionInfo, Version, Writer, WriterFlags};

use super::Entry;
use super::bindings::header;

/// Uniform that naga adds to `gl_InstanceID`: the first instance of a draw.
const FIRST_INSTANCE: &str = "naga_vs_first_instance";

/// Entry point that draws points, whose size must be written in GLSL.
const DRAWS_POINTS: &str = "capture_vertex";

/// Writes the source as naga does, and returns the names of its bindings.
pub(super) fn write_plain(entry: &Entry) -> Result<(String, ReflectionInfo), String> {
    let options = Options {
        version: Version::new_gles(300),
        // The caller chooses clip space.
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
    Ok((text, names))
}

pub(super) fn write(entry: &Entry) -> Result<String, String> {
    let (text, names) = write_plain(entry)?;
    let mut slots = Vec::new();
    for bound in entry.bound() {
        let texture = names
            .texture_mapping
            .iter()
            .find(|(_, mapping)| mapping.texture == bound.variable)
            .map(|(name, _)| format!("texture {name}"));
        let block = names.uniforms.get(&bound.variable);
        let slot = texture.or_else(|| block.map(|name| format!("uniform block {name}")));
        if let Some(slot) = slot {
            let (group, binding) = (bound.group, bound.binding);
            let mut description = format!("{} (group {group}, binding {binding})", bound.name);
            if let Some(upload) = bound.upload {
                description += &format!(": {upload}");
            }
            slots.push((slot, description));
        }
    }
    if text.contains(FIRST_INSTANCE) {
        slots.push((
            format!("uniform uint {FIRST_INSTANCE}"),
            "index of the first instance of the draw, usually 0".to_owned(),
        ));
    }
    // The version must be the first line.
    let (version, rest) = text.split_once('\n').ok_or("naga wrote no version")?;
    let header = header(entry, "main", &slots, |at| format!("attribute {at}"));
    Ok(format!("{version}\n{header}{}", rest.trim_start()))
}
