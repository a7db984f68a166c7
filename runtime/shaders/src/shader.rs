//! Whole shaders.

use crate::compose::{compose, text_of};
use crate::{Bones, Deform, InterpolationKind};

/// Source that a device can compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shader {
    /// For labels and messages.
    pub name: &'static str,
    /// WGSL.
    pub source: String,
    /// The functions to call.
    pub entry_points: &'static [&'static str],
    /// The bindings of group 1 that textures of a set go to, and how these go to the device.
    pub textures: Vec<(u32, &'static str)>,
}

/// What vertices are moved for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pass {
    /// To be seen.
    Draw,
    /// To be read back.
    Capture,
    /// To be seen in one light, without surfaces: what benchmarks time.
    Plain,
    /// For their depth alone.
    Shadow,
    /// Once for all instances of a group, which copy them: a compute pass.
    SkinOnce,
}

/// What a palette is filled from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaletteSource {
    /// A texture of bones in model space.
    Bones(Bones),
    /// `bone-local`.
    Curves,
}

/// The file that binds what a set says of itself. Constants may stand for it.
pub(crate) const SET_INFO: &str = "source/set_info";

/// The file that binds tables as a texture. A block or constants may stand for it.
pub(crate) const TABLES: &str = "source/tables_texture";

/// What every shader over a set needs.
const SET: &[&str] = &[
    "lib/quat",
    "lib/affine",
    "lib/dual_quat",
    "lib/words",
    "lib/divide",
    "lib/fades",
    "lib/max_influences",
    "lib/time",
    "lib/grid",
    "lib/bits",
    "lib/tables",
    "lib/codec",
    "lib/curves",
    "lib/joint",
    "lib/set_info",
    "lib/frame",
    "lib/vertex",
    "lib/instance",
    "source/frame",
    SET_INFO,
    TABLES,
    "source/set",
];

impl Pass {
    /// All there are.
    pub const ALL: [Self; 5] = [
        Self::Draw,
        Self::Capture,
        Self::Plain,
        Self::Shadow,
        Self::SkinOnce,
    ];
}

/// The shader that moves vertices in one way, for one use.
///
/// | binding of group 1 | |
/// |---|---|
/// | 0 | uniform: [`crate::SetInfo`] |
/// | 1 | tables: `Rgba32Uint` |
/// | 2 | bones, offsets, words, a palette, or positions to copy |
/// | 3 | normals |
/// | 4 | influences past the fourth: `Rg32Uint` |
/// | 5 | weights of morphs |
/// | 6 | morph targets: `Rgba32Uint`, an array |
/// | 10 | to be read back, uniform: [`crate::CaptureTarget`] |
///
/// Binding 0 of group 0 is the uniform [`crate::Frame`]. To be seen, and for their depth, parts also need
///
/// | binding of group 2 | |
/// |---|---|
/// | 0 | uniform: [`crate::Material`] |
/// | 1 | base colours |
/// | 2 | their sampler |
///
/// and to be seen the lights of [`backdrop`]. To be skinned once, there are
///
/// | binding of group 1 | |
/// |---|---|
/// | 7 | the first instance of each group: `Rgba32Uint`, six texels each |
/// | 8, 9 | the two vertex buffers, as storage |
/// | 11, 12 | positions and normals: storage textures |
/// | 13 | uniform: [`crate::SkinnedPart`] |
pub fn deform_shader(deform: Deform, stage: Pass) -> Shader {
    let mut files = SET.to_vec();
    files.extend(deform.files());
    files.push("source/vertex_in");
    let (name, own, entry_points): (_, &[_], &[_]) = match stage {
        Pass::Draw => (
            "draw",
            &[
                "lib/material",
                "source/material",
                "lib/scene",
                "source/scene",
                "entry/draw",
            ],
            &["draw_vertex", "draw_fragment"],
        ),
        Pass::Capture => (
            "capture",
            &["source/target", "entry/capture"],
            &["capture_vertex", "capture_fragment"],
        ),
        Pass::Plain => (
            "plain",
            &["entry/plain"],
            &["plain_vertex", "plain_fragment"],
        ),
        Pass::Shadow => (
            "shadow",
            &["lib/material", "source/material", "entry/shadow"],
            &["shadow_vertex", "shadow_fragment"],
        ),
        Pass::SkinOnce => (
            "skin_once",
            &["source/instances", "entry/skin_once"],
            &["skin_once"],
        ),
    };
    files.extend(own);
    let textures = deform.textures();
    Shader {
        name,
        source: compose(&(uploads(&textures) + &deform.prelude()), &files),
        entry_points,
        textures,
    }
}

