//! Drawing order: triangles in vertex-cache order, vertices and texels in the order triangles use them.
//!
//! A set stores its mesh and its texels in this order, so that a run time uploads them as they are.

use throng_rig::{Character, Mesh};

/// Size of the vertex cache that orders are compared with.
const CACHE_SIZE: u32 = 16;
/// An order is kept unless another transforms fewer vertices by this factor.
const WORTHWHILE: f32 = 0.98;

/// Returns the character with its meshes in drawing order. A character in drawing order is returned unchanged.
pub fn drawing_order(character: &Character) -> Character {
    let mut parts = character.clone().into_parts();
    for mesh in &mut parts.meshes {
        *mesh = ordered(mesh);
    }
    Character::new(parts).expect("a checked character stays valid with permuted vertices")
}

fn ordered(mesh: &Mesh) -> Mesh {
    let mut corners = mesh.triangles().as_flattened().to_vec();
    let vertices = mesh.vertex_count();
    // Each round transforms at least 2 % fewer vertices, so the loop ends, and its result is a fixed point.
    loop {
        let candidate = meshopt::optimize_vertex_cache(&corners, vertices);
        if transformed(&candidate, vertices) >= WORTHWHILE * transformed(&corners, vertices) {
            break;
        }
        corners = candidate;
    }
    let order = first_uses(&corners, vertices);
    let mut new_of = vec![0; vertices];
    for (new, &old) in order.iter().enumerate() {
        new_of[old as usize] = new as u32;
    }
    let (triangles, _) = corners.as_chunks::<3>();
    let triangles = triangles.iter().map(|t| t.map(|v| new_of[v as usize]));
    mesh.select_vertices(&order, triangles.collect())
}

/// Vertices that a cache transforms to draw all triangles.
fn transformed(corners: &[u32], vertices: usize) -> f32 {
    if corners.is_empty() {
        return 0.0;
    }
    meshopt::analyze_vertex_cache(corners, vertices, CACHE_SIZE, 0, 0).vertices_transformed as f32
}

/// Vertices in the order of their first use; those in no triangle come last.
fn first_uses(corners: &[u32], vertices: usize) -> Vec<u32> {
    let mut is_used = vec![false; vertices];
    let all = corners.iter().copied().chain(0..vertices as u32);
    all.filter(|&vertex| !std::mem::replace(&mut is_used[vertex as usize], true))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use throng_import::builtin::builtin;

    use super::*;

    fn humanoid() -> Character {
        builtin("humanoid:1000").unwrap()
    }

    /// Triangles as corner positions, rotated to start at the smallest: equal for equal surfaces.
    fn surface(mesh: &Mesh) -> BTreeMap<[[u32; 3]; 3], usize> {
        let mut out = BTreeMap::new();
        for triangle in mesh.triangles() {
            let mut corners =
                triangle.map(|v| mesh.positions()[v as usize].to_array().map(f32::to_bits));
            let first = (0..3).min_by_key(|&corner| corners[corner]).unwrap();
            corners.rotate_left(first);
            *out.entry(corners).or_default() += 1;
        }
        out
    }

    #[test]
    fn surface_is_unchanged_and_vertices_follow_first_use() {
        let source = humanoid();
        let ordered = drawing_order(&source);
        for (a, b) in source.meshes().iter().zip(ordered.meshes()) {
            assert_eq!(surface(a), surface(b));
            let order = first_uses(b.triangles().as_flattened(), b.vertex_count());
            assert!(order.iter().enumerate().all(|(k, &v)| k as u32 == v));
            assert_eq!(a.unique().position_count(), b.unique().position_count());
        }
    }

    #[test]
    fn ordering_twice_changes_nothing() {
        let once = drawing_order(&humanoid());
        assert_eq!(drawing_order(&once), once);
    }

    #[test]
    fn fewer_vertices_are_transformed() {
        let source = humanoid();
        let ordered = drawing_order(&source);
        let cost = |c: &Character| -> f32 {
            let meshes = c.meshes().iter();
            meshes
                .map(|m| transformed(m.triangles().as_flattened(), m.vertex_count()))
                .sum()
        };
        assert!(cost(&ordered) <= cost(&source));
    }
}
