//! Arguments of `throng bake`, resolved.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use throng_bake::lod::check_ratios;
use throng_bake::search::SearchSpace;
use throng_bake::{
    BakeSettings, Boxes, DEFAULT_ERROR_OF_SIZE, DEFAULT_MAX_MEMORY_BYTES, Preset, Rate, Sides,
};
use throng_format::file::{FileFormat, Supercompression};
use throng_format::{Encoding, Metadata, PoseEdits, Precision, SetLayout};
use throng_import::{CacheFile, ImportOptions};
use throng_rig::{Character, Skinning, select_by_name};

use super::inputs::{Input, Inputs, find_inputs, find_party, is_glb};
use super::party_job::{PartyJob, check_shared};
use super::target::{TargetOptions, check_options, default_format};
use crate::cli::{
    BakeArgs, BoxChoice, EncodingChoice, Limit, PoseBaseArgs, PoseEditArgs, SetFormat, StorageArgs,
    Target,
};
use crate::command::CommandError;
use crate::command::caches::{cache_files, refuse_caches};
use crate::command::digest::text_digest;
use crate::command::motion::Motion;
use crate::command::pose_clip::add_pose_clip;

/// Everything that determines the set baked from one source.
///
/// The arguments are resolved into jobs once, and a bake sees nothing but its job. The serialised form is the
/// resume key, so an option that changes the output changes the key. Skipped fields are not part of it: the output
/// path does not change what is written, and the manifest holds the digest of the source beside the key.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BakeJob {
    /// Path of a file, or `builtin:NAME`.
    #[serde(skip)]
    pub source: String,
    /// Folder or file of the set.
    #[serde(skip)]
    pub output: PathBuf,
    /// Version of the program that bakes.
    version: &'static str,
    /// Import of the character to bake. Errors are measured against all influences of the source.
    pub import: ImportOptions,
    /// Clips to bake, by name, index or #index, beside the pose set by hand; if empty, that pose alone, or all.
    clips: Vec<String>,
    /// Motion from other files. The manifest has their digests beside the key.
    #[serde(skip)]
    pub motion: Motion,
    /// Vertex caches. The manifest has their digests beside the key.
    #[serde(skip)]
    pub caches: Vec<CacheFile>,
    /// Pose set by hand, to bake as a clip.
    pub pose: Option<PoseEdits>,
    /// Largest error allowed, if one is asked for.
    pub max_error: Option<Limit>,
    /// Settings, or a search for them. [`BakeJob::plan_for`] completes it.
    plan: Plan,
    /// Renderer that must load the set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Longest side of a texture, also part of the plan.
    #[serde(skip)]
    pub max_side: u32,
    /// Ratios of triangles of the levels of detail below the full mesh.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lods: Vec<f64>,
    /// Files of the set.
    pub files: SetFiles,
    /// Write a heat map too.
    pub heat_map: bool,
    /// Bake where the set is up to date.
    #[serde(skip)]
    pub force: bool,
}

/// Choice of the bake settings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Plan {
    /// Bake with these settings.
    Bake(BakeSettings),
    /// Search for the smallest set within the error of `base`, or for the most accurate within `max_gpu_bytes`.
    Search {
        base: BakeSettings,
        space: SearchSpace,
        max_gpu_bytes: Option<u64>,
    },
}

impl Plan {
    /// Indices of the clips of a completed plan.
    pub fn clips(&self, character: &Character) -> Vec<usize> {
        let (Self::Bake(settings) | Self::Search { base: settings, .. }) = self;
        match settings.clips.is_empty() {
            true => (0..character.clips().len()).collect(),
            false => settings.clips.clone(),
        }
    }
}

/// Files that a set is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum SetFiles {
    /// A folder of texture files.
    Folder {
        format: FileFormat,
        supercompression: Supercompression,
    },
    /// One file.
    Glb,
}

/// The jobs of one command line.
#[derive(Debug)]
pub enum BakeJobs {
    /// A single source.
    One(Box<BakeJob>),
    /// Several sources: one that fails does not stop the rest.
    Library {
        /// The folder of all sets, empty for the current one.
        folder: PathBuf,
        jobs: Vec<BakeJob>,
    },
    /// Several sources that share motion sets.
    Party(PartyJob),
}

