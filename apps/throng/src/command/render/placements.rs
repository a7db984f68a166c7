//! Instances from a CSV or JSON file.

use std::ffi::OsStr;
use std::path::Path;

use serde::Deserialize;

use crate::cli::{MAX_INSTANCES, parse_color};
use crate::command::CommandError;

/// Longest file of placements.
const MAX_BYTES: u64 = 1 << 28;

/// One instance of a file. Values that are left out are chosen as for an arranged crowd.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Placement {
    /// Position in metres.
    pub x: Option<f32>,
    pub y: Option<f32>,
    pub z: Option<f32>,
    /// Rotation about Y in degrees; 0 faces along +Z.
    pub heading: Option<f32>,
    pub scale: Option<f32>,
    /// Clip by name, index or #index.
    pub clip: Option<String>,
    /// Offset into the clip at the start, as a part of its duration.
    pub offset: Option<f32>,
    pub speed: Option<f32>,
    /// Colour as `#rrggbb`.
    pub tint: Option<String>,
    /// Fraction between the rest pose (0) and the pose (1).
    pub fraction: Option<f32>,
    /// Clip that is blended in.
    pub fade_clip: Option<String>,
    /// Weight of that clip.
    pub fade_weight: Option<f32>,
}

/// Reads and checks the instances of a file.
pub fn read(path: &Path) -> Result<Vec<Placement>, CommandError> {
    let fault = |problem: String| {
        let path = path.display();
        CommandError::Unreadable(format!("{path}: {problem}"))
    };
    let length = std::fs::metadata(path).map_err(|error| fault(error.to_string()))?;
    if length.len() > MAX_BYTES {
        return Err(fault(format!(
            "the file has {} bytes, expected at most {MAX_BYTES}",
            length.len()
        )));
    }
    let text = std::fs::read(path).map_err(|error| fault(error.to_string()))?;
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    let placements = match extension.as_ref().and_then(|e| e.to_str()) {
        Some("csv") => from_csv(&text),
        Some("json") => serde_json::from_slice(&text).map_err(|error| error.to_string()),
        _ => Err("unsupported file type; expected .csv or .json".into()),
    }
    .map_err(fault)?;
    if placements.is_empty() {
        return Err(fault("expected at least one instance, found none".into()));
    }
    if placements.len() > MAX_INSTANCES as usize {
        return Err(fault(format!(
            "found {} instances, expected at most {MAX_INSTANCES}",
            placements.len()
        )));
    }
    for (index, placement) in placements.iter().enumerate() {
        placement
            .check()
            .map_err(|problem| fault(format!("instance {index}: {problem}")))?;
    }
    Ok(placements)
}

fn from_csv(text: &[u8]) -> Result<Vec<Placement>, String> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text);
    let rows: Result<Vec<Placement>, csv::Error> = reader.deserialize().collect();
    rows.map_err(|error| error.to_string())
}

impl Placement {
    fn check(&self) -> Result<(), String> {
        let numbers = [
            ("x", self.x),
            ("y", self.y),
            ("z", self.z),
            ("heading", self.heading),
            ("speed", self.speed),
        ];
        for (name, value) in numbers {
            if let Some(value) = value.filter(|value| !value.is_finite()) {
                return Err(format!("{name} is {value}, expected a finite number"));
            }
        }
        if let Some(scale) = self.scale.filter(|s| !(s.is_finite() && *s > 0.0)) {
            return Err(format!("scale is {scale}, expected a number larger than 0"));
        }
        let parts = [
            ("offset", self.offset),
            ("fraction", self.fraction),
            ("fade_weight", self.fade_weight),
        ];
        for (name, value) in parts {
            if let Some(value) = value.filter(|value| !(0.0..=1.0).contains(value)) {
                return Err(format!("{name} is {value}, expected a number from 0 to 1"));
            }
        }
        if self.fade_weight.is_some() && self.fade_clip.is_none() {
            return Err("fade_weight needs a fade_clip".into());
        }
        match &self.tint {
            Some(tint) if parse_color(tint).is_none() => Err(format!(
                "tint is '{tint}', expected a colour such as #8fb0ff"
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(name: &str, text: &str) -> Result<Vec<Placement>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        read(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn csv_and_json_say_the_same() {
        let csv = "x, z, clip, tint\n1.5, -2,\"walk, slow\", #ff8000\n0, 3, ,\n";
        let json =
            r##"[{"x": 1.5, "z": -2, "clip": "walk, slow", "tint": "#ff8000"}, {"x": 0, "z": 3}]"##;
        let read = read_text("a.csv", csv).unwrap();
        assert_eq!(read, read_text("a.json", json).unwrap());
        assert_eq!(read[0].clip.as_deref(), Some("walk, slow"));
        assert_eq!(read[1].tint, None);
    }

    #[test]
    fn faults_name_the_file_the_instance_and_the_value() {
        for (name, text, says) in [
            ("a.csv", "x,z,hight\n1,2,3\n", "hight"),
            ("a.csv", "x,z\n1,two\n", "line: 2"),
            ("a.csv", "x,z\n1,2\n3\n", "record 2"),
            ("a.csv", "x,z\n", "found none"),
            ("a.csv", "x,scale\n1,1\n1,0\n", "instance 1: scale is 0"),
            ("a.csv", "offset\n1.5\n", "offset is 1.5"),
            ("a.csv", "tint\nred\n", "tint is 'red'"),
            ("a.csv", "fade_weight\n0.5\n", "fade_clip"),
            ("a.csv", "x\nnan\n", "x is NaN"),
            ("a.json", r#"[{"x": 1, "hight": 2}]"#, "hight"),
            ("a.json", "{}", "expected a sequence"),
            ("a.txt", "x\n1\n", "expected .csv or .json"),
        ] {
            let error = read_text(name, text).unwrap_err();
            assert!(error.contains(says) && error.contains(name), "{error}");
        }
    }
}
