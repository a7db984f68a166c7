//! Complete shaders, and the bindings of each.

use crate::compose::{compose, text_of};
use crate::files::{SET, TABLES, drawing_files, uploads, vertex_in};
use crate::vertex_out::VertexOutputs;
use crate::{Bones, CurveTexture, Deform, InterpolationKind};

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
    /// Drawing with one light: what engines start from.
    Draw,
    /// Positions, normals and tangents that are read back or copied.
    Capture,
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

impl PaletteSource {
    /// Files that define the joints.
    pub(crate) fn files(self) -> Vec<&'static str> {
        match self {
            Self::Bones(bones) => bones.files().collect(),
            Self::Curves => vec!["source/joints_curves"],
        }
    }

    pub(crate) fn prelude(self) -> String {
        match self {
            Self::Bones(bones) => bones.prelude(),
            Self::Curves => String::new(),
        }
    }

    /// Bindings in group 1 of the textures, and the format in which each is uploaded.
    pub(crate) fn textures(self) -> Vec<(u32, &'static str)> {
        match self {
            Self::Bones(bones) => bones.textures(),
            Self::Curves => Vec::new(),
        }
    }
}

impl Pass {
    /// All passes.
    pub const ALL: [Self; 3] = [Self::Draw, Self::Capture, Self::SkinOnce];
}

/// Returns the shader of a technique in a pass.
///
/// | binding in group 1 | |
/// |---|---|
/// | 0 | uniform: [`crate::SetInfo`] |
/// | 1 | tables: `Rgba32Uint` |
/// | 2 | bones, offsets, words of compressed curves, a palette, or positions to copy |
/// | 3 | normals, or positions of bones that have their own texture |
/// | 4 | influences past the fourth: `Rg32Uint` |
/// | 5 | morph weights |
/// | 6 | morph targets: `Rgba32Uint`, an array |
/// | 10 | [`Pass::Capture`] only, uniform: [`crate::CaptureTarget`] |
/// | 14 | uniform: [`crate::Frame`] |
/// | 16 | weights, where bones are in colours |
///
/// [`Pass::Draw`] also needs a uniform with the matrix `clip_from_world` at binding 0 of group 0. [`Pass::SkinOnce`] needs
///
/// | binding in group 1 | |
/// |---|---|
/// | 7 | the first instance of each group: `Rgba32Uint`, six texels each |
/// | 8, 9 | the two vertex buffers, as storage buffers |
/// | 11, 12 | positions and normals: storage textures |
/// | 13 | uniform: [`crate::SkinnedPart`] |
/// | 15 | tangents, as a storage buffer; only [`with_tangents`](Shader::with_tangents) |
pub fn deform_shader(deform: Deform, pass: Pass) -> Shader {
    let outputs = match pass {
        Pass::Draw => VertexOutputs::PRINTED,
        Pass::Capture | Pass::SkinOnce => VertexOutputs::default(),
    };
    let mut files = drawing_files(deform, outputs);
    let (name, pass_files, entry_points): (_, &[_], &[_]) = match pass {
        Pass::Draw => ("draw", &[], &["draw_vertex", "draw_fragment"]),
        Pass::Capture => (
            "capture",
            &["source/target", "entry/capture"],
            &["capture_vertex", "capture_fragment"],
        ),
        Pass::SkinOnce => (
            "skin_once",
            &["source/instances", "entry/skin_once"],
            &["skin_once"],
        ),
    };
    files.extend(pass_files);
    if pass == Pass::SkinOnce {
        files.push(deform.influences().words_file());
    }
    let textures = deform.textures();
    let source = compose(&(uploads(&textures) + &deform.prelude()), &files);
    let mut source = vertex_in(source, outputs, deform);
    if pass == Pass::Draw {
        source = [&source, &outputs.source(outputs), text_of("entry/draw")].join("\n");
    }
    Shader {
        name,
        source,
        entry_points,
        textures,
    }
}

