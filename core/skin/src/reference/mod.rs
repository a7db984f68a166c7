//! All skinning methods in float64, written to be read.
//!
//! Each vertex has one [`Motion`], computed from its influences. The motion transforms its position, normal and
//! tangent. Morph targets are applied before, in bind space. Vertices of a mesh with a vertex cache come from the cache,
//! and their one joint moves them all alike.

mod bound_vertex;
mod bulge_free;
mod cor;
mod dqs;
mod lbs;
mod motion;
mod sclerp;

use glam::{DVec3, DVec4};
use throng_rig::{CacheCursor, Character, CharacterPose, Mesh, Method, Palette, Part, Skinning};

pub use bound_vertex::BoundVertex;
use dqs::{Signs, blend_dual_quats, blend_stretches, sum_rigid};
use lbs::blend_matrices;
pub use motion::Motion;

/// A skinned mesh, in the vertex order of the mesh. Made once, then reused.
#[derive(Debug, Clone, Default)]
pub struct Skinned {
    /// Positions in model space, in metres.
    pub positions: Vec<DVec3>,
    /// Unit normals.
    pub normals: Vec<DVec3>,
    /// Unit tangents, with the sign of the bitangent as fourth component; empty if the mesh has none.
    pub tangents: Vec<DVec4>,
    /// One per unique position; one alone for a vertex cache.
    motions: Vec<Motion>,
    /// Morph targets with a weight, and their weights.
    morphs: Vec<(usize, f64)>,
    cursor: CacheCursor,
}

/// Returns the motion of a vertex.
pub fn motion(
    method: Method,
    palette: &Palette,
    vertex: &BoundVertex<impl Iterator<Item = (usize, f64)> + Clone>,
) -> Motion {
    let influences = || vertex.influences.clone();
    let lbs = || blend_matrices(palette, influences());
    let stretch = || blend_stretches(palette, influences());
    let dual = |signs| blend_dual_quats(palette, signs, influences());
    let dqs = |signs| dual(signs).to_affine() * stretch();
    match method {
        Method::Lbs => Motion::Matrix(lbs()),
        Method::Dqs => Motion::Matrix(dqs(Signs::Pivot)),
        Method::DqsPlain => Motion::Matrix(dqs(Signs::AsStored)),
        Method::DqsDirect => Motion::StretchThenRigid(stretch(), dual(Signs::AlignedToParents)),
        Method::DqsSum => Motion::Matrix(sum_rigid(palette, influences()) * stretch()),
        Method::DqsBulgeFree => {
            let (stretch, rigid) = (stretch(), dual(Signs::Pivot).to_affine());
            let stretched = stretch.transform_point3(vertex.position);
            let moved = rigid.transform_point3(stretched);
            let offset = bulge_free::pull(palette, stretched, moved, influences());
            Motion::Matrix(bulge_free::shifted(&(rigid * stretch), offset))
        }
        Method::Cor => {
            let stretch = stretch();
            let center = stretch.transform_point3(vertex.center);
            Motion::Matrix(cor::rotate_about(palette, center, influences()) * stretch)
        }
        Method::Sclerp => {
            let rigid = sclerp::blend_screws(palette, &influences());
            Motion::Matrix(rigid.to_affine() * stretch())
        }
        Method::Blend(f) => Motion::Matrix(motion::blend(&lbs(), &dqs(Signs::Pivot), f)),
        Method::BlendPositions(f) => Motion::BlendResults(lbs(), dqs(Signs::Pivot), f),
    }
}

