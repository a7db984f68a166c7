//! Shared code of the examples outside of browsers: a character, and pictures without a window.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use throng_bake::{BakeSettings, bake};
use throng_format::{Encoding, Precision, Source, TextureSet};
use throng_wgpu::{Gpu, wgpu};

/// Bakes the built-in humanoid, as bones of 16 bits.
pub fn baked_humanoid() -> Result<TextureSet, Box<dyn Error>> {
    let character = throng_import::builtin::builtin("humanoid")?;
    let settings = BakeSettings {
        encoding: Encoding::BoneQt,
        storage: Precision::Unorm16.into(),
        ..BakeSettings::default()
    };
    let source = Source::in_memory("builtin:humanoid");
    Ok(bake(&character, &settings, &source, &())?.set)
}

/// Returns the file of the argument `--headless FILE`, or `None` without it.
pub fn headless_output() -> Result<Option<PathBuf>, String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [] => Ok(None),
        [option, file] if option == "--headless" => Ok(Some(file.into())),
        _ => Err("usage: [--headless FILE.png]".into()),
    }
}

/// Creates a texture to draw a picture into.
pub fn picture(device: &wgpu::Device, width: u32, height: u32) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

/// Writes an RGBA texture of 8 bits per channel as a PNG file.
pub fn save_png(gpu: &Gpu, texture: &wgpu::Texture, path: &Path) -> Result<(), Box<dyn Error>> {
    let rgba = gpu.read_texture(texture)?;
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(file, texture.width(), texture.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgba)?;
    writer.finish()?;
    Ok(())
}
