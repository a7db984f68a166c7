//! HLSL of shader model 5.1: a group is a register space, a binding a register.

use naga::back::hlsl::{Options, PipelineOptions, Writer};

use super::Entry;
use super::bindings::{BoundKind, header};

/// The number of an instance.
const INSTANCE: &str = "SV_InstanceID";

pub(super) fn write(entry: &Entry) -> Result<String, String> {
    let options = Options {
        // What has no register of its own gets that of its binding, in the space of its group.
        fake_missing_bindings: true,
        // Every loop of ours ends.
        force_loop_bounding: false,
        ..Options::default()
    };
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
    let mut places: Vec<_> = bound
        .iter()
        .map(|bound| {
            let register = match bound.kind {
                BoundKind::Uniform => 'b',
                BoundKind::ReadStorage | BoundKind::Texture => 't',
                BoundKind::WrittenStorage | BoundKind::WrittenTexture => 'u',
                BoundKind::Sampler => 's',
            };
            let place = format!("{register}{}, space{}", bound.binding, bound.group);
            (place, bound.what())
        })
        .collect();
    if text.contains(INSTANCE) {
        let what = "counts from 0 in every draw: let draws begin at instance 0";
        places.push((INSTANCE.to_owned(), what.to_owned()));
    }
    let header = header(entry, &name, &places, |at| format!("LOC{at}"));
    Ok(header + &plain_arrays(&text))
}

/// Constant arrays as lists. naga writes a function with a parameter for each element, which is hundreds of
/// them for the tables of a set.
fn plain_arrays(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("typedef uint4 ret_Constructarray") {
            // The type and its function, to the closing brace and the line after it.
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

/// What is before the elements of a constant array of words, and the elements.
fn constant_array(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("static const uint4 ")?;
    let (_, call) = rest.split_once(" = Constructarray")?;
    let (_, elements) = call.split_once('(')?;
    let start = line.len() - call.len() - "Constructarray".len();
    Some((&line[..start], elements.strip_suffix(");")?))
}
