//! Errors of captured vertices against the float64 reference, in metres and as colours.

use glam::{DVec3, Vec3};
use throng_rig::{Character, CharacterPose, LocalPose, Mesh, Skinning};
use throng_skin::reference::{Skinned, skin_part};
use throng_studio::ramp;
use throng_wgpu::Captured;

use crate::command::CommandError;

/// Pose of an instance: times of clips of the character, blended.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReferencePose {
    /// Clip and seconds from its start; `None` for the rest pose.
    pub first: Option<(usize, f64)>,
    /// Clip that is blended in, seconds from its start, and its weight.
    pub second: Option<(usize, f64, f64)>,
}

/// Returns the reference positions of all vertices, part by part.
pub fn reference(character: &Character, at: &ReferencePose, skinning: Skinning) -> Vec<DVec3> {
    let pose = pose_at(character, at);
    let mut skinned = Skinned::default();
    let mut all = Vec::new();
    for part in character.parts() {
        skin_part(character, part, &pose, skinning, &mut skinned);
        all.extend_from_slice(&skinned.positions);
    }
    all
}

/// Returns the pose of a character.
pub fn pose_at(character: &Character, at: &ReferencePose) -> CharacterPose {
    let mut pose = CharacterPose::rest(character);
    let sample = |local: &mut LocalPose, clip: usize, time_secs: f64| {
        let clip = &character.clips()[clip];
        local.sample(character, clip, clip.start_secs() + time_secs);
    };
    if let Some((clip, time_secs)) = at.first {
        sample(&mut pose.local, clip, time_secs);
        if let Some((clip, time_secs, weight)) = at.second {
            let mut second = LocalPose::rest(character);
            sample(&mut second, clip, time_secs);
            pose.local.blend(&second, weight);
        }
        pose.resolve(character);
    }
    pose
}

/// Returns the errors of the vertices, in metres.
pub fn distances(captured: &Captured, reference: &[DVec3]) -> Vec<f32> {
    let pairs = captured.positions.iter().zip(reference);
    pairs
        .map(|(position, expected)| position.as_dvec3().distance(*expected) as f32)
        .collect()
}

/// Returns a static character with the captured vertices, coloured by errors from 0 to `full_m`.
pub fn colored(
    character: &Character,
    captured: &Captured,
    distances: &[f32],
    full_m: f32,
) -> Result<Character, CommandError> {
    let failed = |error: &dyn std::fmt::Display| {
        CommandError::Failed(format!("cannot colour the errors: {error}"))
    };
    let mut parts = character.clone().into_parts();
    parts.clips.clear();
    parts.materials.clear();
    parts.images.clear();
    parts.morph_sets.clear();
    let mut meshes = Vec::new();
    let mut first = 0;
    for part in &mut parts.parts {
        let mesh = &parts.meshes[part.mesh];
        let range = first..first + mesh.vertex_count();
        first = range.end;
        let color = |error: &f32| ramp(if full_m > 0.0 { error / full_m } else { 0.0 });
        let posed = posed_mesh(
            mesh,
            &captured.positions[range.clone()],
            &captured.normals[range.clone()],
            distances[range].iter().map(color).collect(),
        );
        meshes.push(posed.map_err(|error| failed(&error))?);
        part.mesh = meshes.len() - 1;
        part.morph_set = None;
    }
    parts.meshes = meshes;
    Character::new(parts).map_err(|error| failed(&error))
}

fn posed_mesh(
    mesh: &Mesh,
    positions: &[Vec3],
    normals: &[Vec3],
    colors: Vec<[f32; 4]>,
) -> Result<Mesh, throng_rig::MeshError> {
    let triangles = mesh.triangles().to_vec();
    let mut posed = Mesh::new(positions.to_vec(), triangles, mesh.influences().clone())?;
    posed.set_normals(normals.to_vec())?;
    posed.set_colors(colors)?;
    Ok(posed)
}
