//! Textures of compressed curves, as shaders read them.

use throng_format::curves::{ClipRecord, CurveHeader, REFERENCE_BITS, Words, header_word};
use throng_format::{Layout, TextureSet};
use throng_shaders::CurveTexture;

/// Returns the properties of the texture of a set of compressed curves, and appends the records of its clips to the tables.
/// `None` for sets of frames.
pub(crate) fn curve_texture(set: &TextureSet, tables: &mut Vec<[u32; 4]>) -> Option<CurveTexture> {
    let (texture, clip_table, curves) = match &set.manifest().layout {
        Layout::JointCurves(layout) => (layout.texture, layout.clip_table, layout.curves),
        Layout::VertexCurves(layout) => {
            let curves = layout.positions + layout.normals;
            (layout.texture, layout.clip_table, curves)
        }
        Layout::Bones(_) | Layout::Vertices(_) => return None,
    };
    let texture = &set.textures()[texture];
    let words = Words::of(texture);
    let clip_records = tables.len() as u32;
    let mut max_key_bits = REFERENCE_BITS;
    for clip in 0..set.manifest().clips.len() as u32 {
        let record = ClipRecord::read(words, clip_table, clip);
        let [
            first_word,
            segments,
            segments_per_sec,
            duration_secs,
            present,
        ] = record.pack();
        tables.extend([
            [first_word, segments, segments_per_sec, duration_secs],
            [present, 0, 0, 0],
        ]);
        for segment in 0..record.segments {
            let row = record.row(curves, segment);
            for rank in 0..record.present {
                let (_, header) = header_word(rank);
                let at = row + header;
                let header = CurveHeader::unpack([words.get(at), words.get(at + 1)]);
                max_key_bits = max_key_bits
                    .max(header.key_bits())
                    .max(header.residual_bits());
            }
        }
    }
    Some(CurveTexture {
        size: texture.size(),
        max_key_bits,
        clip_records,
    })
}
