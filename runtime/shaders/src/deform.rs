//! Techniques that deform vertices, and the shader files of each.

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

/// A bone texture in model space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bones {
    /// Numbers of a bone.
    pub kind: BoneKind,
    /// Type of the texels.
    pub texels: TexelKind,
    /// Interpolation between frames.
    pub interpolation: InterpolationKind,
}

/// Numbers that a bone is stored as: `throng_format::BoneCode`, with sets where bones have scale apart.
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
    /// A rotation, a position and, for some bones, a scale.
    Scaled,
    /// Two axes and a position.
    Axes,
    /// Two axes and a position in planes, below a row of bind poses: P3's virtual bones.
    Planes,
    /// Two axes in planes, and a position in a texture of its own, each below a row of bind poses.
    SplitPlanes,
}

/// Type of the texels of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TexelKind {
    /// Floats, or 8-bit numbers that are read as 0 to 1.
    Float,
    /// 16-bit numbers that are read as integers: browsers lack 16-bit normalised formats.
    Uint,
    /// Pairs of RGBA16 texels that are read as one RGBA32Uint texel: half the columns, and half the reads.
    Pairs,
    /// RG16 texels that are read as RGBA8, the lower byte of each number first: the fastest format on every device.
    Bytes,
}

/// Interpolation between two frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InterpolationKind {
    /// Every number linearly.
    Linear,
    /// Rotations linearly, then normalised.
    Nlerp,
    /// Rotations by spherical linear interpolation.
    Slerp,
    /// Vertices along arcs, between two poses of [`Self::Linear`] bones.
    SlerpVertices,
}

/// Skinning method.
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

impl TexelKind {
    /// Format in which a texture is uploaded, for the comment above a printed shader.
    pub fn upload(self) -> &'static str {
        match self {
            Self::Float => "upload as in the file, RGB padded to RGBA",
            Self::Uint => "upload RGBA16, or RGB16 padded to it, as RGBA16UI",
            Self::Pairs => "upload every two RGBA16 texels as one RGBA32UI texel",
            Self::Bytes => "upload RG16 as RGBA8",
        }
    }

    /// Types that are read one texel at a time.
    const SINGLE: [Self; 2] = [Self::Float, Self::Uint];

    /// Declares the type of a texture, and the function that reads floats from it.
    fn prelude(self, texture: &str, load: &str) -> String {
        let (kind, texel) = match self {
            Self::Float => ("f32", "texel"),
            // Integers are converted from i32, which is cheaper than u32 on llvmpipe.
            Self::Uint => ("u32", "vec4<f32>(vec4<i32>(texel))"),
            Self::Bytes => (
                "f32",
                "vec4(255.0 * texel.xz + 65280.0 * texel.yw, 0.0, 0.0)",
            ),
            // `lib/texel_pairs` has its own functions.
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
            Self::Axes => &["lib/axes", "lib/bones_axes"],
            Self::Planes => &["lib/axes", "source/bones_planes"],
            Self::SplitPlanes => &["lib/axes", "source/bones_planes_split"],
        }
    }

    /// True for P3's virtual bones, which have their bind poses in the texture.
    pub fn is_planes(self) -> bool {
        matches!(self, Self::Planes | Self::SplitPlanes)
    }

    /// Types of texels that sets of this kind can have.
    fn texels(self) -> Vec<TexelKind> {
        match self {
            Self::Planes => vec![TexelKind::Float],
            Self::SplitPlanes => vec![TexelKind::Uint],
            _ => {
                let pairs = self.supports_pairs().then_some(TexelKind::Pairs);
                TexelKind::SINGLE.into_iter().chain(pairs).collect()
            }
        }
    }

    /// True if the texels of a bone can be read as [`TexelKind::Pairs`]: there are two or three, and they are
    /// consecutive.
    pub fn supports_pairs(self) -> bool {
        matches!(self, Self::Rows | Self::Columns | Self::Dual | Self::Axes)
    }

    /// Interpolations that sets of this kind can have, the default first.
    pub fn interpolations(self) -> &'static [InterpolationKind] {
        use InterpolationKind::{Linear, Nlerp, Slerp, SlerpVertices};
        match self {
            Self::Rows | Self::Columns => &[Linear, Slerp, SlerpVertices],
            Self::Dual => &[Nlerp],
            Self::Rotation | Self::Scaled => &[Nlerp, Slerp],
            Self::Axes => &[Linear, Nlerp, SlerpVertices],
            Self::Planes | Self::SplitPlanes => &[Linear],
        }
    }
}

