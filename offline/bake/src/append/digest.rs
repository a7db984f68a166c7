//! Digests of clips, and of everything else that compressed clips depend on.

use std::fmt::{self, Write as _};

use glam::{Quat, Vec3};
use sha2::{Digest, Sha256};
use throng_rig::{Character, Clip, Interpolation, JointTracks};

/// Bytes that are collected before they are hashed.
const BUFFER: usize = 1 << 16;

/// Returns the digest of a clip's tracks and times, without its name.
pub fn clip_digest(clip: &Clip) -> String {
    let mut hash = Hash::default();
    hash.numbers([clip.start_secs(), clip.end_secs()]);
    hash.numbers(clip.finest_spacing_secs());
    for tracks in clip.joints() {
        let JointTracks {
            joint,
            translation,
            rotation,
            scale,
        } = tracks;
        hash.count(*joint);
        for track in [translation, scale] {
            hash.count(track.iter().count());
            if let Some(track) = track {
                hash.track(track.interpolation(), track.times());
                let values = track.values().iter();
                hash.values(values.flat_map(Vec3::to_array));
            }
        }
        hash.count(rotation.iter().count());
        if let Some(track) = rotation {
            hash.track(track.interpolation(), track.times());
            let values = track.values().iter();
            hash.values(values.flat_map(Quat::to_array));
        }
    }
    hash.count(usize::MAX);
    for track in clip.morphs() {
        hash.count(track.set);
        hash.count(track.weight_count());
        hash.track(track.interpolation(), track.times());
        hash.values(track.weights().iter().copied());
    }
    hash.finish()
}

/// Returns the digest of a character without its clips, and of a text that stands for the settings.
///
/// Everything but images is hashed in its debug form, which has every field and every digit of every number.
pub fn base_digest(character: &Character, settings: &str) -> String {
    let mut hash = Hash::default();
    let written = write!(
        hash,
        "{settings:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        character.name,
        character.skeleton(),
        character.skins(),
        character.meshes(),
        character.parts(),
        character.morph_sets(),
        character.materials(),
    );
    written.expect("a hash takes every text");
    for image in character.images() {
        let written = write!(hash, "{:?} {:?}", image.name, image.format);
        written.expect("a hash takes every text");
        hash.count(image.bytes.len());
        hash.bytes(&image.bytes);
    }
    hash.finish()
}

/// SHA-256 of many small pieces.
#[derive(Default)]
struct Hash {
    hash: Sha256,
    buffer: Vec<u8>,
}

impl Hash {
    fn bytes(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER {
            self.hash.update(&self.buffer);
            self.buffer.clear();
        }
    }

    fn count(&mut self, count: usize) {
        self.bytes(&(count as u64).to_le_bytes());
    }

    /// Adds the number of items, then the items.
    fn numbers(&mut self, numbers: impl IntoIterator<Item = f64>) {
        let mut count = 0;
        for number in numbers {
            self.bytes(&number.to_bits().to_le_bytes());
            count += 1;
        }
        self.count(count);
    }

    fn values(&mut self, values: impl Iterator<Item = f32>) {
        let mut count = 0;
        for value in values {
            self.bytes(&value.to_bits().to_le_bytes());
            count += 1;
        }
        self.count(count);
    }

    fn track(&mut self, interpolation: Interpolation, times: &[f64]) {
        self.count(match interpolation {
            Interpolation::Step => 0,
            Interpolation::Linear => 1,
            Interpolation::CubicSpline => 2,
        });
        self.numbers(times.iter().copied());
    }

    fn finish(mut self) -> String {
        self.hash.update(&self.buffer);
        let mut text = String::from("sha256:");
        for byte in self.hash.finalize() {
            write!(text, "{byte:02x}").expect("strings can be written to");
        }
        text
    }
}

impl fmt::Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use throng_import::builtin::builtin;
    use throng_rig::Track;

    use super::*;

    fn clip(times: &[f64], step: f32, interpolation: Interpolation) -> Clip {
        let shared: Arc<[f64]> = times.into();
        let translations = (0..times.len()).map(|key| Vec3::X * key as f32 * step);
        let rotations = vec![Quat::IDENTITY; times.len()];
        let tracks = JointTracks {
            translation: Track::new(shared.clone(), translations.collect(), interpolation).ok(),
            rotation: Track::new(shared, rotations, interpolation).ok(),
            ..JointTracks::new(2)
        };
        Clip::new("a".into(), vec![tracks], Vec::new()).unwrap()
    }

    #[test]
    fn clip_digest_depends_on_tracks_and_times_alone() {
        let times = [0.0, 0.5, 1.0];
        let first = clip(&times, 1.0, Interpolation::Linear);
        let mut renamed = first.clone();
        renamed.name = "b".into();
        assert_eq!(clip_digest(&first), clip_digest(&renamed));
        let mut tracks = first.joints()[0].clone();
        tracks.scale = tracks.translation.take();
        let others = [
            clip(&[0.0, 0.25, 1.0], 1.0, Interpolation::Linear),
            clip(&times, 1.000_000_1, Interpolation::Linear),
            clip(&times, 1.0, Interpolation::Step),
            clip(&times[..2], 1.0, Interpolation::Linear),
            Clip::new("a".into(), vec![tracks], Vec::new()).unwrap(),
            first.clone().with_source_timing(0.0, 1.5, None),
            first.clone().with_source_timing(0.0, 1.0, Some(0.1)),
        ];
        let mut digests: Vec<String> = others.iter().map(clip_digest).collect();
        digests.push(clip_digest(&first));
        digests.sort();
        digests.dedup();
        assert_eq!(digests.len(), 8);
    }

    #[test]
    fn base_digest_depends_on_everything_but_clips() {
        let bar = builtin("bar:100").unwrap();
        let digest = base_digest(&bar, "settings");
        let changed = |change: &dyn Fn(&mut throng_rig::CharacterParts)| {
            let mut parts = bar.clone().into_parts();
            change(&mut parts);
            base_digest(&Character::new(parts).unwrap(), "settings")
        };
        assert_eq!(changed(&|parts| parts.clips.clear()), digest);
        assert_ne!(base_digest(&bar, "other settings"), digest);
        assert_ne!(changed(&|parts| parts.name.push('2')), digest);
        assert_ne!(
            changed(&|parts| parts.meshes[0].scale_positions(1.000_001)),
            digest
        );
        assert_ne!(changed(&|parts| parts.parts[0].node_name.push('2')), digest);
        let moved = changed(&|parts| {
            let mut joints = parts.skeleton.joints().to_vec();
            joints[1].parent_from_joint.translation.x += 1e-9;
            parts.skeleton = throng_rig::Skeleton::new(joints).unwrap();
        });
        assert_ne!(moved, digest);
    }
}
