//! glTF 2.0 and GLB.
//!
//! [`document`] follows indices and pays for memory, [`accessor`] turns bytes into numbers, and one
//! module for each kind of object turns numbers into rig types. Indices are checked where they are
//! followed; what comes out is checked again by the rig types themselves.

mod accessor;
mod animations;
mod container;
mod document;
mod draco;
mod graph;
mod materials;
mod meshes;
mod meshopt;
mod primitive;
mod schema;
mod skeleton;
mod skins;
mod uri;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use throng_rig::{Character, CharacterParts, Mesh, Part, Skin};

use crate::assemble::{assemble, check_part_vertices};
use crate::error::{Fault, Outcome};
use crate::limits::{Budget, MAX_PARTS};
use crate::{ImportOptions, Warning, warning};
use animations::Targets;
use document::Document;
use graph::Graph;
use meshes::Binding;
use primitive::PrimitiveReader;
use skeleton::Joints;

/// Reads a character from the bytes of a file. `folder` is where its side files are.
pub(crate) fn read(
    name: &str,
    file: &[u8],
    folder: Option<&Path>,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<(Character, Option<String>)> {
    let container = container::open(file, warnings)?;
    let budget = Budget::for_file(file.len() as u64);
    let document = Document::parse(&container, folder, budget)?;
    let graph = Graph::new(&document)?;
    check_nodes(&document)?;

    let drawn = drawn_nodes(&document, &graph, warnings)?;
    let used_skins = used_skins(&document, &drawn)?;
    let joints = build_joints(&document, &graph, &drawn, &used_skins, warnings)?;
    let materials = materials::build(&document, warnings)?;
    let mut assembly = Assembly::new(&document, &joints, &drawn, options);
    for &skin in &used_skins {
        assembly.add_skin(skin, warnings)?;
    }
    for &node in &drawn {
        assembly.add_node(node, warnings)?;
    }
    let file_bytes = document.budget.file_bytes();
    check_part_vertices(&assembly.meshes, &assembly.parts, file_bytes)?;
    let targets = Targets {
        joints: &joints,
        morph_sets: &assembly.morph_set_of_node,
    };
    let clips = animations::build(&document, &targets, warnings)?;
    let Assembly {
        skins,
        meshes,
        parts,
        morph_sets,
        ..
    } = assembly;
    let generator = document.root.asset.generator.clone();
    let pieces = CharacterParts {
        name: name.to_owned(),
        skeleton: joints.skeleton,
        skins,
        meshes,
        parts,
        morph_sets,
        clips,
        materials: materials.materials,
        images: materials.images,
    };
    let character = assemble(pieces, options, warnings)?;
    Ok((character, generator))
}

/// Every node's mesh and skin are there, and every mesh's accessors and materials, used or not.
fn check_nodes(document: &Document) -> Outcome<()> {
    let root = &document.root;
    for (index, node) in root.nodes.iter().enumerate() {
        let object = document.node_name(index);
        if let Some(mesh) = node.mesh {
            document.get(&root.meshes, "mesh", mesh, &object)?;
        }
        if let Some(skin) = node.skin {
            document.get(&root.skins, "skin", skin, &object)?;
        }
    }
    for (index, mesh) in root.meshes.iter().enumerate() {
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let object = document.primitive_name(index, number);
            let deltas = primitive.targets.iter().flat_map(BTreeMap::values);
            let accessors = primitive.attributes.values().chain(deltas);
            for &accessor in accessors.chain(&primitive.indices) {
                document.get(&root.accessors, "accessor", accessor, &object)?;
            }
            if let Some(material) = primitive.material {
                document.get(&root.materials, "material", material, &object)?;
            }
        }
    }
    for (index, accessor) in root.accessors.iter().enumerate() {
        let object = format!("accessor {index}");
        if let Some(view) = accessor.buffer_view {
            document.get(&root.buffer_views, "buffer view", view, &object)?;
        }
    }
    for (index, view) in root.buffer_views.iter().enumerate() {
        let object = format!("buffer view {index}");
        document.get(&root.buffers, "buffer", view.buffer, &object)?;
    }
    Ok(())
}

