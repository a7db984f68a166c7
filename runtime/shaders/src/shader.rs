//! Complete shaders, and the bindings of each.

use crate::compose::{compose, text_of};
use crate::{Bones, Deform, InterpolationKind};

/// A complete WGSL shader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shader {
    /// Name for labels and messages.
    pub name: &'static str,
    /// WGSL source.
    pub source: String,
    /// Names of the entry points.
    pub entry_points: &'static [&'static str],
    /// Bindings in group 1 of the textures of a set, and the format in which each is uploaded.
    pub textures: Vec<(u32, &'static str)>,
}

/// Pass that deforms vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Lit drawing with materials.
    Draw,
    /// Positions and normals that are read back.
    Capture,
    /// Drawing with one light and no materials, for benchmarks.
    Plain,
    /// Depth of shadow casters.
    Shadow,
    /// A compute pass that skins once per group of instances, which then copy the vertices.
    SkinOnce,
}

/// Source that a palette is filled from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaletteSource {
    /// A bone texture in model space.
    Bones(Bones),
    /// Compressed curves of `bone-local`.
    Curves,
}

/// File that binds the description of a set. Constants can replace it.
pub(crate) const SET_INFO: &str = "source/set_info";

/// File that binds tables as a texture. A uniform block or constants can replace it.
pub(crate) const TABLES: &str = "source/tables_texture";

/// Files of every shader that reads a set.
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
    /// All passes.
    pub const ALL: [Self; 5] = [
        Self::Draw,
        Self::Capture,
        Self::Plain,
        Self::Shadow,
        Self::SkinOnce,
    ];
}

