//! HLSL of shader model 5.1: a group is a register space, a binding a register.

use naga::back::hlsl::{Options, PipelineOptions, Writer};

use super::Entry;
use super::bindings::{BoundKind, header};

/// Semantic of the instance index.
const INSTANCE: &str = "SV_InstanceID";

/// Options of naga.
pub(super) fn options() -> Options {
    Options {
        // The register is the binding, and the space is the group.
        fake_missing_bindings: true,
        // Every loop terminates.
        force_loop_bounding: false,
        ..Options::default()
    }
}

pub(super) fn write(entry: &Entry) -> Result<String, String> {
    let options = options();
    let point = PipelineOptions {
        entry_point: Some((entry.stage(), entry.point().name.clone())),
    };
    let mut text = String::new();
    let names = Writer::new(&mut text, &options, &point)
        .write(&entry.module, &entry.info, None)
        .map_err(|error| error.to_string())?;
    let name = match names.entry_point_names.first() {
        Some(Ok(name)) => name.clone(),
        Some(Err(error)) => return Err(error.to_string()),
        None => return Err("naga wrote no entry point".to_owned()),
    };
    let bound = entry.bound();
    let mut slots: Vec<_> = bound
        .iter()
        .map(|bound| {
            let register = match bound.kind {
                BoundKind::Uniform => 'b',
                BoundKind::ReadStorage | BoundKind::Texture => 't',
                BoundKind::WrittenStorage | BoundKind::WrittenTexture => 'u',
                BoundKind::Sampler => 's',
            };
            let slot = format!("{register}{}, space{}", bound.binding, bound.group);
            (slot, bound.description())
        })
        .collect();
    if text.contains(INSTANCE) {
        let description = "counts from 0 in every draw: start draws at instance 0";
        slots.push((INSTANCE.to_owned(), description.to_owned()));
    }
    let header = header(entry, &name, &slots, |at| format!("LOC{at}"));
    Ok(header + &plain_arrays(&text))
}

/// Replaces constructors of constant arrays by initialiser lists. naga writes a function with one parameter per element,
/// which would be hundreds for the tables of a set.
pub(super) fn plain_arrays(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("typedef uint4 ret_Constructarray") {
            // Skips the type and its constructor, to the closing brace and the empty line after it.
            for line in lines.by_ref() {
                if line == "}" {
                    break;
                }
            }
            lines.next_if(|line| line.is_empty());
            continue;
        }
        match constant_array(line) {
            Some((start, elements)) => out += &format!("{start}{{ {elements} }};"),
            None => out += line,
        }
        out.push('\n');
    }
    out
}

/// Splits a constant array of words into the text before its elements, and the elements.
fn constant_array(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("static const uint4 ")?;
    let (_, call) = rest.split_once(" = Constructarray")?;
    let (_, elements) = call.split_once('(')?;
    let start = line.len() - call.len() - "Constructarray".len();
    Some((&line[..start], elements.strip_suffix(");")?))
}
