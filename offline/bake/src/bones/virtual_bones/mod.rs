//! P3's form of `virtual-bones`: planes of axes and positions below a rest row, bones in vertex colours, and weights in a
//! texture of their own.

mod mesh;
mod rest_mesh;
mod rig;

use glam::{DAffine3, DQuat};
use throng_format::{BoneCode, BoneEntry, BoneLayout, Grid, TexelFormat};
use throng_rig::Character;

use super::joint_scale::{JointScale, parts};
use super::refuse::Refusals;
use super::tolerance::Tolerance;
use super::{BakedBones, BoneFrames, bake_morph_weights};
use crate::atlas::{Atlas, Contents};
use crate::plan::BakePlan;
use crate::{BakeError, BakeSettings, Preset};
pub(crate) use mesh::VirtualMesh;
pub(crate) use rest_mesh::with_rest_meshes;
use rig::VirtualRig;

/// Number of bones that an 8-bit colour distinguishes.
const MAX_BONES: usize = 256;

/// Encodes every frame.
pub(super) fn bake(
    character: &Character,
    settings: &BakeSettings,
    plan: &BakePlan,
    preset: Preset,
) -> Result<BakedBones, BakeError> {
    let frames = BoneFrames::new(character, &plan.frame_times());
    let refusals = Refusals {
        character,
        settings,
        plan,
    };
    let tolerances = Tolerance::of_joints(BoneCode::AxisPlanes, character, &frames.joints);
    let rig = VirtualRig::new(character, |joint| {
        let column = frames.joints.binary_search(&joint).unwrap_or(0);
        match JointScale::within(tolerances[column], frames.of_bone(column)) {
            JointScale::Constant(scale) => Ok((f64::from(scale as f32), tolerances[column])),
            joint_scale => Err(refusals.refusal(joint, &joint_scale)),
        }
    })?;
    let mut planes = Planes::new(&rig, plan, settings, preset)?;
    for frame in 0..plan.frames() {
        let transforms = &frames.transforms[frame as usize * frames.bones()..][..frames.bones()];
        planes.put(Place::Frame(frame), |bone| {
            let column = frames.joints.binary_search(&rig.bones[bone].joint);
            transforms[column.unwrap_or(0)]
        });
    }
    planes.put(Place::Rest, |bone| rig.bones[bone].rest);
    let mesh = VirtualMesh::new(character, &rig)?;
    let (grid, positions, mut atlases) = planes.finish();
    let morphs = bake_morph_weights(character, &frames, plan, settings, &mut atlases)?;
    let layout = BoneLayout {
        code: BoneCode::AxisPlanes,
        grid,
        positions,
        bones: rig.bones.iter().enumerate().map(entry).collect(),
        ranges: Vec::new(),
        scale_range: None,
        rest_row: true,
        color_bones: mesh.color_bones(),
        weights: mesh.layout(atlases.len()),
    };
    Ok(BakedBones {
        layout,
        morphs,
        atlases,
        virtual_mesh: Some(mesh),
        metres_per_unit: 1.0,
        inverse_bind_duals: Vec::new(),
    })
}

fn entry((index, bone): (usize, &rig::VirtualBone)) -> BoneEntry {
    BoneEntry {
        joint: bone.joint,
        first_value: 3 * index as u32,
        scale: bone.scale,
        rotation: DQuat::IDENTITY.to_array(),
        has_scale: false,
    }
}

/// Row of a texture.
#[derive(Clone, Copy)]
enum Place {
    Rest,
    Frame(u32),
}

/// Planes of axes and positions: bone `b` of `n` has texels `b`, `n + b` and `2 n + b`, or `b` of a texture of positions.
struct Planes {
    bones: usize,
    axes: Atlas,
    positions: Option<Atlas>,
}

impl Planes {
    fn new(
        rig: &VirtualRig,
        plan: &BakePlan,
        settings: &BakeSettings,
        preset: Preset,
    ) -> Result<Self, BakeError> {
        let bones = rig.bones.len();
        let atlas = |name, planes: usize, format| {
            let contents = Contents {
                name,
                format,
                items: (planes * bones) as u32,
                metadata_rows: 0,
            };
            Atlas::rest_and_rows(contents, plan, settings, preset.name())
        };
        let (axes, positions) = match preset {
            Preset::P3VirtualBonesSplit => {
                let mut axes = atlas("rotations", 2, TexelFormat::Rgb16Unorm)?;
                axes.grid.texture = 1;
                let positions = atlas("translations", 1, TexelFormat::Rgb32Float)?;
                (axes, Some(positions))
            }
            _ => (atlas("bones", 3, TexelFormat::Rgb32Float)?, None),
        };
        Ok(Self {
            bones,
            axes,
            positions,
        })
    }

    /// Writes a row of bones in model space. Scale is left out.
    fn put(&mut self, place: Place, transform_of: impl Fn(usize) -> DAffine3) {
        let mut planes: [Vec<f64>; 3] = Default::default();
        for transform in (0..self.bones).map(transform_of) {
            let rotation = glam::DMat3::from_quat(parts(&transform, DQuat::IDENTITY).rotation);
            let vectors = [rotation.x_axis, rotation.y_axis, transform.translation];
            for (plane, vector) in planes.iter_mut().zip(vectors) {
                plane.extend(vector.to_array());
            }
        }
        let write = |atlas: &mut Atlas, numbers: &[f64]| match place {
            Place::Rest => atlas.put_rest_row(numbers),
            Place::Frame(frame) => atlas.put_frame(frame, numbers),
        };
        match &mut self.positions {
            Some(positions) => {
                write(&mut self.axes, &planes[..2].concat());
                write(positions, &planes[2]);
            }
            None => write(&mut self.axes, &planes.concat()),
        }
    }

    /// Returns the grids, and the atlases in the order of their textures.
    fn finish(self) -> (Grid, Option<Grid>, Vec<Atlas>) {
        let grid = self.axes.grid.clone();
        let positions = self.positions.as_ref().map(|atlas| atlas.grid.clone());
        // Floats are first: their file format is that of the set.
        let atlases = self.positions.into_iter().chain([self.axes]);
        (grid, positions, atlases.collect())
    }
}
