//! Small characters for tests.

use glam::{DVec3, Vec2, Vec3, Vec4};
use throng_rig::{
    AlphaMode, Character, CharacterParts, CharacterPose, Image, ImageFormat, Influences, Joint,
    JointKind, Material, Mesh, Method, Part, Skeleton, Skin, Texture, Transform, Wrap,
};
use throng_skin::reference::{Skinned, skin_part};

/// A PNG of one orange pixel; its length is not a multiple of four.
#[rustfmt::skip]
pub const PNG: [u8; 69] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53,
    0xde, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xdf, 0xa0, 0x00,
    0x00, 0x04, 0x21, 0x01, 0xa0, 0x4d, 0xbf, 0x32, 0x90, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e,
    0x44, 0xae, 0x42, 0x60, 0x82,
];

/// Returns a character with four parts on one joint: a textured and coloured square; a triangle on the same node with
/// the same material but without UVs; a triangle with UVs but without a material; a point.
pub fn character() -> Character {
    let part = |node: usize, node_name: &str, primitive: usize, mesh: usize| Part {
        node,
        node_name: node_name.to_owned(),
        primitive,
        mesh,
        skin: 0,
        morph_set: None,
    };
    let hostile = "Bödy\no evil\tv 1\\#";
    let parts = vec![
        part(4, hostile, 0, 0),
        part(4, hostile, 1, 1),
        part(7, "", 0, 2),
        part(9, "points", 0, 3),
    ];
    let mut bare = triangle();
    bare.material = Some(1);
    let mut plain = triangle();
    plain.set_uvs(vec![Vec2::X, Vec2::Y, Vec2::ONE]).unwrap();
    of_meshes(vec![square(), bare, plain, point()], parts)
}

/// Returns a character with one point and no triangles.
pub fn character_without_triangles() -> Character {
    let part = Part {
        node: 9,
        node_name: "points".to_owned(),
        primitive: 0,
        mesh: 0,
        skin: 0,
        morph_set: None,
    };
    of_meshes(vec![point()], vec![part])
}

/// Returns a character of these parts on one joint at a height of 2 m.
pub fn of_meshes(meshes: Vec<Mesh>, parts: Vec<Part>) -> Character {
    let joint = Joint {
        name: "root".to_owned(),
        parent: None,
        parent_from_joint: Transform::from_translation(DVec3::Y * 2.0),
        kind: JointKind::Bone,
    };
    let skeleton = Skeleton::new(vec![joint]).unwrap();
    let image = |name: &str| Image {
        name: name.to_owned(),
        format: ImageFormat::Png,
        bytes: PNG.to_vec(),
    };
    Character::new(CharacterParts {
        name: "fixture".to_owned(),
        skins: vec![Skin::rigid(String::new(), &skeleton, 0).unwrap()],
        skeleton,
        meshes,
        parts,
        morph_sets: Vec::new(),
        clips: Vec::new(),
        materials: vec![Material::default(), textured_material()],
        images: vec![image("unused"), image("orange")],
    })
    .unwrap()
}

/// Skins the parts in the rest pose.
pub fn skinned(character: &Character) -> Vec<Skinned> {
    let pose = CharacterPose::rest(character);
    let skin = |part: &Part| {
        let mut out = Skinned::default();
        skin_part(character, part, &pose, Method::Lbs, &mut out);
        out
    };
    character.parts().iter().map(skin).collect()
}

fn textured_material() -> Material {
    Material {
        name: "orange \"peel\"".to_owned(),
        base_color: [0.25, 1.5, 1.0, 0.5],
        texture: Some(Texture {
            image: 1,
            wrap_u: Wrap::Mirror,
            wrap_v: Wrap::Clamp,
        }),
        alpha: AlphaMode::Mask { cutoff: 0.25 },
        double_sided: true,
    }
}

fn square() -> Mesh {
    let corners = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
    let positions = corners.map(|c| (c * 0.3).extend(0.1)).to_vec();
    let triangles = vec![[0, 1, 2], [0, 2, 3]];
    let mut mesh = Mesh::new(positions, triangles, Influences::rigid(4)).unwrap();
    mesh.set_uvs(corners.map(|c| c * 3.0 - 1.2).to_vec())
        .unwrap();
    mesh.set_colors(vec![[0.5, 2.0, -0.5, 1.0]; 4]).unwrap();
    mesh.set_tangents(vec![Vec4::new(1.0, 0.0, 0.0, -1.0); 4])
        .unwrap();
    mesh.material = Some(1);
    mesh
}

fn triangle() -> Mesh {
    let positions = vec![Vec3::ZERO, Vec3::X * 0.7, Vec3::new(0.1, 0.2, -0.9)];
    Mesh::new(positions, vec![[2, 1, 0]], Influences::rigid(3)).unwrap()
}

fn point() -> Mesh {
    let mut mesh = Mesh::new(
        vec![Vec3::new(0.25, 0.125, -0.5)],
        Vec::new(),
        Influences::rigid(1),
    )
    .unwrap();
    mesh.set_normals(vec![Vec3::Y]).unwrap();
    mesh
}