/// Returns the shader of a technique in a pass.
///
/// | binding in group 1 | |
/// |---|---|
/// | 0 | uniform: [`crate::SetInfo`] |
/// | 1 | tables: `Rgba32Uint` |
/// | 2 | bones, offsets, words of compressed curves, a palette, or positions to copy |
/// | 3 | normals |
/// | 4 | influences past the fourth: `Rg32Uint` |
/// | 5 | morph weights |
/// | 6 | morph targets: `Rgba32Uint`, an array |
/// | 10 | [`Pass::Capture`] only, uniform: [`crate::CaptureTarget`] |
///
/// Binding 0 of group 0 is the uniform [`crate::Frame`]. [`Pass::Draw`] and [`Pass::Shadow`] also need
///
/// | binding in group 2 | |
/// |---|---|
/// | 0 | uniform: [`crate::Material`] |
/// | 1 | base colour texture |
/// | 2 | its sampler |
///
/// [`Pass::Draw`] needs the group 3 of [`backdrop_shader`]. [`Pass::SkinOnce`] needs
///
/// | binding in group 1 | |
/// |---|---|
/// | 7 | the first instance of each group: `Rgba32Uint`, six texels each |
/// | 8, 9 | the two vertex buffers, as storage buffers |
/// | 11, 12 | positions and normals: storage textures |
/// | 13 | uniform: [`crate::SkinnedPart`] |
pub fn deform_shader(deform: Deform, pass: Pass) -> Shader {
    let mut files = SET.to_vec();
    files.extend(deform.files());
    files.push("source/vertex_in");
    let (name, pass_files, entry_points): (_, &[_], &[_]) = match pass {
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
    files.extend(pass_files);
    let textures = deform.textures();
    Shader {
        name,
        source: compose(&(uploads(&textures) + &deform.prelude()), &files),
        entry_points,
        textures,
    }
}

/// Comment that says in which format textures are uploaded.
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

/// Returns the shader that fills palettes in a fragment pass. Bindings are those of [`deform_shader`]; 7 is the
/// instances, `Rgba32Uint`, six texels each.
pub fn fill_palette_shader(source: PaletteSource) -> Shader {
    let mut files = SET.to_vec();
    let (prelude, textures) = match source {
        PaletteSource::Bones(bones) => {
            files.extend(bones.files());
            (bones.prelude(), vec![(2, bones.texels.upload())])
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

/// Returns the compute shader that poses `bone-local` and fills palettes, one workgroup per instance.
///
/// Bindings are those of [`fill_palette_shader`]; 8 is a storage buffer of [`crate::Rows`], one per joint per instance;
/// 9 is the palette, a storage texture.
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

/// Returns the smallest shader that draws a static crowd: positions, normals and instance transforms, with the lighting
/// of [`Pass::Plain`]. Benchmarks compare the control with it.
pub fn bare_shader() -> Shader {
    Shader {
        name: "bare",
        source: compose("", &["lib/frame", "source/frame", "entry/bare"]),
        entry_points: &["bare_vertex", "bare_fragment"],
        textures: Vec::new(),
    }
}

/// Returns the shader of the background: sky, ground and shadows, on one triangle without buffers.
///
/// | binding in group 3 | |
/// |---|---|
/// | 0 | uniform: [`crate::Scene`] |
/// | 1 | shadow map of the sun |
/// | 2 | its comparison sampler |
/// | 3 | contact-shadow map of the ground |
/// | 4 | its sampler |
pub fn backdrop_shader() -> Shader {
    Shader {
        name: "backdrop",
        source: compose("", &["lib/scene", "source/scene", "entry/backdrop"]),
        entry_points: &["backdrop_vertex", "backdrop_fragment"],
        textures: Vec::new(),
    }
}

/// Direction and input of [`blur_contact_shader`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlurPass {
    /// Along rows; the input is a depth map of heights over the ground.
    Rows,
    /// Along columns; the input is the output of [`Self::Rows`].
    Columns,
}

/// Returns the shader that blurs the contact-shadow map. Binding 0 of group 0 is the input.
pub fn blur_contact_shader(pass: BlurPass) -> Shader {
    let (direction, is_depth) = match pass {
        BlurPass::Rows => ("1, 0", true),
        BlurPass::Columns => ("0, 1", false),
    };
    let prelude = format!(
        "const BLUR_DIRECTION: vec2<i32> = vec2({direction});\nconst IS_DEPTH: bool = {is_depth};\n"
    );
    Shader {
        name: "blur_contact",
        source: compose(&prelude, &["entry/blur_contact"]),
        entry_points: &["blur_contact_vertex", "blur_contact_fragment"],
        textures: Vec::new(),
    }
}

impl Shader {
    /// Compiles cross-fades out: some devices run both sides of every branch.
    pub fn without_fades(mut self) -> Self {
        self.source = self
            .source
            .replace(text_of("lib/fades"), text_of("lib/fades_none"));
        self
    }

    /// Reads tables from a uniform block of [`UNIFORM_RECORDS`] records at binding 1 of group 1, instead of a texture.
    /// Some devices read uniform blocks faster than textures.
    pub fn with_uniform_tables(mut self) -> Self {
        self.source = self
            .source
            .replace(text_of(TABLES), text_of("source/tables_uniform"));
        self
    }

    /// Sets the workgroup size of [`pose_joints_shader`] for a number of joints: the next multiple of 8, and at most 32.
    /// Idle threads cost as much as others on some devices.
    pub fn with_joints(self, joints: usize) -> Self {
        let threads = joints.next_multiple_of(8).clamp(8, JOINTS_AT_ONCE);
        self.with_number("JOINTS_AT_ONCE", JOINTS_AT_ONCE, threads)
    }

    /// Compiles out influences past the largest number that a vertex has.
    pub fn with_max_influences(self, max: usize) -> Self {
        let max = max.clamp(1, ANY_INFLUENCES);
        self.with_number("MAX_INFLUENCES", ANY_INFLUENCES, max)
    }

    fn with_number(mut self, name: &str, from: usize, to: usize) -> Self {
        let constant = |value: usize| format!("const {name}: u32 = {value}u;");
        self.source = self.source.replace(&constant(from), &constant(to));
        self
    }
}

/// Number of table records in a uniform block: 16 KiB, which every device supports.
pub const UNIFORM_RECORDS: usize = 1024;

/// Default and largest workgroup size of [`pose_joints_shader`].
const JOINTS_AT_ONCE: usize = 32;

/// Value of `MAX_INFLUENCES` for any number of influences.
const ANY_INFLUENCES: usize = 5;

/// Every shader, for tests.
pub fn all_shaders() -> Vec<Shader> {
    let mut all = vec![
        bare_shader(),
        pose_joints_shader(),
        fill_palette_shader(PaletteSource::Curves),
        backdrop_shader(),
        blur_contact_shader(BlurPass::Rows),
        blur_contact_shader(BlurPass::Columns),
    ];
    // Interpolation along arcs needs the poses of two frames, and a palette holds one.
    let fillable =
        Bones::all().filter(|bones| bones.interpolation != InterpolationKind::SlerpVertices);
    all.extend(fillable.map(|bones| fill_palette_shader(PaletteSource::Bones(bones))));
    for deform in Deform::all() {
        all.extend(Pass::ALL.map(|pass| deform_shader(deform, pass)));
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
    fn workgroup_size_and_influence_limit_are_constants() {
        let threads = |joints| pose_joints_shader().with_joints(joints).source;
        for (joints, threads_expected) in [(0, 8), (5, 8), (9, 16), (22, 24), (32, 32), (300, 32)] {
            let constant = format!("const JOINTS_AT_ONCE: u32 = {threads_expected}u;");
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
        for (max, expected) in [(0, 1), (1, 1), (2, 2), (4, 4), (9, 5)] {
            let constant = format!("const MAX_INFLUENCES: u32 = {expected}u;");
            assert!(skinned(max).contains(&constant), "{max} influences");
        }
    }
}
