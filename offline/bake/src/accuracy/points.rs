//! Single vertices of a playback, without normals.

use glam::DVec3;
use throng_format::decode::{
    self, BonePose, FramePair, VertexOffsets, slerp_vertex, vertex_center,
};
use throng_format::{BoneLayout, FrameInterpolation, Layout, TextureSet};
use throng_rig::{CacheCursors, Character, CharacterPose, LocalPose, ModelPose, Palette, Skinning};
use throng_skin::reference::skin_position;

use super::set::SetPlayback;
use super::skinner::Palettes;
use super::source::SourcePlayback;

/// Plays single vertices.
pub trait PointPlayer: Send {
    /// Decodes the pose at a time, in seconds from the clip's start.
    fn seek(&mut self, clip: usize, time_secs: f64);

    /// Palettes of the pose, one per skin; empty where they alone do not move the vertices.
    fn palettes(&self) -> &[Palette];

    /// Position of a vertex in the pose, in metres.
    fn position(&self, part: usize, vertex: usize) -> DVec3;
}

impl SourcePlayback<'_> {
    /// Returns a player of single vertices.
    pub fn points(&self) -> Box<dyn PointPlayer + '_> {
        Box::new(SourcePoints {
            playback: self,
            local: LocalPose::rest(self.character()),
            points: SkinnedPoints::new(self.character(), self.skinning()),
        })
    }
}

impl SetPlayback<'_> {
    /// Returns a player of single vertices of the whole set.
    pub fn points(&self) -> Box<dyn PointPlayer + '_> {
        let set = self.set();
        let manifest = set.manifest();
        let skinned = || SkinnedPoints::new(set.model(), manifest.method);
        match (&manifest.layout, manifest.interpolation) {
            (Layout::Vertices(_) | Layout::VertexCurves(_), _) => Box::new(VertexPoints::new(set)),
            (Layout::Bones(layout), FrameInterpolation::SlerpVertices) => Box::new(ArcPoints {
                set,
                layout,
                bones: BonePose::rest(set.model()),
                frames: [skinned(), skinned()],
                fraction: 0.0,
            }),
            (Layout::Bones(_) | Layout::JointCurves(_), _) => Box::new(BonePoints {
                set,
                bones: BonePose::rest(set.model()),
                points: skinned(),
            }),
        }
    }
}

/// A posed character whose vertices are skinned one by one.
struct SkinnedPoints<'a> {
    character: &'a Character,
    skinning: Skinning,
    model: ModelPose,
    palettes: Palettes,
    morph_weights: Vec<f64>,
    caches: CacheCursors,
}

impl<'a> SkinnedPoints<'a> {
    fn new(character: &'a Character, skinning: Skinning) -> Self {
        let rest = CharacterPose::rest(character);
        Self {
            character,
            skinning,
            model: rest.model,
            palettes: Palettes::new(character, skinning),
            morph_weights: rest.local.morph_weights,
            caches: CacheCursors::default(),
        }
    }

    /// Computes the palettes of the model pose, and reads the frames of vertex caches.
    fn update_palettes(&mut self) {
        self.palettes.update(self.character, &self.model);
        self.caches.seek(self.character, &self.morph_weights);
    }

    fn position(&self, part: usize, vertex: usize) -> DVec3 {
        let cursor = self.caches.of_part(part);
        let part = &self.character.parts()[part];
        let weights = &self.morph_weights[self.character.morph_range(part)];
        let (mesh, palette) = (
            self.character.mesh_of(part),
            &self.palettes.palettes[part.skin],
        );
        skin_position(self.skinning, mesh, weights, palette, vertex, cursor)
    }
}

struct SourcePoints<'a> {
    playback: &'a SourcePlayback<'a>,
    local: LocalPose,
    points: SkinnedPoints<'a>,
}