impl BakeJobs {
    /// Resolves the arguments.
    pub fn resolve(args: &BakeArgs) -> Result<Self, CommandError> {
        // Naming every argument makes a new one a compile error until it is resolved here.
        let BakeArgs {
            files,
            output,
            encoding,
            storage,
            method,
            rate,
            clips,
            motion,
            caches,
            base,
            edit,
            looping,
            interpolate,
            max_error,
            max_bytes,
            preset,
            target,
            format,
            zstd,
            mesh,
            lod,
            pow2,
            max_side,
            boxes,
            metadata,
            heat,
            effort,
            share,
            motion_only,
            force,
            prune: _,
            max_frames,
            max_memory,
            json: _,
            import,
        } = args;
        let settings = BakeSettings {
            skinning: *method,
            rate: rate.unwrap_or(Rate::Native),
            interpolation: *interpolate,
            looping: *looping,
            boxes: boxes.map(|boxes| match boxes {
                BoxChoice::Bone => Boxes::PerBone,
                BoxChoice::Whole => Boxes::Whole,
            }),
            metadata: *metadata,
            sides: match pow2 {
                true => Sides::PowerOfTwo,
                false => Sides::Exact,
            },
            max_side: *max_side,
            mesh: *mesh,
            effort: *effort,
            preset: *preset,
            max_frames: *max_frames,
            max_memory_bytes: max_memory.unwrap_or(DEFAULT_MAX_MEMORY_BYTES),
            ..BakeSettings::default()
        };
        let encoding = match *encoding {
            EncodingChoice::Auto => None,
            EncodingChoice::One(encoding) => Some(encoding),
        };
        if let Some(target) = *target {
            let options = TargetOptions {
                encoding,
                preset: *preset,
                method: *method,
                format: *format,
                max_side: *max_side,
            };
            check_options(target, options)?;
        }
        let format = &default_format(*target, *format, output.as_deref());
        let mut import = import.options();
        let limits = [
            import.max_influences,
            preset.and_then(Preset::max_influences),
        ];
        import.max_influences = limits.into_iter().flatten().min();
        let pose = pose_edits(base, edit)?;
        let motion = Motion::resolve(motion)?;
        let lods =
            check_ratios(lod).map_err(|error| CommandError::Usage(format!("--lod: {error}")))?;
        let job = |input: Input| -> Result<BakeJob, CommandError> {
            let files = set_files(*format, *zstd, &input.output)?;
            let space = SearchSpace {
                encodings: encoding.map(|encoding| vec![encoding]),
                layout: storage.layout,
                precision: storage.precision,
                rate: *rate,
                files: match files {
                    SetFiles::Folder { format, .. } => Some(format),
                    SetFiles::Glb => None,
                },
                ..SearchSpace::default()
            };
            let plan = choose_plan(
                settings.clone(),
                encoding,
                *storage,
                space,
                *max_error,
                *max_bytes,
            )?;
            Ok(BakeJob {
                source: input.source,
                output: input.output,
                version: env!("CARGO_PKG_VERSION"),
                import,
                clips: clips.clone(),
                motion: motion.clone(),
                caches: cache_files(caches),
                pose: pose.clone(),
                max_error: *max_error,
                plan,
                target: *target,
                max_side: *max_side,
                lods: lods.to_vec(),
                files,
                heat_map: *heat,
                force: *force,
            })
        };
        if *share || *motion_only {
            check_shared(encoding, *format)?;
            let jobs = |inputs: Vec<Input>| -> Result<Vec<BakeJob>, CommandError> {
                inputs.into_iter().map(job).collect()
            };
            return Ok(Self::Party(match (files.as_slice(), *share) {
                ([file], false) if !Path::new(file).is_dir() => {
                    let input = find_inputs(files, output.as_deref(), *format)?;
                    PartyJob::one_motion(jobs(input.into_list())?)?
                }
                _ => {
                    let jobs = jobs(find_party(files, output.as_deref())?)?;
                    let folder = output.clone().unwrap_or_default();
                    PartyJob::new(folder, jobs, *motion_only)
                }
            }));
        }
        Ok(match find_inputs(files, output.as_deref(), *format)? {
            Inputs::One(input) => Self::One(Box::new(job(input)?)),
            Inputs::Library { folder, inputs } => {
                let sources = files.join(", ");
                refuse_caches(caches, &sources, "several files or a folder")?;
                Self::Library {
                    folder,
                    jobs: inputs.into_iter().map(job).collect::<Result<_, _>>()?,
                }
            }
        })
    }
}

