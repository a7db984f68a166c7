//! Weighted sums of what the palette holds for each joint of a set.

use throng_simd::{Lanes, Wide};

/// `K` numbers of each of `N` joints, or of any number where `N` is 0.
///
/// All vertices of a batch share them, so one number is spread over all lanes, and no lane gathers.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a, const K: usize, const N: usize> {
    table: &'a [[Lanes; K]],
    joints: &'a [u32],
    /// Looked up beforehand.
    fixed: [&'a [Lanes; K]; N],
}

impl<'a, const K: usize, const N: usize> Rows<'a, K, N> {
    #[inline(always)]
    pub fn new(table: &'a [[Lanes; K]], joints: &'a [u32]) -> Self {
        let mut fixed = [&[Lanes::ZERO; K]; N];
        for (row, &joint) in fixed.iter_mut().zip(joints) {
            *row = &table[joint as usize];
        }
        Self {
            table,
            joints,
            fixed,
        }
    }

    #[inline(always)]
    pub fn count(&self) -> usize {
        if N == 0 { self.joints.len() } else { N }
    }

    #[inline(always)]
    pub fn get(&self, i: usize) -> &'a [Lanes; K] {
        if N == 0 {
            &self.table[self.joints[i] as usize]
        } else {
            self.fixed[i]
        }
    }

    /// Where the numbers come from.
    pub fn table_of_joints(&self) -> (&'a [[Lanes; K]], &'a [u32]) {
        (self.table, self.joints)
    }

    /// The sum for each vertex. `weights` has one row a joint, of one batch or of two.
    #[inline(always)]
    pub fn sum<V: Wide>(&self, weights: [&[Lanes]; 2]) -> [V; K] {
        let mut sum = [V::splat(0.0); K];
        let weight = V::load_pair(&weights[0][0], &weights[1][0]);
        for (sum, number) in sum.iter_mut().zip(self.get(0)) {
            *sum = V::splat_lanes(number) * weight;
        }
        for i in 1..self.count() {
            let [first, second] = weights;
            let weight = V::load_pair(&first[i], &second[i]);
            for (sum, number) in sum.iter_mut().zip(self.get(i)) {
                *sum = V::splat_lanes(number).mul_add(weight, *sum);
            }
        }
        sum
    }
}
