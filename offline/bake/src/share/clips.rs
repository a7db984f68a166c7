//! Clips of a group: those of all its characters.

use std::collections::HashMap;

use throng_rig::{Character, Clip};

use super::ShareError;

/// Clips that a group of characters has in common.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupClips {
    /// Each clip once, in the order of the characters, without tracks of morph weights.
    pub clips: Vec<Clip>,
    /// Index of the first character that has the clip, per clip.
    pub first_owner: Vec<usize>,
    /// Index of the first character whose clip animates morph weights, per clip.
    pub morphing: Vec<Option<usize>>,
}

/// Collects the clips of characters with equal skeletons. `members` are names for messages, and characters. Clips of one
/// name are one clip, and must have equal tracks of joints; of several with one name in one file, the first is that of
/// other files' first.
pub fn group_clips(members: &[(&str, &Character)]) -> Result<GroupClips, ShareError> {
    let mut known: HashMap<(&str, usize), usize> = HashMap::new();
    let mut out = GroupClips {
        clips: Vec::new(),
        first_owner: Vec::new(),
        morphing: Vec::new(),
    };
    for (member, (label, character)) in members.iter().enumerate() {
        let mut namesakes: HashMap<&str, usize> = HashMap::new();
        for clip in character.clips() {
            let nth = namesakes.entry(&clip.name).or_default();
            let key = (clip.name.as_str(), *nth);
            *nth += 1;
            let index = *known.entry(key).or_insert_with(|| {
                out.clips.push(without_morphs(clip));
                out.first_owner.push(member);
                out.morphing.push(None);
                out.clips.len() - 1
            });
            if !have_equal_tracks(&out.clips[index], clip) {
                return Err(ShareError::ClipDiffers {
                    clip: clip.name.clone(),
                    first: members[out.first_owner[index]].0.to_owned(),
                    second: (*label).to_owned(),
                });
            }
            if !clip.morphs().is_empty() {
                out.morphing[index].get_or_insert(member);
            }
        }
    }
    match out.clips.is_empty() {
        false => Ok(out),
        true => {
            let labels: Vec<&str> = members.iter().map(|(label, _)| *label).collect();
            Err(ShareError::NoClips {
                characters: labels.join(", "),
            })
        }
    }
}

impl GroupClips {
    /// Errors where a chosen clip animates morph weights, which textures for several meshes cannot hold. No chosen clips
    /// are all.
    pub fn check_morphs(&self, labels: &[&str], chosen: &[usize]) -> Result<(), ShareError> {
        let is_chosen = |clip: &usize| chosen.is_empty() || chosen.contains(clip);
        for clip in (0..self.clips.len()).filter(is_chosen) {
            if let Some(member) = self.morphing[clip] {
                return Err(ShareError::MorphWeights {
                    character: labels[member].to_owned(),
                    clip: self.clips[clip].name.clone(),
                });
            }
        }
        Ok(())
    }

    /// Characters that lend clips to a member, which does not have them itself, in order.
    pub fn lenders_to(&self, character: &Character, member: usize) -> Vec<usize> {
        let own = |clip: &Clip| {
            character
                .clips()
                .iter()
                .any(|known| known.name == clip.name)
        };
        let clips = self.clips.iter().zip(&self.first_owner);
        let lent = clips.filter(|&(clip, &owner)| owner != member && !own(clip));
        let mut lenders: Vec<usize> = lent.map(|(_, &owner)| owner).collect();
        lenders.sort_unstable();
        lenders.dedup();
        lenders
    }

    /// Returns a character of the group with all clips of the group.
    pub fn on(&self, character: &Character) -> Character {
        let mut parts = character.clone().into_parts();
        parts.clips = self.clips.clone();
        Character::new(parts).expect("clips of an equal skeleton fit")
    }
}

/// Returns the clip without tracks of morph weights, over the same time.
fn without_morphs(clip: &Clip) -> Clip {
    if clip.morphs().is_empty() {
        return clip.clone();
    }
    let joints = Clip::new(clip.name.clone(), clip.joints().to_vec(), Vec::new());
    let joints = joints.expect("the joints are those of a clip");
    joints.with_source_timing(
        clip.start_secs(),
        clip.end_secs(),
        clip.finest_spacing_secs(),
    )
}

fn have_equal_tracks(a: &Clip, b: &Clip) -> bool {
    let span = |clip: &Clip| (clip.start_secs(), clip.end_secs());
    a.joints() == b.joints() && span(a) == span(b)
}
