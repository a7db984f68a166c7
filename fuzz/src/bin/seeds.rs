//! Writes the seeds of all targets to `FOLDER/TARGET/`, and the list of asset files that also serve as seeds to
//! `FOLDER/TARGET.assets`.

use std::path::Path;

// Code that is built for coverage needs the runtime of libFuzzer.
use libfuzzer_sys as _;
use throng_fuzz::{TARGETS, seeds::seeds};

/// Largest asset that serves as a seed. Larger ones take 50 ms and more.
const MAX_ASSET_BYTES: u64 = 32 << 10;

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: seeds FOLDER");
        std::process::exit(2);
    };
    let folder = Path::new(&folder);
    for (target, _) in TARGETS {
        let seed_folder = folder.join(target);
        std::fs::create_dir_all(&seed_folder)?;
        for (name, bytes) in seeds(target) {
            std::fs::write(seed_folder.join(name), bytes)?;
        }
        let list = folder.join(format!("{target}.assets"));
        std::fs::write(list, assets(target).join(","))?;
    }
    Ok(())
}

/// Paths of small test assets that a target reads.
fn assets(target: &str) -> Vec<String> {
    if !["gltf", "glb", "fbx", "abc", "bvh"].contains(&target) {
        return Vec::new();
    }
    let Some(assets) = throng_testkit::shared_assets() else {
        return Vec::new();
    };
    let files = throng_testkit::files_below(&assets, &[target]).into_iter();
    let small = files.filter(|path| {
        path.metadata()
            .is_ok_and(|file| file.len() <= MAX_ASSET_BYTES)
    });
    small
        .map(|path| path.to_string_lossy().into_owned())
        .filter(|path| !path.contains(','))
        .collect()
}
