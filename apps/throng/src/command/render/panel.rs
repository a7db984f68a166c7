//! One panel of an image: a technique and its crowd.

use std::sync::Arc;

use throng_format::Storage;
use throng_rig::{Character, LoopPolicy, Method, Skinning};
use throng_wgpu::{Crowd, Fade, Instance, Play, Technique};

/// A technique with its crowd.
pub struct Panel {
    pub info: PanelInfo,
    pub crowd: Crowd,
    /// Other characters of a party, drawn in the same picture.
    pub others: Vec<Panel>,
}

/// Description of a panel.
pub struct PanelInfo {
    pub technique: Technique,
    /// Title of the panel.
    pub title: String,
    /// Storage of a texture technique.
    pub storage: Option<Storage>,
    /// Skinning of the crowd.
    pub skinning: Skinning,
    /// For each clip of the source: its index in the panel, and its loop policy there.
    pub clips: Vec<(u32, LoopPolicy)>,
    /// Character or model of a set that is drawn.
    pub model: Arc<Character>,
    /// Character that vertices are compared with; `None` if there is none.
    pub reference: Option<Arc<Character>>,
    /// False if the method is another than that of the set, whose bounding boxes do not hold then.
    pub has_bounds: bool,
}

impl PanelInfo {
    /// Returns instances whose clips are those of the panel. Those of `instances` are indices into the source's clips.
    pub fn instances(&self, instances: &[Instance]) -> Vec<Instance> {
        let translated = |play: Play| {
            let index = |clip: u32| self.clips.get(clip as usize).map_or(0, |&(index, _)| index);
            match play {
                Play::Running { clip, start, speed } => Play::Running {
                    clip: index(clip),
                    start,
                    speed,
                },
                Play::Held { clip, time_secs } => Play::held(index(clip), time_secs),
            }
        };
        let instance = |instance: &Instance| Instance {
            play: translated(instance.play),
            fade: instance.fade.map(|fade| Fade {
                to: translated(fade.to),
                ..fade
            }),
            ..*instance
        };
        instances.iter().map(instance).collect()
    }

    /// Returns the loop policy of a clip of the source.
    pub fn looping(&self, clip: usize) -> LoopPolicy {
        self.clips
            .get(clip)
            .map_or(LoopPolicy::Wrap, |&(_, looping)| looping)
    }

    /// Returns true if the method of a mesh blends LBS and DQS.
    pub fn blends(&self) -> bool {
        let mut meshes = self.model.meshes().iter();
        meshes.any(|mesh| {
            let method = self.skinning.method_of_mesh(mesh);
            method.is_none_or(|m| matches!(m, Method::Blend(_) | Method::BlendPositions(_)))
        })
    }

    /// Returns true if the method that runs is that of the file.
    pub fn is_as_authored(&self) -> bool {
        self.skinning == Skinning::AsAuthored && self.technique != Technique::Control
    }

    /// Returns the skinning method that runs. As authored, that of each mesh.
    pub fn method(&self) -> String {
        if self.technique == Technique::Control {
            return "none".into();
        }
        let mut names: Vec<String> = Vec::new();
        for mesh in self.model.meshes() {
            let name = match self.skinning.method_of_mesh(mesh) {
                Some(method) => method.to_string(),
                None if self.skinning == Skinning::BlendAuto => self.skinning.to_string(),
                None => "blend per vertex".into(),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(" and ")
    }
}
