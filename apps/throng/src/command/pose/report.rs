//! What came out of posing, for people and for programs.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use throng_rig::{Bounds, Character};
use throng_skin::artefacts::{Artefacts, JointArtefacts};
use throng_skin::reference::Skinned;

use super::super::inspect::Box3;
use super::CommandError;
use crate::cli::{Between, Keyframe};
use crate::text::{Align, Table, counted, metres, name, one_line};

/// What came out.
pub struct Report<'a> {
    pub source: &'a str,
    pub clip: Option<ClipName<'a>>,
    pub time_secs: Option<f64>,
    pub method: String,
    pub turned: usize,
    pub keyframe: Option<Keyframe>,
    pub parts: &'a [Skinned],
    pub output: Option<&'a Path>,
    pub artefacts: &'a Artefacts,
    pub character: &'a Character,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct ClipName<'a> {
    pub index: usize,
    pub name: &'a str,
}

/// As `--json` prints it.
#[derive(Serialize)]
struct Json<'a> {
    source: &'a str,
    clip: Option<ClipName<'a>>,
    time_secs: Option<f64>,
    method: &'a str,
    parts: usize,
    vertices: usize,
    bounds: Option<Box3>,
    output: Option<String>,
    volume_ratio: f64,
    joints: Vec<JointRow<'a>>,
}

/// How a joint's region changed against rest; see `throng_skin::artefacts`.
#[derive(Serialize)]
struct JointRow<'a> {
    joint: usize,
    name: &'a str,
    vertices: usize,
    volume_ratio: Option<f64>,
    min_radius_ratio: f64,
    max_radius_ratio: f64,
    min_distance_ratio: f64,
    max_distance_ratio: f64,
}

/// How many joints the table shows; `--json` has all.
const SHOWN_JOINTS: usize = 8;

/// A joint whose region changed by less is not worth a row.
const SHOWN_CHANGE: f64 = 0.005;

impl Report<'_> {
    fn bounds(&self) -> Bounds {
        let mut bounds = Bounds::EMPTY;
        for &position in self.parts.iter().flat_map(|part| &part.positions) {
            bounds.add(position);
        }
        bounds
    }

    fn vertices(&self) -> usize {
        self.parts.iter().map(|part| part.positions.len()).sum()
    }

    /// One JSON object.
    pub fn write_json(&self, out: &mut impl Write) -> Result<(), CommandError> {
        let row = |joint: &JointArtefacts| JointRow {
            joint: joint.joint,
            name: self.joint_name(joint),
            vertices: joint.vertices,
            volume_ratio: joint.volume_ratio,
            min_radius_ratio: joint.min_radius_ratio,
            max_radius_ratio: joint.max_radius_ratio,
            min_distance_ratio: joint.min_distance_ratio,
            max_distance_ratio: joint.max_distance_ratio,
        };
        let json = Json {
            source: self.source,
            clip: self.clip,
            time_secs: self.time_secs,
            method: &self.method,
            parts: self.parts.len(),
            vertices: self.vertices(),
            bounds: Box3::of(&self.bounds()),
            output: self.output.map(|path| path.display().to_string()),
            volume_ratio: self.artefacts.volume_ratio,
            joints: self.artefacts.joints.iter().map(row).collect(),
        };
        serde_json::to_writer_pretty(&mut *out, &json)?;
        writeln!(out)?;
        Ok(())
    }

    /// A summary, then the joints whose surroundings changed most.
    pub fn write_text(&self, out: &mut impl Write) -> Result<(), CommandError> {
        let when = match (&self.clip, self.time_secs) {
            (Some(clip), Some(time)) => {
                format!("clip {} '{}' at {time} s", clip.index, name(clip.name))
            }
            _ => "rest pose".to_owned(),
        };
        let turned = match self.turned {
            0 => String::new(),
            n => format!(", {} turned by hand", counted(n, "joint", "joints")),
        };
        let part_way = match self.keyframe {
            None => String::new(),
            Some(Keyframe { fraction, by }) => {
                let by = match by {
                    Between::Rotations => "rotations",
                    Between::Positions => "positions",
                };
                format!(", {fraction} of the way by {by}")
            }
        };
        writeln!(
            out,
            "{}: {when}{turned}{part_way}, {}",
            one_line(self.source),
            self.method
        )?;
        let [x, y, z] = self.bounds().extent().to_array().map(metres);
        writeln!(
            out,
            "  {}, {}, {x} × {y} × {z} m",
            counted(self.parts.len(), "part", "parts"),
            counted(self.vertices(), "vertex", "vertices"),
        )?;
        self.write_joints(out)?;
        match self.output {
            Some(path) => writeln!(out, "  wrote {}", one_line(path.display()))?,
            None => writeln!(out, "  add -o FILE.glb to write it")?,
        }
        Ok(())
    }

    fn write_joints(&self, out: &mut impl Write) -> Result<(), CommandError> {
        let mut changed: Vec<&JointArtefacts> = self
            .artefacts
            .joints
            .iter()
            .filter(|joint| joint.worst_change() > SHOWN_CHANGE)
            .collect();
        if changed.is_empty() {
            return Ok(());
        }
        changed.sort_by(|a, b| b.worst_change().total_cmp(&a.worst_change()));
        let mut table = Table::new(&[
            ("AT JOINT", Align::Right),
            ("NAME", Align::Left),
            ("VOLUME %", Align::Right),
            ("RADIUS %", Align::Right),
            ("FROM JOINT %", Align::Right),
        ]);
        let percent = |ratio: f64| format!("{:.1}", 100.0 * ratio);
        let range = |low: f64, high: f64| format!("{} to {}", percent(low), percent(high));
        for joint in changed.iter().take(SHOWN_JOINTS) {
            table.row([
                joint.joint.to_string(),
                name(self.joint_name(joint)),
                joint.volume_ratio.map_or_else(|| "-".to_owned(), percent),
                range(joint.min_radius_ratio, joint.max_radius_ratio),
                range(joint.min_distance_ratio, joint.max_distance_ratio),
            ]);
        }
        writeln!(out, "\nAgainst rest, the most changed first")?;
        write!(out, "{table}")?;
        if changed.len() > SHOWN_JOINTS {
            let more = counted(changed.len() - SHOWN_JOINTS, "joint", "joints");
            writeln!(out, "  and {more} more; --json has all")?;
        }
        writeln!(out)?;
        Ok(())
    }

    fn joint_name(&self, joint: &JointArtefacts) -> &str {
        &self.character.skeleton().joints()[joint.joint].name
    }
}
