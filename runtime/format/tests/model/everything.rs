//! Synthetic characters that use every feature of models, and many that glTF does not support.

use glam::{DAffine3, DQuat, DVec3, Vec2, Vec3, Vec4};
use throng_rig::{
    AlphaMode, AuthoredMethod, Character, CharacterParts, Image, ImageFormat, Influences, Joint,
    JointKind, Material, Mesh, MorphTarget, Part, Skeleton, Skin, Texture, Transform, Wrap,
};

/// A PNG of one orange pixel; its length is not a multiple of four.
#[rustfmt::skip]
pub const PNG: [u8; 69] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53,
    0xde, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xdf, 0xa0, 0x00,
    0x00, 0x04, 0x21, 0x01, 0xa0, 0x4d, 0xbf, 0x32, 0x90, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e,
    0x44, 0xae, 0x42, 0x60, 0x82,
];

pub const HOSTILE: &str = "Bödy\n\"evil\"\t\\ \u{0} \u{1f980}";

/// Two trees of joints; a skin over both that lists a joint three times; a mesh of six influences per vertex that two
/// parts share; normals, tangents and colours that glTF does not allow; meshes without triangles and without vertices;
/// images that are used, unused, invalid, and empty.
pub fn everything() -> Character {
    Character::new(everything_in_parts()).unwrap()
}

pub fn everything_in_parts() -> CharacterParts {
    let skeleton = Skeleton::new(joints()).unwrap();
    CharacterParts {
        name: HOSTILE.to_owned(),
        skins: skins(&skeleton),
        skeleton,
        meshes: vec![rich(), plain(), points(), nothing()],
        parts: vec![
            part(7, HOSTILE, 0, [0, 0], Some(1)),
            part(7, HOSTILE, 1, [1, 1], None),
            part(9, "", 0, [0, 0], Some(1)),
            part(11, "points", 0, [2, 1], None),
            part(12, "nothing", 0, [3, 1], Some(0)),
        ],
        morph_sets: vec![
            ("one".to_owned(), vec![-0.0]),
            (HOSTILE.to_owned(), vec![0.1, 0.7]),
            ("empty".to_owned(), vec![]),
        ],
        clips: Vec::new(),
        materials: vec![
            Material::default(),
            material(1, AlphaMode::Mask { cutoff: 0.1 }),
            material(2, AlphaMode::Blend),
        ],
        images: vec![
            image("unused", ImageFormat::Png, &PNG),
            image("orange", ImageFormat::Png, &PNG),
            image("invalid", ImageFormat::Jpeg, b"not an image"),
            image("empty", ImageFormat::Png, &[]),
        ],
    }
}

fn joints() -> Vec<Joint> {
    let joint = |name: &str, parent: Option<usize>, kind: JointKind| Joint {
        name: name.to_owned(),
        parent,
        parent_from_joint: Transform {
            translation: DVec3::new(0.1, 0.7, -1.0 / 3.0),
            rotation: DQuat::from_rotation_x(1.1) * DQuat::from_rotation_y(0.3),
            scale: DVec3::new(1.0, -1.0 / 3.0, 1.1),
        },
        kind,
    };
    let mut joints = vec![
        joint("", None, JointKind::Node),
        joint("hip", Some(0), JointKind::Bone),
        joint("other tree", None, JointKind::Bone),
        joint("stretch", Some(1), JointKind::Stretch),
        joint(HOSTILE, Some(3), JointKind::Bone),
        joint("hip", Some(2), JointKind::Leaf),
        joint("end", Some(4), JointKind::AddedLeaf),
    ];
    joints[2].parent_from_joint = Transform::IDENTITY;
    joints
}

fn skins(skeleton: &Skeleton) -> Vec<Skin> {
    let matrix = |i: usize| {
        DAffine3::from_scale_rotation_translation(
            DVec3::new(1.0, 2.0, 1.0 / 7.0),
            DQuat::from_rotation_z(i as f64 * 0.1),
            DVec3::new(0.0, -0.1, i as f64),
        )
    };
    let skin = |name: &str, joints: Vec<usize>| {
        let matrices = (0..joints.len()).map(matrix).collect();
        Skin::new(name.to_owned(), skeleton, joints, matrices).unwrap()
    };
    vec![
        skin("both trees", vec![4, 2, 1, 4, 5, 4]),
        skin("", vec![1]),
        // Uses the repeat of joint 4 of the first skin, and needs one for joint 1.
        skin("again", vec![4, 4, 1, 1]),
    ]
}

fn part(
    node: usize,
    name: &str,
    primitive: usize,
    [mesh, skin]: [usize; 2],
    morph_set: Option<usize>,
) -> Part {
    Part {
        node,
        node_name: name.to_owned(),
        primitive,
        mesh,
        skin,
        morph_set,
    }
}

fn material(image: usize, alpha: AlphaMode) -> Material {
    Material {
        name: HOSTILE.to_owned(),
        base_color: [0.1, 1.5, -0.0, -0.5],
        texture: Some(Texture {
            image,
            wrap_u: Wrap::Mirror,
            wrap_v: Wrap::Clamp,
        }),
        alpha,
        double_sided: true,
    }
}

fn image(name: &str, format: ImageFormat, bytes: &[u8]) -> Image {
    Image {
        name: name.to_owned(),
        format,
        bytes: bytes.to_vec(),
    }
}

