//! The nodes of a file as a forest: who is whose parent, in an order that can be walked once.

use super::document::Document;
use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::MAX_NODES;

pub(super) struct Graph {
    pub parents: Vec<Option<usize>>,
    /// Every node, parents before children.
    pub order: Vec<usize>,
    /// True at the nodes of the scene that is shown.
    pub in_scene: Vec<bool>,
}

impl Graph {
    /// Refuses cycles, second parents and children that are not there.
    pub(super) fn new(document: &Document) -> Outcome<Self> {
        let nodes = &document.root.nodes;
        if nodes.len() > MAX_NODES {
            let problem = format!("more than {MAX_NODES} nodes");
            return Err(Fault::limit("", problem, "MAX_NODES", MAX_NODES));
        }
        let hierarchy = |node: usize, problem: String| {
            Fault::new(ErrorKind::Hierarchy, document.node_name(node), problem)
        };
        let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            for &child in &node.children {
                document.get(nodes, "node", child, &document.node_name(index))?;
                if child == index {
                    return Err(hierarchy(index, "is its own child".into()));
                }
                if let Some(first) = parents[child] {
                    return Err(hierarchy(
                        child,
                        format!("is a child of node {first} and of node {index}"),
                    ));
                }
                parents[child] = Some(index);
            }
        }
        let roots = (0..nodes.len()).filter(|&node| parents[node].is_none());
        let order = below(document, roots);
        if order.len() < nodes.len() {
            let mut reached = vec![false; nodes.len()];
            for &node in &order {
                reached[node] = true;
            }
            let lost = reached.iter().position(|r| !r).unwrap_or_default();
            return Err(hierarchy(lost, "is its own ancestor".into()));
        }
        let in_scene = scene_nodes(document, &order)?;
        Ok(Self {
            parents,
            order,
            in_scene,
        })
    }
}

/// The nodes and all below them, parents first, siblings in the file's order.
fn below(document: &Document, roots: impl DoubleEndedIterator<Item = usize>) -> Vec<usize> {
    let mut order = Vec::with_capacity(document.root.nodes.len());
    let mut stack: Vec<usize> = roots.rev().collect();
    while let Some(node) = stack.pop() {
        order.push(node);
        stack.extend(document.root.nodes[node].children.iter().rev());
    }
    order
}

/// The default scene, or the first, or everything where the file has none. `order` has parents first.
fn scene_nodes(document: &Document, order: &[usize]) -> Outcome<Vec<bool>> {
    let root = &document.root;
    let chosen = match root.scene {
        Some(index) => Some(document.get(&root.scenes, "scene", index, "scene")?),
        None => root.scenes.first(),
    };
    let Some(scene) = chosen else {
        return Ok(vec![true; root.nodes.len()]);
    };
    let mut in_scene = vec![false; root.nodes.len()];
    for &node in &scene.nodes {
        document.get(&root.nodes, "node", node, "scene")?;
        in_scene[node] = true;
    }
    for &node in order {
        if in_scene[node] {
            for &child in &root.nodes[node].children {
                in_scene[child] = true;
            }
        }
    }
    Ok(in_scene)
}
