//! Importing the same file twice gives equal characters, to the bit.

use throng_import::{ImportOptions, import_file};
use throng_testkit::{files_below, shared_assets};

#[test]
fn importing_twice_gives_equal_characters_and_warnings() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let files = files_below(&assets.join("gltf"), &["glb", "gltf"]);
    assert!(files.len() > 50, "only {} files", files.len());
    for file in files {
        let import = || {
            import_file(&file, &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"))
        };
        let (first, second) = (import(), import());
        assert!(first.character == second.character, "{}", file.display());
        assert_eq!(first.warnings, second.warnings, "{}", file.display());
    }
}
