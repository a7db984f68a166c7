//! What moves vertices, and the files that this takes.

/// How vertices are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deform {
    /// Not at all, or on the CPU.
    Static,
    /// By a copy of what was skinned before, once for a group.
    Copied,
    /// By joints.
    Skinned {
        /// Where joints come from.
        joints: Joints,
        /// How they are blended.
        method: SkinMethod,
        /// What is added to vertices before.
        morphs: Morphs,
    },
    /// By texels of `vertex` and `vertex-ray`.
    Vertices {
        /// Of offsets.
        texels: TexelKind,
        /// Of normals.
        normals: TexelKind,
        /// Whether an offset is a direction and a length.
        is_ray: bool,
        /// Whether a normal is two numbers.
        is_octahedral: bool,
    },
    /// By packed curves.
    VertexCurves,
}

/// Where a vertex shader finds its joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Joints {
    /// A palette of matrices.
    Palette,
    /// A palette of dual quaternions.
    DualPalette,
    /// A palette of dual quaternions and of the scale and shear before them.
    StretchPalette,
    /// A texture of bones in model space.
    Bones(Bones),
}

/// A texture of bones in model space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bones {
    /// What a bone's numbers are.
    pub kind: BoneKind,
    /// What a texel is.
    pub texels: TexelKind,
    /// What happens between frames.
    pub interpolation: InterpolationKind,
}

/// What a bone's numbers are: `throng_format::BoneCode`, and whether any bone has scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoneKind {
    /// Rows of a matrix.
    Rows,
    /// Columns of a matrix.
    Columns,
    /// A dual quaternion.
    Dual,
    /// A rotation and a position.
    Rotation,
    /// A rotation, a position and, for some bones, scale.
    Scaled,
    /// Two axes and a position.
    Axes,
}

/// What a texture gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TexelKind {
    /// Floats, or 8 bits that stand for 0 to 1.
    Float,
    /// 16 bits as whole numbers: browsers have no others.
    Uint,
    /// Two texels of four numbers of 16 bits as one of four words: half the columns, and half the reads.
    Pairs,
    /// A texel of two numbers of 16 bits as one of four bytes that stand for 0 to 1, the lower of each first: what
    /// every device reads quickest.
    Bytes,
}

/// What happens between two frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InterpolationKind {
    /// Every number by itself.
    Linear,
    /// Rotations are brought back to unit length.
    Nlerp,
    /// Rotations go along the arc.
    Slerp,
    /// Bones as with [`Self::Linear`], and vertices along arcs.
    SlerpVertices,
}

/// How joints are blended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkinMethod {
    /// `lbs`.
    Lbs,
    /// `dqs`.
    Dqs,
    /// `dqs-plain`.
    DqsPlain,
    /// `dqs-direct`.
    DqsDirect,
    /// `dqs-sum`.
    DqsSum,
    /// `blend:F`.
    Blend,
    /// `blend-positions:F`.
    BlendPositions,
}

/// What is added to vertices before they are skinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Morphs {
    /// Nothing.
    None,
    /// Targets whose weights no clip moves.
    Rest,
    /// Targets whose weights are in a texture.
    Set(TexelKind),
    /// Targets whose weights are in the palette.
    Palette,
}

impl TexelKind {
    /// How a texture goes to the device.
    pub fn upload(self) -> &'static str {
        match self {
            Self::Float => "as in the file, RGB8 padded to RGBA8",
            Self::Uint => "RGBA16 as whole numbers, RGBA16UI",
            Self::Pairs => "two texels of RGBA16 as one of RGBA32UI",
            Self::Bytes => "RG16 as RGBA8",
        }
    }

    /// Of textures that are read texel by texel.
    const SINGLE: [Self; 2] = [Self::Float, Self::Uint];

    /// The type of a texture, and the function that reads floats from it.
    fn prelude(self, texture: &str, load: &str) -> String {
        let (kind, texel) = match self {
            Self::Float => ("f32", "texel"),
            // Devices have signed numbers become floats in one step, and take several for others.
            Self::Uint => ("u32", "vec4<f32>(vec4<i32>(texel))"),
            Self::Bytes => (
                "f32",
                "vec4(255.0 * texel.xz + 65280.0 * texel.yw, 0.0, 0.0)",
            ),
            // Not read by itself.
            Self::Pairs => return format!("alias {texture} = texture_2d_array<u32>;\n\n"),
        };
        format!(
            "alias {texture} = texture_2d_array<{kind}>;\n\n\
             fn {load}(texels: {texture}, at: vec3<u32>) -> vec4<f32> {{\n    \
                 let texel = textureLoad(texels, at.xy, at.z, 0);\n    \
                 return {texel};\n\
             }}\n\n"
        )
    }
}

