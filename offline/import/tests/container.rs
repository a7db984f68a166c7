//! Containers: GLB chunks, JSON, and data URIs.

mod common;

use base64::Engine;
use common::{Glb, glb_bytes, has_warning, triangle};
use serde_json::{Value, json};
use throng_import::{
    ErrorKind, Import, ImportError, ImportOptions, SourceFormat, Warning, import_bytes,
};

fn import(bytes: &[u8]) -> Result<Import, ImportError> {
    import_bytes("folder/it.file", bytes, None, &ImportOptions::default())
}

/// Builds a rigid triangle.
fn valid() -> Glb {
    let mut glb = Glb::new();
    let mesh = glb.triangle_mesh();
    glb.node(json!({ "mesh": mesh }));
    glb
}

/// Returns the same as JSON text, with its buffer at a URI.
fn text(uri: &str) -> Vec<u8> {
    let mut json = valid().json;
    json["buffers"] = json!([{ "byteLength": 36, "uri": uri }]);
    json.to_string().into_bytes()
}

fn base64_of(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[test]
fn detects_text_and_binary_by_their_first_bytes() {
    let binary = import(&valid().bytes()).unwrap();
    assert_eq!(binary.format, SourceFormat::Glb);
    let uri = format!(
        "data:application/octet-stream;base64,{}",
        base64_of(&valid().bin)
    );
    let plain = import(&text(&uri)).unwrap();
    assert_eq!(plain.format, SourceFormat::Gltf);
    assert_eq!(plain.character.name, "it");
    assert!(plain.character == binary.character);

    let mut marked = b"\xef\xbb\xbf".to_vec();
    marked.extend(text(&uri));
    assert!(import(&marked).unwrap().character == plain.character);
}

#[test]
fn reads_buffers_from_data_uris() {
    let bin = valid().bin;
    let base64 = base64_of(&bin);
    let percent: String = bin.iter().map(|b| format!("%{b:02x}")).collect();
    for uri in [
        format!("data:application/gltf-buffer;base64,{base64}"),
        format!("data:;base64,{}", base64.trim_end_matches('=')),
        format!("data:application/octet-stream,{percent}"),
    ] {
        let import = import(&text(&uri)).unwrap_or_else(|error| panic!("{error}"));
        let positions = triangle().map(Into::into);
        assert_eq!(import.character.meshes()[0].positions(), positions);
    }
}

#[test]
fn rejects_invalid_data_uris() {
    for uri in [
        "data:",
        "data:application/octet-stream;base64",
        "data:application/octet-stream;base64,",
        "data:application/octet-stream;base64,@@@@",
        "data:application/octet-stream;base64,AAA",
        "data:application/octet-stream;base64,AAAAA",
        "data:application/octet-stream;base64,AAAA====AAAA",
        "data:application/octet-stream;base64,ÄÖÜ",
        "data:,short",
    ] {
        let error = import(&text(uri)).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Data, "{uri}: {error}");
        assert_eq!(error.object, "buffer 0");
    }
}

#[test]
fn rejects_a_glb_truncated_at_any_length() {
    let bytes = valid().bytes();
    for length in 0..bytes.len() {
        let error = import(&bytes[..length]).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Container, "{length}: {error}");
    }
}

#[test]
fn bytes_after_the_end_are_reported() {
    let mut bytes = valid().bytes();
    bytes.extend(b"more");
    let import = import(&bytes).unwrap();
    assert!(has_warning(&import.warnings, |w| *w
        == Warning::ContainerRepaired {
            problem: "ignored 4 bytes after the end of the GLB".into()
        }));
}

#[test]
fn unknown_chunks_are_ignored() {
    let glb = valid();
    let mut bytes = glb.bytes();
    bytes.extend(4_u32.to_le_bytes());
    bytes.extend(*b"XTRA1234");
    let length = (bytes.len() as u32).to_le_bytes();
    bytes[8..12].copy_from_slice(&length);
    assert!(import(&bytes).unwrap().character == import(&glb.bytes()).unwrap().character);
}

#[test]
fn rejects_a_glb_without_its_bin_chunk() {
    let mut json = valid().json;
    json["buffers"] = json!([{ "byteLength": 36 }]);
    let error = import(&glb_bytes(json.to_string().as_bytes(), &[])).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Data);
    assert_eq!(error.object, "buffer 0");
    let error = import(json.to_string().as_bytes()).unwrap_err();
    assert_eq!(
        (error.kind, error.object.as_str()),
        (ErrorKind::Data, "buffer 0")
    );
}

#[test]
fn rejects_other_versions_with_a_remedy() {
    let mut bytes = valid().bytes();
    bytes[4] = 1;
    for bytes in [
        bytes,
        br#"{ "asset": { "version": "1.0" } }"#.to_vec(),
        br#"{ "asset": { "version": "2.0", "minVersion": "3.0" } }"#.to_vec(),
    ] {
        let error = import(&bytes).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unsupported);
        assert!(error.remedy.contains("convert"), "{error}");
    }
    assert!(import(br#"{ "asset": { "version": "2.1" } }"#).is_ok());
}

#[test]
fn rejects_invalid_json_with_its_location() {
    for text in [
        "",
        "{",
        "[]",
        "null",
        "{}",
        "PK\u{3}\u{4}",
        r#"{ "asset": {} }"#,
    ] {
        assert_eq!(
            import(text.as_bytes()).unwrap_err().kind,
            ErrorKind::Container
        );
    }
    let mut glb = valid();
    glb.json["nodes"][0]["mesh"] = json!(-1);
    let error = glb.import_error();
    assert_eq!(
        (error.kind, error.object.as_str()),
        (ErrorKind::Container, "nodes[0].mesh")
    );
}

#[test]
fn rejects_unsupported_required_extensions() {
    let mut glb = valid();
    glb.json["extensionsRequired"] = json!(["KHR_mesh_quantization", "KHR_materials_unlit"]);
    glb.json["extensionsUsed"] = json!(["VENDOR_thing"]);
    glb.import();
    glb.json["extensionsRequired"] = json!(["VENDOR_thing"]);
    let error = glb.import_error();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.problem.contains("VENDOR_thing"), "{error}");
}

#[test]
fn generator_is_kept() {
    let mut glb = valid();
    glb.json["asset"]["generator"] = Value::from("a program");
    assert_eq!(glb.import().generator.as_deref(), Some("a program"));
}
