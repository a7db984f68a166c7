//! Probes, and the cached reference.

use throng_bake::accuracy::{
    CachedReference, MeasurePlan, Probe, SourcePlayback, measure, moving_joints, probe_character,
};
use throng_import::builtin::builtin;
use throng_rig::{Method, Skinning};
use throng_skin::rest_size;

use crate::common::{Sampled, character, once, slide};

#[test]
fn probe_error_is_a_close_lower_bound() {
    let full = builtin("humanoid:3000").unwrap();
    let probe = probe_character(&full, 3);
    let clips: Vec<usize> = (0..full.clips().len()).collect();
    let max_error_mm = |character, stride| {
        let reference = SourcePlayback::new(character, clips.clone(), Method::Lbs);
        let tested = Sampled {
            reference: &reference,
            rate_hz: 6.0,
        };
        let size_m = rest_size(&full);
        let plan = MeasurePlan::probe(character, size_m, &once(clips.len()), stride);
        measure(&reference, &tested, &plan, &())
            .errors
            .overall
            .max_error_mm
    };
    let all = max_error_mm(&full, 1);
    let few = max_error_mm(&probe, 1);
    let fewer = max_error_mm(&probe, 3);
    assert!(few <= all && few > 0.9 * all, "{few} of {all}");
    assert!(fewer <= few && fewer > 0.8 * few, "{fewer} of {few}");
}

#[test]
fn probe_keeps_every_joint_that_moves_vertices() {
    for name in ["humanoid:3000", "bar", "graph:40"] {
        let full = builtin(name).unwrap();
        let probe = probe_character(&full, 2);
        assert_eq!(moving_joints(&probe), moving_joints(&full), "{name}");
        let count = |c: &throng_rig::Character| c.meshes()[0].vertex_count();
        assert!(count(&probe) <= 2 * moving_joints(&full).len());
        assert!(count(&probe) < count(&full));
        assert_eq!(probe, probe_character(&full, 2), "probes are deterministic");
    }
}

/// A probe's vertices move as in the whole character.
#[test]
fn reduced_character_plays_a_part_of_the_whole() {
    let full = builtin("humanoid:1000").unwrap();
    let probe = Probe::new(&full, 3);
    let reduced = probe.reduce(&full);
    let mut played = [Default::default(), Default::default()];
    for (character, out) in [&full, &reduced].into_iter().zip(&mut played) {
        let source = SourcePlayback::new(character, vec![0], Skinning::AsAuthored);
        throng_bake::accuracy::Playback::player(&source).play(0, 0.3, out);
    }
    let [all, some] = played;
    for (part, skinned) in some.parts.iter().enumerate() {
        let vertices = probe.vertices_of(part);
        assert_eq!(vertices.len(), skinned.positions.len());
        for (&vertex, (position, normal)) in vertices
            .iter()
            .zip(skinned.positions.iter().zip(&skinned.normals))
        {
            assert_eq!(all.parts[part].positions[vertex as usize], *position);
            assert_eq!(all.parts[part].normals[vertex as usize], *normal);
        }
    }
}

#[test]
fn farthest_vertex_of_each_joint_is_chosen_first() {
    let character = character(vec![slide("slide")]);
    let probe = Probe::new(&character, 1);
    // From root at the origin, vertex 1 is 1 m × 0.75; from tip at 1 m, vertex 2 is 1 m × 1.
    assert_eq!(probe.vertices_of(0), [1, 2]);
    // Vertex 0 is at root: it adds nothing to the others.
    assert_eq!(Probe::new(&character, 9).vertices_of(0), [1, 2, 3]);
}

#[test]
fn cached_reference_gives_the_same_report() {
    let character = probe_character(&builtin("humanoid:1000").unwrap(), 2);
    let clips: Vec<usize> = (0..character.clips().len()).collect();
    let live = SourcePlayback::new(&character, clips.clone(), Skinning::AsAuthored);
    let tested = Sampled {
        reference: &live,
        rate_hz: 10.0,
    };
    let plan = MeasurePlan::full(&character, &once(clips.len()));
    let expected = measure(&live, &tested, &plan, &());
    for max_bytes in [0, 1 << 20, 1 << 30] {
        let cached = CachedReference::new(&live, &plan, max_bytes);
        assert_eq!(cached.cached_times() == 0, max_bytes == 0);
        assert_eq!(
            cached.cached_times() as u64 == plan.times(),
            max_bytes == 1 << 30
        );
        assert_eq!(measure(&cached, &tested, &plan, &()), expected);
    }
}
