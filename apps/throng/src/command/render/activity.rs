//! Clips that suit the places of a formation, by their names.

use throng_studio::Activity;

use super::subject::PlayedClip;

const WALK: &[&str] = &["walk", "stroll"];
const RUN: &[&str] = &["run", "jog", "sprint"];
const STAND: &[&str] = &["idle", "stand", "talk", "wait", "look"];
const CHEER: &[&str] = &[
    "idle", "wave", "waving", "danc", "cheer", "clap", "victory", "jump", "yes",
];

/// Lists of names that suit an activity, the best first.
fn names(activity: Activity) -> &'static [&'static [&'static str]] {
    match activity {
        Activity::Any => &[],
        Activity::Walk => &[WALK, RUN],
        Activity::Run => &[RUN, WALK],
        Activity::Stand => &[STAND, CHEER],
        Activity::Cheer => &[CHEER, STAND],
    }
}

/// Returns the numbers of the clips that suit an activity, or of all where no name does.
pub fn suited(clips: &[PlayedClip], activity: Activity) -> Vec<usize> {
    let suits = |clip: &PlayedClip, words: &[&str]| {
        let name = clip.name.to_lowercase();
        words.iter().any(|word| name.contains(word))
    };
    let of = |words: &&[&str]| -> Vec<usize> {
        (0..clips.len())
            .filter(|&index| suits(&clips[index], words))
            .collect()
    };
    let found = names(activity)
        .iter()
        .map(of)
        .find(|found| !found.is_empty());
    found.unwrap_or_else(|| (0..clips.len()).collect())
}

#[cfg(test)]
mod tests {
    use throng_rig::Bounds;

    use super::*;

    #[test]
    fn clips_are_chosen_by_name_or_all() {
        let clips = ["Armature|Walk_Loop", "RunFast", "Idle", "Sit"].map(|name| PlayedClip {
            index: 0,
            name: name.to_owned(),
            start_secs: 0.0,
            duration_secs: 1.0,
            bounds: Bounds::EMPTY,
        });
        assert_eq!(suited(&clips, Activity::Walk), [0]);
        assert_eq!(suited(&clips, Activity::Run), [1]);
        assert_eq!(suited(&clips, Activity::Cheer), [2]);
        assert_eq!(suited(&clips, Activity::Any), [0, 1, 2, 3]);
        assert_eq!(suited(&clips[2..], Activity::Walk), [0, 1]);
        assert_eq!(suited(&clips[..2], Activity::Stand), [0, 1]);
    }
}
