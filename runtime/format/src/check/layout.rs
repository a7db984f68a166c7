//! Texels are where the manifest says, and as many.

use std::collections::BTreeSet;

use glam::DQuat;
use throng_rig::Character;

use super::curves;
use super::{ensure, ensure_count, ensure_finite};
use crate::{
    BoneCode, BoneLayout, ChannelKind, Encoding, FrameOrder, Grid, Layout, Manifest, Metadata,
    NormalCode, Precision, Range, SetError, TexelFormat, Texture, VertexLayout, WeightLayout,
};

pub(super) fn check_layout(
    manifest: &Manifest,
    textures: &[Texture],
    model: &Character,
) -> Result<(), SetError> {
    let is_compressed = matches!(
        manifest.layout,
        Layout::JointCurves(_) | Layout::VertexCurves(_)
    );
    ensure(
        is_compressed == manifest.precision.is_none(),
        || "precision".into(),
        || match manifest.precision {
            Some(precision) => format!("expected null for compressed curves, found {precision}"),
            None => "expected a precision, found null".into(),
        },
    )?;
    match &manifest.layout {
        Layout::Bones(layout) => check_bones(manifest, layout, textures, model),
        Layout::Vertices(layout) => check_vertices(manifest, layout, textures),
        Layout::JointCurves(layout) => {
            check_encoding(manifest, &[Encoding::BoneLocal])?;
            curves::check_joint_curves(layout, manifest, textures)
        }
        Layout::VertexCurves(layout) => {
            check_encoding(manifest, &[Encoding::Vertex])?;
            curves::check_vertex_curves(layout, manifest, textures, model)
        }
    }
}

/// The format that bones, positions and morphs have at a precision.
fn format_of(precision: Precision) -> TexelFormat {
    match precision {
        Precision::Unorm8 => TexelFormat::Rgba8Unorm,
        Precision::Unorm16 => TexelFormat::Rgba16Unorm,
        Precision::F16 => TexelFormat::Rgba16Float,
        Precision::F32 => TexelFormat::Rgba32Float,
    }
}

fn check_encoding(manifest: &Manifest, known: &[Encoding]) -> Result<(), SetError> {
    let encoding = manifest.encoding;
    ensure(
        known.contains(&encoding),
        || "encoding".into(),
        || format!("{encoding} does not have this layout"),
    )?;
    ensure(
        encoding.interpolations().contains(&manifest.interpolation),
        || "interpolation".into(),
        || {
            format!(
                "{encoding} is not interpolated by {}",
                manifest.interpolation
            )
        },
    )
}

/// Every frame is inside its texture, and clips start where their first frame is.
fn check_grid<'t>(
    place: &str,
    grid: &Grid,
    manifest: &Manifest,
    textures: &'t [Texture],
) -> Result<&'t Texture, SetError> {
    let texture = textures
        .get(grid.texture)
        .ok_or_else(|| SetError::new(place, format!("there is no texture {}", grid.texture)))?;
    // Clips are known to count up to what fits.
    let frames = manifest.clips.iter().map(|clip| clip.frames).sum();
    ensure(
        grid.fits(texture, frames),
        || place.into(),
        || {
            let [width, height, layers] = texture.size();
            format!("{frames} frames do not fit {width} × {height} × {layers} texels")
        },
    )?;
    ensure_count(
        place,
        grid.clip_starts.len(),
        manifest.clips.len(),
        "the list of clips",
    )?;
    for (start, clip) in grid.clip_starts.iter().zip(&manifest.clips) {
        let first = u64::from(clip.first_frame);
        let expected = match grid.order {
            FrameOrder::Rows => u64::from(grid.first_row) + first * u64::from(grid.rows_per_frame),
            FrameOrder::Columns => u64::from(grid.first_column) + first,
        };
        ensure(
            u64::from(*start) == expected,
            || place.into(),
            || {
                format!(
                    "clip '{}' starts at {start}, its frames at {expected}",
                    clip.name
                )
            },
        )?;
    }
    Ok(texture)
}

fn check_range(place: &str, range: &Range, components: usize) -> Result<(), SetError> {
    for numbers in [&range.center, &range.half_extent] {
        ensure_count(place, numbers.len(), components, "what it is a range of")?;
        ensure_finite(|| place.into(), numbers)?;
    }
    ensure(
        range.half_extent.iter().all(|&half| half >= 0.0),
        || place.into(),
        || "is turned inside out".into(),
    )
}

