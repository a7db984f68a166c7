//! Animations as clips.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use glam::{Quat, Vec3};
use throng_rig::{Clip, Interpolation, JointTracks, MorphTrack, Track, TrackError};

use super::document::{Document, label};
use super::schema;
use super::skeleton::Joints;
use crate::Warning;
use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::MAX_CLIP_SECS;
use crate::warning::count;

/// What clips may move.
pub(super) struct Targets<'r> {
    pub joints: &'r Joints,
    /// The morph set of each node that has one, and how many weights it has.
    pub morph_sets: &'r BTreeMap<usize, (usize, usize)>,
}

/// All animations, in the file's order: an empty one stays, so that indices do not shift.
pub(super) fn build(
    document: &Document,
    targets: &Targets,
    warnings: &mut Vec<Warning>,
) -> Outcome<Vec<Clip>> {
    let mut reader = Reader {
        document,
        targets,
        times: HashMap::new(),
    };
    (0..document.root.animations.len())
        .map(|index| reader.clip(index, warnings))
        .collect()
}

struct Reader<'r, 'a> {
    document: &'r Document<'a>,
    targets: &'r Targets<'r>,
    /// Samplers of a file mostly share their times.
    times: HashMap<usize, KeyTimes>,
}

/// The times of an accessor, each once.
#[derive(Clone)]
struct KeyTimes {
    kept: Arc<[f64]>,
    /// Keys to leave out because the next has the same time.
    dropped: Arc<[usize]>,
}

/// Keys of one channel, sorted out.
struct Keys<'r> {
    times: KeyTimes,
    output: usize,
    interpolation: Interpolation,
    clip: &'r str,
    node: String,
}

impl Reader<'_, '_> {
    fn clip(&mut self, index: usize, warnings: &mut Vec<Warning>) -> Outcome<Clip> {
        let animation = &self.document.root.animations[index];
        let object = label("animation", index, &animation.name);
        let mut joints: BTreeMap<usize, JointTracks> = BTreeMap::new();
        let mut morphs: BTreeMap<usize, MorphTrack> = BTreeMap::new();
        let mut left_out = 0;
        for (number, channel) in animation.channels.iter().enumerate() {
            let keys = self.keys(animation, channel, number, &object, warnings)?;
            let Some(node) = channel.target.node else {
                warnings.push(Warning::ChannelIgnored {
                    clip: object.clone(),
                    reason: format!("channel {number} names no node"),
                });
                continue;
            };
            let known = match channel.target.path.as_str() {
                "weights" => self.morph_channel(node, &keys, &mut morphs, warnings)?,
                path => self.joint_channel(node, path, &keys, &mut joints, warnings)?,
            };
            left_out += usize::from(!known);
        }
        if left_out > 0 {
            warnings.push(Warning::ChannelIgnored {
                clip: object.clone(),
                reason: format!(
                    "{} nothing that is drawn",
                    count(left_out, "channel moves", "channels move")
                ),
            });
        }
        if joints.is_empty() && morphs.is_empty() {
            warnings.push(Warning::ClipEmpty {
                clip: object.clone(),
            });
        }
        let clip = Clip::new(
            animation.name.clone(),
            joints.into_values().collect(),
            morphs.into_values().collect(),
        )
        .map_err(|error| Fault::data(object.as_str(), error))?;
        if clip.duration_secs() > MAX_CLIP_SECS {
            let problem = format!("lasts {:e} s", clip.duration_secs());
            return Err(Fault::limit(
                object,
                problem,
                "MAX_CLIP_SECS",
                MAX_CLIP_SECS,
            ));
        }
        Ok(clip)
    }

