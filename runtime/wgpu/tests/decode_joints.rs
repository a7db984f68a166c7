//! `bone-local` on the GPU equals its decoder on the CPU.

mod common;
#[path = "common/gpu.rs"]
mod device;

use std::sync::LazyLock;

use common::{ClipShape, CompressedCurves, Parents, Random, Shape, texture};
use glam::Affine3A;
use throng_bake::{BakeSettings, bake};
use throng_format::decode::joint_curves::model_from_joints;
use throng_format::{Encoding, JointCurveLayout, Layout, Source, Storage, TexelFormat, Texture};
use throng_wgpu::{ClipTime, Gpu, GpuError, GpuLimits, JointDecoder};

/// The device, or `None` if there is no adapter.
fn gpu() -> Option<&'static Gpu> {
    static GPU: LazyLock<Option<Gpu>> =
        LazyLock::new(|| device::open(wgpu::Backends::PRIMARY, GpuLimits::Adapter));
    GPU.as_ref()
}

/// Relative to the extent of the pose. Both sides compute in float32, but multiply up the chain of parents in another
/// order.
const TOLERANCE: f32 = 1e-5;

fn clips() -> Vec<ClipShape> {
    [(4, 2.0), (1, 0.5), (5, 1.7), (1, 0.0), (8, 4.0)]
        .map(|(segments, duration_secs)| ClipShape {
            segments,
            duration_secs,
        })
        .to_vec()
}

fn shape(seed: u64) -> Shape {
    Shape {
        seed,
        joints: 40,
        clips: clips(),
        parents: Parents::Mixed { chain: 0.5 },
        curves: [0.8, 0.4, 0.4],
        has_scale: seed.is_multiple_of(2),
        max_degree: 3,
        max_spans: 64,
        sides: [61, 47],
    }
}

/// Random times of each clip, both ends, and times outside.
fn random_times(curves: &CompressedCurves, seed: u64) -> Vec<ClipTime> {
    let mut random = Random(seed);
    let mut times = Vec::new();
    for (clip, shape) in (0..).zip(&curves.clips) {
        for _ in 0..8 {
            times.push(ClipTime {
                clip,
                time_secs: shape.duration_secs * random.unit(),
            });
        }
        for time_secs in [-1.0, 0.0, shape.duration_secs, shape.duration_secs + 3.0] {
            times.push(ClipTime { clip, time_secs });
        }
    }
    times
}

fn decoder(gpu: &Gpu, curves: &CompressedCurves) -> JointDecoder {
    let clips = curves.clips.len() as u32;
    JointDecoder::new(gpu, &curves.texture, &curves.layout, clips).unwrap()
}

/// Largest difference between matrix elements of two poses, relative to the extent of the expected pose.
fn difference(actual: &[Affine3A], expected: &[Affine3A]) -> f32 {
    assert_eq!(actual.len(), expected.len());
    let numbers = |pose: &[Affine3A]| pose.iter().flat_map(Affine3A::to_cols_array).collect();
    let (actual, expected): (Vec<f32>, Vec<f32>) = (numbers(actual), numbers(expected));
    let extent = expected
        .iter()
        .fold(0f32, |largest, v| largest.max(v.abs()));
    let differences = actual.iter().zip(&expected).map(|(a, b)| (a - b).abs());
    // NaN counts as the largest.
    differences.fold(0f32, |largest, v| {
        if v > largest || v.is_nan() {
            v
        } else {
            largest
        }
    }) / extent
}

/// Decodes all times on both sides and returns the largest difference.
fn largest_difference(gpu: &Gpu, curves: &CompressedCurves, times: &[ClipTime]) -> f32 {
    let poses = decoder(gpu, curves).decode(times).unwrap();
    assert_eq!(poses.len(), times.len());
    let mut largest = 0f32;
    for (time, pose) in times.iter().zip(&poses) {
        let expected =
            model_from_joints(&curves.texture, &curves.layout, time.clip, time.time_secs);
        let error = difference(pose, &expected);
        assert!(error <= TOLERANCE, "{time:?}: {error:e}");
        largest = largest.max(error);
    }
    largest
}

