//! Cases with a closed form.

mod common;

use common::{Case, angle, heaviest_first, naive, palette_of, rotated_about_z, rotation, vec3};
use glam::{DAffine3, DQuat, DVec3};
use proptest::prelude::*;
use throng_rig::{Method, Palette};

/// A few rounding errors of numbers near one.
const ROUNDING: f64 = 1e-14;

fn halves(degrees: [f64; 2]) -> Case {
    Case {
        palette: rotated_about_z(&degrees),
        influences: heaviest_first(&[0.5, 0.5]),
    }
}

/// Halfway between 0° and 180°, a weighted sum of matrices folds the skin onto the axis.
#[test]
fn twist_by_180_degrees_collapses_under_lbs_but_not_under_dqs() {
    let case = halves([0.0, 180.0]);
    for point in [DVec3::new(1.0, 0.0, 0.5), DVec3::new(-0.3, 2.0, -4.0)] {
        let folded = case.motion(Method::Lbs).position(point);
        assert!(folded.abs_diff_eq(DVec3::new(0.0, 0.0, point.z), ROUNDING));
        for method in [Method::Dqs, Method::DqsPlain, Method::DqsDirect] {
            let moved = case.motion(method).position(point);
            let from_axis = moved.truncate().length();
            assert!((from_axis - point.truncate().length()).abs() < ROUNDING);
            assert!((moved.z - point.z).abs() < ROUNDING, "{method}");
            // 90°, in either direction.
            assert!(moved.truncate().dot(point.truncate()).abs() < 1e-13);
        }
    }
}

/// Returns the angles between the halfway vertex and the vertex rotated by each of the two joints, in degrees.
fn arcs(case: &Case, degrees: [f64; 2], method: Method) -> [f64; 2] {
    let moved = case.motion(method).position(DVec3::X);
    degrees.map(|d| {
        let rotated = DQuat::from_rotation_z(d.to_radians()) * DVec3::X;
        angle(rotated, moved).to_degrees()
    })
}

#[test]
fn dqs_takes_the_shorter_arc_for_every_pair_of_rotations() {
    let mut longer_arcs = 0;
    for a in (-350..=350).step_by(10) {
        for b in (-350..=350).step_by(10) {
            let degrees = [f64::from(a), f64::from(b)];
            let difference = i32::rem_euclid(a - b, 360);
            let apart = f64::from(difference.min(360 - difference));
            if apart == 180.0 {
                continue; // Both arcs are equally long.
            }
            let case = halves(degrees);
            // Degrees; above rounding, and below the next multiple of five.
            let is = |x: f64, expected: f64| (x - expected).abs() < 1e-9;
            for method in [Method::Dqs, Method::DqsDirect] {
                let [to_a, to_b] = arcs(&case, degrees, method);
                assert!(
                    is(to_a, apart / 2.0) && is(to_b, apart / 2.0),
                    "{a} {b} {method}"
                );
            }
            let [plain, _] = arcs(&case, degrees, Method::DqsPlain);
            assert!(is(plain, apart / 2.0) || is(plain, 180.0 - apart / 2.0));
            longer_arcs += usize::from(!is(plain, apart / 2.0));
        }
    }
    assert!(
        longer_arcs > 500,
        "dqs-plain took the longer arc {longer_arcs} times"
    );
}

/// 45° and −100° are 145° apart; their matrices become quaternions in opposite hemispheres.
#[test]
fn dqs_plain_takes_the_longer_arc() {
    let degrees = [45.0, -100.0];
    let case = halves(degrees);
    let near = |actual: [f64; 2], expected: f64| {
        actual.iter().all(|a| (a - expected).abs() < 1e-9) // degrees
    };
    assert!(near(arcs(&case, degrees, Method::Dqs), 72.5));
    assert!(near(arcs(&case, degrees, Method::DqsPlain), 107.5));
}

#[test]
fn alignment_to_parents_takes_the_shorter_arc() {
    let degrees = [45.0, -100.0];
    let case = halves(degrees);
    let [plain, _] = arcs(&case, degrees, Method::DqsPlain);
    let [direct, _] = arcs(&case, degrees, Method::DqsDirect);
    assert!(plain > 107.0 && direct < 73.0, "{plain} {direct}");
}

