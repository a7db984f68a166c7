//! Motion of a file, without its meshes and materials.

use throng_rig::Character;

use super::animations::{self, Targets};
use super::document::Document;
use super::graph::Graph;
use super::{check_references, container, skeleton, skins};
use crate::assemble::assemble_motion;
use crate::asset_files::AssetFiles;
use crate::error::Outcome;
use crate::limits::Budget;
use crate::{ImportOptions, Warning};

/// Reads the skeleton and the clips of a file, and the name of the generator. Meshes and images are not decoded.
pub(crate) fn read_motion(
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

    let bones = moving_nodes(&document, &graph)?;
    let joints = skeleton::build(&document, &graph, &bones, &bones, warnings)?;
    let targets = Targets {
        joints: &joints,
        morph_sets: None,
    };
    let clips = animations::build(&document, &targets, warnings)?;
    let channels = document.root.animations.iter().flat_map(|a| &a.channels);
    let morphs = channels.filter(|channel| channel.target.path == "weights");
    Warning::report_dropped_morphs(morphs.count(), warnings);
    let character = assemble_motion(name, joints.skeleton, clips, options, warnings)?;
    Ok((character, document.root.asset.generator.clone()))
}

/// Marks animated nodes, joints of skins, and all nodes below them but childless ones that only hold a mesh or a camera.
fn moving_nodes(document: &Document, graph: &Graph) -> Outcome<Vec<bool>> {
    let root = &document.root;
    let mut moving = vec![false; root.nodes.len()];
    for skin in 0..root.skins.len() {
        for &node in skins::joint_nodes(document, skin)? {
            moving[node] = true;
        }
    }
    let channels = root.animations.iter().flat_map(|a| &a.channels);
    let of_joints = channels.filter(|channel| channel.target.path != "weights");
    for node in of_joints.filter_map(|channel| channel.target.node) {
        // Channels of nodes that do not exist are rejected when they are read.
        if let Some(moving) = moving.get_mut(node) {
            *moving = true;
        }
    }
    for &node in &graph.order {
        let attachment = root.nodes[node].holds_object() && root.nodes[node].children.is_empty();
        let below = graph.parents[node].is_some_and(|parent| moving[parent]);
        moving[node] |= below && !attachment;
    }
    Ok(moving)
}
