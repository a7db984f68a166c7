//! Suites: the experiments of the papers on today's parts, and a character of the user.

pub mod character;
mod cpu;
mod crowds;
mod p0;
mod p1;
mod p2;
mod p3;
mod p4;
mod quick;
pub mod sizes;
mod summary;

use std::fmt;
use std::str::FromStr;

use crate::BenchError;
use crate::experiment::Experiment;
use crate::record::{Settings, ThresholdUnit};
use crate::run::Run;
use crate::stage::PICTURE;

/// A suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Suite {
    /// The built-in humanoid by a few techniques, in less than three minutes.
    Quick,
    /// P0: animation textures against palettes, by frames per second and instances.
    P0,
    /// P1: LBS, DQS and blends.
    P1,
    /// P2: matrices and dual quaternions with many nodes.
    P2,
    /// P3: virtual bones against skinned meshes.
    P3,
    /// P4: software and hardware skinning, and three kinds of instancing.
    P4,
    /// Bytes and error of every encoding.
    Sizes,
    /// Skinning and sampling on the CPU, against plain loops.
    Cpu,
    /// Culling and levels of detail, from 10 to 1 000 000 instances.
    Crowds,
    /// All of them.
    All,
}

impl Suite {
    /// All suites.
    pub const ALL: [Self; 10] = [
        Self::Quick,
        Self::P0,
        Self::P1,
        Self::P2,
        Self::P3,
        Self::P4,
        Self::Sizes,
        Self::Cpu,
        Self::Crowds,
        Self::All,
    ];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::P0 => "p0",
            Self::P1 => "p1",
            Self::P2 => "p2",
            Self::P3 => "p3",
            Self::P4 => "p4",
            Self::Sizes => "sizes",
            Self::Cpu => "cpu",
            Self::Crowds => "crowds",
            Self::All => "all",
        }
    }

    /// Longest duration where none is asked for, in seconds.
    pub fn max_secs(self, thoroughness: Thoroughness) -> f64 {
        let minutes = match (self, thoroughness) {
            (Self::Quick, _) => 2.5,
            (Self::P0, Thoroughness::Default) => 42.0,
            (Self::P0, Thoroughness::Full) => 360.0,
            (Self::P1, Thoroughness::Default) => 15.0,
            (Self::P2 | Self::P4, Thoroughness::Default) => 10.0,
            (Self::P3, Thoroughness::Default) => 8.0,
            (Self::Sizes, _) => 30.0,
            (Self::Cpu, Thoroughness::Default) => 6.0,
            (Self::Crowds, Thoroughness::Default) => 12.0,
            (Self::Crowds, Thoroughness::Full) => 60.0,
            (Self::Cpu, Thoroughness::Full) => 30.0,
            (Self::P1 | Self::P2 | Self::P3 | Self::P4, Thoroughness::Full) => 60.0,
            (Self::All, Thoroughness::Default) => 130.0,
            (Self::All, Thoroughness::Full) => 600.0,
        };
        60.0 * minutes
    }

    /// Runs the suite and adds its tables and answers.
    pub fn run(self, run: &mut Run<'_>, thoroughness: Thoroughness) -> Result<(), BenchError> {
        let suites = match self {
            Self::All => vec![
                Self::Sizes,
                Self::Cpu,
                Self::Crowds,
                Self::P1,
                Self::P2,
                Self::P3,
                Self::P4,
                Self::P0,
            ],
            one => vec![one],
        };
        let mut experiments = Vec::new();
        for suite in &suites {
            experiments.extend(match suite {
                Self::Quick => quick::experiments(),
                Self::P0 => p0::experiments(thoroughness),
                Self::P1 => p1::experiments(),
                Self::P2 => p2::experiments(),
                Self::P3 => p3::experiments(thoroughness),
                Self::P4 => p4::experiments(),
                Self::Crowds => crowds::experiments(),
                Self::Sizes | Self::Cpu | Self::All => Vec::new(),
            });
        }
        if suites.contains(&Self::Sizes) {
            sizes::measure(run, &sizes::characters())?;
        }
        let cpu_weight = self.cpu_weight(&experiments, thoroughness);
        if suites.contains(&Self::Cpu) {
            run.reserve(cpu_weight);
        }
        if suites.contains(&Self::Crowds) {
            run.reserve(crowds::TWIN_WEIGHT);
        }
        run.run(&experiments)?;
        if suites.contains(&Self::Crowds) {
            crowds::measure(run)?;
        }
        if suites.contains(&Self::Cpu) {
            cpu::measure(run, thoroughness, cpu_weight)?;
        }
        for suite in suites {
            match suite {
                Self::Quick => character::summarize(run),
                Self::P0 => p0::summarize(run),
                Self::P1 => p1::summarize(run),
                Self::P2 => p2::summarize(run),
                Self::P3 => p3::summarize(run),
                Self::P4 => p4::summarize(run),
                Self::Sizes => sizes::summarize(run),
                Self::Cpu => cpu::summarize(run, thoroughness),
                Self::Crowds => crowds::summarize(run),
                Self::All => {}
            }
        }
        Ok(())
    }

    /// Weight of [`Self::Cpu`] within this suite, with which it has the share of the time that it takes alone.
    fn cpu_weight(self, experiments: &[Experiment], thoroughness: Thoroughness) -> f64 {
        let others: f64 = experiments.iter().map(|one| one.weight).sum();
        let share = Self::Cpu.max_secs(thoroughness) / self.max_secs(thoroughness);
        match others > 0.0 && share < 1.0 {
            true => others * share / (1.0 - share),
            false => 1.0,
        }
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Suite {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|suite| suite.name() == word)
            .ok_or_else(|| format!("unknown suite '{word}'; expected one of {}", known()))
    }
}

/// Number of characters, points and rounds of a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoroughness {
    /// Within an hour on two cores without a GPU.
    Default,
    /// Everything, in hours.
    Full,
}

/// Settings where none are given: those of P0 on a GPU; shorter turns and thresholds in parts of the frame time on a
/// software driver, where one or two milliseconds are noise.
pub fn default_settings(max_secs: f64, is_software: bool, thoroughness: Thoroughness) -> Settings {
    let is_short = thoroughness == Thoroughness::Default;
    Settings {
        settle_ms: if is_short { 30.0 } else { 500.0 },
        sample_ms: if is_short { 120.0 } else { 1000.0 },
        threshold: match is_software {
            true if is_short => [0.4, 0.8],
            true => [0.1, 0.2],
            false => [1.0, 2.0],
        },
        threshold_unit: match is_software {
            true => ThresholdUnit::Part,
            false => ThresholdUnit::Ms,
        },
        fps: vec![120.0, 60.0, 30.0],
        contest_fps: vec![120.0, 60.0, 30.0],
        margin: 0.03,
        rounds: if is_short { [8, 120] } else { [20, 400] },
        max_secs,
        max_instances: 1 << 20,
        spacing_m: None,
        picture: PICTURE,
        seed: 1,
    }
}