/// Nodes with a mesh, in the scene that is shown.
fn drawn_nodes(
    document: &Document,
    graph: &Graph,
    warnings: &mut Vec<Warning>,
) -> Outcome<Vec<usize>> {
    let nodes = &document.root.nodes;
    let with_mesh: Vec<usize> = (0..nodes.len())
        .filter(|&n| nodes[n].mesh.is_some())
        .collect();
    let (shown, hidden): (Vec<usize>, Vec<usize>) = with_mesh
        .into_iter()
        .partition(|&node| graph.in_scene[node]);
    let mut unused = |count: usize, one: &str, many: &str| {
        if count > 0 {
            warnings.push(Warning::Unused {
                what: warning::count(count, one, many),
            });
        }
    };
    unused(
        hidden.len(),
        "mesh node is not in the scene that is shown",
        "mesh nodes are not in the scene that is shown",
    );
    let mut used = vec![false; document.root.meshes.len()];
    for node in shown.iter().chain(&hidden) {
        if let Some(mesh) = nodes[*node].mesh {
            used[mesh] = true;
        }
    }
    let idle = used.iter().filter(|used| !**used).count();
    unused(idle, "mesh hangs on no node", "meshes hang on no node");
    Ok(shown)
}

/// The skins of what is drawn; all of them in a file that draws nothing.
fn used_skins(document: &Document, drawn: &[usize]) -> Outcome<Vec<usize>> {
    let root = &document.root;
    let mut used: Vec<usize> = if drawn.is_empty() {
        (0..root.skins.len()).collect()
    } else {
        drawn
            .iter()
            .filter_map(|&node| root.nodes[node].skin)
            .collect()
    };
    used.sort_unstable();
    used.dedup();
    for &skin in &used {
        skins::joint_nodes(document, skin)?;
    }
    Ok(used)
}

fn build_joints(
    document: &Document,
    graph: &Graph,
    drawn: &[usize],
    used_skins: &[usize],
    warnings: &mut Vec<Warning>,
) -> Outcome<Joints> {
    let nodes = &document.root.nodes;
    let mut bones = vec![false; nodes.len()];
    for &skin in used_skins {
        for &node in skins::joint_nodes(document, skin)? {
            bones[node] = true;
        }
    }
    let mut wanted = bones.clone();
    for &node in drawn {
        // A skinned mesh ignores its own node, but one without weights follows it.
        wanted[node] |= !is_all_skinned(document, node);
    }
    if drawn.is_empty() {
        // A file of motion alone: what moves is the character.
        let channels = document.root.animations.iter().flat_map(|a| &a.channels);
        for node in channels.filter_map(|channel| channel.target.node) {
            if let Some(wanted) = wanted.get_mut(node) {
                *wanted = true;
            }
        }
    }
    skeleton::build(document, graph, &wanted, &bones, warnings)
}

fn is_all_skinned(document: &Document, node: usize) -> bool {
    let node = &document.root.nodes[node];
    let primitives = node.mesh.map(|mesh| &document.root.meshes[mesh].primitives);
    node.skin.is_some()
        && primitives.is_some_and(|list| list.iter().all(PrimitiveReader::has_joints))
}

/// Meshes, skins and parts as they come together, each read once however often it is used.
struct Assembly<'r, 'a> {
    document: &'r Document<'a>,
    joints: &'r Joints,
    options: &'r ImportOptions,
    /// True at joints that mirror at rest.
    mirrored: Vec<bool>,
    /// For each mesh of the file, the fewest joints of the skins that it is drawn with.
    fewest_joints: HashMap<usize, usize>,
    skins: Vec<Skin>,
    skin_of: HashMap<usize, usize>,
    meshes: Vec<Mesh>,
    mesh_of: HashMap<(usize, usize, Binding), Option<usize>>,
    parts: Vec<Part>,
    morph_sets: Vec<(String, Vec<f32>)>,
    /// For each node, its morph set and how many weights that has.
    morph_set_of_node: BTreeMap<usize, (usize, usize)>,
}

impl<'r, 'a> Assembly<'r, 'a> {
    fn new(
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

    fn add_skin(&mut self, skin: usize, warnings: &mut Vec<Warning>) -> Outcome<()> {
        let built = skins::build(self.document, self.joints, skin, warnings)?;
        self.skins.push(built);
        self.skin_of.insert(skin, self.skins.len() - 1);
        Ok(())
    }

    /// Makes a part of each primitive of a node's mesh.
    fn add_node(&mut self, node: usize, warnings: &mut Vec<Warning>) -> Outcome<()> {
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
                let problem = format!("more than {MAX_PARTS} pairs of a node and a primitive");
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
