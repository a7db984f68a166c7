//! Depth passes, reversed depth and culling.

use super::*;

/// Writes the tint, the user word and the facing of the normal.
const COLORS: &str = "
@group(3) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;
override BRIGHTNESS: f32 = 0.0;

fn clip_position(p: vec3<f32>) -> vec4<f32> { return clip_from_world * vec4(p, 1.0); }

@fragment
fn shade(in: VertexOut) -> @location(0) vec4<u32> {
    let facing = u32(100.0 * (normalize(in.normal).z + 1.0) * BRIGHTNESS);
    return vec4(u32(255.0 * in.tint.x + 0.5), in.user, facing, 1u);
}
";

/// A picture of the crowd: tint, user word and facing of every pixel.
fn picture(gpu: &Gpu, model: &CrowdModel, depth: Depth, has_pre_pass: bool) -> Vec<[u32; 4]> {
    culled_picture(gpu, model, depth, has_pre_pass, None)
}

/// [`picture`] without one side of the triangles.
fn culled_picture(
    gpu: &Gpu,
    model: &CrowdModel,
    depth: Depth,
    has_pre_pass: bool,
    cull_mode: Option<wgpu::Face>,
) -> Vec<[u32; 4]> {
    let target = Target::new(gpu, [160, 64], 1, depth);
    let layouts = [None, None, None, Some(&target.camera_layout)];
    let compare = match (has_pre_pass, depth) {
        (true, _) => wgpu::CompareFunction::Equal,
        (false, Depth::Forward) => wgpu::CompareFunction::Less,
        (false, Depth::Reversed) => wgpu::CompareFunction::Greater,
    };
    let material = model
        .material(&MaterialDescriptor {
            wgsl: COLORS,
            fragment: Some("shade"),
            constants: &[("BRIGHTNESS", 1.0)],
            group: 0,
            bind_group_layouts: &layouts,
            targets: &[Some(COLOR.into())],
            depth_stencil: Some(target.depth_state(compare)),
            primitive: wgpu::PrimitiveState {
                cull_mode,
                ..Default::default()
            },
            invariance: Invariance::Position,
            ..Default::default()
        })
        .unwrap();
    let nearer = match depth {
        Depth::Forward => wgpu::CompareFunction::Less,
        Depth::Reversed => wgpu::CompareFunction::Greater,
    };
    let pre_pass = model
        .material(&MaterialDescriptor {
            wgsl: DEPTH_ONLY,
            group: 1,
            bind_group_layouts: &layouts,
            depth_stencil: Some(target.depth_state(nearer)),
            invariance: Invariance::Position,
            ..Default::default()
        })
        .unwrap();
    let mut crowd = model.crowd().unwrap();
    let [mut instances, _] = moved_instances();
    for (index, instance) in instances.iter_mut().enumerate() {
        instance.tint[0] = 60 * index as u8;
        instance.user = 7 + index as u32;
    }
    crowd.set_instances(&instances).unwrap();
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    crowd.prepare(&mut encoder, NOW).unwrap();
    if has_pre_pass {
        let mut pass = target.begin_depth(&mut encoder);
        pass.set_bind_group(3, &target.camera_group, &[]);
        crowd.draw(&mut pass, &pre_pass);
    }
    let mut pass = match has_pre_pass {
        true => target.begin_after_depth(&mut encoder),
        false => target.begin(&mut encoder),
    };
    pass.set_bind_group(3, &target.camera_group, &[]);
    for part in 0..model.parts().len() {
        crowd.draw_part(&mut pass, &material, part);
    }
    drop(pass);
    gpu.queue().submit([encoder.finish()]);
    target.texels(gpu, 0)
}

/// A depth pre-pass gives the depths of the lit pass to the bit: drawn where depths are equal, the picture is the same, and
/// so are silhouettes. Reversed depth hides the same pixels.
#[test]
fn depth_passes_draw_the_same_silhouettes() {
    let Some(gpu) = gpu() else { return };
    let Some(gl) = device::open(wgpu::Backends::GL, GpuLimits::WebGl2) else {
        return;
    };
    for (encoding, storage) in [
        (Encoding::BoneQt, Storage::Frames(Precision::Unorm16)),
        (Encoding::BoneLocal, Storage::Compressed),
        (Encoding::Vertex, Storage::Frames(Precision::F16)),
    ] {
        let set = baked(encoding, storage);
        for gpu in [gpu, &gl] {
            let model = model(gpu, &set, ModelSettings::default());
            let plain = picture(gpu, &model, Depth::Forward, false);
            let drawn = plain.iter().filter(|texel| texel[3] == 1);
            let users: std::collections::BTreeSet<_> =
                drawn.clone().map(|t| (t[0], t[1])).collect();
            assert_eq!(
                users.into_iter().collect::<Vec<_>>(),
                [(0, 7), (60, 8), (120, 9)]
            );
            assert!(drawn.count() > 300);
            assert_eq!(
                picture(gpu, &model, Depth::Forward, true),
                plain,
                "{encoding}"
            );
            assert_eq!(
                picture(gpu, &model, Depth::Reversed, true),
                picture(gpu, &model, Depth::Reversed, false)
            );
            let differing = picture(gpu, &model, Depth::Reversed, false);
            let differing = differing.iter().zip(&plain).filter(|(a, b)| a != b).count();
            // Depths round differently, so that surfaces that touch may change places.
            assert!(differing <= 5, "{encoding}: {differing} pixels");
        }
    }
}

/// Triangles wind as wgpu's default expects: culling the back leaves the picture, culling the front shows insides.
#[test]
fn back_faces_can_be_culled() {
    let Some(gpu) = gpu() else { return };
    let set = baked(Encoding::BoneQt, Precision::Unorm16);
    let model = model(gpu, &set, ModelSettings::default());
    let [all, front, back] = [None, Some(wgpu::Face::Back), Some(wgpu::Face::Front)]
        .map(|cull| culled_picture(gpu, &model, Depth::Forward, false, cull));
    let drawn = all.iter().filter(|texel| texel[3] == 1).count();
    let differing = all.iter().zip(&front).filter(|(a, b)| a != b).count();
    assert!(50 * differing < drawn, "{differing} of {drawn} pixels");
    let is_inside = |texel: &&[u32; 4]| texel[3] == 1 && texel[2] < 100;
    let inside = back.iter().filter(is_inside).count();
    assert!(10 * inside > 9 * drawn, "{inside} of {drawn} pixels");
}
