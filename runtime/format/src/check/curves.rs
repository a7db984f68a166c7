//! Compressed curves: every word that decoding reads is inside the texture, and every header is valid.

use throng_rig::Character;

use super::{NOT_FINITE, ensure};
use crate::curves::{
    BLOCK_CURVES, CLIP_WORDS, ClipRecord, CurveHeader, HEADER_WORDS, JointRecord, MASK_WORDS,
    MAX_KEY_BITS, MAX_WIDTH, RecordForm, Words, header_word,
};
use crate::{JointCurveLayout, Manifest, SetError, TexelFormat, Texture, VertexCurveLayout};

/// Checks the compressed curves of a `bone-local` set.
pub(super) fn check_joint_curves(
    layout: &JointCurveLayout,
    manifest: &Manifest,
    textures: &[Texture],
) -> Result<(), SetError> {
    let words = curve_words(layout.texture, textures)?;
    let location = |record: usize| format!("layout.joint-curves.bones[{record}]");
    let Some(form) = RecordForm::of_words(layout.record_words) else {
        return Err(SetError::new(
            "layout.joint-curves.record_words",
            format!("expected 4, 6, 8 or 12, found {}", layout.record_words),
        ));
    };
    let curves = layout.bones.len() as u64 * u64::from(form.channels());
    ensure(
        u64::from(layout.curves) == curves,
        || "layout.joint-curves.curves".into(),
        || {
            let (channels, bones) = (form.channels(), layout.bones.len());
            format!(
                "expected {channels} for each of {bones} records, found {}",
                layout.curves
            )
        },
    )?;
    let records = layout.bones.len() as u64 * u64::from(layout.record_words);
    ensure_inside(words, "joint table", layout.joint_table, records)?;
    for (index, &joint) in layout.bones.iter().enumerate() {
        ensure(
            joint < manifest.joints.len(),
            || location(index),
            || {
                format!(
                    "joint {joint} is out of range, the set has {}",
                    manifest.joints.len()
                )
            },
        )?;
        let record = JointRecord::read(words, layout.joint_table, form, index as u32);
        ensure(
            record.parent.is_none_or(|parent| (parent as usize) < index),
            || location(index),
            || {
                format!(
                    "expected a parent before record {index}, found {:?}",
                    record.parent
                )
            },
        )?;
        let vectors = [record.translation, record.rotation, record.scale];
        ensure(
            vectors.iter().all(|v| v.is_finite()),
            || location(index),
            || NOT_FINITE.into(),
        )?;
    }
    check_clips(words, layout.clip_table, layout.curves, manifest)
}

/// Checks the compressed curves of a vertex set.
pub(super) fn check_vertex_curves(
    layout: &VertexCurveLayout,
    manifest: &Manifest,
    textures: &[Texture],
    model: &Character,
) -> Result<(), SetError> {
    let words = curve_words(layout.texture, textures)?;
    let unique = model
        .parts()
        .iter()
        .map(|part| model.mesh_of(part).unique());
    let (mut positions, mut normals) = (0, 0);
    for unique in unique {
        positions += unique.position_count();
        normals += unique.normal_count();
    }
    ensure(
        (layout.positions as usize, layout.normals as usize) == (positions, normals),
        || "layout.vertex-curves".into(),
        || {
            let (p, n) = (layout.positions, layout.normals);
            format!(
                "expected {positions} positions and {normals} normals as in the mesh, found {p} and {n}"
            )
        },
    )?;
    let values = layout.center.iter().chain([&layout.scale]);
    ensure(
        values.into_iter().all(|x| x.is_finite()),
        || "layout.vertex-curves".into(),
        || NOT_FINITE.into(),
    )?;
    let curves = layout.positions.checked_add(layout.normals);
    let curves = curves.ok_or_else(|| {
        SetError::new(
            "layout.vertex-curves",
            format!("expected at most {} curves", u32::MAX),
        )
    })?;
    check_clips(words, layout.clip_table, curves, manifest)
}

fn curve_words(texture: usize, textures: &[Texture]) -> Result<Words<'_>, SetError> {
    let location = "layout.texture";
    let found = textures.get(texture).ok_or_else(|| {
        SetError::new(
            location,
            format!(
                "texture {texture} is out of range, the set has {}",
                textures.len()
            ),
        )
    })?;
    ensure(
        found.format() == TexelFormat::R32Uint,
        || location.into(),
        || format!("expected r32-uint texels, found {}", found.format()),
    )?;
    ensure(
        found.texel_count() <= (u32::MAX / 32) as usize,
        || location.into(),
        || {
            format!(
                "expected at most {} words, found {}",
                u32::MAX / 32,
                found.texel_count()
            )
        },
    )?;
    Ok(Words::of(found))
}

