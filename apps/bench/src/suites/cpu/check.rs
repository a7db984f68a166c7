//! Checks before any time counts: every contestant computes what the reference computes.

use crate::record::{Entrant, Status};

/// Largest distance from the reference, in metres: 0.1 mm.
pub const TOLERANCE_M: f64 = 1e-4;

/// Largest distance of unit normals.
pub const NORMAL_TOLERANCE: f64 = 1e-3;

/// A contestant whose result is not checked.
pub fn unchecked(name: impl Into<String>, skinning: impl Into<String>) -> Entrant {
    Entrant {
        name: name.into(),
        skinning: skinning.into(),
        status: Status::Measured,
        gpu_bytes: None,
        max_error_mm: None,
        picture_error_mm: None,
    }
}

/// A contestant with the distance of its result from the reference, in metres, and that of its normals. Distances above the
/// tolerances, or that are not numbers, are wrong.
pub fn checked(
    name: impl Into<String>,
    skinning: impl Into<String>,
    error_m: f64,
    normal_error: Option<f64>,
) -> Entrant {
    let mut entrant = unchecked(name, skinning);
    let (error_mm, tolerance_mm) = (1e3 * error_m, 1e3 * TOLERANCE_M);
    entrant.picture_error_mm = Some(error_mm);
    let normal_error = normal_error.unwrap_or(0.0);
    // Not a number is wrong, too.
    let is_within = |error: f64, tolerance: f64| error <= tolerance;
    if !is_within(error_mm, tolerance_mm) {
        entrant.status = Status::WrongPicture {
            reason: format!(
                "a result is {error_mm:.3} mm from the reference, more than {tolerance_mm} mm"
            ),
        };
    } else if !is_within(normal_error, NORMAL_TOLERANCE) {
        entrant.status = Status::WrongPicture {
            reason: format!(
                "a normal is {normal_error:.4} from the reference, more than {NORMAL_TOLERANCE}"
            ),
        };
    }
    entrant
}

/// Largest of all numbers; NaN if one is not a number.
pub fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    // `f64::max` would drop what is not a number.
    numbers.fold(0.0, |most: f64, number| {
        match number <= most || most.is_nan() {
            true => most,
            false => number,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_results_do_not_count() {
        let is_measured = |error_m: f64, normal_error: Option<f64>| {
            checked("kernel", "lbs", error_m, normal_error).status == Status::Measured
        };
        assert!(is_measured(0.5e-4, Some(0.5e-3)));
        assert!(is_measured(0.5e-4, None));
        assert!(!is_measured(2e-4, Some(0.0)));
        assert!(!is_measured(0.0, Some(2e-3)));
        assert!(!is_measured(f64::NAN, None));
        assert!(!is_measured(0.0, Some(f64::NAN)));
    }

    #[test]
    fn numbers_that_are_not_are_not_dropped() {
        assert_eq!(largest([1.0, 3.0, 2.0].into_iter()), 3.0);
        assert!(largest([1.0, f64::NAN, 2.0].into_iter()).is_nan());
    }
}
