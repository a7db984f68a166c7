//! Collection of meshes, skins and parts.

use std::collections::{BTreeMap, HashMap};

use throng_rig::{Mesh, Part, Skin};

use super::document::Document;
use super::meshes::{self, Binding};
use super::primitive::PrimitiveReader;
use super::skeleton::Joints;
use super::skins;
use crate::error::{Fault, Outcome};
use crate::limits::MAX_PARTS;
use crate::{ImportOptions, Warning};

/// Meshes, skins and parts of a character. Each object of the file is read once, however often it is used.
pub(super) struct Assembly<'r, 'a> {
    document: &'r Document<'a>,
    joints: &'r Joints,
    options: &'r ImportOptions,
    /// Per joint, true if its model transform mirrors in the rest pose.
    mirrored: Vec<bool>,
    /// By mesh of the file, the smallest number of joints of its skins.
    fewest_joints: HashMap<usize, usize>,
    pub skins: Vec<Skin>,
    /// Index in `skins` by skin of the file.
    skin_of: HashMap<usize, usize>,
    pub meshes: Vec<Mesh>,
    /// Index in `meshes` by mesh and primitive of the file; `None` if it cannot be drawn.
    mesh_of: HashMap<(usize, usize, Binding), Option<usize>>,
    pub parts: Vec<Part>,
    pub morph_sets: Vec<(String, Vec<f32>)>,
    /// By node, its morph set and the number of weights.
    pub morph_set_of_node: BTreeMap<usize, (usize, usize)>,
}

impl<'r, 'a> Assembly<'r, 'a> {
    pub(super) fn new(
        document: &'r Document<'a>,
        joints: &'r Joints,
        drawn: &[usize],
        options: &'r ImportOptions,
    ) -> Self {
        let mut fewest_joints = HashMap::new();
        for node in drawn.iter().map(|&node| &document.root.nodes[node]) {
            if let (Some(mesh), Some(skin)) = (node.mesh, node.skin) {
                let count = document.root.skins[skin].joints.len();
                let fewest = fewest_joints.entry(mesh).or_insert(count);
                *fewest = count.min(*fewest);
            }
        }
        let mut mirrored: Vec<bool> = Vec::with_capacity(joints.skeleton.len());
        for joint in joints.skeleton.joints() {
            let above = joint.parent.is_some_and(|parent| mirrored[parent]);
            let mirrors = joint.parent_from_joint.scale.element_product() < 0.0;
            mirrored.push(above ^ mirrors);
        }
        Self {
            document,
            joints,
            options,
            mirrored,
            fewest_joints,
            skins: Vec::new(),
            skin_of: HashMap::new(),
            meshes: Vec::new(),
            mesh_of: HashMap::new(),
            parts: Vec::new(),
            morph_sets: Vec::new(),
            morph_set_of_node: BTreeMap::new(),
        }
    }

    pub(super) fn add_skin(&mut self, skin: usize, warnings: &mut Vec<Warning>) -> Outcome<()> {
        let built = skins::build(self.document, self.joints, skin, warnings)?;
        self.skins.push(built);
        self.skin_of.insert(skin, self.skins.len() - 1);
        Ok(())
    }

    /// Adds a part for each primitive of a node's mesh.
    pub(super) fn add_node(&mut self, node: usize, warnings: &mut Vec<Warning>) -> Outcome<()> {
        let root = &self.document.root;
        let object = self.document.node_name(node);
        let Some(mesh) = root.nodes[node].mesh else {
            return Ok(());
        };
        let mut rigid_skin = None;
        for (number, primitive) in root.meshes[mesh].primitives.iter().enumerate() {
            let skin = root.nodes[node].skin;
            let skinned = PrimitiveReader::has_joints(primitive);
            if skin.is_some() && !skinned {
                warnings.push(Warning::SkinWithoutWeights {
                    node: object.clone(),
                });
            }
            let (binding, skin) = match (skin, skinned) {
                (Some(skin), true) => {
                    let joints = self.fewest_joints[&mesh];
                    (Binding::Skinned { joints }, self.skin_of[&skin])
                }
                _ => {
                    let joint = self.joints.of_node[node]
                        .ok_or_else(|| Fault::data(object.as_str(), "is not in the skeleton"))?;
                    let skin = match rigid_skin {
                        Some(skin) => skin,
                        None => self.add_rigid_skin(node, joint, &object)?,
                    };
                    rigid_skin = Some(skin);
                    let mirrored = self.mirrored[joint];
                    let binding = if mirrored {
                        Binding::RigidMirrored
                    } else {
                        Binding::Rigid
                    };
                    (binding, skin)
                }
            };
            let Some(built) = self.mesh(mesh, number, binding, warnings)? else {
                continue;
            };
            let targets = primitive.targets.len();
            let morph_set = match targets {
                0 => None,
                _ => Some(self.morph_set(node, mesh, targets, &object, warnings)?),
            };
            self.parts.push(Part {
                node,
                node_name: root.nodes[node].name.clone(),
                primitive: number,
                mesh: built,
                skin,
                morph_set,
            });
            if self.parts.len() > MAX_PARTS {
                let problem = format!("has more than {MAX_PARTS} pairs of a node and a primitive");
                return Err(Fault::limit("", problem, "MAX_PARTS", MAX_PARTS));
            }
        }
        Ok(())
    }

    fn add_rigid_skin(&mut self, node: usize, joint: usize, object: &str) -> Outcome<usize> {
        let name = self.document.root.nodes[node].name.clone();
        let skin = Skin::rigid(name, &self.joints.skeleton, joint)
            .map_err(|error| Fault::data(object, error))?;
        self.skins.push(skin);
        Ok(self.skins.len() - 1)
    }

    fn mesh(
        &mut self,
        mesh: usize,
        primitive: usize,
        binding: Binding,
        warnings: &mut Vec<Warning>,
    ) -> Outcome<Option<usize>> {
        let key = (mesh, primitive, binding);
        if let Some(&known) = self.mesh_of.get(&key) {
            return Ok(known);
        }
        let (document, options) = (self.document, self.options);
        let built = meshes::build(document, mesh, primitive, binding, options, warnings)?;
        let index = built.map(|built| {
            self.meshes.push(built);
            self.meshes.len() - 1
        });
        self.mesh_of.insert(key, index);
        Ok(index)
    }

    fn morph_set(
        &mut self,
        node: usize,
        mesh: usize,
        targets: usize,
        object: &str,
        warnings: &mut Vec<Warning>,
    ) -> Outcome<usize> {
        if let Some(&(set, count)) = self.morph_set_of_node.get(&node) {
            if count == targets {
                return Ok(set);
            }
            return Err(Fault::data(
                object,
                format_args!("primitives of one mesh have {count} and {targets} morph targets"),
            ));
        }
        let root = &self.document.root;
        let given = root.nodes[node]
            .weights
            .as_ref()
            .or(root.meshes[mesh].weights.as_ref());
        let mut weights = given.cloned().unwrap_or_default();
        if !weights.iter().all(|weight| weight.is_finite()) {
            return Err(Fault::data(object, "has a morph weight that is not finite"));
        }
        if given.is_some() && weights.len() != targets {
            warnings.push(Warning::MorphWeightsAdjusted {
                node: object.to_owned(),
                weights: weights.len(),
                targets,
            });
        }
        weights.resize(targets, 0.0);
        self.morph_sets
            .push((root.nodes[node].name.clone(), weights));
        let set = self.morph_sets.len() - 1;
        self.morph_set_of_node.insert(node, (set, targets));
        Ok(set)
    }
}
