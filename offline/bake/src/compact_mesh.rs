//! Rounds meshes to values that a compact mesh file stores in few bits.

use glam::{DQuat, DVec3, Vec3};
use rayon::prelude::*;
use throng_format::compact::{
    WEIGHT_UNITS_16, quantization_groups, round_direction, round_inverse_binds, round_unorm16,
    round_weights,
};
use throng_format::meshopt::canonical_triangles;
use throng_rig::{Character, CharacterPose, Influences, Mesh, MorphTarget, Skeleton, Skinning};
use throng_skin::reference::{Skinned, skin_part};

/// Largest displacement of a vertex, as a part of the largest error of the set.
pub(crate) const DISPLACEMENT_OF_ERROR: f64 = 0.05;

/// Most poses that displacements are measured in.
const MAX_POSES: usize = 24;
/// Fewest poses, where the character has as many vertices as are skinned in a second or two.
const MIN_POSES: usize = 4;
/// Vertices that are skinned to measure displacements, in all poses together.
const MEASURED_VERTICES: usize = 1 << 21;

/// Distance of the times of poses in a clip: multiples of it are spread evenly, however many there are.
const GOLDEN_RATIO: f64 = 0.618_034;

/// Steps of 16-bit positions over the extent of a mesh. One is left for rounding.
const POSITION_STEPS: f64 = 65_534.0;
/// Most significant bits of a step. Multiples of up to 2^17 steps are then exact in float32.
const STEP_BITS: u32 = 7;

/// Half a unit in the last place of float32, relative to the largest value.
const NOISE: f64 = 3e-8;

/// Rounding of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rounding {
    /// Steps of positions are `2^-finer` of those of 16 bits.
    finer: i32,
    /// Weights are multiples of one over this.
    weight_units: u32,
}

/// Roundings, from the fewest bits to the most. The first is stored in 16 bits, the others as float32 whose last bits are
/// zeros.
const ROUNDINGS: [Rounding; 6] = [
    rounding(0, WEIGHT_UNITS_16),
    rounding(0, 1 << 20),
    rounding(2, 1 << 20),
    rounding(4, 1 << 20),
    rounding(6, 1 << 23),
    rounding(8, 1 << 23),
];

const fn rounding(finer: i32, weight_units: u32) -> Rounding {
    Rounding {
        finer,
        weight_units,
    }
}

/// Returns the character with rounded meshes: positions and weights such that no vertex moves farther than
/// `max_displacement_m` in the poses of its clips, or not at all; and the rest as [`throng_format::compact`] rounds it.
/// Unique vertices are those of the character. Also returns the largest displacement.
pub(crate) fn compact_mesh(
    character: &Character,
    skinning: Skinning,
    max_displacement_m: f64,
) -> (Character, f64) {
    let poses = poses(character);
    let mut near = ROUNDINGS.iter().filter_map(|&rounding| {
        let rounded = rounded(character, Some(rounding));
        let displacement_m = displacement_m(character, &rounded, skinning, &poses);
        (displacement_m <= max_displacement_m).then_some((rounded, displacement_m))
    });
    let (rounded, displacement_m) = near
        .next()
        .unwrap_or_else(|| (rounded_attributes(character), 0.0));
    (without_noise(round_inverse_binds(rounded)), displacement_m)
}

/// Sets components of rest poses that float32 loses beside the others to zero: they are noise, and take many digits.
fn without_noise(character: Character) -> Character {
    let mut parts = character.into_parts();
    let mut joints = parts.skeleton.joints().to_vec();
    let lengths = joints
        .iter()
        .map(|joint| joint.parent_from_joint.translation.length());
    let longest = lengths.fold(0.0, f64::max);
    for joint in &mut joints {
        let transform = &mut joint.parent_from_joint;
        let kept = |value: f64, largest: f64| {
            if value.abs() > NOISE * largest {
                value
            } else {
                0.0
            }
        };
        transform.translation = transform.translation.map(|x| kept(x, longest));
        let rotation = transform.rotation.to_array().map(|x| kept(x, 1.0));
        transform.rotation = DQuat::from_array(rotation);
    }
    parts.skeleton = Skeleton::new(joints).expect("the joints are those of a skeleton");
    Character::new(parts).expect("a checked character stays valid with rounded joints")
}

