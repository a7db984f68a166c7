//! Writes the translations that are checked in: `cargo run -p throng-shaders --example generate --features translate`.

use std::error::Error;
use std::fs;
use std::path::Path;

use throng_shaders::translate::{GeneratedFile, generated, generated_libraries};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    write_files(&root.join("generated"), &generated()?)?;
    // Packages for engines embed these.
    write_files(
        &root.join("../../engines/core/src/shaders"),
        &generated_libraries()?,
    )
}

/// Writes a folder anew, so that files that are no longer generated are removed.
fn write_files(root: &Path, files: &[GeneratedFile]) -> Result<(), Box<dyn Error>> {
    if root.exists() {
        fs::remove_dir_all(root)?;
    }
    for file in files {
        let path = root.join(&file.path);
        fs::create_dir_all(path.parent().unwrap_or(root))?;
        fs::write(path, &file.text)?;
    }
    println!("{} files in {}", files.len(), root.display());
    Ok(())
}
