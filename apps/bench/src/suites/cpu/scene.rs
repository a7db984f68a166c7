//! Meshes to skin: procedural bodies of any size, and the built-in humanoid.

use glam::{DAffine3, DQuat, DVec3};
use throng_import::PositionSharing;
use throng_rig::{CharacterPose, Influences, Mesh, Palette};

use crate::BenchError;
use crate::random::Random;
use crate::subject::SubjectSpec;

/// Joints of a body.
const JOINTS: usize = 67;

/// Vertices that share a set of joints, on average: a character of 39 279 vertices has 915 sets.
const VERTICES_PER_SET: usize = 43;

/// Vertices in a row with the same set: a mesh walks along its surface.
const STRIP: usize = 12;

/// A set is four out of this many neighbouring joints.
const NEIGHBOURS: usize = 9;

/// Seed of bodies.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// A scene, before it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SceneSpec {
    /// A body with this number of vertices.
    Body(usize),
    /// The built-in humanoid with about this number of vertices, a third into its walk.
    Humanoid(usize),
}

/// A mesh and the pose that it is skinned to.
pub struct Scene {
    /// The mesh, with normals and without morph targets.
    pub mesh: Mesh,
    /// The pose.
    pub palette: Palette,
}

impl SceneSpec {
    /// Part of a section's id, such as `100000` or `humanoid`.
    pub fn id(self) -> String {
        match self {
            Self::Body(vertices) => vertices.to_string(),
            Self::Humanoid(_) => "humanoid".into(),
        }
    }

    /// Heading.
    pub fn title(self) -> String {
        match self {
            Self::Body(vertices) => format!("{vertices} vertices"),
            Self::Humanoid(vertices) => format!("humanoid of about {vertices} vertices"),
        }
    }

    /// Makes the scene.
    pub fn make(self) -> Result<Scene, BenchError> {
        match self {
            Self::Body(vertices) => Ok(body(vertices)),
            Self::Humanoid(vertices) => humanoid(vertices),
        }
    }
}

impl Scene {
    /// Numbers of vertices with 1, 2, 3, 4 and more influences.
    pub fn influence_counts(&self) -> [usize; 5] {
        let mut counts = [0; 5];
        for vertex in 0..self.mesh.vertex_count() {
            let influences = self.mesh.influences().run(vertex).0.len();
            counts[influences.min(5) - 1] += 1;
        }
        counts
    }
}

/// Builds a body with four influences per vertex, and joint sets and strips as on a real character.
fn body(vertices: usize) -> Scene {
    let mut random = Random::new(SEED);
    let set_count = (vertices / VERTICES_PER_SET).clamp(1, 4_000);
    let sets: Vec<[u32; 4]> = (0..set_count)
        .map(|set| neighbours(set * JOINTS / set_count, &mut random))
        .collect();
    let mut influences = Vec::with_capacity(vertices);
    let mut positions = Vec::with_capacity(vertices);
    let mut normals = Vec::with_capacity(vertices);
    let mut set = 0;
    for vertex in 0..vertices {
        if vertex % STRIP == 0 {
            // Small sets are as frequent as large sets are large.
            let skewed = random.unit() * random.unit();
            let along = vertex as f64 / vertices as f64 + 0.1 * (skewed - 0.25);
            set = ((along * set_count as f64) as usize).min(set_count - 1);
        }
        influences.push(sets[set].map(|joint| (joint, 0.05 + random.unit())));
        let joint = f64::from(sets[set][0]);
        let offset = direction(&mut random);
        positions.push((DVec3::new(0.02 * joint, 0.0, 0.0) + offset * 0.1).as_vec3());
        normals.push(offset.as_vec3());
    }
    let influences = Influences::new(influences).expect("weights are positive");
    let mut mesh = Mesh::new(positions, Vec::new(), influences).expect("lists are of one length");
    mesh.set_normals(normals).expect("one normal per vertex");
    Scene {
        mesh: with_centers(mesh),
        palette: bent(),
    }
}

/// Gives each vertex a centre of rotation near it. Where it is does not change the cost.
fn with_centers(mut mesh: Mesh) -> Mesh {
    let centers = mesh.positions().iter().map(|&position| 0.95 * position);
    let centers = centers.collect();
    mesh.set_rotation_centers(centers)
        .expect("one centre per vertex");
    mesh
}

/// Picks four of the joints from `first` on.
fn neighbours(first: usize, random: &mut Random) -> [u32; 4] {
    let first = first.min(JOINTS - NEIGHBOURS);
    let mut set = Vec::with_capacity(4);
    while set.len() < 4 {
        let joint = (first + random.below(NEIGHBOURS)) as u32;
        if !set.contains(&joint) {
            set.push(joint);
        }
    }
    [set[0], set[1], set[2], set[3]]
}

fn direction(random: &mut Random) -> DVec3 {
    let any = DVec3::new(random.unit(), random.unit(), random.unit()) - 0.5;
    any.try_normalize().unwrap_or(DVec3::Y)
}

/// Joints along a line, each rotated a little further.
fn bent() -> Palette {
    let (transforms, centres): (Vec<_>, Vec<_>) = (0..JOINTS)
        .map(|joint| {
            let along = 0.02 * joint as f64;
            let rotation = DQuat::from_rotation_z(0.04 * joint as f64)
                * DQuat::from_rotation_x(0.3 * (joint as f64).sin());
            let shift = DVec3::new(0.0, 0.01 * along, 0.1 * along);
            let centre = DVec3::new(along, 0.0, 0.0);
            (DAffine3::from_rotation_translation(rotation, shift), centre)
        })
        .unzip();
    Palette::from_nodes(&transforms, &centres)
}

/// The largest part of the humanoid.
fn humanoid(vertices: usize) -> Result<Scene, BenchError> {
    let name = format!("humanoid:{vertices}");
    let spec = SubjectSpec::builtin(&name, PositionSharing::Shared, &["walk"]);
    let (character, _) = spec.prepare()?;
    let parts = character.parts().iter();
    let part = parts
        .max_by_key(|part| character.mesh_of(part).vertex_count())
        .expect("a character that is drawn has a mesh");
    let clip = &character.clips()[0];
    let mut pose = CharacterPose::rest(&character);
    pose.sample(
        &character,
        clip,
        clip.start_secs() + clip.duration_secs() / 3.0,
    );
    Ok(Scene {
        mesh: with_centers(character.mesh_of(part).clone()),
        palette: pose.palettes[part.skin].clone(),
    })
}
