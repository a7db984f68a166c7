//! A cylinder along Y around two bones, which meet at the origin.

use std::sync::Arc;

use glam::{DAffine3, DQuat, DVec3, Quat};
use throng_rig::{
    Character, CharacterParts, Clip, Influences, Interpolation, JointTracks, Mesh, ModelPose,
    Palette, Part, Skeleton, Skin, Skinning, Track, Transform,
};
use throng_skin::reference::{Skinned, skin};

use super::joint;

/// Ends of the bones, in metres.
pub const BOTTOM: f32 = -1.0;
/// See [`BOTTOM`].
pub const TOP: f32 = 1.0;

/// Twist of the clip of [`twisting`], in radians.
pub const TWIST: f64 = 2.4;

/// Half the height in which weights change, in metres.
const BLENDED: f64 = 0.4;

const SEGMENTS: usize = 16;
const RINGS: usize = 41;

/// Heights of the three joints; the last is the end of the second bone.
const HEADS: [f64; 3] = [BOTTOM as f64, 0.0, TOP as f64];

pub struct Limb {
    pub character: Character,
    pub radius: f64,
}

impl Limb {
    pub fn new(radius: f64) -> Self {
        let influences = |at: DVec3| {
            let top = weight_of_top(at.y);
            [1.0 - top, top, 0.0]
        };
        Self::of_shape(radius, |at| at, influences)
    }

    /// Curved, wider on one side and coarser at the top, with three influences.
    pub fn uneven(radius: f64) -> Self {
        let shape = |at: DVec3| {
            let wide = 1.0 + 0.3 * at.x / radius;
            DVec3::new(
                at.x * wide + 0.2 * at.y * at.y,
                at.y * (1.0 + 0.2 * at.y),
                at.z,
            )
        };
        let influences = |at: DVec3| {
            let top = weight_of_top(at.y);
            let third = 0.4 * (at.z / radius).max(0.0) * (1.0 - (at.y / 0.5).powi(2)).max(0.0);
            [(1.0 - top) * (1.0 - third), top * (1.0 - third), third]
        };
        Self::of_shape(radius, shape, influences)
    }

