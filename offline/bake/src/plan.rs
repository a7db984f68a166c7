//! Clips and frames of a bake.

use throng_format::{ClipEntry, Manifest, Storage};
use throng_rig::{Character, Clip, LoopPolicy};

use crate::rate::auto_rate;
use crate::sampler::VertexSampler;
use crate::vertices::gpu_bytes;
use crate::{BakeError, BakeSettings, Rate};

/// Lowest sample rate.
pub(crate) const MIN_RATE_HZ: f64 = 6.0;
/// Highest sample rate.
pub(crate) const MAX_RATE_HZ: f64 = 120.0;

/// Most frames of a set: frame numbers are exact in float32. Settings may lower it.
pub(crate) const MAX_FRAMES: u32 = 1 << 24;

/// Memory per frame, in bytes, as measured on a character of one joint: times, bounds, and candidates of a search.
const FRAME_BYTES: u64 = 700;
/// Memory per joint and frame, in bytes, as measured on the built-in humanoid.
const JOINT_BYTES: u64 = 256;
/// Memory per unique position or normal and frame of vertex encodings, in bytes, as measured on the built-in humanoid.
const VERTEX_BYTES: u64 = 24;

/// Memory per unique position or normal of a character with vertex caches, in bytes: its meshes, and the buffers of threads.
const CACHE_BYTES: u64 = 800;

/// Times of a clip at which the distance of vertices is checked.
const DISTANCE_TIMES: u32 = 8;

/// Largest difference of the poses at both ends of a wrapping clip, as a part of the character's size.
const LOOP_TOLERANCE: f64 = 1e-3;

/// The frames of a clip.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClipPlan {
    /// Index into the character's clips.
    pub clip: usize,
    /// Index of the first frame among the frames of all clips.
    pub first_frame: u32,
    /// Number of frames with both ends; one where the clip has no duration.
    pub frames: u32,
    /// Start in the clip's time.
    pub start_secs: f64,
    /// Duration of the clip.
    pub duration_secs: f64,
    /// Loop policy of the clip.
    pub looping: LoopPolicy,
}

impl ClipPlan {
    /// Frames per second; 0 where the clip has no duration.
    pub fn rate_hz(&self) -> f64 {
        if self.frames < 2 {
            return 0.0;
        }
        f64::from(self.frames - 1) / self.duration_secs
    }

    /// Returns the time of a frame, counted from the clip's first, in the clip's time. The last frame of a wrapping clip
    /// equals its first.
    pub fn time_of(&self, frame: u32) -> f64 {
        if frame == 0 || (self.looping == LoopPolicy::Wrap && frame + 1 == self.frames) {
            return self.start_secs;
        }
        let fraction = f64::from(frame) / f64::from(self.frames - 1);
        self.start_secs + self.duration_secs * fraction
    }
}

/// A frame of a bake.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrameTime {
    /// Index into the character's clips.
    pub clip: usize,
    /// Time in the clip.
    pub time_secs: f64,
}

/// All clips of a bake; their frames follow each other.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BakePlan {
    pub clips: Vec<ClipPlan>,
    max_frames: u32,
}

impl BakePlan {
    /// Plans the clips of the settings.
    pub fn new(
        character: &Character,
        settings: &BakeSettings,
        sampler: &VertexSampler<'_>,
    ) -> Result<Self, BakeError> {
        let max_frames = settings.max_frames.min(MAX_FRAMES);
        let mut plan = Self {
            clips: Vec::new(),
            max_frames,
        };
        let mut first_frame = 0;
        for clip in chosen_clips(character, settings)? {
            let source = &character.clips()[clip];
            let rate_hz = match settings.rate {
                Rate::Hz(rate) if (MIN_RATE_HZ..=MAX_RATE_HZ).contains(&rate) => rate,
                Rate::Hz(rate_hz) => return Err(BakeError::Rate { rate_hz }),
                Rate::Native => native_rate(source),
                Rate::Auto => auto_rate(character, source, settings, sampler.size()),
            };
            let frames = checked_frames(first_frame, source.duration_secs(), rate_hz, max_frames)?;
            let looping = settings
                .looping
                .unwrap_or_else(|| loop_policy(sampler, clip, source));
            plan.clips.push(ClipPlan {
                clip,
                first_frame,
                frames,
                start_secs: source.start_secs(),
                duration_secs: source.duration_secs(),
                looping,
            });
            first_frame += frames;
        }
        Ok(plan)
    }

