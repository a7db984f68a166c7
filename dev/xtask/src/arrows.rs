//! Crate arrows: which crate may depend on which.
//!
//! The folder of a crate says when its code runs. Normal and build dependencies follow [`ROOMS`] and [`CRATES`];
//! dev-dependencies may go anywhere, because tests compare across rooms.

use std::path::Path;

use crate::metadata::Package;

/// Dependencies that a crate may have.
struct Rule {
    /// A room (`core`) or a crate (`throng-rig`).
    from: &'static str,
    /// Rooms (`core`), folders of crates (`runtime/format`) or crates (`throng-simd`).
    to: &'static [&'static str],
}

/// Rules for all crates of a room.
const ROOMS: &[Rule] = &[
    Rule {
        from: "core",
        to: &["core"],
    },
    // Tools write texture sets, and never see the code that draws them.
    Rule {
        from: "offline",
        to: &["core", "runtime/format"],
    },
    // A program that draws crowds must not contain importers and bakers.
    Rule {
        from: "runtime",
        to: &["core", "runtime"],
    },
    Rule {
        from: "apps",
        to: &["core", "offline", "runtime", "apps"],
    },
    Rule {
        from: "dev",
        to: &["core", "offline", "runtime", "apps", "dev"],
    },
    // Examples are what a program of a user would be.
    Rule {
        from: "examples",
        to: &["core", "offline", "runtime"],
    },
    // One crate, where `cargo fuzz` looks for it.
    Rule {
        from: "fuzz",
        to: &["core", "offline", "runtime", "apps", "dev"],
    },
];

/// Crates that are one folder deep.
const SINGLE: &[&str] = &["examples", "fuzz"];

/// Further rules for single crates: all that they may depend on.
const CRATES: &[Rule] = &[
    Rule {
        from: "throng-rig",
        to: &["throng-simd"],
    },
    Rule {
        from: "throng-simd",
        to: &[],
    },
    // Playing a set needs no CPU skinning.
    Rule {
        from: "throng-format",
        to: &["throng-rig", "throng-simd"],
    },
];

/// Fails where a crate is in the wrong folder or depends on a crate that it must not.
pub fn check(packages: &[Package]) -> Result<(), String> {
    let violations = violations(packages);
    if violations.is_empty() {
        return Ok(());
    }
    Err(format!(
        "crate dependencies break the rules in dev/xtask/src/arrows.rs:\n{}",
        violations.join("\n")
    ))
}

/// One line for every broken rule.
fn violations(packages: &[Package]) -> Vec<String> {
    let mut violations = Vec::new();
    for package in packages {
        let Some(room) = room(&package.folder) else {
            violations.push(format!(
                "{} is in '{}'; expected ROOM/CRATE with ROOM one of {}",
                package.name,
                package.folder.display(),
                names(ROOMS.iter().map(|rule| rule.from))
            ));
            continue;
        };
        let rules = CRATES.iter().filter(|rule| rule.from == package.name);
        let rules: Vec<&Rule> = std::iter::once(room).chain(rules).collect();
        for dependency in package
            .dependencies
            .iter()
            .filter(|dependency| !dependency.dev)
        {
            let Some(target) = packages.iter().find(|other| other.name == dependency.name) else {
                continue;
            };
            for rule in rules.iter().filter(|rule| !rule.allows(target)) {
                violations.push(format!(
                    "{} depends on {} ({}); {} may depend on {}",
                    package.name,
                    target.name,
                    target.folder.display(),
                    rule.from,
                    names(rule.to.iter().copied())
                ));
            }
        }
    }
    violations
}

impl Rule {
    fn allows(&self, target: &Package) -> bool {
        let room = target.folder.iter().next().unwrap_or_default();
        self.to.iter().any(|&allowed| {
            target.name == allowed || target.folder == Path::new(allowed) || room == allowed
        })
    }
}