    fn of_shape(
        radius: f64,
        shape: impl Fn(DVec3) -> DVec3,
        influences: impl Fn(DVec3) -> [f64; 3],
    ) -> Self {
        let (mut positions, mut weights, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
        for ring in 0..RINGS {
            let along = ring as f64 / (RINGS - 1) as f64;
            for segment in 0..SEGMENTS {
                let angle = std::f64::consts::TAU * segment as f64 / SEGMENTS as f64;
                let y = f64::from(BOTTOM) + f64::from(TOP - BOTTOM) * along;
                let at = DVec3::new(radius * angle.cos(), y, radius * angle.sin());
                positions.push(shape(at).as_vec3());
                let of_joints = influences(at).into_iter().enumerate();
                weights.push(
                    of_joints
                        .map(|(joint, w)| (joint as u32, w))
                        .collect::<Vec<_>>(),
                );
                let next = (segment + 1) % SEGMENTS;
                let corner = |ring: usize, segment: usize| (ring * SEGMENTS + segment) as u32;
                if ring + 1 < RINGS {
                    let [a, b] = [corner(ring, segment), corner(ring, next)];
                    let [c, d] = [corner(ring + 1, segment), corner(ring + 1, next)];
                    triangles.extend([[a, c, b], [b, c, d]]);
                }
            }
        }
        let mesh = Mesh::new(positions, triangles, Influences::new(weights).unwrap()).unwrap();
        let (skeleton, skin) = rig();
        let part = Part {
            node: 0,
            node_name: String::new(),
            primitive: 0,
            mesh: 0,
            skin: 0,
            morph_set: None,
        };
        let character = Character::new(CharacterParts {
            name: "limb".into(),
            skeleton,
            skins: vec![skin],
            meshes: vec![mesh],
            parts: vec![part],
            morph_sets: vec![],
            clips: vec![],
            materials: vec![],
            images: vec![],
        });
        Self {
            character: character.unwrap(),
            radius,
        }
    }

    pub fn prepared(self, skinning: Skinning) -> Self {
        Self {
            character: throng_skin::prepare(self.character, skinning, &[]),
            ..self
        }
    }

    pub fn skinned(&self, skinning: impl Into<Skinning>, palette: &Palette) -> Vec<DVec3> {
        let mut out = Skinned::default();
        skin(
            skinning,
            &self.character.meshes()[0],
            &[],
            palette,
            &mut out,
        );
        out.positions
    }
}

/// Adds a clip that twists the second bone.
pub fn twisting(limb: Limb) -> Limb {
    let times: Arc<[f64]> = Arc::from([0.0, 1.0]);
    let keys = vec![Quat::IDENTITY, Quat::from_rotation_y(TWIST as f32)];
    let tracks = JointTracks {
        rotation: Some(Track::new(times, keys, Interpolation::Linear).unwrap()),
        ..JointTracks::new(1)
    };
    let mut parts = limb.character.into_parts();
    parts.clips = vec![Clip::new("twist".into(), vec![tracks], vec![]).unwrap()];
    Limb {
        character: Character::new(parts).unwrap(),
        ..limb
    }
}

/// Weight of the second bone at a height.
pub fn weight_of_top(y: f64) -> f64 {
    let t = ((y / BLENDED + 1.0) / 2.0).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn rig() -> (Skeleton, Skin) {
    let up = Transform::from_translation(DVec3::Y);
    let joints = vec![
        joint(None, Transform::from_translation(DVec3::Y * HEADS[0])),
        joint(Some(0), up),
        joint(Some(1), up),
    ];
    let skeleton = Skeleton::new(joints).unwrap();
    let bind = HEADS.map(|y| DAffine3::from_translation(DVec3::Y * -y));
    let skin = Skin::new("skin".into(), &skeleton, vec![0, 1, 2], bind.to_vec()).unwrap();
    (skeleton, skin)
}

/// Rotates the first two joints, each relative to its parent.
pub fn posed(rotations: [DQuat; 2]) -> Palette {
    let (_, skin) = rig();
    let [first, second] = rotations.map(DAffine3::from_quat);
    let up = DAffine3::from_translation(DVec3::Y);
    let root = DAffine3::from_translation(DVec3::Y * HEADS[0]) * first;
    let middle = root * up * second;
    let pose = ModelPose {
        model_from_joint: vec![root, middle, middle * up],
    };
    let mut palette = Palette::default();
    palette.update(&skin, &pose);
    palette
}

/// Ends of a bone in bind space, from the heights alone.
fn bone(joint: usize) -> [DVec3; 2] {
    let tail = HEADS[(joint + 1).min(2)];
    [HEADS[joint], tail].map(|y| DVec3::Y * y)
}

fn distance_from_segment([a, b]: [DVec3; 2], p: DVec3) -> f64 {
    if a == b || (p - a).dot(b - a) <= 0.0 {
        return p.distance(a);
    }
    if (p - b).dot(a - b) <= 0.0 {
        return p.distance(b);
    }
    (p - a).cross(b - a).length() / a.distance(b)
}

/// Distance of a point in bind space from the bone of a joint.
pub fn distance_at_rest(joint: usize, p: DVec3) -> f64 {
    distance_from_segment(bone(joint), p)
}

/// Distance of a point in model space from the posed bone of a joint.
pub fn distance_from_bone(palette: &Palette, joint: usize, p: DVec3) -> f64 {
    let matrix = palette.matrices()[joint];
    distance_from_segment(bone(joint).map(|end| matrix.transform_point3(end)), p)
}

/// Distance of a point in model space from the nearest of both posed bones.
pub fn distance_from_bones(palette: &Palette, p: DVec3) -> f64 {
    let [a, b] = [0, 1].map(|joint| distance_from_bone(palette, joint, p));
    a.min(b)
}

/// Centre of each vertex by the formula of Le and Hodgins (2016): the mean over the surface by similarity of
/// weights. `None` where nothing is similar.
pub fn integrated_centers(mesh: &Mesh) -> Vec<Option<DVec3>> {
    const PIECES: usize = 10;
    const SIGMA: f64 = 0.1;
    let weights = |vertex: usize| {
        let mut of_joints = [0.0; 3];
        for (joint, weight) in mesh.influences().of(vertex) {
            of_joints[joint] = weight;
        }
        of_joints
    };
    // Weights, position and area of each piece.
    let mut pieces = Vec::new();
    for triangle in mesh.triangles() {
        let corners = triangle.map(|v| mesh.positions()[v as usize].as_dvec3());
        let of_corners = triangle.map(|v| weights(v as usize));
        let area = (corners[1] - corners[0])
            .cross(corners[2] - corners[0])
            .length()
            / 2.0;
        for i in 0..PIECES {
            for j in 0..PIECES {
                // A square of pairs, folded into the triangle.
                let [mut u, mut v] = [i, j].map(|x| (x as f64 + 0.5) / PIECES as f64);
                if u + v > 1.0 {
                    (u, v) = (1.0 - u, 1.0 - v);
                }
                let shares = [1.0 - u - v, u, v];
                let mut mixed = [0.0; 3];
                let mut at = DVec3::ZERO;
                for corner in 0..3 {
                    at += corners[corner] * shares[corner];
                    for (sum, weight) in mixed.iter_mut().zip(of_corners[corner]) {
                        *sum += weight * shares[corner];
                    }
                }
                pieces.push((mixed, at, area / (PIECES * PIECES) as f64));
            }
        }
    }
    let center = |vertex: usize| {
        let p = weights(vertex);
        let (mut sum, mut total) = (DVec3::ZERO, 0.0);
        for (v, at, area) in &pieces {
            let mut similarity = 0.0;
            for j in 0..3 {
                for k in (0..3).filter(|&k| k != j) {
                    let difference = p[j] * v[k] - p[k] * v[j];
                    let near = (-(difference / SIGMA).powi(2)).exp();
                    similarity += p[j] * p[k] * v[j] * v[k] * near;
                }
            }
            sum += *at * (similarity * area);
            total += similarity * area;
        }
        (total > 0.0).then(|| sum / total)
    };
    (0..mesh.vertex_count()).map(center).collect()
}
