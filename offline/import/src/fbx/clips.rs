//! Conversion of takes to clips: every animated node and blend channel, sampled from its curves.

use std::cell::Cell;
use std::collections::HashMap;

use glam::{DQuat, DVec3};
use throng_rig::{Clip, Interpolation, JointTracks, MorphTrack, Track, TrackError};
use ufbx::{Anim, AnimCurve, AnimStack, Node, Scene};

use super::sampling::{Keys, Sample, SampleError, sample};
use super::skeleton::{Joints, id};
use super::{affine, label, transform};
use crate::Warning;
use crate::error::{Fault, Outcome};
use crate::limits::{MAX_CLIP_SECS, MAX_SAMPLED_KEYS, SAMPLED_KEYS_PER_FILE_BYTE};

/// Maximum error of a track against its curve: relative to the size of the character for translations, in
/// radians for rotations, relative for scale, absolute for morph weights.
const TOLERANCE: f64 = 1e-5;

/// Distance of the two keys of a jump, in seconds.
const JUMP_SECS: f64 = 1e-7;

/// Number of keys that may still be sampled, over all takes of a file.
pub(super) struct KeyBudget(Cell<u64>);

impl KeyBudget {
    pub(super) fn for_file(bytes: u64) -> Self {
        let more = SAMPLED_KEYS_PER_FILE_BYTE.saturating_mul(bytes);
        Self(Cell::new(MAX_SAMPLED_KEYS.saturating_add(more)))
    }

    fn left(&self) -> u64 {
        self.0.get()
    }

    /// Takes keys from the budget; false if there are not as many left.
    fn take(&self, keys: usize) -> bool {
        let left = self.left().checked_sub(keys as u64);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// Converts all takes, in file order. `morph_channels` lists the channels of each morph set; `size` is the
/// size of the character in metres.
pub(super) fn build(
    scene: &Scene,
    joints: &Joints,
    morph_channels: &[Vec<u32>],
    size: f64,
    keys: &KeyBudget,
    warnings: &mut Vec<Warning>,
) -> Outcome<Vec<Clip>> {
    (&scene.anim_stacks)
        .into_iter()
        .map(|stack| Take::new(scene, stack, size, keys)?.clip(joints, morph_channels, warnings))
        .collect()
}

/// One take and the key times of its elements.
struct Take<'a> {
    scene: &'a Scene,
    anim: &'a Anim,
    object: String,
    name: String,
    start_secs: f64,
    end_secs: f64,
    size: f64,
    /// Key times by element, with an extra time [`JUMP_SECS`] before or after each jump.
    keyed: HashMap<u32, Vec<f64>>,
    /// Key times of layer weights, which affect every element.
    layer_times: Vec<f64>,
    /// Shortest interval between keys.
    finest_secs: Option<f64>,
    key_budget: &'a KeyBudget,
}

impl<'a> Take<'a> {
    fn new(
        scene: &'a Scene,
        stack: &'a AnimStack,
        size: f64,
        key_budget: &'a KeyBudget,
    ) -> Outcome<Self> {
        let name = stack.element.name.to_string();
        let object = label("take", &name);
        let mut take = Self {
            scene,
            anim: &stack.anim,
            object,
            name,
            start_secs: stack.time_begin,
            end_secs: stack.time_end.max(stack.time_begin),
            size,
            keyed: HashMap::new(),
            layer_times: Vec::new(),
            finest_secs: None,
            key_budget,
        };
        let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
        for layer in &stack.layers {
            for prop in &layer.anim_props {
                let is_layer = prop.element.element_id == layer.element.element_id;
                for curve in prop.anim_value.curves.iter().flatten() {
                    let times = key_times(curve);
                    if let (Some(a), Some(b)) = (times.first(), times.last()) {
                        (first, last) = (first.min(*a), last.max(*b));
                    }
                    take.update_finest_interval(curve);
                    let list = if is_layer {
                        &mut take.layer_times
                    } else {
                        take.keyed.entry(prop.element.element_id).or_default()
                    };
                    list.extend(times);
                }
            }
        }
        if take.end_secs <= take.start_secs && first < last {
            // The take does not state its time span.
            (take.start_secs, take.end_secs) = (first, last);
        }
        let span = take.end_secs - take.start_secs;
        if !span.is_finite() || span > MAX_CLIP_SECS {
            let problem = format!("lasts {span:e} s");
            return Err(Fault::limit(
                take.object,
                problem,
                "MAX_CLIP_SECS",
                MAX_CLIP_SECS,
            ));
        }
        Ok(take)
    }

    fn update_finest_interval(&mut self, curve: &AnimCurve) {
        let gaps = curve.keyframes.windows(2).map(|w| w[1].time - w[0].time);
        let finest = gaps
            .filter(|&gap| gap > JUMP_SECS && gap.is_finite())
            .min_by(f64::total_cmp);
        self.finest_secs = match (self.finest_secs, finest) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }

