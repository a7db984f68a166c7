//! Checks that textures hold the frames that the layout describes.

use glam::DQuat;
use throng_rig::Character;

use super::{curves, virtual_bones};
use super::{ensure, ensure_count, ensure_finite};
use crate::file::ExpectedTexture;
use crate::{
    BoneCode, BoneLayout, ChannelKind, Encoding, FrameOrder, Grid, Layout, Manifest, Metadata,
    NormalCode, Precision, Range, SetError, SetMesh, TexelFormat, Texture, VertexLayout,
};

pub(super) fn check_layout(
    manifest: &Manifest,
    textures: &[ExpectedTexture],
    mesh: &SetMesh,
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
        Layout::Bones(layout) => {
            check_bones(manifest, layout, textures)?;
            virtual_bones::check(manifest, layout, textures, mesh)
        }
        Layout::Vertices(layout) => check_vertices(manifest, layout, textures),
        Layout::JointCurves(_) => check_encoding(manifest, &[Encoding::BoneLocal]),
        Layout::VertexCurves(_) => check_encoding(manifest, &[Encoding::Vertex]),
    }
}

/// Checks the texels of compressed curves.
pub(super) fn check_curves(
    manifest: &Manifest,
    textures: &[Texture],
    model: &Character,
) -> Result<(), SetError> {
    match &manifest.layout {
        Layout::Bones(_) | Layout::Vertices(_) => Ok(()),
        Layout::JointCurves(layout) => curves::check_joint_curves(layout, manifest, textures),
        Layout::VertexCurves(layout) => {
            curves::check_vertex_curves(layout, manifest, textures, model)
        }
    }
}

/// Texel format of bones, positions and morph weights at a precision.
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
        || {
            format!(
                "expected {} for this layout, found {encoding}",
                names(known)
            )
        },
    )?;
    ensure(
        encoding.interpolations().contains(&manifest.interpolation),
        || "interpolation".into(),
        || {
            format!(
                "expected {} for {encoding}, found {}",
                names(encoding.interpolations()),
                manifest.interpolation
            )
        },
    )
}

/// Lists names: "vertex or vertex-ray".
fn names(list: &[impl ToString]) -> String {
    let names: Vec<String> = list.iter().map(ToString::to_string).collect();
    names.join(" or ")
}

/// Checks that every frame is inside its texture, and that clips start at their first frame.
pub(super) fn check_grid<'t>(
    location: &str,
    grid: &Grid,
    manifest: &Manifest,
    textures: &'t [ExpectedTexture],
) -> Result<&'t ExpectedTexture, SetError> {
    let texture = textures
        .get(grid.texture)
        .ok_or_else(|| no_texture(location, grid.texture, textures))?;
    // `check_clips` made sure that the sum fits.
    let frames = manifest.clips.iter().map(|clip| clip.frames).sum();
    ensure(
        grid.fits(texture.size(), frames),
        || location.into(),
        || {
            let [width, height, layers] = texture.size();
            format!("{frames} frames do not fit in {width} × {height} × {layers} texels")
        },
    )?;
    ensure_count(
        location,
        grid.clip_starts.len(),
        manifest.clips.len(),
        "the manifest's clips",
    )?;
    if let Some(pages) = &grid.pages {
        let firsts = manifest.clips.iter().map(|clip| clip.first_frame);
        ensure(
            firsts.eq(pages.frame_starts.iter().copied()),
            || format!("{location}.pages"),
            || "expected the first frame of each clip, found others".into(),
        )?;
    }
    for (start, clip) in grid.clip_starts.iter().zip(&manifest.clips) {
        let first = u64::from(clip.first_frame);
        let expected = match grid.order {
            FrameOrder::Rows => u64::from(grid.first_row) + first * u64::from(grid.rows_per_frame),
            FrameOrder::Columns if grid.pages.is_some() => u64::from(grid.first_column),
            FrameOrder::Columns => u64::from(grid.first_column) + first,
        };
        ensure(
            u64::from(*start) == expected,
            || location.into(),
            || {
                format!(
                    "clip '{}': expected start {expected}, found {start}",
                    clip.name
                )
            },
        )?;
    }
    Ok(texture)
}

pub(super) fn no_texture(location: &str, texture: usize, textures: &[ExpectedTexture]) -> SetError {
    let count = textures.len();
    SetError::new(
        location,
        format!("texture {texture} is out of range, the set has {count}"),
    )
}

