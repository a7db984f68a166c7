//! Characters made by code, so that everything runs with no file.
//!
//! They stand upright on the origin, Y up, in metres, and look along +Z; their bones run along their own
//! +Y, and the rest pose is the pose that the mesh was bound in. The same name always gives the same
//! character.

mod bar;
#[cfg(test)]
mod checks;
mod column;
mod cylinder;
mod graph;
mod humanoid;
mod surface;

use std::ops::RangeInclusive;

pub use humanoid::{RUN_SPEED as HUMANOID_RUN_SPEED, WALK_SPEED as HUMANOID_WALK_SPEED};
use thiserror::Error;
use throng_rig::{Character, CharacterParts, Clip, Material, Mesh, Part, Skeleton, Skin};

/// What stands before the name of a built-in character.
pub const PREFIX: &str = "builtin:";

/// Each built-in: its name and what it shows, for help and errors.
pub const BUILTINS: &[(&str, &str)] = &[
    (
        "humanoid",
        "a person who walks and dances; humanoid:45000 is finer",
    ),
    (
        "bar",
        "a square bar that bends; bar:5000 has about 5000 vertices",
    ),
    (
        "cylinder",
        "a round column whose twist and bend tell LBS from DQS",
    ),
    (
        "graph",
        "a fish on deformation nodes; graph:2000 has 2000 of them",
    ),
];

/// Why a name is not a built-in character.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BuiltinError {
    /// There is none of that name.
    #[error("'{name}' is not a built-in character: use one of {}", names())]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// What stands after the name is no number, or out of range.
    #[error("'{wanted}' {what}: a {name} takes a whole number from {min} to {max}")]
    BadCount {
        /// The built-in.
        name: String,
        /// What is counted.
        what: &'static str,
        /// What stood where the number should.
        wanted: String,
        /// The fewest.
        min: usize,
        /// The most.
        max: usize,
    },
    /// Something stands after the name of a built-in that takes nothing.
    #[error("'{given}' cannot be set there: use '{PREFIX}{name}'")]
    TakesNothing {
        /// The built-in.
        name: String,
        /// What stood after the name.
        given: String,
    },
}

/// Makes a built-in character. Takes what stands after [`PREFIX`]: `humanoid`, `bar:1000`, `graph:500`.
/// A number of vertices is met as nearly as the shape allows.
pub fn builtin(name: &str) -> Result<Character, BuiltinError> {
    let (kind, given) = match name.split_once(':') {
        Some((kind, given)) => (kind, Some(given)),
        None => (name, None),
    };
    match (kind, given) {
        ("humanoid", None) => Ok(humanoid::humanoid(humanoid::DEFAULT_VERTICES)),
        ("humanoid", Some(wanted)) => {
            let range = humanoid::MIN_VERTICES..=humanoid::MAX_VERTICES;
            Ok(humanoid::humanoid(count(kind, "vertices", wanted, range)?))
        }
        ("bar", None) => Ok(bar::bar(bar::DEFAULT_VERTICES)),
        ("bar", Some(wanted)) => {
            let range = bar::MIN_VERTICES..=bar::MAX_VERTICES;
            Ok(bar::bar(count(kind, "vertices", wanted, range)?))
        }
        ("graph", None) => Ok(graph::graph(graph::DEFAULT_NODES)),
        ("graph", Some(wanted)) => {
            let range = graph::MIN_NODES..=graph::MAX_NODES;
            Ok(graph::graph(count(kind, "nodes", wanted, range)?))
        }
        ("cylinder", None) => Ok(cylinder::cylinder()),
        ("cylinder", Some(given)) => Err(BuiltinError::TakesNothing {
            name: kind.to_owned(),
            given: given.to_owned(),
        }),
        _ => Err(BuiltinError::Unknown {
            name: name.to_owned(),
        }),
    }
}

