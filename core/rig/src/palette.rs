//! Palettes: for each joint of a skin, the transform from bind space to model space.

use std::sync::Arc;

use glam::{DAffine3, DMat3, DVec3};

use crate::polar_f32::{polar_of_f32, rotation_of_f32};
use crate::{BoneSegment, DualQuat, ModelPose, Polar, Skin, polar_like};

/// Polar decomposition of a matrix, with the reflection of its parent.
type SplitMatrix = fn(&DMat3, Option<DMat3>) -> Polar;

/// One motion per joint of a skin, as matrices and as dual quaternions. Made once, then reused.
///
/// Dual quaternions are rigid. Scale, shear and reflection are split off each matrix as a stretch that is
/// applied first: `matrix = rigid * stretch`. Stretches are computed from the roots down:
///
/// - The bind position of a joint moves with its parent's stretch, so that the rigid parts of both agree at
///   the joint.
/// - If a joint and its parent mirror, both use the parent's reflection.
///
/// A scaled or mirrored character therefore keeps its shape.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    matrices: Vec<DAffine3>,
    rigid: Vec<DualQuat>,
    aligned: Vec<DualQuat>,
    stretches: Vec<DAffine3>,
    reflections: Vec<Option<DMat3>>,
    root_sizes: Vec<f64>,
    bones: Arc<[BoneSegment]>,
    is_rigid: bool,
}

impl Palette {
    /// Multiplies the joints of a pose by the inverse bind matrices of a skin.
    pub fn update(&mut self, skin: &Skin, pose: &ModelPose) {
        self.update_matrices(skin, pose);
        self.set_bones(skin);
        self.split(skin, polar_like);
        self.align(skin);
    }

    /// [`Self::update`] from matrices that were computed in float32. Stretches that are rounding are left out.
    pub(crate) fn update_from_f32(
        &mut self,
        skin: &Skin,
        matrices: impl Iterator<Item = DAffine3>,
    ) {
        self.matrices.clear();
        self.matrices.extend(matrices);
        self.set_bones(skin);
        if !self.set_rotations() {
            self.split(skin, polar_of_f32);
        }
        self.align(skin);
    }

    /// Sets rigid parts and stretches if no joint stretches, and returns true; else they must be split.
    fn set_rotations(&mut self) -> bool {
        self.rigid.clear();
        for matrix in &self.matrices {
            let Some(rotation) = rotation_of_f32(&matrix.matrix3) else {
                return false;
            };
            let rigid = DualQuat::from_rotation_translation(rotation, matrix.translation);
            self.rigid.push(rigid);
        }
        self.stretches.clear();
        self.stretches.resize(self.len(), DAffine3::IDENTITY);
        self.is_rigid = true;
        true
    }

    /// [`Self::update`] for linear blend skinning, which needs no more than [`Self::matrices`]. Dual quaternions and
    /// stretches keep their values.
    pub fn update_matrices(&mut self, skin: &Skin, pose: &ModelPose) {
        let joints = skin.joints().iter();
        let matrices = joints
            .zip(skin.joint_from_bind())
            .map(|(&joint, &joint_from_bind)| pose.model_from_joint[joint] * joint_from_bind);
        self.matrices.clear();
        self.matrices.extend(matrices);
    }

    /// Makes a palette of the nodes of a deformation graph: one transform per node, about its centre,
    /// `v ↦ T(v − c) + c`.
    pub fn from_nodes(transforms: &[DAffine3], centres: &[DVec3]) -> Self {
        let about = |(transform, &centre): (&DAffine3, &DVec3)| {
            DAffine3::from_translation(centre) * *transform * DAffine3::from_translation(-centre)
        };
        let mut palette = Self {
            matrices: transforms.iter().zip(centres).map(about).collect(),
            ..Self::default()
        };
        let bone = |&head| BoneSegment { head, tail: head };
        palette.bones = centres.iter().map(bone).collect();
        let order: Vec<usize> = (0..palette.len()).collect();
        palette.split_about(centres, &vec![None; palette.len()], &order, polar_like);
        palette.aligned = palette.rigid.clone();
        palette
    }

    fn split(&mut self, skin: &Skin, polar: SplitMatrix) {
        let (parents, parents_first) = (skin.parents(), skin.parents_first());
        self.split_about(skin.bind_positions(), parents, parents_first, polar);
    }

    fn split_about(
        &mut self,
        centres: &[DVec3],
        parents: &[Option<usize>],
        parents_first: &[usize],
        polar: SplitMatrix,
    ) {
        self.rigid.resize(self.len(), DualQuat::IDENTITY);
        self.stretches.resize(self.len(), DAffine3::IDENTITY);
        self.reflections.resize(self.len(), None);
        for &index in parents_first {
            let of_parent = parents[index].and_then(|parent| self.reflections[parent]);
            let parts = polar(&self.matrices[index].matrix3, of_parent);
            self.rigid[index].real = parts.rotation;
            self.stretches[index].matrix3 = parts.stretch;
            self.reflections[index] = parts.reflection;
        }
        self.is_rigid = true;
        let root_size = self.root_size(parents);
        for &index in parents_first {
            let centre = centres[index];
            let stretched_centre = match parents[index] {
                Some(parent) => self.stretches[parent].transform_point3(centre),
                None => centre * root_size,
            };
            let stretch = &mut self.stretches[index];
            stretch.translation = stretched_centre - stretch.matrix3 * centre;
            let rotation = self.rigid[index].real;
            let moved_centre = self.matrices[index].transform_point3(centre);
            let translation = moved_centre - rotation * stretched_centre;
            self.rigid[index] = DualQuat::from_rotation_translation(rotation, translation);
            self.is_rigid &= *stretch == DAffine3::IDENTITY;
        }
    }