impl BoneKind {
    fn files(self) -> &'static [&'static str] {
        match self {
            Self::Rows => &["lib/bones_rows", "lib/mix_matrices"],
            Self::Columns => &["lib/bones_columns", "lib/mix_matrices"],
            Self::Dual => &["lib/bones_dual"],
            Self::Rotation => &["lib/bones_rotation", "lib/mix_rotations"],
            Self::Scaled => &["lib/bones_scaled", "lib/mix_rotations"],
            Self::Axes => &["lib/bones_axes"],
        }
    }

    /// True where a bone's texels may be read as [`TexelKind::Pairs`]: they are two or three. Those of
    pub fn supports_pairs(self) -> bool {
        matches!(self, Self::Rows | Self::Columns | Self::Dual | Self::Axes)
    }

    /// The ways to blend that sets of this kind may name.
    pub fn interpolations(self) -> &'static [InterpolationKind] {
        use InterpolationKind::{Linear, Nlerp, Slerp, SlerpVertices};
        match self {
            Self::Rows | Self::Columns => &[Linear, Slerp, SlerpVertices],
            Self::Dual => &[Nlerp],
            Self::Rotation | Self::Scaled => &[Nlerp, Slerp],
            Self::Axes => &[Linear, Nlerp, SlerpVertices],
        }
    }
}

impl SkinMethod {
    /// All there are.
    pub const ALL: [Self; 7] = [
        Self::Lbs,
        Self::Dqs,
        Self::DqsPlain,
        Self::DqsDirect,
        Self::DqsSum,
        Self::Blend,
        Self::BlendPositions,
    ];

    /// Its name, without a factor.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lbs => "lbs",
            Self::Dqs => "dqs",
            Self::DqsPlain => "dqs-plain",
            Self::DqsDirect => "dqs-direct",
            Self::DqsSum => "dqs-sum",
            Self::Blend => "blend",
            Self::BlendPositions => "blend-positions",
        }
    }

    /// True where joints are dual quaternions.
    pub fn is_dual(self) -> bool {
        self != Self::Lbs
    }

    /// True where signs are settled in the palette, so that texels cannot serve.
    pub fn needs_palette(self) -> bool {
        matches!(self, Self::DqsPlain | Self::DqsDirect)
    }

    fn files(self) -> &'static [&'static str] {
        match self {
            Self::Lbs => &["lib/skin_lbs", "lib/method_lbs"],
            Self::Dqs | Self::DqsPlain => &["lib/skin_dual", "lib/method_dqs"],
            Self::DqsDirect => &["lib/skin_dual", "lib/method_dqs_direct"],
            Self::DqsSum => &["lib/skin_sum", "lib/method_dqs_sum"],
            Self::Blend => &["lib/skin_lbs", "lib/skin_dual", "lib/method_blend"],
            Self::BlendPositions => &[
                "lib/skin_lbs",
                "lib/skin_dual",
                "lib/method_blend_positions",
            ],
        }
    }
}

impl Bones {
    /// Every kind of bones that there can be.
    pub fn all() -> impl Iterator<Item = Self> {
        use BoneKind::{Axes, Columns, Dual, Rotation, Rows, Scaled};
        [Rows, Columns, Dual, Rotation, Scaled, Axes]
            .into_iter()
            .flat_map(|kind| {
                let interpolations = kind.interpolations().iter();
                interpolations.map(move |&interpolation| (kind, interpolation))
            })
            .flat_map(|(kind, interpolation)| {
                let pairs = kind.supports_pairs().then_some(TexelKind::Pairs);
                let texels = TexelKind::SINGLE.into_iter().chain(pairs);
                texels.map(move |texels| Self {
                    kind,
                    texels,
                    interpolation,
                })
            })
    }

    /// How their texture goes to the device.
    pub fn upload(self) -> &'static str {
        match (self.kind, self.texels) {
            (BoneKind::Axes, TexelKind::Pairs) => {
                "two texels of RGBA16 as one of RGBA32UI, after the three of each bone were put into a row"
            }
            (_, texels) => texels.upload(),
        }
    }

    pub(crate) fn prelude(self) -> String {
        let interpolation = match self.interpolation {
            InterpolationKind::Linear | InterpolationKind::SlerpVertices => "INTERPOLATE_LINEAR",
            InterpolationKind::Nlerp => "INTERPOLATE_NLERP",
            InterpolationKind::Slerp => "INTERPOLATE_SLERP",
        };
        format!(
            "{}\
             const INTERPOLATE_LINEAR: u32 = 0u;\n\
             const INTERPOLATE_NLERP: u32 = 1u;\n\
             const INTERPOLATE_SLERP: u32 = 2u;\n\
             const INTERPOLATION: u32 = {interpolation};\n",
            self.texels.prelude("Texels", "texels_load")
        )
    }

    pub(crate) fn files(self) -> impl Iterator<Item = &'static str> {
        let texel = match self.texels {
            TexelKind::Pairs => "lib/texel_pairs",
            _ => "lib/texel",
        };
        [texel]
            .into_iter()
            .chain(self.kind.files().iter().copied())
            .chain(["source/joints_bones"])
    }
}

