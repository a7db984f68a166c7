//! Side files are read from the asset's own folder only.

mod common;

use std::path::Path;

use common::{Glb, triangle};
use serde_json::json;
use tempfile::TempDir;
use throng_import::{ErrorKind, Import, ImportError, ImportOptions, import_bytes, import_file};

/// A folder `asset`, and a file outside it that must not be read.
struct Site {
    folder: TempDir,
    glb: Glb,
}

impl Site {
    fn new() -> Self {
        let mut glb = Glb::new();
        let mesh = glb.triangle_mesh();
        glb.node(json!({ "mesh": mesh }));
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("asset/sub folder")).unwrap();
        std::fs::write(folder.path().join("outside.bin"), &glb.bin).unwrap();
        Self { folder, glb }
    }

    fn asset(&self) -> std::path::PathBuf {
        self.folder.path().join("asset")
    }

    fn put(&self, name: &str) {
        std::fs::write(self.asset().join(name), &self.glb.bin).unwrap();
    }

    fn import(&self, uri: &str) -> Result<Import, ImportError> {
        self.glb.write(&self.asset(), "it.gltf", uri);
        import_file(&self.asset().join("it.gltf"), &ImportOptions::default())
    }

    #[track_caller]
    fn assert_read(&self, uri: &str) {
        let import = self.import(uri).unwrap_or_else(|error| panic!("{error}"));
        let positions = triangle().map(Into::into);
        assert_eq!(import.character.meshes()[0].positions(), positions);
    }

    #[track_caller]
    fn assert_rejected(&self, uri: &str, kind: ErrorKind) {
        match self.import(uri) {
            Ok(_) => panic!("'{uri}' was read"),
            Err(error) => {
                assert_eq!(error.kind, kind, "'{uri}': {error}");
                assert_eq!(error.object, "buffer 0", "{error}");
                assert!(error.problem.contains(uri), "{error}");
            }
        }
    }
}

#[test]
fn reads_files_in_and_below_the_folder() {
    let site = Site::new();
    site.put("plain.bin");
    site.put("sub folder/a b%#ü.bin");
    site.put("..hidden..bin");
    for uri in [
        "plain.bin",
        "./plain.bin",
        "plain%2Ebin",
        "sub%20folder/a%20b%25%23%C3%BC.bin",
        "sub folder/a b%25%23ü.bin",
        "..hidden..bin",
    ] {
        site.assert_read(uri);
    }
}

#[test]
fn rejects_paths_outside_the_folder() {
    let site = Site::new();
    site.put("plain.bin");
    let outside = site.folder.path().join("outside.bin");
    let outside = outside.to_str().unwrap();
    for uri in [
        "../outside.bin",
        "sub folder/../../outside.bin",
        "sub folder/../plain.bin",
        "%2e%2e/outside.bin",
        "%2E%2E%2Foutside.bin",
        "..%2foutside.bin",
        "..\\outside.bin",
        "..%5coutside.bin",
        "sub folder\\plain.bin",
        "C:\\outside.bin",
        "C:outside.bin",
        outside,
        &outside.replacen('/', "%2F", 1),
        &format!("file://{outside}"),
        &format!("FILE://{outside}"),
        "http://localhost/plain.bin",
        "https://localhost/plain.bin",
        "ftp:plain.bin",
        "//localhost/plain.bin",
        "plain.bin%00.png",
        "%ff.bin",
        "..",
        ".",
        "/",
    ] {
        site.assert_rejected(uri, ErrorKind::Path);
    }
    site.assert_rejected("", ErrorKind::Path);
}

#[test]
fn missing_files_are_io_errors() {
    let site = Site::new();
    site.assert_rejected("missing.bin", ErrorKind::Io);
    site.assert_rejected("no folder/missing.bin", ErrorKind::Io);
    site.put("plain.bin");
    site.assert_rejected("plain.bin/more.bin", ErrorKind::Io);
}

