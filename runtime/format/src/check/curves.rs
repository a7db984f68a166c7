//! Packed curves: every word that decoding will read is there, and every curve is one.

use throng_rig::Character;

use super::ensure;
use crate::curves::{
    CLIP_WORDS, ClipRecord, CurveHeader, JointRecord, MAX_WIDTH, RECORD_WORDS, SCALED_RECORD_WORDS,
    Words, header_word, row_words,
};
use crate::{JointCurveLayout, Manifest, SetError, TexelFormat, Texture, VertexCurveLayout};

/// Checks the stream of a `bone-local` set.
pub(super) fn check_joint_curves(
    layout: &JointCurveLayout,
    manifest: &Manifest,
    textures: &[Texture],
) -> Result<(), SetError> {
    let words = stream(layout.texture, textures)?;
    let place = |record: usize| format!("layout.joint-curves.bones[{record}]");
    ensure(
        [RECORD_WORDS, SCALED_RECORD_WORDS].contains(&layout.record_words),
        || "layout.joint-curves.record_words".into(),
        || format!("{} is neither 8 nor 12", layout.record_words),
    )?;
    let records = layout.bones.len() as u64 * u64::from(layout.record_words);
    ensure_inside(words, "joint table", layout.joint_table, records)?;
    for (index, &joint) in layout.bones.iter().enumerate() {
        ensure(
            joint < manifest.joints.len(),
            || place(index),
            || format!("joint {joint}, there are {}", manifest.joints.len()),
        )?;
        let (table, size) = (layout.joint_table, layout.record_words);
        let record = JointRecord::read(words, table, size, index as u32);
        let curves = record
            .has_curve
            .iter()
            .filter(|&&is_curve| is_curve)
            .count() as u64;
        ensure(
            record.parent.is_none_or(|parent| (parent as usize) < index),
            || place(index),
            || "its parent does not come before it".into(),
        )?;
        ensure(
            u64::from(record.first_curve) + curves <= u64::from(layout.curves),
            || place(index),
            || format!("its curves go past the {} of a segment", layout.curves),
        )?;
        let vectors = [record.translation, record.rotation, record.scale];
        ensure(
            vectors.iter().all(|v| v.is_finite()) && record.scale_extent.is_finite(),
            || place(index),
            || "a number is not finite".into(),
        )?;
    }
    check_clips(words, layout.clip_table, layout.curves, manifest)
}

/// Checks the stream of a vertex set that is compressed in time.
pub(super) fn check_vertex_curves(
    layout: &VertexCurveLayout,
    manifest: &Manifest,
    textures: &[Texture],
    model: &Character,
) -> Result<(), SetError> {
    let words = stream(layout.texture, textures)?;
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
            format!("{p} positions and {n} normals, the mesh has {positions} and {normals}")
        },
    )?;
    let numbers = layout.center.iter().chain([&layout.scale]);
    ensure(
        numbers.into_iter().all(|x| x.is_finite()),
        || "layout.vertex-curves".into(),
        || "a number is not finite".into(),
    )?;
    let curves = layout.positions.checked_add(layout.normals);
    let curves = curves.ok_or_else(|| SetError::new("layout.vertex-curves", "too many curves"))?;
    check_clips(words, layout.clip_table, curves, manifest)
}

fn stream(texture: usize, textures: &[Texture]) -> Result<Words<'_>, SetError> {
    let place = "layout.texture";
    let found = textures.get(texture).ok_or_else(|| {
        SetError::new(
            place,
            format!("texture {texture}, there are {}", textures.len()),
        )
    })?;
    ensure(
        found.format() == TexelFormat::R32Uint,
        || place.into(),
        || format!("texels are {}, not r32-uint", found.format()),
    )?;
    ensure(
        found.texel_count() <= (u32::MAX / 32) as usize,
        || place.into(),
        || "there are more words than can be counted".into(),
    )?;
    Ok(Words::of(found))
}

fn ensure_inside(words: Words<'_>, what: &str, first: u32, count: u64) -> Result<(), SetError> {
    ensure(
        u64::from(first) + count <= u64::from(words.len()),
        || format!("stream, {what}"),
        || {
            let len = words.len();
            format!("{count} words from word {first} on, there are {len}: the texture is damaged")
        },
    )
}

/// Every header of every segment, and where its keys are.
fn check_clips(
    words: Words<'_>,
    clip_table: u32,
    curves: u32,
    manifest: &Manifest,
) -> Result<(), SetError> {
    let table = manifest.clips.len() as u64 * u64::from(CLIP_WORDS);
    ensure_inside(words, "clip table", clip_table, table)?;
    let row = u64::from(curves) * 3 + u64::from(curves.div_ceil(64));
    for (index, clip) in manifest.clips.iter().enumerate() {
        let record = ClipRecord::read(words, clip_table, index as u32);
        let place = || format!("stream, clip '{}'", clip.name);
        let times = [record.segments_per_sec, record.duration_secs];
        ensure(
            record.segments > 0
                && record.segments_per_sec > 0.0
                && record.duration_secs >= 0.0
                && times.iter().all(|time| time.is_finite()),
            place,
            || "its segments have no length".into(),
        )?;
        let rows = u64::from(record.segments) * row;
        ensure_inside(words, "headers", record.first_row, rows)?;
        for segment in 0..record.segments {
            let row = record.first_row + segment * row_words(curves);
            for curve in 0..curves {
                let (block, header) = header_word(curve);
                let at = row + header;
                let header = [words.get(at), words.get(at + 1), words.get(at + 2)];
                let header = CurveHeader::unpack(header);
                ensure(
                    header.widths.iter().all(|&width| width <= MAX_WIDTH),
                    place,
                    || format!("a key of curve {curve} is wider than {MAX_WIDTH} bits"),
                )?;
                let bits = u64::from(header.offset)
                    + u64::from(header.keys()) * u64::from(header.key_bits());
                ensure_inside(words, "keys", words.get(row + block), bits.div_ceil(32))?;
            }
        }
    }
    Ok(())
}
