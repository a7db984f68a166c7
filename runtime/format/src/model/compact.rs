//! Values that a compact mesh stores exactly, in fewer bits than float32.
//!
//! Writing a mesh never changes it: [`crate::write_model`] uses fewer bits only where reading returns the same values. A
//! bake therefore rounds its mesh first, with the functions of this module, and measures the error of the rounded mesh.

use glam::{DAffine3, DVec3, Vec3};
use throng_rig::{Character, Mesh, Skin};

use crate::glb::{F32, PositionGrid};

/// Largest stored position: 16 bits, unsigned.
const MAX_POSITION: f64 = u16::MAX as f64;
/// Largest stored morph offset: 16 bits, signed.
const MAX_DELTA: f64 = i16::MAX as f64;
/// Largest difference of a stored direction's length from 127: glTF's validator allows 0.8 % or less.
const MAX_LENGTH_ERROR: f64 = 0.84;

impl PositionGrid {
    /// Quantised position; `None` where the grid does not have it.
    pub(super) fn stored(&self, position: Vec3) -> Option<[u16; 3]> {
        let mut stored = [0; 3];
        for (axis, stored) in stored.iter_mut().enumerate() {
            let steps = (f64::from(position[axis]) - f64::from(self.offset[axis].0))
                / f64::from(self.step.0);
            let steps = steps.round();
            if !(0.0..=MAX_POSITION).contains(&steps) {
                return None;
            }
            *stored = steps as u16;
        }
        same_bits(self.position(stored), position).then_some(stored)
    }

    /// Position in metres.
    pub(super) fn position(&self, stored: [u16; 3]) -> Vec3 {
        let step = f64::from(self.step.0);
        let axis = |axis: usize| f64::from(self.offset[axis].0) + step * f64::from(stored[axis]);
        DVec3::new(axis(0), axis(1), axis(2)).as_vec3()
    }

    /// Quantised morph offset; `None` where the grid does not have it.
    pub(super) fn stored_delta(&self, delta: Vec3) -> Option<[i16; 3]> {
        let steps = delta.as_dvec3() / f64::from(self.step.0);
        let steps = steps.round();
        if !(steps.abs().cmple(DVec3::splat(MAX_DELTA)).all()) {
            return None;
        }
        let stored = steps.to_array().map(|x| x as i16);
        same_bits(self.delta(stored), delta).then_some(stored)
    }

    /// Morph offset in metres.
    pub(super) fn delta(&self, stored: [i16; 3]) -> Vec3 {
        let [x, y, z] = stored.map(f64::from);
        (DVec3::new(x, y, z) * f64::from(self.step.0)).as_vec3()
    }

    /// Inverse bind matrix for stored positions, from that for positions in metres.
    pub(super) fn fold(&self, joint_from_bind: &DAffine3) -> DAffine3 {
        let offset = Vec3::from(self.offset.map(|x| x.0)).as_dvec3();
        DAffine3 {
            matrix3: joint_from_bind.matrix3 * f64::from(self.step.0),
            translation: joint_from_bind.transform_point3(offset),
        }
    }

    /// Inverse of [`Self::fold`], rounded to float32.
    pub(super) fn unfold(&self, folded: &DAffine3) -> DAffine3 {
        let offset = Vec3::from(self.offset.map(|x| x.0)).as_dvec3();
        let matrix3 = (folded.matrix3 * f64::from(self.step.0).recip()).as_mat3();
        let matrix3 = matrix3.as_dmat3();
        let translation = (folded.translation - matrix3 * offset).as_vec3();
        DAffine3 {
            matrix3,
            translation: translation.as_dvec3(),
        }
    }

    /// The grid of all positions and morph offsets of some meshes; `None` where 16 bits are not enough.
    pub(super) fn of(meshes: &[&Mesh]) -> Option<Self> {
        let positions = meshes.iter().flat_map(|mesh| mesh.positions()).copied();
        let min = positions.clone().reduce(Vec3::min)?;
        let max = positions.clone().reduce(Vec3::max)?;
        let extent = (max.as_dvec3() - min.as_dvec3()).max_element();
        let deltas = meshes.iter().flat_map(|mesh| mesh.morph_targets());
        let deltas = deltas.flat_map(|target| target.positions.iter().copied());
        let mut common = CommonDivisor::default();
        for vector in positions.chain(deltas) {
            for value in vector.to_array() {
                common = common.with(value)?;
            }
            // Most meshes are not on a grid, and end here after a few vertices.
            if common.value() > 0.0 && common.value() * MAX_POSITION < extent {
                return None;
            }
        }
        let step = match common.value() as f32 {
            0.0 => 1.0,
            step => step,
        };
        let grid = Self {
            step: F32(step),
            // Avoids -0.0, which a sum never is.
            offset: (min + Vec3::ZERO).to_array().map(F32),
        };
        let fits = |mesh: &&Mesh| {
            let mut targets = mesh.morph_targets().iter();
            mesh.positions().iter().all(|&p| grid.stored(p).is_some())
                && targets.all(|target| {
                    let mut deltas = target.positions.iter();
                    deltas.all(|&delta| grid.stored_delta(delta).is_some())
                })
        };
        (step.is_normal() && meshes.iter().all(fits)).then_some(grid)
    }
}

