//! Names of the functions that engines choose by a set's manifest.

use crate::{
    BoneKind, Bones, Deform, InfluenceSource, InterpolationKind, Joints, Morphs, PaletteSource,
    TexelKind,
};

impl TexelKind {
    /// Name in variants.
    fn variant(self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::Uint => "uint",
            Self::Pairs => "pairs",
            Self::Bytes => "bytes",
        }
    }
}

impl Bones {
    /// Name in variants: the encoding, the texels and the interpolation.
    fn variant(self) -> String {
        let kind = match self.kind {
            BoneKind::Rows => "bone-matrix",
            BoneKind::Columns => "bone-matrix-columns",
            BoneKind::Dual => "bone-dq",
            BoneKind::Rotation => "bone-qt",
            BoneKind::Scaled => "bone-qt-scaled",
            BoneKind::Axes => "virtual-bones",
            BoneKind::Planes => "virtual-bones-planes",
            BoneKind::SplitPlanes => "virtual-bones-split",
        };
        let interpolation = match self.interpolation {
            InterpolationKind::Linear => "linear",
            InterpolationKind::Nlerp => "nlerp",
            InterpolationKind::Slerp => "slerp",
            InterpolationKind::SlerpVertices => "slerp-vertices",
        };
        format!("{kind}.{}.{interpolation}", self.texels.variant())
    }
}

impl Deform {
    /// Name of the functions of this technique for engines, such as `bone-qt.uint.nlerp.lbs`; `None` where engines have none:
    /// vertices that no texture animates, layouts of P3, and the methods `cor` and `sclerp`.
    pub fn variant(self) -> Option<String> {
        match self {
            Self::Static | Self::Copied => None,
            Self::VertexCurves => Some("vertex-curves".to_owned()),
            Self::Vertices {
                texels,
                normals,
                is_ray,
                is_octahedral,
            } => {
                let encoding = if is_ray { "vertex-ray" } else { "vertex" };
                let code = if is_octahedral { "octahedral" } else { "xyz" };
                // Octahedral normals are bytes, and others floats.
                let is_stored = (normals == TexelKind::Bytes) == is_octahedral;
                is_stored.then(|| format!("{encoding}.{}.{code}", texels.variant()))
            }
            Self::Skinned {
                joints,
                influences,
                method,
                morphs,
            } => {
                let source = match joints {
                    Joints::Bones(bones) => bones.variant(),
                    Joints::Palette => "palette".to_owned(),
                    Joints::DualPalette | Joints::StretchPalette => return None,
                };
                let morphs = match morphs {
                    Morphs::None => String::new(),
                    Morphs::Rest => ".morphs-rest".to_owned(),
                    Morphs::Set(texels) => format!(".morphs-{}", texels.variant()),
                    Morphs::Palette => return None,
                };
                let is_offered =
                    influences == InfluenceSource::Attributes && method.is_for_engines();
                is_offered.then(|| format!("{source}.{}{morphs}", method.name()))
            }
        }
    }
}

impl PaletteSource {
    /// Name of the functions that fill a palette from this source, such as `fill-palette.curves`; `None` as for
    /// [`Deform::variant`], and for interpolation along arcs, which needs two poses.
    pub fn variant(self) -> Option<String> {
        match self {
            Self::Curves => Some("fill-palette.curves".to_owned()),
            Self::Bones(bones) => {
                let is_offered = !bones.kind.is_planes()
                    && bones.interpolation != InterpolationKind::SlerpVertices;
                is_offered.then(|| format!("fill-palette.{}", bones.variant()))
            }
        }
    }
}