fn count(
    name: &str,
    what: &'static str,
    wanted: &str,
    range: RangeInclusive<usize>,
) -> Result<usize, BuiltinError> {
    let count: Option<usize> = wanted.parse().ok();
    count
        .filter(|count| range.contains(count))
        .ok_or_else(|| BuiltinError::BadCount {
            name: name.to_owned(),
            what,
            wanted: wanted.to_owned(),
            min: *range.start(),
            max: *range.end(),
        })
}

/// A character of one mesh in one part.
fn one_part(
    name: &str,
    base_color: [f32; 4],
    skeleton: Skeleton,
    skin: Skin,
    mut mesh: Mesh,
    clips: Vec<Clip>,
) -> Character {
    mesh.material = Some(0);
    mesh.share_positions();
    let part = Part {
        node: 0,
        node_name: name.to_owned(),
        primitive: 0,
        mesh: 0,
        skin: 0,
        morph_set: None,
    };
    let material = Material {
        name: name.to_owned(),
        base_color,
        ..Material::default()
    };
    Character::new(CharacterParts {
        name: name.to_owned(),
        skeleton,
        skins: vec![skin],
        meshes: vec![mesh],
        parts: vec![part],
        morph_sets: Vec::new(),
        clips,
        materials: vec![material],
        images: Vec::new(),
    })
    .expect("a mesh, a skin and a material, each the first of its list")
}