fn same_bits(a: Vec3, b: Vec3) -> bool {
    a.to_array().map(f32::to_bits) == b.to_array().map(f32::to_bits)
}

/// The largest number of which all of some floats are multiples: `integer * 2^exponent`.
#[derive(Clone, Copy, Default)]
struct CommonDivisor {
    integer: u64,
    exponent: i32,
}

impl CommonDivisor {
    /// Includes a float; `None` where the result has too many bits.
    fn with(self, value: f32) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        let bits = value.to_bits() & 0x7fff_ffff;
        let (mantissa, exponent) = match bits >> 23 {
            0 => (bits, -149),
            biased => ((bits & 0x7f_ffff) | 0x80_0000, biased as i32 - 150),
        };
        if mantissa == 0 {
            return Some(self);
        }
        let other = Self {
            integer: mantissa.into(),
            exponent,
        };
        if self.integer == 0 {
            return Some(other);
        }
        let least = self.exponent.min(exponent);
        let shifted = |number: Self| {
            let shift = (number.exponent - least) as u32;
            (shift <= number.integer.leading_zeros()).then(|| number.integer << shift)
        };
        let (mut a, mut b) = (shifted(self)?, shifted(other)?);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let zeros = a.trailing_zeros();
        Some(Self {
            integer: a >> zeros,
            exponent: least + zeros as i32,
        })
    }

    fn value(self) -> f64 {
        self.integer as f64 * f64::from(self.exponent).exp2()
    }
}

/// For each mesh, the group of meshes with which it shares the quantisation of positions: those with a common skin, since
/// inverse bind matrices undo the quantisation. For each skin, the group of its meshes. Groups have the index of their
/// first mesh.
pub fn quantization_groups(character: &Character) -> (Vec<usize>, Vec<Option<usize>>) {
    let mut group_of_mesh: Vec<usize> = (0..character.meshes().len()).collect();
    let mut group_of_skin = vec![None; character.skins().len()];
    // Each round joins at least two groups or ends.
    loop {
        let mut has_changed = false;
        for part in character.parts() {
            let mesh = &mut group_of_mesh[part.mesh];
            let group = group_of_skin[part.skin].map_or(*mesh, |skin: usize| skin.min(*mesh));
            has_changed |= *mesh != group || group_of_skin[part.skin] != Some(group);
            *mesh = group;
            group_of_skin[part.skin] = Some(group);
        }
        if !has_changed {
            return (group_of_mesh, group_of_skin);
        }
    }
}

/// Grids of quantised positions; `None` where positions are floats.
pub(super) struct PositionGrids {
    pub of_mesh: Vec<Option<PositionGrid>>,
    pub of_skin: Vec<Option<PositionGrid>>,
}

impl PositionGrids {
    /// Finds the grids of a character in compact storage.
    pub(super) fn new(character: &Character) -> Self {
        let (groups, group_of_skin) = quantization_groups(character);
        let mut grids = vec![None; groups.len()];
        for &group in group_of_skin.iter().flatten() {
            let meshes = character.meshes().iter().zip(&groups);
            let meshes = meshes.filter(|&(_, &of)| of == group).map(|(mesh, _)| mesh);
            grids[group] = PositionGrid::of(&meshes.collect::<Vec<_>>());
        }
        for (skin, &group) in character.skins().iter().zip(&group_of_skin) {
            let Some(group) = group else { continue };
            let mut matrices = skin.joint_from_bind().iter();
            grids[group] = grids[group].filter(|grid: &PositionGrid| {
                matrices.all(|matrix| grid.fold(matrix).as_affine3().is_finite())
            });
        }
        Self {
            of_mesh: groups.iter().map(|&group| grids[group]).collect(),
            of_skin: group_of_skin
                .iter()
                .map(|group| group.and_then(|group| grids[group]))
                .collect(),
        }
    }

    /// The grids of a character in exact storage.
    pub(super) fn none(character: &Character) -> Self {
        Self {
            of_mesh: vec![None; character.meshes().len()],
            of_skin: vec![None; character.skins().len()],
        }
    }
}