/// A range where texels are not floats, and none where they are.
fn check_optional_range(
    place: &str,
    range: Option<&Range>,
    wanted: bool,
    components: usize,
) -> Result<(), SetError> {
    match range {
        Some(range) if wanted => check_range(place, range, components),
        None if !wanted => Ok(()),
        Some(_) => Err(SetError::new(place, "has nothing to be the range of")),
        None => Err(SetError::new(place, "is missing")),
    }
}

fn check_format(
    place: &str,
    texture: &Texture,
    known: Option<TexelFormat>,
) -> Result<(), SetError> {
    ensure(
        known == Some(texture.format()),
        || place.into(),
        || format!("its texels are {:?}, not {known:?}", texture.format()),
    )
}

fn check_bones(
    manifest: &Manifest,
    layout: &BoneLayout,
    textures: &[Texture],
    model: &Character,
) -> Result<(), SetError> {
    let place = "layout.bones";
    let known = match layout.code {
        BoneCode::MatrixRows | BoneCode::MatrixColumns => Encoding::BoneMatrix,
        BoneCode::DualQuaternion => Encoding::BoneDq,
        BoneCode::RotationPosition => Encoding::BoneQt,
        BoneCode::Axes | BoneCode::AxisPlanes => Encoding::VirtualBones,
    };
    check_encoding(manifest, &[known])?;
    let texture = check_grid(place, &layout.grid, manifest, textures)?;
    check_format(place, texture, manifest.precision.map(format_of))?;
    let count = layout.bones.len();
    let numbers = u64::from(layout.grid.items) * 4;
    let mut next_joint = 0;
    for (index, bone) in layout.bones.iter().enumerate() {
        let place = || format!("layout.bones.bones[{index}]");
        ensure(
            (next_joint..manifest.joints.len()).contains(&bone.joint),
            place,
            || format!("joint {} is out of order or not there", bone.joint),
        )?;
        next_joint = bone.joint + 1;
        ensure_finite(place, &[bone.scale])?;
        ensure_finite(place, &bone.rotation)?;
        ensure(
            (DQuat::from_array(bone.rotation).length_squared() - 1.0).abs() < 1e-6,
            place,
            || "its turn is no unit quaternion".into(),
        )?;
        let (first, end) = (u64::from(bone.first_value), |length: u64| {
            u64::from(bone.first_value) + length
        });
        let inside = match layout.code {
            BoneCode::MatrixRows | BoneCode::MatrixColumns => end(12) <= numbers,
            BoneCode::DualQuaternion => end(8) <= numbers,
            BoneCode::RotationPosition if bone.has_scale => end(9) <= numbers,
            BoneCode::RotationPosition => end(6) <= numbers,
            BoneCode::AxisPlanes => first == 4 * index as u64 && 12 * count as u64 <= numbers,
            BoneCode::Axes => first.is_multiple_of(4) && first + 12 <= numbers,
        };
        ensure(inside, place, || "its numbers are not in the frame".into())?;
        ensure(
            !bone.has_scale || layout.code == BoneCode::RotationPosition,
            place,
            || "only bone-qt has scales of its own".into(),
        )?;
    }
    ensure(count > 0, || place.into(), || "there are none".into())?;
    let is_float = texture.format().is_float();
    ensure(
        match layout.ranges.len() {
            0 => is_float,
            ranges => !is_float && (ranges == 1 || ranges == count),
        },
        || "layout.bones.ranges".into(),
        || format!("{} for {count} bones", layout.ranges.len()),
    )?;
    let components = match layout.code {
        BoneCode::DualQuaternion => 4,
        _ => 3,
    };
    for range in &layout.ranges {
        check_range("layout.bones.ranges", range, components)?;
    }
    let scaled = !is_float && layout.bones.iter().any(|bone| bone.has_scale);
    let scale_range = layout.scale_range.as_ref();
    check_optional_range("layout.bones.scale_range", scale_range, scaled, 3)?;
    ensure(
        !layout.rest_row
            || (layout.grid.order == FrameOrder::Rows
                && layout.grid.first_row >= layout.grid.rows_per_frame),
        || "layout.bones.rest_row".into(),
        || "there is no row above the first frame".into(),
    )?;
    match &layout.weights {
        Some(weights) => check_weights(weights, layout, manifest, textures, model),
        None => Ok(()),
    }
}

