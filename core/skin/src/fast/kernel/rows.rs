//! Weighted sums of palette rows over a set of joints.

use throng_simd::{Lanes, Wide};

/// `K` numbers of each of `N` joints, or of any number of joints if `N` is 0.
///
/// All vertices of a batch share them: each number is the same in all lanes, and nothing is gathered.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a, const K: usize, const N: usize> {
    table: &'a [[Lanes; K]],
    joints: &'a [u32],
    /// Rows of the `N` joints, looked up beforehand.
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

    /// Returns the whole table and the joints.
    pub fn table_of_joints(&self) -> (&'a [[Lanes; K]], &'a [u32]) {
        (self.table, self.joints)
    }

    /// Returns the sum of each vertex. `weights` has one row per joint, of one batch or of two.
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
