//! Layouts of the papers, texel by texel.

mod common;

use common::*;
use glam::{DMat3, DQuat, DVec3, Vec2, Vec3};
use throng_bake::{BakeSettings, BakeWarning, Preset, Rate, bake};
use throng_format::decode::virtual_bones::VirtualSkin;
use throng_format::file::{FileFormat, Supercompression};
use throng_format::{
    Encoding, FrameOrder, Layout, ModelExtras, Precision, TexelFormat, TextureSet, decode, disk,
    p0, read_model, write_model,
};
use throng_rig::{Character, Method};

/// One joint that moves from (10, 100, -20) cm to (20, 60, -20) cm and rotates by 90° about Z. It has nearly all of the
/// weight of every vertex of the chain.
fn one_joint() -> Character {
    let keys = vec![
        (DVec3::new(0.1, 1.0, -0.2), DQuat::IDENTITY, DVec3::ONE),
        (
            DVec3::new(0.2, 0.6, -0.2),
            DQuat::from_rotation_z(90f64.to_radians()),
            DVec3::ONE,
        ),
    ];
    chain(&[vec![keys]])
}

fn preset(preset: Preset) -> BakeSettings {
    BakeSettings {
        preset: Some(preset),
        rate: Rate::Hz(6.0),
        skinning: Method::Lbs.into(),
        ..BakeSettings::default()
    }
}

/// Returns the four or three bytes of a texel.
fn texel(set: &TextureSet, texture: usize, column: usize, row: usize) -> &[u8] {
    let texture = &set.textures()[texture];
    texture.texel(row * texture.size()[0] as usize + column)
}

#[test]
fn p0_matrices_are_columns_with_a_position_component_after_each() {
    let set = baked(&one_joint(), &preset(Preset::P0Matrix8));
    // One second at 6 Hz is seven frames; 3 b + 2 rows, padded to eight.
    assert_eq!(set.textures()[0].size(), [8, 8, 1]);
    assert_eq!(set.textures()[0].format(), TexelFormat::Rgba8Unorm);
    // x = 0 and 1 are 128 and 255. The range of x is 10 to 20 cm: its ends are -1 and 1, bytes 1 and 255, or one step inside,
    // because boxes are grown to values that bytes hold. That of y is 100 to 60 cm.
    let (x, y) = (texel(&set, 0, 1, 0), texel(&set, 0, 1, 1));
    assert_eq!(
        (&x[..3], &y[..3]),
        (&[255, 128, 128][..], &[128, 255, 128][..])
    );
    assert!(x[3] <= 2 && y[3] >= 254, "{x:?} {y:?}");
    assert_eq!(texel(&set, 0, 1, 2)[..3], [128, 128, 255]);
    // The last frame: X maps to Y (0, 1, 0), Y to -X (-1, 0, 0). Float32 keys leave the zeros slightly off, on either side
    // of the step.
    let last = texel(&set, 0, 7, 0);
    assert!(
        (127..=128).contains(&last[0]) && last[1] >= 254 && last[3] >= 254,
        "{last:?}"
    );
    let last = texel(&set, 0, 7, 1);
    assert!(
        last[0] <= 2 && (127..=128).contains(&last[1]) && last[3] <= 2,
        "{last:?}"
    );
    // Ranges: centre (15, 80, -20) cm, bounds (5, 20, 0) cm, in the shortest unit in which 80 cm are below 256.
    let unit = set.manifest().axes.metres_per_unit;
    assert_eq!(unit, 0.005);
    let cm = 100.0 * unit;
    let row = |row| texel(&set, 0, 0, row);
    let parts: Vec<u8> = (0..3).flat_map(row).copied().collect();
    let boxes = p0::box_from_bytes(p0::BoxCode::Parts, &parts);
    for (found, expected) in boxes.center.iter().zip([15.0, 80.0, -20.0]) {
        assert!((found * cm - expected).abs() < 0.02, "{boxes:?}");
    }
    for (found, expected) in boxes.half_extent.iter().zip([5.0, 20.0, 0.0]) {
        assert!((found * cm - expected).abs() < 0.02, "{boxes:?}");
    }
    // A decimal part of zero is 128; below zero 127.
    assert!(parts[5].abs_diff(127) <= 1, "{parts:?}");
    // Seven frames, six per second.
    assert_eq!(row(3)[..3], [7, 0, 0]);
    assert_eq!(row(4)[..3], [6, 0, 0]);
}

