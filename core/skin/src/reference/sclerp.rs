//! Screw-linear blending of any number of rigid motions, by iteration (Kavan and others, 2008).

use throng_rig::{DualQuat, Palette, Twist};

use super::dqs::{Signs, blend_dual_quats};

/// Length of a step, in radians and metres, below which the iteration ends.
const CONVERGED: f64 = 1e-15;

/// Largest number of steps. Motions within a hemisphere need fewer than ten.
const MAX_STEPS: usize = 64;

/// Returns the motion from which the weighted screws to all influences cancel. Of two motions that is the point at the
/// second weight along the screw from the first to the second.
pub(super) fn blend_screws(
    palette: &Palette,
    influences: &(impl Iterator<Item = (usize, f64)> + Clone),
) -> DualQuat {
    let first = blend_dual_quats(palette, Signs::Pivot, influences.clone());
    let mut blend = first.to_unit().unwrap_or(DualQuat::IDENTITY);
    for _ in 0..MAX_STEPS {
        let mut step = Twist::default();
        for (joint, weight) in influences.clone() {
            let screw = Twist::from_motion(blend.conjugate() * palette.rigid()[joint]);
            step = step + screw * weight;
        }
        let next = blend * step.to_motion();
        blend = next.to_unit().unwrap_or(blend);
        if step.length() < CONVERGED {
            break;
        }
    }
    blend
}
