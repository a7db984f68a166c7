//! Decoded frames equal the baked pose within a step of the precision.

mod common;

use common::*;
use glam::{DAffine3, DQuat, DVec3};
use proptest::prelude::*;
use throng_bake::{BakeSettings, Boxes, Rate, Sides};
use throng_format::{BoneCode, Encoding, Layout, Metadata, Precision};
use throng_rig::{Character, Clip, Method, Skinning};

/// Returns the largest error of a bone at a frame: of the linear part, and of the position where ranges have the half extent
/// `half` and values the magnitude `far`.
fn bone_bounds(
    code: BoneCode,
    precision: Precision,
    scale: f64,
    half: f64,
    far: f64,
) -> (f64, f64) {
    let u = half_step(precision);
    let step = match precision {
        Precision::Unorm8 | Precision::Unorm16 => u * half,
        _ => u * far,
    };
    let rounding = 1e-6 * (far + scale); // ranges, scales and keys are float32
    let (linear, position) = match code {
        BoneCode::MatrixRows | BoneCode::MatrixColumns => (u, step),
        // The four components of a unit quaternion are off by u each, the vector by 2 u, a rotation by 4 u; dual parts are half
        // as long as positions.
        BoneCode::DualQuaternion => (5.0 * u, 4.0 * step + 2.0 * far * 2.0 * u),
        // A rotation is off by at most four times the three parameters.
        BoneCode::RotationPosition => (4.0 * 3f64.sqrt() * u, step),
        // A component of the third axis, a product of two, has two components of each, every one off by u: those of two unit
        // axes in one plane add up to at most 2 √2.
        BoneCode::Axes | BoneCode::AxisPlanes => (8f64.sqrt() * u + 2.0 * u * u, step),
    };
    (linear * scale + rounding, position + rounding)
}

fn check_bones(character: &Character, settings: &BakeSettings) {
    let set = baked(character, settings);
    let Layout::Bones(layout) = &set.manifest().layout else {
        panic!("bones")
    };
    for (index, entry) in set.manifest().clips.iter().enumerate() {
        for time in frame_times(&set, index) {
            let reference = reference_pose(character, index, time);
            let pose = decoded_bones(&set, index, time);
            for (number, bone) in layout.bones.iter().enumerate() {
                // Numbers are rounded along the bone's axes.
                let rotation = DAffine3::from_quat(DQuat::from_array(bone.rotation));
                let (a, b) = (
                    &(pose.model_from_joint[bone.joint] * rotation.inverse()),
                    &(reference.model.model_from_joint[bone.joint] * rotation.inverse()),
                );
                let range = layout
                    .ranges
                    .get(number.min(layout.ranges.len().saturating_sub(1)));
                let half = range.map_or(0.0, |r| r.half_extent.iter().copied().fold(0.0, f64::max));
                // Separate scales have a separate step.
                let (scale, scale_step) = match (bone.has_scale, &layout.scale_range) {
                    (true, range) => {
                        let u = half_step(settings.storage.frame_precision());
                        let axes = b.matrix3.to_cols_array_2d().map(DVec3::from_array);
                        let longest = axes.iter().map(|axis| axis.length()).fold(0.0, f64::max);
                        let half = range.as_ref().map_or(longest, |range| {
                            range.half_extent.iter().copied().fold(0.0, f64::max)
                        });
                        (longest, u * half)
                    }
                    _ => (bone.scale.abs(), 0.0),
                };
                let far = b.translation.length();
                let (linear, position) = bone_bounds(
                    layout.code,
                    settings.storage.frame_precision(),
                    scale,
                    half,
                    far,
                );
                let what = || format!("{settings:?} clip {} at {time} bone {number}", entry.name);
                let off = linear_difference(a, b);
                let linear = linear + 1.2 * scale_step;
                assert!(off <= linear * 1.01, "{off} > {linear}: {}", what());
                let off = (a.translation - b.translation).abs().max_element();
                assert!(off <= position * 1.01, "{off} > {position}: {}", what());
            }
        }
    }
}

