//! Every number of a character.

use glam::{DAffine3, DVec3, Vec2, Vec3, Vec4};
use throng_rig::{
    AlphaMode, Character, CharacterParts, Clip, Image, Interpolation, Joint, JointTracks, Key,
    Material, Mesh, MorphTarget, Part, Skin, Track,
};

/// Asserts that every number of every field is finite. Fields are named one by one, so that a new field of
/// [`CharacterParts`] must be added here.
#[track_caller]
pub fn assert_fields_finite(character: &Character, what: &str) {
    let CharacterParts {
        name: _,
        skeleton,
        skins,
        meshes,
        parts,
        morph_sets,
        clips,
        materials,
        images,
    } = character.clone().into_parts();
    let finite = |field: &str, numbers: &mut dyn Iterator<Item = f64>| {
        for number in numbers {
            assert!(number.is_finite(), "{what}: {field} is {number}");
        }
    };
    for joint in skeleton.joints() {
        let Joint {
            name: _,
            parent: _,
            parent_from_joint,
            kind: _,
        } = joint;
        let translation = parent_from_joint.translation.to_array();
        let rotation = parent_from_joint.rotation.to_array();
        let scale = parent_from_joint.scale.to_array();
        let all = translation.into_iter().chain(rotation).chain(scale);
        finite("a rest transform", &mut all.into_iter());
    }
    for skin in &skins {
        check_skin(skin, &finite);
    }
    for mesh in &meshes {
        check_mesh(mesh, &finite);
    }
    for part in parts {
        // No numbers but indices.
        let Part { .. } = part;
    }
    for (_, weights) in &morph_sets {
        finite("a rest weight", &mut weights.iter().copied().map(f64::from));
    }
    for clip in &clips {
        check_clip(clip, &finite);
    }
    for material in &materials {
        let Material {
            name: _,
            base_color,
            texture: _,
            alpha,
            double_sided: _,
        } = material;
        finite("a base colour", &mut base_color.map(f64::from).into_iter());
        if let AlphaMode::Mask { cutoff } = alpha {
            finite("an alpha cutoff", &mut [f64::from(*cutoff)].into_iter());
        }
    }
    for image in images {
        let Image {
            name: _,
            format: _,
            bytes: _,
        } = image;
    }
}

/// Fails if a number of a named field is not finite.
type Check<'a> = &'a dyn Fn(&str, &mut dyn Iterator<Item = f64>);

fn check_skin(skin: &Skin, finite: Check) {
    let matrices = skin.joint_from_bind().iter();
    finite(
        "an inverse bind matrix",
        &mut matrices.flat_map(DAffine3::to_cols_array),
    );
    let positions = skin.bind_positions().iter();
    finite("a bind position", &mut positions.flat_map(DVec3::to_array));
}

fn check_mesh(mesh: &Mesh, finite: Check) {
    let vectors = |field: &str, list: &[Vec3]| {
        finite(
            field,
            &mut list.iter().flat_map(Vec3::to_array).map(f64::from),
        );
    };
    vectors("a position", mesh.positions());
    vectors("a normal", mesh.normals());
    let tangents = mesh.tangents().iter().flat_map(Vec4::to_array);
    finite("a tangent", &mut tangents.map(f64::from));
    let uvs = mesh.uvs().iter().flat_map(Vec2::to_array);
    finite("a texture coordinate", &mut uvs.map(f64::from));
    let colors = mesh.colors().iter().flatten();
    finite("a colour", &mut colors.copied().map(f64::from));
    let influences = mesh.influences();
    let weights = (0..mesh.vertex_count()).flat_map(|v| influences.of(v));
    finite("a skin weight", &mut weights.map(|(_, weight)| weight));
    let factors = mesh.blend_factors().iter();
    finite("a blend factor", &mut factors.copied().map(f64::from));
    for target in mesh.morph_targets() {
        let MorphTarget {
            name: _,
            positions,
            normals,
            tangents,
        } = target;
        vectors("a morph position", positions);
        vectors("a morph normal", normals);
        vectors("a morph tangent", tangents);
    }
}

fn check_clip(clip: &Clip, finite: Check) {
    let spacing = clip.finest_spacing_secs().unwrap_or(0.0);
    let timing = [
        clip.start_secs(),
        clip.end_secs(),
        clip.duration_secs(),
        spacing,
    ];
    finite("the timing of a clip", &mut timing.into_iter());
    for tracks in clip.joints() {
        let JointTracks {
            joint: _,
            translation,
            rotation,
            scale,
        } = tracks;
        for track in [translation, scale].into_iter().flatten() {
            check_track(track, |v| v.to_array(), finite);
        }
        if let Some(track) = rotation {
            check_track(track, |q| q.to_array(), finite);
        }
    }
    for track in clip.morphs() {
        finite("a key time", &mut track.times().iter().copied());
        let weights = track.weights().iter();
        finite("a morph weight", &mut weights.copied().map(f64::from));
        let _: Interpolation = track.interpolation();
    }
}

fn check_track<K: Key, const N: usize>(
    track: &Track<K>,
    components: impl Fn(K) -> [f32; N],
    finite: Check,
) {
    finite("a key time", &mut track.times().iter().copied());
    let values = track.values().iter();
    let components = values.flat_map(|&value| components(value)).map(f64::from);
    finite("a key", &mut components.into_iter());
}