/// The names in a row, for errors.
fn names() -> String {
    let names: Vec<&str> = BUILTINS.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_rig::{CharacterPose, JointKind, LocalPose, Method};
    use throng_skin::reference::{Skinned, skin_part};

    const COLUMNS: [&str; 5] = ["bar", "bar:24", "bar:333", "bar:20000", "cylinder"];

    fn some_of_each() -> impl Iterator<Item = &'static str> {
        ["humanoid:1000", "humanoid"].into_iter().chain(COLUMNS)
    }

    const METHODS: [Method; 7] = [
        Method::Lbs,
        Method::Dqs,
        Method::DqsPlain,
        Method::DqsDirect,
        Method::DqsSum,
        Method::Blend(0.5),
        Method::BlendPositions(0.5),
    ];

    fn message(name: &str) -> String {
        builtin(name).unwrap_err().to_string()
    }

    #[test]
    fn every_listed_name_is_a_character_of_that_name() {
        for (name, _) in BUILTINS {
            assert_eq!(builtin(name).unwrap().name, *name);
        }
    }

    #[test]
    fn an_unknown_name_lists_those_there_are() {
        assert_eq!(
            message("nosuch"),
            "'nosuch' is not a built-in character: use one of humanoid, bar, cylinder, graph"
        );
        assert!(message("").contains("humanoid, bar, cylinder"));
        assert!(message("nosuch:7").contains("'nosuch:7'"));
        assert!(message("Bar").contains("'Bar'"));
    }

    #[test]
    fn a_bad_vertex_count_names_the_limits() {
        assert_eq!(
            message("bar:0"),
            "'0' vertices: a bar takes a whole number from 24 to 1000000"
        );
        assert_eq!(
            message("humanoid:999"),
            "'999' vertices: a humanoid takes a whole number from 1000 to 320000"
        );
        for wanted in ["abc", "", "23", "1000001", "-24", "99.5", "1:2", "9e99"] {
            let message = message(&format!("bar:{wanted}"));
            assert!(
                message.contains(wanted) && message.contains("from 24 to 1000000"),
                "{message}"
            );
        }
    }

    #[test]
    fn a_builtin_without_a_knob_refuses_one() {
        assert_eq!(
            message("cylinder:7"),
            "'7' cannot be set there: use 'builtin:cylinder'"
        );
        assert!(message("cylinder:").contains("use 'builtin:cylinder'"));
    }

    #[test]
    fn four_bones_and_an_end_stand_on_the_origin() {
        for name in COLUMNS {
            let character = builtin(name).unwrap();
            let joints = character.skeleton().joints();
            let names: Vec<&str> = joints.iter().map(|j| j.name.as_str()).collect();
            assert_eq!(names, ["bone0", "bone1", "bone2", "bone3", "end"]);
            let kinds: Vec<JointKind> = joints.iter().map(|j| j.kind).collect();
            assert_eq!(kinds[..4], [JointKind::Bone; 4]);
            assert_eq!(kinds[4], JointKind::Leaf);
            assert_eq!(character.skins()[0].joints(), [0, 1, 2, 3]);

            let pose = CharacterPose::rest(&character);
            let heights: Vec<f64> = pose
                .model
                .model_from_joint
                .iter()
                .map(|joint| joint.translation.y)
                .collect();
            assert_eq!(heights, [0.0, 0.5, 1.0, 1.5, 2.0]);
        }
    }

    #[test]
    fn one_mesh_with_all_it_needs() {
        for name in some_of_each() {
            let character = builtin(name).unwrap();
            let mesh = &character.meshes()[0];
            let part = &character.parts()[0];
            assert_eq!((character.meshes().len(), character.parts().len()), (1, 1));
            assert_eq!((part.node, part.primitive), (0, 0));
            assert_eq!(part.node_name, character.name);
            assert_eq!(mesh.material, Some(0));
            assert_eq!(mesh.uvs().len(), mesh.vertex_count());
            assert!(mesh.unique().position_count() < mesh.vertex_count());
        }
    }

    #[test]
    fn surfaces_are_closed_and_look_outwards() {
        for name in COLUMNS {
            let character = builtin(name).unwrap();
            checks::is_closed(name, &character.meshes()[0]);
            checks::normals_agree_with_winding(name, &character.meshes()[0]);
        }
    }

    #[test]
    fn weights_sum_to_one_over_at_most_two_bones() {
        for name in COLUMNS {
            let character = builtin(name).unwrap();
            let influences = character.meshes()[0].influences();
            assert!(influences.max_per_vertex() <= 2, "{name}");
            for vertex in 0..influences.vertex_count() {
                let sum: f64 = influences.of(vertex).map(|(_, weight)| weight).sum();
                // Weights are float32.
                assert!((sum - 1.0).abs() < 1e-7, "{name}: vertex {vertex}, {sum}");
            }
        }
    }

    #[test]
    fn at_rest_skinning_moves_nothing() {
        for name in some_of_each() {
            let character = builtin(name).unwrap();
            let pose = CharacterPose::rest(&character);
            let part = &character.parts()[0];
            let mut skinned = Skinned::default();
            for method in METHODS {
                skin_part(&character, part, &pose, method, &mut skinned);
                for (moved, rest) in skinned
                    .positions
                    .iter()
                    .zip(character.meshes()[0].positions())
                {
                    // Weights are float32 and sum to one only so well; 0.2 µm in metres.
                    assert!(moved.abs_diff_eq(rest.as_dvec3(), 2e-7), "{name}, {method}");
                }
            }
        }
    }

    #[test]
    fn clips_take_two_seconds_and_end_where_they_start() {
        for name in COLUMNS {
            let character = builtin(name).unwrap();
            assert!(!character.clips().is_empty());
            for clip in character.clips() {
                assert_eq!((clip.start_secs(), clip.end_secs()), (0.0, 2.0));
                let mut start = LocalPose::rest(&character);
                let mut end = start.clone();
                let mut quarter = start.clone();
                start.sample(&character, clip, 0.0);
                end.sample(&character, clip, 2.0);
                quarter.sample(&character, clip, 0.5);
                assert_eq!(start, end, "{name}, {}", clip.name);
                assert_ne!(start, quarter, "{name}, {}", clip.name);
            }
        }
    }

    #[test]
    fn the_same_name_gives_the_same_character() {
        for name in some_of_each() {
            let [first, second] = [(); 2].map(|()| format!("{:?}", builtin(name).unwrap()));
            assert!(first == second, "{name}");
        }
    }
}