/// Skins a mesh. `morph_weights` holds one weight per morph target, or the frame position of a vertex cache; the palette is
/// that of the mesh's skin.
///
/// Each unique position (see [`throng_rig::UniqueVertices`]) is skinned once. Frames of a vertex cache are kept in `out`
/// for the next call. Where a frame cannot be read, vertices rest; see [`throng_rig::VertexCache::failure`].
pub fn skin(
    skinning: impl Into<Skinning>,
    mesh: &Mesh,
    morph_weights: &[f64],
    palette: &Palette,
    out: &mut Skinned,
) {
    let skinning = skinning.into();
    let unique = mesh.unique();
    let motion_of = |&vertex: &u32| {
        let vertex = vertex as usize;
        let bound = BoundVertex::of(mesh, morph_weights, vertex);
        motion(skinning.method_of(mesh, vertex), palette, &bound)
    };
    out.motions.clear();
    out.morphs.clear();
    let cache = mesh.vertex_cache();
    match cache {
        Some(cache) => {
            let position = frame_position(morph_weights);
            out.cursor.seek_with_normals(cache, position);
            out.motions.push(joint_motion(palette));
        }
        None => {
            let motions = unique.first_of_position().iter().map(motion_of);
            out.motions.extend(motions);
            let weights = morph_weights.iter().copied().enumerate();
            let weights = weights.take(mesh.morph_targets().len());
            out.morphs.extend(weights.filter(|(_, w)| *w != 0.0));
        }
    }
    let motion_of_position = |position: u32| match cache {
        Some(_) => 0,
        None => position as usize,
    };

    // The first vertex of a unique position or normal is before its copies.
    out.positions.clear();
    for (vertex, &position) in unique.position_of().iter().enumerate() {
        let original = unique.first_of_position()[position as usize] as usize;
        out.positions.push(if original == vertex {
            let bind = match cache {
                Some(cache) => out.cursor.position(mesh, cache, vertex),
                None => morphed_position(mesh, out.morphs.iter().copied(), vertex),
            };
            out.motions[motion_of_position(position)].position(bind)
        } else {
            out.positions[original]
        });
    }

    out.normals.clear();
    for (vertex, &normal) in unique.normal_of().iter().enumerate() {
        let original = unique.first_of_normal()[normal as usize] as usize;
        out.normals.push(if original == vertex {
            let bind = match cache {
                Some(cache) => out.cursor.normal(mesh, cache, vertex),
                None => morphed_normal(mesh, &out.morphs, vertex),
            };
            let motion = motion_of_position(unique.position_of()[vertex]);
            out.motions[motion].normal(bind)
        } else {
            out.normals[original]
        });
    }

    out.tangents.clear();
    for (vertex, tangent) in mesh.tangents().iter().enumerate() {
        let motion = motion_of_position(unique.position_of()[vertex]);
        let morphed = morphed_tangent(mesh, &out.morphs, vertex);
        let tangent_out = out.motions[motion].tangent(morphed, out.normals[vertex]);
        out.tangents.push(tangent_out.extend(f64::from(tangent.w)));
    }
}

/// Returns the skinned position of one vertex, as [`skin`] computes it. `cursor` holds the frames of a vertex cache around the
/// frame position; without it, they are read.
pub fn skin_position(
    skinning: Skinning,
    mesh: &Mesh,
    morph_weights: &[f64],
    palette: &Palette,
    vertex: usize,
    cursor: Option<&CacheCursor>,
) -> DVec3 {
    if let Some(cache) = mesh.vertex_cache() {
        let motion = joint_motion(palette);
        let position = match cursor {
            Some(cursor) => cursor.position(mesh, cache, vertex),
            None => {
                let mut cursor = CacheCursor::default();
                cursor.seek(cache, frame_position(morph_weights));
                cursor.position(mesh, cache, vertex)
            }
        };
        return motion.position(position);
    }
    let bound = BoundVertex::of(mesh, morph_weights, vertex);
    let method = skinning.method_of(mesh, vertex);
    motion(method, palette, &bound).position(bound.position)
}

/// Motion of the one joint of a mesh with a vertex cache.
fn joint_motion(palette: &Palette) -> Motion {
    Motion::Matrix(palette.matrices()[0])
}

/// Frame position of a vertex cache; see [`throng_rig::VertexCache`].
fn frame_position(morph_weights: &[f64]) -> f64 {
    morph_weights.first().copied().unwrap_or(-1.0)
}

/// Skins one part of a posed character.
pub fn skin_part(
    character: &Character,
    part: &Part,
    pose: &CharacterPose,
    skinning: impl Into<Skinning>,
    out: &mut Skinned,
) {
    let weights = &pose.local.morph_weights[character.morph_range(part)];
    let palette = &pose.palettes[part.skin];
    skin(skinning, character.mesh_of(part), weights, palette, out);
}

/// Position in bind space; `morphs` are morph targets and their weights.
fn morphed_position(
    mesh: &Mesh,
    morphs: impl Iterator<Item = (usize, f64)>,
    vertex: usize,
) -> DVec3 {
    let mut position = mesh.positions()[vertex].as_dvec3();
    for (target, weight) in morphs {
        if weight != 0.0 {
            let target = &mesh.morph_targets()[target];
            position += target.positions[vertex].as_dvec3() * weight;
        }
    }
    position
}

fn morphed_normal(mesh: &Mesh, morphs: &[(usize, f64)], vertex: usize) -> DVec3 {
    let rest = mesh.normals()[vertex].as_dvec3();
    let mut normal = rest;
    for &(target, weight) in morphs {
        if let Some(delta) = mesh.morph_targets()[target].normals.get(vertex) {
            normal += delta.as_dvec3() * weight;
        }
    }
    let unit = normal.try_normalize().or_else(|| rest.try_normalize());
    unit.unwrap_or(DVec3::Y)
}

fn morphed_tangent(mesh: &Mesh, morphs: &[(usize, f64)], vertex: usize) -> DVec3 {
    let mut tangent = mesh.tangents()[vertex].truncate().as_dvec3();
    for &(target, weight) in morphs {
        if let Some(delta) = mesh.morph_targets()[target].tangents.get(vertex) {
            tangent += delta.as_dvec3() * weight;
        }
    }
    tangent
}
