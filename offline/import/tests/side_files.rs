//! Side files are read from the asset's own folder only.

mod common;

use std::path::Path;

use common::{Glb, triangle};
use serde_json::json;
use tempfile::TempDir;
use throng_import::{
    ErrorKind, Import, ImportError, ImportOptions, import_bytes, import_file, visit_source_files,
};

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
    if make_pipe(&site.asset().join("pipe.bin")) {
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
    assert_eq!(kind(&site.asset().join("it.dae")), ErrorKind::UnknownSource);
    assert_eq!(kind(&site.asset().join("missing.obj")), ErrorKind::Io);
    assert_eq!(kind(&site.asset().join("missing.abc")), ErrorKind::Io);
    std::fs::create_dir(site.asset().join("folder.glb")).unwrap();
    assert_eq!(kind(&site.asset().join("folder.glb")), ErrorKind::Io);
}

/// Creates a named pipe. Returns false where the system has none.
fn make_pipe(path: &Path) -> bool {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    made.is_ok_and(|status| status.success())
}

#[cfg(unix)]
#[test]
fn rejects_pipes_and_devices_as_the_asset_without_opening_them() {
    use std::os::unix::fs::symlink;
    let site = Site::new();
    let options = ImportOptions::default();
    symlink("/dev/zero", site.asset().join("endless.glb")).unwrap();
    symlink("/dev/zero", site.asset().join("endless.fbx")).unwrap();
    let mut names = vec!["endless.glb", "endless.fbx"];
    if make_pipe(&site.asset().join("pipe.gltf")) {
        names.push("pipe.gltf");
    }
    for name in names {
        let path = site.asset().join(name);
        for error in [
            import_file(&path, &options).unwrap_err(),
            visit_source_files(&path, |_, _| panic!("{name} was read")).unwrap_err(),
        ] {
            assert_eq!(error.kind, ErrorKind::Io, "{error}");
            assert!(error.problem.contains("a pipe or a device"), "{error}");
        }
    }
    let error = import_file(Path::new("/dev/zero"), &options).unwrap_err();
    assert_eq!(error.kind, ErrorKind::UnknownSource, "{error}");
}

#[test]
fn rejects_a_file_over_the_limit_without_reading_it() {
    let site = Site::new();
    let path = site.asset().join("sparse.glb");
    std::fs::File::create(&path)
        .unwrap()
        .set_len(4 << 30)
        .unwrap();
    let start = std::time::Instant::now();
    let error = import_file(&path, &ImportOptions::default()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit);
    assert!(error.to_string().contains("MAX_FILE_BYTES"), "{error}");
    let error = visit_source_files(&path, |_, _| panic!("it was read")).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit);
    std::fs::rename(&path, site.asset().join("sparse.bin")).unwrap();
    let error = site.import("sparse.bin").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit);
    assert!(start.elapsed() < std::time::Duration::from_millis(500));
}

/// Returns the names of the files that a visit reads, without the asset itself.
fn visited(path: &Path) -> Vec<String> {
    let mut names = Vec::new();
    visit_source_files(path, |name, _| names.push(name.to_owned())).unwrap();
    assert_eq!(names.remove(0), "");
    names
}

#[test]
fn visits_each_side_file_once_and_none_outside_the_folder() {
    let mut site = Site::new();
    site.put("b..3.bin");
    site.put("sub folder/a b.bin");
    let outside = site.folder.path().join("outside.bin");
    let absolute = outside.to_str().unwrap().replacen('/', "%2F", 1);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/dev/zero", site.asset().join("endless.bin")).unwrap();
        std::os::unix::fs::symlink(&outside, site.asset().join("link.bin")).unwrap();
        make_pipe(&site.asset().join("pipe.bin"));
    }
    let uris = [
        "b..3.bin",
        "sub%20folder/a%20b.bin",
        "./b..3.bin",
        "%2Fdev%2Fzero",
        "%2e%2e/outside.bin",
        "../outside.bin",
        &absolute,
        "endless.bin",
        "link.bin",
        "pipe.bin",
        "missing.bin",
        "data:,abc",
        "%ff.bin",
    ];
    let images: Vec<_> = uris.iter().map(|uri| json!({ "uri": uri })).collect();
    site.glb.json["images"] = images.into();
    site.glb.write(&site.asset(), "it.gltf", "b..3.bin");
    let path = site.asset().join("it.gltf");
    assert_eq!(visited(&path), ["b..3.bin", "sub folder/a b.bin"]);
    std::fs::write(&path, "{").unwrap();
    assert!(visited(&path).is_empty());
}

#[test]
fn visits_the_textures_of_an_fbx() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it.fbx");
    let text = r#"; FBX 7.5.0 project file
FBXHeaderExtension:  {
    FBXVersion: 7500
}
Objects:  {
    Texture: 1, "Texture::skin", "" {
        RelativeFilename: "..\maps\skin.png"
    }
    Texture: 2, "Texture::zero", "" {
        RelativeFilename: "/dev/zero"
    }
}
"#;
    std::fs::write(&path, text).unwrap();
    assert!(visited(&path).is_empty());
    std::fs::write(folder.path().join("skin.png"), "not read as an image").unwrap();
    assert_eq!(visited(&path), ["skin.png"]);
}