#[test]
fn p0_dual_quaternions_are_two_rows_per_bone_in_whole_ranges() {
    let set = baked(&one_joint(), &preset(Preset::P0Dq8));
    assert_eq!(set.textures()[0].size(), [8, 4, 1]);
    // No rotation: (0, 0, 0, 1).
    assert_eq!(texel(&set, 0, 1, 0), [128, 128, 128, 255]);
    // The dual part is half the position times the rotation: (5, 50, -10, 0) at first. At the end, with
    // q = (0, 0, s, s), s = √½, and t = (20, 60, -20): ½ t q = (½ s (20 + 60), ½ s (60 - 20), ½ s (-20), ½ s 20)
    // = (28.28, 14.14, -7.07, 7.07).
    let s = 0.5f64.sqrt();
    let first = [5.0, 50.0, -10.0, 0.0];
    let last = [40.0 * s, 20.0 * s, -10.0 * s, 10.0 * s];
    let Layout::Bones(layout) = &set.manifest().layout else {
        panic!()
    };
    let range = &layout.ranges[0];
    let units = 0.01 / set.manifest().axes.metres_per_unit;
    assert!(
        range
            .center
            .iter()
            .chain(&range.half_extent)
            .all(|x| x.fract() == 0.0),
        "{range:?}"
    );
    for (column, dual) in [(1, first), (7, last)] {
        let bytes = texel(&set, 0, column, 1);
        for axis in 0..4 {
            let x = (dual[axis] * units - range.center[axis]) / range.half_extent[axis];
            assert!(x.abs() <= 1.0);
            assert!(
                bytes[axis].abs_diff((x * 127.0 + 128.0) as u8) <= 1,
                "{bytes:?} {x}"
            );
        }
    }
    let real = texel(&set, 0, 7, 0);
    let expected = (s * 127.0 + 128.0) as u8;
    assert!(
        real[2].abs_diff(expected) <= 1 && real[3].abs_diff(expected) <= 1,
        "{real:?}"
    );
    // The first column: the centre plus 128, then the bounds.
    let column: Vec<u8> = (0..2)
        .flat_map(|row| texel(&set, 0, 0, row))
        .copied()
        .collect();
    for axis in 0..4 {
        assert_eq!(f64::from(column[axis]), range.center[axis] + 128.0);
        assert_eq!(f64::from(column[4 + axis]), range.half_extent[axis]);
    }
}

#[test]
fn p0_vertices_are_rows_and_frames_columns() {
    let character = one_joint();
    let set = baked(&character, &preset(Preset::P0Vertex8));
    // Three vertices, but six rows of metadata; both padded.
    assert_eq!(set.textures()[0].size(), [8, 8, 1]);
    assert_eq!(set.textures()[1].size(), [8, 4, 1]);
    assert_eq!(set.textures()[0].format(), TexelFormat::Rgb8Unorm);
    assert_eq!(texel(&set, 0, 0, 0), [7, 0, 0]);
    assert_eq!(texel(&set, 0, 0, 1), [6, 0, 0]);
    let Layout::Vertices(layout) = &set.manifest().layout else {
        panic!()
    };
    assert_eq!(layout.positions.order, FrameOrder::Columns);
    let range = layout.range.as_ref().unwrap();
    // By hand: in the rest pose the joint is at (0, 50, 0) and vertex 0 at (10, 50, 0). At the first frame the joint has
    // moved by (10, 50, -20) without rotation.
    let units = 0.01 / set.manifest().axes.metres_per_unit;
    let offset = [10.0, 50.0, -20.0].map(|cm: f64| cm * units);
    let bytes = texel(&set, 0, 1, 0);
    for axis in 0..3 {
        let half = range.half_extent[axis];
        if half < 0.1 {
            continue; // constant: the box is as small as bytes can say
        }
        let x = (offset[axis] - range.center[axis]) / half;
        // Where the offset is at a step, float32 may round either way.
        assert!(
            bytes[axis].abs_diff((x * 127.0 + 128.0) as u8) <= 1,
            "{bytes:?} {x}"
        );
    }
    let normal = character.meshes()[0].normals()[0];
    let expected = normal
        .to_array()
        .map(|n| (f64::from(n) * 127.0 + 128.0) as u8);
    assert_eq!(texel(&set, 1, 1, 0), expected);
    // Back in metres.
    let (positions, _) = decoded_vertices(&set, 0, 0.0);
    assert!(
        positions[0].abs_diff_eq(DVec3::new(0.2, 1.0, -0.2), 0.01),
        "{}",
        positions[0]
    );
}

