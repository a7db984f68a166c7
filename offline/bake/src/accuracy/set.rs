//! Playback of a set, decoded on the CPU and skinned in float64.

use glam::DVec3;
use throng_format::decode::{self, BonePose, VertexPose};
use throng_format::{BoneLayout, FrameInterpolation, Layout, TextureSet};
use throng_rig::{Character, Skinning};
use throng_skin::reference::Skinned;

use super::arc::ArcPlayer;
use super::playback::{JointPlayer, Playback, Played, Player, PosedPlayback};
use super::probe::Probe;
use super::skinner::{Skinner, SkinningPlayer};

/// Plays the clips of a set.
#[derive(Debug, Clone)]
pub struct SetPlayback<'a> {
    set: &'a TextureSet,
    probe: Option<&'a Probe>,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    Bones {
        /// The set's model, reduced to the probe's vertices.
        reduced: Option<Box<Character>>,
        skinning: Skinning,
    },
    /// Rest positions that offsets are added to: unique positions, parts concatenated.
    Vertices(Vec<DVec3>),
}

impl<'a> SetPlayback<'a> {
    /// Returns a playback of every vertex.
    pub fn new(set: &'a TextureSet) -> Self {
        Self::with_vertices(set, None)
    }

    /// Returns a playback of a probe's vertices. The probe must be of a character with the same vertices.
    pub fn probe(set: &'a TextureSet, probe: &'a Probe) -> Self {
        Self::with_vertices(set, Some(probe))
    }

    pub(super) fn set(&self) -> &'a TextureSet {
        self.set
    }

    /// Returns the layout of a set whose vertices follow arcs between frames.
    fn arc_layout(&self) -> Option<&'a BoneLayout> {
        let manifest = self.set.manifest();
        match (&manifest.layout, manifest.interpolation) {
            (Layout::Bones(layout), FrameInterpolation::SlerpVertices) => Some(layout),
            _ => None,
        }
    }

    fn joints(&self) -> Box<dyn JointPlayer + '_> {
        Box::new(SetJoints {
            set: self.set,
            pose: BonePose::rest(self.set.model()),
        })
    }

    fn with_vertices(set: &'a TextureSet, probe: Option<&'a Probe>) -> Self {
        let skinning = set.manifest().method;
        let content = match set.manifest().layout {
            Layout::Bones(_) | Layout::JointCurves(_) => Content::Bones {
                reduced: probe.map(|probe| Box::new(probe.reduce(set.model()))),
                skinning,
            },
            Layout::Vertices(_) | Layout::VertexCurves(_) => {
                let rest = set.rest().positions.iter();
                Content::Vertices(rest.map(|position| position.as_dvec3()).collect())
            }
        };
        Self {
            set,
            probe,
            content,
        }
    }
}

impl Playback for SetPlayback<'_> {
    fn player(&self) -> Box<dyn Player + '_> {
        match &self.content {
            Content::Bones { reduced, skinning } => {
                let model = reduced.as_deref().unwrap_or(self.set.model());
                let skinner = Skinner::new(model, *skinning);
                match self.arc_layout() {
                    Some(layout) => Box::new(ArcPlayer::new(self.set, layout, skinner)),
                    None => Box::new(SkinningPlayer {
                        joints: self.joints(),
                        skinner,
                    }),
                }
            }
            Content::Vertices(rest) => Box::new(VertexPlayer {
                set: self.set,
                probe: self.probe,
                rest,
                decoded: VertexPose::default(),
            }),
        }
    }

    fn posed(&self) -> Option<PosedPlayback<'_>> {
        match &self.content {
            Content::Bones { reduced, skinning } if self.arc_layout().is_none() => {
                Some(PosedPlayback {
                    character: reduced.as_deref().unwrap_or(self.set.model()),
                    skinning: *skinning,
                    joints: self.joints(),
                })
            }
            Content::Bones { .. } | Content::Vertices(_) => None,
        }
    }
}

/// Decodes joints of a set.
struct SetJoints<'a> {
    set: &'a TextureSet,
    pose: BonePose,
}

impl JointPlayer for SetJoints<'_> {
    fn pose(&mut self, clip: usize, time_secs: f64) -> &BonePose {
        decode::bones(self.set, clip, time_secs, &mut self.pose);
        &self.pose
    }
}

struct VertexPlayer<'a> {
    set: &'a TextureSet,
    probe: Option<&'a Probe>,
    rest: &'a [DVec3],
    decoded: VertexPose,
}

impl Player for VertexPlayer<'_> {
    fn play(&mut self, clip: usize, time_secs: f64, out: &mut Played) {
        decode::vertices(self.set, clip, time_secs, &mut self.decoded);
        let model = self.set.model();
        out.model_from_joint.clear();
        out.set_parts(model.parts().len());
        let (mut first_position, mut first_normal) = (0, 0);
        for (index, (part, skinned)) in model.parts().iter().zip(&mut out.parts).enumerate() {
            let unique = model.mesh_of(part).unique();
            let position = |vertex: usize| {
                let item = first_position + unique.position_of()[vertex] as usize;
                self.rest[item] + self.decoded.offsets[item]
            };
            let normal = |vertex: usize| {
                self.decoded.normals[first_normal + unique.normal_of()[vertex] as usize]
            };
            match self.probe {
                None => write(0..unique.position_of().len(), position, normal, skinned),
                Some(probe) => {
                    let vertices = probe.vertices_of(index).iter().map(|&v| v as usize);
                    write(vertices, position, normal, skinned);
                }
            }
            first_position += unique.position_count();
            first_normal += unique.normal_count();
        }
    }
}

fn write(
    vertices: impl Iterator<Item = usize> + Clone,
    position: impl Fn(usize) -> DVec3,
    normal: impl Fn(usize) -> DVec3,
    out: &mut Skinned,
) {
    out.positions.clear();
    out.positions.extend(vertices.clone().map(position));
    out.normals.clear();
    out.normals.extend(vertices.map(normal));
    out.tangents.clear();
}
