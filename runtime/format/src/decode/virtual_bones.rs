//! `virtual-bones`: two axes and a position, and the skinning of P3.

use glam::{DAffine3, DMat3, DVec3};

use super::BonePose;
use super::bones::rest_row;
use super::frame::{Frame, in_range};
use crate::{BoneLayout, Channels, FrameInterpolation, Layout, Range, TextureSet};

/// Two axes of a rotation and a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoneAxes {
    /// P3's θ: the transformed X axis.
    pub theta: DVec3,
    /// P3's φ: the transformed Y axis.
    pub phi: DVec3,
    /// The transformed origin.
    pub translation: DVec3,
}

impl BoneAxes {
    /// Affine transform. The third axis is the cross product of the two (equation 6).
    pub fn to_affine(self) -> DAffine3 {
        let Self { theta, phi, .. } = self;
        DAffine3 {
            matrix3: DMat3::from_cols(theta, phi, theta.cross(phi)),
            translation: self.translation,
        }
    }
}

/// Reads a bone from three texels, each an item of a frame: two axes and a position.
pub fn axes(texels: [(&Frame<'_>, u32); 3], range: Option<&Range>) -> BoneAxes {
    let [theta, phi, unit] =
        texels.map(|(frame, item)| DVec3::from_array([0, 1, 2].map(|k| frame.signed(item, k))));
    let axis = |axis: usize| in_range(unit[axis], range, axis);
    BoneAxes {
        theta,
        phi,
        translation: DVec3::new(axis(0), axis(1), axis(2)),
    }
}

/// Interpolates linearly, as a filtered fetch does. With [`FrameInterpolation::Nlerp`], the axes are then
/// orthonormalised.
pub fn mix_axes(
    from: &BoneAxes,
    to: &BoneAxes,
    fraction: f64,
    interpolation: FrameInterpolation,
) -> BoneAxes {
    let mut mixed = BoneAxes {
        theta: from.theta.lerp(to.theta, fraction),
        phi: from.phi.lerp(to.phi, fraction),
        translation: from.translation.lerp(to.translation, fraction),
    };
    if interpolation == FrameInterpolation::Nlerp {
        mixed.theta = mixed.theta.normalize_or(DVec3::X);
        let across = mixed.phi - mixed.theta * mixed.theta.dot(mixed.phi);
        mixed.phi = across.normalize_or(mixed.theta.any_orthonormal_vector());
    }
    mixed
}

/// The skinning of P3: bone indices from vertex colours, weights from a texture (or one bone per vertex), and the bind
/// pose from the row above the first frame.
#[derive(Debug, Clone)]
pub struct VirtualSkin<'s> {
    set: &'s TextureSet,
    layout: &'s BoneLayout,
    weights: Option<Channels<'s>>,
    rest: Vec<DAffine3>,
    first_vertices: Vec<usize>,
}

impl<'s> VirtualSkin<'s> {
    /// Skinning of a set in the layout of P3; `None` for other sets.
    pub fn of(set: &'s TextureSet) -> Option<Self> {
        let Layout::Bones(layout) = &set.manifest().layout else {
            return None;
        };
        if layout.color_bones == 0 {
            return None;
        }
        let weights = layout.weights.as_ref();
        let mut first = 0;
        let parts = set.manifest().parts.iter().map(|part| {
            first += part.vertices as usize;
            first - part.vertices as usize
        });
        Some(Self {
            set,
            layout,
            weights: weights.map(|weights| Channels::of(&set.textures()[weights.texture])),
            rest: rest_row(set, layout)?,
            first_vertices: parts.collect(),
        })
    }

    /// Bone indices and weights of a vertex of a part. The last weight is one minus the sum of the others (equation 7).
    pub fn influences(&self, part: usize, vertex: usize) -> [(usize, f64); 4] {
        let mesh = self.set.model().parts()[part].mesh;
        let texel = self.first_vertices[part] + vertex;
        let [a, b, c] = match &self.weights {
            Some(weights) => [0, 1, 2].map(|channel| weights.get(texel, channel)),
            None => [1.0, 0.0, 0.0],
        };
        let color = self.set.bone_colors()[mesh][vertex];
        let last = self.layout.bones.len() - 1;
        let bone = |channel: usize| usize::from(color[channel]).min(last);
        [
            (bone(0), a),
            (bone(1), b),
            (bone(2), c),
            (bone(3), 1.0 - (a + b + c)),
        ]
    }

    /// Position and normal of a vertex by equations 2 and 3. Their `T_j⁻¹` is the rotation from bind pose to pose (P3
    /// writes vectors as rows), and the translation added last is that of the pose.
    pub fn vertex(&self, part: usize, vertex: usize, pose: &BonePose) -> (DVec3, DVec3) {
        let mesh = self.set.model().mesh_of(&self.set.model().parts()[part]);
        let position = mesh.positions()[vertex].as_dvec3();
        let normal = mesh.normals()[vertex].as_dvec3();
        let mut out = (DVec3::ZERO, DVec3::ZERO);
        for (bone, weight) in self.influences(part, vertex) {
            let rest = &self.rest[bone];
            let posed = &pose.model_from_joint[self.layout.bones[bone].joint];
            let rotation = posed.matrix3 * rest.matrix3.inverse();
            out.0 += (rotation * (position - rest.translation) + posed.translation) * weight;
            out.1 += (rotation * normal) * weight;
        }
        (out.0, out.1.normalize_or(normal))
    }
}