/// How textures go to the device, for who reads the source.
fn uploads(textures: &[(u32, &str)]) -> String {
    let lines = textures
        .iter()
        .map(|(binding, upload)| format!("// Group 1, binding {binding}: {upload}.\n"));
    let text: String = lines.collect();
    match text.is_empty() {
        true => text,
        false => text + "\n",
    }
}

/// The shader that fills a palette in a fragment pass. Bindings as for [`deform_shader`], and in 7 the
/// instances: `Rgba32Uint`, six texels each.
pub fn fill_palette_shader(source: PaletteSource) -> Shader {
    let mut files = SET.to_vec();
    let (prelude, textures) = match source {
        PaletteSource::Bones(bones) => {
            files.extend(bones.files());
            (bones.prelude(), vec![(2, bones.upload())])
        }
        PaletteSource::Curves => {
            files.push("source/joints_curves");
            (String::new(), Vec::new())
        }
    };
    files.extend(["source/instances", "entry/fill_palette"]);
    Shader {
        name: "fill_palette",
        source: compose(&(uploads(&textures) + &prelude), &files),
        entry_points: &["fill_palette_vertex", "fill_palette_fragment"],
        textures,
    }
}

/// The shader that poses `bone-local` and fills palettes in one dispatch, a workgroup an instance. Bindings as for
/// [`fill_palette_shader`]; 8 is storage, [`crate::Rows`] a joint, instance by instance; 9 is the palette, a storage texture.
pub fn pose_joints_shader() -> Shader {
    let mut files = SET.to_vec();
    files.extend([
        "source/joints_curves",
        "source/instances",
        "lib/joints_at_once",
        "entry/pose_joints",
    ]);
    Shader {
        name: "pose_joints",
        source: compose("", &files),
        entry_points: &["pose_joints"],
        textures: Vec::new(),
    }
}

/// Positions, normals and places of instances alone: the least that draws a crowd that stands still, with the
/// lighting of [`Pass::Plain`]. What a benchmark's control is held against.
pub fn bare_shader() -> Shader {
    Shader {
        name: "bare",
        source: compose("", &["lib/frame", "source/frame", "entry/bare"]),
        entry_points: &["bare_vertex", "bare_fragment"],
        textures: Vec::new(),
    }
}

/// The shader of what is behind everyone: sky, ground and shadows, on a triangle without buffers.
///
/// | binding of group 3 | |
/// |---|---|
/// | 0 | uniform: [`crate::Scene`] |
/// | 1 | depth as the sun sees it |
/// | 2 | a sampler that compares |
/// | 3 | how closely something stands over the ground |
/// | 4 | its sampler |
pub fn backdrop_shader() -> Shader {
    Shader {
        name: "backdrop",
        source: compose("", &["lib/scene", "source/scene", "entry/backdrop"]),
        entry_points: &["backdrop_vertex", "backdrop_fragment"],
        textures: Vec::new(),
    }
}

/// Which side of the map [`blur_contact_shader`] goes along, and what it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlurPass {
    /// Along rows, over heights.
    Rows,
    /// Along columns, over what rows gave.
    Columns,
}

/// The shader that blurs how closely something stands over the ground. Binding 0 of group 0 is the map.
pub fn blur_contact_shader(pass: BlurPass) -> Shader {
    let (along, is_depth) = match pass {
        BlurPass::Rows => ("1, 0", true),
        BlurPass::Columns => ("0, 1", false),
    };
    let prelude =
        format!("const ALONG: vec2<i32> = vec2({along});\nconst IS_DEPTH: bool = {is_depth};\n");
    Shader {
        name: "blur_contact",
        source: compose(&prelude, &["entry/blur_contact"]),
        entry_points: &["blur_contact_vertex", "blur_contact_fragment"],
        textures: Vec::new(),
    }
}

