//! Sets of a folder, one line each.

use std::io::Write;
use std::path::PathBuf;

use throng_format::{Manifest, disk};

use crate::command::CommandError;
use crate::text::{Align, Table, grouped, metres, name, one_line};

/// Prints a table of the sets, or their manifests as JSON.
pub fn inspect(sets: &[PathBuf], json: bool, out: &mut impl Write) -> Result<(), CommandError> {
    let mut manifests = Vec::new();
    for path in sets {
        manifests.push((path, disk::read_manifest(path)?));
    }
    if json {
        let sets = manifests.iter().map(|(path, manifest)| {
            let set = path.display().to_string();
            serde_json::json!({ "set": set, "manifest": manifest })
        });
        let sets: Vec<serde_json::Value> = sets.collect();
        serde_json::to_writer_pretty(&mut *out, &serde_json::json!({ "sets": sets }))?;
        return Ok(writeln!(out)?);
    }
    let mut table = Table::new(&[
        ("SET", Align::Left),
        ("CHARACTER", Align::Left),
        ("TEXTURES", Align::Left),
        ("SIZE m", Align::Right),
        ("VERTICES", Align::Right),
        ("JOINTS", Align::Right),
        ("CLIPS", Align::Right),
    ]);
    for (path, manifest) in &manifests {
        let vertices: usize = manifest.parts.iter().map(|p| p.vertices as usize).sum();
        table.row([
            one_line(path.display()),
            match manifest.is_motion() {
                true => "(motion set)".into(),
                false => name(&manifest.name),
            },
            textures(manifest),
            metres(manifest.size),
            grouped(vertices),
            grouped(manifest.joints.len()),
            grouped(manifest.clips.len()),
        ]);
    }
    Ok(write!(out, "{table}")?)
}

/// Location of the textures: the encoding, or the motion set.
fn textures(manifest: &Manifest) -> String {
    match manifest.motion.as_ref().and_then(|motion| motion.name()) {
        Some(motion) => format!("of {}", one_line(motion)),
        None => format!("{} {}", manifest.encoding, manifest.storage()),
    }
}
