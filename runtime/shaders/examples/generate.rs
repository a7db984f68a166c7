//! Writes the translations that are checked in: `cargo run -p throng-shaders --example generate --features translate`.

use std::error::Error;
use std::fs;
use std::path::Path;

use throng_shaders::translate::generated;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("generated");
    let files = generated()?;
    // Removes files that are no longer generated.
    if root.exists() {
        fs::remove_dir_all(&root)?;
    }
    for file in &files {
        let path = root.join(&file.path);
        fs::create_dir_all(path.parent().unwrap_or(&root))?;
        fs::write(path, &file.text)?;
    }
    println!("{} files in {}", files.len(), root.display());
    Ok(())
}
