//! Corruption of files and JSON documents for robustness tests.

use serde_json::{Value, json};

use crate::Random;

/// Corrupts bytes in one of the ways seen in damaged or hostile files: flips a bit, overwrites a byte or
/// a word, truncates, or copies a block. May leave the bytes equal.
pub fn corrupt_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(6) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.next_u64() as u8,
        2 => {
            let words = [
                0,
                1,
                0xff,
                0x7fff,
                0xffff,
                0x7f80_0000,
                0x7fc0_0000,
                0x7f7f_ffff,
                !0,
            ];
            let word = random.pick::<u32>(&words).to_le_bytes();
            let end = bytes.len().min(at + 4);
            bytes[at..end].copy_from_slice(&word[..end - at]);
        }
        3 if random.below(4) == 0 => bytes.truncate(at.max(1)),
        _ => {
            let length = random.below(64).min(bytes.len() - at);
            let to = random.below(bytes.len() - length + 1);
            bytes.copy_within(at..at + length, to);
        }
    }
}

/// Corrupts a JSON document: replaces one value or deletes one key. The document must not be empty.
pub fn corrupt_json(document: &mut Value, random: &mut Random) {
    let mut pointers = Vec::new();
    collect(document, String::new(), &mut pointers);
    let pointer = random.pick(&pointers);
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let key = key.replace("~1", "/").replace("~0", "~");
    if random.below(4) == 0
        && let Some(Value::Object(parent)) = document.pointer_mut(parent)
    {
        parent.remove(&key);
        return;
    }
    let other = random.pick(&pointers);
    let other = document.pointer(&other).cloned().unwrap_or_default();
    let replacements = [
        json!(0),
        json!(1),
        json!(2),
        json!(-1),
        json!(0.5),
        json!(1e300),
        json!(-1e38),
        json!(1e-300),
        json!(4_294_967_295_u32),
        json!(u64::MAX),
        other,
        json!(""),
        json!("word"),
        json!([]),
        json!({}),
        json!(true),
        Value::Null,
    ];
    // Mostly numbers: the parser rejects most values of another type.
    let numbers = if random.below(4) > 0 {
        10
    } else {
        replacements.len()
    };
    if let Some(value) = document.pointer_mut(&pointer) {
        *value = random.pick(&replacements[..numbers]);
    }
}

/// Collects JSON pointers to all values except the document itself.
fn collect(value: &Value, pointer: String, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, child) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                collect(child, format!("{pointer}/{key}"), out);
            }
        }
        Value::Array(list) => {
            for (index, child) in list.iter().enumerate() {
                collect(child, format!("{pointer}/{index}"), out);
            }
        }
        _ => {}
    }
    if !pointer.is_empty() {
        out.push(pointer);
    }
}