#[test]
fn baked_characters_match_cpu_decoding() {
    let Some(gpu) = gpu() else { return };
    for name in ["humanoid:1000", "bar", "cylinder", "graph:40"] {
        let character = throng_import::builtin::builtin(name).unwrap();
        let settings = BakeSettings {
            encoding: Encoding::BoneLocal,
            storage: Storage::Compressed,
            ..BakeSettings::default()
        };
        let source = Source::in_memory(format!("builtin:{name}"));
        let set = bake(&character, &settings, &source, &()).unwrap().set;
        let Layout::JointCurves(layout) = &set.manifest().layout else {
            panic!("bone-local has joint curves");
        };
        let clips = set.manifest().clips.iter().map(|clip| ClipShape {
            segments: 0,
            duration_secs: clip.duration_secs as f32,
        });
        let curves = CompressedCurves {
            texture: set.textures()[layout.texture].clone(),
            layout: layout.clone(),
            clips: clips.collect(),
        };
        let largest = largest_difference(gpu, &curves, &random_times(&curves, 7));
        println!("{name}: {largest:e} of the extent");
    }
}

#[test]
fn random_curves_match_cpu_decoding() {
    let Some(gpu) = gpu() else { return };
    println!("on {}", gpu.name());
    let mut largest = 0f32;
    for seed in 0..16 {
        let curves = CompressedCurves::random(&shape(seed));
        assert!(curves.layout.curves > 0 && curves.texture.size()[2] > 1);
        largest = largest.max(largest_difference(
            gpu,
            &curves,
            &random_times(&curves, seed),
        ));
    }
    println!("largest difference: {largest:e} of the extent");
}

/// More joints than a workgroup has threads, and many blocks of curves.
#[test]
fn long_chains_and_many_blocks_match_cpu_decoding() {
    let Some(gpu) = gpu() else { return };
    for (seed, chain) in [(100, 1.0), (101, 0.9), (102, 0.0)] {
        let curves = CompressedCurves::random(&Shape {
            joints: 300,
            parents: Parents::Mixed { chain },
            max_spans: 8,
            clips: clips()[..2].to_vec(),
            sides: [256, 31],
            has_scale: false,
            ..shape(seed)
        });
        assert!(curves.layout.curves > 4 * 64);
        let largest = largest_difference(gpu, &curves, &random_times(&curves, seed));
        println!("chain {chain}: {largest:e}");
    }
}

/// Random segments are not continuous, so that the wrong one gives a large error. Times that are exact in binary fall into
/// the same segment on every device.
#[test]
fn segment_boundaries_belong_to_the_same_segment_as_on_the_cpu() {
    let Some(gpu) = gpu() else { return };
    for seed in 200..204 {
        let curves = CompressedCurves::random(&Shape {
            clips: vec![ClipShape {
                segments: 8,
                duration_secs: 4.0,
            }],
            ..shape(seed)
        });
        let times: Vec<_> = (0..=8)
            .flat_map(|boundary| {
                let time_secs = boundary as f32 * 0.5;
                [time_secs.next_down(), time_secs, time_secs.next_up()]
            })
            .map(|time_secs| ClipTime { clip: 0, time_secs })
            .collect();
        largest_difference(gpu, &curves, &times);
    }
}

/// Curves of degree 0 without rotation involve no rounding: results are equal to the bit, for all bit widths and offsets.
#[test]
fn translations_of_degree_0_are_bit_exact() {
    let Some(gpu) = gpu() else { return };
    for seed in 300..308 {
        let curves = CompressedCurves::random(&Shape {
            joints: 100,
            parents: Parents::None,
            curves: [0.0, 1.0, 0.0],
            max_degree: 0,
            has_scale: false,
            sides: [7, 1000],
            ..shape(seed)
        });
        let times = random_times(&curves, seed);
        for (time, pose) in times
            .iter()
            .zip(decoder(gpu, &curves).decode(&times).unwrap())
        {
            let expected =
                model_from_joints(&curves.texture, &curves.layout, time.clip, time.time_secs);
            for (joint, (actual, expected)) in pose.iter().zip(&expected).enumerate() {
                let bits = |a: &Affine3A| a.translation.to_array().map(f32::to_bits);
                assert_eq!(bits(actual), bits(expected), "joint {joint} at {time:?}");
            }
        }
    }
}