/// Five vertices, two of which share a unique position, with every attribute and two morph targets.
fn rich() -> Mesh {
    let positions = vec![
        Vec3::new(0.1, -0.0, 0.3),
        Vec3::new(1.0, 0.7, 1e-40),
        Vec3::new(0.1, 0.0, 0.3),
        Vec3::new(-1e20, 3.0, 2.0),
        Vec3::ONE / 3.0,
    ];
    let six: Vec<(u32, f64)> = vec![(3, 0.3), (0, 0.2), (1, 0.1), (2, 0.2), (4, 0.1), (5, 0.1)];
    let influences = Influences::new([
        vec![(0, 1.0), (1, 1.0), (5, 1.0)],
        six,
        vec![(0, 1.0), (1, 1.0), (5, 1.0)],
        vec![(3, 1.0), (2, 1e-40)],
        vec![(4, 1.0)],
    ])
    .unwrap();
    let mut mesh = Mesh::new(positions, vec![[0, 1, 2], [2, 3, 4]], influences).unwrap();
    mesh.set_normals(vec![
        Vec3::Y,
        Vec3::ZERO,
        Vec3::Y,
        Vec3::new(3.0, 0.0, -0.0),
        Vec3::splat(1e-40),
    ])
    .unwrap();
    let tangent = |w: f32| Vec4::new(0.0, 2.0, 0.0, w);
    mesh.set_tangents(vec![
        Vec4::X,
        tangent(-0.3),
        tangent(0.0),
        tangent(5.0),
        Vec4::ZERO,
    ])
    .unwrap();
    mesh.set_uvs((0..5).map(|i| Vec2::new(i as f32 * -0.3, 7.1)).collect())
        .unwrap();
    mesh.set_colors(vec![[0.5, 2.0, -0.5, -0.0]; 5]).unwrap();
    mesh.set_blend_factors(vec![0.1, 0.2, 0.1, 1.0, 0.0])
        .unwrap();
    mesh.set_rotation_centers(vec![
        Vec3::new(0.1, -0.2, 1e-7),
        Vec3::Y,
        Vec3::new(0.1, -0.2, 1e-7),
        Vec3::splat(-30.0),
        Vec3::ZERO,
    ])
    .unwrap();
    for (name, with_directions) in [("smile", true), ("", false)] {
        let deltas = |scale: f32| -> Vec<Vec3> {
            [1, 2, 1, 4, 5]
                .map(|i| Vec3::new(i as f32 * scale, -0.0, 0.1))
                .to_vec()
        };
        let directions = |scale| {
            if with_directions {
                deltas(scale)
            } else {
                Vec::new()
            }
        };
        mesh.add_morph_target(MorphTarget {
            name: name.to_owned(),
            positions: deltas(0.1),
            normals: directions(0.2),
            tangents: directions(-0.3),
        })
        .unwrap();
    }
    mesh.share_positions();
    assert_eq!(mesh.unique().position_of(), [0, 1, 0, 2, 3]);
    mesh.material = Some(1);
    mesh.authored_method = AuthoredMethod::Blended;
    mesh
}

/// A triangle without shared vertices, whose material has an invalid image.
fn plain() -> Mesh {
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let mut mesh = Mesh::new(corners, vec![[2, 1, 0]], Influences::rigid(3)).unwrap();
    mesh.set_uvs(vec![Vec2::X, Vec2::Y, Vec2::ONE]).unwrap();
    mesh.material = Some(2);
    mesh.authored_method = AuthoredMethod::Rigid;
    mesh
}

/// Two equal, unshared points without texture coordinates, whose material has a texture.
fn points() -> Mesh {
    let mut mesh = Mesh::new(vec![Vec3::ONE; 2], vec![], Influences::rigid(2)).unwrap();
    mesh.material = Some(1);
    mesh.authored_method = AuthoredMethod::DualQuaternion;
    mesh
}

/// No vertices, but a morph target.
fn nothing() -> Mesh {
    let mut mesh = Mesh::new(vec![], vec![], Influences::rigid(0)).unwrap();
    mesh.add_morph_target(MorphTarget {
        name: "of nothing".to_owned(),
        positions: vec![],
        normals: vec![],
        tangents: vec![],
    })
    .unwrap();
    mesh
}

/// Morph targets with tangents on a mesh without; more joints than 8 bits can index; one skin over many trees.
pub fn many_joints() -> Character {
    let joint = |_| Joint {
        name: String::new(),
        parent: None,
        parent_from_joint: Transform::IDENTITY,
        kind: JointKind::Bone,
    };
    let skeleton = Skeleton::new((0..300).map(joint).collect()).unwrap();
    let influences = [
        vec![(299, 0.75), (7, 0.25)],
        vec![(0, 1.0)],
        vec![(256, 1.0)],
    ];
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let influences = Influences::new(influences).unwrap();
    let mut mesh = Mesh::new(corners, vec![[0, 1, 2]], influences).unwrap();
    mesh.add_morph_target(MorphTarget {
        name: "tangents".to_owned(),
        positions: vec![Vec3::Z; 3],
        normals: vec![],
        tangents: vec![Vec3::Y; 3],
    })
    .unwrap();
    let matrices = vec![DAffine3::IDENTITY; 300];
    let skin = Skin::new(String::new(), &skeleton, (0..300).collect(), matrices).unwrap();
    Character::new(CharacterParts {
        name: "many".to_owned(),
        skeleton,
        skins: vec![skin],
        meshes: vec![mesh],
        parts: vec![part(0, "", 0, [0, 0], Some(0))],
        morph_sets: vec![("".to_owned(), vec![0.5])],
        clips: vec![],
        materials: vec![],
        images: vec![],
    })
    .unwrap()
}

/// A character without any content.
pub fn empty_character() -> Character {
    Character::new(CharacterParts {
        name: String::new(),
        skeleton: Skeleton::new(vec![]).unwrap(),
        skins: vec![],
        meshes: vec![],
        parts: vec![],
        morph_sets: vec![],
        clips: vec![],
        materials: vec![],
        images: vec![],
    })
    .unwrap()
}
