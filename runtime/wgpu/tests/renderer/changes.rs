//! Instances that change one by one, and many at once.

use super::*;

/// Any sequence of changes leaves the crowd as if it had been made anew.
#[test]
fn instances_change_one_by_one() {
    let Some(gpu) = gpu() else { return };
    for (encoding, storage, instancing) in [
        (
            Encoding::BoneQt,
            Storage::Frames(Precision::Unorm16),
            Instancing::Instanced,
        ),
        (
            Encoding::BoneLocal,
            Storage::Compressed,
            Instancing::Instanced,
        ),
        (
            Encoding::BoneLocal,
            Storage::Compressed,
            Instancing::SkinOnce,
        ),
    ] {
        let set = baked(encoding, storage);
        let rest = set.rest().clone();
        let settings = ModelSettings {
            instancing,
            ..ModelSettings::default()
        };
        let mut crowd = model(gpu, &set, settings).crowd().unwrap();
        let some = scattered(60, NOW);
        let mut fresh = some
            .iter()
            .copied()
            .enumerate()
            .map(|(index, instance)| Instance {
                group: index as u32,
                ..instance
            });
        let mut state = 3;
        let mut ids: Vec<InstanceId> = Vec::new();
        for round in 0..12 {
            for _ in 0..4 {
                ids.push(crowd.spawn(fresh.next().unwrap()).unwrap());
            }
            let mut any = |len: usize| (random(&mut state) * len as f32) as usize;
            if round % 2 == 1 {
                let gone = ids.swap_remove(any(ids.len()));
                assert!(crowd.despawn(gone).is_some());
                assert!(crowd.despawn(gone).is_none());
                assert!(crowd.get(gone).is_none());
                let refused = crowd.play(gone, Play::new(0));
                assert!(matches!(refused, Err(GpuError::NoSuchInstance)));
            }
            let id = ids[any(ids.len())];
            let place = Affine3A::from_translation(Vec3::new(round as f32, 0.5, -1.0));
            crowd.set_transform(id, place).unwrap();
            let id = ids[any(ids.len())];
            crowd
                .play(id, Play::starting(1, Ticks(NOW.0.wrapping_sub(40_000))))
                .unwrap();
            let id = ids[any(ids.len())];
            crowd
                .cross_fade(
                    id,
                    Play::new(2),
                    Ticks(NOW.0.wrapping_sub(9_000)),
                    Ticks(20_000),
                )
                .unwrap();
            let unknown = crowd.play(id, Play::new(9));
            assert!(matches!(unknown, Err(GpuError::NoSuchClip { clip: 9, .. })));
            let captured = capture(&mut crowd, NOW);
            assert_eq!(captured.len(), ids.len());
            for (captured, instance) in captured.iter().zip(crowd.instances()) {
                let error_mm = largest_mm(captured, &expected(&set, instance, NOW, &rest));
                assert!(
                    error_mm <= subjects::TOLERANCE_MM,
                    "{encoding} {instancing:?}: {error_mm} mm"
                );
            }
        }
        let mut other = crowd.model().crowd().unwrap();
        other.spawn(crowd.instances()[0]).unwrap();
        assert!(other.get(ids[0]).is_none(), "an id of another crowd");
        crowd.clear();
        assert!(capture(&mut crowd, NOW).is_empty());
    }
}

#[test]
fn a_hundred_thousand_instances_are_set_in_one_upload() {
    let Some(gpu) = gpu() else { return };
    let bar = ordered_builtin("bar:24");
    let set = baked_of(&bar, &[0], Encoding::BoneLocal, Storage::Compressed);
    let model = model(gpu, &set, ModelSettings::default());
    let mut crowd = model.crowd().unwrap();
    let instances: Vec<Instance> = (0..100_000)
        .map(|index| {
            let place = Vec3::new((index % 400) as f32, (index / 400) as f32, 0.0);
            Instance::at(Affine3A::from_translation(place)).playing(Play::new(0))
        })
        .collect();
    crowd.reserve(50_000).unwrap();
    crowd.set_instances(&instances).unwrap();
    let id = crowd.ids().nth(70_000).unwrap();
    crowd
        .set_transform(id, Affine3A::from_translation(Vec3::splat(-9.0)))
        .unwrap();
    let captured = capture(&mut crowd, NOW);
    assert_eq!(captured.len(), 100_000);
    let rest = set.rest().clone();
    for index in [0, 1, 69_999, 70_000, 70_001, 99_999] {
        let instance = crowd.instances()[index];
        let error_mm = largest_mm(&captured[index], &expected(&set, &instance, NOW, &rest));
        // Up to 470 m from the origin.
        assert!(error_mm <= 0.1, "{index}: {error_mm} mm");
    }
}
