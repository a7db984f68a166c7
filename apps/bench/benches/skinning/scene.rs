//! Meshes to skin: a procedural body of any size, and the largest mesh of the test assets.

use glam::{DAffine3, DQuat, DVec3};
use throng_import::{ImportOptions, import_file};
use throng_rig::{CharacterPose, Influences, Mesh, Palette, Part};
use throng_testkit::{files_below, shared_assets};

pub const JOINTS: usize = 67;

/// Vertices that share a set of joints, on average: a character of 39 279 vertices has 915 sets.
const VERTICES_PER_SET: usize = 43;

/// Vertices in a row with the same set: a mesh walks along its surface.
const STRIP: usize = 12;

/// Sets of four out of this many neighbouring joints.
const NEIGHBOURS: u64 = 9;

pub struct Scene {
    pub name: String,
    pub mesh: Mesh,
    pub palette: Palette,
}

/// Builds a body with four influences per vertex, and joint sets and strips as on a real character.
pub fn body(vertices: usize) -> Scene {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
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
            let place = vertex as f64 / vertices as f64 + 0.1 * (skewed - 0.25);
            set = ((place * set_count as f64) as usize).min(set_count - 1);
        }
        influences.push(sets[set].map(|joint| (joint, 0.05 + random.unit())));
        let joint = f64::from(sets[set][0]);
        let offset = random.direction();
        positions.push((DVec3::new(0.02 * joint, 0.0, 0.0) + offset * 0.1).as_vec3());
        normals.push(offset.as_vec3());
    }
    let influences = Influences::new(influences).expect("weights are positive");
    let mut mesh = Mesh::new(positions, Vec::new(), influences).expect("lists are of one length");
    mesh.set_normals(normals).expect("one normal per vertex");
    Scene {
        name: format!("{vertices} vertices"),
        mesh,
        palette: bent(),
    }
}

/// Picks four of the joints from `first` on.
fn neighbours(first: usize, random: &mut Random) -> [u32; 4] {
    let first = first.min(JOINTS - NEIGHBOURS as usize) as u64;
    let mut set = Vec::with_capacity(4);
    while set.len() < 4 {
        let joint = (first + random.next() % NEIGHBOURS) as u32;
        if !set.contains(&joint) {
            set.push(joint);
        }
    }
    [set[0], set[1], set[2], set[3]]
}

/// Joints along a line, each rotated a little further.
fn bent() -> Palette {
    let (transforms, centres): (Vec<_>, Vec<_>) = (0..JOINTS)
        .map(|joint| {
            let along = 0.02 * joint as f64;
            let turn = DQuat::from_rotation_z(0.04 * joint as f64)
                * DQuat::from_rotation_x(0.3 * (joint as f64).sin());
            let shift = DVec3::new(0.0, 0.01 * along, 0.1 * along);
            let centre = DVec3::new(along, 0.0, 0.0);
            (DAffine3::from_rotation_translation(turn, shift), centre)
        })
        .unzip();
    Palette::from_nodes(&transforms, &centres)
}

/// Returns the mesh with the most influences among the shared glTF files, at a third of its first clip.
pub fn real() -> Option<Scene> {
    let assets = shared_assets()?;
    let mut best: Option<Scene> = None;
    for file in files_below(&assets.join("gltf"), &["glb", "gltf"]) {
        // Files that test limits are not typical characters.
        if file
            .components()
            .any(|part| part.as_os_str() == "crafted_valid")
        {
            continue;
        }
        let Ok(import) = import_file(&file, &ImportOptions::default()) else {
            continue;
        };
        let character = &import.character;
        let size = |part: &&Part| influence_sum(character.mesh_of(part));
        let Some(part) = character.parts().iter().max_by_key(size) else {
            continue;
        };
        let mesh = character.mesh_of(part);
        if best
            .as_ref()
            .is_some_and(|best| influence_sum(&best.mesh) >= size(&part))
        {
            continue;
        }
        let mut pose = CharacterPose::rest(character);
        if let Some(clip) = character.clips().first() {
            let (start, end) = (clip.start_secs(), clip.end_secs());
            pose.sample(character, clip, start + (end - start) / 3.0);
        }
        best = Some(Scene {
            name: file
                .strip_prefix(&assets)
                .unwrap_or(&file)
                .display()
                .to_string(),
            mesh: mesh.clone(),
            palette: pose.palettes[part.skin].clone(),
        });
    }
    if best.is_none() {
        println!("skipped: no skinned mesh among the shared assets");
    }
    best
}

fn influence_sum(mesh: &Mesh) -> usize {
    let run = |vertex| mesh.influences().run(vertex).0.len();
    (0..mesh.vertex_count()).map(run).sum()
}

/// Number of vertices with 1, 2, 3, 4 and more influences.
pub fn influence_counts(mesh: &Mesh) -> [usize; 5] {
    let mut counts = [0; 5];
    for vertex in 0..mesh.vertex_count() {
        let influences = mesh.influences().run(vertex).0.len();
        counts[influences.min(5) - 1] += 1;
    }
    counts
}

/// A generator with the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        self.next() as f64 / (1u64 << 53) as f64
    }

    fn direction(&mut self) -> DVec3 {
        let any = DVec3::new(self.unit(), self.unit(), self.unit()) - 0.5;
        any.try_normalize().unwrap_or(DVec3::Y)
    }
}