    fn clip(
        &self,
        joints: &Joints,
        morph_channels: &[Vec<u32>],
        warnings: &mut Vec<Warning>,
    ) -> Outcome<Clip> {
        let mut tracks = Vec::new();
        for node in &self.scene.nodes {
            if let Some(joint) = joints.of_node[id(node)]
                && let Some(moved) = self.joint(node, joint)?
            {
                tracks.push(moved);
            }
        }
        let mut morphs = Vec::new();
        for (set, channels) in morph_channels.iter().enumerate() {
            morphs.extend(self.morph(set, channels)?);
        }
        if tracks.is_empty() && morphs.is_empty() {
            warnings.push(Warning::ClipEmpty {
                clip: self.object.clone(),
            });
        }
        let clip = Clip::new(self.name.clone(), tracks, morphs)
            .map_err(|error| Fault::data(self.object.as_str(), error))?;
        Ok(clip.with_source_timing(self.start_secs, self.end_secs, self.finest_secs))
    }

    /// Returns the initial sample times: both ends and every key between them, increasing.
    fn times(&self, keyed: &[f64]) -> Vec<f64> {
        let mut times: Vec<f64> = keyed.iter().chain(&self.layer_times).copied().collect();
        times.retain(|t| *t > self.start_secs && *t < self.end_secs);
        times.push(self.start_secs);
        times.push(self.end_secs);
        times.sort_by(f64::total_cmp);
        times.dedup_by(|b, a| *b - *a < 0.5 * JUMP_SECS);
        times
    }

    /// Returns the key times that affect the local transform of a node: its own, and those of the scale
    /// helpers that it inherits scale from.
    fn node_keys(&self, node: &Node) -> Vec<f64> {
        let mut elements = vec![node.element.element_id];
        let mut above = node.parent.as_deref();
        while let Some(node) = above {
            elements.extend(node.scale_helper.as_ref().map(|h| h.element.element_id));
            above = node.inherit_scale_node.as_deref();
        }
        elements
            .iter()
            .filter_map(|element| self.keyed.get(element))
            .flatten()
            .copied()
            .collect()
    }

    /// Returns the transform of a node in the space of its parent.
    fn local(&self, node: &Node, time: f64) -> throng_rig::Transform {
        transform(&ufbx::evaluate_transform(self.anim, node, time))
    }

    fn joint(&self, node: &Node, joint: usize) -> Outcome<Option<JointTracks>> {
        let keyed = self.node_keys(node);
        let rest = transform(&node.local_transform);
        let times = self.times(&keyed);
        if keyed.is_empty() && self.local(node, self.start_secs) == rest {
            return Ok(None);
        }
        // The tolerance of a length in the parent's space depends on the scale of the parent.
        let scale = node.parent.as_ref().map_or(1.0, |parent| {
            let axes = affine(&parent.node_to_world).matrix3;
            axes.determinant().abs().cbrt()
        });
        let unit = if scale > 0.0 {
            self.size / scale
        } else {
            self.size
        };
        let length = |v: DVec3| Length {
            v,
            unit: unit * TOLERANCE,
        };
        let factor = |v: DVec3| Length {
            v,
            unit: TOLERANCE * v.abs().max_element().max(1e-6),
        };
        let translation = self.sample(&times, |t| length(self.local(node, t).translation))?;
        let rotation = self.sample(&times, |t| Rotation(self.local(node, t).rotation))?;
        let scale = self.sample(&times, |t| factor(self.local(node, t).scale))?;

        let fault = |error: TrackError| {
            let object = format!("{}, {}", self.object, label("node", &node.element.name));
            Fault::data(object, error)
        };
        let mut tracks = JointTracks::new(joint);
        if !is_constant(&translation, length(rest.translation)) {
            let values = translation.values.iter().map(|l| l.v.as_vec3()).collect();
            tracks.translation = Some(linear(translation.times, values).map_err(fault)?);
        }
        if !is_constant(&rotation, Rotation(rest.rotation)) {
            let values = rotation.values.iter().map(|t| t.0.as_quat()).collect();
            tracks.rotation = Some(linear(rotation.times, values).map_err(fault)?);
        }
        if !is_constant(&scale, factor(rest.scale)) {
            let values = scale.values.iter().map(|l| l.v.as_vec3()).collect();
            tracks.scale = Some(linear(scale.times, values).map_err(fault)?);
        }
        let moves =
            tracks.translation.is_some() || tracks.rotation.is_some() || tracks.scale.is_some();
        Ok(moves.then_some(tracks))
    }

