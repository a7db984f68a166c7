//! The cylinder: a round column that twists and bends, with a ring of vertices at each joint.

use std::f64::consts::TAU;

use glam::{DVec3, Vec2, Vec3};
use throng_rig::Character;

use super::column::{BONES, HEIGHT, character, raised_cosine, rotation_clip};
use super::surface::{FaceVertices, Surface, Vertex};

/// Radius, in metres.
const RADIUS: f64 = 0.25;
/// Number of quads around.
const SIDES: usize = 32;
/// Number of quads along; a multiple of the number of bones, so that a ring lies at each joint.
const SEGMENTS: usize = 12 * BONES;
/// Bone that the clips rotate.
const ROTATED_BONE: usize = 2;
/// Maximum angle of `twist`, in degrees. LBS collapses to a point at 180°.
const TWIST_DEGREES: f64 = 180.0;
/// Maximum angle of `bend`, in degrees.
const BEND_DEGREES: f64 = 120.0;
/// Teal; linear RGBA.
const COLOR: [f32; 4] = [0.05, 0.33, 0.38, 1.0];
/// Cream, for the stripes that show a twist; linear RGBA.
const STRIPE_COLOR: [f32; 4] = [0.90, 0.78, 0.55, 1.0];
/// Distance from one stripe to the next, in quads.
const STRIPE_SPACING: usize = 8;
/// Width of a stripe, in quads.
const STRIPE_WIDTH: usize = 2;

/// Generates the cylinder with its clips `twist` and `bend`.
///
/// Every vertex, also of the caps, has the same distance from the axis.
pub(super) fn cylinder(faces: FaceVertices) -> Character {
    let rotation = |name: &str, axis: DVec3, degrees: f64| {
        rotation_clip(name, ROTATED_BONE..ROTATED_BONE + 1, axis, |phase| {
            degrees.to_radians() * raised_cosine(phase)
        })
    };
    let clips = vec![
        rotation("twist", DVec3::Y, TWIST_DEGREES),
        rotation("bend", DVec3::Z, BEND_DEGREES),
    ];
    character("cylinder", [1.0; 4], surface(faces), clips)
}

