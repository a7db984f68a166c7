//! Writes the translations that are kept in the tree: `cargo run -p throng-shaders --example generate`.

use std::error::Error;
use std::fs;
use std::path::Path;

use throng_shaders::translate::kept;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("generated");
    let files = kept()?;
    // What is no longer made must not stay.
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