    /// Returns the frames of a set. `clips` are the indices of its clips in the character.
    pub fn of_set(manifest: &Manifest, clips: impl IntoIterator<Item = usize>) -> Self {
        let plan = |(clip, entry): (usize, &ClipEntry)| ClipPlan {
            clip,
            first_frame: entry.first_frame,
            frames: entry.frames,
            start_secs: entry.start_secs,
            duration_secs: entry.duration_secs,
            looping: entry.looping,
        };
        Self {
            clips: clips.into_iter().zip(&manifest.clips).map(plan).collect(),
            max_frames: MAX_FRAMES,
        }
    }

    /// Returns a plan of some of the clips, by their indices in this plan.
    pub fn subset(&self, clips: &[usize]) -> Self {
        let clips = clips.iter().map(|&clip| self.clips[clip].clone());
        Self::of_clips(clips.collect(), self.max_frames)
    }

    /// Returns a plan of these clips, whose frames follow each other.
    pub fn of_clips(mut clips: Vec<ClipPlan>, max_frames: u32) -> Self {
        let mut first_frame = 0;
        for clip in &mut clips {
            clip.first_frame = first_frame;
            first_frame += clip.frames;
        }
        Self { clips, max_frames }
    }

    /// Returns the same clips with the same loop policies at other rates.
    pub fn at_rates(
        &self,
        character: &Character,
        rate_hz: impl Fn(&Clip) -> f64,
    ) -> Result<Self, BakeError> {
        let mut first_frame = 0;
        let mut clips = Vec::with_capacity(self.clips.len());
        for clip in &self.clips {
            let rate_hz = rate_hz(&character.clips()[clip.clip]);
            let frames = checked_frames(first_frame, clip.duration_secs, rate_hz, self.max_frames)?;
            clips.push(ClipPlan {
                first_frame,
                frames,
                ..clip.clone()
            });
            first_frame += frames;
        }
        Ok(Self {
            clips,
            max_frames: self.max_frames,
        })
    }

    /// Checks the memory that baking needs, as predicted from the numbers of frames, joints and vertices.
    pub fn check_memory(
        &self,
        sampler: &VertexSampler<'_>,
        settings: &BakeSettings,
    ) -> Result<(), BakeError> {
        let joints = sampler.character().skeleton().len() as u64;
        let rest = sampler.rest();
        let vertices = match settings.encoding.is_vertex() {
            true => (rest.positions.len() + rest.normals.len()) as u64,
            false => 0,
        };
        let per_frame = FRAME_BYTES + JOINT_BYTES * joints + VERTEX_BYTES * vertices;
        let bytes = match (sampler.character().has_vertex_caches(), settings.storage) {
            // Frames of a cache are read one by one: only the textures grow with them.
            (true, Storage::Frames(_))
                if settings.encoding.is_vertex() && settings.preset.is_none() =>
            {
                let counts = [rest.positions.len(), rest.normals.len()];
                let textures = gpu_bytes(settings, self, counts)?;
                textures.saturating_add(CACHE_BYTES * vertices)
            }
            _ => per_frame.saturating_mul(u64::from(self.frames())),
        };
        if bytes <= settings.max_memory_bytes {
            return Ok(());
        }
        Err(BakeError::TooMuchMemory {
            encoding: settings.encoding,
            frames: self.frames(),
            bytes,
            limit: settings.max_memory_bytes,
        })
    }

    /// Checks that clips do not move vertices farther than float32 is exact to `max_error_m`: no set could meet that
    /// error. Looks at some times only, which is enough for corrupt keys.
    pub fn check_distances(
        &self,
        sampler: &VertexSampler<'_>,
        max_error_m: f64,
    ) -> Result<(), BakeError> {
        // Numbers of float32 are a part of 2^-24 or more apart, and are rounded by up to half of that.
        let limit = max_error_m * f64::from(1_u32 << 25);
        for plan in &self.clips {
            for step in 0..DISTANCE_TIMES {
                let fraction = (f64::from(step) + 0.5) / f64::from(DISTANCE_TIMES);
                let time_secs = plan.start_secs + fraction * plan.duration_secs;
                let positions = sampler.positions(plan.clip, time_secs);
                // NaN is farther than everything once its sign is removed.
                let distances = positions.iter().map(|p| p.as_dvec3().length().abs());
                let farthest = distances.max_by(f64::total_cmp);
                let distance_m = farthest.unwrap_or(0.0);
                if distance_m > limit || distance_m.is_nan() {
                    return Err(BakeError::TooFar {
                        clip: sampler.character().clips()[plan.clip].name.clone(),
                        distance_m,
                        max_error_m,
                    });
                }
            }
        }
        Ok(())
    }

