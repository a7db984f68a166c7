//! Techniques that deform vertices, and the shader files of each.

use crate::bones::{Bones, InterpolationKind, TexelKind};
use crate::skin_method::SkinMethod;

/// Technique that deforms vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deform {
    /// Vertices as they are in the vertex buffer: not animated, or skinned on the CPU.
    Static,
    /// Copies of vertices that were skinned once per group of instances.
    Copied,
    /// Skinning by joints.
    Skinned {
        /// Source of the joints.
        joints: Joints,
        /// Source of the influences of a vertex.
        influences: InfluenceSource,
        /// Skinning method.
        method: SkinMethod,
        /// Morph targets, applied before skinning.
        morphs: Morphs,
    },
    /// Offsets and normals of `vertex` and `vertex-ray`.
    Vertices {
        /// Texels of offsets.
        texels: TexelKind,
        /// Texels of normals.
        normals: TexelKind,
        /// True if an offset is stored as a direction and a length.
        is_ray: bool,
        /// True if a normal is two octahedral coordinates, false if it is a vector.
        is_octahedral: bool,
    },
    /// Compressed curves of vertices.
    VertexCurves,
}

/// Source of the joints in a vertex shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Joints {
    /// A palette of matrices.
    Palette,
    /// A palette of dual quaternions.
    DualPalette,
    /// A palette of dual quaternions, each with the stretch that is applied before it.
    StretchPalette,
    /// A bone texture in model space.
    Bones(Bones),
}

/// Source of the influences of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InfluenceSource {
    /// Joints and weights in vertex attributes, any number per vertex.
    Attributes,
    /// Up to four bones in `COLOR_0`, and their weights in a texture, as in P3.
    Colors,
    /// One bone in the first channel of `COLOR_0`.
    SingleColor,
}

/// Morph targets, and the source of their weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Morphs {
    /// No morph targets.
    None,
    /// Targets whose weights no clip animates.
    Rest,
    /// Targets whose weights are in a texture.
    Set(TexelKind),
    /// Targets whose weights are in the palette.
    Palette,
}

impl InfluenceSource {
    /// Source of a joint's vertices in [`Deform::all`].
    fn of(joints: Joints) -> &'static [Self] {
        match joints {
            Joints::Bones(bones) if bones.kind.is_planes() => &[Self::Colors, Self::SingleColor],
            Joints::Palette => &[Self::Attributes, Self::Colors, Self::SingleColor],
            _ => &[Self::Attributes],
        }
    }

    /// Files that make a vertex before deformation.
    pub(crate) fn files(self) -> &'static [&'static str] {
        match self {
            Self::Attributes => &["source/bind_attributes"],
            Self::Colors => &["source/bind_bones", "source/weights_texture"],
            Self::SingleColor => &["source/bind_bones", "source/weights_one"],
        }
    }

    /// File that reads influences from storage buffers.
    pub(crate) fn words_file(self) -> &'static str {
        match self {
            Self::Attributes => "source/words_attributes",
            Self::Colors | Self::SingleColor => "source/words_bones",
        }
    }
}

impl Joints {
    /// True if vertices are interpolated along arcs, between the poses of two frames.
    fn follow_arcs(self) -> bool {
        match self {
            Self::Bones(bones) => bones.interpolation == InterpolationKind::SlerpVertices,
            Self::Palette | Self::DualPalette | Self::StretchPalette => false,
        }
    }
}

/// Files of the accumulator that the influence loop runs over.
fn accumulator_files(joints: Joints, method: SkinMethod) -> &'static [&'static str] {
    let is_dual = method.is_dual();
    match joints {
        Joints::StretchPalette if is_dual => &["lib/accumulate_stretch"],
        _ if joints.follow_arcs() && is_dual => &["lib/accumulate_centre", "lib/stretch_none"],
        _ if joints.follow_arcs() => &["lib/accumulate_centre"],
        _ if is_dual => &["lib/accumulate_method", "lib/stretch_none"],
        _ => &["lib/accumulate_method"],
    }
}

/// Methods of joints, for [`Deform::all`].
fn methods_of(joints: Joints, influences: InfluenceSource) -> &'static [SkinMethod] {
    const WITHOUT_PALETTE: [SkinMethod; 7] = [
        SkinMethod::Lbs,
        SkinMethod::Dqs,
        SkinMethod::DqsSum,
        SkinMethod::Cor,
        SkinMethod::Sclerp,
        SkinMethod::Blend,
        SkinMethod::BlendPositions,
    ];
    match joints {
        // P3's bones are interpolated linearly, so that they are not rigid between frames.
        _ if influences != InfluenceSource::Attributes => &[SkinMethod::Lbs],
        Joints::Bones(_) | Joints::Palette => &WITHOUT_PALETTE,
        Joints::DualPalette | Joints::StretchPalette => &SkinMethod::ALL,
    }
}

/// Morph targets of joints, for [`Deform::all`].
fn morphs_of(joints: Joints) -> &'static [Morphs] {
    match joints {
        Joints::Bones(_) => &[
            Morphs::None,
            Morphs::Rest,
            Morphs::Set(TexelKind::Float),
            Morphs::Set(TexelKind::Uint),
        ],
        // The palette is filled on the CPU or from `bone-local`.
        Joints::Palette => &[
            Morphs::None,
            Morphs::Rest,
            Morphs::Set(TexelKind::Float),
            Morphs::Set(TexelKind::Uint),
            Morphs::Palette,
        ],
        Joints::DualPalette | Joints::StretchPalette => &[Morphs::None, Morphs::Palette],
    }
}