/// P3's weights: one texel a vertex, a colour a vertex, a mesh a part, and a rest pose to bind to.
fn check_weights(
    weights: &WeightLayout,
    layout: &BoneLayout,
    manifest: &Manifest,
    textures: &[Texture],
    model: &Character,
) -> Result<(), SetError> {
    let place = "layout.bones.weights";
    let texture = textures
        .get(weights.texture)
        .ok_or_else(|| SetError::new(place, format!("there is no texture {}", weights.texture)))?;
    check_format(place, texture, Some(TexelFormat::Rgba32Float))?;
    let vertices: u64 = manifest
        .parts
        .iter()
        .map(|part| u64::from(part.vertices))
        .sum();
    let side = weights.side;
    ensure(
        texture.size() == [side, side, 1] && u64::from(side) * u64::from(side) >= vertices,
        || place.into(),
        || format!("{side} × {side} texels for {vertices} vertices"),
    )?;
    ensure(
        layout.rest_row && layout.bones.len() <= 256,
        || place.into(),
        || "needs a rest row and at most 256 bones".into(),
    )?;
    let mut meshes = BTreeSet::new();
    for part in model.parts() {
        let mesh = model.mesh_of(part);
        ensure(
            meshes.insert(part.mesh),
            || place.into(),
            || format!("two parts share mesh {}", part.mesh),
        )?;
        ensure_count(
            "colours of the mesh",
            mesh.colors().len(),
            mesh.vertex_count(),
            "it",
        )?;
    }
    Ok(())
}

fn check_vertices(
    manifest: &Manifest,
    layout: &VertexLayout,
    textures: &[Texture],
) -> Result<(), SetError> {
    check_encoding(manifest, &[Encoding::Vertex, Encoding::VertexRay])?;
    let place = "layout.vertices.positions";
    let texture = check_grid(place, &layout.positions, manifest, textures)?;
    let format = match manifest.metadata {
        Metadata::P0Column => Some(TexelFormat::Rgb8Unorm),
        _ => manifest.precision.map(format_of),
    };
    check_format(place, texture, format)?;
    let is_ray = manifest.encoding == Encoding::VertexRay;
    ensure(
        !is_ray || texture.format().channels() == 4,
        || place.into(),
        || "a ray takes four channels".into(),
    )?;
    let boxed = is_ray || !texture.format().is_float();
    check_optional_range("layout.vertices.range", layout.range.as_ref(), boxed, 3)?;

    let sum = |of: fn(&crate::PartEntry) -> u32| -> u64 {
        manifest.parts.iter().map(|part| u64::from(of(part))).sum()
    };
    // Sockets may follow the positions of parts.
    let sockets = manifest.sockets.iter().filter_map(|s| s.first_position);
    let sockets = sockets.map(|first| u64::from(first) + 3).max().unwrap_or(0);
    ensure(
        u64::from(layout.positions.items) >= sum(|part| part.positions).max(sockets),
        || place.into(),
        || {
            format!(
                "{} items are fewer than there are positions",
                layout.positions.items
            )
        },
    )?;
    let place = "layout.vertices.normals";
    let texture = check_grid(place, &layout.normals, manifest, textures)?;
    ensure(
        u64::from(layout.normals.items) >= sum(|part| part.normals),
        || place.into(),
        || {
            format!(
                "{} items are fewer than there are normals",
                layout.normals.items
            )
        },
    )?;
    let channels = match layout.normal_code {
        NormalCode::Xyz => 3,
        NormalCode::Octahedral => 2,
    };
    let format = texture.format();
    ensure(
        format.channels() >= channels && format.channel_kind() != ChannelKind::Uint32,
        || place.into(),
        || format!("{format:?} does not hold {:?}", layout.normal_code),
    )
}

pub(super) fn check_morphs(
    manifest: &Manifest,
    textures: &[Texture],
    model: &Character,
) -> Result<(), SetError> {
    let Some(layout) = &manifest.morphs else {
        return Ok(());
    };
    let weights = model
        .morph_sets()
        .iter()
        .map(|set| set.rest_weights().len());
    ensure_count("morphs", layout.weights as usize, weights.sum(), "the mesh")?;
    let texture = check_grid("morphs", &layout.grid, manifest, textures)?;
    let format = format_of(manifest.storage().frame_precision());
    check_format("morphs", texture, Some(format))?;
    ensure(
        u64::from(layout.weights) <= 4 * u64::from(layout.grid.items),
        || "morphs".into(),
        || format!("{} weights in {} texels", layout.weights, layout.grid.items),
    )?;
    let boxed = !texture.format().is_float();
    let weights = layout.weights as usize;
    check_optional_range("morphs.range", layout.range.as_ref(), boxed, weights)
}