/// Rounds the inverse bind matrices of skins with quantised positions, such that those for stored positions determine
/// them. Values change by about the rounding of float32.
pub fn round_inverse_binds(character: Character) -> Character {
    let grids = PositionGrids::new(&character);
    let mut parts = character.into_parts();
    for (skin, grid) in parts.skins.iter_mut().zip(&grids.of_skin) {
        let Some(grid) = grid else { continue };
        let rounded = skin.joint_from_bind().iter().map(|matrix| {
            let mut matrix = *matrix;
            // Most are unchanged after the first round.
            for _ in 0..4 {
                matrix = grid.unfold(&grid.fold(&matrix).as_affine3().as_daffine3());
            }
            matrix
        });
        let (joints, rounded) = (skin.joints().to_vec(), rounded.collect());
        let rounded = Skin::new(skin.name.clone(), &parts.skeleton, joints, rounded);
        // Matrices that are too large for float32 cannot be written either way.
        *skin = rounded.unwrap_or_else(|_| skin.clone());
    }
    Character::new(parts).expect("a checked character stays valid with rounded matrices")
}

/// Unit vector of a stored direction; zero for zeros.
pub(super) fn direction([x, y, z]: [i8; 3]) -> Vec3 {
    let [x, y, z] = [x, y, z].map(|value| f64::from(value.max(-127)));
    DVec3::new(x, y, z).normalize_or_zero().as_vec3()
}

/// Stored directions next to a unit vector, the most likely first.
fn directions_near(unit: Vec3) -> impl Iterator<Item = [i8; 3]> {
    let rounded = (unit.as_dvec3() * 127.0).round();
    let steps = [0.0, -1.0, 1.0];
    let near = steps.into_iter().flat_map(move |x| {
        let steps = steps
            .into_iter()
            .flat_map(move |y| steps.map(|z| [x, y, z]));
        steps.map(move |step| rounded + DVec3::from(step))
    });
    let is_allowed = |vector: &DVec3| {
        vector.abs().max_element() <= 127.0 && (vector.length() - 127.0).abs() <= MAX_LENGTH_ERROR
    };
    near.filter(is_allowed)
        .map(|v| v.to_array().map(|x| x as i8))
}

/// Stored direction of exactly this unit vector.
pub(super) fn stored_direction(unit: Vec3) -> Option<[i8; 3]> {
    directions_near(unit).find(|&stored| same_bits(direction(stored), unit))
}

/// The unit vector nearest to a direction that 8 bits per component hold: at most 0.37° away, 0.16° RMS. Vectors that are
/// not of unit length are returned unchanged.
pub fn round_direction(unit: Vec3) -> Vec3 {
    if (unit.as_dvec3().length() - 1.0).abs() > super::UNIT_TOLERANCE {
        return unit;
    }
    let distance = |&stored: &[i8; 3]| {
        direction(stored)
            .as_dvec3()
            .distance_squared(unit.as_dvec3())
    };
    let nearest = directions_near(unit).min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.map_or(unit, direction)
}

/// Value of a 16-bit integer that stands for 0 to 1.
pub(super) fn unorm16(stored: u16) -> f32 {
    f32::from(stored) / f32::from(u16::MAX)
}

/// 16-bit integer of exactly this value.
pub(super) fn stored_unorm16(value: f32) -> Option<u16> {
    let stored = (value * f32::from(u16::MAX)).round();
    let stored = (0.0..=f32::from(u16::MAX))
        .contains(&stored)
        .then_some(stored as u16)?;
    (unorm16(stored).to_bits() == value.to_bits()).then_some(stored)
}

/// The value from 0 to 1 nearest to a value that 16 bits hold. Other values are returned unchanged.
pub fn round_unorm16(value: f32) -> f32 {
    match (0.0..=1.0).contains(&value) {
        true => unorm16((f64::from(value) * f64::from(u16::MAX)).round() as u16),
        false => value,
    }
}

/// Units of weights that 16-bit integers hold.
pub const WEIGHT_UNITS_16: u32 = u16::MAX as u32;

