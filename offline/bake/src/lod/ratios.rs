//! Ratios of triangles of levels of detail.

use throng_rig::Character;

use super::LodError;

/// Automatic ratios end before a level has fewer triangles than this.
const MIN_TRIANGLES: usize = 60;

/// Returns ratios that halve the triangles of a character from level to level, down to about 60 triangles. The full mesh is
/// left out; a character with few triangles has no levels.
pub fn auto_ratios(character: &Character) -> Vec<f64> {
    let parts = character.parts().iter();
    let triangles: usize = parts.map(|p| character.mesh_of(p).triangles().len()).sum();
    let halved = std::iter::successors(Some(0.5), |ratio| Some(0.5 * ratio));
    halved
        .take_while(|ratio| ratio * triangles as f64 >= MIN_TRIANGLES as f64)
        .collect()
}

/// Returns the ratios below the full mesh: a ratio of 1 may come first, and ratios must decrease.
pub fn check_ratios(ratios: &[f64]) -> Result<&[f64], LodError> {
    let below = match ratios {
        [1.0, below @ ..] => below,
        all => all,
    };
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
}
