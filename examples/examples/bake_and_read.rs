//! Bakes a character in memory, reads it back from bytes, and decodes it on the CPU.
//!
//! `cargo run -p throng-examples --example bake_and_read` prints where a hand is during a clip: from the source, and from
//! the texture set.

use std::error::Error;

use throng_bake::accuracy::verify;
use throng_bake::{BakeSettings, bake};
use throng_format::decode::{self, BonePose};
use throng_format::{Encoding, Source, Storage, disk};
use throng_rig::CharacterPose;

fn main() -> Result<(), Box<dyn Error>> {
    let character = throng_import::builtin::builtin("humanoid:1000")?;
    let clip = character
        .clips()
        .iter()
        .position(|clip| clip.name == "wave")
        .ok_or("the humanoid waves")?;

    // Compressed curves of each joint, within 0.05 % of the character's size.
    let settings = BakeSettings {
        encoding: Encoding::BoneLocal,
        storage: Storage::Compressed,
        clips: vec![clip],
        max_error_of_size: 0.0005,
        ..BakeSettings::default()
    };
    let source = Source::in_memory("builtin:humanoid:1000");
    let set = bake(&character, &settings, &source, &())?.set;
    let bytes: usize = set
        .textures()
        .iter()
        .map(|texture| texture.bytes().len())
        .sum();
    println!("{bytes} bytes of texture");

    // A set can be written as one GLB, sent anywhere, and read from memory.
    let path = std::env::temp_dir().join(format!("throng-{}.glb", std::process::id()));
    disk::write_glb(&set, &path)?;
    let glb = std::fs::read(&path)?;
    std::fs::remove_file(&path)?;
    let set = disk::read_glb_bytes(&path, &glb)?;

    let hand_of = |joints: &[throng_rig::Joint]| {
        let hand = joints.iter().position(|joint| joint.name == "right_hand");
        hand.ok_or("the humanoid has a right hand")
    };
    let source_hand = hand_of(character.skeleton().joints())?;
    let hand = hand_of(set.model().skeleton().joints())?;
    let mut pose = CharacterPose::rest(&character);
    let mut decoded = BonePose::rest(set.model());
    println!("   time   source                    decoded");
    for step in 0..5 {
        let time_secs = 0.37 * f64::from(step);
        let played = &character.clips()[clip];
        pose.sample(&character, played, played.start_secs() + time_secs);
        decode::bones(&set, 0, time_secs, &mut decoded);
        let from = pose.model.model_from_joint[source_hand].translation;
        let to = decoded.model_from_joint[hand].translation;
        println!("{time_secs:5.2} s   {from:.4}  {to:.4}");
        assert!(from.distance(to) < 0.001, "more than a millimetre apart");
    }

    let report = verify(&set, &character, &())?;
    let max_error_mm = report.error.errors.overall.max_error_mm;
    println!("max error {max_error_mm:.3} mm");
    Ok(())
}
