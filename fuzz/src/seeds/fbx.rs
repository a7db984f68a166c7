//! FBX seeds.

use super::Seed;

/// An ASCII file with a skin, a morph, layers and curves of every interpolation.
const SKINNED: &str = include_str!("skinned.fbx");

/// Files that together reach every part of the import. Binary files come from the test assets.
pub fn fbx_seeds() -> Vec<Seed> {
    vec![("skinned".into(), SKINNED.into())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_import::{ImportOptions, import_bytes};

    #[test]
    fn skinned_file_has_a_skin_a_morph_and_a_clip_that_moves() {
        let options = ImportOptions::default();
        let import = import_bytes("a.fbx", SKINNED.as_bytes(), None, &options).unwrap();
        let character = &import.character;
        let joints: Vec<usize> = character
            .skins()
            .iter()
            .map(|skin| skin.joints().len())
            .collect();
        // Two of the file, and the leaf that the import adds.
        assert_eq!(joints, [3]);
        assert_eq!(character.morph_sets().len(), 1);
        let clip = &character.clips()[0];
        assert!(clip.joints().len() >= 2 && clip.morphs().len() == 1);
    }
}
