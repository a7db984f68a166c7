//! Node hierarchy: the parent of every node, and an order with parents before children.

use super::document::Document;
use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::MAX_NODES;

pub(super) struct Graph {
    pub parents: Vec<Option<usize>>,
    /// All nodes, parents before children.
    pub order: Vec<usize>,
    /// Per node, true if it is in the default scene.
    pub in_scene: Vec<bool>,
}

impl Graph {
    /// Builds the hierarchy. Cycles, nodes with two parents and invalid children are errors.
    pub(super) fn new(document: &Document) -> Outcome<Self> {
        let nodes = &document.root.nodes;
        if nodes.len() > MAX_NODES {
            let problem = format!("has more than {MAX_NODES} nodes");
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
                        format!("has two parents, node {first} and node {index}"),
                    ));
                }
                parents[child] = Some(index);
            }
        }
        let roots = (0..nodes.len()).filter(|&node| parents[node].is_none());
        let order = descendants(document, roots);
        if order.len() < nodes.len() {
            let mut reached = vec![false; nodes.len()];
            for &node in &order {
                reached[node] = true;
            }
            let in_cycle = reached.iter().position(|r| !r).unwrap_or_default();
            return Err(hierarchy(in_cycle, "is its own ancestor".into()));
        }
        let in_scene = scene_nodes(document, &order)?;
        Ok(Self {
            parents,
            order,
            in_scene,
        })
    }
}

/// Returns the roots and all nodes below them, parents first, siblings in file order.
fn descendants(document: &Document, roots: impl DoubleEndedIterator<Item = usize>) -> Vec<usize> {
    let mut order = Vec::with_capacity(document.root.nodes.len());
    let mut stack: Vec<usize> = roots.rev().collect();
    while let Some(node) = stack.pop() {
        order.push(node);
        stack.extend(document.root.nodes[node].children.iter().rev());
    }
    order
}

/// Marks the nodes of the default scene, or of the first scene, or all nodes if the file has no scene.
/// `order` has parents first.
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
