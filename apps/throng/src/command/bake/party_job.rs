//! Characters that share motion sets, resolved from the arguments.

use std::path::{Path, PathBuf};

use throng_format::Encoding;

use super::job::{BakeJob, SetFiles};
use crate::cli::SetFormat;
use crate::command::CommandError;
use crate::command::digest::{source_digest, text_digest};

/// Sets that a party is written as.
#[derive(Debug, Clone, PartialEq)]
enum Sets {
    /// Motion sets and a set per character, in a folder.
    Characters(PathBuf),
    /// Motion sets, in a folder.
    Motions(PathBuf),
    /// One motion set, in its own folder.
    OneMotion,
}

/// A bake of several sources that share motion sets.
#[derive(Debug, Clone, PartialEq)]
pub struct PartyJob {
    sets: Sets,
    /// The characters. Their settings are equal.
    pub jobs: Vec<BakeJob>,
}

impl PartyJob {
    /// Sets in a folder, which is empty for the current one.
    pub fn new(folder: PathBuf, jobs: Vec<BakeJob>, motion_only: bool) -> Self {
        let sets = match motion_only {
            true => Sets::Motions(folder),
            false => Sets::Characters(folder),
        };
        Self { sets, jobs }
    }

    /// The motion set of one character, in the folder of its job's output.
    pub fn one_motion(jobs: Vec<BakeJob>) -> Result<Self, CommandError> {
        if let Some(job) = jobs.iter().find(|job| job.files == SetFiles::Glb) {
            return Err(CommandError::Usage(format!(
                "{} is one file, but a motion set is a folder that other sets refer to: name a folder",
                job.output.display()
            )));
        }
        Ok(Self {
            sets: Sets::OneMotion,
            jobs,
        })
    }

    /// Returns true where only motion sets are written.
    pub fn is_motion_only(&self) -> bool {
        !matches!(self.sets, Sets::Characters(_))
    }

    /// Returns true where the motion set has the path of the output itself.
    pub fn is_one_motion(&self) -> bool {
        self.sets == Sets::OneMotion
    }

    /// Path of everything that is written: the folder of the party, or the motion set.
    pub fn output(&self) -> &Path {
        match &self.sets {
            Sets::Characters(folder) | Sets::Motions(folder) if folder.as_os_str().is_empty() => {
                Path::new(".")
            }
            Sets::Characters(folder) | Sets::Motions(folder) => folder,
            Sets::OneMotion => &self.jobs[0].output,
        }
    }

    /// Path of the motion set of a group, counted from 0: `motion.throng`, `motion-2.throng`, …
    pub fn motion_output(&self, group: usize) -> PathBuf {
        match &self.sets {
            Sets::OneMotion => self.jobs[0].output.clone(),
            Sets::Characters(folder) | Sets::Motions(folder) => match group {
                0 => folder.join("motion.throng"),
                _ => folder.join(format!("motion-{}.throng", group + 1)),
            },
        }
    }

    /// Resume key: the digest of the settings, of all sources and of their motion, as every set depends on all of them.
    pub fn key(&self) -> Result<String, CommandError> {
        let mut text = String::from(match self.is_motion_only() {
            true => "motion only",
            false => "party",
        });
        for job in &self.jobs {
            let (key, digest) = (job.key(), source_digest(&job.source)?);
            let name = job.output.file_name().unwrap_or_default();
            text += &format!("\n{key} {digest} {}", name.display());
            for file in &job.motion.files {
                text += &format!(" {}", source_digest(file)?);
            }
            text += &format!(" {:?}", job.motion.pairs);
        }
        Ok(text_digest(&text))
    }

    /// Refuses a character whose set would have the path of a motion set.
    pub fn check_outputs(&self, groups: usize) -> Result<(), CommandError> {
        if self.is_motion_only() {
            return Ok(());
        }
        for group in 0..groups {
            let motion = self.motion_output(group);
            if let Some(job) = self.jobs.iter().find(|job| job.output == motion) {
                return Err(CommandError::Usage(format!(
                    "{} would be written to {}, which is the motion set: rename the file",
                    job.source,
                    motion.display()
                )));
            }
        }
        Ok(())
    }
}

/// Refuses settings whose textures belong to one mesh, and files that hold a whole set.
pub fn check_shared(
    encoding: Option<Encoding>,
    format: Option<SetFormat>,
) -> Result<(), CommandError> {
    match (encoding, format) {
        (Some(encoding), _) if encoding.is_vertex() => Err(CommandError::Usage(format!(
            "--encoding {encoding}: the textures hold vertices of one mesh, which characters cannot share: choose a bone \
             encoding, or leave --share and --motion-only out"
        ))),
        (_, Some(SetFormat::Glb)) => Err(CommandError::Usage(
            "--format glb: a motion set is a folder that other sets refer to: choose ktx2, png or exr".into(),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::job::BakeJobs;
    use super::*;
    use crate::cli::{Cli, Command};

    fn resolve(args: &[&str]) -> Result<PartyJob, CommandError> {
        let all = [&["throng", "bake"], args].concat();
        let Some(Command::Bake(args)) = Cli::parse_from(all).command else {
            panic!("not a bake")
        };
        match BakeJobs::resolve(&args)? {
            BakeJobs::Party(party) => Ok(party),
            _ => panic!("not a party"),
        }
    }

    #[test]
    fn key_of_a_party_depends_on_settings_sources_and_kind() {
        let pair = ["builtin:humanoid", "builtin:bar", "--share", "-o", "party"];
        let key = |args: &[&str]| resolve(args).unwrap().key().unwrap();
        let first = key(&pair);
        assert_eq!(first, key(&pair));
        assert_eq!(first, key(&[&pair[..], &["--force"]].concat()));
        let others: [&[&str]; 4] = [
            &["--motion-only"],
            &["--max-error", "1mm"],
            &["--encoding", "bone-qt"],
            &["builtin:humanoid:500"],
        ];
        for more in others {
            assert_ne!(first, key(&[&pair[..], more].concat()), "{more:?}");
        }
    }

    #[test]
    fn motion_sets_are_numbered_by_skeleton() {
        let party = resolve(&["builtin:bar", "builtin:humanoid", "--share", "-o", "p"]).unwrap();
        let outputs = [0, 1, 2].map(|group| party.motion_output(group));
        let names = ["p/motion.throng", "p/motion-2.throng", "p/motion-3.throng"];
        assert_eq!(outputs, names.map(PathBuf::from));
        let one = resolve(&["builtin:bar", "--motion-only", "-o", "walk.throng"]).unwrap();
        assert_eq!(one.motion_output(0), PathBuf::from("walk.throng"));
        let one = resolve(&["builtin:bar", "--share", "-o", "p"]).unwrap();
        assert_eq!(one.jobs[0].output, PathBuf::from("p/bar.throng"));
    }

    #[test]
    fn vertex_encodings_and_single_files_are_refused() {
        for more in [
            ["--encoding", "vertex"],
            ["--encoding", "vertex-ray"],
            ["--format", "glb"],
        ] {
            for kind in ["--share", "--motion-only"] {
                let error = resolve(&["builtin:bar", kind, more[0], more[1]]).unwrap_err();
                assert!(matches!(error, CommandError::Usage(_)), "{error}");
            }
        }
        for kind in ["--share", "--motion-only"] {
            let error = resolve(&["builtin:bar", kind, "-o", "party.glb"]).unwrap_err();
            assert!(matches!(error, CommandError::Usage(_)), "{error}");
        }
    }
}