fn check_range(location: &str, range: &Range, components: usize) -> Result<(), SetError> {
    for values in [&range.center, &range.half_extent] {
        ensure(
            values.len() == components,
            || location.into(),
            || format!("expected {components} components, found {}", values.len()),
        )?;
        ensure_finite(|| location.into(), values)?;
    }
    ensure(
        range.half_extent.iter().all(|&half| half >= 0.0),
        || location.into(),
        || "expected half extents that are not negative".into(),
    )
}

/// Checks that a range is present exactly where it is needed: where texels are not floats.
fn check_optional_range(
    location: &str,
    range: Option<&Range>,
    needed: bool,
    components: usize,
) -> Result<(), SetError> {
    match range {
        Some(range) if needed => check_range(location, range, components),
        None if !needed => Ok(()),
        Some(_) => Err(SetError::new(
            location,
            "expected null, found a range of unquantised values",
        )),
        None => Err(SetError::new(location, "expected a range, found null")),
    }
}

pub(super) fn check_format(
    location: &str,
    texture: &ExpectedTexture,
    expected: Option<TexelFormat>,
) -> Result<(), SetError> {
    ensure(
        expected == Some(texture.format()),
        || location.into(),
        || {
            let expected = expected.map_or_else(|| "none".into(), |format| format.to_string());
            format!("expected {expected} texels, found {}", texture.format())
        },
    )
}

fn check_bones(
    manifest: &Manifest,
    layout: &BoneLayout,
    textures: &[ExpectedTexture],
) -> Result<(), SetError> {
    let location = "layout.bones";
    let encoding = match layout.code {
        BoneCode::MatrixRows | BoneCode::MatrixColumns => Encoding::BoneMatrix,
        BoneCode::DualQuaternion => Encoding::BoneDq,
        BoneCode::RotationPosition => Encoding::BoneQt,
        BoneCode::Axes | BoneCode::AxisPlanes => Encoding::VirtualBones,
    };
    check_encoding(manifest, &[encoding])?;
    let texture = check_grid(location, &layout.grid, manifest, textures)?;
    let format = match layout.code {
        BoneCode::AxisPlanes => Some(virtual_bones::axis_format(layout)),
        _ => manifest.precision.map(format_of),
    };
    check_format(location, texture, format)?;
    let count = layout.bones.len();
    let values = u64::from(layout.grid.items) * texture.format().channels() as u64;
    let mut next_joint = 0;
    for (index, bone) in layout.bones.iter().enumerate() {
        let location = || format!("layout.bones.bones[{index}]");
        ensure(
            (next_joint..manifest.joints.len()).contains(&bone.joint),
            location,
            || {
                format!(
                    "expected a joint from {next_joint} to {}, found {}",
                    manifest.joints.len().saturating_sub(1),
                    bone.joint
                )
            },
        )?;
        // Of virtual bones, several may have one joint.
        next_joint = bone.joint + usize::from(layout.code != BoneCode::AxisPlanes);
        ensure_finite(location, &[bone.scale])?;
        ensure_finite(location, &bone.rotation)?;
        ensure(
            (DQuat::from_array(bone.rotation).length_squared() - 1.0).abs() < 1e-6,
            location,
            || {
                format!(
                    "expected a unit quaternion as rotation, found {:?}",
                    bone.rotation
                )
            },
        )?;
        let (first, end) = (u64::from(bone.first_value), |length: u64| {
            u64::from(bone.first_value) + length
        });
        let inside = match layout.code {
            BoneCode::MatrixRows | BoneCode::MatrixColumns => end(12) <= values,
            BoneCode::DualQuaternion => end(8) <= values,
            BoneCode::RotationPosition if bone.has_scale => end(9) <= values,
            BoneCode::RotationPosition => end(6) <= values,
            BoneCode::AxisPlanes => {
                let planes = if layout.positions.is_some() { 2 } else { 3 };
                first == 3 * index as u64 && 3 * planes * count as u64 <= values
            }
            BoneCode::Axes => first.is_multiple_of(4) && first + 12 <= values,
        };
        ensure(inside, location, || {
            format!("values from {first} on are outside the {values} values of a frame")
        })?;
        ensure(
            !bone.has_scale || layout.code == BoneCode::RotationPosition,
            location,
            || "expected has_scale only in bone-qt".into(),
        )?;
    }
    ensure(
        count > 0,
        || location.into(),
        || "expected at least one bone, found none".into(),
    )?;
    // Virtual bones have float positions, in this texture or in their own.
    let is_float = texture.format().is_float() || layout.positions.is_some();
    ensure(
        match layout.ranges.len() {
            0 => is_float,
            ranges => !is_float && (ranges == 1 || ranges == count),
        },
        || "layout.bones.ranges".into(),
        || {
            format!(
                "expected {}, found {}",
                if is_float {
                    "none for float texels".into()
                } else {
                    format!("1 or {count}, one per bone")
                },
                layout.ranges.len()
            )
        },
    )?;
    let components = match layout.code {
        BoneCode::DualQuaternion => 4,
        _ => 3,
    };
    for range in &layout.ranges {
        check_range("layout.bones.ranges", range, components)?;
    }
    let needs_scale_range = !is_float && layout.bones.iter().any(|bone| bone.has_scale);
    let scale_range = layout.scale_range.as_ref();
    check_optional_range(
        "layout.bones.scale_range",
        scale_range,
        needs_scale_range,
        3,
    )?;
    ensure(
        !layout.rest_row
            || (layout.grid.order == FrameOrder::Rows
                && layout.grid.first_row >= layout.grid.rows_per_frame),
        || "layout.bones.rest_row".into(),
        || "expected rows above the first frame, found none".into(),
    )
}

