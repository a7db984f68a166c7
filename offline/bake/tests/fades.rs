//! Error of a cross-fade of each encoding against blending the joints in their parents' spaces.

use throng_bake::{BakeSettings, Rate, bake, drawing_order};
use throng_format::decode::{self, BonePose, VertexPose};
use throng_format::{Encoding, Precision, Source, Storage, TextureSet};
use throng_rig::{Character, CharacterPose, LocalPose, Method, ModelPose, Palette};
use throng_skin::reference::{Skinned, skin, skin_part};

use glam::DVec3;

/// Pairs of clips and a time in each, with legs and arms in different poses.
const FADES: [([&str; 2], [f64; 2]); 3] = [
    (["walk", "run"], [0.3, 0.2]),
    (["walk", "dance"], [0.6, 1.2]),
    (["run", "dance"], [0.4, 2.1]),
];

fn clip(character: &Character, name: &str) -> usize {
    let mut clips = character.clips().iter();
    clips.position(|clip| clip.name == name).unwrap()
}

fn baked(character: &Character, encoding: Encoding, storage: impl Into<Storage>) -> TextureSet {
    let settings = BakeSettings {
        encoding,
        storage: storage.into(),
        skinning: Method::Lbs.into(),
        rate: Rate::Hz(60.0),
        ..BakeSettings::default()
    };
    let source = Source::in_memory("builtin:humanoid:1000");
    bake(character, &settings, &source, &()).unwrap().set
}

/// Positions with each joint blended in its parent's space, in float64.
fn reference_positions(character: &Character, times: [(usize, f64); 2], weight: f64) -> Vec<DVec3> {
    let mut pose = CharacterPose::rest(character);
    let mut second = LocalPose::rest(character);
    for (pose, (clip, time)) in [&mut pose.local, &mut second].into_iter().zip(times) {
        let clip = &character.clips()[clip];
        pose.sample(character, clip, clip.start_secs() + time);
    }
    pose.local.blend(&second, weight);
    pose.resolve(character);
    let skinned = character.parts().iter().map(|part| {
        let mut skinned = Skinned::default();
        skin_part(character, part, &pose, Method::Lbs, &mut skinned);
        skinned.positions
    });
    skinned.flatten().collect()
}

fn faded(set: &TextureSet, times: [(usize, f64); 2], weight: f64) -> Vec<DVec3> {
    let model = set.model();
    if set.manifest().encoding.is_vertex() {
        let rest = &set.rest().positions;
        let mut pose = VertexPose::default();
        decode::fade_vertices(set, times, weight, &mut pose);
        let mut first = 0;
        let parts = model.parts().iter().map(|part| {
            let unique = model.mesh_of(part).unique();
            let item = |&item: &u32| first + item as usize;
            let positions: Vec<DVec3> = unique
                .position_of()
                .iter()
                .map(|index| rest[item(index)].as_dvec3() + pose.offsets[item(index)])
                .collect();
            first += unique.position_count();
            positions
        });
        return parts.flatten().collect();
    }
    let mut bones = BonePose::rest(model);
    decode::fade_bones(set, times, weight, &mut bones);
    let joints = ModelPose {
        model_from_joint: bones.model_from_joint,
    };
    let parts = model.parts().iter().map(|part| {
        let mut palette = Palette::default();
        palette.update(model.skin_of(part), &joints);
        let mut skinned = Skinned::default();
        skin(
            Method::Lbs,
            model.mesh_of(part),
            &[],
            &palette,
            &mut skinned,
        );
        skinned.positions
    });
    parts.flatten().collect()
}

/// Largest and RMS distance over all pairs and weights, in millimetres.
fn error_mm(character: &Character, set: &TextureSet) -> (f64, f64) {
    let (mut largest, mut squares, mut count) = (0.0f64, 0.0, 0.0);
    for (names, times) in FADES {
        let at = [0, 1].map(|k| (clip(character, names[k]), times[k]));
        for weight in [0.25, 0.5, 0.75] {
            let pairs = reference_positions(character, at, weight);
            for (a, b) in pairs.iter().zip(faded(set, at, weight)) {
                let mm = 1e3 * a.distance(b);
                largest = largest.max(mm);
                squares += mm * mm;
                count += 1.0;
            }
        }
    }
    (largest, (squares / count).sqrt())
}

/// The numbers in `docs/format.md`. Joints that are blended in model space move straight, and limbs shorten on the way.
#[test]
fn only_bone_local_cross_fades_match_local_pose_blend() {
    let character = drawing_order(&throng_import::builtin::builtin("humanoid:1000").unwrap());
    let mut off = Vec::new();
    for (encoding, storage, expected_mm) in [
        (Encoding::BoneLocal, Storage::Compressed, 0.0),
        (Encoding::BoneQt, Storage::Frames(Precision::F32), 542.1),
        (Encoding::BoneDq, Storage::Frames(Precision::F32), 975.5),
        (Encoding::BoneMatrix, Storage::Frames(Precision::F32), 532.0),
        (
            Encoding::VirtualBones,
            Storage::Frames(Precision::F32),
            531.5,
        ),
        (Encoding::Vertex, Storage::Frames(Precision::F32), 532.0),
    ] {
        let (max_mm, rms_mm) = error_mm(&character, &baked(&character, encoding, storage));
        println!("{encoding}: {max_mm:.2} mm, RMS {rms_mm:.2} mm");
        let slack = if encoding == Encoding::BoneLocal {
            0.75
        } else {
            0.02 * expected_mm
        };
        if (max_mm - expected_mm).abs() > slack {
            off.push(format!("{encoding}: {max_mm:.2} mm, not {expected_mm}"));
        }
    }
    assert!(off.is_empty(), "{off:?}");
}