    /// Returns the size of the stretch of the root, the median if there are several. A scale that all roots
    /// share must not tear them apart, and a root that scales alone must not move the others.
    fn root_size(&mut self, parents: &[Option<usize>]) -> f64 {
        let roots = self.stretches.iter().zip(parents);
        let roots = roots.filter(|(_, parent)| parent.is_none());
        self.root_sizes.clear();
        self.root_sizes
            .extend(roots.map(|(stretch, _)| stretch.matrix3.determinant().abs().cbrt()));
        let middle = self.root_sizes.len() / 2;
        match self.root_sizes.as_mut_slice() {
            [] => 1.0,
            sizes => *sizes.select_nth_unstable_by(middle, f64::total_cmp).1,
        }
    }

    fn set_bones(&mut self, skin: &Skin) {
        if !Arc::ptr_eq(&self.bones, skin.bones()) {
            self.bones = Arc::clone(skin.bones());
        }
    }

    /// Moves each child to the hemisphere of its parent, from the roots down.
    fn align(&mut self, skin: &Skin) {
        self.aligned.clear();
        self.aligned.extend_from_slice(&self.rigid);
        for &index in skin.parents_first() {
            if let Some(parent) = skin.parents()[index] {
                self.aligned[index] = self.rigid[index].aligned_to(self.aligned[parent]);
            }
        }
    }

    /// `model_from_bind` of each joint.
    pub fn matrices(&self) -> &[DAffine3] {
        &self.matrices
    }

    /// Rigid part of each joint's motion. Signs are those of the rotations.
    pub fn rigid(&self) -> &[DualQuat] {
        &self.rigid
    }

    /// [`Self::rigid`] with each child in the hemisphere of its parent.
    pub fn aligned(&self) -> &[DualQuat] {
        &self.aligned
    }

    /// Stretch of each joint, applied before the rigid part: scale, shear and reflection.
    pub fn stretches(&self) -> &[DAffine3] {
        &self.stretches
    }

    /// Bone of each joint, in bind space. Those of a deformation graph are points, the centres of its nodes.
    pub fn bones(&self) -> &[BoneSegment] {
        &self.bones
    }

    /// Returns true if every stretch is the identity.
    pub fn is_rigid(&self) -> bool {
        self.is_rigid
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.matrices.len()
    }

    /// Returns true before the first update.
    pub fn is_empty(&self) -> bool {
        self.matrices.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Joint, JointKind, Skeleton, Transform};
    use glam::DQuat;
    use proptest::prelude::*;

    fn matrix() -> impl Strategy<Value = DAffine3> {
        (
            prop::array::uniform9(-2.0..2.0f64),
            prop::array::uniform3(-2.0..2.0f64),
        )
            .prop_map(|(m, t)| DAffine3 {
                matrix3: DMat3::from_cols_array(&m),
                translation: DVec3::from_array(t),
            })
    }

    proptest! {
        #[test]
        fn stretch_then_rigid_equals_the_matrix(m in matrix(), c in prop::array::uniform3(-2.0..2.0f64)) {
            let centre = DVec3::from_array(c);
            let palette = Palette::from_nodes(&[m], &[centre]);
            let product = palette.rigid()[0].to_affine() * palette.stretches()[0];
            prop_assert!(product.abs_diff_eq(palette.matrices()[0], 1e-10));
            // The stretch scales the distance of the centre from the origin, and does not move it otherwise.
            let stretched = palette.stretches()[0].transform_point3(centre);
            let size = m.matrix3.determinant().abs().cbrt();
            prop_assert!(stretched.abs_diff_eq(centre * size, 1e-11));
        }

        #[test]
        fn node_transform_is_about_its_centre(m in matrix(), c in prop::array::uniform3(-2.0..2.0f64), v in prop::array::uniform3(-2.0..2.0f64)) {
            let (c, v) = (DVec3::from_array(c), DVec3::from_array(v));
            let palette = Palette::from_nodes(&[m], &[c]);
            let expected = m.transform_point3(v - c) + c;
            prop_assert!(palette.matrices()[0].transform_point3(v).abs_diff_eq(expected, 1e-11));
        }
    }

    #[test]
    fn children_are_aligned_to_parents_listed_after_them() {
        let rotated = |degrees: f64| Transform {
            rotation: DQuat::from_rotation_z(degrees.to_radians()),
            ..Transform::IDENTITY
        };
        let joints = [(None, 0.0), (Some(0), 100.0), (Some(1), 100.0)];
        let joints = joints.map(|(parent, degrees)| Joint {
            name: String::new(),
            parent,
            parent_from_joint: rotated(degrees),
            kind: JointKind::Bone,
        });
        let skeleton = Skeleton::new(joints.to_vec()).unwrap();
        let skin = Skin::new(
            String::new(),
            &skeleton,
            vec![2, 1, 0],
            vec![DAffine3::IDENTITY; 3],
        )
        .unwrap();
        let mut pose = ModelPose::default();
        let local = crate::LocalPose {
            joints: skeleton
                .joints()
                .iter()
                .map(|j| j.parent_from_joint)
                .collect(),
            morph_weights: Vec::new(),
        };
        pose.resolve(&skeleton, &local);
        let mut palette = Palette::default();
        palette.update(&skin, &pose);
        let aligned = palette.aligned();
        assert!(aligned[0].dot_real(aligned[1]) > 0.0);
        assert!(aligned[1].dot_real(aligned[2]) > 0.0);
        assert!(palette.is_rigid());
    }
}
