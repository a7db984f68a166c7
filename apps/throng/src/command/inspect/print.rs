//! Text output of `throng inspect`.

use std::io::{self, Write};

use super::report::Report;
use crate::text::{Align, Table, counted, grouped, metres, name, one_line};

/// Largest depth of a joint that is shown by indentation.
const MAX_INDENT: usize = 24;

impl Report<'_> {
    /// Writes a summary and tables of parts, joints, clips and materials.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.write_summary(out)?;
        self.write_parts(out)?;
        self.write_joints(out)?;
        self.write_clips(out)?;
        self.write_materials(out)?;
        if !self.warnings.is_empty() {
            writeln!(out, "\nWarnings and notes")?;
            for warning in self.warnings {
                writeln!(out, "  {}", one_line(warning))?;
            }
        }
        Ok(())
    }

    fn write_summary(&self, out: &mut impl Write) -> io::Result<()> {
        let totals = &self.totals;
        let by = self
            .generator
            .map_or(String::new(), |g| format!(", written by {}", name(g)));
        writeln!(out, "{}: {}{by}", one_line(self.source), self.format)?;
        if let Some(bounds) = &self.bounds {
            let [x, y, z] = std::array::from_fn(|i| metres(bounds.max[i] - bounds.min[i]));
            writeln!(
                out,
                "  size       {} m in the rest pose ({x} × {y} × {z})",
                metres(self.size_m)
            )?;
        }
        writeln!(
            out,
            "  mesh       {}, {}, {}",
            counted(self.parts.len(), "part", "parts"),
            counted(totals.vertices, "vertex", "vertices"),
            counted(totals.triangles, "triangle", "triangles"),
        )?;
        writeln!(
            out,
            "  unique     {}, {}",
            counted(totals.unique_positions, "position", "positions"),
            counted(totals.unique_normals, "normal", "normals"),
        )?;
        writeln!(
            out,
            "  skeleton   {}, {}, depth {}, up to {} per vertex",
            counted(totals.joints, "joint", "joints"),
            counted(totals.roots, "root", "roots"),
            totals.depth,
            counted(totals.max_influences, "influence", "influences"),
        )?;
        if !self.parts.is_empty() {
            let mut methods: Vec<&str> = self.parts.iter().map(|p| p.authored_method).collect();
            methods.sort_unstable();
            methods.dedup();
            writeln!(out, "  skinning   {}", methods.join(", "))?;
        }
        writeln!(
            out,
            "  animation  {}",
            counted(self.clips.len(), "clip", "clips")
        )?;
        Ok(())
    }

    fn write_parts(&self, out: &mut impl Write) -> io::Result<()> {
        let mut table = Table::new(&[
            ("NODE", Align::Right),
            ("NAME", Align::Left),
            ("PRIMITIVE", Align::Right),
            ("VERTICES", Align::Right),
            ("POSITIONS", Align::Right),
            ("TRIANGLES", Align::Right),
            ("INFLUENCES", Align::Right),
            ("JOINTS", Align::Right),
            ("MORPHS", Align::Right),
            ("MATERIAL", Align::Left),
        ]);
        for part in &self.parts {
            let material = part.material.map(|m| name(self.materials[m].name));
            table.row([
                part.node.to_string(),
                name(part.node_name),
                part.primitive.to_string(),
                grouped(part.vertices),
                grouped(part.unique_positions),
                grouped(part.triangles),
                part.max_influences.to_string(),
                grouped(self.skins[part.skin].joints.len()),
                part.morph_targets.to_string(),
                material.unwrap_or_else(|| "-".into()),
            ]);
        }
        // Columns without information are left out, to fit into 80 characters.
        table.leave_out("PRIMITIVE", "0");
        table.leave_out("MORPHS", "0");
        section("Parts", &table, self.parts.len(), out)
    }

    /// Writes the skeleton as a tree, by indentation.
    fn write_joints(&self, out: &mut impl Write) -> io::Result<()> {
        let mut depths: Vec<usize> = Vec::new();
        let mut table = Table::new(&[
            ("JOINT", Align::Right),
            ("NAME", Align::Left),
            ("KIND", Align::Left),
            ("CLIPS", Align::Right),
        ]);
        for (index, joint) in self.joints.iter().enumerate() {
            let depth = joint.parent.map_or(0, |parent| depths[parent] + 1);
            depths.push(depth);
            // Deeper joints would be indented beyond the width of a terminal.
            let indent = "  ".repeat(depth.min(MAX_INDENT));
            table.row([
                index.to_string(),
                indent + &name(joint.name),
                joint.kind.to_owned(),
                joint.clips.to_string(),
            ]);
        }
        section("Joints", &table, self.joints.len(), out)
    }

    fn write_clips(&self, out: &mut impl Write) -> io::Result<()> {
        let mut table = Table::new(&[
            ("CLIP", Align::Right),
            ("NAME", Align::Left),
            ("START s", Align::Right),
            ("END s", Align::Right),
            ("LENGTH s", Align::Right),
            ("TRACKS", Align::Right),
            ("KEYS", Align::Right),
            ("KEY Hz", Align::Right),
            ("INTERPOLATION", Align::Left),
        ]);
        for (index, clip) in self.clips.iter().enumerate() {
            let rate = clip.finest_spacing_secs.map(|s| format!("{:.1}", 1.0 / s));
            let mut interpolation = clip.interpolations.join(", ");
            if clip.morphs {
                interpolation += " (morphs)";
            }
            table.row([
                index.to_string(),
                name(clip.name),
                format!("{:.4}", clip.start_secs),
                format!("{:.4}", clip.end_secs),
                format!("{:.4}", clip.duration_secs),
                grouped(clip.tracks),
                grouped(clip.keys),
                rate.unwrap_or_else(|| "-".into()),
                interpolation,
            ]);
        }
        section("Clips", &table, self.clips.len(), out)
    }

    fn write_materials(&self, out: &mut impl Write) -> io::Result<()> {
        let mut table = Table::new(&[
            ("MATERIAL", Align::Right),
            ("NAME", Align::Left),
            ("BASE COLOUR", Align::Left),
            ("TEXTURE", Align::Left),
        ]);
        for (index, material) in self.materials.iter().enumerate() {
            let [r, g, b, a] = material.base_color;
            table.row([
                index.to_string(),
                name(material.name),
                format!("{r:.2} {g:.2} {b:.2} {a:.2}"),
                material.texture.unwrap_or("-").to_owned(),
            ]);
        }
        section("Materials", &table, self.materials.len(), out)
    }
}

fn section(title: &str, table: &Table, rows: usize, out: &mut impl Write) -> io::Result<()> {
    if rows > 0 {
        writeln!(out, "\n{title}")?;
        write!(out, "{table}")?;
    }
    Ok(())
}
