//! All skinning methods in float64, written to be read.
//!
//! Each vertex has one [`Motion`], computed from its influences. The motion transforms its position, normal and
//! tangent. Morph targets are applied before, in bind space.

mod dqs;
mod lbs;
mod motion;

use glam::{DVec3, DVec4};
use throng_rig::{Character, CharacterPose, Mesh, Method, Palette, Part, Skinning};

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
    /// One per unique position.
    motions: Vec<Motion>,
}

/// Returns the motion of a vertex with the given (joint, weight) pairs, heaviest first.
pub fn motion(
    method: Method,
    palette: &Palette,
    influences: &(impl Iterator<Item = (usize, f64)> + Clone),
) -> Motion {
    let lbs = || blend_matrices(palette, influences.clone());
    let stretch = || blend_stretches(palette, influences.clone());
    let dual = |signs| blend_dual_quats(palette, signs, influences.clone());
    let dqs = |signs| dual(signs).to_affine() * stretch();
    match method {
        Method::Lbs => Motion::Matrix(lbs()),
        Method::Dqs => Motion::Matrix(dqs(Signs::Pivot)),
        Method::DqsPlain => Motion::Matrix(dqs(Signs::AsStored)),
        Method::DqsDirect => Motion::StretchThenRigid(stretch(), dual(Signs::AlignedToParents)),
        Method::DqsSum => Motion::Matrix(sum_rigid(palette, influences.clone()) * stretch()),
        Method::Blend(f) => Motion::Matrix(motion::blend(&lbs(), &dqs(Signs::Pivot), f)),
        Method::BlendPositions(f) => Motion::BlendResults(lbs(), dqs(Signs::Pivot), f),
    }
}

/// Skins a mesh. `morph_weights` holds one weight per morph target; the palette is that of the mesh's skin.
///
/// Each unique position (see [`throng_rig::UniqueVertices`]) is skinned once.
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
        let influences = mesh.influences().of(vertex);
        motion(skinning.method_of(mesh, vertex), palette, &influences)
    };
    out.motions.clear();
    out.motions
        .extend(unique.first_of_position().iter().map(motion_of));

    // The first vertex of a unique position or normal is before its copies.
    out.positions.clear();
    for (vertex, &position) in unique.position_of().iter().enumerate() {
        let original = unique.first_of_position()[position as usize] as usize;
        out.positions.push(if original == vertex {
            let morphed = morphed_position(mesh, morph_weights, vertex);
            out.motions[position as usize].position(morphed)
        } else {
            out.positions[original]
        });
    }

    out.normals.clear();
    for (vertex, &normal) in unique.normal_of().iter().enumerate() {
        let original = unique.first_of_normal()[normal as usize] as usize;
        out.normals.push(if original == vertex {
            let morphed = morphed_normal(mesh, morph_weights, vertex);
            let position = unique.position_of()[vertex] as usize;
            out.motions[position].normal(morphed)
        } else {
            out.normals[original]
        });
    }

    out.tangents.clear();
    for (vertex, tangent) in mesh.tangents().iter().enumerate() {
        let position = unique.position_of()[vertex] as usize;
        let morphed = morphed_tangent(mesh, morph_weights, vertex);
        let tangent_out = out.motions[position].tangent(morphed, out.normals[vertex]);
        out.tangents.push(tangent_out.extend(f64::from(tangent.w)));
    }
}

/// Returns the skinned position of one vertex, as [`skin`] computes it.
pub fn skin_position(
    skinning: Skinning,
    mesh: &Mesh,
    morph_weights: &[f64],
    palette: &Palette,
    vertex: usize,
) -> DVec3 {
    let influences = mesh.influences().of(vertex);
    let method = skinning.method_of(mesh, vertex);
    motion(method, palette, &influences).position(morphed_position(mesh, morph_weights, vertex))
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

fn morphed_position(mesh: &Mesh, weights: &[f64], vertex: usize) -> DVec3 {
    let mut position = mesh.positions()[vertex].as_dvec3();
    for (target, &weight) in mesh.morph_targets().iter().zip(weights) {
        position += target.positions[vertex].as_dvec3() * weight;
    }
    position
}

fn morphed_normal(mesh: &Mesh, weights: &[f64], vertex: usize) -> DVec3 {
    let rest = mesh.normals()[vertex].as_dvec3();
    let mut normal = rest;
    for (target, &weight) in mesh.morph_targets().iter().zip(weights) {
        if let Some(delta) = target.normals.get(vertex) {
            normal += delta.as_dvec3() * weight;
        }
    }
    let unit = normal.try_normalize().or_else(|| rest.try_normalize());
    unit.unwrap_or(DVec3::Y)
}

fn morphed_tangent(mesh: &Mesh, weights: &[f64], vertex: usize) -> DVec3 {
    let mut tangent = mesh.tangents()[vertex].truncate().as_dvec3();
    for (target, &weight) in mesh.morph_targets().iter().zip(weights) {
        if let Some(delta) = target.tangents.get(vertex) {
            tangent += delta.as_dvec3() * weight;
        }
    }
    tangent
}