impl BakeJob {
    /// Returns the resume key: the digest of the serialised job.
    pub fn key(&self) -> String {
        text_digest(&serde_json::to_string(self).expect("a job is plain data"))
    }

    /// Returns a text that stands for everything but the choice of clips: with the same text and character, clips of an
    /// existing set can be kept.
    pub fn base_key(&self) -> String {
        let without_clips = Self {
            clips: Vec::new(),
            pose: None,
            target: None,
            heat_map: false,
            ..self.clone()
        };
        serde_json::to_string(&without_clips).expect("a job is plain data")
    }

    /// Completes the plan with the indices of the clips, and with the error as a fraction of the character's size.
    pub fn plan_for(&self, character: &Character, size_m: f64) -> Result<Plan, CommandError> {
        let mut plan = match character.has_vertex_caches() {
            true => self.cache_plan(),
            false => self.plan.clone(),
        };
        let settings = match &mut plan {
            Plan::Bake(settings) => settings,
            Plan::Search { base, .. } => base,
        };
        settings.clips = self.clip_indices(character)?;
        settings.max_error_of_size = self
            .max_error
            .map_or(DEFAULT_ERROR_OF_SIZE, |limit| limit.of_size(size_m));
        Ok(plan)
    }

    /// Returns the plan for a character with vertex caches: frames of the encoding `vertex` where nothing else is asked for. A
    /// search keeps several sets in memory, and a cache may be larger than that.
    fn cache_plan(&self) -> Plan {
        match &self.plan {
            Plan::Search {
                base,
                space:
                    SearchSpace {
                        encodings: None,
                        layout,
                        precision,
                        rate,
                        files,
                        ..
                    },
                max_gpu_bytes: None,
            } if self.max_error.is_none() => {
                // EXR files have floats only.
                let floats = (*files == Some(FileFormat::Exr)).then_some(Precision::F32);
                let storage = StorageArgs {
                    layout: *layout,
                    precision: precision.or(floats),
                };
                Plan::Bake(BakeSettings {
                    encoding: Encoding::Vertex,
                    storage: storage.of(Encoding::Vertex),
                    rate: rate.unwrap_or(Rate::Native),
                    ..base.clone()
                })
            }
            plan => plan.clone(),
        }
    }

    /// Adds the clip of the pose that was set by hand, if there is one.
    pub fn with_pose(
        &self,
        character: Character,
        warnings: &mut Vec<String>,
    ) -> Result<Character, CommandError> {
        let Some(edits) = &self.pose else {
            return Ok(character);
        };
        add_pose_clip(character, edits, self.skinning()?, warnings)
    }

    /// Returns the skinning method that the sets have.
    pub fn skinning(&self) -> Result<Skinning, CommandError> {
        let (Plan::Bake(settings) | Plan::Search { base: settings, .. }) = &self.plan;
        let skinning = settings.effective_skinning();
        skinning.map_err(|error| CommandError::Bake {
            source_name: self.source.clone(),
            error,
        })
    }

    /// Returns the clips to bake: those asked for, and the pose set by hand, which is the character's last clip.
    pub fn clip_indices(&self, character: &Character) -> Result<Vec<usize>, CommandError> {
        let clips = character.clips().iter();
        let names: Vec<&str> = clips.map(|clip| clip.name.as_str()).collect();
        // Thousands of names are found without comparing each with each; of equal names the first.
        let numbered = names.iter().enumerate().rev();
        let by_name: HashMap<&str, usize> = numbered.map(|(index, &name)| (name, index)).collect();
        let (mut indices, mut is_chosen) = (Vec::new(), vec![false; names.len()]);
        let mut choose = |index: usize| {
            if !std::mem::replace(&mut is_chosen[index], true) {
                indices.push(index);
            }
        };
        for asked in &self.clips {
            choose(match by_name.get(asked.as_str()) {
                Some(&index) => index,
                None => {
                    let found = select_by_name(names.iter().copied(), asked);
                    let unknown = |error| CommandError::Usage(format!("--clips {asked}: {error}"));
                    found.map_err(unknown)?.index
                }
            });
        }
        if self.pose.is_some() {
            choose(names.len() - 1);
        }
        Ok(indices)
    }
}

