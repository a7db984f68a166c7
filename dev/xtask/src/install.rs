//! Installs programs and drivers that the tests need, on Debian and its relatives.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A Debian package and the sign that it is installed.
struct Requirement {
    package: &'static str,
    sign: Sign,
}

enum Sign {
    /// A program on the path.
    Program(&'static str),
    /// A file whose name begins so, in one of the folders that match.
    File {
        folders: &'static [&'static str],
        prefix: &'static str,
    },
}

const REQUIREMENTS: &[Requirement] = &[
    Requirement {
        package: "build-essential",
        sign: Sign::Program("c++"),
    },
    Requirement {
        package: "nodejs",
        sign: Sign::Program("node"),
    },
    Requirement {
        package: "npm",
        sign: Sign::Program("npm"),
    },
    Requirement {
        package: "glslang-tools",
        sign: Sign::Program("glslangValidator"),
    },
    Requirement {
        package: "python3",
        sign: Sign::Program("python3"),
    },
    Requirement {
        package: "python3-pip",
        sign: Sign::Program("pip3"),
    },
    Requirement {
        package: "chromium",
        sign: Sign::Program("chromium"),
    },
    Requirement {
        package: "mesa-vulkan-drivers",
        sign: Sign::File {
            folders: &["/usr/share/vulkan/icd.d"],
            prefix: "lvp_icd",
        },
    },
    Requirement {
        package: "libegl1",
        sign: library("libEGL.so.1"),
    },
    Requirement {
        package: "libgl1-mesa-dri",
        sign: Sign::File {
            folders: &["/usr/lib/dri", "/usr/lib/*/dri"],
            prefix: "swrast_dri.so",
        },
    },
    // The window of the viewer.
    Requirement {
        package: "xvfb",
        sign: Sign::Program("Xvfb"),
    },
    Requirement {
        package: "libx11-xcb1",
        sign: library("libX11-xcb.so.1"),
    },
    Requirement {
        package: "libxcursor1",
        sign: library("libXcursor.so.1"),
    },
    Requirement {
        package: "libxi6",
        sign: library("libXi.so.6"),
    },
    Requirement {
        package: "libxkbcommon-x11-0",
        sign: library("libxkbcommon-x11.so.0"),
    },
];

/// A shared library of the system.
const fn library(prefix: &'static str) -> Sign {
    Sign::File {
        folders: &["/usr/lib", "/usr/lib/*"],
        prefix,
    }
}

impl Sign {
    fn is_there(&self) -> bool {
        match *self {
            Sign::Program(name) => on_path(name),
            Sign::File { folders, prefix } => folders
                .iter()
                .flat_map(|folder| expand(folder))
                .any(|folder| has_file(&folder, prefix)),
        }
    }
}

/// Whether a program is on the path.
pub fn on_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// Folders that match a pattern with at most one `*`, which stands for a whole name.
fn expand(pattern: &str) -> Vec<PathBuf> {
    let Some((parent, rest)) = pattern.split_once("/*") else {
        return vec![pattern.into()];
    };
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path().join(rest.trim_start_matches('/')))
        .collect()
}

fn has_file(folder: &Path, prefix: &str) -> bool {
    let mut entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.any(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
}

/// Installs missing packages. Where it cannot, it prints what to install and returns: tests that need a missing
/// program are skipped, or fail under `CI=true`.
pub fn run() {
    let missing: Vec<&str> = REQUIREMENTS
        .iter()
        .filter(|requirement| !requirement.sign.is_there())
        .map(|requirement| requirement.package)
        .collect();
    if !missing.is_empty() {
        println!("missing: {}", missing.join(" "));
        if let Err(reason) = apt_get(&missing) {
            let packages = missing.join(" ");
            println!("warning: {reason}; install what Debian calls: {packages}");
        }
    }
    // Both are part of rustup's default profile; a minimal toolchain lacks them.
    for (program, component) in [("cargo-fmt", "rustfmt"), ("cargo-clippy", "clippy")] {
        if !on_path(program) && on_path("rustup") {
            let _ = Command::new("rustup")
                .args(["component", "add", component])
                .status();
        }
    }
}

fn apt_get(packages: &[&str]) -> Result<(), String> {
    if !on_path("apt-get") {
        return Err("this system has no apt-get".into());
    }
    let sudo: &[&str] = match (is_root(), on_path("sudo")) {
        (true, _) => &[],
        (false, true) => &["sudo"],
        (false, false) => return Err("installing packages needs root or sudo".into()),
    };
    let run = |args: &[&str]| {
        let words: Vec<&str> = sudo
            .iter()
            .chain(&["apt-get"])
            .chain(args)
            .copied()
            .collect();
        let status = Command::new(words[0])
            .args(&words[1..])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .status();
        match status {
            Ok(status) if status.success() => Ok(()),
            _ => Err(format!("'{}' failed", words.join(" "))),
        }
    };
    run(&["update", "-qq"])?;
    let options = ["install", "-y", "-qq", "--no-install-recommends"];
    run(&[&options, packages].concat())
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_programs_on_the_path() {
        assert!(on_path("sh") || cfg!(windows));
        assert!(!on_path("no-program-has-this-name"));
    }

    #[test]
    fn a_star_stands_for_every_folder() {
        let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let folders = expand(&format!("{crates}/*/src"));
        assert!(folders.iter().any(|folder| has_file(folder, "arrows")));
        assert!(
            !folders
                .iter()
                .any(|folder| has_file(folder, "no-such-file"))
        );
    }
}
