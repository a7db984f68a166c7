//! Blend factors between linear (0) and dual-quaternion skinning (1), chosen from a character's own clips.
//!
//! Twists need dual quaternions, bends less so. Artefacts (see [`crate::artefacts`]) are summed over joints and over poses
//! of all clips. Factors descend on the gradient of the sum, which is made smooth over the surface, from two beginnings: the
//! best fixed factor, and the factor that is best around each joint, blended by weight between joints. A step is kept
//! only if the sum becomes smaller, so that no fixed factor of those tried is better in the poses compared.

mod descent;
mod factors;
mod score;
mod smoothing;
mod study;

use throng_rig::{Character, Clip};

use descent::descend;
use factors::{Factors, by_joint};
use score::Score;
use smoothing::Neighbors;
use study::Study;

/// Factor of a character without motion.
const WITHOUT_MOTION: f32 = 0.5;

/// Fixed factors to begin with: the multiples of one by this.
const FIXED_STEPS: usize = 20;

/// Steps of a factor from 0 to 1: those of the 16 bits in which sets hold them.
const FACTOR_STEPS: f32 = 65535.0;

/// Returns the blend factors of each mesh, one per vertex, chosen from these clips of the character. Equal vertices have equal
/// factors.
///
/// The same character has the same factors on every machine and any number of threads.
pub fn blend_factors(character: &Character, clips: &[&Clip]) -> Vec<Vec<f32>> {
    let factors = Factors::new(character);
    let Some(study) = Study::new(character, &factors, clips) else {
        return factors.of_meshes(character, &vec![WITHOUT_MOTION; factors.len()]);
    };
    let fixed: Vec<(f32, Score)> = (0..=FIXED_STEPS)
        .map(|step| {
            let factor = step as f32 / FIXED_STEPS as f32;
            (factor, study.score(&vec![factor; factors.len()]))
        })
        .collect();
    let neighbors = Neighbors::new(character, &factors);
    let by_total = |a: &&(f32, Score), b: &&(f32, Score)| a.1.total.total_cmp(&b.1.total);
    let best_fixed = fixed
        .iter()
        .min_by(by_total)
        .map_or(WITHOUT_MOTION, |(factor, _)| *factor);
    let of_joint = study.best_of_joints(&fixed);
    let starts = [
        vec![f64::from(best_fixed); factors.len()],
        by_joint(character, &factors, &of_joint),
    ];
    let [from_fixed, from_joints] = starts.map(|start| descend(&study, &neighbors, start));
    let best = if from_joints.score.total < from_fixed.score.total {
        from_joints
    } else {
        from_fixed
    };
    let rounded = best.factors.iter();
    let rounded = rounded.map(|factor| (factor * FACTOR_STEPS).round() / FACTOR_STEPS);
    factors.of_meshes(character, &rounded.collect::<Vec<_>>())
}
