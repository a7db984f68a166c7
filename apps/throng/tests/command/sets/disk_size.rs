//! Size of sets on disk.

use std::fs;
use std::path::Path;

use super::WorkFolder;

fn folder_bytes(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).unwrap();
    files
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum()
}

#[test]
fn humanoid_takes_less_than_150_kb() {
    let work = WorkFolder::new();
    let args = [
        "builtin:humanoid",
        "--encoding",
        "bone-local",
        "-o",
        "set",
        "--json",
    ];
    work.bake(&args).quiet();
    let bytes = folder_bytes(&work.at("set"));
    println!("{bytes} bytes");
    assert!(bytes < 150_000, "{bytes} bytes");
}

#[test]
fn exact_meshes_are_larger_and_have_no_extensions() {
    let work = WorkFolder::new();
    let bake = |mesh: &str, set: &str| {
        let args = [
            "builtin:bar",
            "--encoding",
            "bone-qt",
            "--mesh",
            mesh,
            "-o",
            set,
            "--json",
        ];
        work.bake(&args).quiet();
        fs::read(work.at(set).join("mesh.glb")).unwrap()
    };
    let (compact, exact) = (bake("compact", "compact"), bake("exact", "exact"));
    assert!(3 * compact.len() < exact.len());
    let has = |glb: &[u8], name: &[u8]| glb.windows(name.len()).any(|text| text == name);
    for name in ["EXT_meshopt_compression", "KHR_mesh_quantization"] {
        assert!(has(&compact, name.as_bytes()) && !has(&exact, name.as_bytes()));
    }
}
