//! Hostile FBX files need resident memory in proportion to their size. `ufbx` is C code, which a counting allocator does
//! not see.

mod common;

use common::fbx_text;
use throng_import::{ErrorKind, ImportOptions, import_bytes};
use throng_testkit::{peak_resident, skip};

/// Maximum peak memory of an import, without ten times its file.
const BASE_PEAK_BYTES: usize = 200_000_000;

/// A file of many objects, each of a line.
fn many(line: impl Fn(usize) -> String) -> String {
    let lines: String = (0..200_000).map(line).collect();
    fbx_text().replace("Objects:  {", &format!("Objects:  {{\n{lines}"))
}

/// A single test, because memory is that of the process.
#[test]
fn fbx_bombs_need_memory_in_proportion_to_their_size() {
    let node = |i: usize| format!("Model: {}, \"n\", \"Null\" {{}}\n", 1000 + i);
    let material = |i: usize| format!("Material: {}, \"m\", \"\" {{}}\n", 1000 + i);
    for (name, text, expect) in [
        ("200 000 nodes", many(node), Some(ErrorKind::Limit)),
        ("200 000 materials", many(material), Some(ErrorKind::Limit)),
        ("a small file", fbx_text(), None),
    ] {
        let options = ImportOptions::default();
        let bytes = text.as_bytes();
        let (result, peak) = peak_resident(|| import_bytes("bomb.fbx", bytes, None, &options));
        assert_eq!(result.err().map(|error| error.kind), expect, "{name}");
        let Some(peak) = peak else {
            return skip("the system does not report peak memory");
        };
        println!(
            "{:6.1} MB  {name}, {} bytes",
            peak as f64 / 1e6,
            bytes.len()
        );
        let limit = BASE_PEAK_BYTES + 10 * bytes.len();
        assert!(
            peak < limit,
            "{name}: peak of {peak} bytes, the limit is {limit}"
        );
    }
}
