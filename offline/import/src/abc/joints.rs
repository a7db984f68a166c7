//! Conversion of transforms to joints and their tracks.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3, Quat, Vec3};
use throng_rig::{
    Decomposition, Interpolation, Joint, JointKind, JointTracks, Track, TrackError, Transform,
};

use super::archive::Archive;
use super::objects::{Objects, Schema, Use};
use super::report::{Notice, Report};
use super::xform::Xform;
use crate::Warning;
use crate::error::{Fault, Outcome};

/// Joints of a file, and their tracks.
#[derive(Default)]
pub(super) struct Joints {
    pub joints: Vec<Joint>,
    pub tracks: Vec<JointTracks>,
    /// Per use of an object, the joint that moves it; `None` above all joints.
    pub of_use: Vec<Option<usize>>,
}

impl Joints {
    /// Makes joints of the wanted transforms and those above them. Reports the number of other transforms.
    pub(super) fn build(
        archive: &Archive,
        objects: &Objects,
        uses: &[Use],
        wanted: &[bool],
        report: &mut Report,
        warnings: &mut Vec<Warning>,
    ) -> Outcome<Self> {
        let mut needed = wanted.to_vec();
        for (index, used) in uses.iter().enumerate().rev() {
            if needed[index]
                && let Some(parent) = used.parent
            {
                needed[parent] = true;
            }
        }
        let mut built = Self::default();
        let mut sheared = vec![false; objects.list.len()];
        let mut unused = 0;
        for (index, used) in uses.iter().enumerate() {
            let mut joint = used.parent.and_then(|parent| built.of_use[parent]);
            if objects.list[used.object].schema == Schema::Xform {
                match needed[index] {
                    true => {
                        let (added, shears) = built.add(archive, objects, used, joint)?;
                        joint = Some(added);
                        if shears && !std::mem::replace(&mut sheared[used.object], true) {
                            report.add(Notice::Sheared, &objects.label(used.object));
                        }
                    }
                    false => unused += 1,
                }
            }
            built.of_use.push(joint);
        }
        if unused > 0 {
            let count = crate::warning::count(unused, "transform", "transforms");
            warnings.push(Warning::Unused {
                what: format!("ignored {count} without a mesh below"),
            });
        }
        Ok(built)
    }

    /// Adds a joint that never moves.
    pub(super) fn add_still(&mut self, name: String) -> usize {
        self.push(name, None, Transform::IDENTITY, JointKind::Node)
    }

    fn push(
        &mut self,
        name: String,
        parent: Option<usize>,
        parent_from_joint: Transform,
        kind: JointKind,
    ) -> usize {
        self.joints.push(Joint {
            name,
            parent,
            parent_from_joint,
            kind,
        });
        self.joints.len() - 1
    }

    /// Adds the joint of a transform, or two where it shears in any sample. Returns the joint, and whether it shears.
    fn add(
        &mut self,
        archive: &Archive,
        objects: &Objects,
        used: &Use,
        parent: Option<usize>,
    ) -> Outcome<(usize, bool)> {
        let label = || objects.label(used.object);
        let read = || {
            let properties = objects.compound(archive, used.object, ".xform")?;
            let xform = Xform::read(archive, &properties)?;
            archive.charge(xform.samples.len() as u64, 160)?;
            Ok(xform)
        };
        let xform: Xform = read().map_err(|error: super::ogawa::ReadError| error.of(label()))?;
        let fault = |error: TrackError| Fault::data(label(), error);
        let parent = parent.filter(|_| xform.inherits);
        let (outers, inners) = split(&xform.samples);
        let name = used.name.clone();
        let times = &xform.times;
        if inners.is_empty() {
            let joint = self.push(name, parent, outers[0], JointKind::Node);
            self.tracks
                .extend(tracks(joint, times, &outers).map_err(fault)?);
            return Ok((joint, false));
        }
        let stretch = format!("{name}_stretch");
        let outer = self.push(stretch, parent, outers[0], JointKind::Stretch);
        self.tracks
            .extend(tracks(outer, times, &outers).map_err(fault)?);
        let joint = self.push(name, Some(outer), inners[0], JointKind::Node);
        self.tracks
            .extend(tracks(joint, times, &inners).map_err(fault)?);
        Ok((joint, true))
    }
}

/// Returns the outer and the inner transform of each sample. There are no inner ones if no sample shears.
///
/// Singular values may come in any order. Each sample takes the order with the smallest rotation from the one before.
fn split(samples: &[Decomposition]) -> (Vec<Transform>, Vec<Transform>) {
    let shears = |sample: &Decomposition| matches!(sample, Decomposition::Sheared { .. });
    let is_sheared = samples.iter().any(shears);
    let mut outers: Vec<Transform> = Vec::with_capacity(samples.len());
    let mut inners: Vec<Transform> = Vec::new();
    for sample in samples {
        match (*sample, is_sheared) {
            (Decomposition::Trs(transform), false) => outers.push(transform),
            (Decomposition::Trs(outer), true) => {
                push_nearest(outer, Transform::IDENTITY, &mut outers, &mut inners);
            }
            (Decomposition::Sheared { outer, inner }, _) => {
                push_nearest(outer, inner, &mut outers, &mut inners);
            }
        }
    }
    (outers, inners)
}