/// Rotations about one axis: the angle is not exactly the mean for unequal weights, but has a closed form.
#[test]
fn unequal_weights_rotate_by_the_angle_of_the_summed_quaternion() {
    for weight in [0.1, 0.3, 0.5, 0.9] {
        let case = Case {
            palette: rotated_about_z(&[0.0, 80.0]),
            influences: heaviest_first(&[1.0 - weight, weight]),
        };
        let half = 40f64.to_radians();
        let angle = 2.0 * (weight * half.sin()).atan2(1.0 - weight + weight * half.cos());
        let expected = DVec3::new(angle.cos(), angle.sin(), 0.0);
        let moved = case.motion(Method::Dqs).position(DVec3::X);
        assert!(moved.abs_diff_eq(expected, ROUNDING));
    }
}

#[test]
fn blended_translations_are_their_mean() {
    let matrices = [DVec3::X, DVec3::new(0.0, 4.0, -2.0)].map(DAffine3::from_translation);
    let case = Case {
        palette: palette_of(&[None, Some(0)], &[DVec3::ONE, DVec3::Z], &matrices),
        influences: heaviest_first(&[0.25, 0.75]),
    };
    for method in common::METHODS {
        let moved = case.motion(method).position(DVec3::ONE);
        assert!(
            moved.abs_diff_eq(DVec3::new(1.25, 4.0, -0.5), ROUNDING),
            "{method}"
        );
    }
}

/// Nodes of a deformation graph: rotation, translation, centre, weight.
fn nodes() -> impl Strategy<Value = Vec<(DQuat, DVec3, DVec3, f64)>> {
    let node = (rotation(), vec3(2.0), vec3(3.0), 0.01..1.0f64);
    prop::collection::vec(node, 1..=8)
}

fn palette(nodes: &[(DQuat, DVec3, DVec3, f64)]) -> Palette {
    let transform =
        |&(q, t, ..): &(DQuat, DVec3, DVec3, f64)| DAffine3::from_rotation_translation(q, t);
    let transforms: Vec<_> = nodes.iter().map(transform).collect();
    let centres: Vec<_> = nodes.iter().map(|n| n.2).collect();
    Palette::from_nodes(&transforms, &centres)
}

proptest! {
    #[test]
    fn lbs_of_nodes_matches_the_formula(
        nodes in prop::collection::vec((common::affine(), vec3(3.0), 0.01..1.0f64), 1..=8),
        v in vec3(3.0),
    ) {
        let transforms: Vec<_> = nodes.iter().map(|n| n.0).collect();
        let centres: Vec<_> = nodes.iter().map(|n| n.1).collect();
        let weights: Vec<_> = nodes.iter().map(|n| n.2).collect();
        let influences = heaviest_first(&weights);
        let case = Case { palette: Palette::from_nodes(&transforms, &centres), influences };
        let mut expected = DVec3::ZERO;
        for &(node, weight) in &case.influences {
            let c = centres[node];
            expected += (transforms[node].matrix3 * (v - c) + transforms[node].translation + c) * weight;
        }
        // Rounding of coordinates up to about 30.
        prop_assert!(case.motion(Method::Lbs).position(v).abs_diff_eq(expected, 1e-13));
    }

    #[test]
    fn dqs_sum_of_nodes_matches_the_formula(nodes in nodes(), v in vec3(3.0)) {
        let weights: Vec<_> = nodes.iter().map(|n| n.3).collect();
        let case = Case { palette: palette(&nodes), influences: heaviest_first(&weights) };
        let mut expected = DVec3::ZERO;
        for &(node, weight) in &case.influences {
            let (q, t, c, _) = nodes[node];
            expected += (naive::apply(naive::dual(q, t), v - c) + c) * weight;
        }
        // Rounding of coordinates up to about 10.
        prop_assert!(case.motion(Method::DqsSum).position(v).abs_diff_eq(expected, 1e-13));
    }

    #[test]
    fn dqs_of_nodes_matches_the_formula(nodes in nodes(), v in vec3(3.0)) {
        let weights: Vec<_> = nodes.iter().map(|n| n.3).collect();
        let case = Case { palette: palette(&nodes), influences: heaviest_first(&weights) };
        let folded: Vec<_> = nodes.iter().map(|&(q, t, c, _)| naive::about(c, q, t)).collect();
        let sum = naive::dqs(&folded, case.influences.iter().copied());
        let moved = case.motion(Method::Dqs).position(v);
        // Rounding of coordinates up to about 10, larger where quaternions nearly cancel.
        prop_assert!(moved.abs_diff_eq(naive::apply(sum, v), 1e-11));
    }
}
