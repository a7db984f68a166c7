//! The box and the ball: the test model of the paper on animation textures, by the numbers of its tables.
//!
//! The model has two meshes with 42 and 20 positions, 312 vertices and 116 triangles, four bones and 248 frames. The
//! vertices are the corners of flat-shaded polygons, so there are (312 − 116) / 2 = 98 polygons: 80 triangles of a
//! twice divided icosahedron, which has 42 corners, and 18 quads of a box of four segments, which has 20.

use glam::{DQuat, DVec3, Vec2};
use throng_rig::{Character, Clip, Mesh};

use super::column::{BONES, HEIGHT, looping_clip, sine, skeleton, skin, weights};
use super::surface::{FaceVertices, Surface, Vertex};
use super::with_parts;

/// Width and depth of the box, in metres.
const WIDTH: f64 = 0.4;
/// Radius of the ball, in metres.
const RADIUS: f64 = 0.3;
/// Height of the middle of the ball, which overlaps the end of the box, in metres.
const BALL_HEIGHT: f64 = HEIGHT + 0.2;
/// Frames of the clip, of which the first follows the last.
const FRAMES: usize = 248;
/// Maximum bend of each bone to either side, in degrees.
const BEND_DEGREES: f64 = 22.0;
/// Maximum twist of each bone to either side, in degrees.
const TWIST_DEGREES: f64 = 12.0;
/// Ochre; linear RGBA.
const BOX_COLOR: [f32; 4] = [0.72, 0.38, 0.09, 1.0];
/// Blue; linear RGBA.
const BALL_COLOR: [f32; 4] = [0.10, 0.24, 0.58, 1.0];

/// Generates the box with the ball on its end, and its clip `Test Animation`.
pub(super) fn box_and_ball() -> Character {
    let skeleton = skeleton();
    let skin = skin("box", &skeleton);
    let parts = vec![
        ("ball", BALL_COLOR, bound(ball())),
        ("box", BOX_COLOR, bound(column())),
    ];
    with_parts("box", skeleton, skin, parts, vec![clip()])
}

fn bound(surface: Surface) -> Mesh {
    surface.into_mesh(|position| weights(f64::from(position.y)))
}

/// Builds the clip: bends to both sides in turn, each bone a little after the one below, with a slow twist.
fn clip() -> Clip {
    looping_clip("Test Animation", FRAMES, 0..BONES, |bone, phase| {
        let delay = bone as f64 / 16.0;
        let bend = BEND_DEGREES.to_radians() * sine(2.0 * (phase - delay));
        let twist = TWIST_DEGREES.to_radians() * sine(phase);
        DQuat::from_rotation_z(bend) * DQuat::from_rotation_y(twist)
    })
}

/// Builds a box of as many segments as bones.
fn column() -> Surface {
    let mut surface = Surface::new(FaceVertices::Own);
    // Sides anticlockwise seen from above; each goes from one corner to the next.
    let corner = |index: usize, ring: usize| {
        let [x, z] = [[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]][index % 4];
        let height = HEIGHT * ring as f64 / BONES as f64;
        DVec3::new(x * WIDTH / 2.0, height, z * WIDTH / 2.0)
    };
    for side in 0..4 {
        surface.add_grid(1, BONES, |right, ring| {
            let normal = corner(side, 0) + corner(side + 1, 0);
            let uv = Vec2::new(
                (side + right) as f32 / 4.0,
                1.0 - ring as f32 / BONES as f32,
            );
            vertex(corner(side + right, ring), normal, uv)
        });
    }
    for (ring, normal) in [(BONES, DVec3::Y), (0, DVec3::NEG_Y)] {
        let cap = |index: usize| {
            let position = corner(index, ring);
            let uv = (position / WIDTH + 0.5).as_vec3();
            vertex(position, normal, Vec2::new(uv.x, uv.z))
        };
        match ring {
            0 => surface.add_face((0..4).rev().map(cap)),
            _ => surface.add_face((0..4).map(cap)),
        }
    }
    surface
}

