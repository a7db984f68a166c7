//! What a set plays, decoded on the CPU and skinned in float64.

use std::borrow::Cow;

use glam::DVec3;
use thiserror::Error;
use throng_format::decode::{self, BonePose, VertexPose};
use throng_format::{Layout, Manifest, TextureSet};
use throng_rig::{Character, CharacterPose, ModelPose, Palette};
use throng_skin::reference::Skinned;
use throng_skin::{Method, ParseMethodError};

use super::playback::{Playback, Played, Player};
use super::probe::Probe;
use super::source::Posed;

/// What a manifest says where each mesh has a method of its own.
pub const OWN_METHOD: &str = "own";

/// Why a set cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the manifest's method: {0}; or '{OWN_METHOD}'")]
pub struct SetMethodError(#[from] ParseMethodError);

/// The method that a set is skinned by; `None` as each mesh says itself.
pub fn method_of(manifest: &Manifest) -> Result<Option<Method>, SetMethodError> {
    match manifest.method.as_str() {
        OWN_METHOD => Ok(None),
        name => Ok(Some(name.parse()?)),
    }
}

/// Plays the clips of a set.
#[derive(Debug, Clone)]
pub struct SetPlayback<'a> {
    set: &'a TextureSet,
    model: Cow<'a, Character>,
    content: Content<'a>,
}

#[derive(Debug, Clone)]
enum Content<'a> {
    Bones(Option<Method>),
    Vertices(Vec<VertexPart<'a>>),
}

/// How a part finds its vertices in a vertex set.
#[derive(Debug, Clone)]
struct VertexPart<'a> {
    /// In metres, one a vertex that is played.
    rest: Vec<DVec3>,
    /// The vertices that are played; none means all.
    only: Option<&'a [u32]>,
}

impl<'a> SetPlayback<'a> {
    /// Plays every vertex.
    pub fn new(set: &'a TextureSet) -> Result<Self, SetMethodError> {
        Self::with_vertices(set, None)
    }

    /// Plays the vertices of a probe alone, one that was made of a character with the same vertices.
    pub fn probe(set: &'a TextureSet, probe: &'a Probe) -> Result<Self, SetMethodError> {
        Self::with_vertices(set, Some(probe))
    }

    fn with_vertices(
        set: &'a TextureSet,
        probe: Option<&'a Probe>,
    ) -> Result<Self, SetMethodError> {
        let method = method_of(set.manifest())?;
        let model = match probe {
            Some(probe) => Cow::Owned(probe.reduce(set.model())),
            None => Cow::Borrowed(set.model()),
        };
        let content = match set.manifest().layout {
            Layout::Bones(_) | Layout::JointTracks(_) => Content::Bones(method),
            Layout::Vertices(_) | Layout::VertexTracks(_) => {
                let rest = rest_vertices(&model).into_iter().enumerate();
                let part = |(part, rest)| VertexPart {
                    rest,
                    only: probe.map(|probe| probe.vertices_of(part)),
                };
                Content::Vertices(rest.map(part).collect())
            }
        };
        Ok(Self {
            set,
            model,
            content,
        })
    }
}

/// Where vertices of each part are when nothing moves: what offsets are added to.
fn rest_vertices(model: &Character) -> Vec<Vec<DVec3>> {
    let parts = model.parts().iter();
    let rest = |mesh: &throng_rig::Mesh| mesh.positions().iter().map(|p| p.as_dvec3()).collect();
    parts.map(|part| rest(model.mesh_of(part))).collect()
}

impl Playback for SetPlayback<'_> {
    fn player(&self) -> Box<dyn Player + '_> {
        match &self.content {
            Content::Bones(method) => Box::new(BonePlayer {
                set: self.set,
                model: &self.model,
                method: *method,
                bones: BonePose::rest(&self.model),
                pose: ModelPose::default(),
                palettes: CharacterPose::rest(&self.model).palettes,
            }),
            Content::Vertices(parts) => Box::new(VertexPlayer {
                set: self.set,
                parts,
                decoded: VertexPose::default(),
            }),
        }
    }
}

struct BonePlayer<'a> {
    set: &'a TextureSet,
    model: &'a Character,
    method: Option<Method>,
    bones: BonePose,
    pose: ModelPose,
    palettes: Vec<Palette>,
}

impl Player for BonePlayer<'_> {
    fn play(&mut self, clip: usize, time_secs: f64, out: &mut Played) {
        decode::bones(self.set, clip, time_secs, &mut self.bones);
        self.pose
            .model_from_joint
            .clone_from(&self.bones.model_from_joint);
        for (palette, skin) in self.palettes.iter_mut().zip(self.model.skins()) {
            palette.update(skin, &self.pose);
        }
        let posed = Posed {
            character: self.model,
            morph_weights: &self.bones.morph_weights,
            palettes: &self.palettes,
            method: self.method,
        };
        out.set_parts(self.model.parts().len());
        for (part, skinned) in self.model.parts().iter().zip(&mut out.parts) {
            posed.skin(part, skinned);
        }
        out.model_from_joint
            .clone_from(&self.bones.model_from_joint);
    }
}

struct VertexPlayer<'a> {
    set: &'a TextureSet,
    parts: &'a [VertexPart<'a>],
    decoded: VertexPose,
}

impl Player for VertexPlayer<'_> {
    fn play(&mut self, clip: usize, time_secs: f64, out: &mut Played) {
        decode::vertices(self.set, clip, time_secs, &mut self.decoded);
        let metres_per_unit = self.set.manifest().axes.metres_per_unit;
        let model = self.set.model();
        out.model_from_joint.clear();
        out.set_parts(self.parts.len());
        let (mut first_position, mut first_normal) = (0, 0);
        for ((part, from), into) in model.parts().iter().zip(self.parts).zip(&mut out.parts) {
            let unique = model.mesh_of(part).unique();
            let positions = &self.decoded.offsets[first_position..];
            let normals = &self.decoded.normals[first_normal..];
            let place = |vertex: usize, rest: DVec3| {
                rest + positions[unique.position_of()[vertex] as usize] * metres_per_unit
            };
            let facing = |vertex: usize| normals[unique.normal_of()[vertex] as usize];
            write_part(from, place, facing, into);
            first_position += unique.position_count();
            first_normal += unique.normal_count();
        }
    }
}

fn write_part(
    part: &VertexPart,
    place: impl Fn(usize, DVec3) -> DVec3,
    facing: impl Fn(usize) -> DVec3,
    out: &mut Skinned,
) {
    out.positions.clear();
    out.normals.clear();
    out.tangents.clear();
    match part.only {
        None => {
            let all = part.rest.iter().enumerate();
            out.positions.extend(all.map(|(v, &rest)| place(v, rest)));
            out.normals.extend((0..part.rest.len()).map(facing));
        }
        Some(only) => {
            let vertices = only.iter().map(|&v| v as usize);
            let placed = vertices.clone().zip(&part.rest);
            out.positions
                .extend(placed.map(|(v, &rest)| place(v, rest)));
            out.normals.extend(vertices.map(facing));
        }
    }
}
