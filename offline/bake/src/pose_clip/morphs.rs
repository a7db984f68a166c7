//! Morph targets that lead from the rest pose to another pose along straight lines.

use glam::{DMat3, DVec3};
use throng_rig::{
    Character, CharacterParts, CharacterPose, Clip, Mesh, MorphTarget, MorphTrack, Part, Skinning,
};
use throng_skin::reference::{BoundVertex, Motion, Skinned, motion, skin_part};

use super::PoseClipError;

/// Name of the morph targets.
const NAME: &str = "pose";

/// Smallest determinant of a transform that can be inverted, relative to the cube of its longest column.
const MIN_DETERMINANT: f64 = 1e-9;

/// Gives every part a mesh of its own with one more morph target, the last: at weight 1 and with everything else at
/// rest, its vertices are where `to` puts them. Its weight is the last of the part's morph set, and 0 at rest and in
/// all clips. Normals are exact, too, but with `blend-positions` only where both of its methods agree in the rest pose.
pub fn add_pose_morphs(
    character: Character,
    rest: &CharacterPose,
    to: &CharacterPose,
    skinning: Skinning,
) -> Result<CharacterParts, PoseClipError> {
    let parts = character.parts().iter().enumerate();
    let targets =
        parts.map(|(index, part)| pose_target(&character, index, part, rest, to, skinning));
    let targets: Vec<MorphTarget> = targets.collect::<Result<_, _>>()?;
    let name = character.name.clone();
    let mut pieces = character.into_parts();
    for (_, weights) in &mut pieces.morph_sets {
        weights.push(0.0);
    }
    let mut meshes = Vec::with_capacity(targets.len());
    for (index, (part, target)) in pieces.parts.iter_mut().zip(targets).enumerate() {
        // Vertices that share a position share its motion, so they still do with the target.
        let mut mesh = pieces.meshes[part.mesh].clone();
        mesh.add_morph_target(target)
            .map_err(|error| PoseClipError::Invalid {
                character: name.clone(),
                reason: format!("part {index}: {error}"),
            })?;
        part.mesh = index;
        meshes.push(mesh);
        part.morph_set.get_or_insert_with(|| {
            let set = (part.node_name.clone(), vec![0.0]);
            pieces.morph_sets.push(set);
            pieces.morph_sets.len() - 1
        });
    }
    pieces.meshes = meshes;
    pieces.clips = pieces.clips.iter().map(with_one_weight_more).collect();
    Ok(pieces)
}

/// Returns a clip whose morph tracks have a last weight of 0.
fn with_one_weight_more(clip: &Clip) -> Clip {
    let widened = |track: &MorphTrack| {
        let values = track.weights().chunks(track.weight_count().max(1));
        let weights = values.flat_map(|value| value.iter().copied().chain([0.0]));
        MorphTrack::new(
            track.set,
            track.times().into(),
            weights.collect(),
            track.weight_count() + 1,
            track.interpolation(),
        )
        .expect("a track that was checked, with zeros")
    };
    let morphs = clip.morphs().iter().map(widened).collect();
    let (start, end) = (clip.start_secs(), clip.end_secs());
    Clip::new(clip.name.clone(), clip.joints().to_vec(), morphs)
        .expect("the tracks of a clip that was checked")
        .with_source_timing(start, end, clip.finest_spacing_secs())
}

/// Returns the offsets in bind space that the rest pose moves onto the difference of two skinned poses.
fn pose_target(
    character: &Character,
    index: usize,
    part: &Part,
    rest: &CharacterPose,
    to: &CharacterPose,
    skinning: Skinning,
) -> Result<MorphTarget, PoseClipError> {
    let mesh = character.mesh_of(part);
    let [rest_skinned, skinned] = [rest, to].map(|pose| {
        let mut skinned = Skinned::default();
        skin_part(character, part, pose, skinning, &mut skinned);
        skinned
    });
    let weights = &rest.local.morph_weights[character.morph_range(part)];
    let mut target = MorphTarget {
        name: NAME.to_owned(),
        positions: Vec::with_capacity(mesh.vertex_count()),
        normals: Vec::with_capacity(mesh.vertex_count()),
        tangents: Vec::with_capacity(mesh.tangents().len()),
    };
    for vertex in 0..mesh.vertex_count() {
        let method = skinning.method_of(mesh, vertex);
        let bound = BoundVertex::of(mesh, weights, vertex);
        let model_from_bind = linear(&motion(method, &rest.palettes[part.skin], &bound));
        let Some(bind_from_model) = inverse(&model_from_bind) else {
            return Err(PoseClipError::Flat {
                character: character.name.clone(),
                part: index,
                part_name: part.node_name.clone(),
                vertex,
            });
        };
        let moved = skinned.positions[vertex] - rest_skinned.positions[vertex];
        target.positions.push((bind_from_model * moved).as_vec3());

        // Normals are transformed by cofactors, whose inverse is the transpose by the determinant.
        let cofactors = bind_from_model.transpose() * model_from_bind.determinant();
        let length = (cofactors * resting_normal(mesh, weights, vertex)).length();
        let moved = (skinned.normals[vertex] - rest_skinned.normals[vertex]) * length;
        let normal = model_from_bind.transpose() * moved / model_from_bind.determinant();
        target.normals.push(normal.as_vec3());

        if !mesh.tangents().is_empty() {
            let from = model_from_bind * resting_tangent(mesh, weights, vertex);
            let moved = skinned.tangents[vertex].truncate() * from.length() - from;
            target.tangents.push((bind_from_model * moved).as_vec3());
        }
    }
    Ok(target)
}

/// Returns the linear part of a motion.
fn linear(motion: &Motion) -> DMat3 {
    let origin = motion.position(DVec3::ZERO);
    let column = |axis| motion.position(axis) - origin;
    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
}

/// Returns the inverse, unless the matrix is nearly singular.
fn inverse(matrix: &DMat3) -> Option<DMat3> {
    let longest = matrix
        .to_cols_array_2d()
        .map(|column| DVec3::from(column).length());
    let longest = longest.into_iter().fold(0.0, f64::max);
    let is_regular = matrix.determinant().abs() > MIN_DETERMINANT * longest.powi(3);
    is_regular.then(|| matrix.inverse())
}

fn resting_normal(mesh: &Mesh, weights: &[f64], vertex: usize) -> DVec3 {
    let targets = mesh.morph_targets().iter().zip(weights);
    let deltas = targets.filter_map(|(target, weight)| Some((target.normals.get(vertex)?, weight)));
    let moved = deltas.map(|(delta, &weight)| delta.as_dvec3() * weight);
    mesh.normals()[vertex].as_dvec3() + moved.sum::<DVec3>()
}

fn resting_tangent(mesh: &Mesh, weights: &[f64], vertex: usize) -> DVec3 {
    let targets = mesh.morph_targets().iter().zip(weights);
    let deltas =
        targets.filter_map(|(target, weight)| Some((target.tangents.get(vertex)?, weight)));
    let moved = deltas.map(|(delta, &weight)| delta.as_dvec3() * weight);
    mesh.tangents()[vertex].truncate().as_dvec3() + moved.sum::<DVec3>()
}