fn check_vertices(character: &Character, settings: &BakeSettings) {
    let set = baked(character, settings);
    let Layout::Vertices(layout) = &set.manifest().layout else {
        panic!("vertices")
    };
    let u = half_step(settings.storage.frame_precision());
    let size = set.manifest().size;
    let exact = BakeSettings {
        encoding: Encoding::Vertex,
        storage: Precision::F32.into(),
        ..settings.clone()
    };
    let exact = baked(character, &exact);
    for index in 0..set.manifest().clips.len() {
        for time in frame_times(&set, index) {
            let pose = reference_pose(character, index, time);
            let (positions, normals) = reference_vertices(character, settings, &pose);
            let (found, found_normals) = decoded_vertices(&set, index, time);
            assert_eq!(found.len(), positions.len());
            assert_eq!(found_normals.len(), normals.len());
            let rest = set.rest();
            for ((a, b), rest) in found.iter().zip(&positions).zip(&rest.positions) {
                let offset = (*b - rest.as_dvec3()).length();
                let half = layout.range.as_ref();
                let half = half.map_or(0.0, |r| r.half_extent.iter().copied().fold(0.0, f64::max));
                let step = match (settings.encoding, settings.storage.frame_precision()) {
                    // A direction is off by √3 u in its three components, the length by half a u.
                    (Encoding::VertexRay, _) => half * (3f64.sqrt() * u + u),
                    (_, Precision::F16 | Precision::F32) => 3f64.sqrt() * u * offset,
                    _ => 3f64.sqrt() * u * half,
                };
                // The kernels are float32.
                let bound = step * 1.01 + 6e-6 * (size + offset);
                assert!(
                    a.distance(*b) <= bound,
                    "{} > {bound}: {settings:?}",
                    a.distance(*b)
                );
            }
            // Where joints rotate against each other a blended surface is nearly flat, and float32 kernels lose digits of its
            // normal: the error of quantisation is measured against unquantised normals.
            let conditions = normal_conditions(character, &pose);
            let (normals, bound) = match settings.storage.frame_precision() {
                Precision::Unorm8 => (decoded_vertices(&exact, index, time).1, 0.8f64.to_radians()),
                // Products and sums of a cofactor are a dozen roundings.
                Precision::F32 => (normals, 12.0 * f64::from(f32::EPSILON)),
                _ => (
                    decoded_vertices(&exact, index, time).1,
                    0.005f64.to_radians(),
                ),
            };
            for ((a, b), condition) in found_normals.iter().zip(&normals).zip(&conditions) {
                let off = a.angle_between(*b);
                let bound = match settings.storage.frame_precision() {
                    Precision::F32 => 1e-5 + bound * condition,
                    _ => bound,
                };
                assert!(off <= bound, "normal off by {off} > {bound}: {settings:?}");
            }
        }
    }
}

fn check(character: &Character, settings: &BakeSettings) {
    if settings.encoding.is_vertex() {
        check_vertices(character, settings);
    } else {
        check_bones(character, settings);
    }
}

fn quat() -> impl Strategy<Value = DQuat> {
    prop::array::uniform4(-1.0..1.0f64)
        .prop_filter("not zero", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.01)
        .prop_map(|q| DQuat::from_array(q).normalize())
}

fn vector() -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-2.0..2.0f64).prop_map(DVec3::from_array)
}

/// Keys of three joints in two clips; the root may have a constant uniform scale.
fn rigid_clips() -> impl Strategy<Value = Vec<Vec<Keys>>> {
    let keys = prop::collection::vec((vector(), quat(), Just(DVec3::ONE)), 1..4);
    let clips = prop::collection::vec(prop::collection::vec(keys, 3), 2);
    (clips, prop::sample::select(vec![1.0, 0.01, 3.0])).prop_map(|(mut clips, scale)| {
        for key in clips.iter_mut().flat_map(|joints| &mut joints[0]) {
            key.2 = DVec3::splat(scale);
        }
        clips
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testkit::cases(24)))]

    #[test]
    fn every_encoding_at_every_precision(clips in rigid_clips(), skinning in prop::sample::select(vec![Skinning::AsAuthored, Method::Dqs.into(), Method::Lbs.into()])) {
        let character = chain(&clips);
        for encoding in FRAME_ENCODINGS {
            for precision in PRECISIONS {
                let settings = BakeSettings { skinning, rate: Rate::Hz(6.0), ..settings_of(encoding, precision) };
                // Where dual quaternions cancel out, float32 kernels and the reference differ.
                if encoding.is_vertex() && skinning == Method::Dqs.into() {
                    continue;
                }
                check(&character, &settings);
            }
        }
    }

    #[test]
    fn animated_scale_is_kept_by_encodings_that_support_it(clips in rigid_clips(), scales in prop::collection::vec(prop::array::uniform3(0.2..3.0f64), 3)) {
        let mut clips = clips;
        // The last joint has no child that it could shear.
        for (key, scale) in clips.iter_mut().flat_map(|joints| joints[2].iter_mut()).zip(&scales) {
            key.2 = DVec3::from_array(*scale);
        }
        let character = chain(&clips);
        for encoding in [Encoding::BoneQt, Encoding::BoneMatrix] {
            for precision in PRECISIONS {
                let settings = BakeSettings { rate: Rate::Hz(6.0), ..settings_of(encoding, precision) };
                check(&character, &settings);
            }
        }
        let rigid = try_baked(&character, &settings_of(Encoding::BoneDq, Precision::F32)).unwrap_err().to_string();
        prop_assert!(rigid.contains("joint2") && rigid.contains("bone-qt"), "{rigid}");
    }
}

