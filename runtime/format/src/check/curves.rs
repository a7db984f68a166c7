//! Compressed curves: every word that decoding reads is inside the texture, and every header is valid.

use throng_rig::Character;

use super::{NOT_FINITE, ensure};
use crate::curves::{
    CLIP_WORDS, ClipRecord, CurveHeader, JointRecord, MAX_WIDTH, RECORD_WORDS, SCALED_RECORD_WORDS,
    Words, header_word, row_words,
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
    ensure(
        [RECORD_WORDS, SCALED_RECORD_WORDS].contains(&layout.record_words),
        || "layout.joint-curves.record_words".into(),
        || {
            format!(
                "expected {RECORD_WORDS} or {SCALED_RECORD_WORDS}, found {}",
                layout.record_words
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
        let (table, size) = (layout.joint_table, layout.record_words);
        let record = JointRecord::read(words, table, size, index as u32);
        let curves = record
            .has_curve
            .iter()
            .filter(|&&is_curve| is_curve)
            .count() as u64;
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
        ensure(
            u64::from(record.first_curve) + curves <= u64::from(layout.curves),
            || location(index),
            || {
                format!(
                    "expected curves below {}, found {curves} from curve {} on",
                    layout.curves, record.first_curve
                )
            },
        )?;
        let vectors = [record.translation, record.rotation, record.scale];
        ensure(
            vectors.iter().all(|v| v.is_finite()) && record.scale_extent.is_finite(),
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
        u64::from(first) + count <= u64::from(words.len()),
        || format!("compressed curves, {what}"),
        || {
            let len = words.len();
            format!("expected {count} words from word {first} on, the texture has {len} words")
        },
    )
}

/// Checks every header of every segment, and the bounds of its keys.
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
                    location,
                    || {
                        format!(
                            "curve {curve}: expected components of at most {MAX_WIDTH} bits, found {:?}",
                            header.widths
                        )
                    },
                )?;
                let bits = u64::from(header.offset)
                    + u64::from(header.keys()) * u64::from(header.key_bits());
                ensure_inside(words, "keys", words.get(row + block), bits.div_ceil(32))?;
            }
        }
    }
    Ok(())
}
