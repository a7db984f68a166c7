//! KTX2 files parsed by `ktx-parse`, the parser of web engines.

use std::process::Command;

use serde_json::{Value, json};
use throng_format::file::{FileFormat, Supercompression};
use throng_format::{ChannelKind, TexelFormat, Texture};
use throng_testkit::{path_or_skip, workspace_root};

use crate::common::{one_file, texture};

fn vulkan_name(texels: TexelFormat) -> &'static str {
    match texels {
        TexelFormat::Rgb8Unorm => "VK_FORMAT_R8G8B8_UNORM",
        TexelFormat::Rgba8Unorm => "VK_FORMAT_R8G8B8A8_UNORM",
        TexelFormat::Rg16Unorm => "VK_FORMAT_R16G16_UNORM",
        TexelFormat::Rgb16Unorm => "VK_FORMAT_R16G16B16_UNORM",
        TexelFormat::Rgba16Unorm => "VK_FORMAT_R16G16B16A16_UNORM",
        TexelFormat::Rgba16Float => "VK_FORMAT_R16G16B16A16_SFLOAT",
        TexelFormat::Rgb32Float => "VK_FORMAT_R32G32B32_SFLOAT",
        TexelFormat::Rgba32Float => "VK_FORMAT_R32G32B32A32_SFLOAT",
        TexelFormat::R32Uint => "VK_FORMAT_R32_UINT",
    }
}

/// Expected output of the parser, without the samples.
fn expected(texture: &Texture, supercompression: Supercompression) -> Value {
    let (texels, [width, height, layers]) = (texture.format(), texture.size());
    let kind = texels.channel_kind();
    let hex: String = texture
        .bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    json!({
        "vkFormat": vulkan_name(texels),
        "typeSize": kind.bytes(),
        "pixelWidth": width,
        "pixelHeight": height,
        "pixelDepth": 0,
        "layerCount": if layers == 1 { 0 } else { layers },
        "faceCount": 1,
        "levelCount": 1,
        "supercompressionScheme": if supercompression == Supercompression::Zstd { 2 } else { 0 },
        "keyValue": { "KTXwriter": concat!("throng ", env!("CARGO_PKG_VERSION")) },
        "levels": 1,
        "texels": hex,
        "descriptor": {
            "vendorId": 0,
            "descriptorType": 0,
            "versionNumber": 2,
            "colorModel": "KHR_DF_MODEL_RGBSDA",
            "colorPrimaries": "KHR_DF_PRIMARIES_UNSPECIFIED",
            "transferFunction": if kind == ChannelKind::Uint32 {
                "KHR_DF_TRANSFER_UNSPECIFIED"
            } else {
                "KHR_DF_TRANSFER_LINEAR"
            },
            "flags": 0,
            "texelBlockDimension": [0, 0, 0, 0],
            "bytesPlane": [texels.texel_bytes(), 0, 0, 0, 0, 0, 0, 0],
        },
        "rewritten": true,
    })
}

#[test]
fn ktx_parse_reads_and_rewrites_the_same_files() {
    let tool = workspace_root().join("tools/ktx-check");
    let what = "ktx-parse (npm ci in tools/ktx-check)";
    if path_or_skip(tool.join("node_modules"), what).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut cases = Vec::new();
    for texels in TexelFormat::ALL {
        for size in [[7, 5, 1], [3, 1, 4], [64, 33, 2]] {
            for supercompression in [Supercompression::None, Supercompression::Zstd] {
                let texture = texture(texels, size, 2);
                let path = folder.path().join(format!("{}.ktx2", cases.len()));
                let file = one_file(&texture, (FileFormat::Ktx2, supercompression));
                std::fs::write(&path, file).unwrap();
                cases.push((path, texture, supercompression));
            }
        }
    }
    // One process for all files, since it starts slowly.
    let output = Command::new("node")
        .arg(tool.join("check.mjs"))
        .args(cases.iter().map(|(path, ..)| path))
        .output()
        .expect("node starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines.lines().count(), cases.len());
    for (line, (path, texture, supercompression)) in lines.lines().zip(&cases) {
        let mut found: Value = serde_json::from_str(line).unwrap();
        let found = found.as_object_mut().unwrap();
        assert_eq!(found.remove("path").unwrap(), path.to_str().unwrap());
        let texels = texture.format();
        let level_at = found.remove("levelAt").unwrap().as_u64().unwrap() as usize;
        if *supercompression == Supercompression::None {
            assert_eq!(level_at % texels.texel_bytes().max(4), 0, "{texels}");
        }
        let descriptor = found["descriptor"].as_object_mut().unwrap();
        let samples = descriptor.remove("samples").unwrap();
        check_samples(texels, samples.as_array().unwrap());
        let found = Value::Object(std::mem::take(found));
        assert_eq!(found, expected(texture, *supercompression));
    }
    println!(
        "{} files are the same when ktx-parse rewrites them",
        cases.len()
    );
}

/// Checks that the bits of a texel, from the lowest on, belong to red, green, blue and alpha.
fn check_samples(texels: TexelFormat, samples: &[Value]) {
    let bits = 8 * texels.channel_kind().bytes();
    let float = matches!(
        texels.channel_kind(),
        ChannelKind::Float16 | ChannelKind::Float32
    );
    assert_eq!(samples.len(), texels.channels());
    for (index, sample) in samples.iter().enumerate() {
        let channel = [0, 1, 2, 15][index] | if float { 0xc0 } else { 0 };
        assert_eq!(sample["channelType"], channel);
        assert_eq!(sample["bitOffset"], index * bits);
        assert_eq!(sample["bitLength"], bits - 1);
    }
}
