//! A set is compared only with the source it was baked from.

use glam::DVec3;
use throng_bake::accuracy::{Comparison, VerifyError};
use throng_format::{
    Axes, ClipEntry, Encoding, FORMAT, FrameInterpolation, JointCurveLayout, Layout, Manifest,
    Metadata, Source, VERSION,
};
use throng_import::builtin::builtin;
use throng_rig::{Bounds, Character, LoopPolicy, Skinning};

use crate::common::{character, slide};

fn bounds() -> Bounds {
    Bounds {
        min: DVec3::ZERO,
        max: DVec3::splat(2.0),
    }
}

/// The parts of a manifest that the comparison checks.
fn manifest(clips: &[(&str, f64, f64)]) -> Manifest {
    let entry = |&(name, start_secs, duration_secs): &(&str, f64, f64)| ClipEntry {
        name: name.into(),
        first_frame: 0,
        frames: 31,
        rate_hz: 30.0,
        start_secs,
        duration_secs,
        looping: LoopPolicy::Wrap,
        bounds: bounds(),
        root_motion: None,
        events: vec![],
        content_digest: None,
    };
    Manifest {
        format: FORMAT.into(),
        version: VERSION,
        generator: "a test".into(),
        name: "hand-made".into(),
        source: Source::in_memory("builtin:none"),
        encoding: Encoding::BoneLocal,
        precision: None,
        method: Skinning::AsAuthored,
        interpolation: FrameInterpolation::Nlerp,
        metadata: Metadata::Manifest,
        axes: Axes::metres(),
        size: 2.0,
        bounds: bounds(),
        clips: clips.iter().map(entry).collect(),
        joints: vec![],
        skins: vec![],
        parts: vec![],
        layout: Layout::JointCurves(JointCurveLayout {
            texture: 0,
            bones: vec![],
            clip_table: 0,
            joint_table: 0,
            record_words: 4,
            curves: 0,
        }),
        morphs: None,
        textures: vec![],
        mesh: "mesh.glb".into(),
        sockets: vec![],
        lods: vec![],
        files: vec![],
        max_error_of_size: None,
        motion: None,
        base_digest: None,
    }
}

fn refusal(manifest: &Manifest, model: &Character, source: &Character) -> VerifyError {
    match Comparison::new(manifest, model, source) {
        Ok(_) => panic!("a wrong source was accepted"),
        Err(error) => error,
    }
}

#[test]
fn clips_are_found_by_name_then_by_span_and_order() {
    let late = |name: &str, start: f64| slide(name).with_source_timing(start, start + 1.0, None);
    let clips = vec![
        slide("idle"),
        slide("walk"),
        late("walk", 5.0),
        slide("walk"),
    ];
    let source = character(clips);
    let baked = manifest(&[("walk", 5.0, 1.0), ("walk", 0.0, 1.0), ("walk", 0.0, 1.0)]);
    let comparison = Comparison::new(&baked, &source, &source).unwrap();
    let found: Vec<usize> = comparison
        .clips
        .iter()
        .map(|clip| clip.source_clip)
        .collect();
    assert_eq!(found, [2, 1, 3]);
    assert_eq!(comparison.clips[0].looping, LoopPolicy::Wrap);
    assert_eq!(comparison.plan.clip_count(), 3);
}

#[test]
fn wrong_source_is_refused_by_name() {
    let set = character(vec![slide("walk")]);
    let baked = manifest(&[("walk", 0.0, 1.0)]);
    let humanoid = builtin("humanoid:1000").unwrap();
    let error = refusal(&baked, &set, &humanoid);
    assert!(matches!(error, VerifyError::Joints { in_set: 2, .. }));
    assert!(error.to_string().contains("'humanoid'"), "{error}");
}

#[test]
fn source_with_other_vertices_is_refused() {
    let (coarse, fine) = (builtin("bar:100").unwrap(), builtin("bar:1000").unwrap());
    let error = refusal(&manifest(&[]), &coarse, &fine);
    let VerifyError::Vertices {
        part: 0,
        in_source,
        in_set,
        ..
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!(in_source, fine.meshes()[0].vertex_count());
    assert_eq!(in_set, coarse.meshes()[0].vertex_count());
}

#[test]
fn other_parts_joints_clips_and_spans_are_refused() {
    let set = character(vec![slide("walk")]);
    let baked = manifest(&[("walk", 0.0, 1.0)]);

    let mut pieces = set.clone().into_parts();
    pieces.parts.push(pieces.parts[0].clone());
    let error = refusal(&baked, &set, &Character::new(pieces).unwrap());
    assert!(matches!(
        error,
        VerifyError::Parts {
            in_source: 2,
            in_set: 1,
            ..
        }
    ));

    let mut pieces = set.clone().into_parts();
    let mut joints = pieces.skeleton.joints().to_vec();
    joints[1].name = "top".into();
    pieces.skeleton = throng_rig::Skeleton::new(joints).unwrap();
    let error = refusal(&baked, &set, &Character::new(pieces).unwrap()).to_string();
    assert!(
        error.contains("joint 1 is 'top' in 'hand-made', but 'tip' in the set"),
        "{error}"
    );

    let error = refusal(&manifest(&[("run", 0.0, 1.0)]), &set, &set).to_string();
    assert!(
        error.contains("'run' of the set is not in 'hand-made'; clips there: 'walk'"),
        "{error}"
    );

    let error = refusal(&manifest(&[("walk", 0.0, 1.1)]), &set, &set);
    assert!(matches!(error, VerifyError::ClipSpan { .. }));
    let error = error.to_string();
    assert!(
        error.contains("'walk'") && error.contains("1.1 s in the set"),
        "{error}"
    );
}
