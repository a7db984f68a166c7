//! `--target`: files and limits that load there, and errors where a set would not.

use std::path::Path;

use serde::Serialize;
use throng_bake::Preset;
use throng_format::file::FileFormat;
use throng_format::{Encoding, TextureSet};
use throng_rig::{Method, Skinning};
use throng_shaders::TABLE_COLUMNS;
use throng_wgpu::{DecodeMode, SetBuffers, SetShaders};

use super::job::{BakeJob, SetFiles};
use crate::cli::{SetFormat, Target};
use crate::command::CommandError;

/// Options that may conflict with a target.
#[derive(Debug, Clone, Copy)]
pub struct TargetOptions {
    /// Encoding, or `None` for a search.
    pub encoding: Option<Encoding>,
    pub preset: Option<Preset>,
    pub method: Skinning,
    pub format: Option<SetFormat>,
    pub max_side: u32,
}

/// Choice of a target, for reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TargetChoice {
    name: Target,
    /// `glb`, `ktx2`, `png` or `exr`.
    files: &'static str,
    max_side: u32,
    max_layers: u32,
}

impl TargetChoice {
    /// Choice of a job; `None` without `--target`.
    pub fn of(job: &BakeJob) -> Option<Self> {
        job.target.map(|name| Self {
            name,
            files: match job.files {
                SetFiles::Glb => "glb",
                SetFiles::Folder { format, .. } => format.extension(),
            },
            max_side: job.max_side.min(name.max_side()),
            max_layers: name.max_layers(),
        })
    }

    /// One line without the encoding, which reports have beside it.
    pub fn line(&self) -> String {
        let files = match self.files {
            "glb" => "one GLB file".to_owned(),
            format => format!("a folder of {} files", format.to_uppercase()),
        };
        format!(
            "for {}: {files}, textures of at most {} texels per side and {} layers",
            self.name, self.max_side, self.max_layers
        )
    }
}

/// Refuses options that the target does not support, before any work.
pub fn check_options(target: Target, options: TargetOptions) -> Result<(), CommandError> {
    let TargetOptions {
        encoding,
        preset,
        method,
        format,
        max_side,
    } = options;
    let refuse = |reason: String| Err(CommandError::Usage(format!("--target {target}: {reason}")));
    if max_side > target.max_side() {
        return refuse(format!(
            "--max-side {max_side} exceeds the {} texels that every device there supports: leave --max-side out",
            target.max_side()
        ));
    }
    if format == Some(SetFormat::Folder(FileFormat::Exr)) && target.is_web() {
        return refuse("EXR files are not loaded there: use --format glb, ktx2 or png".to_owned());
    }
    if let Some(preset) = preset
        && target == Target::Three
        && matches!(preset, Preset::P3VirtualBones | Preset::P3VirtualBonesSplit)
    {
        return refuse(format!(
            "the layout of {preset} has no functions for engines: use --encoding virtual-bones",
            preset = preset.name()
        ));
    }
    let is_vertex = encoding.is_some_and(Encoding::is_vertex) || preset == Some(Preset::P0Vertex8);
    if let Skinning::Method(method @ (Method::DqsPlain | Method::DqsDirect)) = method
        && !is_vertex
    {
        return refuse(format!(
            "--method {method} needs palettes made on the CPU: use --method dqs, or --encoding vertex"
        ));
    }
    if let Skinning::Method(method @ (Method::Cor | Method::Sclerp)) = method
        && target == Target::Three
        && !is_vertex
    {
        return refuse(format!(
            "functions for engines do not have --method {method}: use --method dqs, or --encoding vertex"
        ));
    }
    Ok(())
}

/// Format of the files: for the web one GLB file, unless the output or the format is named.
pub fn default_format(
    target: Option<Target>,
    format: Option<SetFormat>,
    output: Option<&Path>,
) -> Option<SetFormat> {
    match (target, format, output) {
        (Some(target), None, None) if target.is_web() => Some(SetFormat::Glb),
        _ => format,
    }
}

/// Refuses a set that does not load in the target of its job.
pub fn check_set(job: &BakeJob, set: &TextureSet) -> Result<(), CommandError> {
    let Some(target) = job.target else {
        return Ok(());
    };
    let refuse = |reason: String| {
        Err(CommandError::Failed(format!(
            "{}: the set does not load in {target}: {reason}",
            job.source
        )))
    };
    for texture in set.textures() {
        if let Some(reason) = too_large(target, job.max_side, texture.size()) {
            return refuse(reason);
        }
    }
    let shaders = match SetShaders::of(set, DecodeMode::Direct) {
        Ok(shaders) => shaders,
        Err(error) => return refuse(error.to_string()),
    };
    let buffers = match SetBuffers::of(set) {
        Ok(buffers) => buffers,
        Err(error) => return refuse(error.to_string()),
    };
    for (what, texels) in [
        ("tables", shaders.tables.len()),
        ("influences past the fourth", buffers.influences.len()),
    ] {
        let rows = texels.div_ceil(TABLE_COLUMNS as usize);
        if rows > target.max_side() as usize {
            return refuse(format!(
                "{what} take {rows} rows of a texture, expected at most {}: bake with --max-influences 4, or split the \
                 character",
                target.max_side()
            ));
        }
    }
    let columns = TABLE_COLUMNS as usize;
    let layers = buffers.morph_targets.len().div_ceil(columns * columns);
    if layers > target.max_layers() as usize {
        return refuse(format!(
            "morph targets take {layers} layers of a texture, expected at most {}: bake with --encoding vertex",
            target.max_layers()
        ));
    }
    Ok(())
}

/// Reason why a texture of a bake with `--max-side baked_side` is too large, and the remedy.
fn too_large(target: Target, baked_side: u32, [width, height, layers]: [u32; 3]) -> Option<String> {
    let (max_side, max_layers) = (target.max_side(), target.max_layers());
    let is_too_large = width > max_side || height > max_side || layers > max_layers;
    let larger_side = match baked_side < max_side {
        true => format!("--max-side {max_side}, "),
        false => String::new(),
    };
    is_too_large.then(|| {
        format!(
            "a texture has {width} × {height} × {layers} texels, expected at most {max_side} per side and {max_layers} \
             layers: use {larger_side}--encoding bone-local, a lower --rate, or fewer --clips"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textures_beyond_the_limits_are_too_large() {
        let webgl2 = |size| too_large(Target::WebGl2, 2048, size);
        assert_eq!(webgl2([2048, 2048, 256]), None);
        for size in [[2049, 8, 1], [8, 4096, 1], [8, 8, 257]] {
            let reason = webgl2(size).unwrap();
            assert!(reason.contains("layers: use --encoding"), "{reason}");
        }
        let reason = too_large(Target::WebGl2, 8, [8, 8, 257]).unwrap();
        assert!(
            reason.contains("use --max-side 2048, --encoding"),
            "{reason}"
        );
        assert_eq!(too_large(Target::WebGpu, 2048, [8192, 8192, 256]), None);
    }

    #[test]
    fn web_targets_are_one_file_unless_named() {
        let output = Some(Path::new("set"));
        let glb = Some(SetFormat::Glb);
        let ktx2 = Some(SetFormat::Folder(FileFormat::Ktx2));
        assert_eq!(default_format(Some(Target::Three), None, None), glb);
        assert_eq!(default_format(Some(Target::Three), None, output), None);
        assert_eq!(default_format(Some(Target::WebGl2), ktx2, None), ktx2);
        assert_eq!(default_format(Some(Target::Wgpu), None, None), None);
        assert_eq!(default_format(None, None, None), None);
    }
}