impl SkinMethod {
    /// All methods.
    pub const ALL: [Self; 7] = [
        Self::Lbs,
        Self::Dqs,
        Self::DqsPlain,
        Self::DqsDirect,
        Self::DqsSum,
        Self::Blend,
        Self::BlendPositions,
    ];

    /// Name without a factor.
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

    /// True if the method needs joints as dual quaternions.
    pub fn is_dual(self) -> bool {
        self != Self::Lbs
    }

    /// True if the method takes the signs of dual quaternions from a palette, so that a bone texture cannot supply them.
    pub fn needs_palette(self) -> bool {
        matches!(self, Self::DqsPlain | Self::DqsDirect)
    }

    fn files(self) -> &'static [&'static str] {
        match self {
            Self::Lbs => &["lib/sum_matrices", "lib/method_lbs"],
            Self::Dqs | Self::DqsPlain => &[
                "lib/blend_dual_quats",
                "lib/sum_dual_quats",
                "lib/method_dqs",
            ],
            Self::DqsDirect => &[
                "lib/blend_dual_quats",
                "lib/sum_dual_quats",
                "lib/method_dqs_direct",
            ],
            Self::DqsSum => &["lib/sum_rigid", "lib/method_dqs_sum"],
            Self::Blend => &["lib/blend_dual_quats", "lib/sum_both", "lib/method_blend"],
            Self::BlendPositions => &[
                "lib/blend_dual_quats",
                "lib/sum_both",
                "lib/method_blend_positions",
            ],
        }
    }
}

/// Files of bones whose inverse bind matrices are in tables.
const BONES_AND_INVERSE_BINDS: &[&str] = &[
    "source/bones_texture",
    "source/pose_bones",
    "source/inverse_binds",
];

impl Bones {
    /// Every supported combination.
    pub fn all() -> impl Iterator<Item = Self> {
        use BoneKind::{Axes, Columns, Dual, Planes, Rotation, Rows, Scaled, SplitPlanes};
        [
            Rows,
            Columns,
            Dual,
            Rotation,
            Scaled,
            Axes,
            Planes,
            SplitPlanes,
        ]
        .into_iter()
        .flat_map(|kind| {
            let interpolations = kind.interpolations().iter();
            interpolations.map(move |&interpolation| (kind, interpolation))
        })
        .flat_map(|(kind, interpolation)| {
            kind.texels().into_iter().map(move |texels| Self {
                kind,
                texels,
                interpolation,
            })
        })
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

    /// Bindings in group 1 of the textures, and the format in which each is uploaded.
    pub(crate) fn textures(self) -> Vec<(u32, &'static str)> {
        let mut textures = vec![(2, self.texels.upload())];
        if self.kind == BoneKind::SplitPlanes {
            textures.push((3, TexelKind::Float.upload()));
        }
        textures
    }

    pub(crate) fn files(self) -> impl Iterator<Item = &'static str> {
        let texel = match self.texels {
            TexelKind::Pairs => "lib/texel_pairs",
            _ => "lib/texel",
        };
        [texel]
            .into_iter()
            .chain(self.kind.files().iter().copied())
            .chain(match self.kind.is_planes() {
                true => ["source/pose_bones", "source/rest_row"].iter().copied(),
                false => BONES_AND_INVERSE_BINDS.iter().copied(),
            })
    }
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
    const WITHOUT_PALETTE: [SkinMethod; 5] = [
        SkinMethod::Lbs,
        SkinMethod::Dqs,
        SkinMethod::DqsSum,
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
                files.extend(["source/more_influences", "lib/influences"]);
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
