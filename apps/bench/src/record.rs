//! Results of a run: everything that was measured, with raw samples. `report.json` is a [`Report`].

use serde::{Deserialize, Deserializer, Serialize};

use crate::stats::{Verdict, trimmed_mean};

/// Version of the format of `report.json`.
pub const FORMAT: u32 = 1;

/// A run of the benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`FORMAT`].
    pub format: u32,
    /// Name of the suite, such as `p0`; `character` for characters given by the user.
    pub suite: String,
    /// Start of the run, in seconds since 1970 (UTC).
    pub started_unix_secs: u64,
    /// Seconds that were spent measuring, over all sessions of a resumed run.
    pub elapsed_secs: f64,
    /// How the run ended.
    pub state: RunState,
    /// The machine.
    pub machine: Machine,
    /// The settings.
    pub settings: Settings,
    /// Short answers, most important first.
    pub answers: Vec<Answer>,
    /// Experiments, in order.
    pub sections: Vec<Section>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    /// All sections were measured.
    Complete,
    /// The run was interrupted; it can be resumed.
    Interrupted,
    /// The run is going on, or was killed; it can be resumed.
    Running,
}

/// The machine of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Name of the adapter.
    pub adapter: String,
    /// Graphics API.
    pub backend: String,
    /// Name and version of the driver.
    pub driver: String,
    /// Kind of the adapter: `Cpu` for software drivers.
    pub device_type: String,
    /// Model of the processor.
    pub cpu: String,
    /// Number of logical cores.
    pub cores: usize,
    /// Operating system and architecture.
    pub os: String,
    /// Version of Throng.
    pub throng: String,
    /// Build profile: `release`, or `dev` (with the checks of a debug build).
    pub build: String,
    /// Source of GPU times: `timestamps`, or `none`.
    pub gpu_times: String,
}

/// Settings of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Milliseconds that frames are drawn before sampling, after every change.
    pub settle_ms: f64,
    /// Milliseconds of frames that are averaged to one sample.
    pub sample_ms: f64,
    /// A point of a curve is kept if the frame time moved by at least the first and less than the second.
    pub threshold: [f64; 2],
    /// Unit of the threshold.
    pub threshold_unit: ThresholdUnit,
    /// Frame rates of the break points, in frames per second.
    pub fps: Vec<f64>,
    /// Those of them at which contests are held. The others are read off the curves.
    pub contest_fps: Vec<f64>,
    /// Ratios within `1 ± margin` are no difference.
    pub margin: f64,
    /// Fewest and most rounds of a contest.
    pub rounds: [u32; 2],
    /// Longest duration of the run, in seconds; may be infinite.
    #[serde(deserialize_with = "number_or_infinity")]
    pub max_secs: f64,
    /// Most instances of a crowd.
    pub max_instances: u32,
    /// Distance between the rows of a crowd in metres; `None` for 1.1 times the size of the character. Columns are 0.6 of it
    /// apart.
    #[serde(default)]
    pub spacing_m: Option<f64>,
    /// Size of the picture.
    pub picture: [u32; 2],
    /// Seed of the random order.
    pub seed: u64,
}

/// Unit of the threshold of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThresholdUnit {
    /// Milliseconds.
    Ms,
    /// Parts of the frame time of the last kept point: 0.1 is 10 %.
    Part,
}

/// A short answer: a heading and one or two sentences, in plain text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Question or subject, such as `humanoid` or `H1: dual quaternion skinning always outperforms matrix skinning`.
    pub heading: String,
    /// The answer.
    pub text: String,
}

/// An experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Unique and stable name, such as `p0/box/corners/curves`. Runs are compared by it.
    pub id: String,
    /// Sections of a group are shown together, such as `p0/box/corners`.
    pub group: String,
    /// Heading.
    pub title: String,
    /// What was measured, and how to read it: one to three sentences.
    pub about: String,
    /// Value of the quantity that varies between the sections of a group; those with the same label form a plot.
    pub x: Option<X>,
    /// The character; `None` for tables over several.
    pub subject: Option<Subject>,
    /// Contestants, also those that were refused.
    pub entrants: Vec<Entrant>,
    /// Measurements.
    pub body: Body,
    /// Remarks: what could not be measured, and why.
    pub notes: Vec<String>,
    /// False while measuring, and after an interruption.
    pub is_complete: bool,
}

/// Value of a quantity that varies between sections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct X {
    /// Name of the quantity, such as `vertices` or `instances`.
    pub label: String,
    /// Its value.
    pub value: f64,
}

/// A character.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Subject {
    /// Name of the character.
    pub name: String,
    /// File or `builtin:NAME`.
    pub source: String,
    /// Number of meshes.
    pub meshes: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of joints that move vertices.
    pub joints: usize,
    /// Most influences per vertex.
    pub influences: usize,
    /// Largest extent in the rest pose, in metres.
    pub size_m: f64,
    /// Duration of the clips together, in seconds.
    pub clip_secs: f64,
}

/// A contestant: a technique with its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// Unique name within the section, such as `bone-qt unorm16`.
    pub name: String,
    /// Skinning method, such as `lbs`; empty where nothing is skinned.
    pub skinning: String,
    /// Result of the checks before measuring.
    pub status: Status,
    /// Bytes of textures on the GPU; `None` without a texture set.
    pub gpu_bytes: Option<u64>,
    /// Max error of the texture set, in millimetres; `None` without a texture set.
    pub max_error_mm: Option<f64>,
    /// Largest distance of a captured vertex from float64 skinning, in millimetres; `None` if not checked.
    pub picture_error_mm: Option<f64>,
}

