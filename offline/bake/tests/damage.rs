//! A set that passes its checks decodes without a panic; a damaged one does not pass.

mod common;

use std::sync::LazyLock;

use common::*;
use proptest::prelude::*;
use throng_bake::{BakeSettings, Preset, Rate};
use throng_format::{
    Encoding, FrameInterpolation, Layout, Manifest, Metadata, Pages, Precision, SetError, Storage,
    TexelFormat, Texture, TextureSet,
};

/// One set of every kind, baked once for all tests.
static SETS: LazyLock<Vec<TextureSet>> = LazyLock::new(|| {
    let character = builtin("bar");
    let mut sets = Vec::new();
    let few = BakeSettings {
        clips: vec![0],
        rate: Rate::Hz(6.0),
        ..BakeSettings::default()
    };
    for encoding in FRAME_ENCODINGS {
        for (precision, metadata) in [
            (Precision::Unorm8, Metadata::Column),
            (Precision::F16, Metadata::Manifest),
        ] {
            sets.push(baked(
                &character,
                &BakeSettings {
                    encoding,
                    storage: precision.into(),
                    metadata,
                    ..few.clone()
                },
            ));
        }
    }
    for preset in [
        Preset::P0Vertex8,
        Preset::P0Matrix8,
        Preset::P0Dq8,
        Preset::P3VirtualBones,
    ] {
        sets.push(baked(
            &character,
            &BakeSettings {
                preset: Some(preset),
                ..few.clone()
            },
        ));
    }
    sets
});

fn rebuilt(
    set: &TextureSet,
    change: impl FnOnce(&mut Manifest, &mut Vec<Texture>),
) -> Result<TextureSet, SetError> {
    let (mut manifest, mut textures) = (set.manifest().clone(), set.textures().to_vec());
    change(&mut manifest, &mut textures);
    TextureSet::new(manifest, textures, set.mesh().clone())
}

/// Pages of P0: each damage is found, and decoding never leaves a texture.
#[test]
fn damaged_pages_are_found() {
    type Damage = fn(&mut Manifest, &mut Vec<Texture>);
    let damages: [(&str, Damage); 8] = [
        ("layout", |m, _| pages(m).frame_starts.clear()),
        ("layout", |m, _| pages(m).frame_starts[0] = 1),
        ("layout", |m, _| pages(m).item_starts.clear()),
        ("layout", |m, _| pages(m).item_starts[0] = 1),
        ("layout", |m, _| pages(m).item_starts.push(u32::MAX)),
        ("layout", |m, _| pages(m).rows += 1),
        ("layout", |m, _| pages(m).rows = 0),
        ("metadata", |_, t| t[0].bytes_mut()[0] ^= 1),
    ];
    let sets = SETS.iter();
    for set in sets.filter(|set| set.manifest().metadata == Metadata::P0Column) {
        for (index, (place, damage)) in damages.iter().enumerate() {
            let error = rebuilt(set, damage).expect_err(&format!("damage {index}"));
            assert!(error.location.starts_with(place), "{index}: {error}");
        }
    }
    let dual = SETS.iter().find(|set| {
        !set.manifest().skins[0]
            .inverse_bind_dual_quaternions
            .is_empty()
    });
    let dual = dual.expect("a set of P0's dual quaternions");
    let error = rebuilt(dual, |m, _| {
        m.skins[0].inverse_bind_dual_quaternions.truncate(1);
    });
    assert!(error.unwrap_err().location.starts_with("skins"));
}

fn pages(manifest: &mut Manifest) -> &mut Pages {
    grid(manifest).pages.as_mut().expect("a set of P0")
}

fn decode_somewhere(set: &TextureSet) {
    for time in [-1.0, 0.0, 0.37, 1e30, f64::NAN] {
        match &set.manifest().layout {
            Layout::Vertices(_) => drop(decoded_vertices(set, 0, time)),
            _ => drop(decoded_bones(set, 0, time)),
        }
    }
}

