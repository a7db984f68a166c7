//! Keys of the clips.

use throng_rig::LocalPose;

use super::{FEWEST, clip};

#[test]
fn has_five_clips_in_order() {
    let character = &*FEWEST;
    let names: Vec<&str> = character.clips().iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["idle", "walk", "run", "wave", "dance"]);
}

#[test]
fn every_clip_loops_and_moves() {
    let character = &*FEWEST;
    for clip in character.clips() {
        let mut poses = [0.0, 0.25, 1.0].map(|phase| {
            let mut pose = LocalPose::rest(character);
            pose.sample(character, clip, clip.duration_secs() * phase);
            pose
        });
        let [start, quarter, end] = &mut poses;
        assert_eq!(start, end, "{}", clip.name);
        assert_ne!(start, quarter, "{}", clip.name);
    }
}

#[test]
fn angular_speed_of_joints_is_bounded() {
    let character = &*FEWEST;
    for clip in character.clips() {
        for tracks in clip.joints() {
            let rotation = tracks.rotation.as_ref().unwrap();
            for (pair, times) in rotation
                .values()
                .windows(2)
                .zip(rotation.times().windows(2))
            {
                let degrees = pair[0].angle_between(pair[1]).to_degrees();
                let degrees_per_sec = f64::from(degrees) / (times[1] - times[0]);
                let name = &character.skeleton().joints()[tracks.joint].name;
                assert!(
                    degrees_per_sec < 1400.0,
                    "{}: {name} rotates at {degrees_per_sec}° per second at {} s",
                    clip.name,
                    times[0]
                );
            }
        }
    }
}

#[test]
fn key_times_are_exact_in_float32() {
    let character = &*FEWEST;
    for name in ["idle", "walk", "run", "wave", "dance"] {
        for tracks in clip(character, name).joints() {
            for &time in tracks.rotation.as_ref().unwrap().times() {
                assert_eq!(f64::from(time as f32), time, "{name}");
            }
        }
    }
}
