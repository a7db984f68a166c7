//! Materials: base colour, texture and texture coordinates. An unreadable image is a warning.

mod common;

use base64::Engine;
use common::{Glb, has_warning, triangle};
use glam::Vec2;
use serde_json::{Value, json};
use throng_import::{ErrorKind, Import, Warning};
use throng_rig::{AlphaMode, ImageFormat, Texture, Wrap};

/// Bytes with the signature of a PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nthe rest";
const JPEG: &[u8] = b"\xff\xd8\xff\xe0 the rest";
const UVS: [[f32; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
const OTHER_UVS: [[f32; 2]; 3] = [[0.5, 0.25], [0.75, 0.0], [0.125, 1.0]];

/// Builds a triangle with two sets of texture coordinates and a material.
fn painted(material: Value) -> Glb {
    let mut glb = Glb::new();
    let attributes = json!({
        "POSITION": glb.floats(&triangle()),
        "TEXCOORD_0": glb.floats(&UVS),
        "TEXCOORD_1": glb.floats(&OTHER_UVS),
    });
    let material = glb.push("materials", material);
    let mesh = glb.mesh(json!({ "attributes": attributes, "material": material }));
    glb.node(json!({ "mesh": mesh }));
    glb
}

/// Builds the same with a texture whose image is a PNG in a buffer view.
fn textured(info: Value) -> Glb {
    let mut info = info;
    info["index"] = json!(0);
    let mut glb = painted(json!({ "pbrMetallicRoughness": { "baseColorTexture": info } }));
    let view = glb.view(PNG);
    glb.push(
        "images",
        json!({ "name": "skin", "bufferView": view, "mimeType": "image/png" }),
    );
    glb.push("textures", json!({ "source": 0 }));
    glb
}

fn uvs(import: &Import) -> Vec<Vec2> {
    import.character.meshes()[0].uvs().to_vec()
}

#[test]
fn reads_name_color_and_sides_of_a_material() {
    let glb = painted(json!({
        "name": "leather",
        "doubleSided": true,
        "pbrMetallicRoughness": { "baseColorFactor": [0.25, 0.5, 1.0, 0.75] },
    }));
    let character = glb.import().character;
    assert_eq!(character.meshes()[0].material, Some(0));
    let material = &character.materials()[0];
    assert_eq!(material.name, "leather");
    assert_eq!(material.base_color, [0.25, 0.5, 1.0, 0.75]);
    assert!(material.double_sided);
    assert_eq!(material.texture, None);
    let plain = painted(json!({})).import().character;
    assert_eq!(plain.materials()[0].base_color, [1.0; 4]);
}

#[test]
fn reads_alpha_modes() {
    let mask = |cutoff: f32| AlphaMode::Mask { cutoff };
    for (material, alpha) in [
        (json!({}), AlphaMode::Opaque),
        (json!({ "alphaMode": "OPAQUE" }), AlphaMode::Opaque),
        (json!({ "alphaMode": "BLEND" }), AlphaMode::Blend),
        (json!({ "alphaMode": "MASK" }), mask(0.5)),
        (
            json!({ "alphaMode": "MASK", "alphaCutoff": 0.25 }),
            mask(0.25),
        ),
        (
            json!({ "alphaMode": "MASK", "alphaCutoff": 1e300 }),
            mask(0.5),
        ),
    ] {
        let character = painted(material).import().character;
        assert_eq!(character.materials()[0].alpha, alpha);
    }
}

#[test]
fn reads_images_from_buffer_views_and_data_uris() {
    let from_view = textured(json!({})).import().character;
    assert_eq!(from_view.images()[0].bytes, PNG);
    assert_eq!(from_view.images()[0].format, ImageFormat::Png);
    assert_eq!(from_view.images()[0].name, "skin");

    let base64 = base64::engine::general_purpose::STANDARD.encode(JPEG);
    for uri in [
        format!("data:image/jpeg;base64,{base64}"),
        // The media type and the padding do not matter.
        format!("data:image/png;base64,{}", base64.trim_end_matches('=')),
    ] {
        let mut glb = textured(json!({}));
        glb.json["images"][0] = json!({ "uri": uri });
        let character = glb.import().character;
        assert_eq!(character.images()[0].bytes, JPEG);
        assert_eq!(character.images()[0].format, ImageFormat::Jpeg);
    }
    let mut glb = textured(json!({}));
    glb.json["images"][0] = json!({ "uri": "data:image/jpeg,%FF%D8%FFabc" });
    assert_eq!(glb.import().character.images()[0].bytes, b"\xff\xd8\xffabc");
}

#[test]
fn shared_image_is_stored_once() {
    let mut glb = textured(json!({}));
    let again = glb.json["materials"][0].clone();
    glb.push("materials", again);
    let character = glb.import().character;
    assert_eq!(character.images().len(), 1);
    assert!(character.materials().iter().all(|m| m.texture.is_some()));
}

#[test]
fn reads_wrap_modes() {
    for (code, wrap) in [
        (10497, Wrap::Repeat),
        (33071, Wrap::Clamp),
        (33648, Wrap::Mirror),
    ] {
        let mut glb = textured(json!({}));
        glb.json["textures"][0]["sampler"] = json!(0);
        glb.json["samplers"] = json!([{ "wrapS": code }]);
        let expected = |wrap_u, wrap_v| {
            Some(Texture {
                image: 0,
                wrap_u,
                wrap_v,
            })
        };
        let found = |glb: &Glb| glb.import().character.materials()[0].texture;
        assert_eq!(found(&glb), expected(wrap, Wrap::Repeat));
        glb.json["samplers"] = json!([{ "wrapT": code }]);
        assert_eq!(found(&glb), expected(Wrap::Repeat, wrap));
    }
}

#[test]
fn texture_may_use_the_second_uv_set() {
    assert_eq!(
        uvs(&textured(json!({ "texCoord": 1 })).import()),
        OTHER_UVS.map(Vec2::from_array)
    );
    assert_eq!(
        uvs(&textured(json!({ "texCoord": 0 })).import()),
        UVS.map(Vec2::from_array)
    );
    // If the mesh lacks the set, it has no texture coordinates.
    assert!(uvs(&textured(json!({ "texCoord": 2 })).import()).is_empty());
}

fn transformed(transform: &Value) -> Vec<Vec2> {
    let info = json!({ "texCoord": 0, "extensions": { "KHR_texture_transform": transform } });
    uvs(&textured(info).import())
}

/// Rotation is from V towards U: anticlockwise on the image, as V points down.
#[test]
fn texture_transforms_are_applied_to_uvs() {
    let close = |found: &[Vec2], expected: [[f32; 2]; 3]| {
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                found.distance(Vec2::from_array(expected)) < 1e-6,
                "{found:?}"
            );
        }
    };
    close(
        &transformed(&json!({ "offset": [0.5, -0.25] })),
        [[0.5, -0.25], [1.5, -0.25], [0.5, 0.75]],
    );
    close(
        &transformed(&json!({ "scale": [2.0, -3.0] })),
        [[0.0, 0.0], [2.0, 0.0], [0.0, -3.0]],
    );
    let (sin, cos) = 0.3_f32.sin_cos();
    close(
        &transformed(&json!({ "rotation": 0.3 })),
        [[0.0, 0.0], [cos, -sin], [sin, cos]],
    );
    // Scale is applied first, then rotation, then offset.
    close(
        &transformed(&json!({ "offset": [0.5, 0.25], "rotation": 0.3, "scale": [2.0, 3.0] })),
        [
            [0.5, 0.25],
            [0.5 + 2.0 * cos, 0.25 - 2.0 * sin],
            [0.5 + 3.0 * sin, 0.25 + 3.0 * cos],
        ],
    );
}

