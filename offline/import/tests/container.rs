//! The outer shape of a file, and data that it carries in its own text.

mod common;

use base64::Engine;
use common::{Glb, glb_bytes, told, triangle};
use serde_json::{Value, json};
use throng_import::{
    ErrorKind, Import, ImportError, ImportOptions, SourceFormat, Warning, import_bytes,
};

fn import(bytes: &[u8]) -> Result<Import, ImportError> {
    import_bytes("folder/it.file", bytes, None, &ImportOptions::default())
}

/// A rigid triangle.
fn sound() -> Glb {
    let mut glb = Glb::new();
    let mesh = glb.triangle_mesh();
    glb.node(json!({ "mesh": mesh }));
    glb
}

/// The same as text, with its buffer at a URI.
fn text(uri: &str) -> Vec<u8> {
    let mut json = sound().json;
    json["buffers"] = json!([{ "byteLength": 36, "uri": uri }]);
    json.to_string().into_bytes()
}

fn base64_of(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[test]
fn text_and_binary_are_told_apart_by_their_first_bytes() {
    let binary = import(&sound().bytes()).unwrap();
    assert_eq!(binary.format, SourceFormat::Glb);
    let uri = format!(
        "data:application/octet-stream;base64,{}",
        base64_of(&sound().bin)
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
fn buffers_may_be_data_uris_of_any_kind() {
    let bin = sound().bin;
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
fn data_uris_of_garbage_are_refused() {
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
fn a_binary_file_that_ends_early_is_refused_wherever_it_ends() {
    let bytes = sound().bytes();
    for length in 0..bytes.len() {
        let error = import(&bytes[..length]).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Container, "{length}: {error}");
    }
}

#[test]
fn what_follows_the_end_is_told() {
    let mut bytes = sound().bytes();
    bytes.extend(b"more");
    let import = import(&bytes).unwrap();
    assert!(told(&import.warnings, |w| *w
        == Warning::ContainerRepaired {
            problem: "ignored 4 bytes after the end of the GLB".into()
        }));
}

#[test]
fn chunks_of_other_kinds_are_passed_over() {
    let glb = sound();
    let mut bytes = glb.bytes();
    bytes.extend(4_u32.to_le_bytes());
    bytes.extend(*b"XTRA1234");
    let length = (bytes.len() as u32).to_le_bytes();
    bytes[8..12].copy_from_slice(&length);
    assert!(import(&bytes).unwrap().character == import(&glb.bytes()).unwrap().character);
}

#[test]
fn a_binary_file_without_its_data_is_refused_where_it_is_needed() {
    let mut json = sound().json;
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
fn other_versions_are_refused_with_a_remedy() {
    let mut bytes = sound().bytes();
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
fn what_is_no_gltf_json_is_refused_with_the_place() {
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
    let mut glb = sound();
    glb.json["nodes"][0]["mesh"] = json!(-1);
    let error = glb.refused();
    assert_eq!(
        (error.kind, error.object.as_str()),
        (ErrorKind::Container, "nodes[0].mesh")
    );
}

#[test]
fn extensions_are_asked_for_by_name() {
    let mut glb = sound();
    glb.json["extensionsRequired"] = json!(["KHR_mesh_quantization", "KHR_materials_unlit"]);
    glb.json["extensionsUsed"] = json!(["VENDOR_thing"]);
    glb.import();
    glb.json["extensionsRequired"] = json!(["VENDOR_thing"]);
    let error = glb.refused();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.problem.contains("VENDOR_thing"), "{error}");
}

#[test]
fn the_generator_is_kept() {
    let mut glb = sound();
    glb.json["asset"]["generator"] = Value::from("a program");
    assert_eq!(glb.import().generator.as_deref(), Some("a program"));
}
