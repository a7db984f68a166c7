use proptest::prelude::*;

use super::*;

/// Bytes of vertices with lanes that change little, much and not at all.
fn vertex_bytes() -> impl Strategy<Value = (usize, Vec<u8>)> {
    let stride = (1_usize..=8).prop_map(|words| 4 * words);
    let stride = prop_oneof![4 => stride, 1 => Just(128_usize)];
    (stride, 1_usize..600, any::<u64>()).prop_map(|(stride, count, seed)| {
        let mut state = seed | 1;
        let mut random = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
            (state >> 33) as u32
        };
        let mut last = vec![0_u8; stride];
        let mut bytes = Vec::new();
        for _ in 0..count {
            for (lane, byte) in last.iter_mut().enumerate() {
                let step = match lane % 4 {
                    0 => random() as u8,
                    1 => (random() % 5) as u8,
                    2 => u8::from(random() % 20 == 0),
                    _ => 0,
                };
                *byte = byte.wrapping_add(step);
            }
            bytes.extend(&last);
        }
        (stride, bytes)
    })
}

/// Triangles of a strip with jumps, repeated vertices and new starts.
fn triangles() -> impl Strategy<Value = Vec<[u32; 3]>> {
    let jump = prop_oneof![8 => 0_u32..4, 1 => 0_u32..70_000];
    prop::collection::vec((jump, 0_usize..3), 0..400).prop_map(|list| {
        let mut next = 0;
        let strip = list.into_iter().enumerate().map(|(i, (jump, rotation))| {
            next = if jump > 1000 { jump } else { next + jump };
            let mut triangle = match i % 37 {
                36 => [0, 1, 2],
                _ => [next, next + 1, next + 2],
            };
            triangle.rotate_left(rotation);
            triangle
        });
        strip.collect()
    })
}

proptest! {
    #[test]
    fn vertices_round_trip((stride, bytes) in vertex_bytes()) {
        let stream = encode_vertices(&bytes, stride).unwrap();
        let back = decode_vertices(&stream, bytes.len() / stride, stride).unwrap();
        prop_assert!(back == bytes);
    }

    #[test]
    fn reference_decoder_reads_our_vertices((stride, bytes) in vertex_bytes()) {
        let stream = encode_vertices(&bytes, stride).unwrap();
        let count = bytes.len() / stride;
        prop_assert!(reference::decode_vertices(&stream, count, stride) == bytes);
    }

    #[test]
    fn reads_vertices_of_the_reference_encoder((stride, bytes) in vertex_bytes()) {
        let count = bytes.len() / stride;
        let stream = reference::encode_vertices(&bytes, stride);
        prop_assert!(decode_vertices(&stream, count, stride).unwrap() == bytes);
        let ours = encode_vertices(&bytes, stride).unwrap();
        prop_assert!(ours.len() <= stream.len(), "{} > {}", ours.len(), stream.len());
    }

    #[test]
    fn canonical_triangles_round_trip(triangles in triangles()) {
        let canonical = canonical_triangles(&triangles);
        let stream = encode_triangles(&canonical);
        prop_assert_eq!(&decode_triangles(&stream, triangles.len()).unwrap(), &canonical);
        for (&found, &expected) in canonical.iter().zip(&triangles) {
            let mut rotations = (0..3).map(|rotation| {
                let mut rotated = expected;
                rotated.rotate_left(rotation);
                rotated
            });
            prop_assert!(rotations.any(|rotated| rotated == found), "{:?} {:?}", found, expected);
        }
    }

    #[test]
    fn triangles_agree_with_the_reference(triangles in triangles()) {
        let ours = encode_triangles(&triangles);
        let decoded = decode_triangles(&ours, triangles.len()).unwrap();
        prop_assert_eq!(&reference::decode_triangles(&ours, triangles.len()), &decoded);
        if !triangles.is_empty() {
            let theirs = reference::encode_triangles(&triangles);
            prop_assert_eq!(&decode_triangles(&theirs, triangles.len()).unwrap(), &decoded);
            prop_assert!(theirs == ours);
        }
    }

    #[test]
    fn indices_round_trip_and_agree_with_the_reference(
        indices in prop::collection::vec(prop_oneof![0_u32..50, 0_u32..(1 << 24)], 1..500)
    ) {
        let stream = encode_indices(&indices);
        prop_assert_eq!(&decode_indices(&stream, indices.len()).unwrap(), &indices);
        prop_assert_eq!(&reference::decode_indices(&stream, indices.len()), &indices);
        let theirs = reference::encode_indices(&indices);
        prop_assert_eq!(&decode_indices(&theirs, indices.len()).unwrap(), &indices);
    }

    #[test]
    fn truncated_streams_are_errors((stride, bytes) in vertex_bytes(), cut in any::<prop::sample::Index>()) {
        let stream = encode_vertices(&bytes, stride).unwrap();
        let short = &stream[..cut.index(stream.len())];
        prop_assert!(decode_vertices(short, bytes.len() / stride, stride).is_err());
        let triangles = [[0, 1, 2], [2, 1, 3], [9, 8, 70_000]];
        let stream = encode_triangles(&triangles);
        prop_assert!(decode_triangles(&stream[..cut.index(stream.len())], 3).is_err());
        let stream = encode_indices(triangles.as_flattened());
        prop_assert!(decode_indices(&stream[..cut.index(stream.len())], 9).is_err());
    }

    #[test]
    fn any_bytes_decode_or_fail(
        mut stream in prop::collection::vec(any::<u8>(), 0..300),
        count in prop_oneof![0_usize..400, Just(usize::MAX), Just(usize::MAX / 4)],
        stride in 0_usize..300,
    ) {
        for header in [0xa0, 0xe1, 0xd1] {
            if let Some(first) = stream.first_mut() {
                *first = header;
            }
            let _ = decode_vertices(&stream, count, stride);
            let _ = decode_triangles(&stream, count);
            let _ = decode_indices(&stream, count);
        }
    }
}

