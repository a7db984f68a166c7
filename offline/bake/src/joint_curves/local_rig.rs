//! Effect of errors at joints on vertices.

use glam::DVec3;
use throng_rig::{Character, CharacterPose};

/// The joints that a set needs, and the effect of their errors on vertices.
#[derive(Debug)]
pub struct LocalRig {
    /// Joints that move vertices, and their ancestors; parents before children.
    pub bones: Vec<usize>,
    /// Index of each bone's parent among the bones.
    pub parents: Vec<Option<usize>>,
    /// Largest displacement of a vertex in metres per radian of rotation.
    pub reach: Vec<f64>,
    /// The same of vertices that the bone moves itself.
    own_reach: Vec<f64>,
    /// Distance of each bone from its parent in metres.
    offset: Vec<f64>,
    /// Largest displacement of a vertex per metre of translation.
    pub carry: Vec<f64>,
    /// Scale of the parent's space in the model.
    pub parent_scale: Vec<f64>,
    /// All unique positions of all parts.
    pub vertices: Vertices,
    /// A few vertices of each bone: those farthest from it.
    pub probes: Vec<usize>,
}

/// Vertices and influences for linear blend skinning.
#[derive(Debug, Default)]
pub struct Vertices {
    /// Start of each vertex's influences, and the end of the last.
    starts: Vec<usize>,
    influences: Vec<Influence>,
}

/// A bone that moves a vertex.
#[derive(Debug, Clone, Copy)]
pub struct Influence {
    /// Index into [`LocalRig::bones`].
    pub bone: usize,
    /// Weight; the weights of a vertex add up to one.
    pub weight: f64,
    /// Position of the vertex in joint space.
    pub in_joint: DVec3,
    /// Position times weight, and the weight.
    pub weighted: [f32; 4],
}

impl Vertices {
    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns the influences of a vertex, heaviest first.
    pub fn of(&self, vertex: usize) -> &[Influence] {
        &self.influences[self.starts[vertex]..self.starts[vertex + 1]]
    }
}

/// Number of probes per bone of a skeleton that is not large.
const PROBES: usize = 6;
/// Number of bones above which two probes per bone are enough.
const MANY_BONES: usize = 400;
/// Smallest weight of a bone on its probes.
const MIN_PROBE_WEIGHT: f64 = 0.25;

impl LocalRig {
    /// `pose` is any pose of the character.
    pub fn new(character: &Character, pose: &CharacterPose) -> Self {
        let joints = character.skeleton().joints();
        let mut needed = vec![false; joints.len()];
        for part in character.parts() {
            let influences = character.mesh_of(part).influences();
            let skin = character.skin_of(part);
            for vertex in 0..influences.vertex_count() {
                for (palette_index, weight) in influences.of(vertex) {
                    needed[skin.joints()[palette_index]] |= weight > 0.0;
                }
            }
        }
        for joint in (0..joints.len()).rev() {
            if let Some(parent) = joints[joint].parent {
                needed[parent] |= needed[joint];
            }
        }
        let bones: Vec<usize> = (0..joints.len()).filter(|&joint| needed[joint]).collect();
        let mut bone_of = vec![usize::MAX; joints.len()];
        for (bone, &joint) in bones.iter().enumerate() {
            bone_of[joint] = bone;
        }
        let parents: Vec<Option<usize>> = bones
            .iter()
            .map(|&joint| joints[joint].parent.map(|parent| bone_of[parent]))
            .collect();
        let model = &pose.model.model_from_joint;
        let parent_scale = bones.iter().map(|&joint| {
            let parent = joints[joint].parent;
            parent.map_or(1.0, |p| model[p].matrix3.determinant().abs().cbrt())
        });
        let offset = bones.iter().map(|&joint| {
            let parent = joints[joint].parent;
            parent.map_or(0.0, |p| {
                model[p].translation.distance(model[joint].translation)
            })
        });
        let mut rig = Self {
            offset: offset.collect(),
            own_reach: vec![0.0; bones.len()],
            reach: vec![0.0; bones.len()],
            carry: vec![0.0; bones.len()],
            parent_scale: parent_scale.collect(),
            vertices: Vertices {
                starts: vec![0],
                influences: Vec::new(),
            },
            probes: Vec::new(),
            bones,
            parents,
        };
        rig.measure(character, pose, &bone_of);
        rig
    }

