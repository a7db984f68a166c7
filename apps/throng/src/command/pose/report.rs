//! Results of posing, as text and JSON.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use throng_format::{InterpolatedValues, Keyframe};
use throng_rig::{AuthoredMethod, Bounds, Character, Skinning};
use throng_skin::artefacts::{Artefacts, JointArtefacts};
use throng_skin::reference::Skinned;

use super::super::inspect::Box3;
use super::CommandError;
use crate::text::{Align, Table, counted, metres, name, one_line};

/// A pose and its measured artefacts.
pub struct Report<'a> {
    pub source: &'a str,
    pub clip: Option<ClipName<'a>>,
    pub time_secs: Option<f64>,
    pub skinning: Skinning,
    pub rotated_joints: usize,
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

/// Output of `--json`.
#[derive(Serialize)]
struct Json<'a> {
    source: &'a str,
    clip: Option<ClipName<'a>>,
    time_secs: Option<f64>,
    method: String,
    parts: usize,
    vertices: usize,
    bounds: Option<Box3>,
    output: Option<String>,
    volume_ratio: f64,
    joints: Vec<JointRow<'a>>,
}

/// Change of the region around a joint from the rest pose; see `throng_skin::artefacts`.
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

/// Number of joints in the table; `--json` has all.
const SHOWN_JOINTS: usize = 8;

/// Smallest change of a joint in the table.
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

    /// Writes one JSON object.
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
            method: method_names(self.skinning, self.character).join(", "),
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

    /// Writes a summary and a table of the joints whose regions changed most.
    pub fn write_text(&self, out: &mut impl Write) -> Result<(), CommandError> {
        let when = match (&self.clip, self.time_secs) {
            (Some(clip), Some(time)) => {
                format!("clip {} '{}' at {time} s", clip.index, name(clip.name))
            }
            _ => "rest pose".to_owned(),
        };
        let rotated = match self.rotated_joints {
            0 => String::new(),
            n => format!(", {} rotated", counted(n, "joint", "joints")),
        };
        let keyframe = match self.keyframe {
            None => String::new(),
            Some(Keyframe { fraction, by }) => {
                let by = match by {
                    InterpolatedValues::Rotations => "rotations",
                    InterpolatedValues::Positions => "positions",
                };
                format!(", interpolated from rest ({fraction}) by {by}")
            }
        };
        writeln!(
            out,
            "{}: {when}{rotated}{keyframe}, {}",
            one_line(self.source),
            skinning_text(self.skinning, self.character)
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
            None => writeln!(out, "  add -o FILE.glb to write the mesh")?,
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
            ("JOINT", Align::Right),
            ("NAME", Align::Left),
            ("VOLUME %", Align::Right),
            ("RADIUS %", Align::Right),
            ("DISTANCE %", Align::Right),
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
        writeln!(out, "\nChange from the rest pose, largest first")?;
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

/// Returns the method asked for, or the authored methods of all meshes.
fn method_names(skinning: Skinning, character: &Character) -> Vec<String> {
    if skinning != Skinning::AsAuthored {
        return vec![skinning.to_string()];
    }
    let name = |method| match method {
        AuthoredMethod::Linear | AuthoredMethod::Rigid => "lbs",
        AuthoredMethod::DualQuaternion => "dqs",
        AuthoredMethod::Blended => "blended per vertex",
    };
    let meshes = character.meshes().iter();
    let mut names: Vec<String> = meshes
        .map(|mesh| name(mesh.authored_method).into())
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        names.push("lbs".into());
    }
    names
}

/// Describes the skinning: `skinning dqs`, `skinning as authored (LBS)`.
fn skinning_text(skinning: Skinning, character: &Character) -> String {
    let names = method_names(skinning, character).join(", ");
    match skinning {
        Skinning::Method(_) | Skinning::BlendAuto => format!("skinning {names}"),
        Skinning::AsAuthored => {
            let names = names.replace("lbs", "LBS").replace("dqs", "DQS");
            format!("skinning as authored ({names})")
        }
    }
}
