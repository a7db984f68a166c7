//! Tiers of tests, and the table of tests that the quick tier leaves out.

/// How much is tested. Tests read it from `THRONG_TEST_TIER` by `throng_testkit::Tier`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// The inner loop: under 2 minutes when built.
    Quick,
    /// Everything that a change needs.
    Default,
    /// Long fuzzing, and browsers in every mode.
    Full,
}

impl Tier {
    /// Value of `THRONG_TEST_TIER`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Default => "default",
            Self::Full => "full",
        }
    }

    /// Value of `PROPTEST_CASES`: cases of a property test that names no number of its own. Those that name one
    /// scale it by `throng_testkit::cases`.
    pub fn proptest_cases(self) -> &'static str {
        match self {
            Self::Quick => "32",
            Self::Default => "256",
            Self::Full => "2560",
        }
    }

    /// Whether a test target runs in this tier.
    pub fn runs(self, package: &str, target: &str) -> bool {
        self != Self::Quick || !is_slow(package, target)
    }
}

/// A test target that takes too long for the quick tier.
struct Slow {
    package: &'static str,
    /// Integration test, or `lib` or `bin` for unit tests.
    target: &'static str,
    /// Read by people who wonder.
    #[cfg_attr(not(test), expect(dead_code, reason = "documents the table"))]
    reason: &'static str,
}

/// Tests that only the default and the full tier run. All others are in every tier.
const SLOW: &[Slow] = &[Slow {
    package: "throng-wgpu",
    target: "webgl2",
    reason: "starts a browser",
}];

/// Whether only the default and the full tier run a target. The scheduler starts these first.
pub fn is_slow(package: &str, target: &str) -> bool {
    SLOW.iter()
        .any(|slow| slow.package == package && slow.target == target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slow_target_exists_and_has_a_reason() {
        let packages = crate::metadata::packages().unwrap();
        for slow in SLOW {
            let package = packages.iter().find(|package| package.name == slow.package);
            let exists = package.is_some_and(|package| {
                ["lib", "bin"].contains(&slow.target)
                    || package.tests.iter().any(|test| test == slow.target)
            });
            assert!(exists, "{} has no test '{}'", slow.package, slow.target);
            assert!(!slow.reason.is_empty());
        }
    }

    #[test]
    fn only_the_quick_tier_leaves_targets_out() {
        let slow = &SLOW[0];
        assert!(!Tier::Quick.runs(slow.package, slow.target));
        assert!(Tier::Default.runs(slow.package, slow.target));
        assert!(Tier::Full.runs(slow.package, slow.target));
        assert!(Tier::Quick.runs("throng-rig", "lib"));
    }
}
