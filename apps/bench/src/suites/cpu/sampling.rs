//! Contests of sampling a crowd: from a clip and times to `model_from_joint`, by our samplers and by plain ones.

use std::cell::{Cell, RefCell};
use std::hint::black_box;

use glam::{Affine3A, DAffine3, DQuat, DVec3, Vec3};
use throng_rig::{CrowdClip, CrowdPalette, CrowdPose, Mat3x4, Skin};
use throng_simd::Level;

use super::check::{checked, largest};
use super::crowd::{FRAMES, INSTANCES, Order, skeleton, walk};
use super::plain_sampler::PlainSampler;
use crate::contest::Pair;
use crate::cpu_arena::CpuArena;
use crate::record::Entrant;

/// Frame whose poses are compared.
const CHECKED_FRAME: usize = 7;

/// A contestant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contestant {
    /// Plain sampler, with the flags of the build or compiled for a level.
    Plain(Option<Level>),
    /// Our sampler on one core, with the instructions of a level.
    Ours(Level),
    /// Our sampler on all cores.
    AllCores,
    /// Our sampler on one core, and the palettes of a skin.
    WithPalette,
}

impl Contestant {
    /// The plain samplers.
    pub fn plain() -> Vec<Self> {
        let has_avx2 = Level::Avx2.is_available();
        let avx2 = has_avx2.then_some(Self::Plain(Some(Level::Avx2)));
        [Self::Plain(None)].into_iter().chain(avx2).collect()
    }

    /// Our sampler on one core, with the widest instructions.
    pub fn ours() -> Self {
        Self::Ours(Level::detect().min(Level::Avx2))
    }

    /// All contestants.
    pub fn all() -> Vec<Self> {
        let mut all = Self::plain();
        all.push(Self::Ours(Level::Portable));
        if Self::ours() != Self::Ours(Level::Portable) {
            all.push(Self::ours());
        }
        all.extend([Self::AllCores, Self::WithPalette]);
        all
    }

    /// Name within a section.
    pub fn name(self) -> String {
        match self {
            Self::Plain(None) => "plain".into(),
            Self::Plain(Some(level)) => format!("plain, compiled for {level}"),
            Self::Ours(level) => format!("throng, {level}"),
            Self::AllCores => "throng, all cores".into(),
            Self::WithPalette => "throng, with palette".into(),
        }
    }
}

/// A crowd, the samplers, and their buffers.
pub struct Workload {
    joints: usize,
    plain: PlainSampler,
    crowd: CrowdClip,
    portable: CrowdClip,
    skin: Skin,
    plain_out: RefCell<Vec<Affine3A>>,
    pose: RefCell<CrowdPose>,
    palette: RefCell<CrowdPalette>,
    /// Times of all instances, frame by frame.
    times_secs: Vec<Vec<f64>>,
}

impl Workload {
    /// Makes the crowd.
    pub fn new(order: Order) -> Self {
        let skeleton = skeleton();
        let clip = walk(&skeleton);
        let joints = skeleton.len();
        let bind = vec![joint_from_bind(); joints];
        let skin = Skin::new(String::new(), &skeleton, (0..joints).collect(), bind);
        Self {
            joints,
            plain: PlainSampler::new(&skeleton, &clip),
            crowd: CrowdClip::new(&skeleton, &clip),
            portable: CrowdClip::new(&skeleton, &clip).with_simd_level(Level::Portable),
            skin: skin.expect("one inverse bind matrix per joint"),
            plain_out: RefCell::new(vec![Affine3A::IDENTITY; INSTANCES * joints]),
            pose: RefCell::default(),
            palette: RefCell::default(),
            times_secs: (0..FRAMES).map(|frame| order.times_secs(frame)).collect(),
        }
    }

    /// Number of joints of a character.
    pub fn joints(&self) -> usize {
        self.joints
    }

    /// Contestants, each checked once, and the pairs that are compared. A run samples the next frame.
    pub fn contest(&self) -> (Vec<Entrant>, CpuArena<'_>, Vec<Pair>) {
        let mut all = Contestant::all();
        all.insert(0, all[0]);
        let mut arena = CpuArena::default();
        let mut entrants = Vec::new();
        for (at, &contestant) in all.iter().enumerate() {
            let frame = Cell::new(0);
            arena.add(INSTANCES as u32, move || {
                self.run(contestant, &self.times_secs[frame.get()]);
                frame.set((frame.get() + 1) % FRAMES);
            });
            let mut entrant = checked(contestant.name(), "", self.error_m(contestant), None);
            if at == 1 {
                entrant.name += " again";
            }
            entrants.push(entrant);
        }
        (entrants, arena, pairs(&all))
    }

