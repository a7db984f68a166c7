//! Vendor extensions of models.

use std::io;

use serde_json::{Value, json};
use throng_format::{Extension, ModelError, read_model, write_model};
use throng_testkit::peak_of_thread;

use crate::everything::everything;
use crate::files::{join_glb, split_glb, written};

const NAME: &str = "THRONG_animation_textures";

fn extension<'a>(json: Value, blobs: &[&'a [u8]]) -> Extension<'a> {
    Extension {
        name: NAME,
        json,
        blobs: blobs.to_vec(),
    }
}

#[test]
fn json_and_blobs_round_trip() {
    let json = json!({ "frames": 7, "names": ["a", { "b": null }], "rate": 29.97 });
    let blobs: [&[u8]; 3] = [b"seven b", b"x", &[9; 4096]];
    let bytes = written(&everything(), Some(extension(json.clone(), &blobs)));
    let model = read_model(&bytes).unwrap();
    let read = model.extension.unwrap();
    assert_eq!((read.name.as_str(), &read.json), (NAME, &json));
    let found: Vec<&[u8]> = read.blobs.iter().map(|blob| &bytes[blob.clone()]).collect();
    assert_eq!(found, blobs);
    assert!(read.blobs.iter().all(|blob| blob.start % 4 == 0));
    let without = read_model(&written(&everything(), None)).unwrap();
    assert!(model.character == without.character);
}

#[test]
fn extension_is_listed_as_used_and_blobs_are_plain_views() {
    let bytes = written(
        &everything(),
        Some(extension(json!({}), &[&[1; 5], &[2; 3]])),
    );
    let (json, binary) = split_glb(&bytes);
    assert_eq!(json["extensionsUsed"], json!([NAME]));
    let views = &json["extensions"][NAME]["bufferViews"];
    let last = json["bufferViews"].as_array().unwrap().len() - 1;
    assert_eq!(views, &json!([last - 1, last]));
    let view = &json["bufferViews"][last - 1];
    let offset = view["byteOffset"].as_u64().unwrap() as usize;
    assert_eq!(
        (view["byteLength"].as_u64(), view.get("target")),
        (Some(5), None)
    );
    assert_eq!(binary[offset..], [1, 1, 1, 1, 1, 0, 0, 0, 2, 2, 2, 0]);
}

#[test]
fn blobs_are_written_without_a_copy() {
    let blob = vec![7; 64 << 20];
    let character = everything();
    let ((), peak) = peak_of_thread(|| {
        let extension = extension(json!({}), &[&blob]);
        write_model(&character, extension.into(), &mut io::sink()).unwrap();
    });
    assert!(peak < 1 << 20, "{peak} bytes at the peak");
}

#[test]
fn rejects_extensions_that_cannot_be_written() {
    let refuse = |json: Value, blobs: &[&[u8]]| {
        let extension = extension(json, blobs);
        let error = write_model(&everything(), extension.into(), &mut io::sink()).unwrap_err();
        assert!(matches!(error, ModelError::BadExtension { name: NAME, .. }));
        error.to_string()
    };
    assert!(refuse(json!([]), &[]).ends_with("expected a JSON object: wrap the value in one"));
    assert!(refuse(json!({}), &[b"a", b""]).ends_with("blob 1 is empty: leave it out"));
    assert!(
        refuse(json!({ "bufferViews": [] }), &[]).ends_with("bufferViews is reserved: rename it")
    );
}

#[test]
fn rejects_damaged_extensions() {
    let refuse = |edit: &dyn Fn(&mut Value)| {
        let bytes = written(&everything(), Some(extension(json!({}), &[b"a", b"b"])));
        let (mut json, binary) = split_glb(&bytes);
        edit(&mut json);
        let bytes = join_glb(json.to_string().as_bytes(), &binary);
        read_model(&bytes).unwrap_err().to_string()
    };
    let views = |value: Value| {
        refuse(&move |json: &mut Value| json["extensions"][NAME]["bufferViews"] = value.clone())
    };
    assert!(views(json!([9999])).contains("buffer view 9999 is out of range"));
    assert!(views(json!([0])).contains("buffer view 0 is used twice"));
    assert!(views(json!("x")).contains(&format!("extension {NAME}")));
    let message = refuse(&|json| json["extensions"][NAME] = json!({}));
    assert!(
        message.contains("the field bufferViews is missing"),
        "{message}"
    );
    let message = refuse(&|json| json["extensions"]["OTHER"] = json!({}));
    assert!(
        message.contains("extensions: expected at most one, found 2"),
        "{message}"
    );
}

/// The length of the file does not fit in the 32 bits of the header.
#[test]
#[cfg(target_pointer_width = "64")]
fn rejects_more_bytes_than_a_glb_holds() {
    let blob = vec![7; 64 << 20];
    let extension = extension(json!({}), &[&blob[..]; 64]);
    let error = write_model(&everything(), extension.into(), &mut io::sink()).unwrap_err();
    assert!(matches!(error, ModelError::TooLarge(_)), "{error}");
}