/// Example of the extension: "only the lower left quadrant of the source image, rotated".
#[test]
fn texture_transform_example_shows_the_lower_left_quadrant() {
    let quarter_rotation = std::f32::consts::FRAC_PI_2;
    let found = transformed(
        &json!({ "offset": [0.0, 1.0], "rotation": quarter_rotation, "scale": [0.5, 0.5] }),
    );
    for uv in &found {
        assert!(
            uv.x > -1e-6 && uv.x < 0.5 + 1e-6,
            "{uv} is not in the left half"
        );
        assert!(
            uv.y > 0.5 - 1e-6 && uv.y < 1.0 + 1e-6,
            "{uv} is not in the lower half"
        );
    }
}

#[test]
fn texture_transform_may_select_another_uv_set() {
    assert_eq!(
        transformed(&json!({ "texCoord": 1 })),
        OTHER_UVS.map(Vec2::from_array)
    );
}

#[test]
fn reads_color_and_texture_of_specular_glossiness() {
    let mut glb = textured(json!({}));
    glb.json["materials"][0] = json!({
        "pbrMetallicRoughness": { "baseColorFactor": [0.0, 0.0, 0.0, 1.0] },
        "extensions": { "KHR_materials_pbrSpecularGlossiness": {
            "diffuseFactor": [0.5, 0.25, 0.125, 1.0],
            "diffuseTexture": { "index": 0, "texCoord": 1 },
        } },
    });
    glb.json["extensionsRequired"] = json!(["KHR_materials_pbrSpecularGlossiness"]);
    let import = glb.import();
    let material = &import.character.materials()[0];
    assert_eq!(material.base_color, [0.5, 0.25, 0.125, 1.0]);
    assert_eq!(material.texture.unwrap().image, 0);
    assert_eq!(uvs(&import), OTHER_UVS.map(Vec2::from_array));
}

