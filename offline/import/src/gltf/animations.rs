//! Conversion of animations to clips.

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

/// Animatable objects.
pub(super) struct Targets<'r> {
    pub joints: &'r Joints,
    /// By node, its morph set and the number of weights. `None` drops all morph tracks.
    pub morph_sets: Option<&'r BTreeMap<usize, (usize, usize)>>,
}

/// Converts all animations, in file order. Empty ones are kept, so that indices do not shift.
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
    /// Key times by accessor. Most samplers share their times.
    times: HashMap<usize, KeyTimes>,
}

/// Key times of an accessor, without duplicates.
#[derive(Clone)]
struct KeyTimes {
    kept: Arc<[f64]>,
    /// Keys to drop because the next key has the same time.
    dropped: Arc<[usize]>,
}

/// Keys of one channel.
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
        let mut ignored = 0;
        for (number, channel) in animation.channels.iter().enumerate() {
            let keys = self.keys(animation, channel, number, &object, warnings)?;
            let Some(node) = channel.target.node else {
                warnings.push(Warning::ChannelIgnored {
                    clip: object.clone(),
                    reason: format!("ignored channel {number}: it has no target node"),
                });
                continue;
            };
            let known = match channel.target.path.as_str() {
                "weights" => self.morph_channel(node, &keys, &mut morphs, warnings)?,
                path => self.joint_channel(node, path, &keys, &mut joints, warnings)?,
            };
            ignored += usize::from(!known);
        }
        if ignored > 0 {
            warnings.push(Warning::ChannelIgnored {
                clip: object.clone(),
                reason: format!(
                    "ignored {} of nodes that are not part of the character",
                    count(ignored, "channel", "channels")
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

    /// Reads the key times of a channel.
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
                    format_args!(
                        "unsupported interpolation '{other}'; expected STEP, LINEAR or CUBICSPLINE"
                    ),
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

    /// Reads the values of a channel, without dropped keys.
    fn values<const N: usize>(&self, keys: &Keys) -> Outcome<Vec<[f32; N]>> {
        let mut values = self.document.read_f32::<N>(keys.output, &keys.object())?;
        keys.remove_dropped(&mut values, 1)?;
        Ok(values)
    }

    /// Reads a translation, rotation or scale channel. Returns false if the node is not in the skeleton.
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
        // Values are read, and so checked, even if the node is not in the skeleton.
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
                    reason: format!("ignored a channel of unsupported property '{other}'"),
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
                    "ignored the {path} of {}: glTF does not animate nodes with a matrix",
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

    /// Reads a morph weight channel. Returns false if the node has no morph set where others have one.
    fn morph_channel(
        &self,
        node: usize,
        keys: &Keys,
        morphs: &mut BTreeMap<usize, MorphTrack>,
        warnings: &mut Vec<Warning>,
    ) -> Outcome<bool> {
        let Some(morph_sets) = self.targets.morph_sets else {
            return Ok(true);
        };
        let Some(&(set, count)) = morph_sets.get(&node) else {
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
    /// Keeps the last of several keys at the same time. Decreasing times are rejected later, by the track.
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

    /// Removes the values of dropped keys, `per_value` numbers each.
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
                format_args!("expected {expected} values, found {}", values.len()),
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

/// Sets an empty slot. Returns false if it was occupied.
fn set_once<T>(slot: &mut Option<T>, value: T) -> bool {
    let free = slot.is_none();
    if free {
        *slot = Some(value);
    }
    free
}

/// Replaces rotations of length zero by the previous key, or by the first valid one. Returns their number.
fn repair_rotations(values: &mut [Quat], interpolation: Interpolation) -> usize {
    let (step, offset) = match interpolation {
        Interpolation::Step | Interpolation::Linear => (1, 0),
        Interpolation::CubicSpline => (3, 1),
    };
    let valid = |q: &Quat| q.is_finite() && q.length_squared() > 0.0;
    let zero = |q: &Quat| q.is_finite() && !valid(q);
    let keys = || (offset..values.len()).step_by(step);
    let mut last = keys()
        .map(|i| values[i])
        .find(valid)
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