/// The rule of the room that a folder is in; none where the folder is not exactly two deep, [`SINGLE`] excepted.
fn room(folder: &Path) -> Option<&'static Rule> {
    let is_single = |folder: &Path| SINGLE.iter().any(|single| folder == Path::new(single));
    let room = match is_single(folder) {
        true => folder,
        false => folder.parent().filter(|room| !is_single(room))?,
    };
    ROOMS.iter().find(|rule| Path::new(rule.from) == room)
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        return "no crate of the workspace".into();
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::{Dependency, packages};

    fn package(name: &str, folder: &str, dependencies: &[&str]) -> Package {
        let dependencies = dependencies.iter().map(|name| Dependency {
            name: name.trim_start_matches("dev:").into(),
            dev: name.starts_with("dev:"),
        });
        Package {
            name: name.into(),
            id: String::new(),
            folder: folder.into(),
            dependencies: dependencies.collect(),
            tests: Vec::new(),
        }
    }

    /// Violations of a workspace of well-placed crates and one more.
    fn violations_with(one: Package) -> Vec<String> {
        let mut packages = vec![
            package("throng-simd", "core/simd", &[]),
            package("throng-skin", "core/skin", &["throng-simd"]),
            package("throng-bake", "offline/bake", &["throng-skin"]),
            package("throng-shaders", "runtime/shaders", &[]),
            package(
                "throng-studio",
                "apps/studio",
                &["throng-bake", "throng-shaders"],
            ),
            package("throng-testkit", "dev/testkit", &[]),
        ];
        packages.push(one);
        violations(&packages)
    }

    #[test]
    fn the_workspace_follows_the_rules() {
        check(&packages().unwrap()).unwrap_or_else(|message| panic!("{message}"));
    }

    #[test]
    fn allows_dependencies_within_the_rules() {
        for one in [
            package("throng-rig", "core/rig", &["throng-simd"]),
            package(
                "throng-format",
                "runtime/format",
                &["dev:throng-skin", "dev:throng-bake"],
            ),
            package(
                "throng-wgpu",
                "runtime/wgpu",
                &["throng-skin", "throng-shaders"],
            ),
            package(
                "throng",
                "apps/throng",
                &["throng-bake", "throng-studio", "dev:throng-testkit"],
            ),
            package("throng-fuzz", "fuzz", &["throng-bake", "throng-testkit"]),
            package("throng-examples", "examples", &["throng-shaders"]),
        ] {
            assert_eq!(violations_with(one), [""; 0]);
        }
    }

    #[test]
    fn runtime_must_not_depend_on_offline() {
        let wgpu = package("throng-wgpu", "runtime/wgpu", &["throng-bake"]);
        assert_eq!(
            violations_with(wgpu),
            [
                "throng-wgpu depends on throng-bake (offline/bake); runtime may depend on core, runtime"
            ]
        );
    }

    #[test]
    fn offline_must_not_depend_on_drawing() {
        let import = package("throng-import", "offline/import", &["throng-shaders"]);
        assert_eq!(
            violations_with(import),
            [
                "throng-import depends on throng-shaders (runtime/shaders); offline may depend on core, runtime/format"
            ]
        );
    }

    #[test]
    fn format_must_not_depend_on_skin() {
        let format = package("throng-format", "runtime/format", &["throng-skin"]);
        assert_eq!(
            violations_with(format),
            [
                "throng-format depends on throng-skin (core/skin); throng-format may depend on throng-rig, throng-simd"
            ]
        );
    }

    #[test]
    fn apps_must_not_depend_on_dev() {
        let app = package("throng", "apps/throng", &["throng-testkit"]);
        assert_eq!(violations_with(app).len(), 1);
    }

    #[test]
    fn crates_are_exactly_two_folders_deep() {
        for folder in [
            "throng",
            "crates/throng",
            "apps/a/throng",
            "apps",
            "fuzz/a",
            "examples/a",
        ] {
            let violations = violations_with(package("throng", folder, &[]));
            assert_eq!(violations.len(), 1, "{folder}");
            assert!(
                violations[0].starts_with("throng is in "),
                "{}",
                violations[0]
            );
        }
    }
}
