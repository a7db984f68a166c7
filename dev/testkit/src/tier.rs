//! Test tiers.

/// Extent of a test run. `cargo xtask test` sets it in `THRONG_TEST_TIER`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// The inner loop: few random cases.
    Quick,
    /// Everything that a change needs. The tier of a plain `cargo test`.
    Default,
    /// Long fuzzing, and browsers in every mode.
    Full,
}

impl Tier {
    /// Returns the tier of this run.
    ///
    /// # Panics
    /// If `THRONG_TEST_TIER` is set to anything but `quick`, `default` or `full`.
    pub fn current() -> Self {
        let name = std::env::var("THRONG_TEST_TIER").unwrap_or_default();
        Self::from_name(&name).unwrap_or_else(|| {
            panic!("THRONG_TEST_TIER is '{name}'; expected quick, default or full")
        })
    }

    fn from_name(name: &str) -> Option<Self> {
        match name {
            "quick" => Some(Self::Quick),
            "" | "default" => Some(Self::Default),
            "full" => Some(Self::Full),
            _ => None,
        }
    }

    /// Scales the number of random cases of a test: an eighth, but at least 1, in the quick tier; ten times as
    /// many in the full tier.
    pub fn cases(self, default: u32) -> u32 {
        match self {
            Self::Quick => default.div_ceil(8),
            Self::Default => default,
            Self::Full => default * 10,
        }
    }
}

/// Returns the number of random cases for the tier of this run; see [`Tier::cases`].
pub fn cases(default: u32) -> u32 {
    Tier::current().cases(default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_scale_the_number_of_cases() {
        assert_eq!(Tier::Quick.cases(200), 25);
        assert_eq!(Tier::Quick.cases(1), 1);
        assert_eq!(Tier::Default.cases(200), 200);
        assert_eq!(Tier::Full.cases(200), 2000);
    }

    #[test]
    fn rejects_unknown_tiers() {
        assert_eq!(Tier::from_name("full"), Some(Tier::Full));
        assert_eq!(Tier::from_name(""), Some(Tier::Default));
        assert_eq!(Tier::from_name("fast"), None);
    }
}