fn check_vertices(
    manifest: &Manifest,
    layout: &VertexLayout,
    textures: &[ExpectedTexture],
) -> Result<(), SetError> {
    check_encoding(manifest, &[Encoding::Vertex, Encoding::VertexRay])?;
    let location = "layout.vertices.positions";
    let texture = check_grid(location, &layout.positions, manifest, textures)?;
    let format = match manifest.metadata {
        Metadata::P0Column => Some(TexelFormat::Rgb8Unorm),
        _ => manifest.precision.map(format_of),
    };
    check_format(location, texture, format)?;
    let is_ray = manifest.encoding == Encoding::VertexRay;
    ensure(
        !is_ray || texture.format().channels() == 4,
        || location.into(),
        || {
            format!(
                "expected four channels for vertex-ray, found {}",
                texture.format()
            )
        },
    )?;
    let needs_range = is_ray || !texture.format().is_float();
    check_optional_range(
        "layout.vertices.range",
        layout.range.as_ref(),
        needs_range,
        3,
    )?;

    let sum = |of: fn(&crate::PartEntry) -> u32| -> u64 {
        manifest.parts.iter().map(|part| u64::from(of(part))).sum()
    };
    // Sockets may follow the positions of parts.
    let sockets = manifest.sockets.iter().filter_map(|s| s.first_position);
    let sockets = sockets.map(|first| u64::from(first) + 3).max().unwrap_or(0);
    check_items(
        location,
        &layout.positions,
        sum(|part| part.positions).max(sockets),
    )?;
    let location = "layout.vertices.normals";
    let texture = check_grid(location, &layout.normals, manifest, textures)?;
    check_items(location, &layout.normals, sum(|part| part.normals))?;
    ensure(
        layout.normals.pages.is_some() == layout.positions.pages.is_some(),
        || location.into(),
        || "expected pages of both positions and normals, or of neither".into(),
    )?;
    let channels = match layout.normal_code {
        NormalCode::Xyz => 3,
        NormalCode::Octahedral => 2,
    };
    let format = texture.format();
    ensure(
        format.channels() >= channels && format.channel_kind() != ChannelKind::Uint32,
        || location.into(),
        || {
            let code = layout.normal_code;
            format!("expected at least {channels} channels for {code:?} normals, found {format}")
        },
    )
}

fn check_items(location: &str, grid: &Grid, needed: u64) -> Result<(), SetError> {
    ensure(
        u64::from(grid.items) >= needed,
        || location.into(),
        || format!("expected at least {needed} items, found {}", grid.items),
    )
}

pub(super) fn check_morphs(
    manifest: &Manifest,
    textures: &[ExpectedTexture],
    model: &Character,
) -> Result<(), SetError> {
    let Some(layout) = &manifest.morphs else {
        return Ok(());
    };
    let has_pages = match &manifest.layout {
        Layout::Bones(bones) => bones.grid.pages.is_some(),
        _ => false,
    };
    ensure(
        !has_pages && layout.grid.pages.is_none(),
        || "morphs".into(),
        || "expected no morph weights beside pages, found some".into(),
    )?;
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
        || {
            format!(
                "{} weights do not fit in {} texels per frame",
                layout.weights, layout.grid.items
            )
        },
    )?;
    let needs_range = !texture.format().is_float();
    let weights = layout.weights as usize;
    check_optional_range("morphs.range", layout.range.as_ref(), needs_range, weights)
}