/// Pose set by hand, if there is one. `--clip` and `--time` alone are a mistake for `--clips`.
fn pose_edits(base: &PoseBaseArgs, edit: &PoseEditArgs) -> Result<Option<PoseEdits>, CommandError> {
    let given = match (&base.clip, base.time) {
        (Some(_), _) => Some("--clip"),
        (None, Some(_)) => Some("--time"),
        (None, None) => None,
    };
    match given {
        Some(option) if edit.is_empty() => Err(CommandError::Usage(format!(
            "{option} gives the pose that --rotate and --keyframe edit, and neither is there: use --clips to choose the \
             clips to bake, or --keyframe 1:rotations to bake the pose"
        ))),
        _ if edit.is_empty() => Ok(None),
        _ => Ok(Some(edit.on(base.clip.as_deref(), base.time))),
    }
}

/// Settings where the arguments fix them, else a search.
fn choose_plan(
    mut settings: BakeSettings,
    encoding: Option<Encoding>,
    storage: StorageArgs,
    space: SearchSpace,
    max_error: Option<Limit>,
    max_gpu_bytes: Option<u64>,
) -> Result<Plan, CommandError> {
    if settings.preset.is_some() {
        return Ok(Plan::Bake(settings));
    }
    storage.check().map_err(CommandError::Usage)?;
    let is_compressed =
        encoding == Some(Encoding::BoneLocal) || storage.layout == Some(SetLayout::Compressed);
    if is_compressed && settings.metadata == Metadata::Column {
        return Err(CommandError::Usage(
            "--metadata column applies to frames, and compressed curves contain their own tables: leave \
             --metadata out, or use --layout frames"
                .into(),
        ));
    }
    let is_fixed = max_gpu_bytes.is_none() && (is_compressed || max_error.is_none());
    match encoding {
        Some(encoding) if is_fixed => {
            settings.encoding = encoding;
            settings.storage = storage.of(encoding);
            Ok(Plan::Bake(settings))
        }
        _ => Ok(Plan::Search {
            base: settings,
            space,
            max_gpu_bytes,
        }),
    }
}