impl Deform {
    /// Source of influences; attributes where vertices are not skinned.
    pub fn influences(self) -> InfluenceSource {
        match self {
            Self::Skinned { influences, .. } => influences,
            _ => InfluenceSource::Attributes,
        }
    }

    /// Every supported combination.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self::Static, Self::Copied, Self::VertexCurves];
        for texels in TexelKind::SINGLE {
            for normals in [TexelKind::Float, TexelKind::Bytes] {
                for (is_ray, is_octahedral) in
                    [(false, false), (false, true), (true, false), (true, true)]
                {
                    all.push(Self::Vertices {
                        texels,
                        normals,
                        is_ray,
                        is_octahedral,
                    });
                }
            }
        }
        let palettes = [Joints::Palette, Joints::DualPalette, Joints::StretchPalette];
        let joints = palettes.into_iter().chain(Bones::all().map(Joints::Bones));
        for joints in joints {
            for &influences in InfluenceSource::of(joints) {
                for &method in methods_of(joints, influences) {
                    let morphs = morphs_of(joints).iter();
                    all.extend(morphs.map(|&morphs| Self::Skinned {
                        joints,
                        influences,
                        method,
                        morphs,
                    }));
                }
            }
        }
        all
    }

    /// Returns true if the index of an instance finds its palette.
    pub fn reads_index(self) -> bool {
        match self {
            Self::Static | Self::Copied | Self::VertexCurves | Self::Vertices { .. } => false,
            Self::Skinned { joints, morphs, .. } => {
                !matches!(joints, Joints::Bones(_)) || morphs == Morphs::Palette
            }
        }
    }

    /// Bindings in group 1 of the textures of a set, and the format in which each is uploaded.
    pub(crate) fn textures(self) -> Vec<(u32, &'static str)> {
        match self {
            Self::Static | Self::Copied | Self::VertexCurves => Vec::new(),
            Self::Vertices {
                texels, normals, ..
            } => vec![(2, texels.upload()), (3, normals.upload())],
            Self::Skinned {
                joints,
                influences,
                morphs,
                ..
            } => {
                let mut textures = match joints {
                    Joints::Bones(bones) => bones.textures(),
                    Joints::Palette | Joints::DualPalette | Joints::StretchPalette => Vec::new(),
                };
                if let Morphs::Set(texels) = morphs {
                    textures.push((5, texels.upload()));
                }
                if influences == InfluenceSource::Colors {
                    textures.push((16, TexelKind::Float.upload()));
                }
                textures
            }
        }
    }

    pub(crate) fn prelude(self) -> String {
        match self {
            Self::Static | Self::Copied | Self::VertexCurves => String::new(),
            Self::Vertices {
                texels,
                normals,
                is_ray,
                is_octahedral,
            } => format!(
                "{}{}\
                 const IS_RAY: bool = {is_ray};\n\
                 const IS_OCTAHEDRAL: bool = {is_octahedral};\n",
                texels.prelude("Texels", "texels_load"),
                normals.prelude("NormalTexels", "normals_load"),
            ),
            Self::Skinned {
                joints,
                method,
                morphs,
                ..
            } => {
                let mut prelude = match joints {
                    Joints::Bones(bones) => bones.prelude(),
                    Joints::Palette | Joints::DualPalette | Joints::StretchPalette => String::new(),
                };
                if method.is_dual() {
                    let signs = match method {
                        SkinMethod::DqsPlain | SkinMethod::DqsDirect => "SIGNS_AS_STORED",
                        _ => "SIGNS_PIVOT",
                    };
                    prelude += &format!(
                        "const SIGNS_PIVOT: u32 = 0u;\n\
                         const SIGNS_AS_STORED: u32 = 1u;\n\
                         const SIGNS: u32 = {signs};\n"
                    );
                }
                if let Morphs::Set(texels) = morphs {
                    prelude += &texels.prelude("MorphTexels", "morphs_load");
                }
                prelude
            }
        }
    }

    pub(crate) fn files(self) -> Vec<&'static str> {
        let mut files = Vec::new();
        match self {
            Self::Static => files.push("source/deform_static"),
            Self::Copied => files.push("source/deform_copied"),
            Self::VertexCurves => files.push("source/deform_vertex_curves"),
            Self::Vertices { .. } => {
                files.extend(["lib/texel", "source/deform_vertices"]);
            }
            Self::Skinned {
                joints,
                method,
                morphs,
                ..
            } => {
                match joints {
                    Joints::Palette => files.push("source/joints_palette"),
                    Joints::DualPalette => files.push("source/joints_dual_palette"),
                    Joints::StretchPalette => files.push("source/joints_stretch_palette"),
                    Joints::Bones(bones) => files.extend(bones.files()),
                }
                files.extend(["source/more_influences", method.influences_file()]);
                files.extend(method.files());
                files.extend(accumulator_files(joints, method));
                files.extend::<&[_]>(match morphs {
                    Morphs::None => &["source/morph_none"],
                    Morphs::Rest => &["lib/morph", "source/morph_deltas", "source/morph_rest"],
                    Morphs::Set(_) => &["lib/morph", "source/morph_deltas", "source/morph_set"],
                    Morphs::Palette => {
                        &["lib/morph", "source/morph_deltas", "source/morph_palette"]
                    }
                });
                match joints.follow_arcs() {
                    true => files.extend(["lib/arc", "source/deform_arc"]),
                    false => files.push("source/deform_skinned"),
                }
            }
        }
        files
    }
}