impl Deform {
    /// Every way that there is.
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
            for method in SkinMethod::ALL {
                let is_texture = matches!(joints, Joints::Bones(_) | Joints::Palette);
                if is_texture && method.needs_palette() {
                    continue;
                }
                let morphs: &[Morphs] = match joints {
                    Joints::Bones(_) => &[
                        Morphs::None,
                        Morphs::Rest,
                        Morphs::Set(TexelKind::Float),
                        Morphs::Set(TexelKind::Uint),
                    ],
                    // A palette may be filled on the CPU, or from `bone-local`.
                    Joints::Palette => &[
                        Morphs::None,
                        Morphs::Rest,
                        Morphs::Set(TexelKind::Float),
                        Morphs::Set(TexelKind::Uint),
                        Morphs::Palette,
                    ],
                    Joints::DualPalette | Joints::StretchPalette => {
                        &[Morphs::None, Morphs::Palette]
                    }
                };
                all.extend(morphs.iter().map(|&morphs| Self::Skinned {
                    joints,
                    method,
                    morphs,
                }));
            }
        }
        all
    }

    /// The bindings of group 1 that textures of a set go to, and how these go to the device.
    pub(crate) fn textures(self) -> Vec<(u32, &'static str)> {
        match self {
            Self::Static | Self::Copied | Self::VertexCurves => Vec::new(),
            Self::Vertices {
                texels, normals, ..
            } => vec![(2, texels.upload()), (3, normals.upload())],
            Self::Skinned { joints, morphs, .. } => {
                let bones = match joints {
                    Joints::Bones(bones) => Some((2, bones.upload())),
                    Joints::Palette | Joints::DualPalette | Joints::StretchPalette => None,
                };
                let weights = match morphs {
                    Morphs::Set(texels) => Some((5, texels.upload())),
                    Morphs::None | Morphs::Rest | Morphs::Palette => None,
                };
                bones.into_iter().chain(weights).collect()
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
            } => {
                let mut prelude = match joints {
                    Joints::Bones(bones) => bones.prelude(),
                    Joints::Palette | Joints::DualPalette | Joints::StretchPalette => String::new(),
                };
                if method.is_dual() {
                    let signs = match method {
                        SkinMethod::DqsPlain | SkinMethod::DqsDirect => "SIGNS_AS_THEY_COME",
                        _ => "SIGNS_PIVOT",
                    };
                    prelude += &format!(
                        "const SIGNS_PIVOT: u32 = 0u;\n\
                         const SIGNS_AS_THEY_COME: u32 = 1u;\n\
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
                files.extend(["lib/texel", "lib/octahedron", "source/deform_vertices"]);
            }
            Self::Skinned {
                joints,
                method,
                morphs,
            } => {
                match joints {
                    Joints::Palette => files.push("source/joints_palette"),
                    Joints::DualPalette => files.push("source/joints_dual_palette"),
                    Joints::StretchPalette => files.push("source/joints_stretch_palette"),
                    Joints::Bones(bones) => files.extend(bones.files()),
                }
                if method.is_dual() {
                    files.push(match joints {
                        Joints::StretchPalette => "lib/stretch_palette",
                        _ => "lib/stretch_none",
                    });
                }
                files.push("source/influences");
                files.extend(method.files());
                files.extend::<&[_]>(match morphs {
                    Morphs::None => &["source/morph_none"],
                    Morphs::Rest => &["lib/morph", "source/morph_deltas", "source/morph_rest"],
                    Morphs::Set(_) => &["lib/morph", "source/morph_deltas", "source/morph_set"],
                    Morphs::Palette => {
                        &["lib/morph", "source/morph_deltas", "source/morph_palette"]
                    }
                });
                match joints {
                    Joints::Bones(bones)
                        if bones.interpolation == InterpolationKind::SlerpVertices =>
                    {
                        files.extend(["lib/arc", "source/deform_arc"]);
                    }
                    _ => files.push("source/deform_skinned"),
                }
            }
        }
        files
    }
}