#[test]
fn constant_vertices_take_a_byte_per_64_of_them() {
    let bytes = [7, 7, 7, 7].repeat(64 * 100);
    let stream = encode_vertices(&bytes, 4).unwrap();
    assert_eq!(stream.len(), 1 + 4 * 100 + 32);
}

#[test]
fn rejects_unsupported_strides_and_headers() {
    for stride in [0, 3, 6, 260] {
        assert_eq!(
            encode_vertices(&[0; 260], stride),
            Err(MeshoptError::Stride { stride })
        );
    }
    let mut stream = encode_vertices(&[0; 8], 4).unwrap();
    stream[0] = 0xa1;
    let message = decode_vertices(&stream, 2, 4).unwrap_err().to_string();
    assert_eq!(
        message,
        "expected a meshopt stream that starts with 0xa0, found 0xa1"
    );
}

#[test]
fn rejects_trailing_bytes() {
    let mut stream = encode_triangles(&[[0, 1, 2]]);
    stream.insert(2, 0);
    assert_eq!(
        decode_triangles(&stream, 1),
        Err(MeshoptError::TrailingBytes { bytes: 1 })
    );
}

/// The reference implementation, meshoptimizer.
mod reference {
    use meshopt::{
        decode_index_buffer, decode_index_sequence, decode_vertex_buffer, encode_index_buffer,
        encode_index_sequence, encode_vertex_buffer_level,
    };

    /// Calls a function with vertices of as many words as the stride has.
    macro_rules! by_stride {
        ($stride:expr, $function:ident $arguments:tt; $($words:literal)*) => {
            match $stride / 4 {
                $($words => $function::<$words> $arguments,)*
                words => panic!("{words} words"),
            }
        };
    }

    pub fn encode_vertices(bytes: &[u8], stride: usize) -> Vec<u8> {
        fn encode<const N: usize>(bytes: &[u8]) -> Vec<u8> {
            let vertices = bytes.chunks_exact(4 * N).map(words::<N>);
            let vertices: Vec<[u32; N]> = vertices.collect();
            encode_vertex_buffer_level(&vertices, 0, Some(0)).unwrap()
        }
        by_stride!(stride, encode(bytes); 1 2 3 4 5 6 7 8 32)
    }

    pub fn decode_vertices(stream: &[u8], count: usize, stride: usize) -> Vec<u8> {
        fn decode<const N: usize>(stream: &[u8], count: usize) -> Vec<u8>
        where
            [u32; N]: Default,
        {
            let vertices: Vec<[u32; N]> = decode_vertex_buffer(stream, count).unwrap();
            let words = vertices.as_flattened().iter();
            words.flat_map(|word| word.to_le_bytes()).collect()
        }
        by_stride!(stride, decode(stream, count); 1 2 3 4 5 6 7 8 32)
    }

    fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
        let (words, _) = bytes.as_chunks::<4>();
        std::array::from_fn(|i| u32::from_le_bytes(words[i]))
    }

    pub fn encode_triangles(triangles: &[[u32; 3]]) -> Vec<u8> {
        encode_index_buffer(triangles.as_flattened(), 1 << 24).unwrap()
    }

    pub fn decode_triangles(stream: &[u8], count: usize) -> Vec<[u32; 3]> {
        let indices: Vec<u32> = decode_index_buffer(stream, 3 * count).unwrap();
        indices.as_chunks::<3>().0.to_vec()
    }

    pub fn encode_indices(indices: &[u32]) -> Vec<u8> {
        encode_index_sequence(indices, 1 << 24).unwrap()
    }

    pub fn decode_indices(stream: &[u8], count: usize) -> Vec<u32> {
        decode_index_sequence(stream, count).unwrap()
    }
}
