//! Text form of a report.

use throng_rig::Skinning;

use super::bake_report::{BakeReport, LodReport};
use super::report::{ClipErrors, Errors, Spread, WorstVertex};
use crate::text::{Align, Table, bytes, digits, grouped, name, percent, short};

impl BakeReport {
    /// Returns settings and cost, then errors in millimetres and per cent of the size, then errors per clip.
    pub fn table(&self) -> String {
        let mut out = self.summary();
        out += "\nErrors (% of size)\n";
        out += &spreads(&self.error.errors);
        if self.error.clips.len() > 1 {
            out += "\nClips\n";
            out += &clips(&self.error.clips);
        }
        if !self.lods.is_empty() {
            out += "\nLevels of detail\n";
            out += &levels(&self.lods);
        }
        out
    }

    fn summary(&self) -> String {
        let error = &self.error;
        let mut out = format!(
            "{}: {} ({}), skinning {}, {} Hz, {} frames\n",
            name(&self.name),
            self.encoding,
            self.storage,
            self.skinning(),
            short(self.rate_hz),
            grouped(self.frames as usize),
        );
        let influences = if self.influences == self.source_influences {
            format!("up to {} influences per vertex", self.influences)
        } else {
            format!(
                "up to {} of {} influences per vertex",
                self.influences, self.source_influences
            )
        };
        let on_disk = self
            .disk_bytes
            .map_or(String::new(), |count| format!(", {} on disk", bytes(count)));
        let mut line = |label: &str, text: String| out += &format!("  {label:<10} {text}\n");
        line(
            "character",
            format!(
                "{} m, {} vertices, {} joints that move them, {influences}",
                digits(error.size_m),
                grouped(error.vertices),
                grouped(error.joints),
            ),
        );
        for texture in &self.textures {
            line(
                "texture",
                format!(
                    "{}: {} × {} × {}, {}",
                    name(&texture.name),
                    texture.width,
                    texture.height,
                    texture.layers,
                    bytes(texture.gpu_bytes),
                ),
            );
        }
        let inverse_binds = match self.inverse_bind_bytes {
            0 => String::new(),
            count => format!(" + {} of inverse bind matrices", bytes(count)),
        };
        line(
            "bytes",
            format!(
                "{} on the GPU{inverse_binds}{on_disk}; {} bytes per joint per 1/30 s",
                bytes(self.gpu_bytes),
                digits(self.bytes_per_joint_frame),
            ),
        );
        let errors = &error.errors;
        line(
            "normals",
            format!(
                "max {}°, RMS {}°",
                digits(errors.max_normal_error_deg),
                digits(errors.rms_normal_error_deg),
            ),
        );
        if let Some(bone) = &errors.worst_bone {
            let text = format!(
                "max error {} mm, at joint {} '{}', {} s into '{}'",
                digits(bone.error_mm),
                bone.joint,
                name(&bone.joint_name),
                digits(bone.time_secs),
                name(&bone.clip_name),
            );
            line("bones", text);
        }
        if let Some(worst) = &errors.worst {
            line("worst", worst_vertex(worst));
        }
        out
    }

    /// The skinning method, with the methods of the meshes where it is as authored.
    fn skinning(&self) -> String {
        if self.method != Skinning::AS_AUTHORED {
            return name(&self.method);
        }
        let methods = self.mesh_methods.join(", ").to_uppercase();
        format!("as authored ({methods})")
    }
}

fn worst_vertex(worst: &WorstVertex) -> String {
    format!(
        "vertex {} of part {} '{}', heaviest joint {} '{}', {} s into '{}'",
        worst.vertex,
        worst.part,
        name(&worst.part_name),
        worst.joint,
        name(&worst.joint_name),
        digits(worst.time_secs),
        name(&worst.clip_name),
    )
}

const SPREAD_COLUMNS: [(&str, Align); 6] = [
    ("MAX mm", Align::Right),
    ("%", Align::Right),
    ("P99 mm", Align::Right),
    ("%", Align::Right),
    ("RMS mm", Align::Right),
    ("%", Align::Right),
];

fn spread_cells(spread: &Spread) -> Vec<String> {
    vec![
        digits(spread.max_error_mm),
        percent(spread.max_error_of_size),
        digits(spread.p99_error_mm),
        percent(spread.p99_error_of_size),
        digits(spread.rms_error_mm),
        percent(spread.rms_error_of_size),
    ]
}

fn spreads(errors: &Errors) -> String {
    let mut columns = vec![("TIMES", Align::Left)];
    columns.extend(SPREAD_COLUMNS);
    let row = |label: &str, cells: Vec<String>| [vec![label.to_owned()], cells].concat();
    let mut table = Table::new(&columns);
    table.row(row("all", spread_cells(&errors.overall)));
    table.row(row("at source samples", spread_cells(&errors.at_samples)));
    table.row(row(
        "between samples",
        spread_cells(&errors.between_samples),
    ));
    if let Some(jumps) = &errors.step_jumps {
        let mut cells = vec!["-".to_owned(); SPREAD_COLUMNS.len()];
        cells[0] = digits(jumps.max_error_mm);
        cells[1] = percent(jumps.max_error_of_size);
        table.row(row("at jumps (not in all)", cells));
    }
    table.to_string()
}

fn clips(clips: &[ClipErrors]) -> String {
    let mut columns = vec![
        ("CLIP", Align::Left),
        ("DURATION s", Align::Right),
        ("LOOP", Align::Left),
    ];
    columns.extend(SPREAD_COLUMNS);
    columns.extend([("NORMALS °", Align::Right), ("WORST JOINT", Align::Left)]);
    let mut table = Table::new(&columns);
    for clip in clips {
        let worst = clip.errors.worst.as_ref();
        let mut cells = vec![
            name(&clip.name),
            format!("{:.2}", clip.duration_secs),
            clip.looping.to_string(),
        ];
        cells.extend(spread_cells(&clip.errors.overall));
        cells.push(digits(clip.errors.max_normal_error_deg));
        cells.push(worst.map_or("-".into(), |worst| name(&worst.joint_name)));
        table.row(cells);
    }
    table.to_string()
}

/// Levels, and the distance from which on their error is below half a pixel.
fn levels(lods: &[LodReport]) -> String {
    let names = [
        "TRIANGLES",
        "VERTICES",
        "INFLUENCES",
        "MAX mm",
        "%",
        "FROM m",
    ];
    let mut table = Table::new(&names.map(|name| (name, Align::Right)));
    for lod in lods {
        table.row([
            grouped(lod.triangles as usize),
            grouped(lod.vertices),
            lod.max_influences.to_string(),
            digits(lod.max_error_mm),
            percent(0.01 * lod.max_error_percent),
            digits(lod.from_distance_m),
        ]);
    }
    table.to_string()
}
