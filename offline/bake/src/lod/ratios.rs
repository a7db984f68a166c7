//! Ratios of triangles of levels of detail.

use throng_format::MAX_LODS;
use throng_rig::Character;

use super::LodError;

/// Automatic ratios end before a level has fewer triangles than this.
const MIN_TRIANGLES: usize = 60;

/// Returns ratios that halve the triangles of a character from level to level, down to about 60 triangles, or reduce them by
/// more where that takes more levels than a set may have. The full mesh is left out; a character with few triangles has no
/// levels.
pub fn auto_ratios(character: &Character) -> Vec<f64> {
    let parts = character.parts().iter();
    let triangles: usize = parts.map(|p| character.mesh_of(p).triangles().len()).sum();
    let least = MIN_TRIANGLES as f64 / triangles.max(1) as f64;
    let halvings = least.recip().log2().floor().max(0.0) as usize;
    // Large meshes have larger steps.
    let (levels, step) = match halvings <= MAX_LODS {
        true => (halvings, 0.5),
        false => (MAX_LODS, least.powf(1.0 / MAX_LODS as f64)),
    };
    (1..=levels as i32)
        .map(|level| f64::powi(step, level))
        .collect()
}

/// Returns the ratios below the full mesh: a ratio of 1 may come first, and ratios must decrease.
pub fn check_ratios(ratios: &[f64]) -> Result<&[f64], LodError> {
    let below = match ratios {
        [1.0, below @ ..] => below,
        all => all,
    };
    if below.len() > MAX_LODS {
        return Err(LodError::TooMany { found: below.len() });
    }
    let mut finer = 1.0;
    for (index, &ratio) in below.iter().enumerate() {
        if !(ratio > 0.0 && ratio < finer) {
            return Err(LodError::Ratio {
                ratio,
                finer,
                index: index + ratios.len() - below.len(),
            });
        }
        finer = ratio;
    }
    Ok(below)
}

#[cfg(test)]
mod tests {
    use throng_import::builtin::builtin;

    use super::*;

    #[test]
    fn full_mesh_is_implied_and_ratios_decrease() {
        assert_eq!(check_ratios(&[1.0, 0.4, 0.15]).unwrap(), [0.4, 0.15]);
        assert_eq!(check_ratios(&[0.4, 0.15]).unwrap(), [0.4, 0.15]);
        assert!(check_ratios(&[1.0]).unwrap().is_empty());
        for (ratios, index) in [
            (&[0.5, 0.5][..], 1),
            (&[0.2, 0.5], 1),
            (&[1.0, 1.0], 1),
            (&[1.5], 0),
            (&[1.0, 0.5, 0.0], 2),
            (&[-0.5], 0),
            (&[f64::NAN], 0),
        ] {
            let error = check_ratios(ratios).unwrap_err();
            assert!(
                matches!(error, LodError::Ratio { index: found, .. } if found == index),
                "{ratios:?}: {error}"
            );
        }
    }

    #[test]
    fn automatic_ratios_halve_down_to_sixty_triangles() {
        let character = builtin("humanoid").unwrap();
        let triangles: usize = character.meshes().iter().map(|m| m.triangles().len()).sum();
        let ratios = auto_ratios(&character);
        assert_eq!(check_ratios(&ratios).unwrap(), ratios);
        let last = ratios.last().unwrap() * triangles as f64;
        assert!((60.0..120.0).contains(&last), "{last}");
    }

    #[test]
    fn large_meshes_have_as_many_levels_as_a_set_may_have() {
        let ratios = auto_ratios(&builtin("humanoid:40000").unwrap());
        assert_eq!(check_ratios(&ratios).unwrap().len(), MAX_LODS);
        assert!(ratios[0] < 0.45, "{ratios:?}");
        let more = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2];
        assert_eq!(check_ratios(&more), Err(LodError::TooMany { found: 8 }));
    }
}