/// Rounds the weights of a vertex, heaviest first and with a sum of one, to multiples of `1 / units` with the same
/// properties. None becomes zero. Returns `None` where there are more weights than an eighth of the units.
pub fn round_weights(weights: &[f32], units: u32) -> Option<Vec<f32>> {
    if weights.len() as u64 > u64::from(units / 8) {
        return None;
    }
    let sum: f64 = weights.iter().copied().map(f64::from).sum();
    let exact = weights
        .iter()
        .map(|&w| f64::from(w) / sum * f64::from(units));
    let mut stored: Vec<u32> = exact.clone().map(|w| (w.floor() as u32).max(1)).collect();
    let total: u32 = stored.iter().sum();
    if total > units {
        // Weights below one unit took more than rounding down freed. The heaviest has at least eight units.
        stored[0] = stored[0].checked_sub(total - units).filter(|&w| w > 0)?;
    } else {
        let mut order: Vec<usize> = (0..stored.len()).collect();
        let left = |i: usize, w: u32| exact.clone().nth(i).unwrap_or_default() - f64::from(w);
        order.sort_by(|&a, &b| {
            left(b, stored[b])
                .total_cmp(&left(a, stored[a]))
                .then(a.cmp(&b))
        });
        let missing = (units - total) as usize;
        for &i in order.iter().cycle().take(missing) {
            stored[i] += 1;
        }
    }
    let is_sorted = stored.is_sorted_by(|a, b| a >= b);
    is_sorted.then(|| stored.iter().map(|&w| w as f32 / units as f32).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use throng_rig::Influences;

    use super::*;

    fn mesh(positions: Vec<Vec3>) -> Mesh {
        let influences = Influences::rigid(positions.len());
        Mesh::new(positions, Vec::new(), influences).unwrap()
    }

    proptest! {
        #[test]
        fn rounded_directions_are_near_and_stored_exactly(x in -1.0_f32..1.0, y in -1.0_f32..1.0, z in -1.0_f32..1.0) {
            prop_assume!(Vec3::new(x, y, z).length() > 0.1);
            let unit = Vec3::new(x, y, z).as_dvec3().normalize().as_vec3();
            let rounded = round_direction(unit);
            let degrees = rounded.as_dvec3().angle_between(unit.as_dvec3()).to_degrees();
            prop_assert!(degrees <= 0.37, "{}", degrees);
            let stored = stored_direction(rounded).unwrap();
            prop_assert!(same_bits(direction(stored), rounded));
            prop_assert!(same_bits(round_direction(rounded), rounded));
        }

        #[test]
        fn rounded_weights_sum_to_one_and_stay_sorted(
            weights in prop::collection::vec(1e-7_f64..1.0, 1..9),
            units in prop_oneof![Just(WEIGHT_UNITS_16), Just(1_u32 << 23)],
        ) {
            let pairs = weights.iter().enumerate().map(|(j, &w)| (j as u32, w));
            let influences = Influences::new([pairs.collect::<Vec<_>>()]).unwrap();
            let (_, weights) = influences.run(0);
            let rounded = round_weights(weights, units).unwrap();
            let stored = rounded.iter().map(|&w| (f64::from(w) * f64::from(units)).round() as u32);
            prop_assert_eq!(stored.clone().sum::<u32>(), units);
            prop_assert!(rounded.is_sorted_by(|a, b| a >= b));
            for (&a, &b) in rounded.iter().zip(weights) {
                prop_assert!(a > 0.0 && (f64::from(a) - f64::from(b)).abs() <= 9.0 / f64::from(units));
            }
            prop_assert_eq!(round_weights(&rounded, units).unwrap(), rounded);
        }

        #[test]
        fn multiples_of_a_step_are_a_grid(
            numbers in prop::collection::vec(prop::array::uniform3(-30_000_i32..30_000), 1..50),
            mantissa in 64_u32..128,
            exponent in -40_i32..10,
        ) {
            let step = f64::from(mantissa) * f64::from(exponent).exp2();
            let position = |n: &[i32; 3]| Vec3::from(n.map(|n| (f64::from(n) * step) as f32));
            let mesh = mesh(numbers.iter().map(position).collect());
            let grid = PositionGrid::of(&[&mesh]).unwrap();
            for &position in mesh.positions() {
                let stored = grid.stored(position).unwrap();
                prop_assert!(same_bits(grid.position(stored), position));
            }
        }

        #[test]
        fn values_of_16_bits_round_trip(stored: u16, value in 0.0_f32..=1.0) {
            prop_assert_eq!(stored_unorm16(unorm16(stored)), Some(stored));
            let rounded = round_unorm16(value);
            prop_assert!(stored_unorm16(rounded).is_some() && (rounded - value).abs() < 7.7e-6);
        }
    }

    #[test]
    fn positions_of_many_bits_have_no_grid() {
        let thirds = [1.0, 2.0, 5.0].map(|x| Vec3::new(x / 3.0, 0.1 * x, 1.0));
        assert!(PositionGrid::of(&[&mesh(thirds.to_vec())]).is_none());
        let wide = [0.0, 1.0, 65_536.0].map(Vec3::splat);
        assert!(PositionGrid::of(&[&mesh(wide.to_vec())]).is_none());
        let negative_zero = [-0.0, 1.0].map(Vec3::splat);
        assert!(PositionGrid::of(&[&mesh(negative_zero.to_vec())]).is_none());
    }

    #[test]
    fn values_outside_0_to_1_are_not_rounded() {
        assert_eq!([-0.25, 1.5].map(round_unorm16), [-0.25, 1.5]);
        assert_eq!(stored_unorm16(-0.0), None);
        assert_eq!(stored_unorm16(1.5), None);
    }
}