    fn run(&self, contestant: Contestant, times_secs: &[f64]) {
        let times_secs = black_box(times_secs);
        let pose = &mut *self.pose.borrow_mut();
        match contestant {
            Contestant::Plain(level) => {
                let out = &mut self.plain_out.borrow_mut()[..];
                match level {
                    None => self.plain.sample(times_secs, out),
                    Some(level) => self.plain.sample_at(level, times_secs, out),
                }
                black_box(out);
            }
            Contestant::Ours(Level::Portable) => self.portable.sample(times_secs, pose),
            Contestant::Ours(_) => self.crowd.sample(times_secs, pose),
            Contestant::AllCores => self.crowd.sample_parallel(times_secs, pose),
            Contestant::WithPalette => {
                self.crowd.sample(times_secs, pose);
                let mut palette = self.palette.borrow_mut();
                palette.update(&self.skin, pose);
                black_box(&*palette);
            }
        }
        black_box(pose);
    }

    /// Largest distance of a joint from the plain sampler with the flags of the build, in metres.
    fn error_m(&self, contestant: Contestant) -> f64 {
        let times_secs = &self.times_secs[CHECKED_FRAME];
        let mut expected = vec![Affine3A::IDENTITY; INSTANCES * self.joints];
        self.plain.sample(times_secs, &mut expected);
        self.run(contestant, times_secs);
        let model_from_bind = |joint: Affine3A| {
            let bind = joint_from_bind().translation.as_vec3();
            joint.transform_point3(bind)
        };
        let distances = expected.into_iter().enumerate().map(|(index, joint)| {
            let (instance, of) = (index / self.joints, index % self.joints);
            let (found, expected) = match contestant {
                Contestant::Plain(_) => {
                    let found = self.plain_out.borrow()[index].translation;
                    (found.into(), joint.translation.into())
                }
                Contestant::WithPalette => {
                    let palette = self.palette.borrow();
                    let found = translation(palette.instance(instance)[of]);
                    (found, model_from_bind(joint))
                }
                Contestant::Ours(_) | Contestant::AllCores => {
                    let found = translation(self.pose.borrow().model_from_joint(instance, of));
                    (found, joint.translation.into())
                }
            };
            f64::from(found.distance(expected))
        });
        largest(distances)
    }
}

/// Inverse bind matrix of all joints.
fn joint_from_bind() -> DAffine3 {
    DAffine3::from_rotation_translation(DQuat::from_rotation_x(0.3), DVec3::ONE)
}

fn translation(rows: Mat3x4) -> Vec3 {
    rows.map(|row| row[3]).into()
}

/// The A/A pair; ours against every plain sampler; all cores and palettes against ours on one core.
fn pairs(all: &[Contestant]) -> Vec<Pair> {
    let index = |wanted: Contestant| {
        let found = all.iter().position(|&one| one == wanted);
        found.expect("a contestant of the list")
    };
    let ours = index(Contestant::ours());
    let mut pairs = vec![Pair::same(1, 0)];
    for plain in Contestant::plain() {
        pairs.push(Pair::of(ours, index(plain)));
        let portable = index(Contestant::Ours(Level::Portable));
        if portable != ours {
            pairs.push(Pair::of(portable, index(plain)));
        }
    }
    for contestant in [Contestant::AllCores, Contestant::WithPalette] {
        pairs.push(Pair::of(index(contestant), ours));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Status;

    #[test]
    fn all_contestants_compute_the_same_poses() {
        for order in Order::ALL {
            let workload = Workload::new(order);
            let (entrants, arena, pairs) = workload.contest();
            assert_eq!(entrants.len(), arena.len());
            assert!(pairs.iter().all(|pair| pair.entrant < arena.len()));
            for entrant in entrants {
                assert_eq!(entrant.status, Status::Measured, "{}", entrant.name);
                assert!(entrant.picture_error_mm.is_some(), "{}", entrant.name);
            }
        }
    }

    #[test]
    fn poses_of_another_time_are_wrong() {
        let mut workload = Workload::new(Order::Forward);
        workload.crowd = {
            let skeleton = skeleton();
            let mut joints = walk(&skeleton).joints().to_vec();
            joints.swap(1, 2);
            let tracks = joints.into_iter().enumerate();
            let tracks = tracks.map(|(joint, tracks)| throng_rig::JointTracks { joint, ..tracks });
            let clip = throng_rig::Clip::new("swapped".into(), tracks.collect(), vec![]).unwrap();
            CrowdClip::new(&skeleton, &clip)
        };
        let (entrants, ..) = workload.contest();
        for entrant in entrants {
            let is_wrong = matches!(entrant.status, Status::WrongPicture { .. });
            let is_ours = entrant.name.starts_with("throng") && entrant.name != "throng, portable";
            assert_eq!(is_wrong, is_ours, "{}", entrant.name);
        }
    }
}
