//! Numbers that look random and are the same at every run.

/// Marsaglia's xorshift.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Each seed gives other numbers.
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        // The first few of a small seed are small.
        for _ in 0..8 {
            random.bits();
        }
        random
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// From 0 up to `end`, not itself; 0 where that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end.max(1) as u64) as usize
    }

    /// One of a list.
    ///
    /// # Panics
    /// Where it is empty.
    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}