/// Result of the checks of a contestant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Status {
    /// Its times count.
    Measured,
    /// The character does not allow the technique.
    Refused {
        /// Reason, such as a size limit or shear.
        reason: String,
    },
    /// It drew another picture than the reference, so its times do not count.
    WrongPicture {
        /// Distance and tolerance.
        reason: String,
    },
}

/// Measurements of a section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Body {
    /// Frame times against numbers of instances.
    Curves {
        /// Factor of the frame budgets: 1, or more on a device so slow that the control would draw only a few instances.
        scale: f64,
        /// One per contestant with points, in order of contestants.
        curves: Vec<Curve>,
    },
    /// Paired rounds.
    Contest(Contest),
    /// A table of numbers.
    Table(Table),
}

/// Frame times of a contestant against numbers of instances.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Index of the contestant.
    pub entrant: usize,
    /// Points in the order of measuring.
    pub points: Vec<Point>,
    /// True if the curve reached its end: the longest frame, or the most instances.
    pub is_complete: bool,
}

/// A point of a curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// True for points of the curve; others decided the next step.
    pub is_kept: bool,
    /// Sample of frames.
    #[serde(flatten)]
    pub turn: Turn,
}

/// Frames of one contestant, one after the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Number of instances.
    pub instances: u32,
    /// Milliseconds from the start of each frame until the device was done.
    pub frames_ms: Vec<f64>,
    /// Mean milliseconds of the CPU per frame: posing, encoding and submitting.
    pub cpu_ms: f64,
    /// Mean milliseconds of the GPU per frame, by timestamps; `None` where the device has none.
    pub gpu_ms: Option<f64>,
}

/// Rounds in which each contestant has one turn, in random order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contest {
    /// Frame time that all contestants have; `None` if they draw the same number of instances.
    pub budget_ms: Option<f64>,
    /// Frame rate that the budget stands for before scaling, such as 60.
    pub fps: Option<f64>,
    /// Number of instances of each contestant.
    pub instances: Vec<u32>,
    /// All rounds.
    pub rounds: Vec<Round>,
    /// Throughput of contestants relative to others.
    pub ratios: Vec<Ratio>,
}

/// One round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Contestants in the order of their turns.
    pub order: Vec<usize>,
    /// Turns, in the order of contestants; `None` for contestants that do not take part.
    pub turns: Vec<Option<Turn>>,
}

/// Throughput (instances per second) of a contestant relative to another, over paired rounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// Index of the contestant.
    pub entrant: usize,
    /// Index of the contestant that it is compared with.
    pub against: usize,
    /// Ratio of throughputs: above 1, `entrant` is faster.
    #[serde(deserialize_with = "number_or_nan")]
    pub ratio: f64,
    /// 95 % confidence interval.
    #[serde(deserialize_with = "number_or_nan")]
    pub low: f64,
    /// End of the interval; infinite with fewer than two rounds.
    #[serde(deserialize_with = "number_or_infinity")]
    pub high: f64,
    /// Verdict by the 99 % interval and the margin of the settings.
    pub verdict: Verdict,
    /// True for the pair of two equal contestants, which must not differ.
    pub is_same: bool,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Headings, the first of which belongs to the names of rows.
    pub columns: Vec<String>,
    /// Rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Name.
    pub name: String,
    /// One cell per heading after the first.
    pub cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Cell {
    /// Text as shown.
    pub text: String,
    /// Number behind the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// 95 % confidence interval; its ends may be infinite.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "interval_or_infinity"
    )]
    pub interval: Option<[f64; 2]>,
}

/// JSON has no numbers that are not finite: `serde_json` writes `null`.
fn number_or_nan<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

fn number_or_infinity<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
}

fn interval_or_infinity<'de, D>(deserializer: D) -> Result<Option<[f64; 2]>, D::Error>
where
    D: Deserializer<'de>,
{
    let ends: Option<[Option<f64>; 2]> = Option::deserialize(deserializer)?;
    Ok(ends.map(|[low, high]| {
        [
            low.unwrap_or(f64::NEG_INFINITY),
            high.unwrap_or(f64::INFINITY),
        ]
    }))
}

impl Contest {
    /// A contest without rounds. Contestants without instances do not take part.
    pub fn of(instances: Vec<u32>) -> Self {
        Self {
            budget_ms: None,
            fps: None,
            instances,
            rounds: Vec::new(),
            ratios: Vec::new(),
        }
    }
}

impl Turn {
    /// Mean milliseconds per frame, of the middle 60 % of the frames: a frame that other work interrupted does not count.
    pub fn mean_ms(&self) -> f64 {
        trimmed_mean(&mut self.frames_ms.clone())
    }

    /// Frames per second × instances: P0's performance rating.
    pub fn rating(&self) -> f64 {
        1e3 * f64::from(self.instances) / self.mean_ms()
    }
}

impl Cell {
    /// A cell without a number.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// A number, and its text.
    pub fn number(value: f64, text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            value: Some(value),
            interval: None,
        }
    }

    /// The cell with an interval.
    pub fn with_interval(self, low: f64, high: f64) -> Self {
        Self {
            interval: Some([low, high]),
            ..self
        }
    }
}

impl Report {
    /// The section of an id.
    pub fn section(&self, id: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_intervals_of_cells_are_read_back() {
        for high in [2.0, f64::INFINITY] {
            let cell = Cell::number(1.0, "1").with_interval(0.0, high);
            let text = serde_json::to_string(&cell).unwrap();
            assert_eq!(serde_json::from_str::<Cell>(&text).unwrap(), cell, "{text}");
        }
        let cell = Cell::text("–");
        let text = serde_json::to_string(&cell).unwrap();
        assert_eq!(serde_json::from_str::<Cell>(&text).unwrap(), cell);
    }
}
