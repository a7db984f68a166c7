//! Panes and their places.

use egui_tiles::{Container, Linear, LinearDir, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

/// A pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pane {
    /// One, two or four viewports.
    Viewports,
    /// Parameters of bakes.
    Parameters,
    /// Sizes and errors.
    Statistics,
    /// The baked texture.
    Texture,
    /// Frame times.
    Performance,
    /// Transforms of a joint.
    Debug,
    /// Angles of joints.
    Pose,
    /// Instances.
    Crowd,
    /// Benchmark mode.
    Benchmark,
}

impl Pane {
    /// All panes.
    pub const ALL: [Self; 9] = [
        Self::Viewports,
        Self::Parameters,
        Self::Statistics,
        Self::Texture,
        Self::Performance,
        Self::Debug,
        Self::Pose,
        Self::Crowd,
        Self::Benchmark,
    ];

    /// Title of the tab.
    pub fn title(self) -> &'static str {
        match self {
            Self::Viewports => "Viewports",
            Self::Parameters => "Parameters",
            Self::Statistics => "Statistics",
            Self::Texture => "Texture",
            Self::Performance => "Performance",
            Self::Debug => "Debug",
            Self::Pose => "Pose",
            Self::Crowd => "Crowd",
            Self::Benchmark => "Benchmark",
        }
    }
}

/// Returns the first arrangement: viewports on the left, all other panes in two stacks of tabs on the right.
pub fn default_tree() -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let viewports = tiles.insert_pane(Pane::Viewports);
    let tabs = |tiles: &mut Tiles<Pane>, panes: &[Pane]| {
        let panes = panes.iter().map(|&pane| tiles.insert_pane(pane)).collect();
        tiles.insert_tab_tile(panes)
    };
    let upper = tabs(&mut tiles, &[Pane::Parameters, Pane::Crowd, Pane::Pose]);
    let lower = tabs(
        &mut tiles,
        &[
            Pane::Statistics,
            Pane::Texture,
            Pane::Debug,
            Pane::Performance,
            Pane::Benchmark,
        ],
    );
    let side = tiles.insert_vertical_tile(vec![upper, lower]);
    let mut root = Linear::new(LinearDir::Horizontal, vec![viewports, side]);
    root.shares.set_share(viewports, 2.6);
    root.shares.set_share(side, 1.0);
    let root = tiles.insert_container(Container::Linear(root));
    Tree::new(eframe::egui::Id::unique("throng-view"), root, tiles)
}

/// Returns the tile of a pane; `None` if it was closed.
pub fn tile_of(tree: &Tree<Pane>, pane: Pane) -> Option<TileId> {
    let mut tiles = tree.tiles.iter();
    tiles.find_map(|(id, tile)| match tile {
        Tile::Pane(known) if *known == pane => Some(*id),
        _ => None,
    })
}

/// Shows a pane: activates its tab, or adds it again.
pub fn show_pane(tree: &mut Tree<Pane>, pane: Pane) {
    if tile_of(tree, pane).is_none() {
        let tile = tree.tiles.insert_pane(pane);
        match tree.root() {
            Some(root) => {
                if let Some(Tile::Container(container)) = tree.tiles.get_mut(root) {
                    container.add_child(tile);
                }
            }
            None => tree.root = Some(tile),
        }
    }
    if let Some(tile) = tile_of(tree, pane) {
        tree.set_visible(tile, true);
        tree.make_active(|id, _| id == tile);
    }
}

/// Returns true if a stored tree has every pane that cannot be opened again.
pub fn is_usable(tree: &Tree<Pane>) -> bool {
    tile_of(tree, Pane::Viewports).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_tree_has_every_pane_once() {
        let tree = default_tree();
        for pane in Pane::ALL {
            assert!(tile_of(&tree, pane).is_some(), "{pane:?}");
        }
        let panes = tree.tiles.iter().filter(|(_, tile)| tile.is_pane()).count();
        assert_eq!(panes, Pane::ALL.len());
        assert!(is_usable(&tree));
    }

    #[test]
    fn closed_panes_can_be_shown_again() {
        let mut tree = default_tree();
        let tile = tile_of(&tree, Pane::Texture).unwrap();
        tree.remove_recursively(tile);
        assert_eq!(tile_of(&tree, Pane::Texture), None);
        show_pane(&mut tree, Pane::Texture);
        assert!(tile_of(&tree, Pane::Texture).is_some());
    }
}