fn ensure_inside(words: Words<'_>, what: &str, first: u32, count: u64) -> Result<(), SetError> {
    ensure(
        u64::from(first).saturating_add(count) <= u64::from(words.len()),
        || format!("compressed curves, {what}"),
        || {
            let len = words.len();
            format!("expected {count} words from word {first} on, the texture has {len} words")
        },
    )
}

/// Checks the masks of every clip and every header of every segment, and the bounds of its keys.
fn check_clips(
    words: Words<'_>,
    clip_table: u32,
    curves: u32,
    manifest: &Manifest,
) -> Result<(), SetError> {
    let table = manifest.clips.len() as u64 * u64::from(CLIP_WORDS);
    ensure_inside(words, "clip table", clip_table, table)?;
    for (index, clip) in manifest.clips.iter().enumerate() {
        let record = ClipRecord::read(words, clip_table, index as u32);
        let location = || format!("compressed curves, clip '{}'", clip.name);
        let times = [record.segments_per_sec, record.duration_secs];
        ensure(
            record.segments > 0
                && record.segments_per_sec > 0.0
                && record.duration_secs >= 0.0
                && times.iter().all(|time| time.is_finite()),
            location,
            || "expected segments of positive duration".into(),
        )?;
        let [masks, present] = [curves, record.present].map(u64::from);
        let blocks = |count: u64| count.div_ceil(u64::from(BLOCK_CURVES));
        let masks = blocks(masks) * u64::from(MASK_WORDS);
        let row = present * u64::from(HEADER_WORDS) + blocks(present);
        // No curve and no segment takes less than a word, except for segments without curves: few of these are enough.
        ensure(
            record.present <= curves && record.segments <= words.len(),
            location,
            || {
                format!(
                    "expected at most {curves} curves and {} segments, found {} and {}",
                    words.len(),
                    record.present,
                    record.segments
                )
            },
        )?;
        let size = masks.saturating_add(u64::from(record.segments).saturating_mul(row));
        ensure_inside(words, "masks and headers", record.first_word, size)?;
        check_masks(words, &record, curves, &location)?;
        for segment in 0..record.segments {
            check_row(words, &record, record.row(curves, segment), &location)?;
        }
    }
    Ok(())
}

/// Checks that the numbers beside the masks count the present curves.
fn check_masks(
    words: Words<'_>,
    record: &ClipRecord,
    curves: u32,
    location: &dyn Fn() -> String,
) -> Result<(), SetError> {
    let mut present = 0;
    for block in 0..curves.div_ceil(BLOCK_CURVES) {
        let at = record.first_word + block * MASK_WORDS;
        let (mask, before) = (words.get(at), words.get(at + 1));
        let inside = curves - block * BLOCK_CURVES;
        ensure(
            inside >= BLOCK_CURVES || mask >> inside == 0,
            location,
            || format!("expected a mask of {inside} curves, found {mask:#x}"),
        )?;
        ensure(before == present, location, || {
            format!("expected {present} curves before mask {block}, found {before}")
        })?;
        present += mask.count_ones();
    }
    ensure(present == record.present, location, || {
        format!(
            "expected {present} curves as in the masks, found {}",
            record.present
        )
    })
}

/// Checks the headers of a segment.
fn check_row(
    words: Words<'_>,
    record: &ClipRecord,
    row: u32,
    location: &dyn Fn() -> String,
) -> Result<(), SetError> {
    for rank in 0..record.present {
        let (block, header) = header_word(rank);
        let at = row + header;
        let header = CurveHeader::unpack([words.get(at), words.get(at + 1)]);
        let is_valid = |widths: [u32; 3]| {
            widths.iter().all(|&width| width <= MAX_WIDTH)
                && widths.iter().sum::<u32>() <= MAX_KEY_BITS
        };
        ensure(
            is_valid(header.widths) && is_valid(header.residual_widths),
            location,
            || {
                format!(
                    "curve {rank}: expected components of at most {MAX_WIDTH} bits and keys of at most \
                     {MAX_KEY_BITS}, found {:?} and {:?}",
                    header.widths, header.residual_widths
                )
            },
        )?;
        let bits = u64::from(header.offset) + u64::from(header.bits());
        ensure_inside(words, "keys", words.get(row + block), bits.div_ceil(32))?;
    }
    Ok(())
}