/// Rounds everything but positions and weights.
fn rounded_attributes(character: &Character) -> Character {
    rounded(character, None)
}

fn rounded(character: &Character, rounding: Option<Rounding>) -> Character {
    let (groups, _) = quantization_groups(character);
    let mut parts = character.clone().into_parts();
    let steps: Vec<Option<f64>> = (0..groups.len())
        .map(|group| {
            let meshes = parts.meshes.iter().zip(&groups);
            let meshes = meshes.filter(|&(_, &of)| of == group).map(|(mesh, _)| mesh);
            position_step(meshes, rounding?.finer)
        })
        .collect();
    for (mesh, &group) in parts.meshes.iter_mut().zip(&groups) {
        let weight_units = rounding.map(|rounding| rounding.weight_units);
        *mesh = rounded_mesh(mesh, steps[group], weight_units);
    }
    Character::new(parts).expect("a checked character stays valid with rounded meshes")
}

/// Step that positions are rounded to; `None` where float32 does not hold multiples of it, or there is nothing to round.
fn position_step<'m>(meshes: impl Iterator<Item = &'m Mesh>, finer: i32) -> Option<f64> {
    let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut largest: f64 = 0.0;
    for mesh in meshes {
        for &position in mesh.positions() {
            (min, max) = (min.min(position), max.max(position));
        }
        let deltas = mesh
            .morph_targets()
            .iter()
            .flat_map(|target| &target.positions);
        for delta in deltas {
            largest = largest.max(delta.abs().max_element().into());
        }
    }
    let extent = (max.as_dvec3() - min.as_dvec3()).max_element();
    largest = largest.max(min.abs().max(max.abs()).max_element().into());
    if !(extent > 0.0 && extent.is_finite() && largest.is_finite()) {
        return None;
    }
    let wanted = extent / POSITION_STEPS;
    (1..=STEP_BITS).rev().find_map(|bits| {
        let unit = (wanted.log2().floor() - f64::from(bits - 1)).exp2();
        let step = (wanted / unit).ceil() * unit * f64::from(-finer).exp2();
        // Float32 has 24 significant bits; rounding up may make the step's last bit a higher one.
        let is_exact = (largest / step + 1.0).log2() + f64::from(bits) <= 24.0;
        (is_exact && step > f64::from(f32::MIN_POSITIVE)).then_some(step)
    })
}