/// More instances than one dispatch supports.
#[test]
fn instances_are_decoded_in_batches() {
    let Some(gpu) = gpu() else { return };
    let curves = CompressedCurves::random(&Shape {
        joints: 3,
        max_spans: 4,
        ..shape(400)
    });
    let times: Vec<_> = (0..70_000)
        .map(|instance| ClipTime {
            clip: 0,
            time_secs: instance as f32 * 2.0 / 70_000.0,
        })
        .collect();
    largest_difference(gpu, &curves, &times);
}

#[test]
fn accepts_no_times_and_no_joints() {
    let Some(gpu) = gpu() else { return };
    let curves = CompressedCurves::random(&shape(500));
    assert!(decoder(gpu, &curves).decode(&[]).unwrap().is_empty());
    let layout = JointCurveLayout {
        bones: Vec::new(),
        ..curves.layout
    };
    let decoder = JointDecoder::new(gpu, &curves.texture, &layout, 1).unwrap();
    let time = ClipTime {
        clip: 0,
        time_secs: 0.0,
    };
    assert_eq!(decoder.decode(&[time]).unwrap(), [Vec::new()]);
}

/// Cyclic parents, and spans and clips out of range: the result is undefined, but decoding terminates.
#[test]
fn decoding_of_random_words_terminates() {
    let Some(gpu) = gpu() else { return };
    let mut random = Random(600);
    let words = (0..4096).map(|_| random.word()).collect();
    let layout = JointCurveLayout {
        texture: 0,
        bones: (0..300).collect(),
        clip_table: 0,
        joint_table: 40,
        record_words: 12,
        curves: 500,
    };
    let decoder = JointDecoder::new(gpu, &texture(words, [64, 32]), &layout, 10).unwrap();
    let times: Vec<_> = (0..10)
        .map(|clip| ClipTime {
            clip,
            time_secs: 0.5,
        })
        .collect();
    assert_eq!(decoder.decode(&times).unwrap().len(), 10);
}

#[test]
fn rejects_invalid_textures_layouts_and_clips() {
    let Some(gpu) = gpu() else { return };
    let curves = CompressedCurves::random(&shape(700));
    let new = |texture: &Texture, layout: &JointCurveLayout, clips| {
        JointDecoder::new(gpu, texture, layout, clips)
    };
    let floats = Texture::zeroed(TexelFormat::Rgba32Float, [64, 64, 4]).unwrap();
    let error = new(&floats, &curves.layout, 1).unwrap_err();
    assert!(matches!(error, GpuError::WrongTexels(_)), "{error}");

    let wide = Texture::zeroed(TexelFormat::R32Uint, [1 << 20, 1, 1]).unwrap();
    let error = new(&wide, &curves.layout, 1).unwrap_err();
    assert!(matches!(error, GpuError::TextureTooLarge { .. }), "{error}");

    let layout = JointCurveLayout {
        joint_table: u32::MAX,
        ..curves.layout.clone()
    };
    let error = new(&curves.texture, &layout, 1).unwrap_err();
    assert!(matches!(error, GpuError::TableOutside { .. }), "{error}");

    let layout = JointCurveLayout {
        record_words: 9,
        ..curves.layout.clone()
    };
    let error = new(&curves.texture, &layout, 1).unwrap_err();
    assert!(matches!(error, GpuError::RecordWords(9)), "{error}");

    let time = ClipTime {
        clip: 5,
        time_secs: 0.0,
    };
    let error = decoder(gpu, &curves).decode(&[time]).unwrap_err();
    assert!(
        matches!(
            error,
            GpuError::NoSuchClip {
                clip: 5,
                clips: 5,
                ..
            }
        ),
        "{error}"
    );
}

/// Tests the comparison itself.
#[test]
fn difference_detects_a_moved_joint_and_nan() {
    let curves = CompressedCurves::random(&shape(800));
    let pose = model_from_joints(&curves.texture, &curves.layout, 0, 1.0);
    let mut moved = pose.clone();
    assert_eq!(difference(&moved, &pose), 0.0);
    moved[7].translation.y += 1e-3;
    assert!(difference(&moved, &pose) > TOLERANCE);
    moved[7].translation.y = f32::NAN;
    assert!(difference(&moved, &pose).is_nan());
}