#[test]
fn damage_is_found_and_named() {
    for set in SETS.iter() {
        type Damage = fn(&mut Manifest, &mut Vec<Texture>);
        let damages: &[(&str, Damage)] = &[
            ("format", |m, _| m.format = "other".into()),
            ("version", |m, _| m.version += 1),
            ("clips", |m, _| m.clips.clear()),
            ("clips", |m, _| m.clips[0].frames += 1),
            ("clips", |m, _| m.clips[0].first_frame = 1),
            ("clips", |m, _| m.clips[0].frames = 0),
            ("clips", |m, _| m.clips[0].rate_hz = f64::NAN),
            ("clips", |m, _| m.clips[0].duration_secs = -1.0),
            ("clips", |m, _| m.clips[0].bounds.min[0] = f64::INFINITY),
            ("bounds", |m, _| m.bounds.max[1] = f64::NAN),
            ("joints", |m, _| m.joints[1].parent = Some(5)),
            ("joints", |m, _| drop(m.joints.pop())),
            ("skins", |m, _| m.skins[0].joints[0] = 99),
            ("parts", |m, _| m.parts[0].positions += 1),
            ("parts", |m, _| m.parts[0].first_normal = 1),
            ("parts", |m, _| m.parts[0].skin = 7),
            ("axes", |m, _| m.axes.metres_per_unit = 0.0),
            ("textures", |_, t| drop(t.pop())),
            ("textures", |m, _| m.textures[0].width += 1),
            ("", |m, t| {
                // Too few rows for the frames, and consistently so.
                let [width, _, _] = t[0].size();
                t[0] = Texture::zeroed(t[0].format(), [width, 2, 1]).unwrap();
                (m.textures[0].height, m.textures[0].layers) = (2, 1);
            }),
            ("", |m, t| {
                let size = t[0].size();
                t[0] = Texture::zeroed(TexelFormat::R32Uint, size).unwrap();
                m.textures[0].texels = TexelFormat::R32Uint;
            }),
            ("layout", |m, _| grid(m).texture = 9),
            ("layout", |m, _| grid(m).first_row += 1000),
            ("layout", |m, _| grid(m).columns = 0),
            ("layout", |m, _| grid(m).items = u32::MAX),
            ("layout", |m, _| grid(m).clip_starts[0] += 1),
            ("layout", |m, _| grid(m).clip_starts.clear()),
            ("interpolation", |m, _| {
                m.interpolation = match m.interpolation {
                    FrameInterpolation::Linear => FrameInterpolation::Nlerp,
                    _ => FrameInterpolation::Linear,
                }
            }),
        ];
        for (index, (place, damage)) in damages.iter().enumerate() {
            if *place == "interpolation" && set.manifest().encoding.name() == "virtual-bones" {
                continue; // supports both
            }
            match rebuilt(set, damage) {
                Ok(_) => panic!(
                    "damage {index} at '{place}' of {} passed",
                    set.manifest().encoding
                ),
                Err(error) => assert!(error.location.contains(place), "{place}: {error}"),
            }
        }
        if set.manifest().metadata == Metadata::Column {
            let error = rebuilt(set, |_, textures| {
                let width = textures[0].size()[0] as usize;
                let at = 3 * width * textures[0].format().texel_bytes();
                textures[0].bytes_mut()[at] ^= 1;
            });
            assert!(error.unwrap_err().location.contains("metadata"));
        }
        if let Layout::Bones(_) = &set.manifest().layout {
            let damages: &[fn(&mut throng_format::BoneLayout)] = &[
                |l| l.bones[0].joint = 999,
                |l| l.bones[0].joint = l.bones[1].joint + 1,
                |l| l.bones[1].first_value = u32::MAX,
                |l| l.bones[0].scale = f64::NAN,
                |l| l.bones.clear(),
                |l| match l.ranges.first_mut() {
                    Some(range) => drop(range.center.pop()),
                    None => l.ranges.push(throng_format::Range::default()),
                },
                |l| l.scale_range = Some(throng_format::Range::default()),
                |l| match &mut l.weights {
                    Some(weights) => weights.side += 1,
                    None => {
                        l.weights = Some(throng_format::WeightLayout {
                            texture: 0,
                            side: 1,
                        });
                    }
                },
            ];
            for (index, damage) in damages.iter().enumerate() {
                let result = rebuilt(set, |manifest, _| match &mut manifest.layout {
                    Layout::Bones(layout) => damage(layout),
                    _ => unreachable!(),
                });
                assert!(result.is_err(), "bone damage {index} passed");
            }
        }
    }
}

