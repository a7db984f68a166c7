//! Choices of the user: what viewports show, and how it is baked.

use serde::{Deserialize, Serialize};
use throng_format::{Encoding, Precision, Storage};
use throng_rig::{Method, Skinning};
use throng_wgpu::Technique;

/// Number of viewports side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ViewCount {
    /// One viewport.
    One,
    /// Two viewports side by side.
    Two,
    /// Four viewports in a square.
    Four,
}

impl ViewCount {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::Four];

    /// Number of viewports.
    pub fn count(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }
}

/// Content of a viewport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// The source, posed by the CPU and skinned on the GPU from a palette.
    Source,
    /// A technique without a texture set.
    Technique(Technique),
    /// The bake of the parameters.
    Bake,
    /// A bake of the parameters with another encoding.
    Encoding(Encoding),
    /// The set that was opened.
    OpenedSet,
}

impl Show {
    /// All contents, in the order of menus.
    pub fn all() -> impl Iterator<Item = Self> {
        let techniques = [
            Technique::Control,
            Technique::Cpu,
            Technique::PaletteMatrix,
            Technique::PaletteDq,
        ];
        [Self::Source, Self::Bake, Self::OpenedSet]
            .into_iter()
            .chain(techniques.map(Self::Technique))
            .chain(Encoding::ALL.iter().copied().map(Self::Encoding))
    }

    /// Name in menus and captions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Technique(technique) => technique.name(),
            Self::Bake => "bake",
            Self::Encoding(encoding) => encoding.name(),
            Self::OpenedSet => "opened set",
        }
    }

    /// One line about it.
    pub fn about(self) -> &'static str {
        match self {
            Self::Source => "The source, without a bake: joints of the CPU, skinned on the GPU",
            Self::Bake => "The bake of the parameters pane",
            Self::OpenedSet => "The texture set that was opened",
            Self::Technique(Technique::Control) => "The rest pose, without any skinning",
            Self::Technique(Technique::Cpu) => "Skinned on the CPU, vertices uploaded each frame",
            Self::Technique(_) => "Joints of the CPU, skinned on the GPU from a palette",
            Self::Encoding(_) => "The parameters of the bake, with this encoding",
        }
    }

    /// True if it is a texture set.
    pub fn is_set(self) -> bool {
        matches!(self, Self::Bake | Self::Encoding(_) | Self::OpenedSet)
    }
}

/// Content of a viewport and its skinning method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ViewChoice {
    /// Content.
    pub show: Show,
    /// Skinning method; `None` for that of the content.
    pub skinning: Option<Skinning>,
    /// Viewport that this one is compared with: its surface shows the distance in colours.
    pub difference: Option<usize>,
}

impl ViewChoice {
    /// Shows a content with its own method.
    pub fn of(show: Show) -> Self {
        Self {
            show,
            skinning: None,
            difference: None,
        }
    }
}

/// Skinning methods of menus; `None` is that of the content.
pub const METHODS: [(&str, Option<Skinning>); 8] = [
    ("default", None),
    ("lbs", Some(Skinning::Method(Method::Lbs))),
    ("dqs", Some(Skinning::Method(Method::Dqs))),
    ("dqs-plain", Some(Skinning::Method(Method::DqsPlain))),
    ("dqs-direct", Some(Skinning::Method(Method::DqsDirect))),
    ("dqs-sum", Some(Skinning::Method(Method::DqsSum))),
    ("blend", Some(Skinning::Method(Method::Blend(0.5)))),
    (
        "blend-positions",
        Some(Skinning::Method(Method::BlendPositions(0.5))),
    ),
];

/// Returns true if a method blends LBS and DQS by a deform factor.
pub fn is_blend(skinning: Option<Skinning>) -> bool {
    matches!(
        skinning,
        Some(Skinning::Method(
            Method::Blend(_) | Method::BlendPositions(_)
        ))
    )
}

/// Name of a method in menus.
pub fn method_name(skinning: Option<Skinning>) -> &'static str {
    let same = |known: Option<Skinning>| match (known, skinning) {
        (Some(Skinning::Method(known)), Some(Skinning::Method(method))) => {
            std::mem::discriminant(&known) == std::mem::discriminant(&method)
        }
        (known, skinning) => known == skinning,
    };
    let found = METHODS.iter().find(|(_, known)| same(*known));
    found.map_or("as authored", |(name, _)| name)
}

/// Sample rate of a bake.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum RateChoice {
    /// Spacing of the source's keys.
    Native,
    /// The lowest rate within the error.
    Auto,
    /// A fixed rate.
    Hz(f64),
}

/// Limit of a bake.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Budget {
    /// The default error: 0.028 % of the size.
    Default,
    /// Largest error in millimetres.
    ErrorMm(f64),
    /// Largest number of GPU bytes, in units of 1 024.
    KiB(f64),
}

/// Vertices that were split for a hard edge or a seam.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum VertexSharing {
    /// They share one position.
    Shared,
    /// Each has its own.
    Split,
}

/// Effort spent on compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum EffortChoice {
    /// About a tenth of the time of `Normal` for up to a tenth more bytes.
    Fast,
    /// Default effort of the command.
    Normal,
    /// Several times the time for slightly fewer bytes.
    Best,
}

/// Parameters of a bake.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BakeChoice {
    /// Encoding; `None` searches for the best.
    pub encoding: Option<Encoding>,
    /// Storage; `None` is that of the encoding, or searched for.
    pub storage: Option<Storage>,
    /// Sample rate.
    pub rate: RateChoice,
    /// Most influences per vertex; `None` keeps all.
    pub influences: Option<usize>,
    /// Limit of error or bytes.
    pub budget: Budget,
    /// Effort of compression.
    pub effort: EffortChoice,
}

impl Default for BakeChoice {
    fn default() -> Self {
        Self {
            encoding: None,
            storage: None,
            rate: RateChoice::Native,
            influences: None,
            budget: Budget::Default,
            effort: EffortChoice::Fast,
        }
    }
}

impl BakeChoice {
    /// The same with a fixed encoding. A storage that the encoding does not have is left out.
    pub fn with_encoding(self, encoding: Encoding) -> Self {
        let is_possible = |storage: &Storage| encoding.layouts().contains(&storage.layout());
        Self {
            encoding: Some(encoding),
            storage: self.storage.filter(is_possible),
            ..self
        }
    }

    /// Storages that an encoding offers.
    pub fn storages(encoding: Option<Encoding>) -> Vec<Storage> {
        let all = Precision::ALL.iter().copied().map(Storage::Frames);
        let is_possible = |storage: &Storage| {
            encoding.is_none_or(|encoding| encoding.layouts().contains(&storage.layout()))
        };
        all.chain([Storage::Compressed])
            .filter(is_possible)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_that_an_encoding_lacks_is_left_out() {
        let choice = BakeChoice {
            storage: Some(Storage::Compressed),
            ..BakeChoice::default()
        };
        assert_eq!(choice.with_encoding(Encoding::BoneQt).storage, None);
        assert_eq!(
            choice.with_encoding(Encoding::Vertex).storage,
            Some(Storage::Compressed)
        );
    }

    #[test]
    fn methods_are_named_whatever_their_factor() {
        let blend = |factor| Some(Skinning::Method(Method::Blend(factor)));
        assert_eq!(method_name(blend(0.25)), "blend");
        assert_eq!(method_name(None), "default");
        assert!(is_blend(blend(0.1)));
    }
}