impl PointPlayer for SourcePoints<'_> {
    fn seek(&mut self, clip: usize, time_secs: f64) {
        let character = self.playback.character();
        let (clip, time_secs) = self.playback.locate(clip, time_secs);
        self.local.sample(character, clip, time_secs);
        let points = &mut self.points;
        points.model.resolve(character.skeleton(), &self.local);
        points.morph_weights.clone_from(&self.local.morph_weights);
        points.update_palettes();
    }

    fn palettes(&self) -> &[Palette] {
        &self.points.palettes.palettes
    }

    fn position(&self, part: usize, vertex: usize) -> DVec3 {
        self.points.position(part, vertex)
    }
}

struct BonePoints<'a> {
    set: &'a TextureSet,
    bones: BonePose,
    points: SkinnedPoints<'a>,
}

impl PointPlayer for BonePoints<'_> {
    fn seek(&mut self, clip: usize, time_secs: f64) {
        decode::bones(self.set, clip, time_secs, &mut self.bones);
        let (bones, points) = (&self.bones, &mut self.points);
        let joints = &mut points.model.model_from_joint;
        joints.clone_from(&bones.model_from_joint);
        points.morph_weights.clone_from(&bones.morph_weights);
        points.update_palettes();
    }

    fn palettes(&self) -> &[Palette] {
        &self.points.palettes.palettes
    }

    fn position(&self, part: usize, vertex: usize) -> DVec3 {
        self.points.position(part, vertex)
    }
}

/// Vertices that follow arcs between frames.
struct ArcPoints<'a> {
    set: &'a TextureSet,
    layout: &'a BoneLayout,
    bones: BonePose,
    frames: [SkinnedPoints<'a>; 2],
    fraction: f64,
}

impl PointPlayer for ArcPoints<'_> {
    fn seek(&mut self, clip: usize, time_secs: f64) {
        // Morph weights are those of the time itself.
        decode::bones(self.set, clip, time_secs, &mut self.bones);
        let pair = FramePair::in_set(self.set, clip, time_secs);
        self.fraction = pair.fraction;
        for (frame, points) in [pair.first, pair.second].into_iter().zip(&mut self.frames) {
            let joints = &mut points.model.model_from_joint;
            decode::frame_bones(self.set, self.layout, frame, joints);
            points.morph_weights.clone_from(&self.bones.morph_weights);
            points.update_palettes();
        }
    }

    fn palettes(&self) -> &[Palette] {
        &[]
    }

    fn position(&self, part: usize, vertex: usize) -> DVec3 {
        let model = self.set.model();
        let (influences, skin) = {
            let part = &model.parts()[part];
            (model.mesh_of(part).influences(), model.skin_of(part))
        };
        let frames = self.frames.each_ref();
        let positions = frames.map(|frame| frame.position(part, vertex));
        let centres = frames
            .map(|frame| vertex_center(influences.of(vertex), skin, &frame.model.model_from_joint));
        slerp_vertex(positions, centres, self.fraction)
    }
}

struct VertexPoints<'a> {
    set: &'a TextureSet,
    offsets: VertexOffsets<'a>,
    /// First unique position of each part.
    first_positions: Vec<usize>,
}

impl<'a> VertexPoints<'a> {
    fn new(set: &'a TextureSet) -> Self {
        let mut next = 0;
        let first = |part: &throng_rig::Part| {
            let first = next;
            next += set.model().mesh_of(part).unique().position_count();
            first
        };
        Self {
            set,
            offsets: VertexOffsets::at(set, 0, 0.0),
            first_positions: set.model().parts().iter().map(first).collect(),
        }
    }
}

impl PointPlayer for VertexPoints<'_> {
    fn seek(&mut self, clip: usize, time_secs: f64) {
        self.offsets = VertexOffsets::at(self.set, clip, time_secs);
    }

    fn palettes(&self) -> &[Palette] {
        &[]
    }

    fn position(&self, part: usize, vertex: usize) -> DVec3 {
        let model = self.set.model();
        let unique = model.mesh_of(&model.parts()[part]).unique();
        let item = self.first_positions[part] + unique.position_of()[vertex] as usize;
        self.set.rest().positions[item].as_dvec3() + self.offsets.offset(item as u32)
    }
}
