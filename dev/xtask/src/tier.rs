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

    /// Tests of a target that this tier leaves out.
    pub fn left_out(self, package: &str, target: &str) -> LeftOut {
        let slow = slow(package, target);
        match self {
            Self::Quick => slow.map_or(LeftOut::Modules(&[]), |slow| slow.tests),
            Self::Default | Self::Full => LeftOut::Modules(&[]),
        }
    }
}

/// Tests of a target that the quick tier leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// All tests.
    Target,
    /// Tests of these modules.
    Modules(&'static [&'static str]),
}

/// A test target that takes too long for the quick tier.
struct Slow {
    package: &'static str,
    /// Integration test, or `lib` or `bin` for unit tests.
    target: &'static str,
    tests: LeftOut,
    /// For readers of the table.
    #[cfg_attr(not(test), expect(dead_code, reason = "documents the table"))]
    reason: &'static str,
}

/// Tests that only the default and the full tier run, longest first. All others are in every tier. Times are of
/// 2 cores that also run other tests.
const SLOW: &[Slow] = &[
    Slow {
        package: "throng-wgpu",
        target: "scenarios",
        tests: LeftOut::Target,
        reason: "draws every technique on Vulkan and GL: 140 s",
    },
    Slow {
        package: "throng",
        target: "command",
        tests: LeftOut::Modules(&[
            "help::",
            "render::",
            "sets::budgets::",
            "sets::cache_memory::",
            "sets::encodings::",
            "sets::interrupted::",
            "sets::one_file::",
            "sets::options::",
            "sets::report::",
        ]),
        reason: "bakes, searches and draws whole characters: 140 s",
    },
    Slow {
        package: "throng-bake",
        target: "search",
        tests: LeftOut::Target,
        reason: "bakes characters in every encoding, many times: 45 s",
    },
    Slow {
        package: "throng-bake",
        target: "paper_decoder",
        tests: LeftOut::Target,
        reason: "bakes and skins people of the shared assets: 15 s",
    },
    Slow {
        package: "throng-bake",
        target: "preset_assets",
        tests: LeftOut::Target,
        reason: "bakes P0's presets of every shared asset: 15 s",
    },
    Slow {
        package: "throng-bake",
        target: "python_decoder",
        tests: LeftOut::Target,
        reason: "decodes every encoding in Python: 40 s",
    },
    Slow {
        package: "throng-shaders",
        target: "valid",
        tests: LeftOut::Target,
        reason: "validates every shader variant: 40 s",
    },
    Slow {
        package: "throng-examples",
        target: "browser",
        tests: LeftOut::Target,
        reason: "starts browsers with the wasm build: 35 s",
    },
    Slow {
        package: "throng-wgpu",
        target: "renderer",
        tests: LeftOut::Target,
        reason: "draws motion vectors and depth of every technique: 35 s",
    },
    Slow {
        package: "throng-bake",
        target: "compressed",
        tests: LeftOut::Target,
        reason: "compresses the clips of built-in characters: 25 s",
    },
    Slow {
        package: "throng-import",
        target: "lib",
        tests: LeftOut::Modules(&["builtin::humanoid::tests::shape::"]),
        reason: "builds the humanoid with every number of vertices: 20 s",
    },
    Slow {
        package: "throng-wgpu",
        target: "webgl2",
        tests: LeftOut::Target,
        reason: "starts a browser: 15 s",
    },
    Slow {
        package: "throng-import",
        target: "bvh_reference",
        tests: LeftOut::Target,
        reason: "reads motion capture in Python: 10 s",
    },
    Slow {
        package: "throng-examples",
        target: "native",
        tests: LeftOut::Target,
        reason: "runs the examples, which the quick tier does not build: 10 s",
    },
    Slow {
        package: "throng-bench",
        target: "scipy",
        tests: LeftOut::Target,
        reason: "resamples rounds in Python: 5 s",
    },
];

/// Order in which targets start: slow ones first, longest first, so that none runs alone at the end.
pub fn start_order(package: &str, target: &str) -> usize {
    SLOW.iter()
        .position(|slow| slow.package == package && slow.target == target)
        .unwrap_or(SLOW.len())
}

fn slow(package: &str, target: &str) -> Option<&'static Slow> {
    SLOW.iter()
        .find(|slow| slow.package == package && slow.target == target)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::metadata::{Package, packages, workspace_root};

    #[test]
    fn every_slow_test_exists_and_has_a_reason() {
        let packages = packages().unwrap();
        for slow in SLOW {
            let package = packages.iter().find(|package| package.name == slow.package);
            let package = package.unwrap_or_else(|| panic!("no package {}", slow.package));
            let exists = ["lib", "bin"].contains(&slow.target)
                || package.tests.iter().any(|test| test == slow.target);
            assert!(exists, "{} has no test '{}'", slow.package, slow.target);
            assert!(!slow.reason.is_empty());
            if let LeftOut::Modules(modules) = slow.tests {
                for module in modules {
                    assert!(
                        has_module(package, module),
                        "{} has no module {module}",
                        slow.package
                    );
                }
            }
        }
    }

    /// Whether a package has the file of a module, such as `sets/budgets.rs` for `sets::budgets::`.
    fn has_module(package: &Package, module: &str) -> bool {
        let file = format!("{}.rs", module.trim_end_matches("::").replace("::", "/"));
        let folder = workspace_root().join(&package.folder);
        ["src", "tests"]
            .iter()
            .any(|root| has_file(&folder.join(root), Path::new(&file)))
    }

    fn has_file(folder: &Path, end: &Path) -> bool {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths = entries.map(|entry| entry.path());
        paths.any(|path| path.ends_with(end) || has_file(&path, end))
    }

    #[test]
    fn only_the_quick_tier_leaves_tests_out() {
        let nothing = LeftOut::Modules(&[]);
        for slow in SLOW {
            assert_eq!(Tier::Quick.left_out(slow.package, slow.target), slow.tests);
            assert_ne!(slow.tests, nothing);
            assert_eq!(Tier::Default.left_out(slow.package, slow.target), nothing);
            assert_eq!(Tier::Full.left_out(slow.package, slow.target), nothing);
        }
        assert_eq!(Tier::Quick.left_out("throng-rig", "lib"), nothing);
    }
}