#[test]
fn sizes_of_a_person_are_those_of_the_papers() {
    let character = builtin("humanoid:1000");
    let size = |set: &TextureSet, rows: u32| {
        let clips = set.manifest().clips.iter();
        let longest = clips.clone().map(|clip| clip.frames).max().unwrap();
        [
            (longest + 1).next_power_of_two(),
            rows.next_power_of_two(),
            clips.len() as u32,
        ]
    };
    for (which, per_bone) in [(Preset::P0Dq8, 2), (Preset::P0Matrix8, 3)] {
        let set = baked(&character, &preset(which));
        let bones = bone_joints(&set).len() as u32;
        assert_eq!(set.textures()[0].size(), size(&set, per_bone * bones + 2));
    }
    let set = baked(&character, &preset(Preset::P0Vertex8));
    let parts = character.parts().iter().map(|p| character.mesh_of(p));
    let rows: Vec<usize> = parts.map(|mesh| mesh.unique().position_count()).collect();
    let mut expected = size(&set, *rows.iter().max().unwrap() as u32);
    expected[2] *= rows.len() as u32;
    assert_eq!(set.textures()[0].size(), expected);
    assert_eq!(set.textures()[1].size(), expected);
}

#[test]
fn every_preset_is_within_centimetres_for_a_person() {
    let character = builtin("humanoid:1000");
    for (which, limit) in [
        (Preset::P0Matrix8, 0.01),
        (Preset::P0Dq8, 0.03),
        (Preset::P3VirtualBones, 1e-5),
    ] {
        let set = baked(&character, &preset(which));
        for clip in 0..set.manifest().clips.len() {
            for time in frame_times(&set, clip) {
                let (pose, reference) = (
                    decoded_bones(&set, clip, time),
                    reference_pose(&character, clip, time),
                );
                for joint in bone_joints(&set) {
                    let (a, b) = (
                        pose.model_from_joint[joint],
                        reference.model.model_from_joint[joint],
                    );
                    let off = a.translation.distance(b.translation);
                    assert!(off < limit, "{which:?} {off}");
                    assert!(linear_difference(&a, &b) < 0.05);
                }
            }
        }
    }
    let settings = preset(Preset::P0Vertex8);
    let set = baked(&character, &settings);
    let Layout::Vertices(layout) = &set.manifest().layout else {
        panic!()
    };
    let half = layout
        .range
        .as_ref()
        .unwrap()
        .half_extent
        .iter()
        .copied()
        .fold(0.0, f64::max);
    let unit = set.manifest().axes.metres_per_unit;
    for time in frame_times(&set, 1) {
        let expected =
            reference_vertices(&character, &settings, &reference_pose(&character, 1, time)).0;
        for (a, b) in decoded_vertices(&set, 1, time).0.iter().zip(expected) {
            // A byte is off by 2 / 255 of its bounds; kernels are float32.
            let limit = 3f64.sqrt() * half * 2.0 / 255.0 * unit + 1e-5;
            assert!(a.distance(b) < limit, "{} > {limit}", a.distance(b));
        }
    }
}