#[test]
fn unreadable_image_is_ignored_with_a_warning() {
    for image in [
        json!({ "uri": "missing.png" }),
        json!({ "uri": "../../etc/passwd" }),
        json!({ "uri": "data:image/png;base64,@@@@" }),
        json!({ "uri": "data:image/webp;base64,UklGRg==" }),
        json!({ "uri": "https://example.com/skin.png" }),
        json!({ "bufferView": 99 }),
        json!({}),
    ] {
        let mut glb = textured(json!({}));
        glb.json["images"][0] = image.clone();
        let import = glb.import();
        assert_eq!(import.character.materials()[0].texture, None);
        assert!(import.character.images().is_empty());
        assert!(
            has_warning(&import.warnings, |w| matches!(
                w,
                Warning::ImageDropped { image, .. } if image == "image 0"
            )),
            "{image}: {:?}",
            import.warnings
        );
        assert!(!uvs(&import).is_empty());
    }
    let mut glb = textured(json!({}));
    glb.json["textures"][0] = json!({ "extensions": { "KHR_texture_basisu": { "source": 0 } } });
    assert!(has_warning(&glb.import().warnings, |w| matches!(
        w,
        Warning::ImageDropped { .. }
    )));
}

#[test]
fn rejects_materials_with_invalid_indices() {
    for (pointer, value) in [
        ("/meshes/0/primitives/0/material", json!(1)),
        (
            "/materials/0/pbrMetallicRoughness/baseColorTexture/index",
            json!(1),
        ),
        ("/textures/0/source", json!(1)),
        ("/textures/0/sampler", json!(0)),
    ] {
        let mut glb = textured(json!({}));
        glb.json["textures"][0]["sampler"] = Value::Null;
        *glb.json.pointer_mut(pointer).unwrap() = value;
        assert_eq!(glb.import_error().kind, ErrorKind::Reference, "{pointer}");
    }
}

#[test]
fn non_finite_uvs_are_ignored_with_a_warning() {
    let mut glb = painted(json!({}));
    let uvs = glb.floats(&[[0.0, f32::NAN], [0.0; 2], [0.0; 2]]);
    glb.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(uvs);
    let import = glb.import();
    assert!(import.character.meshes()[0].uvs().is_empty());
    assert!(has_warning(&import.warnings, |w| matches!(
        w,
        Warning::AttributeDropped { attribute, .. } if attribute == "TEXCOORD"
    )));
}

#[test]
fn names_webp_and_ktx2_textures_with_the_remedy() {
    let reason = |glb: &Glb| {
        let warnings = glb.import().warnings;
        let reason = warnings.iter().find_map(|warning| match warning {
            Warning::ImageDropped { reason, .. } => Some(reason.clone()),
            _ => None,
        });
        reason.unwrap_or_else(|| panic!("{warnings:?}"))
    };
    for (extension, format) in [("EXT_texture_webp", "WebP"), ("KHR_texture_basisu", "KTX2")] {
        let mut glb = textured(json!({}));
        glb.json["textures"][0] = json!({ "extensions": { extension: { "source": 0 } } });
        let reason = reason(&glb);
        for word in [format, extension, "convert it to PNG or JPEG"] {
            assert!(reason.contains(word), "{reason}");
        }
    }
    // Exporters also write such images without the extension.
    let mut glb = textured(json!({}));
    glb.json["images"][0] = json!({ "uri": "data:image/webp;base64,UklGRgAAAABXRUJQVlA4IA==" });
    assert!(reason(&glb).contains("WebP"));
}
