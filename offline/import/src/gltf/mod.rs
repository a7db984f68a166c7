//! glTF 2.0 and GLB import.
//!
//! [`document`] resolves indices and charges memory to the budget, [`accessor`] converts bytes to numbers,
//! and one module per kind of object converts numbers to rig types. Indices are checked where they are
//! resolved. The rig types check their contents again.

mod accessor;
mod animations;
mod assembly;
mod container;
mod document;
mod draco;
mod graph;
mod materials;
mod meshes;
mod meshopt;
mod motion;
mod primitive;
mod schema;
mod skeleton;
mod skins;
mod uri;

use std::collections::BTreeMap;

use throng_rig::{Character, CharacterParts};

use crate::assemble::{assemble, check_part_vertices, check_skin_joints};
use crate::asset_files::AssetFiles;
use crate::error::{Fault, Outcome};
use crate::limits::{Budget, MAX_SKIN_STEPS};
use crate::{ImportOptions, Warning, warning};
use animations::Targets;
use assembly::Assembly;
use document::Document;
use graph::Graph;
pub(crate) use motion::read_motion;
use primitive::PrimitiveReader;
use skeleton::Joints;

/// Reads a character and the name of the generator from the bytes of a file. Side files are read from
/// the folder of the file.
pub(crate) fn read(
    name: &str,
    file: &[u8],
    files: &AssetFiles,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<(Character, Option<String>)> {
    let container = container::open(file, warnings)?;
    let budget = Budget::for_file(file.len() as u64);
    let document = Document::parse(&container, files, budget)?;
    let graph = Graph::new(&document)?;
    check_references(&document)?;

    let drawn = drawn_nodes(&document, &graph, warnings)?;
    let used_skins = used_skins(&document, &drawn)?;
    let joints = build_joints(&document, &graph, &drawn, &used_skins, warnings)?;
    check_skins(&document, &used_skins, joints.skeleton.len())?;
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
        morph_sets: Some(&assembly.morph_set_of_node),
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

/// Returns the names of the side files that buffers and images refer to. Empty if the file is invalid.
pub(crate) fn side_file_names(file: &[u8]) -> Vec<String> {
    let Ok(container) = container::open(file, &mut Vec::new()) else {
        return Vec::new();
    };
    let Ok(root) = serde_json::from_slice::<schema::Uris>(container.json) else {
        return Vec::new();
    };
    let resources = root.buffers.into_iter().chain(root.images);
    let uris = resources.filter_map(|resource| resource.uri);
    uris.filter_map(|uri| uri::side_file_name(&uri)).collect()
}

/// Checks the indices of all nodes, meshes, accessors and buffer views, whether used or not.
fn check_references(document: &Document) -> Outcome<()> {
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

/// Returns the nodes with a mesh in the default scene, and reports unused meshes.
fn drawn_nodes(
    document: &Document,
    graph: &Graph,
    warnings: &mut Vec<Warning>,
) -> Outcome<Vec<usize>> {
    let nodes = &document.root.nodes;
    let with_mesh: Vec<usize> = (0..nodes.len())
        .filter(|&n| nodes[n].mesh.is_some())
        .collect();
    let (drawn, ignored): (Vec<usize>, Vec<usize>) = with_mesh
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
        ignored.len(),
        "mesh node is not in the default scene and was ignored",
        "mesh nodes are not in the default scene and were ignored",
    );
    let mut used = vec![false; document.root.meshes.len()];
    for node in drawn.iter().chain(&ignored) {
        if let Some(mesh) = nodes[*node].mesh {
            used[mesh] = true;
        }
    }
    let without_node = used.iter().filter(|used| !**used).count();
    unused(
        without_node,
        "mesh is not used by any node",
        "meshes are not used by any node",
    );
    Ok(drawn)
}

/// Returns the skins of the drawn nodes, or all skins if nothing is drawn.
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

/// Checks the numbers of skins and of their joints. Building a skin takes time in proportion to the skeleton, and each of
/// its joints takes memory for matrices that the file need not contain.
fn check_skins(document: &Document, used: &[usize], joints: usize) -> Outcome<()> {
    let steps = used.len() as u64 * joints as u64;
    if steps > MAX_SKIN_STEPS {
        let problem = format!("has {} skins and {joints} joints", used.len());
        return Err(Fault::limit("", problem, "MAX_SKIN_STEPS", MAX_SKIN_STEPS));
    }
    let skins = used.iter().map(|&skin| &document.root.skins[skin]);
    check_skin_joints(skins.map(|skin| skin.joints.len()).sum())
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
        // A skinned mesh ignores the transform of its node; a mesh without weights follows it.
        wanted[node] |= !is_fully_skinned(document, node);
    }
    if drawn.is_empty() {
        // A file with animations only: the animated nodes are the character.
        let channels = document.root.animations.iter().flat_map(|a| &a.channels);
        for node in channels.filter_map(|channel| channel.target.node) {
            if let Some(wanted) = wanted.get_mut(node) {
                *wanted = true;
            }
        }
    }
    skeleton::build(document, graph, &wanted, &bones, warnings)
}

fn is_fully_skinned(document: &Document, node: usize) -> bool {
    let node = &document.root.nodes[node];
    let primitives = node.mesh.map(|mesh| &document.root.meshes[mesh].primitives);
    node.skin.is_some()
        && primitives.is_some_and(|list| list.iter().all(PrimitiveReader::has_joints))
}
