//! Random numbers that are the same on every machine.

/// A counter, scrambled by the last steps of SplitMix64.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Numbers of an instance: independent of the number of instances.
    pub fn of_instance(seed: u64, index: u32) -> Self {
        // The seed is scrambled, so that neighbouring seeds do not give shifted crowds.
        let mut random = Self(seed);
        let scrambled = if seed == 0 { 0 } else { random.word() };
        Self(scrambled.wrapping_add(u64::from(index)))
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number in 0..1.
    pub fn unit(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1 << 24) as f32
    }

    /// Returns a number in -1..1.
    pub fn signed(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }
}

/// Returns a random tint: slightly darker, warmer or colder, and greener. Faces keep their colour.
pub fn random_tint(random: &mut Random) -> [u8; 4] {
    let light = 0.76 + 0.24 * random.unit();
    let warmth = 1.0 + 0.07 * random.signed();
    let green = 1.0 + 0.04 * random.signed();
    let channel = |share: f32| (255.0 * (light * share).clamp(0.0, 1.0)) as u8;
    [channel(warmth), channel(green), channel(2.0 - warmth), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_uniform_and_differ_by_seed_and_instance() {
        let mut random = Random(7);
        let mean: f32 = (0..4096).map(|_| random.unit()).sum::<f32>() / 4096.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        assert_ne!(Random(7).word(), Random(8).word());
        let first = |seed, index| Random::of_instance(seed, index).word();
        assert_ne!(first(1, 0), first(0, 1));
        assert_ne!(first(1, 1), first(2, 0));
    }
}
