//! Steps of techniques that are switched off, to measure their cost.

use throng_shaders::{Deform, Joints, PaletteSource};

use crate::pose_source::PoseSource;
use crate::{GpuError, Instancing};

/// Steps of a technique that are switched off, to measure what each of them costs. For benchmarks: pictures are wrong,
/// but for [`DrawOrder`].
///
/// By default every step is on. All combinations work. A switch that does not apply to a technique is refused with
/// [`GpuError::SwitchNeeds`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Switches {
    /// Interpolation between the frames of a bone texture or of `vertex`. Off: shaders read the earlier of two frames
    /// alone, which halves their texel reads. At the very end of a clip, that is the last frame but one.
    pub interpolation: Step,
    /// Skinning in shaders. Off: joints are still read, decoded and blended, but vertices are drawn in the bind pose.
    pub skinning: Step,
    /// Number of influences that are read per vertex.
    pub influences: InfluenceLimit,
    /// Evaluation of skeletons by the CPU, for `palette-matrix` and `palette-dq`.
    pub skeleton: SkeletonEvaluation,
    /// Upload of palettes by the CPU, for `palette-matrix` and `palette-dq`. Off: palettes are uploaded in the first frame
    /// and whenever the number of instances changes, but in no other.
    pub upload: Step,
    /// Order of draw calls, for [`Instancing::Loop`].
    pub draw_order: DrawOrder,
}

/// A step that is on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Step {
    /// The step is done.
    #[default]
    On,
    /// The step is left out.
    Off,
}

/// Number of influences that shaders read per vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum InfluenceLimit {
    /// All influences.
    #[default]
    None,
    /// The heaviest influences of a vertex, at most so many; 0 counts as 1. Their weights stay as they are, so that they
    /// may sum to less than 1: LBS then draws vertices nearer to the origin, and DQS normalises.
    AtMost(u32),
}

/// Evaluation of skeletons by the CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SkeletonEvaluation {
    /// Clips are sampled and palettes computed for every instance and frame.
    #[default]
    EachFrame,
    /// Palettes of every clip are computed once, when the model is made. Each frame copies the palette of the sample that
    /// is nearest in time. Instances that cross-fade show the clip with the larger weight.
    Cached {
        /// Samples per second; at least 1.
        rate_hz: u32,
    },
    /// The palettes of the first frame are kept until the number of instances changes.
    FirstFrame,
}

/// Order of the draw calls of [`Instancing::Loop`]. Pictures are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DrawOrder {
    /// All instances of a part, then the next part. Buffers are bound once per draw of the crowd, and the pipeline once per
    /// part.
    #[default]
    PartsFirst,
    /// All parts of an instance, then the next instance. The pipeline, the vertex buffers and the index buffer are bound for
    /// every part of every instance, as renderers do that keep each mesh in buffers of its own.
    InstancesFirst,
}

impl InfluenceLimit {
    pub(crate) fn max(self) -> Option<usize> {
        match self {
            Self::None => None,
            Self::AtMost(limit) => Some(limit.max(1) as usize),
        }
    }
}

impl Switches {
    /// Errors if a switch does not apply.
    pub(crate) fn check(
        &self,
        deforms: &[Deform],
        source: &PoseSource,
        instancing: Instancing,
    ) -> Result<(), GpuError> {
        let reads_frames = |deform: &Deform| {
            let is_bones = |joints: &Joints| matches!(joints, Joints::Bones(_));
            match deform {
                Deform::Vertices { .. } => true,
                Deform::Skinned { joints, .. } => is_bones(joints),
                Deform::Static | Deform::Copied | Deform::VertexCurves => false,
            }
        };
        let is_skinned = |deform: &Deform| matches!(deform, Deform::Skinned { .. });
        let has_frames = deforms.iter().any(reads_frames)
            || matches!(source, PoseSource::Pass(PaletteSource::Bones(_)));
        let has_skinning = deforms.iter().any(is_skinned);
        let has_palettes = source.is_cpu_palette();
        let skinning = "a technique that skins in shaders";
        let palettes = "palette-matrix or palette-dq";
        let on = Self::default();
        let is_slow = self.skeleton == SkeletonEvaluation::Cached { rate_hz: 0 };
        // Each switch, whether it is used, whether it may be, and what it needs.
        let used = [
            (
                "interpolation",
                self.interpolation != on.interpolation,
                has_frames,
                "a bone texture or frames of vertices",
            ),
            (
                "skinning",
                self.skinning != on.skinning,
                has_skinning,
                skinning,
            ),
            (
                "influences",
                self.influences != on.influences,
                has_skinning,
                skinning,
            ),
            (
                "skeleton",
                self.skeleton != on.skeleton,
                has_palettes,
                palettes,
            ),
            ("skeleton", is_slow, false, "a rate of at least 1 Hz"),
            ("upload", self.upload != on.upload, has_palettes, palettes),
            (
                "draw_order",
                self.draw_order != on.draw_order,
                instancing == Instancing::Loop,
                "Instancing::Loop",
            ),
        ];
        let refused = used
            .into_iter()
            .find(|(_, is_used, is_allowed, _)| *is_used && !is_allowed);
        match refused {
            None => Ok(()),
            Some((switch, _, _, needs)) => Err(GpuError::SwitchNeeds { switch, needs }),
        }
    }
}