    /// Reads a channel's times.
    fn keys<'r>(
        &mut self,
        animation: &schema::Animation,
        channel: &schema::Channel,
        number: usize,
        clip: &'r str,
        warnings: &mut Vec<Warning>,
    ) -> Outcome<Keys<'r>> {
        let object = format!("{clip} channel {number}");
        let sampler =
            self.document
                .get(&animation.samplers, "sampler", channel.sampler, &object)?;
        let interpolation = match sampler.interpolation.as_deref() {
            Some("STEP") => Interpolation::Step,
            None | Some("LINEAR") => Interpolation::Linear,
            Some("CUBICSPLINE") => Interpolation::CubicSpline,
            Some(other) => {
                return Err(Fault::new(
                    ErrorKind::Unsupported,
                    object,
                    format_args!("interpolation '{other}' is none of glTF's"),
                ));
            }
        };
        let node = match channel.target.node {
            Some(node) => {
                self.document
                    .get(&self.document.root.nodes, "node", node, &object)?;
                self.document.node_name(node)
            }
            None => object.clone(),
        };
        let times = self.times(sampler.input, &object)?;
        if !times.dropped.is_empty() {
            warnings.push(Warning::KeysAtSameTime {
                clip: clip.to_owned(),
                node: node.clone(),
                keys: times.dropped.len(),
            });
        }
        Ok(Keys {
            times,
            output: sampler.output,
            interpolation,
            clip,
            node,
        })
    }

    fn times(&mut self, accessor: usize, object: &str) -> Outcome<KeyTimes> {
        if let Some(times) = self.times.get(&accessor) {
            return Ok(times.clone());
        }
        let values = self.document.read_f32::<1>(accessor, object)?;
        let times = KeyTimes::new(&values);
        self.times.insert(accessor, times.clone());
        Ok(times)
    }

    /// The output of a channel, repeated keys left out.
    fn values<const N: usize>(&self, keys: &Keys) -> Outcome<Vec<[f32; N]>> {
        let mut values = self.document.read_f32::<N>(keys.output, &keys.object())?;
        keys.remove_dropped(&mut values, 1)?;
        Ok(values)
    }

    /// False for a node that is not in the skeleton.
    fn joint_channel(
        &self,
        node: usize,
        path: &str,
        keys: &Keys,
        joints: &mut BTreeMap<usize, JointTracks>,
        warnings: &mut Vec<Warning>,
    ) -> Outcome<bool> {
        let fault = |error: TrackError| Fault::data(keys.object(), error);
        let vectors = |values: Vec<[f32; 3]>| {
            let values = values.into_iter().map(Vec3::from_array).collect();
            Track::new(keys.times.kept.clone(), values, keys.interpolation).map_err(fault)
        };
        let rotations = |values: Vec<[f32; 4]>, warnings: &mut Vec<Warning>| {
            let mut values: Vec<Quat> = values.into_iter().map(Quat::from_array).collect();
            let repaired = repair_rotations(&mut values, keys.interpolation);
            if repaired > 0 {
                warnings.push(Warning::ZeroRotationKeys {
                    clip: keys.clip.to_owned(),
                    node: keys.node.clone(),
                    keys: repaired,
                });
            }
            Track::new(keys.times.kept.clone(), values, keys.interpolation).map_err(fault)
        };
        // Read, and so checked, whether or not the node is wanted.
        enum Read {
            Translation(Track<Vec3>),
            Rotation(Track<Quat>),
            Scale(Track<Vec3>),
        }
        let read = match path {
            "translation" => Read::Translation(vectors(self.values(keys)?)?),
            "rotation" => Read::Rotation(rotations(self.values(keys)?, warnings)?),
            "scale" => Read::Scale(vectors(self.values(keys)?)?),
            other => {
                warnings.push(Warning::ChannelIgnored {
                    clip: keys.clip.to_owned(),
                    reason: format!("a channel moves '{other}', which is not played"),
                });
                return Ok(true);
            }
        };
        let Some(joint) = self.targets.joints.of_node[node] else {
            return Ok(false);
        };
        if self.targets.joints.sheared[node] {
            warnings.push(Warning::ChannelIgnored {
                clip: keys.clip.to_owned(),
                reason: format!(
                    "the {path} of {} stands still: glTF does not animate nodes with a matrix",
                    keys.node
                ),
            });
            return Ok(true);
        }
        let tracks = joints
            .entry(joint)
            .or_insert_with(|| JointTracks::new(joint));
        let taken = match read {
            Read::Translation(track) => set_once(&mut tracks.translation, track),
            Read::Rotation(track) => set_once(&mut tracks.rotation, track),
            Read::Scale(track) => set_once(&mut tracks.scale, track),
        };
        if !taken {
            warnings.push(keys.duplicate(path));
        }
        Ok(true)
    }

    /// False for a node whose morphs are not drawn.
    fn morph_channel(
        &self,
        node: usize,
        keys: &Keys,
        morphs: &mut BTreeMap<usize, MorphTrack>,
        warnings: &mut Vec<Warning>,
    ) -> Outcome<bool> {
        let Some(&(set, count)) = self.targets.morph_sets.get(&node) else {
            return Ok(false);
        };
        let mut values = self.document.read_f32::<1>(keys.output, &keys.object())?;
        keys.remove_dropped(&mut values, count)?;
        let weights = values.into_iter().flatten().collect();
        let track = MorphTrack::new(
            set,
            keys.times.kept.clone(),
            weights,
            count,
            keys.interpolation,
        )
        .map_err(|error| Fault::data(keys.object(), error))?;
        match morphs.entry(set) {
            Entry::Vacant(free) => {
                free.insert(track);
            }
            Entry::Occupied(_) => warnings.push(keys.duplicate("weights")),
        }
        Ok(true)
    }
}