/// Builds the ball: an icosahedron whose 20 triangles are divided into four each.
fn ball() -> Surface {
    let mut surface = Surface::new(FaceVertices::Own);
    for [a, b, c] in icosahedron() {
        let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
        for triangle in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            let [a, b, c] = triangle;
            let normal = (b - a).cross(c - a);
            surface.add_face(triangle.map(|direction| {
                let uv = Vec2::new(
                    0.5 + direction.x.atan2(direction.z) as f32 / std::f32::consts::TAU,
                    0.5 - direction.y.asin() as f32 / std::f32::consts::PI,
                );
                let position = DVec3::Y * BALL_HEIGHT + direction * RADIUS;
                vertex(position, normal, uv)
            }));
        }
    }
    surface
}

/// Returns the direction between two directions, with the same bits for both orders.
fn middle(a: DVec3, b: DVec3) -> DVec3 {
    (a + b).normalize()
}

/// Returns the corners of the 20 triangles as directions, anticlockwise seen from outside. Two are vertical.
fn icosahedron() -> Vec<[DVec3; 3]> {
    let ring = |index: usize, height: f64, offset: f64| {
        let angle = std::f64::consts::TAU * ((index % 5) as f64 + offset) / 5.0;
        let radius = (1.0 - height * height).sqrt();
        DVec3::new(radius * angle.sin(), height, radius * angle.cos())
    };
    let height = 0.2_f64.sqrt();
    let upper = |index: usize| ring(index, height, 0.0);
    let lower = |index: usize| ring(index, -height, 0.5);
    let triangles = (0..5).flat_map(|i| {
        [
            [DVec3::Y, upper(i), upper(i + 1)],
            [upper(i), lower(i), upper(i + 1)],
            [lower(i), lower(i + 1), upper(i + 1)],
            [DVec3::NEG_Y, lower(i + 1), lower(i)],
        ]
    });
    triangles.collect()
}

fn vertex(position: DVec3, normal: DVec3, uv: Vec2) -> Vertex {
    Vertex {
        position: position.as_vec3(),
        normal: normal.normalize().as_vec3(),
        uv,
        color: [1.0; 4],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::checks;
    use throng_rig::CharacterPose;

    #[test]
    fn has_the_counts_of_the_paper() {
        let character = box_and_ball();
        let meshes = character.meshes();
        let count = |of: fn(&Mesh) -> usize| -> Vec<usize> { meshes.iter().map(of).collect() };
        // Table 1, and the heights of the vertex textures of table 2.
        let positions = count(|mesh| mesh.unique().position_count());
        let vertices: usize = count(Mesh::vertex_count).iter().sum();
        assert_eq!(positions, [42, 20]);
        assert_eq!(vertices, 312);
        assert_eq!(count(|m| m.triangles().len()).iter().sum::<usize>(), 116);
        assert_eq!(character.skins()[0].len(), 4);
        // The width of the textures without the column of metadata.
        let clip = &character.clips()[0];
        assert_eq!(clip.name, "Test Animation");
        assert_eq!(
            clip.duration_secs() * super::super::column::KEY_RATE_HZ,
            248.0
        );
        // Figure 30: 5.03 times fewer vertices without duplicates.
        let ratio = vertices as f64 / positions.iter().sum::<usize>() as f64;
        assert_eq!((100.0 * ratio).round(), 503.0);
    }

    #[test]
    fn surfaces_are_closed_and_flat_shaded() {
        let character = box_and_ball();
        for mesh in character.meshes() {
            checks::assert_closed("box", mesh);
            checks::assert_normals_agree_with_winding("box", mesh);
            for triangle in mesh.triangles() {
                let [a, b, c] = triangle.map(|v| mesh.normals()[v as usize]);
                assert!(a == b && b == c);
            }
        }
        let box_volume = checks::signed_volume(&character.meshes()[1]);
        assert!((box_volume - WIDTH * WIDTH * HEIGHT).abs() < 1e-6);
    }

    #[test]
    fn every_bone_moves_and_the_clip_loops() {
        let character = box_and_ball();
        let clip = &character.clips()[0];
        let mut pose = CharacterPose::rest(&character);
        let mut tip = |secs: f64| {
            pose.sample(&character, clip, secs);
            pose.model.model_from_joint[BONES].translation
        };
        assert_eq!(tip(clip.start_secs()), tip(clip.end_secs()));
        let sides = (0..FRAMES).map(|k| tip(clip.end_secs() * k as f64 / FRAMES as f64).x);
        let (low, high) = sides.fold((0.0_f64, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
        assert!(low < -0.5 && high > 0.5, "{low} to {high}");
        assert_eq!(clip.joints().len(), BONES);
    }
}