/// Follows the path into a value and changes the number at its end.
fn change_a_number(json: &mut serde_json::Value, path: &[u16], value: i64) {
    if json.is_number() {
        *json = value.into();
        return;
    }
    let Some((step, path)) = path.split_first() else {
        return;
    };
    let step = usize::from(*step);
    if let Some(map) = json.as_object_mut()
        && !map.is_empty()
    {
        let index = step % map.len();
        change_a_number(map.iter_mut().nth(index).unwrap().1, path, value);
    } else if let Some(list) = json.as_array_mut()
        && !list.is_empty()
    {
        let index = step % list.len();
        change_a_number(&mut list[index], path, value);
    }
}

fn grid(manifest: &mut Manifest) -> &mut throng_format::Grid {
    match &mut manifest.layout {
        Layout::Bones(layout) => &mut layout.grid,
        Layout::Vertices(layout) => &mut layout.positions,
        _ => unreachable!(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testkit::cases(200)))]

    /// Any texels decode, and any number in a manifest is refused or harmless.
    #[test]
    fn no_set_that_passes_its_checks_panics(which in 0usize..16, seed in any::<u64>(), path in prop::collection::vec(any::<u16>(), 1..8), value in prop::sample::select(vec![0i64, 1, 2, 3, 255, 4_294_967_295])) {
        let set = &SETS[which % SETS.len()];
        // Noise in all texels but the metadata column, which is compared with the manifest.
        let noisy = rebuilt(set, |_, textures| {
            let mut state = seed | 1;
            for texture in textures {
                let stride = texture.size()[0] as usize * texture.format().texel_bytes();
                let skip = texture.format().texel_bytes();
                for (at, byte) in texture.bytes_mut().iter_mut().enumerate() {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    if at % stride >= skip {
                        *byte = (state >> 56) as u8;
                    }
                }
            }
        });
        decode_somewhere(&noisy.unwrap());

        // Changes one number somewhere in the manifest.
        let mut json = serde_json::to_value(set.manifest()).unwrap();
        change_a_number(&mut json, &path, value);
        if let Ok(manifest) = serde_json::from_value::<Manifest>(json)
            && let Ok(set) = TextureSet::new(manifest, set.textures().to_vec(), set.mesh().clone())
        {
            decode_somewhere(&set);
        }
    }
}

/// Numbers of curves and segments whose product overflows, or whose segments take no words, are refused.
#[test]
fn rejects_clip_records_with_huge_numbers() {
    let settings = BakeSettings {
        encoding: Encoding::BoneLocal,
        storage: Storage::Compressed,
        clips: vec![0],
        ..BakeSettings::default()
    };
    let set = baked(&builtin("bar"), &settings);
    let Layout::JointCurves(layout) = &set.manifest().layout else {
        panic!("bone-local has joint curves");
    };
    // Words of a clip record: number of segments, number of present curves.
    let [segments, present] = [1, 4].map(|word| 4 * (layout.clip_table as usize + word));
    for (at, value) in [
        (vec![segments], u32::MAX),
        (vec![present], u32::MAX),
        (vec![segments, present], u32::MAX),
    ] {
        let changed = rebuilt(&set, |_, textures| {
            for at in at {
                textures[0].bytes_mut()[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
        });
        let error = changed.expect_err("a damaged record").to_string();
        assert!(error.contains("compressed curves, clip"), "{error}");
    }
}
