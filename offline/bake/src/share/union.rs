//! The character of a whole group: one skeleton, the meshes of all.

use throng_rig::{Character, CharacterParts, Skin};

/// Returns a character with the skeleton and the clips of the first, and the skins, meshes and parts of all. Materials are
/// left out: the union is only baked and measured. The skeletons must be equal; clips must not animate morph weights.
pub(super) fn union_of(characters: &[&Character]) -> Character {
    let first = characters[0];
    let skeleton = first.skeleton().clone();
    let mut union = CharacterParts {
        name: first.name.clone(),
        skeleton,
        skins: Vec::new(),
        meshes: Vec::new(),
        parts: Vec::new(),
        morph_sets: Vec::new(),
        clips: first.clips().to_vec(),
        materials: Vec::new(),
        images: Vec::new(),
    };
    for character in characters {
        let (skins, meshes) = (union.skins.len(), union.meshes.len());
        let morph_sets = union.morph_sets.len();
        for skin in character.skins() {
            let (joints, binds) = (skin.joints().to_vec(), skin.joint_from_bind().to_vec());
            let skin = Skin::new(skin.name.clone(), &union.skeleton, joints, binds);
            union
                .skins
                .push(skin.expect("the skeletons have equal joints"));
        }
        for mesh in character.meshes() {
            let mut mesh = mesh.clone();
            mesh.material = None;
            union.meshes.push(mesh);
        }
        for part in character.parts() {
            let mut part = part.clone();
            part.skin += skins;
            part.mesh += meshes;
            part.morph_set = part.morph_set.map(|set| set + morph_sets);
            union.parts.push(part);
        }
        let sets = character.morph_sets().iter();
        let sets = sets.map(|set| (set.name.clone(), set.rest_weights().to_vec()));
        union.morph_sets.extend(sets);
    }
    Character::new(union).expect("checked characters stay valid together")
}