/// Two clips and two meshes: four pages of positions, four of normals, each with the length of its clip.
#[test]
fn p0_vertices_have_a_page_per_clip_and_mesh() {
    let keys = |angles: &[f64]| -> Vec<Keys> {
        let key = |&angle: &f64| (DVec3::Y * 0.5, DQuat::from_rotation_z(angle), DVec3::ONE);
        vec![angles.iter().map(key).collect()]
    };
    let mut parts = chain(&[keys(&[0.0, 1.0]), keys(&[0.0, 1.0, 0.0])]).into_parts();
    parts
        .meshes
        .push(parts.meshes[0].select_vertices(&[0, 1], vec![]));
    parts.parts.push(throng_rig::Part {
        mesh: 1,
        ..parts.parts[0].clone()
    });
    let character = Character::new(parts).unwrap();
    let set = baked(&character, &preset(Preset::P0Vertex8));
    // 13 frames and the metadata; eight rows for six of metadata.
    assert_eq!(set.textures()[0].size(), [16, 8, 4]);
    let first = |page: usize, row: usize| set.textures()[0].texel((page * 8 + row) * 16);
    // Seven frames are played once; the last of thirteen repeats the first.
    assert_eq!([0, 1, 2, 3].map(|page| first(page, 0)[0]), [7, 7, 12, 12]);
    assert!((0..4).all(|page| first(page, 1) == [6, 0, 0]));
    assert!((1..4).all(|page| (2..6).all(|row| first(page, row) == first(0, row))));
    let settings = preset(Preset::P0Vertex8);
    for clip in 0..2 {
        for time in frame_times(&set, clip) {
            let pose = reference_pose(&character, clip, time);
            let expected = reference_vertices(&character, &settings, &pose).0;
            let found = decoded_vertices(&set, clip, time).0;
            assert_eq!(found.len(), 5);
            for (a, b) in found.iter().zip(expected) {
                assert!(a.distance(b) < 0.01, "{a} {b}");
            }
        }
    }
}

#[test]
fn p0_reports_influences_and_hard_edges_that_it_drops() {
    let warnings = |character: &Character, which| {
        let baked = bake(character, &preset(which), &source(), &()).unwrap();
        (baked.set, baked.warnings)
    };
    let mut parts =
        chain(&[vec![vec![(DVec3::Y * 0.5, DQuat::IDENTITY, DVec3::ONE)]; 5]]).into_parts();
    let count = parts.meshes[0].vertex_count();
    let weights = [0.3, 0.25, 0.2, 0.15, 0.1];
    let five = (0..count).map(|_| weights.into_iter().enumerate().map(|(j, w)| (j as u32, w)));
    let five = throng_rig::Influences::new(five).unwrap();
    parts.meshes[0].set_influences(five).unwrap();
    parts.meshes[0].share_positions();
    let (set, found) = warnings(&Character::new(parts).unwrap(), Preset::P0Dq8);
    let expected = BakeWarning::Influences {
        vertices: count,
        most: 5,
        kept: 3,
    };
    assert_eq!(found, [expected]);
    let kept: Vec<f64> = set.model().meshes()[0]
        .influences()
        .of(0)
        .map(|i| i.1)
        .collect();
    assert_eq!(kept.len(), 3);
    // 0.3 of 0.3 + 0.25 + 0.2.
    assert!((kept[0] - 0.4).abs() < 1e-6, "{kept:?}");

    // Two vertices of one position with different normals.
    let mut parts = one_joint().into_parts();
    let mesh = parts.meshes[0].select_vertices(&[0, 0, 1, 2], vec![[0, 2, 3], [1, 3, 2]]);
    parts.meshes[0] = mesh;
    let (x, y) = (Vec3::X, Vec3::Y);
    parts.meshes[0].set_normals(vec![x, y, x, x]).unwrap();
    parts.meshes[0].share_positions();
    let (set, found) = warnings(&Character::new(parts).unwrap(), Preset::P0Vertex8);
    assert_eq!(found, [BakeWarning::Normals { positions: 1 }]);
    assert_eq!(set.rest().normals.len(), 3);
    assert!(warnings(&one_joint(), Preset::P0Matrix8).1.is_empty());
}

