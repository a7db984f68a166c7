//! `bone-local` on the GPU equals its decoder on the CPU.

mod common;

use common::{ClipShape, GPU, Parents, Random, Shape, Stream, texture};
use glam::Affine3A;
use throng_bake::{BakeSettings, bake};
use throng_format::decode::joint_curves::model_from_joints;
use throng_format::{Encoding, JointCurveLayout, Layout, Source, Storage, TexelFormat, Texture};
use throng_wgpu::{ClipTime, GpuError, JointDecoder};

/// Of the pose's extent. Both sides compute in float32, in another order up the chain of parents.
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

/// Times all over each clip and beyond both ends.
fn anywhere(stream: &Stream, seed: u64) -> Vec<ClipTime> {
    let mut random = Random(seed);
    let mut times = Vec::new();
    for (clip, shape) in (0..).zip(&stream.clips) {
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

fn decoder(stream: &Stream) -> JointDecoder {
    let clips = stream.clips.len() as u32;
    JointDecoder::new(&GPU, &stream.texture, &stream.layout, clips).unwrap()
}

/// Largest distance between numbers of two poses, as a part of the expected pose's extent.
fn difference(actual: &[Affine3A], expected: &[Affine3A]) -> f32 {
    assert_eq!(actual.len(), expected.len());
    let numbers = |pose: &[Affine3A]| pose.iter().flat_map(Affine3A::to_cols_array).collect();
    let (actual, expected): (Vec<f32>, Vec<f32>) = (numbers(actual), numbers(expected));
    let extent = expected.iter().fold(0f32, |most, v| most.max(v.abs()));
    let off = actual.iter().zip(&expected).map(|(a, b)| (a - b).abs());
    // A NaN must not pass for a small number.
    off.fold(
        0f32,
        |most, v| if v > most || v.is_nan() { v } else { most },
    ) / extent
}

/// The largest difference over all times. For streams by hand and, one day, for real bakes.
fn largest_difference(stream: &Stream, times: &[ClipTime]) -> f32 {
    let poses = decoder(stream).decode(times).unwrap();
    assert_eq!(poses.len(), times.len());
    let mut largest = 0f32;
    for (time, pose) in times.iter().zip(&poses) {
        let expected =
            model_from_joints(&stream.texture, &stream.layout, time.clip, time.time_secs);
        let off = difference(pose, &expected);
        assert!(off <= TOLERANCE, "{time:?}: {off:e}");
        largest = largest.max(off);
    }
    largest
}

/// What the baker makes, at times all over every clip.
#[test]
fn baked_characters_decode_as_on_the_cpu() {
    for name in ["humanoid:1000", "bar", "cylinder", "graph:40"] {
        let character = throng_import::builtin::builtin(name).unwrap();
        let settings = BakeSettings {
            encoding: Encoding::BoneLocal,
            storage: Storage::Compressed,
            ..BakeSettings::default()
        };
        let source = Source {
            path: format!("builtin:{name}"),
            digest: String::new(),
            settings: String::new(),
            max_influences: None,
            min_weight: 0.0,
            shared_positions: true,
        };
        let set = bake(&character, &settings, &source, &()).unwrap().set;
        let Layout::JointCurves(layout) = &set.manifest().layout else {
            panic!("bone-local is joint tracks");
        };
        let clips = set.manifest().clips.iter().map(|clip| ClipShape {
            segments: 0,
            duration_secs: clip.duration_secs as f32,
        });
        let stream = Stream {
            texture: set.textures()[layout.texture].clone(),
            layout: layout.clone(),
            clips: clips.collect(),
        };
        let largest = largest_difference(&stream, &anywhere(&stream, 7));
        println!("{name}: {largest:e} of the extent");
    }
}

#[test]
fn random_streams_decode_as_on_the_cpu() {
    println!("on {}", GPU.name());
    let mut largest = 0f32;
    for seed in 0..16 {
        let stream = Stream::random(&shape(seed));
        assert!(stream.layout.curves > 0 && stream.texture.size()[2] > 1);
        largest = largest.max(largest_difference(&stream, &anywhere(&stream, seed)));
    }
    println!("largest difference: {largest:e} of the extent");
}

/// Hundreds of joints, hundreds of tracks: many blocks, and more joints than a workgroup has threads.
#[test]
fn long_chains_and_many_blocks() {
    for (seed, chain) in [(100, 1.0), (101, 0.9), (102, 0.0)] {
        let stream = Stream::random(&Shape {
            joints: 300,
            parents: Parents::Mixed { chain },
            max_spans: 8,
            clips: clips()[..2].to_vec(),
            sides: [256, 31],
            has_scale: false,
            ..shape(seed)
        });
        assert!(stream.layout.curves > 4 * 64);
        let largest = largest_difference(&stream, &anywhere(&stream, seed));
        println!("chain {chain}: {largest:e}");
    }
}

/// Segments do not join smoothly in a random stream, so that the wrong one is far off. Times that are
/// exact in binary fall into the same segment on every device.
#[test]
fn boundaries_belong_to_the_same_segment() {
    for seed in 200..204 {
        let stream = Stream::random(&Shape {
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
        largest_difference(&stream, &times);
    }
}

/// Steps without rotation have nothing to round: all widths and places of bits, to the bit.
#[test]
fn bits_are_read_exactly() {
    for seed in 300..308 {
        let stream = Stream::random(&Shape {
            joints: 100,
            parents: Parents::None,
            curves: [0.0, 1.0, 0.0],
            max_degree: 0,
            has_scale: false,
            sides: [7, 1000],
            ..shape(seed)
        });
        let times = anywhere(&stream, seed);
        for (time, pose) in times.iter().zip(decoder(&stream).decode(&times).unwrap()) {
            let expected =
                model_from_joints(&stream.texture, &stream.layout, time.clip, time.time_secs);
            for (joint, (actual, expected)) in pose.iter().zip(&expected).enumerate() {
                let bits = |a: &Affine3A| a.translation.to_array().map(f32::to_bits);
                assert_eq!(bits(actual), bits(expected), "joint {joint} at {time:?}");
            }
        }
    }
}

/// More than a dispatch takes.
#[test]
fn instances_go_in_batches() {
    let stream = Stream::random(&Shape {
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
    largest_difference(&stream, &times);
}

#[test]
fn nothing_to_do_is_no_fault() {
    let stream = Stream::random(&shape(500));
    assert!(decoder(&stream).decode(&[]).unwrap().is_empty());
    let layout = JointCurveLayout {
        bones: Vec::new(),
        ..stream.layout
    };
    let decoder = JointDecoder::new(&GPU, &stream.texture, &layout, 1).unwrap();
    let time = ClipTime {
        clip: 0,
        time_secs: 0.0,
    };
    assert_eq!(decoder.decode(&[time]).unwrap(), [Vec::new()]);
}

/// Parents in a circle, spans and clips from nowhere: nonsense comes out, but it does come out.
#[test]
fn noise_ends() {
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
    let decoder = JointDecoder::new(&GPU, &texture(words, [64, 32]), &layout, 10).unwrap();
    let times: Vec<_> = (0..10)
        .map(|clip| ClipTime {
            clip,
            time_secs: 0.5,
        })
        .collect();
    assert_eq!(decoder.decode(&times).unwrap().len(), 10);
}

#[test]
fn refuses_what_does_not_fit() {
    let stream = Stream::random(&shape(700));
    let new = |texture: &Texture, layout: &JointCurveLayout, clips| {
        JointDecoder::new(&GPU, texture, layout, clips)
    };
    let floats = Texture::zeroed(TexelFormat::Rgba32Float, [64, 64, 4]).unwrap();
    let error = new(&floats, &stream.layout, 1).unwrap_err();
    assert!(matches!(error, GpuError::WrongTexels(_)), "{error}");

    let wide = Texture::zeroed(TexelFormat::R32Uint, [1 << 20, 1, 1]).unwrap();
    let error = new(&wide, &stream.layout, 1).unwrap_err();
    assert!(matches!(error, GpuError::TextureTooLarge { .. }), "{error}");

    let layout = JointCurveLayout {
        joint_table: u32::MAX,
        ..stream.layout.clone()
    };
    let error = new(&stream.texture, &layout, 1).unwrap_err();
    assert!(matches!(error, GpuError::TableOutside { .. }), "{error}");

    let layout = JointCurveLayout {
        record_words: 9,
        ..stream.layout.clone()
    };
    let error = new(&stream.texture, &layout, 1).unwrap_err();
    assert!(matches!(error, GpuError::RecordWords(9)), "{error}");

    let time = ClipTime {
        clip: 5,
        time_secs: 0.0,
    };
    let error = decoder(&stream).decode(&[time]).unwrap_err();
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

/// The comparer sees one number moved.
#[test]
fn a_moved_joint_is_a_difference() {
    let stream = Stream::random(&shape(800));
    let pose = model_from_joints(&stream.texture, &stream.layout, 0, 1.0);
    let mut moved = pose.clone();
    assert_eq!(difference(&moved, &pose), 0.0);
    moved[7].translation.y += 1e-3;
    assert!(difference(&moved, &pose) > TOLERANCE);
    moved[7].translation.y = f32::NAN;
    assert!(difference(&moved, &pose).is_nan());
}