    fn sample<S: Sample>(&self, times: &[f64], evaluate: impl Fn(f64) -> S) -> Outcome<Keys<S>> {
        let left = self.key_budget.left();
        let keys = sample(times, left as usize, evaluate).map_err(|error| match error {
            SampleError::NotFinite { time_secs } => Fault::data(
                self.object.as_str(),
                format_args!("a curve is not finite at {time_secs} s"),
            ),
            SampleError::TooManyKeys => self.too_many_keys(),
        })?;
        match self.key_budget.take(keys.times.len()) {
            true => Ok(keys),
            false => Err(self.too_many_keys()),
        }
    }

    fn too_many_keys(&self) -> Fault {
        Fault::limit(
            self.object.as_str(),
            "its curves need too many keys",
            "MAX_SAMPLED_KEYS + SAMPLED_KEYS_PER_FILE_BYTE × file size",
            format_args!("{MAX_SAMPLED_KEYS} + {SAMPLED_KEYS_PER_FILE_BYTE} × file size"),
        )
    }

    /// Samples the weights of all shapes of a morph set. They share their key times, which are the union of
    /// the times that each channel needs.
    fn morph(&self, set: usize, channels: &[u32]) -> Outcome<Option<MorphTrack>> {
        let channels: Vec<&ufbx::BlendChannel> = channels
            .iter()
            .map(|&index| &self.scene.blend_channels[index as usize])
            .collect();
        let mut times = Vec::new();
        for channel in &channels {
            let Some(keyed) = self.keyed.get(&channel.element.element_id) else {
                continue;
            };
            let mut starts = self.times(keyed);
            // The weights have corners where the channel passes an in-between shape.
            let weight = |t: f64| Weight(ufbx::evaluate_blend_weight(self.anim, channel, t));
            let keys = self.sample(&starts, weight)?;
            starts.extend(crossings(&keys, channel));
            times.extend(starts);
            times.extend(keys.times);
        }
        if times.is_empty() {
            return Ok(None);
        }
        let times = self.times(&times);
        let shapes: usize = channels.iter().map(|channel| channel.keyframes.len()).sum();
        if !self.key_budget.take(times.len().saturating_mul(shapes)) {
            return Err(self.too_many_keys());
        }
        let weights: Vec<f32> = times
            .iter()
            .flat_map(|&t| channels.iter().map(move |channel| (channel, t)))
            .flat_map(|(channel, t)| {
                let weight = ufbx::evaluate_blend_weight(self.anim, channel, t);
                effective_weights(channel, weight)
            })
            .map(|weight| weight as f32)
            .collect();
        let per_key = weights.len() / times.len();
        MorphTrack::new(set, times.into(), weights, per_key, Interpolation::Linear)
            .map(Some)
            .map_err(|error| Fault::data(self.object.as_str(), error))
    }
}

/// Returns the key times of a curve, with an extra time [`JUMP_SECS`] before or after each jump.
fn key_times(curve: &AnimCurve) -> Vec<f64> {
    let keys = &curve.keyframes;
    let mut times = Vec::with_capacity(keys.len());
    for (index, key) in keys.iter().enumerate() {
        if !key.time.is_finite() {
            continue;
        }
        times.push(key.time);
        match (key.interpolation, keys.get(index + 1)) {
            (ufbx::Interpolation::ConstantPrev, Some(next)) => times.push(next.time - JUMP_SECS),
            (ufbx::Interpolation::ConstantNext, _) => times.push(key.time + JUMP_SECS),
            _ => {}
        }
    }
    times
}

/// Returns the weight of each shape of a channel.
///
/// The channel weight lies between the target weights of two shapes, or between zero and one shape, and is
/// interpolated linearly. If no shape has the sign of the channel weight, the shape nearest to zero is
/// extrapolated.
fn effective_weights(channel: &ufbx::BlendChannel, weight: f64) -> Vec<f64> {
    let targets: Vec<f64> = channel.keyframes.iter().map(|k| k.target_weight).collect();
    shape_weights(&targets, weight)
}

fn shape_weights(targets: &[f64], weight: f64) -> Vec<f64> {
    let mut weights = vec![0.0; targets.len()];
    let side = |positive: bool| {
        let mut side: Vec<usize> = (0..targets.len())
            .filter(|&i| (targets[i] >= 0.0) == positive)
            .collect();
        side.sort_by(|&a, &b| targets[a].abs().total_cmp(&targets[b].abs()));
        side
    };
    let mut near_first = side(weight > 0.0);
    if near_first.is_empty() {
        near_first = side(weight <= 0.0);
        near_first.truncate(1);
    }
    let beyond = |&i: &usize| targets[i].abs() > weight.abs();
    let Some(last) = near_first.len().checked_sub(1) else {
        return weights;
    };
    let next = near_first.iter().position(beyond).unwrap_or(last);
    let from = next.checked_sub(1).map(|previous| near_first[previous]);
    let start = from.map_or(0.0, |i| targets[i]);
    let span = targets[near_first[next]] - start;
    if span != 0.0 {
        let fraction = (weight - start) / span;
        if let Some(from) = from {
            weights[from] = 1.0 - fraction;
        }
        weights[near_first[next]] = fraction;
    }
    weights
}

/// Returns the times when a channel weight crosses zero or the target weight of a shape.
fn crossings(keys: &Keys<Weight>, channel: &ufbx::BlendChannel) -> Vec<f64> {
    let targets = channel.keyframes.iter().map(|k| k.target_weight);
    let targets: Vec<f64> = targets.chain([0.0]).collect();
    let mut times = Vec::new();
    for k in 1..keys.times.len() {
        let (a, b) = (keys.values[k - 1].0, keys.values[k].0);
        for target in &targets {
            let fraction = (target - a) / (b - a);
            if fraction > 0.0 && fraction < 1.0 {
                times.push(keys.times[k - 1] + fraction * (keys.times[k] - keys.times[k - 1]));
            }
        }
    }
    times
}

/// Returns true if all keys equal the rest value.
fn is_constant<S: Sample>(keys: &Keys<S>, rest: S) -> bool {
    keys.values.iter().all(|value| value.error(rest) <= 0.01)
}

fn linear<K: throng_rig::Key>(times: Vec<f64>, mut values: Vec<K>) -> Result<Track<K>, TrackError> {
    // A constant value needs one key.
    let first = times[..1].into();
    if values.len() == 2 && values[0] == values[1] {
        values.truncate(1);
        return Track::new(first, values, Interpolation::Linear);
    }
    Track::new(times.into(), values, Interpolation::Linear)
}

/// A vector, and the distance that equals one tolerance.
#[derive(Clone, Copy)]
struct Length {
    v: DVec3,
    unit: f64,
}

impl Sample for Length {
    fn is_finite(self) -> bool {
        self.v.is_finite()
    }
    fn interpolate(a: Self, b: Self, fraction: f64) -> Self {
        Self {
            v: a.v.lerp(b.v, fraction),
            unit: a.unit,
        }
    }
    fn error(self, other: Self) -> f64 {
        self.v.distance(other.v) / self.unit
    }
}

/// A rotation.
#[derive(Clone, Copy)]
struct Rotation(DQuat);

impl Sample for Rotation {
    fn is_finite(self) -> bool {
        self.0.is_finite()
    }
    fn interpolate(a: Self, b: Self, fraction: f64) -> Self {
        Self(a.0.slerp(b.0, fraction))
    }
    fn error(self, other: Self) -> f64 {
        // For small angles the chord between unit quaternions is half the angle, without cancellation.
        let chord = (self.0 - other.0).length().min((self.0 + other.0).length());
        2.0 * chord / TOLERANCE
    }
}

/// Weight of a blend channel.
#[derive(Clone, Copy)]
struct Weight(f64);

impl Sample for Weight {
    fn is_finite(self) -> bool {
        self.0.is_finite()
    }
    fn interpolate(a: Self, b: Self, fraction: f64) -> Self {
        Self(a.0 + (b.0 - a.0) * fraction)
    }
    fn error(self, other: Self) -> f64 {
        (self.0 - other.0).abs() / TOLERANCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_takes_share_the_keys_of_a_file() {
        let budget = KeyBudget::for_file(24);
        assert!(budget.take(MAX_SAMPLED_KEYS as usize));
        assert_eq!(budget.left(), 24);
        assert!(!budget.take(25));
        assert!(!budget.take(1));
    }

    #[test]
    fn weights_interpolate_between_in_between_shapes() {
        let targets = [0.5, 1.0];
        assert_eq!(shape_weights(&targets, 0.0), [0.0, 0.0]);
        assert_eq!(shape_weights(&targets, 0.25), [0.5, 0.0]);
        assert_eq!(shape_weights(&targets, 0.5), [1.0, 0.0]);
        assert_eq!(shape_weights(&targets, 0.75), [0.5, 0.5]);
        assert_eq!(shape_weights(&targets, 1.5), [-1.0, 2.0]);
    }

    #[test]
    fn nearest_shape_is_extrapolated_if_no_shape_has_the_sign() {
        assert_eq!(shape_weights(&[0.5, 1.0], -1.0), [-2.0, 0.0]);
        assert_eq!(shape_weights(&[-1.0, 2.0], -0.5), [0.5, 0.0]);
        assert_eq!(shape_weights(&[-1.0, 2.0], 1.0), [0.0, 0.5]);
        assert!(shape_weights(&[], 1.0).is_empty());
    }
}
