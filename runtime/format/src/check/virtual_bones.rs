//! Checks of virtual bones in the layout of P3: textures of three channels, a rest row, bone indices in colours, and
//! weights in a texture.

use std::collections::BTreeSet;

use super::layout::{check_format, check_grid, no_texture};
use super::{ensure, ensure_count};
use crate::file::ExpectedTexture;
use crate::{
    BoneCode, BoneLayout, FrameInterpolation, FrameOrder, Manifest, SetError, SetMesh, TexelFormat,
    WeightLayout,
};

/// Number of bones that a byte distinguishes.
const MAX_BONES: usize = 256;

/// Texel format of the axes: floats beside positions, 16-bit numbers in a texture of their own.
pub(super) fn axis_format(layout: &BoneLayout) -> TexelFormat {
    match layout.positions {
        Some(_) => TexelFormat::Rgb16Unorm,
        None => TexelFormat::Rgb32Float,
    }
}

/// Checks that everything P3 describes is present in [`BoneCode::AxisPlanes`], and nothing of it in other codes.
pub(super) fn check(
    manifest: &Manifest,
    layout: &BoneLayout,
    textures: &[ExpectedTexture],
    mesh: &SetMesh,
) -> Result<(), SetError> {
    let is_virtual = layout.code == BoneCode::AxisPlanes;
    for (name, is_present) in [
        ("rest_row", layout.rest_row),
        ("color_bones", layout.color_bones != 0),
    ] {
        ensure(
            is_present == is_virtual,
            || format!("layout.bones.{name}"),
            || {
                let (verb, code) = match is_virtual {
                    true => ("missing", "axis-planes need it"),
                    false => ("unexpected", "only axis-planes have it"),
                };
                format!("{verb}: {code}")
            },
        )?;
    }
    if !is_virtual {
        return check_absent(layout, mesh);
    }
    ensure(
        manifest.interpolation == FrameInterpolation::Linear,
        || "interpolation".into(),
        || {
            let found = manifest.interpolation;
            format!("expected linear for axis-planes, found {found}")
        },
    )?;
    ensure(
        layout.bones.len() <= MAX_BONES,
        || "layout.bones.bones".into(),
        || {
            let found = layout.bones.len();
            format!("expected at most {MAX_BONES} bones, found {found}")
        },
    )?;
    check_positions(manifest, layout, textures)?;
    check_colors(layout, mesh)?;
    match (&layout.weights, layout.color_bones) {
        (Some(weights), 4) => check_weights(weights, manifest, textures),
        (None, 1) => Ok(()),
        (weights, channels) => Err(SetError::new(
            "layout.bones.color_bones",
            format!(
                "expected 4 with weights or 1 without, found {channels} {} weights",
                if weights.is_some() { "with" } else { "without" }
            ),
        )),
    }
}

/// Checks that a set in another layout has no weights, no positions and no bone colours.
fn check_absent(layout: &BoneLayout, mesh: &SetMesh) -> Result<(), SetError> {
    ensure(
        layout.weights.is_none() && layout.positions.is_none(),
        || "layout.bones".into(),
        || "expected weights and positions to be null in other codes than axis-planes".into(),
    )?;
    ensure(
        mesh.bone_colors.iter().all(Vec::is_empty),
        || "COLOR_0".into(),
        || "expected floats, found bone indices, which only axis-planes have".into(),
    )
}

/// Checks positions that have their own texture: one item per bone, and a row above the first frame.
fn check_positions(
    manifest: &Manifest,
    layout: &BoneLayout,
    textures: &[ExpectedTexture],
) -> Result<(), SetError> {
    let Some(grid) = &layout.positions else {
        return Ok(());
    };
    let location = "layout.bones.positions";
    let texture = check_grid(location, grid, manifest, textures)?;
    check_format(location, texture, Some(TexelFormat::Rgb32Float))?;
    ensure(
        grid.order == FrameOrder::Rows
            && grid.first_row >= grid.rows_per_frame
            && grid.items as usize >= layout.bones.len(),
        || location.into(),
        || {
            let bones = layout.bones.len();
            format!("expected {bones} items per frame, and rows above the first frame")
        },
    )
}

/// Checks that each part has a mesh of its own, and each vertex a colour.
fn check_colors(layout: &BoneLayout, mesh: &SetMesh) -> Result<(), SetError> {
    let mut meshes = BTreeSet::new();
    for part in mesh.character.parts() {
        ensure(
            meshes.insert(part.mesh),
            || "layout.bones.color_bones".into(),
            || {
                let index = part.mesh;
                format!("expected one mesh per part, mesh {index} is used by two")
            },
        )?;
        let location = format!("mesh {}, COLOR_0", part.mesh);
        let colors = mesh.bone_colors.get(part.mesh).map_or(&[][..], |list| list);
        let vertices = mesh.character.mesh_of(part).vertex_count();
        ensure_count(&location, colors.len(), vertices, "POSITION")?;
        let bones = layout.bones.len();
        let is_known = |bone: &u8| usize::from(*bone) < bones;
        let unknown = colors.iter().position(|color| !color.iter().all(is_known));
        if let Some(vertex) = unknown {
            let color = colors[vertex];
            let problem = format!("vertex {vertex}: expected bones below {bones}, found {color:?}");
            return Err(SetError::new(location, problem));
        }
    }
    Ok(())
}

/// Checks the texture of weights: square, one texel per vertex.
fn check_weights(
    weights: &WeightLayout,
    manifest: &Manifest,
    textures: &[ExpectedTexture],
) -> Result<(), SetError> {
    let location = "layout.bones.weights";
    let texture = textures
        .get(weights.texture)
        .ok_or_else(|| no_texture(location, weights.texture, textures))?;
    check_format(location, texture, Some(TexelFormat::Rgb32Float))?;
    let parts = manifest.parts.iter();
    let vertices: u64 = parts.map(|part| u64::from(part.vertices)).sum();
    let side = weights.side;
    ensure(
        texture.size() == [side, side, 1] && u64::from(side) * u64::from(side) >= vertices,
        || location.into(),
        || {
            format!(
                "expected a square texture of side {side} with a texel for each of {vertices} vertices"
            )
        },
    )
}
