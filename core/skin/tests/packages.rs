//! Public Python packages skin points to the same places: libigl and pytransform3d.

mod common;

use common::{Case, Noise, chain, heaviest_first, palette_of};
use glam::{DAffine3, DQuat, DVec3};
use serde::{Deserialize, Serialize};
use throng_rig::Method;
use throng_testkit::ask_python;

/// Number of questions of each kind.
const QUESTIONS: usize = 300;

/// A point, and the motions that are blended.
#[derive(Serialize)]
struct Question {
    /// Row by row.
    matrices: Vec<[f64; 16]>,
    weights: Vec<f64>,
    point: [f64; 3],
}

/// Input of `tools/skinning-reference/answers.py`.
#[derive(Serialize)]
struct Questions {
    lbs: Vec<Question>,
    dqs: Vec<Question>,
    sclerp: Vec<Question>,
    mean: Vec<Question>,
}

/// Output of `tools/skinning-reference/answers.py`.
#[derive(Deserialize)]
struct Answers {
    lbs: Vec<[f64; 3]>,
    dqs: Vec<[f64; 3]>,
    sclerp: Vec<[f64; 3]>,
    mean: Vec<[f64; 3]>,
}

/// Asks the packages; `None` where they are not installed.
fn ask(questions: &Questions) -> Option<Answers> {
    let json = serde_json::to_string(questions).expect("questions are JSON");
    let answers = ask_python("skinning-reference", &["igl", "pytransform3d"], &json)?;
    Some(serde_json::from_slice(&answers).expect("answers"))
}

/// A case with `joints` rigid motions, each rotated by at most `radians` from a common one, and a point.
fn random_case(noise: &mut Noise, joints: usize, radians: f64) -> (Case, DVec3) {
    let base = noise.rotation();
    let matrices: Vec<DAffine3> = (0..joints)
        .map(|_| {
            let turn = DQuat::from_axis_angle(noise.vec3().normalize(), radians * noise.unit());
            DAffine3::from_rotation_translation(base * turn, noise.vec3() * 2.0)
        })
        .collect();
    let weights: Vec<f64> = (0..joints).map(|_| 0.05 + noise.unit()).collect();
    let case = Case {
        palette: palette_of(&chain(joints), &vec![DVec3::ZERO; joints], &matrices),
        influences: heaviest_first(&weights),
    };
    (case, noise.vec3() * 3.0)
}

fn question((case, point): &(Case, DVec3)) -> Question {
    let rows = |matrix: &DAffine3| {
        let [x, y, z, t] = [
            matrix.matrix3.x_axis,
            matrix.matrix3.y_axis,
            matrix.matrix3.z_axis,
            matrix.translation,
        ];
        let row = |i: usize| [x[i], y[i], z[i], t[i]];
        let all = [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]];
        let mut flat = [0.0; 16];
        flat.copy_from_slice(all.as_flattened());
        flat
    };
    let mut weights = vec![0.0; case.palette.len()];
    for &(joint, weight) in &case.influences {
        weights[joint] = weight;
    }
    Question {
        matrices: case.palette.matrices().iter().map(rows).collect(),
        weights,
        point: point.to_array(),
    }
}

#[test]
fn points_match_public_packages() {
    let mut noise = Noise(7);
    let mut cases = |radians: f64, most: usize| -> Vec<(Case, DVec3)> {
        let joints = |i: usize| 2 + i % (most - 1);
        (0..QUESTIONS)
            .map(|i| random_case(&mut noise, joints(i), radians))
            .collect()
    };
    // Two motions are up to 3 rad apart. Of several, all are in one hemisphere, where the mean is unique.
    let (linear, dual, two, several) = (cases(3.0, 6), cases(1.5, 6), cases(1.5, 2), cases(0.7, 6));
    let ask_all = |cases: &[(Case, DVec3)]| cases.iter().map(question).collect();
    let Some(answers) = ask(&Questions {
        lbs: ask_all(&linear),
        dqs: ask_all(&dual),
        sclerp: ask_all(&two),
        mean: ask_all(&several),
    }) else {
        return;
    };
    let kinds = [
        (Method::Lbs, &linear, answers.lbs, 1e-13),
        (Method::Dqs, &dual, answers.dqs, 1e-12),
        (Method::Sclerp, &two, answers.sclerp, 1e-12),
        (Method::Sclerp, &several, answers.mean, 1e-12),
    ];
    for (method, cases, answers, tolerance) in kinds {
        assert_eq!(answers.len(), QUESTIONS);
        let mut largest = 0f64;
        for (index, ((case, point), expected)) in cases.iter().zip(answers).enumerate() {
            let found = case.motion(method).position(*point);
            let error = found.distance(DVec3::from_array(expected));
            assert!(
                error < tolerance,
                "{method} {index}: {found} != {expected:?}"
            );
            largest = largest.max(error);
        }
        println!("{method}: largest difference {largest:e} m");
    }
}