    /// Number of frames of all clips.
    pub fn frames(&self) -> u32 {
        self.clips.iter().map(|clip| clip.frames).sum()
    }

    /// Returns the times of all frames.
    pub fn frame_times(&self) -> Vec<FrameTime> {
        let clips = self.clips.iter();
        clips
            .flat_map(|plan| {
                (0..plan.frames).map(move |frame| FrameTime {
                    clip: plan.clip,
                    time_secs: plan.time_of(frame),
                })
            })
            .collect()
    }
}

pub(crate) fn chosen_clips(
    character: &Character,
    settings: &BakeSettings,
) -> Result<Vec<usize>, BakeError> {
    let count = character.clips().len();
    if count == 0 {
        return Err(BakeError::NoClips {
            character: character.name.clone(),
        });
    }
    if settings.clips.is_empty() {
        return Ok((0..count).collect());
    }
    match settings.clips.iter().find(|&&clip| clip >= count) {
        Some(&clip) => Err(BakeError::NoSuchClip {
            character: character.name.clone(),
            clip,
            count,
        }),
        None => Ok(settings.clips.clone()),
    }
}

/// Returns the clip's native rate, clamped to the allowed range.
pub(crate) fn native_rate(clip: &Clip) -> f64 {
    let rate = clip.finest_spacing_secs().map_or(MIN_RATE_HZ, f64::recip);
    rate.clamp(MIN_RATE_HZ, MAX_RATE_HZ)
}

/// [`frame_count`], checked against the limit together with the frames before.
fn checked_frames(
    first_frame: u32,
    duration_secs: f64,
    rate_hz: f64,
    limit: u32,
) -> Result<u32, BakeError> {
    let frames = frame_count(duration_secs, rate_hz);
    let together = f64::from(first_frame) + frames;
    if together > f64::from(limit) {
        return Err(BakeError::TooManyFrames {
            frames: together,
            limit,
        });
    }
    Ok(frames as u32)
}

/// Returns the number of frames of a clip at no less than a rate, with both ends. An excess of up to a hundredth of an
/// interval is rounding of key times and does not add a frame.
pub(crate) fn frame_count(duration_secs: f64, rate_hz: f64) -> f64 {
    if duration_secs > 0.0 {
        (duration_secs * rate_hz - 0.01).ceil().max(1.0) + 1.0
    } else {
        1.0
    }
}

/// Detects the loop policy: a clip wraps where every vertex ends where it began.
fn loop_policy(sampler: &VertexSampler<'_>, clip: usize, source: &Clip) -> LoopPolicy {
    if source.duration_secs() <= 0.0 {
        return LoopPolicy::Once;
    }
    let (first, last) = rayon::join(
        || sampler.positions(clip, source.start_secs()),
        || sampler.positions(clip, source.end_secs()),
    );
    let near = (LOOP_TOLERANCE * sampler.size()) as f32;
    let same = first.iter().zip(&last).all(|(a, b)| a.distance(*b) <= near);
    if same {
        LoopPolicy::Wrap
    } else {
        LoopPolicy::Once
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_count_ignores_rounding_and_never_lowers_the_rate() {
        assert_eq!(frame_count(0.0, 30.0), 1.0);
        assert_eq!(frame_count(1.0, 30.0), 31.0);
        assert_eq!(frame_count(1.0 + 1e-5, 30.0), 31.0);
        assert_eq!(frame_count(1.02, 30.0), 32.0);
        assert_eq!(frame_count(0.01, 6.0), 2.0);
    }

    #[test]
    fn last_frame_of_a_wrapping_clip_is_its_first() {
        let mut plan = ClipPlan {
            clip: 0,
            first_frame: 0,
            frames: 5,
            start_secs: 1.0,
            duration_secs: 2.0,
            looping: LoopPolicy::Wrap,
        };
        let times = |plan: &ClipPlan| (0..5).map(|f| plan.time_of(f)).collect::<Vec<_>>();
        assert_eq!(times(&plan), [1.0, 1.5, 2.0, 2.5, 1.0]);
        plan.looping = LoopPolicy::Once;
        assert_eq!(times(&plan), [1.0, 1.5, 2.0, 2.5, 3.0]);
        assert_eq!(plan.rate_hz(), 2.0);
    }
}
