//! Motion of a file, without its meshes and materials.

use std::collections::HashSet;

use throng_rig::Character;
use ufbx::{AnimProp, AnimStack, ElementType, Scene};

use super::clips::{self, KeyBudget};
use super::scene;
use super::skeleton::{Joints, holds_object, id, parents_first};
use crate::assemble::assemble_motion;
use crate::asset_files::AssetFiles;
use crate::error::Outcome;
use crate::{ImportOptions, Warning};

/// Reads the skeleton and the clips of a file, and the name of the generator. Geometry is loaded, because the tolerance of
/// sampled curves depends on its size, but no mesh is built, and no texture is read.
pub(crate) fn read_motion(
    name: &str,
    file: &[u8],
    _files: &AssetFiles,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<(Character, Option<String>)> {
    let scene = scene::load(file, warnings)?;
    let bones = moving_nodes(&scene);
    let joints = Joints::of_nodes(&scene, bones.clone(), &bones)?;
    let size = scene::rest_size(&scene);
    let keys = KeyBudget::for_file(file.len() as u64);
    let clips = clips::build(&scene, &joints, &[], size, &keys, warnings)?;
    let morphs = (&scene.anim_stacks).into_iter().map(animated_morphs);
    Warning::report_dropped_morphs(morphs.sum(), warnings);
    let character = assemble_motion(name, joints.skeleton, clips, options, warnings)?;
    let generator = scene.metadata.creator.to_string();
    Ok((character, (!generator.is_empty()).then_some(generator)))
}

/// Marks bones, animated nodes, and all nodes below them but childless ones that only hold a mesh, a camera or a light.
fn moving_nodes(scene: &Scene) -> Vec<bool> {
    let mut animated = HashSet::new();
    for prop in (&scene.anim_stacks).into_iter().flat_map(animated_props) {
        if prop.element.type_ == ElementType::Node && &*prop.prop_name != "Visibility" {
            animated.insert(prop.element.element_id);
        }
    }
    let mut moving = vec![false; scene.nodes.len()];
    for cluster in scene.skin_clusters.iter() {
        if let Some(bone) = &cluster.bone_node {
            moving[id(bone)] = true;
        }
    }
    for node in parents_first(scene) {
        let attachment = holds_object(node) && node.children.is_empty();
        let below = node
            .parent
            .as_ref()
            .is_some_and(|parent| moving[id(parent)]);
        moving[id(node)] |= node.bone.is_some()
            || animated.contains(&node.element.element_id)
            || below && !attachment;
    }
    moving
}

fn animated_props(stack: &AnimStack) -> impl Iterator<Item = &AnimProp> {
    let layers = (&stack.layers).into_iter();
    layers.flat_map(|layer| &layer.anim_props)
}

/// Returns the number of blend channels that a take animates.
fn animated_morphs(stack: &AnimStack) -> usize {
    let props = animated_props(stack).map(|prop| &prop.element);
    let channels = props.filter(|element| element.type_ == ElementType::BlendChannel);
    channels.map(|e| e.element_id).collect::<HashSet<_>>().len()
}