/// Returns the shader that fills palettes in a fragment pass. Bindings are those of [`deform_shader`]; 7 is the
/// instances, `Rgba32Uint`, six texels each.
pub fn fill_palette_shader(source: PaletteSource) -> Shader {
    let mut files = SET.to_vec();
    files.extend(source.files());
    files.extend([
        "source/instances",
        "source/palette_joint",
        "source/palette_row",
        "entry/fill_palette",
    ]);
    let textures = source.textures();
    Shader {
        name: "fill_palette",
        source: compose(&(uploads(&textures) + &source.prelude()), &files),
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
        "source/palette_joint",
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

/// Returns the compute shader that culls instances and chooses their levels of detail. Its entry points are the passes, in
/// order. The bindings in group 1 are
///
/// | binding | |
/// |---|---|
/// | 0 | uniform: [`crate::CullView`] |
/// | 1 | storage: the instance buffer |
/// | 2 | storage: two corners of the undeformed mesh and of each clip, `vec4<f32>` |
/// | 3 | storage, written: a word per instance |
/// | 4 | storage, written: a word per workgroup of [`CULL_GROUP`] instances and level |
/// | 5 | storage, written: arguments of indexed draws, one per level and part |
/// | 6 | storage, written: visible instances |
/// | 7 | storage, written: their indices |
pub fn cull_shader() -> Shader {
    Shader {
        name: "cull",
        source: compose("", &["lib/affine", "lib/time", "lib/cull", "entry/cull"]),
        entry_points: &["cull_mark", "cull_sum", "cull_compact"],
        textures: Vec::new(),
    }
}

/// Number of instances per workgroup of [`cull_shader`].
pub const CULL_GROUP: u32 = 256;

impl Shader {
    /// Compiles cross-fades out: some devices run both sides of every branch.
    pub fn without_fades(mut self) -> Self {
        self.source = self
            .source
            .replace(text_of("lib/fades"), text_of("lib/fades_none"));
        self
    }

    /// Captures or skins tangents too: they are attribute 13 of captures, and binding 15 of [`Pass::SkinOnce`].
    pub fn with_tangents(mut self) -> Self {
        let (source, attribute) = match self.name {
            "skin_once" => ("source/tangent_words", ""),
            _ => (
                "source/tangent_in",
                "    @location(13) tangent: vec4<f32>,\n",
            ),
        };
        let last = "    @location(12) extra: vec4<u32>,\n";
        self.source = self
            .source
            .replace(text_of("lib/tangents_none"), text_of("lib/tangents"))
            .replace(text_of("source/tangent_none"), text_of(source))
            .replace(last, &format!("{last}{attribute}"));
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

    /// Replaces a function and the comment above it by a text.
    ///
    /// # Panics
    /// If there is no such function. Names come from this crate only, and a test replaces every one.
    pub(crate) fn replace_function(&mut self, name: &str, by: &str) {
        let start = self.source.find(&format!("\nfn {name}("));
        let start = start.unwrap_or_else(|| panic!("there is no function '{name}'")) + 1;
        let comment = self.source[..start].split_inclusive('\n').rev();
        let comment = comment.take_while(|line| line.starts_with("//"));
        let start = start - comment.map(str::len).sum::<usize>();
        let end = self.source[start..].find("\n}\n").map(|at| start + at + 3);
        let end = end.unwrap_or(self.source.len());
        self.source.replace_range(start..end, by);
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
        cull_shader(),
        pose_joints_shader(),
        fill_palette_shader(PaletteSource::Curves),
    ];
    all.extend(with_curve_textures(&pose_joints_shader()));
    // Interpolation along arcs needs the poses of two frames, and a palette holds one.
    let fillable =
        Bones::all().filter(|bones| bones.interpolation != InterpolationKind::SlerpVertices);
    all.extend(fillable.map(|bones| fill_palette_shader(PaletteSource::Bones(bones))));
    for deform in Deform::all() {
        all.extend(Pass::ALL.map(|pass| deform_shader(deform, pass)));
        let lean = deform_shader(deform, Pass::Capture).without_fades();
        all.push(lean.with_max_influences(1).with_uniform_tables());
        if deform == Deform::VertexCurves {
            all.extend(with_curve_textures(&deform_shader(deform, Pass::Capture)));
        }
        let tangents = [Pass::Capture, Pass::SkinOnce].map(|pass| deform_shader(deform, pass));
        all.extend(tangents.map(Shader::with_tangents));
    }
    all
}

/// A shader for textures of one layer and of several, with short and with long keys.
fn with_curve_textures(shader: &Shader) -> [Shader; 2] {
    [([64, 65, 1], 32), ([2048, 2048, 3], 64)].map(|(size, max_key_bits)| {
        shader.clone().with_curve_texture(&CurveTexture {
            size,
            max_key_bits,
            clip_records: 7,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InfluenceSource, Joints, Morphs, SkinMethod};

    #[test]
    fn workgroup_size_and_influence_limit_are_constants() {
        let threads = |joints| pose_joints_shader().with_joints(joints).source;
        for (joints, threads_expected) in [(0, 8), (5, 8), (9, 16), (22, 24), (32, 32), (300, 32)] {
            let constant = format!("const JOINTS_AT_ONCE: u32 = {threads_expected}u;");
            assert!(threads(joints).contains(&constant), "{joints} joints");
        }
        let deform = Deform::Skinned {
            joints: Joints::Palette,
            influences: InfluenceSource::Attributes,
            method: SkinMethod::Lbs,
            morphs: Morphs::None,
        };
        let skinned = |max| {
            deform_shader(deform, Pass::Draw)
                .with_max_influences(max)
                .source
        };
        for (max, expected) in [(0, 1), (1, 1), (2, 2), (4, 4), (9, 5)] {
            let constant = format!("const MAX_INFLUENCES: u32 = {expected}u;");
            assert!(skinned(max).contains(&constant), "{max} influences");
        }
    }
}