#[test]
fn p3_virtual_bones_are_three_blocks_below_a_rest_row() {
    let character = one_joint();
    let set = baked(&character, &preset(Preset::P3VirtualBones));
    let Layout::Bones(layout) = &set.manifest().layout else {
        panic!()
    };
    // Three texels, four per row; seven frames and the rest pose.
    assert_eq!(set.textures()[0].size(), [4, 8, 1]);
    let number = |row: usize, column: usize| -> [f32; 3] {
        let bytes = texel(&set, 0, column, row);
        [0, 1, 2].map(|k| f32::from_le_bytes(bytes[4 * k..][..4].try_into().unwrap()))
    };
    assert_eq!(number(0, 0), [1.0, 0.0, 0.0]);
    assert_eq!(number(0, 1), [0.0, 1.0, 0.0]);
    assert_eq!(number(0, 2), [0.0, 0.5, 0.0]);
    assert_eq!(number(1, 2), [0.1, 1.0, -0.2]);
    let theta = number(7, 0);
    assert!(
        (theta[1] - 1.0).abs() < 1e-6 && theta[0].abs() < 1e-6,
        "{theta:?}"
    );
    assert_eq!(
        decode::rest_row(&set, layout).unwrap()[0].translation,
        DVec3::Y * 0.5
    );
    assert_eq!(layout.grid.first_row, 1);
    // One joint: one influence per vertex, and no weights.
    assert_eq!((layout.color_bones, &layout.weights), (1, &None));
    assert_eq!(set.bone_colors(), [vec![[0; 4]; 3]]);
}