impl KeyTimes {
    /// Of keys at the same time the last wins. Times that fall are left for the track to refuse.
    fn new(times: &[[f32; 1]]) -> Self {
        let repeats_next = |key: usize| times.get(key + 1) == Some(&times[key]);
        let (dropped, kept): (Vec<usize>, Vec<usize>) =
            (0..times.len()).partition(|&key| repeats_next(key));
        Self {
            kept: kept.iter().map(|&key| f64::from(times[key][0])).collect(),
            dropped: dropped.into(),
        }
    }
}

impl Keys<'_> {
    fn object(&self) -> String {
        format!("{}, {}", self.clip, self.node)
    }

    fn duplicate(&self, path: &str) -> Warning {
        Warning::ChannelDuplicate {
            clip: self.clip.to_owned(),
            node: self.node.clone(),
            path: path.to_owned(),
        }
    }

    /// Takes the values of dropped keys out, `per_value` numbers each.
    fn remove_dropped<T>(&self, values: &mut Vec<T>, per_value: usize) -> Outcome<()> {
        let KeyTimes { kept, dropped } = &self.times;
        if dropped.is_empty() {
            return Ok(());
        }
        let per_key = per_value * self.interpolation.values_per_key();
        let expected = (kept.len() + dropped.len()) * per_key;
        if values.len() != expected {
            return Err(Fault::data(
                self.object(),
                format_args!("{} values where {expected} belong", values.len()),
            ));
        }
        let mut index = 0;
        values.retain(|_| {
            let key = index / per_key;
            index += 1;
            dropped.binary_search(&key).is_err()
        });
        Ok(())
    }
}

fn set_once<T>(slot: &mut Option<T>, value: T) -> bool {
    let free = slot.is_none();
    if free {
        *slot = Some(value);
    }
    free
}

/// Gives rotations of length zero the value of the key before, or the next sound one.
fn repair_rotations(values: &mut [Quat], interpolation: Interpolation) -> usize {
    let (step, offset) = match interpolation {
        Interpolation::Step | Interpolation::Linear => (1, 0),
        Interpolation::CubicSpline => (3, 1),
    };
    let sound = |q: &Quat| q.is_finite() && q.length_squared() > 0.0;
    let zero = |q: &Quat| q.is_finite() && !sound(q);
    let keys = || (offset..values.len()).step_by(step);
    let mut last = keys()
        .map(|i| values[i])
        .find(sound)
        .unwrap_or(Quat::IDENTITY);
    let mut repaired = 0;
    for i in (offset..values.len()).step_by(step) {
        if zero(&values[i]) {
            values[i] = last;
            repaired += 1;
        }
        last = values[i];
    }
    repaired
}
