//! Playback of sets whose vertices follow arcs between frames: [`throng_format::FrameInterpolation::SlerpVertices`].

use throng_format::decode::{
    self, BonePose, FramePair, slerp_positions, slerp_vertex, vertex_center,
};
use throng_format::{BoneLayout, TextureSet};

use super::playback::{Played, Player};
use super::skinner::Skinner;

/// Skins both frames and interpolates vertices between them.
pub(super) struct ArcPlayer<'a> {
    set: &'a TextureSet,
    layout: &'a BoneLayout,
    skinner: Skinner<'a>,
    bones: BonePose,
    frames: [Played; 2],
}

impl<'a> ArcPlayer<'a> {
    pub fn new(set: &'a TextureSet, layout: &'a BoneLayout, skinner: Skinner<'a>) -> Self {
        let bones = BonePose::rest(skinner.model);
        let frame = Played {
            model_from_joint: bones.model_from_joint.clone(),
            ..Played::default()
        };
        Self {
            set,
            layout,
            skinner,
            bones,
            frames: [frame.clone(), frame],
        }
    }
}

impl Player for ArcPlayer<'_> {
    fn play(&mut self, clip: usize, time_secs: f64, out: &mut Played) {
        decode::bones(self.set, clip, time_secs, &mut self.bones);
        let pair = FramePair::in_set(self.set, clip, time_secs);
        for (frame, played) in [pair.first, pair.second].into_iter().zip(&mut self.frames) {
            let mut joints = std::mem::take(&mut played.model_from_joint);
            decode::frame_bones(self.set, self.layout, frame, &mut joints);
            self.skinner
                .skin(&joints, &self.bones.morph_weights, played);
            played.model_from_joint = joints;
        }
        let (model, [from, to]) = (self.skinner.model, &self.frames);
        out.set_parts(model.parts().len());
        for (index, part) in model.parts().iter().enumerate() {
            let (influences, skin) = (model.mesh_of(part).influences(), model.skin_of(part));
            let ([a, b], out) = ([from, to].map(|f| &f.parts[index]), &mut out.parts[index]);
            let position = |v: usize| {
                let centre = [from, to]
                    .map(|frame| vertex_center(influences.of(v), skin, &frame.model_from_joint));
                slerp_vertex([a.positions[v], b.positions[v]], centre, pair.fraction)
            };
            let normal = |v: usize| {
                let (from, to) = (a.normals[v], b.normals[v]);
                slerp_positions(from, to, pair.fraction).normalize_or(from)
            };
            out.positions.clear();
            out.positions.extend((0..a.positions.len()).map(position));
            out.normals.clear();
            out.normals.extend((0..a.normals.len()).map(normal));
            out.tangents.clear();
        }
        out.model_from_joint
            .clone_from(&self.bones.model_from_joint);
    }
}