impl Shader {
    /// Leaves out fades from one clip to another: some devices run both sides of every branch.
    pub fn without_fades(mut self) -> Self {
        self.source = self
            .source
            .replace(text_of("lib/fades"), text_of("lib/fades_none"));
        self
    }

    /// Reads tables from a uniform block of [`UNIFORM_RECORDS`] at binding 1 of group 1, in place of a texture: they
    /// are small, and some devices are quicker to find them there.
    pub fn with_uniform_tables(mut self) -> Self {
        self.source = self
            .source
            .replace(text_of(TABLES), text_of("source/tables_uniform"));
        self
    }

    /// Has no more threads in a workgroup of [`pose_joints_shader`] than as many joints can use, in steps of what devices
    /// run at once: some spend as much on those that idle.
    pub fn with_joints(self, joints: usize) -> Self {
        let threads = joints.next_multiple_of(8).clamp(8, JOINTS_AT_ONCE);
        self.with_number("JOINTS_AT_ONCE", JOINTS_AT_ONCE, threads)
    }

    /// Leaves out influences past those that a vertex has at most.
    pub fn with_max_influences(self, max: usize) -> Self {
        let max = max.clamp(1, MORE_INFLUENCES);
        self.with_number("MAX_INFLUENCES", MORE_INFLUENCES, max)
    }

    fn with_number(mut self, name: &str, from: usize, to: usize) -> Self {
        let constant = |value: usize| format!("const {name}: u32 = {value}u;");
        self.source = self.source.replace(&constant(from), &constant(to));
        self
    }
}

/// Records of tables that a uniform block holds: 16 KiB, what every device takes.
pub const UNIFORM_RECORDS: usize = 1024;

/// Threads of a workgroup that poses an instance, where nobody says that it has few joints.
const JOINTS_AT_ONCE: usize = 32;

/// What stands for any number of influences.
const MORE_INFLUENCES: usize = 5;

/// Every shader there is.
pub fn all_shaders() -> Vec<Shader> {
    let mut all = vec![
        bare_shader(),
        pose_joints_shader(),
        fill_palette_shader(PaletteSource::Curves),
        backdrop_shader(),
        blur_contact_shader(BlurPass::Rows),
        blur_contact_shader(BlurPass::Columns),
    ];
    // Vertices that go along arcs need both frames, and no palette.
    let fillable =
        Bones::all().filter(|bones| bones.interpolation != InterpolationKind::SlerpVertices);
    all.extend(fillable.map(|bones| fill_palette_shader(PaletteSource::Bones(bones))));
    for deform in Deform::all() {
        all.extend(Pass::ALL.map(|stage| deform_shader(deform, stage)));
        let lean = deform_shader(deform, Pass::Plain).without_fades();
        all.push(lean.with_max_influences(1).with_uniform_tables());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Joints, Morphs, SkinMethod};

    #[test]
    fn constants_stand_for_what_is_asked() {
        let threads = |joints| pose_joints_shader().with_joints(joints).source;
        for (joints, at_once) in [(0, 8), (5, 8), (9, 16), (22, 24), (32, 32), (300, 32)] {
            let constant = format!("const JOINTS_AT_ONCE: u32 = {at_once}u;");
            assert!(threads(joints).contains(&constant), "{joints} joints");
        }
        let deform = Deform::Skinned {
            joints: Joints::Palette,
            method: SkinMethod::Lbs,
            morphs: Morphs::None,
        };
        let skinned = |max| {
            deform_shader(deform, Pass::Plain)
                .with_max_influences(max)
                .source
        };
        for (max, known) in [(0, 1), (1, 1), (2, 2), (4, 4), (9, 5)] {
            let constant = format!("const MAX_INFLUENCES: u32 = {known}u;");
            assert!(skinned(max).contains(&constant), "{max} influences");
        }
    }
}
