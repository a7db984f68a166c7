//! Contents of a texture set.

use std::io::Write;
use std::path::Path;

use throng_bake::text::{digits, percent};
use throng_format::{Manifest, PixelError, disk};
use throng_rig::LoopPolicy;

use crate::command::{CommandError, may_be_glb_set};
use crate::text::{Align, Table, counted, grouped, metres, name, one_line};

/// Returns the manifest of a set; `None` for a path that is none.
pub fn manifest_of(path: &Path) -> Result<Option<Manifest>, CommandError> {
    if path.is_dir() {
        return match path.join(disk::MANIFEST).exists() {
            true => Ok(Some(disk::read_manifest(path)?)),
            false => Ok(None),
        };
    }
    if !may_be_glb_set(path) {
        return Ok(None);
    }
    // A GLB that is no set is a character, whose import reports faults.
    Ok(disk::read_manifest(path).ok())
}

/// Prints a summary with tables of textures and clips, or the manifest as JSON.
pub fn write(
    source: &str,
    manifest: &Manifest,
    json: bool,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    if json {
        serde_json::to_writer_pretty(&mut *out, manifest)?;
        return Ok(writeln!(out)?);
    }
    let storage = manifest.storage();
    writeln!(
        out,
        "{}: {}, {} {storage}, written by {}",
        one_line(source),
        match manifest.is_motion() {
            true => "motion set without a mesh",
            false => "texture set",
        },
        manifest.encoding,
        name(&manifest.generator)
    )?;
    writeln!(out, "  character  {}", name(&manifest.name))?;
    writeln!(out, "  source     {}", one_line(&manifest.source.path))?;
    writeln!(
        out,
        "  size       {} m in the rest pose",
        metres(manifest.size)
    )?;
    writeln!(
        out,
        "  content    {}, {}, {}",
        counted(manifest.parts.len(), "part", "parts"),
        counted(manifest.joints.len(), "joint", "joints"),
        counted(manifest.clips.len(), "clip", "clips"),
    )?;
    writeln!(out, "  skinning   {}", manifest.method)?;
    if let Some(motion) = &manifest.motion {
        writeln!(out, "  textures   those of {}", one_line(&motion.path))?;
    }
    let mut textures = Table::new(&[
        ("NAME", Align::Left),
        ("TEXELS", Align::Left),
        ("WIDTH", Align::Right),
        ("HEIGHT", Align::Right),
        ("LAYERS", Align::Right),
    ]);
    for texture in &manifest.textures {
        textures.row([
            name(&texture.name),
            texture.texels.to_string(),
            grouped(texture.width as usize),
            grouped(texture.height as usize),
            grouped(texture.layers as usize),
        ]);
    }
    write!(out, "\nTextures\n{textures}")?;
    let mut clips = Table::new(&[
        ("CLIP", Align::Right),
        ("NAME", Align::Left),
        ("LENGTH s", Align::Right),
        ("FRAMES", Align::Right),
        ("RATE Hz", Align::Right),
        ("LOOP", Align::Left),
    ]);
    for (index, clip) in manifest.clips.iter().enumerate() {
        clips.row([
            index.to_string(),
            name(&clip.name),
            format!("{:.4}", clip.duration_secs),
            grouped(clip.frames as usize),
            format!("{:.1}", clip.rate_hz),
            match clip.looping {
                LoopPolicy::Wrap => "wrap".into(),
                LoopPolicy::Once => "once".into(),
            },
        ]);
    }
    write!(out, "\nClips\n{clips}")?;
    if manifest.lods.is_empty() {
        return Ok(());
    }
    Ok(write!(out, "\nLevels of detail\n{}", levels(manifest))?)
}

/// Levels, and the distance from which on their error and that of the set are below half a pixel.
fn levels(manifest: &Manifest) -> Table {
    let names = ["TRIANGLES", "INFLUENCES", "MAX mm", "%", "FROM m"];
    let mut table = Table::new(&names.map(|name| (name, Align::Right)));
    for lod in &manifest.lods {
        let of_size = lod.max_error_of_size;
        let all = of_size + manifest.max_error_of_size.unwrap_or_default();
        table.row([
            grouped(lod.triangles as usize),
            lod.max_influences.to_string(),
            digits(1e3 * of_size * manifest.size),
            percent(of_size),
            digits(PixelError::default().distance_m(all * manifest.size)),
        ]);
    }
    table
}