fn push_nearest(
    outer: Transform,
    inner: Transform,
    outers: &mut Vec<Transform>,
    inners: &mut Vec<Transform>,
) {
    let (mut best, mut nearest) = ((outer, inner), f64::NEG_INFINITY);
    if let (Some(last_outer), Some(last_inner)) = (outers.last(), inners.last()) {
        for axes in axis_rotations() {
            let rotation = DQuat::from_mat3(&axes);
            let rotated_outer = Transform {
                rotation: (outer.rotation * rotation).normalize(),
                scale: axes.transpose().abs_mul(outer.scale),
                ..outer
            };
            let rotated_inner = Transform {
                rotation: (rotation.inverse() * inner.rotation).normalize(),
                ..inner
            };
            let near = rotated_outer.rotation.dot(last_outer.rotation).abs()
                + rotated_inner.rotation.dot(last_inner.rotation).abs();
            if near > nearest + 1e-9 {
                (best, nearest) = ((rotated_outer, rotated_inner), near);
            }
        }
    }
    outers.push(best.0);
    inners.push(best.1);
}

trait AbsMul {
    fn abs_mul(&self, vector: DVec3) -> DVec3;
}

impl AbsMul for DMat3 {
    /// Multiplies by the absolute values of the matrix: permutes scales without their signs.
    fn abs_mul(&self, vector: DVec3) -> DVec3 {
        DMat3::from_cols(self.x_axis.abs(), self.y_axis.abs(), self.z_axis.abs()) * vector
    }
}

/// Returns the 24 rotations that take axes to axes.
fn axis_rotations() -> impl Iterator<Item = DMat3> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let signed = move |i: usize| axes[i % 3] * if i < 3 { 1.0 } else { -1.0 };
    let pairs = (0..6).flat_map(move |x| (0..6).map(move |y| (signed(x), signed(y))));
    let pairs = pairs.filter(|(x, y)| x.dot(*y) == 0.0);
    pairs.map(|(x, y)| DMat3::from_cols(x, y, x.cross(y)))
}

/// Makes tracks of the channels that change; `None` if none does.
fn tracks(
    joint: usize,
    times: &Arc<[f64]>,
    samples: &[Transform],
) -> Result<Option<JointTracks>, TrackError> {
    if times.is_empty() {
        return Ok(None);
    }
    let mut tracks = JointTracks::new(joint);
    let vectors = |of: fn(&Transform) -> DVec3| {
        let values: Vec<Vec3> = samples.iter().map(|sample| of(sample).as_vec3()).collect();
        let changes = values.windows(2).any(|pair| pair[0] != pair[1]);
        let track = changes.then(|| Track::new(times.clone(), values, Interpolation::Linear));
        track.transpose()
    };
    tracks.translation = vectors(|sample| sample.translation)?;
    tracks.scale = vectors(|sample| sample.scale)?;
    let mut rotations: Vec<Quat> = Vec::with_capacity(samples.len());
    for sample in samples {
        let rotation = sample.rotation.as_quat().normalize();
        let last = rotations.last().copied().unwrap_or(rotation);
        // Successive keys are on one hemisphere.
        let sign = if rotation.dot(last) < 0.0 { -1.0 } else { 1.0 };
        rotations.push(rotation * sign);
    }
    if rotations.windows(2).any(|pair| pair[0] != pair[1]) {
        let track = Track::new(times.clone(), rotations, Interpolation::Linear);
        tracks.rotation = Some(track?);
    }
    let changes =
        tracks.translation.is_some() || tracks.rotation.is_some() || tracks.scale.is_some();
    Ok(changes.then_some(tracks))
}

#[cfg(test)]
mod tests {
    use glam::DAffine3;

    use super::*;

    #[test]
    fn there_are_24_axis_rotations() {
        let rotations: Vec<DMat3> = axis_rotations().collect();
        assert_eq!(rotations.len(), 24);
        assert!(rotations.iter().all(|axes| axes.determinant() == 1.0));
    }

    #[test]
    fn a_shear_that_grows_is_two_joints_that_rotate_steadily() {
        let matrix = |t: f64| {
            let mut matrix = DAffine3::from_scale(DVec3::new(1.0, 2.0, 1.5 + 0.3 * t));
            matrix.matrix3.y_axis.x = t;
            matrix
        };
        let samples: Vec<_> = (0..=20)
            .map(|i| Transform::decompose(&matrix(f64::from(i) * 0.1)))
            .collect();
        let (outers, inners) = split(&samples);
        assert_eq!(inners.len(), samples.len());
        for (i, (outer, inner)) in outers.iter().zip(&inners).enumerate() {
            let found = outer.to_affine() * inner.to_affine();
            assert!(
                found.abs_diff_eq(matrix(i as f64 * 0.1), 1e-9),
                "{i}: {found:?}"
            );
        }
        for list in [&outers, &inners] {
            for pair in list.windows(2) {
                let angle = 2.0 * pair[0].rotation.dot(pair[1].rotation).abs().min(1.0).acos();
                assert!(angle < 0.2, "{angle}");
            }
        }
    }
}
