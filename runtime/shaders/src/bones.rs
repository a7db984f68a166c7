//! Bone textures: numbers, texels, interpolation, and the shader files of each.

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
    pub(crate) const SINGLE: [Self; 2] = [Self::Float, Self::Uint];

    /// Declares the type of a texture, and the function that reads floats from it.
    pub(crate) fn prelude(self, texture: &str, load: &str) -> String {
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
    pub(crate) fn files(self) -> &'static [&'static str] {
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
    pub(crate) fn texels(self) -> Vec<TexelKind> {
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
