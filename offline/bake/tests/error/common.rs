//! A small character whose errors can be computed by hand, and playbacks that are off by a known amount.

use glam::{DAffine3, DVec3, Vec3};
use throng_bake::accuracy::{ClipToMeasure, Playback, Played, Player};
use throng_rig::{
    Character, CharacterParts, Clip, Influences, Interpolation, Joint, JointKind, JointTracks,
    LoopPolicy, Mesh, Part, Skeleton, Skin, Track, Transform,
};

/// Largest extent of [`character`] at rest, in metres.
pub const SIZE_M: f64 = 2.0;

/// Four vertices, 2 m tall: two with their weight on `root`, two on `tip`.
pub fn character(clips: Vec<Clip>) -> Character {
    scaled_character(1.0, clips)
}

/// [`character`] with scaled joints.
pub fn scaled_character(scale: f64, clips: Vec<Clip>) -> Character {
    let joint = |name: &str, parent, scale, height| Joint {
        name: name.into(),
        parent,
        parent_from_joint: Transform {
            scale: DVec3::splat(scale),
            ..Transform::from_translation(DVec3::Y * height)
        },
        kind: JointKind::Bone,
    };
    let root = joint("root", None, scale, 0.0);
    let tip = joint("tip", Some(0), 1.0, 1.0 / scale);
    let skeleton = Skeleton::new(vec![root, tip]).unwrap();
    let bind = |height| {
        DAffine3::from_scale_rotation_translation(
            DVec3::splat(scale),
            glam::DQuat::IDENTITY,
            DVec3::Y * height,
        )
    };
    let joint_from_bind = [0.0, 1.0].map(|height| bind(height).inverse()).to_vec();
    let skin = Skin::new(String::new(), &skeleton, vec![0, 1], joint_from_bind).unwrap();
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y * 2.0, Vec3::new(0.0, 1.5, 0.5)];
    let influences = [
        vec![(0, 1.0)],
        vec![(0, 0.75), (1, 0.25)],
        vec![(1, 1.0)],
        vec![(0, 0.25), (1, 0.75)],
    ];
    let triangles = vec![[0, 1, 2], [0, 1, 3]];
    let mesh = Mesh::new(positions, triangles, Influences::new(influences).unwrap()).unwrap();
    Character::new(CharacterParts {
        name: "hand-made".into(),
        skeleton,
        skins: vec![skin],
        meshes: vec![mesh],
        parts: vec![Part {
            node: 0,
            node_name: "body".into(),
            primitive: 0,
            mesh: 0,
            skin: 0,
            morph_set: None,
        }],
        morph_sets: vec![],
        clips,
        materials: vec![],
        images: vec![],
    })
    .unwrap()
}

/// Moves `tip` along X by the value of each key.
pub fn clip(name: &str, keys: &[(f64, f32)], interpolation: Interpolation) -> Clip {
    let times: Vec<f64> = keys.iter().map(|(time, _)| *time).collect();
    let values = keys.iter().map(|&(_, x)| Vec3::new(x, 1.0, 0.0)).collect();
    let tracks = JointTracks {
        translation: Some(Track::new(times.into(), values, interpolation).unwrap()),
        ..JointTracks::new(1)
    };
    Clip::new(name.into(), vec![tracks], vec![]).unwrap()
}

/// One second with 30 keys per second, moving in one direction.
pub fn slide(name: &str) -> Clip {
    let keys: Vec<(f64, f32)> = (0..=30u8)
        .map(|k| (f64::from(k) / 30.0, f32::from(k) * 0.01))
        .collect();
    clip(name, &keys, Interpolation::Linear)
}

pub fn once(clips: usize) -> Vec<ClipToMeasure> {
    let to_measure = |source_clip| ClipToMeasure {
        source_clip,
        looping: LoopPolicy::Once,
    };
    (0..clips).map(to_measure).collect()
}

pub fn wrapping(source_clip: usize) -> Vec<ClipToMeasure> {
    vec![ClipToMeasure {
        source_clip,
        looping: LoopPolicy::Wrap,
    }]
}

/// The reference with a change applied.
pub struct Changed<'a, F> {
    pub reference: &'a dyn Playback,
    pub change: F,
}

impl<F: Fn(usize, f64, &mut Played) + Sync> Playback for Changed<'_, F> {
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(ChangedPlayer {
            player: self.reference.player(),
            change: &self.change,
        })
    }
}

struct ChangedPlayer<'a, F> {
    player: Box<dyn Player + 'a>,
    change: &'a F,
}

impl<F: Fn(usize, f64, &mut Played) + Sync> Player for ChangedPlayer<'_, F> {
    fn play(&mut self, clip: usize, time_secs: f64, out: &mut Played) {
        self.player.play(clip, time_secs, out);
        (self.change)(clip, time_secs, out);
    }
}

/// A playback as a bake at a rate would have it: vertices move straight from frame to frame.
pub struct Sampled<'a> {
    pub reference: &'a dyn Playback,
    pub rate_hz: f64,
}

impl Playback for Sampled<'_> {
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(SampledPlayer {
            player: self.reference.player(),
            rate_hz: self.rate_hz,
            next: Played::default(),
        })
    }
}

struct SampledPlayer<'a> {
    player: Box<dyn Player + 'a>,
    rate_hz: f64,
    next: Played,
}

impl Player for SampledPlayer<'_> {
    fn play(&mut self, clip: usize, time_secs: f64, out: &mut Played) {
        let place = time_secs * self.rate_hz;
        let frame = (place + 1e-9).floor();
        let fraction = (place - frame).max(0.0);
        self.player.play(clip, frame / self.rate_hz, out);
        self.player
            .play(clip, (frame + 1.0) / self.rate_hz, &mut self.next);
        out.model_from_joint.clear();
        for (part, next) in out.parts.iter_mut().zip(&self.next.parts) {
            for (a, b) in part.positions.iter_mut().zip(&next.positions) {
                *a = a.lerp(*b, fraction);
            }
            for (a, b) in part.normals.iter_mut().zip(&next.normals) {
                *a = a.lerp(*b, fraction).normalize();
            }
        }
    }
}

/// Asserts equality up to rounding.
pub fn assert_near(found: f64, expected: f64) {
    let slack = 1e-9 * expected.abs().max(1.0);
    assert!((found - expected).abs() <= slack, "{found}, not {expected}");
}
