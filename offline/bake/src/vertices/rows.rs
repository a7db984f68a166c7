//! Writes frames on all cores: every frame has rows of its own.

use rayon::prelude::*;
use throng_format::{FrameOrder, Grid, Texture};
use throng_simd::{F32x8, Level, Task};
use throng_skin::fast::BATCH;

use super::texels::VertexCode;
use crate::atlas::Atlas;
use crate::measured::Measured;
use crate::plan::FrameTime;
use crate::sampler::{Counter, Scratch, VertexPiece, VertexSampler};

/// Most frames that a core takes at a time: few, so that all cores finish together.
const CHUNK_FRAMES: usize = 8;

/// Texel indices of the position and the normal of each vertex of a batch, within their frame.
type TexelIndices = [[u32; BATCH]; 2];

/// Writes all frames and returns their bounding boxes.
pub(super) fn write_rows(
    sampler: &VertexSampler<'_>,
    frames: &[FrameTime],
    code: &VertexCode,
    [positions, normals]: [&mut Atlas; 2],
    done: &Counter<'_>,
) -> Vec<Measured> {
    let texel_indices = texel_indices(sampler, [positions, normals]);
    let one = |scratch: &mut Scratch,
               ((frame, positions), normals): ((&FrameTime, &mut [u8]), &mut [u8])| {
        let mut measured = Measured::EMPTY;
        sampler.sample_pieces(frame.clip, frame.time_secs, scratch, |piece| {
            Level::detect().run(WritePiece {
                piece,
                texel_indices: &texel_indices[piece.first_batch..][..piece.len()],
                code,
                positions,
                normals,
                measured: &mut measured,
            });
        });
        done.step();
        measured
    };
    frames
        .par_iter()
        .zip(frames_mut(&positions.grid, &mut positions.texture))
        .zip(frames_mut(&normals.grid, &mut normals.texture))
        .with_max_len(CHUNK_FRAMES)
        .map_init(|| sampler.scratch(), one)
        .collect()
}

struct WritePiece<'a> {
    piece: &'a VertexPiece<'a>,
    texel_indices: &'a [TexelIndices],
    code: &'a VertexCode,
    positions: &'a mut [u8],
    normals: &'a mut [u8],
    measured: &'a mut Measured,
}

impl Task for WritePiece<'_> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        for (index, [positions, normals]) in self.texel_indices.iter().enumerate() {
            let batch = self.piece.batch(index);
            self.measured.add::<V>(&batch);
            self.code
                .write_offsets::<V>(&batch, positions, self.positions);
            self.code.write_normals::<V>(&batch, normals, self.normals);
        }
    }
}

/// Returns the texel indices of each batch.
fn texel_indices(
    sampler: &VertexSampler<'_>,
    [positions, normals]: [&Atlas; 2],
) -> Vec<TexelIndices> {
    let position_texels = texels_of_items(&positions.grid, &positions.texture);
    let normal_texels = texels_of_items(&normals.grid, &normals.texture);
    let of_batch = |[positions, normals]: [&[u32; BATCH]; 2]| {
        [
            positions.map(|item| position_texels[item as usize]),
            normals.map(|item| normal_texels[item as usize]),
        ]
    };
    sampler.batch_items().map(of_batch).collect()
}

/// Returns the texel index of each item within its frame.
fn texels_of_items(grid: &Grid, texture: &Texture) -> Vec<u32> {
    debug_assert_eq!(grid.order, FrameOrder::Rows);
    let width = texture.size()[0];
    let first = grid.texel(width, 0, 0) - grid.first_column as usize;
    (0..grid.items)
        .map(|item| (grid.texel(width, 0, item) - first) as u32)
        .collect()
}

/// Returns the bytes of each frame.
fn frames_mut<'t>(grid: &Grid, texture: &'t mut Texture) -> rayon::slice::ChunksExactMut<'t, u8> {
    let row = texture.size()[0] as usize * texture.format().texel_bytes();
    let before = grid.first_row as usize * row;
    texture.bytes_mut()[before..].par_chunks_exact_mut(grid.rows_per_frame as usize * row)
}
