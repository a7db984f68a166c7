//! Metal Shading Language. Slots, in which no two bindings collide: buffers are `group + binding`, textures are
//! `binding + 10 * (group - 1)`, samplers are `binding + 5 * (group - 2)`, with groups counted as at least 1 and 2.

use naga::ResourceBinding;
use naga::back::msl::{
    BindSamplerTarget, BindTarget, EntryPointResources, Options, PipelineOptions, write_string,
};

use super::Entry;
use super::bindings::{Bound, BoundKind, header};

/// Slot of the lengths of runtime-sized arrays, after all other buffers.
const SIZES_BUFFER: u8 = 8;

pub(super) fn write(entry: &Entry) -> Result<String, String> {
    let bound = entry.bound();
    let mut resources = EntryPointResources {
        sizes_buffer: Some(SIZES_BUFFER),
        ..EntryPointResources::default()
    };
    let mut slots = Vec::new();
    for bound in &bound {
        let slot = slot(bound)?;
        let mut target = BindTarget {
            mutable: bound.kind == BoundKind::WrittenStorage,
            ..BindTarget::default()
        };
        let kind = match bound.kind {
            BoundKind::Texture | BoundKind::WrittenTexture => {
                target.texture = Some(slot);
                "texture"
            }
            BoundKind::Sampler => {
                target.sampler = Some(BindSamplerTarget::Resource(slot));
                "sampler"
            }
            _ => {
                target.buffer = Some(slot);
                "buffer"
            }
        };
        let at = ResourceBinding {
            group: bound.group,
            binding: bound.binding,
        };
        resources.resources.insert(at, target);
        slots.push((format!("{kind}({slot})"), bound.description()));
    }
    let name = entry.point().name.clone();
    let options = Options {
        lang_version: (2, 0),
        per_entry_point_map: [(name.clone(), resources)].into(),
        fake_missing_bindings: false,
        // Every loop terminates.
        force_loop_bounding: false,
        ..Options::default()
    };
    let point = PipelineOptions {
        entry_point: Some((entry.stage(), name)),
        ..PipelineOptions::default()
    };
    let (text, names) = write_string(&entry.module, &entry.info, &options, &point)
        .map_err(|error| error.to_string())?;
    let name = match names.entry_point_names.first() {
        Some(Ok(name)) => name,
        Some(Err(error)) => return Err(error.to_string()),
        None => return Err("naga wrote no entry point".to_owned()),
    };
    if text.contains(&format!("buffer({SIZES_BUFFER})")) {
        let description = "byte lengths of the arrays in storage buffers, as u32".to_owned();
        slots.push((format!("buffer({SIZES_BUFFER})"), description));
    }
    let header = header(entry, name, &slots, |at| format!("attribute({at})"));
    Ok(header + &text)
}

fn slot(bound: &Bound<'_>) -> Result<u8, String> {
    let slot = match bound.kind {
        BoundKind::Texture | BoundKind::WrittenTexture => {
            bound.binding + 10 * bound.group.saturating_sub(1)
        }
        BoundKind::Sampler => bound.binding + 5 * bound.group.saturating_sub(2),
        _ => bound.group + bound.binding,
    };
    u8::try_from(slot).map_err(|_| format!("binding {} of '{}' exceeds 255", slot, bound.name))
}