fn rounded_mesh(mesh: &Mesh, step: Option<f64>, weight_units: Option<u32>) -> Mesh {
    const VALID: &str = "rounded values of a checked mesh are valid";
    let vectors = |vectors: &[Vec3]| -> Vec<Vec3> {
        match step {
            Some(step) => vectors.iter().map(|&v| round_to(v, step)).collect(),
            None => vectors.to_vec(),
        }
    };
    let positions = vectors(mesh.positions());
    let triangles = canonical_triangles(mesh.triangles());
    let influences = match weight_units {
        Some(units) => rounded_influences(mesh.influences(), units),
        None => mesh.influences().clone(),
    };
    let mut out = Mesh::new(positions, triangles, influences).expect(VALID);
    let normals = mesh.normals().iter().map(|&normal| round_direction(normal));
    out.set_normals(normals.collect()).expect(VALID);
    if !mesh.tangents().is_empty() {
        let tangents = mesh.tangents().iter();
        let tangents = tangents.map(|t| round_direction(t.truncate()).extend(t.w));
        out.set_tangents(tangents.collect()).expect(VALID);
    }
    if !mesh.uvs().is_empty() {
        let mut uvs = mesh.uvs().to_vec();
        // Texture coordinates outside of the texture are floats, and all of a mesh are stored alike.
        if uvs
            .iter()
            .all(|uv| (0.0..=1.0).contains(&uv.x) && (0.0..=1.0).contains(&uv.y))
        {
            uvs = uvs.iter().map(|uv| uv.map(round_unorm16)).collect();
        }
        out.set_uvs(uvs).expect(VALID);
    }
    if !mesh.colors().is_empty() {
        let mut colors = mesh.colors().to_vec();
        if colors
            .as_flattened()
            .iter()
            .all(|x| (0.0..=1.0).contains(x))
        {
            colors = colors
                .iter()
                .map(|color| color.map(round_unorm16))
                .collect();
        }
        out.set_colors(colors).expect(VALID);
    }
    if !mesh.blend_factors().is_empty() {
        let mut factors = mesh.blend_factors().to_vec();
        if weight_units == Some(WEIGHT_UNITS_16) {
            factors = factors.into_iter().map(round_unorm16).collect();
        }
        out.set_blend_factors(factors).expect(VALID);
    }
    if !mesh.rotation_centers().is_empty() {
        let centers = mesh.rotation_centers().to_vec();
        out.set_rotation_centers(centers).expect(VALID);
    }
    for target in mesh.morph_targets() {
        let target = MorphTarget {
            positions: vectors(&target.positions),
            ..target.clone()
        };
        out.add_morph_target(target).expect(VALID);
    }
    let unique = mesh.unique().clone();
    out.set_unique(unique)
        .expect("equal values are rounded to equal values");
    out.material = mesh.material;
    out.authored_method = mesh.authored_method;
    out
}

/// Nearest multiple of a step, never -0.
fn round_to(vector: Vec3, step: f64) -> Vec3 {
    ((vector.as_dvec3() / step).round() * step + DVec3::ZERO).as_vec3()
}

fn rounded_influences(influences: &Influences, units: u32) -> Influences {
    let runs = (0..influences.vertex_count()).map(|vertex| {
        let (joints, weights) = influences.run(vertex);
        let rounded = round_weights(weights, units).unwrap_or_else(|| weights.to_vec());
        joints.iter().copied().zip(rounded)
    });
    Influences::from_runs(runs).expect("rounded weights are sorted and sum to one")
}

/// The rest pose, and poses of all clips.
fn poses(character: &Character) -> Vec<CharacterPose> {
    let vertices: usize = character.meshes().iter().map(Mesh::vertex_count).sum();
    let count = (MEASURED_VERTICES / vertices.max(1)).clamp(MIN_POSES, MAX_POSES);
    let clips = character.clips();
    let mut poses = vec![CharacterPose::rest(character)];
    for index in 0..if clips.is_empty() { 0 } else { count } {
        let clip = match clips.len() > count {
            true => &clips[index * clips.len() / count],
            false => &clips[index % clips.len()],
        };
        let fraction = (0.5 + index as f64 * GOLDEN_RATIO) % 1.0;
        let mut pose = CharacterPose::rest(character);
        let time = clip.start_secs() + fraction * clip.duration_secs();
        pose.sample(character, clip, time);
        poses.push(pose);
    }
    poses
}

/// Largest distance of a vertex of one character from that of the other, in the same poses.
fn displacement_m(
    a: &Character,
    b: &Character,
    skinning: Skinning,
    poses: &[CharacterPose],
) -> f64 {
    let of_pose = |pose: &CharacterPose| {
        let (mut in_a, mut in_b) = (Skinned::default(), Skinned::default());
        let mut largest: f64 = 0.0;
        for part in a.parts() {
            skin_part(a, part, pose, skinning, &mut in_a);
            skin_part(b, part, pose, skinning, &mut in_b);
            for (a, b) in in_a.positions.iter().zip(&in_b.positions) {
                largest = largest.max(a.distance_squared(*b));
            }
        }
        largest.sqrt()
    };
    let distances = poses.par_iter().map(of_pose);
    distances.reduce(|| 0.0, f64::max)
}
