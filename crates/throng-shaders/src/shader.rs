//! Whole shaders.

use crate::compose::compose;
use crate::{BlendKind, Bones, Deform};

/// Source that a device can compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shader {
    /// For labels and messages.
    pub name: &'static str,
    /// WGSL.
    pub source: String,
    /// The functions to call.
    pub entry_points: &'static [&'static str],
}

/// What vertices are moved for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// To be seen.
    Draw,
    /// To be read back.
    Capture,
    /// To be seen in one light, without surfaces: what benchmarks time.
    Plain,
}

/// What a palette is filled from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaletteSource {
    /// A texture of bones in model space.
    Bones(Bones),
    /// `bone-local`.
    Tracks,
}

/// The file that finds tables in a texture. Constants stand for it and for [`SET_BOUND`].
pub(crate) const TABLES: &str = "lib/tables_texture";

/// The file that binds what a set says of itself.
pub(crate) const SET_BOUND: &str = "source/set_bound";

/// What every shader over a set needs.
const SET: &[&str] = &[
    "lib/quat",
    "lib/affine",
    "lib/dual_quat",
    "lib/words",
    "lib/time",
    "lib/grid",
    "lib/bits",
    TABLES,
    "lib/tables",
    "lib/codec",
    "lib/tracks",
    "lib/joint",
    "lib/set_info",
    "lib/frame",
    "lib/vertex",
    "lib/instance",
    "source/frame",
    SET_BOUND,
    "source/set",
];

impl Stage {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Draw, Self::Capture, Self::Plain];
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
///
/// Binding 0 of group 0 is the uniform [`crate::Frame`].
pub fn deforming(deform: Deform, stage: Stage) -> Shader {
    let mut files = SET.to_vec();
    files.extend(deform.files());
    files.push("source/vertex_in");
    let (name, entry_points): (_, &[_]) = match stage {
        Stage::Draw => ("draw", &["draw_vertex", "draw_fragment"]),
        Stage::Capture => ("capture", &["capture_vertex", "capture_fragment"]),
        Stage::Plain => ("plain", &["plain_vertex", "plain_fragment"]),
    };
    files.push(match stage {
        Stage::Draw => "entry/draw",
        Stage::Capture => "entry/capture",
        Stage::Plain => "entry/plain",
    });
    Shader {
        name,
        source: compose(&deform.prelude(), &files),
        entry_points,
    }
}

/// The shader that fills a palette in a fragment pass. Bindings as for [`deforming`], and in 7 the
/// instances: `Rgba32Uint`, six texels each.
pub fn filling(source: PaletteSource) -> Shader {
    let mut files = SET.to_vec();
    let prelude = match source {
        PaletteSource::Bones(bones) => {
            files.extend(bones.files());
            bones.prelude()
        }
        PaletteSource::Tracks => {
            files.push("source/joints_tracks");
            String::new()
        }
    };
    files.extend(["source/instances", "entry/fill_palette"]);
    Shader {
        name: "fill_palette",
        source: compose(&prelude, &files),
        entry_points: &["fill_palette_vertex", "fill_palette_fragment"],
    }
}

/// The shader that poses `bone-local` and fills palettes in one dispatch, a workgroup an instance. Bindings as for
/// [`filling`]; 8 is storage, [`crate::Rows`] a joint, instance by instance; 9 is the palette, a storage texture.
pub fn posing_joints() -> Shader {
    let mut files = SET.to_vec();
    files.extend([
        "source/joints_tracks",
        "source/instances",
        "entry/pose_joints",
    ]);
    Shader {
        name: "pose_joints",
        source: compose("", &files),
        entry_points: &["pose_joints"],
    }
}

/// Positions, normals and places of instances alone: the least that draws a crowd that stands still, with the
/// lighting of [`Stage::Plain`]. What a benchmark's control is held against.
pub fn bare() -> Shader {
    Shader {
        name: "bare",
        source: compose("", &["lib/frame", "source/frame", "entry/bare"]),
        entry_points: &["bare_vertex", "bare_fragment"],
    }
}

/// Every shader there is.
pub fn all() -> Vec<Shader> {
    let mut all = vec![bare(), posing_joints(), filling(PaletteSource::Tracks)];
    // Vertices that go along arcs need both frames, and no palette.
    let fillable = Bones::all().filter(|bones| bones.blend != BlendKind::SlerpVertices);
    all.extend(fillable.map(|bones| filling(PaletteSource::Bones(bones))));
    for deform in Deform::all() {
        all.extend(Stage::ALL.map(|stage| deforming(deform, stage)));
    }
    all
}