    /// Returns the largest displacement of a vertex in metres per radian of rotation of each bone, where children that
    /// rotate by curves compensate the rotation: only their joints move with it. No less than that of a child, so that
    /// children have little to compensate.
    pub fn compensated_reach(&self, rotates: impl Fn(usize) -> bool) -> Vec<f64> {
        let mut reach = self.own_reach.clone();
        for bone in (0..self.bones.len()).rev() {
            let Some(parent) = self.parents[bone] else {
                continue;
            };
            let offset = self.carry[bone] * self.offset[bone];
            let through = match rotates(bone) {
                true => offset.max(0.5 * reach[bone]),
                false => offset + reach[bone],
            };
            reach[parent] = reach[parent].max(through);
        }
        reach
    }

    fn measure(&mut self, character: &Character, pose: &CharacterPose, bone_of: &[usize]) {
        let model = &pose.model.model_from_joint;
        // The farthest vertex per bone and direction.
        let mut extremes: Vec<[Option<(f64, usize)>; PROBES]> =
            vec![Default::default(); self.bones.len()];
        let mut weights = vec![0.0; self.bones.len()];
        let mut touched: Vec<usize> = Vec::new();
        let directions = if self.bones.len() > MANY_BONES {
            2
        } else {
            PROBES
        };
        for part in character.parts() {
            let mesh = character.mesh_of(part);
            let skin = character.skin_of(part);
            for &vertex in mesh.unique().first_of_position() {
                let vertex = vertex as usize;
                let position = mesh.positions()[vertex].as_dvec3();
                let mut posed = DVec3::ZERO;
                for (palette_index, weight) in mesh.influences().of(vertex) {
                    let joint = skin.joints()[palette_index];
                    let in_joint = skin.joint_from_bind()[palette_index].transform_point3(position);
                    posed += weight * model[joint].transform_point3(in_joint);
                    self.vertices.influences.push(Influence {
                        bone: bone_of[joint],
                        weight,
                        in_joint,
                        weighted: (weight * in_joint).extend(weight).as_vec4().to_array(),
                    });
                    let mut bone = Some(bone_of[joint]);
                    while let Some(b) = bone {
                        if weights[b] == 0.0 {
                            touched.push(b);
                        }
                        weights[b] += weight;
                        bone = self.parents[b];
                    }
                }
                for &b in &touched {
                    let distance = posed.distance(model[self.bones[b]].translation);
                    self.reach[b] = self.reach[b].max(weights[b] * distance);
                    self.carry[b] = self.carry[b].max(weights[b]);
                    weights[b] = 0.0;
                }
                touched.clear();
                self.vertices.starts.push(self.vertices.influences.len());
                let index = self.vertices.len() - 1;
                for &Influence {
                    bone,
                    weight,
                    in_joint,
                    ..
                } in self.vertices.of(index)
                {
                    let distance = posed.distance(model[self.bones[bone]].translation);
                    self.own_reach[bone] = self.own_reach[bone].max(weight * distance);
                    if weight < MIN_PROBE_WEIGHT {
                        continue;
                    }
                    for (direction, extreme) in
                        extremes[bone].iter_mut().enumerate().take(directions)
                    {
                        let axis = direction / 2;
                        let side = if direction % 2 == 0 { 1.0 } else { -1.0 };
                        let out = if directions == 2 {
                            side * in_joint.length()
                        } else {
                            side * in_joint[axis]
                        };
                        if extreme.is_none_or(|(farthest, _)| weight * out > farthest) {
                            *extreme = Some((weight * out, index));
                        }
                    }
                }
            }
        }
        self.probes = extremes
            .iter()
            .flatten()
            .flatten()
            .map(|&(_, v)| v)
            .collect();
        self.probes.sort_unstable();
        self.probes.dedup();
    }
}