fn surface(faces: FaceVertices) -> Surface {
    let outward = |side: usize| {
        let angle = TAU * (side % SIDES) as f64 / SIDES as f64;
        DVec3::new(angle.sin(), 0.0, angle.cos())
    };
    let position = |side: usize, ring: usize| {
        let height = HEIGHT * ring as f64 / SEGMENTS as f64;
        (outward(side) * RADIUS + DVec3::Y * height).as_vec3()
    };

    let color = |side: usize| {
        if side % STRIPE_SPACING <= STRIPE_WIDTH {
            STRIPE_COLOR
        } else {
            COLOR
        }
    };

    let mut surface = Surface::new(faces);
    surface.add_grid(SIDES, SEGMENTS, |side, ring| Vertex {
        position: position(side, ring),
        normal: outward(side).as_vec3(),
        uv: Vec2::new(
            side as f32 / SIDES as f32,
            1.0 - ring as f32 / SEGMENTS as f32,
        ),
        color: color(side),
    });
    let cap = |side: usize, ring: usize, normal: Vec3| {
        let out = outward(side).as_vec3();
        Vertex {
            position: position(side, ring),
            normal,
            // Each cap is mapped as seen from outside.
            uv: Vec2::new(1.0 + out.x, 1.0 + out.z * normal.y) / 2.0,
            color: COLOR,
        }
    };
    surface.add_face((0..SIDES).map(|side| cap(side, SEGMENTS, Vec3::Y)));
    surface.add_face((0..SIDES).rev().map(|side| cap(side, 0, Vec3::NEG_Y)));
    surface
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::checks;
    use throng_rig::{CharacterPose, Clip, Mesh, Method};
    use throng_skin::reference::{Skinned, skin_part};

    /// Returns the vertices at exactly a height in metres.
    fn ring_at(mesh: &Mesh, height: f32) -> Vec<usize> {
        (0..mesh.vertex_count())
            .filter(|&vertex| mesh.positions()[vertex].y == height)
            .collect()
    }

    /// Returns the distance of each vertex from the axis halfway through a clip, in multiples of the radius.
    fn radii_halfway(character: &Character, clip: &Clip, method: Method) -> Vec<f64> {
        let mut pose = CharacterPose::rest(character);
        pose.sample(character, clip, clip.duration_secs() / 2.0);
        let mut skinned = Skinned::default();
        skin_part(
            character,
            &character.parts()[0],
            &pose,
            method,
            &mut skinned,
        );
        let positions = skinned.positions.iter();
        positions.map(|p| p.x.hypot(p.z) / RADIUS).collect()
    }

    fn clip<'a>(character: &'a Character, name: &str) -> &'a Clip {
        let mut clips = character.clips().iter();
        clips.find(|clip| clip.name == name).unwrap()
    }

    #[test]
    fn rings_at_joints_have_equal_weights() {
        let character = cylinder(FaceVertices::Shared);
        let mesh = &character.meshes()[0];
        for joint in 1..BONES as u32 {
            let ring = ring_at(mesh, joint as f32 * 0.5);
            assert_eq!(ring.len(), SIDES + 1);
            for vertex in ring {
                let (joints, weights) = mesh.influences().run(vertex);
                assert_eq!(joints, [joint - 1, joint]);
                assert_eq!(weights, [0.5, 0.5]);
            }
        }
    }

    #[test]
    fn every_vertex_is_one_radius_from_the_axis() {
        for position in cylinder(FaceVertices::Shared).meshes()[0].positions() {
            let radius = f64::from(position.x).hypot(f64::from(position.z));
            assert!((radius / RADIUS - 1.0).abs() < 1e-6, "{position}");
        }
    }

    #[test]
    fn volume_is_close_to_a_round_cylinder() {
        let round = TAU / 2.0 * RADIUS * RADIUS * HEIGHT;
        let volume = checks::signed_volume(&cylinder(FaceVertices::Shared).meshes()[0]);
        // 32 flat sides lose 0.64 %.
        assert!(
            (0.993..0.994).contains(&(volume / round)),
            "{volume} of {round}"
        );
    }

    #[test]
    fn half_twist_collapses_with_lbs_but_not_with_dqs() {
        let character = cylinder(FaceVertices::Shared);
        let twist = clip(&character, "twist");
        let lbs = radii_halfway(&character, twist, Method::Lbs);
        for vertex in ring_at(&character.meshes()[0], 1.0) {
            assert!(lbs[vertex] < 0.05, "{}", lbs[vertex]);
        }
        for radius in radii_halfway(&character, twist, Method::Dqs) {
            assert!((0.95..1.05).contains(&radius), "{radius}");
        }
    }

    #[test]
    fn clips_rotate_one_bone_to_the_stated_angle() {
        let character = cylinder(FaceVertices::Shared);
        for (name, degrees) in [("twist", TWIST_DEGREES), ("bend", BEND_DEGREES)] {
            let tracks = clip(&character, name).joints();
            assert_eq!(tracks.len(), 1);
            assert_eq!(tracks[0].joint, ROTATED_BONE);
            let rotation = tracks[0].rotation.as_ref().unwrap();
            // Keys are float32.
            let angle = |secs: f64| rotation.sample(secs).to_axis_angle().1.to_degrees();
            assert!(
                (angle(1.0) - degrees).abs() < 1e-4,
                "{name}: {}",
                angle(1.0)
            );
            assert!((angle(0.5) - degrees / 2.0).abs() < 1e-4, "{name}");
        }
    }

    #[test]
    fn consecutive_keys_rotate_by_less_than_45_degrees() {
        for clip in cylinder(FaceVertices::Shared).clips() {
            let rotation = clip.joints()[0].rotation.as_ref().unwrap();
            for pair in rotation.times().windows(2) {
                let [from, to] = [pair[0], pair[1]].map(|secs| rotation.sample(secs));
                assert!(from.angle_between(to).to_degrees() < 45.0, "{}", clip.name);
                assert!(from.dot(to) > 0.0, "{}", clip.name);
            }
        }
    }
}