#[cfg(unix)]
#[test]
fn follows_links_only_inside_the_folder() {
    use std::os::unix::fs::symlink;
    let site = Site::new();
    site.put("plain.bin");
    symlink("plain.bin", site.asset().join("inside.bin")).unwrap();
    site.assert_read("inside.bin");
    symlink("../outside.bin", site.asset().join("link.bin")).unwrap();
    site.assert_rejected("link.bin", ErrorKind::Path);
    symlink("..", site.asset().join("up")).unwrap();
    site.assert_rejected("up/outside.bin", ErrorKind::Path);
    symlink("/dev/zero", site.asset().join("endless.bin")).unwrap();
    site.assert_rejected("endless.bin", ErrorKind::Path);
    symlink("round.bin", site.asset().join("round.bin")).unwrap();
    site.assert_rejected("round.bin", ErrorKind::Io);
}

#[cfg(unix)]
#[test]
fn rejects_folders_and_pipes_without_blocking() {
    let site = Site::new();
    site.assert_rejected("sub folder", ErrorKind::Path);
    let made = std::process::Command::new("mkfifo")
        .arg(site.asset().join("pipe.bin"))
        .status();
    if made.is_ok_and(|status| status.success()) {
        site.assert_rejected("pipe.bin", ErrorKind::Path);
    }
}

#[test]
fn rejects_side_files_without_a_folder() {
    let site = Site::new();
    site.put("plain.bin");
    site.glb.write(&site.asset(), "it.gltf", "plain.bin");
    let bytes = std::fs::read(site.asset().join("it.gltf")).unwrap();
    let options = ImportOptions::default();
    let error = import_bytes("it.gltf", &bytes, None, &options).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Path);
    assert_eq!(error.object, "buffer 0");
    assert!(import_bytes("it.gltf", &bytes, Some(&site.asset()), &options).is_ok());
}

#[test]
fn rejects_a_side_file_that_is_too_short() {
    let site = Site::new();
    std::fs::write(site.asset().join("short.bin"), &site.glb.bin[1..]).unwrap();
    let error = site.import("short.bin").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Data);
    assert_eq!(error.object, "buffer 0");
}

/// The memory budget depends on the size of all files read, not only of the small JSON.
#[test]
fn reads_a_side_file_far_larger_than_its_gltf() {
    let mut site = Site::new();
    site.glb.bin.resize(80 << 20, 0);
    site.put("large.bin");
    site.assert_read("large.bin");
}

#[test]
fn images_must_be_inside_the_folder() {
    let mut site = Site::new();
    site.put("plain.bin");
    site.glb.json["images"] = json!([{ "uri": "sub%20folder/skin.png" }]);
    site.glb.json["textures"] = json!([{ "source": 0 }]);
    site.glb.json["materials"] =
        json!([{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }]);
    let png = b"\x89PNG\r\n\x1a\n";
    std::fs::write(site.asset().join("sub folder/skin.png"), png).unwrap();
    std::fs::write(site.folder.path().join("skin.png"), png).unwrap();
    let images = |site: &Site| site.import("plain.bin").unwrap().character.images().len();
    assert_eq!(images(&site), 1);
    site.glb.json["images"][0]["uri"] = json!("../skin.png");
    assert_eq!(images(&site), 0);
}

#[test]
fn rejects_unsupported_file_types_and_folders() {
    let site = Site::new();
    let options = ImportOptions::default();
    let kind = |path: &Path| import_file(path, &options).unwrap_err().kind;
    assert_eq!(kind(&site.asset().join("missing.glb")), ErrorKind::Io);
    assert_eq!(kind(&site.asset().join("it.obj")), ErrorKind::UnknownSource);
    std::fs::create_dir(site.asset().join("folder.glb")).unwrap();
    assert_eq!(kind(&site.asset().join("folder.glb")), ErrorKind::Io);
}