#[test]
fn p3_blocks_of_virtual_bones_follow_each_other() {
    let character = builtin("humanoid:1000");
    let settings = BakeSettings {
        clips: vec![0],
        ..preset(Preset::P3VirtualBones)
    };
    let set = baked(&character, &settings);
    let bones = bone_joints(&set);
    let n = bones.len();
    assert_eq!(
        set.textures()[0].size()[0] as usize,
        (3 * n).next_power_of_two()
    );
    let reference = reference_pose(&character, 0, 0.0);
    for (bone, joint) in bones.into_iter().enumerate() {
        let expected: DMat3 = reference.model.model_from_joint[joint].matrix3;
        for (block, axis) in [(0, expected.x_axis), (1, expected.y_axis)] {
            let bytes = texel(&set, 0, block * n + bone, 1);
            for k in 0..3 {
                let x = f32::from_le_bytes(bytes[4 * k..][..4].try_into().unwrap());
                assert!((f64::from(x) - axis[k]).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn p3_equations_2_and_3_are_linear_blend_skinning() {
    let character = builtin("humanoid:1000");
    let limited = {
        let mut parts = character.into_parts();
        for mesh in &mut parts.meshes {
            let four = (0..mesh.vertex_count()).map(|v| {
                mesh.influences()
                    .of(v)
                    .take(4)
                    .map(|(j, w)| (j as u32, w))
                    .collect::<Vec<_>>()
            });
            let four = throng_rig::Influences::new(four).unwrap();
            mesh.set_influences(four).unwrap();
            mesh.share_positions();
        }
        Character::new(parts).unwrap()
    };
    let set = baked(
        &limited,
        &BakeSettings {
            clips: vec![1],
            ..preset(Preset::P3VirtualBones)
        },
    );
    let skin = VirtualSkin::of(&set).unwrap();
    let mut skinned = throng_skin::reference::Skinned::default();
    for time in frame_times(&set, 0) {
        let pose = decoded_bones(&set, 0, time);
        let reference = reference_pose(&limited, 1, time);
        for (index, part) in limited.parts().iter().enumerate() {
            throng_skin::reference::skin_part(
                &limited,
                part,
                &reference,
                Method::Lbs,
                &mut skinned,
            );
            for vertex in 0..skinned.positions.len() {
                let (position, normal) = skin.vertex(index, vertex, &pose);
                assert!(position.distance(skinned.positions[vertex]) < 1e-5);
                // Blended matrices are not rotations, and the paper has no cofactors.
                assert!(normal.angle_between(skinned.normals[vertex]) < 0.3);
            }
        }
    }
}

/// Two joints, and three vertices of each.
fn two_joints() -> Character {
    let still = vec![(DVec3::Y * 0.5, DQuat::IDENTITY, DVec3::ONE)];
    chain(&[vec![still; 2]])
}

/// The texture of weights has 3 × 3 texels for six vertices: their centres are at odd sixths.
#[test]
fn second_uvs_are_centres_of_texels() {
    let set = baked(&two_joints(), &preset(Preset::P3VirtualBones));
    let centre = |texel: f64| (texel / 6.0) as f32;
    let row = |y: f64| [1.0, 3.0, 5.0].map(|x| Vec2::new(centre(x), centre(y)));
    assert_eq!(set.second_uvs(), [[row(1.0), row(3.0)].concat()]);
    let plain = baked(
        &two_joints(),
        &settings_of(Encoding::VirtualBones, Precision::F32),
    );
    assert_eq!(plain.second_uvs(), [[]]);
}

/// As an engine does: from the mesh file alone, a vertex's second texture coordinate leads to its weights.
#[test]
fn lookup_by_the_second_uv_finds_the_weights_of_the_vertex() {
    let folder = tempfile::tempdir().unwrap();
    let settings = BakeSettings {
        clips: vec![0],
        ..preset(Preset::P3VirtualBones)
    };
    let set = baked(&builtin("humanoid:1000"), &settings);
    let Layout::Bones(layout) = &set.manifest().layout else {
        panic!()
    };
    let texture = layout.weights.as_ref().unwrap().texture;
    let side = set.textures()[texture].size()[0] as f32;
    let path = folder.path().join("set");
    let none = Supercompression::None;
    disk::write_folder(&set, &path, FileFormat::Exr, none, &[]).unwrap();
    let model = read_model(&std::fs::read(path.join("mesh.glb")).unwrap()).unwrap();
    let mut looked_up = 0;
    for (mesh, uvs) in model.character.meshes().iter().zip(&model.second_uvs) {
        assert_eq!(uvs.len(), mesh.vertex_count());
        for (vertex, uv) in uvs.iter().enumerate() {
            let bytes = texel(
                &set,
                texture,
                (uv.x * side) as usize,
                (uv.y * side) as usize,
            );
            let weights = mesh.influences().run(vertex).1;
            for k in 0..3 {
                let found = f32::from_le_bytes(bytes[4 * k..][..4].try_into().unwrap());
                assert_eq!(
                    found,
                    weights.get(k).copied().unwrap_or(0.0),
                    "vertex {vertex}"
                );
            }
            looked_up += 1;
        }
    }
    assert!(looked_up > 900, "{looked_up}");
    let again = disk::read(&path).unwrap();
    assert!(again.model() == set.model());
}

#[test]
fn second_uvs_of_other_texels_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set");
    let refusal = |settings: &BakeSettings, uvs: Vec<Vec2>| {
        let set = baked(&two_joints(), settings);
        let none = Supercompression::None;
        disk::write_folder(&set, &path, FileFormat::Exr, none, &[]).unwrap();
        let extras = ModelExtras {
            second_uvs: vec![uvs],
            ..ModelExtras::default()
        };
        let mut file = std::fs::File::create(path.join("mesh.glb")).unwrap();
        let extras = ModelExtras {
            bone_colors: set.bone_colors().to_vec(),
            ..extras
        };
        write_model(set.model(), extras, &mut file).unwrap();
        disk::read(&path).map(|_| ()).unwrap_err().to_string()
    };
    let p3 = preset(Preset::P3VirtualBones);
    let error = refusal(&p3, vec![]);
    assert!(error.contains("mesh 0: has no TEXCOORD_1"), "{error}");
    let mut uvs = baked(&two_joints(), &p3).second_uvs().remove(0);
    uvs[4] = Vec2::splat(0.75);
    let error = refusal(&p3, uvs.clone());
    let expected = "expected TEXCOORD_1 [0.5, 0.5] of vertex 4, found [0.75, 0.75]";
    assert!(error.contains(expected), "{error}");
    let error = refusal(&settings_of(Encoding::VirtualBones, Precision::F32), uvs);
    assert!(error.contains("mesh 0: has TEXCOORD_1, but"), "{error}");
}