#[test]
fn every_built_in_in_every_encoding() {
    for name in ["humanoid:1000", "bar", "cylinder", "graph:40"] {
        let character = builtin(name);
        for encoding in FRAME_ENCODINGS {
            for precision in [Precision::Unorm8, Precision::F16] {
                let clips = vec![0];
                let rate = Rate::Hz(10.0);
                check(
                    &character,
                    &BakeSettings {
                        clips,
                        rate,
                        ..settings_of(encoding, precision)
                    },
                );
            }
        }
    }
}

#[test]
fn small_sides_powers_of_two_and_metadata_columns_do_not_change_values() {
    let character = builtin("humanoid:1000");
    for encoding in FRAME_ENCODINGS {
        for precision in PRECISIONS {
            let tight = BakeSettings {
                clips: vec![1, 0],
                rate: Rate::Hz(6.0),
                ..settings_of(encoding, precision)
            };
            let expected = baked(&character, &tight);
            for (max_side, sides, metadata) in [
                (16, Sides::Exact, Metadata::Manifest),
                (16, Sides::PowerOfTwo, Metadata::Column),
                (2048, Sides::Exact, Metadata::Column),
                (100, Sides::PowerOfTwo, Metadata::Manifest),
            ] {
                let settings = BakeSettings {
                    max_side,
                    sides,
                    metadata,
                    ..tight.clone()
                };
                let set = baked(&character, &settings);
                for entry in &set.manifest().textures {
                    assert!(
                        entry.width <= max_side && entry.height <= max_side,
                        "{entry:?}"
                    );
                    if sides == Sides::PowerOfTwo {
                        assert!(entry.width.is_power_of_two() && entry.height.is_power_of_two());
                    }
                }
                // Rates are float32 in the column: between frames the time is off by as much.
                let near = if metadata == Metadata::Column {
                    1e-5
                } else {
                    0.0
                };
                for clip in 0..2 {
                    for time in [0.0, 0.123, 0.5, 9e9] {
                        if encoding.is_vertex() {
                            let a = decoded_vertices(&set, clip, time).0;
                            let b = decoded_vertices(&expected, clip, time).0;
                            assert!(a.iter().zip(&b).all(|(a, b)| a.distance(*b) <= near));
                        } else {
                            let a = decoded_bones(&set, clip, time).model_from_joint;
                            let b = decoded_bones(&expected, clip, time).model_from_joint;
                            let same = a.iter().zip(&b).all(|(a, b)| a.abs_diff_eq(*b, near));
                            assert!(same, "{settings:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn one_range_for_all_bones_contains_every_bone() {
    let character = builtin("humanoid:1000");
    for encoding in [Encoding::BoneMatrix, Encoding::BoneDq, Encoding::BoneQt] {
        let settings = BakeSettings {
            boxes: Some(Boxes::Whole),
            clips: vec![0],
            rate: Rate::Hz(10.0),
            ..settings_of(encoding, Precision::Unorm16)
        };
        check_bones(&character, &settings);
    }
}

#[test]
fn authored_methods_use_the_reference_kernel() {
    let mut parts = builtin("cylinder").into_parts();
    let mesh = &mut parts.meshes[0];
    let count = mesh.vertex_count();
    mesh.authored_method = throng_rig::AuthoredMethod::Blended;
    mesh.set_blend_factors((0..count).map(|v| v as f32 / count as f32).collect())
        .unwrap();
    mesh.share_positions();
    let character = Character::new(parts).unwrap();
    for precision in PRECISIONS {
        let clips = vec![0];
        check_vertices(
            &character,
            &BakeSettings {
                clips,
                ..settings_of(Encoding::Vertex, precision)
            },
        );
    }
}

#[test]
fn morphs_are_in_vertex_sets_and_beside_bones() {
    let character = morphing();
    for encoding in FRAME_ENCODINGS {
        for precision in PRECISIONS {
            let settings = settings_of(encoding, precision);
            check(&character, &settings);
            let set = baked(&character, &settings);
            assert_eq!(set.manifest().morphs.is_some(), !encoding.is_vertex());
            if encoding.is_vertex() {
                continue;
            }
            for time in [0.0, 0.31, 1.0] {
                let weights = decoded_bones(&set, 0, time).morph_weights;
                let off = (weights[0] - 0.25)
                    .abs()
                    .max((weights[1] - 2.0 * time).abs());
                assert!(
                    off <= 2.0 * half_step(precision) + 1e-6,
                    "{weights:?} at {time}"
                );
            }
        }
    }
    // Where no clip moves them, nothing is stored.
    let mut parts = character.into_parts();
    let joints = parts.clips[0].joints().to_vec();
    parts.clips = vec![Clip::new("still".into(), joints, vec![]).unwrap()];
    let set = baked(&Character::new(parts).unwrap(), &BakeSettings::default());
    assert_eq!(
        (set.manifest().morphs.is_none(), set.textures().len()),
        (true, 1)
    );
    assert_eq!(decoded_bones(&set, 0, 0.0).morph_weights, [0.25, 0.0]);
}