/// Files by `--format` and `--zstd`, or by the name of the output.
fn set_files(
    format: Option<SetFormat>,
    zstd: bool,
    output: &Path,
) -> Result<SetFiles, CommandError> {
    let format = match format {
        None if is_glb(output) => SetFormat::Glb,
        None => SetFormat::Folder(FileFormat::Ktx2),
        Some(SetFormat::Folder(format)) if is_glb(output) => {
            return Err(CommandError::Usage(format!(
                "{} is one file, but --format {format} writes a folder: name a folder, or use --format glb",
                output.display()
            )));
        }
        Some(format) => format,
    };
    if zstd && format != SetFormat::Folder(FileFormat::Ktx2) {
        return Err(CommandError::Usage(
            "--zstd compresses only ktx2 files: leave it out, or use --format ktx2".into(),
        ));
    }
    Ok(match format {
        SetFormat::Glb => SetFiles::Glb,
        SetFormat::Folder(format) => SetFiles::Folder {
            format,
            supercompression: match zstd {
                true => Supercompression::Zstd,
                false => Supercompression::None,
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::cli::{Cli, Command};

    /// An example of every option that changes the output.
    const OPTIONS: [&[&str]; 29] = [
        &["--encoding", "vertex"],
        &["--layout", "compressed"],
        &["--precision", "unorm8"],
        &["--method", "dqs"],
        &["--rate", "30"],
        &["--clips", "walk"],
        &["--clip", "walk", "--rotate", "2=0,0,90"],
        &["--time", "0.5", "--rotate", "2=0,0,90"],
        &["--rotate", "2=0,0,90"],
        &["--keyframe", "0.5:rotations"],
        &["--loop", "once"],
        &["--interpolate", "slerp"],
        &["--max-error", "1mm"],
        &["--max-bytes", "64k"],
        &["--preset", "p0-dq8"],
        &["--target", "wgpu"],
        &["--format", "png"],
        &["--zstd"],
        &["--mesh", "exact"],
        &["--effort", "best"],
        &["--lod", "100%,40%"],
        &["--pow2"],
        &["--max-side", "1024"],
        &["--boxes", "bone"],
        &["--metadata", "column"],
        &["--heat"],
        &["--max-influences", "2"],
        &["--min-weight", "0.1"],
        &["--positions", "split"],
    ];

    fn job(args: &[&str]) -> BakeJob {
        let all = [&["throng", "bake", "builtin:humanoid"], args].concat();
        let Some(Command::Bake(args)) = Cli::parse_from(all).command else {
            panic!("not a bake")
        };
        match BakeJobs::resolve(&args).unwrap() {
            BakeJobs::One(job) => *job,
            BakeJobs::Library { .. } | BakeJobs::Party(_) => panic!("not one job"),
        }
    }

    #[test]
    fn every_option_changes_the_resume_key() {
        let mut keys = HashMap::from([(job(&[]).key(), &[][..])]);
        for option in OPTIONS {
            if let Some(other) = keys.insert(job(option).key(), option) {
                panic!("{option:?} and {other:?} have the same key");
            }
        }
        // Other values of the same option.
        for option in [
            &["--max-error", "2mm"][..],
            &["--max-error", "1%"],
            &["--max-bytes", "65k"],
            &["--clips", "walk,run"],
            &["--clips", "run,walk"],
            &["--rotate", "2=0,0,91"],
            &["--rotate", "3=0,0,90"],
            &["--keyframe", "0.5:positions"],
            &["--method", "blend:0.5"],
            &["--method", "blend:0.25"],
            &["--format", "exr"],
            &["--format", "glb"],
            &["--rate", "31"],
            &["--layout", "frames"],
            &["--lod", "100%,40%,10%"],
            &["--lod", "30%"],
        ] {
            if let Some(other) = keys.insert(job(option).key(), option) {
                panic!("{option:?} and {other:?} have the same key");
            }
        }
    }

    #[test]
    fn the_examples_cover_all_options() {
        let command = Cli::command();
        let bake = command.find_subcommand("bake").unwrap();
        let longs = bake.get_arguments().filter_map(|arg| arg.get_long());
        // Options that do not change what is written, or that the manifest has beside the key.
        let others = [
            "output",
            "motion",
            "joint-map",
            "cache",
            "cache-fps",
            "json",
            "help",
            "force",
            // Parties have keys of their own.
            "share",
            "motion-only",
            "prune",
            "max-frames",
            "max-memory",
        ];
        let longs = longs.filter(|long| !others.contains(long));
        let examples = OPTIONS.iter().map(|option| &option[0][2..]);
        assert_eq!(
            longs.collect::<BTreeSet<_>>(),
            examples.collect::<BTreeSet<_>>()
        );
    }

    #[test]
    fn clips_do_not_change_the_base_key_and_settings_do() {
        let key = job(&[]).base_key();
        for args in [
            &["--clips", "walk"][..],
            &["--rotate", "2=0,0,90"],
            &["--heat"],
            &["--target", "wgpu"],
            &["-o", "elsewhere"],
        ] {
            assert_eq!(job(args).base_key(), key, "{args:?}");
        }
        for args in [
            &["--max-error", "1mm"][..],
            &["--effort", "fast"],
            &["--rate", "30"],
            &["--loop", "once"],
            &["--mesh", "exact"],
            &["--max-influences", "2"],
            &["--lod", "50%"],
        ] {
            assert_ne!(job(args).base_key(), key, "{args:?}");
        }
    }

    #[test]
    fn equal_options_have_equal_keys() {
        let key = job(&[]).key();
        for args in [
            &[][..],
            &["--encoding", "auto"],
            &["--format", "ktx2"],
            &["--mesh", "compact"],
            &["--lod", "100%"],
            &["--effort", "normal"],
            &["--force"],
            &["--prune"],
            &["--max-side", "2048"],
            &["--method", "as-authored"],
            &["-o", "elsewhere"],
            &["--json"],
            &["--max-frames", "1000", "--max-memory", "1G"],
        ] {
            assert_eq!(job(args).key(), key, "{args:?}");
        }
        let reordered = ["--pow2", "--rate", "30", "--heat"];
        assert_eq!(
            job(&["--heat", "--rate", "30", "--pow2"]).key(),
            job(&reordered).key()
        );
    }
}
