//! Results of drawing, as text and JSON.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use throng_format::Storage;
use throng_studio::canvas::format_mm;

use super::methods::MethodArtefacts;
use crate::command::CommandError;
use crate::text::{counted, grouped, one_line};

#[derive(Debug, Serialize)]
pub struct Report<'a> {
    pub output: &'a Path,
    pub bytes: usize,
    pub width: u32,
    pub height: u32,
    pub frames: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<u32>,
    pub source: &'a str,
    pub clips: Vec<&'a str>,
    pub instances: usize,
    /// Number of vertices per instance.
    pub vertices: usize,
    /// Number of triangles of all instances.
    pub triangles: u64,
    /// Characters of a party.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub characters: Vec<CharacterReport>,
    pub panels: Vec<PanelReport>,
    pub adapter: String,
}

/// Instances of one character.
#[derive(Debug, Serialize)]
pub struct CharacterReport {
    pub name: String,
    pub instances: usize,
    /// Number of vertices per instance.
    pub vertices: usize,
    #[serde(skip)]
    pub triangles_per_instance: usize,
}

impl CharacterReport {
    /// Number of triangles of all instances.
    pub fn triangles(&self) -> u64 {
        self.triangles_per_instance as u64 * self.instances as u64
    }
}

#[derive(Debug, Serialize)]
pub struct PanelReport {
    pub title: String,
    pub technique: &'static str,
    #[serde(flatten)]
    pub storage: Option<Storage>,
    /// Skinning method that ran.
    pub method: String,
    /// True where the method is that of the file.
    pub as_authored: bool,
    /// Maximum error over all frames, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_error_mm: Option<f32>,
    /// Artefacts of the method, where methods are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artefacts: Option<MethodArtefacts>,
    /// Levels of detail, the full mesh first; empty where all instances have the full mesh.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelReport>,
}

/// A level of detail.
#[derive(Debug, Serialize)]
pub struct LevelReport {
    /// Number of triangles per instance.
    pub triangles: usize,
    /// Largest error over all clips and times, that of the set included; 0 for the full mesh.
    pub max_error_mm: f32,
}

impl Report<'_> {
    pub fn write_json(&self, out: &mut impl Write) -> Result<(), CommandError> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        Ok(writeln!(out)?)
    }

    pub fn write_text(&self, out: &mut impl Write) -> Result<(), CommandError> {
        let Self {
            width,
            height,
            instances,
            triangles,
            ..
        } = self;
        let clips = match self.clips.as_slice() {
            [] => "rest pose".to_owned(),
            clips => clips.join(", "),
        };
        writeln!(
            out,
            "{}: {instances} {}, {clips}, {triangles} triangles",
            self.source,
            if *instances == 1 {
                "instance"
            } else {
                "instances"
            }
        )?;
        for character in &self.characters {
            writeln!(
                out,
                "  {}: {}, {} vertices each",
                one_line(&character.name),
                counted(character.instances, "instance", "instances"),
                grouped(character.vertices),
            )?;
        }
        for panel in &self.panels {
            let authored = if panel.as_authored {
                " (as authored)"
            } else {
                ""
            };
            write!(
                out,
                "  {}, skinning {}{authored}",
                panel.title, panel.method
            )?;
            if let Some(artefacts) = &panel.artefacts {
                write!(
                    out,
                    ", around '{}' {}",
                    one_line(&artefacts.joint),
                    artefacts.caption()
                )?;
            }
            match panel.max_error_mm {
                Some(mm) => writeln!(out, ", maximum error {} mm", format_mm(mm))?,
                None => writeln!(out)?,
            }
            if let ([full, .., coarsest], count) = (&*panel.levels, panel.levels.len()) {
                writeln!(
                    out,
                    "  {count} levels of detail, {} to {} triangles, chosen for an error below half a pixel",
                    grouped(full.triangles),
                    grouped(coarsest.triangles)
                )?;
            }
        }
        writeln!(out, "  on {}", self.adapter)?;
        let frames = match self.fps {
            Some(fps) => format!(", {} frames at {fps} Hz", self.frames),
            None => String::new(),
        };
        Ok(writeln!(
            out,
            "wrote {}: {width} × {height} pixels{frames}, {} bytes",
            self.output.display(),
            self.bytes
        )?)
    }
}
