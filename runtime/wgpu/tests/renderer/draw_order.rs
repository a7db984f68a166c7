//! Orders of the draw calls of a loop over instances.

use super::*;
use throng_rig::Part;
use throng_wgpu::{CrowdMaterial, DrawOrder, Switches};

/// Writes the tint of the instance.
const TINTS: &str = "
@group(0) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;
fn clip_position(p: vec3<f32>) -> vec4<f32> { return clip_from_world * vec4(p, 1.0); }

@fragment
fn shade(in: VertexOut) -> @location(0) vec4<u32> {
    return vec4(u32(255.0 * in.tint.x + 0.5), 0u, 0u, 1u);
}
";

/// The humanoid in two parts, which have every other triangle each.
fn in_two_parts() -> Character {
    let mut parts = Character::clone(&HUMANOID).into_parts();
    let mesh = parts.meshes.remove(0);
    let vertices: Vec<u32> = (0..mesh.vertex_count() as u32).collect();
    for first in [0, 1] {
        let triangles = mesh.triangles().iter().skip(first).step_by(2);
        let half = mesh.select_vertices(&vertices, triangles.copied().collect());
        parts.meshes.push(half);
    }
    parts.parts.push(Part {
        mesh: 1,
        ..parts.parts[0].clone()
    });
    Character::new(parts).unwrap()
}

fn material(model: &CrowdModel, target: &Target, compare: wgpu::CompareFunction) -> CrowdMaterial {
    model
        .material(&MaterialDescriptor {
            wgsl: TINTS,
            fragment: Some("shade"),
            bind_group_layouts: &[Some(&target.camera_layout)],
            targets: &[Some(COLOR.into())],
            depth_stencil: Some(target.depth_state(compare)),
            ..Default::default()
        })
        .unwrap()
}

/// A picture of two humanoids that stand close to each other.
fn picture(gpu: &Gpu, model: &CrowdModel, compare: wgpu::CompareFunction) -> Vec<[u32; 4]> {
    let target = Target::new(gpu, [160, 64], 1, Depth::Forward);
    let material = material(model, &target, compare);
    let mut crowd = model.crowd().unwrap();
    for (index, tint) in [50, 200].into_iter().enumerate() {
        let place = Affine3A::from_translation(Vec3::new(0.1 * index as f32, 0.0, 0.0));
        let instance = Instance::at(place).playing(Play::new(index as u32));
        crowd.spawn(instance.tinted([tint, 0, 0, 255])).unwrap();
    }
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    crowd.prepare(&mut encoder, NOW).unwrap();
    let mut pass = target.begin(&mut encoder);
    pass.set_bind_group(0, &target.camera_group, &[]);
    crowd.draw(&mut pass, &material);
    drop(pass);
    gpu.queue().submit([encoder.finish()]);
    target.texels(gpu, 0)
}

/// With a depth test, both orders draw the same picture. Without, the last draw call wins, and pictures differ.
#[test]
fn draw_orders_draw_the_same_picture() {
    let Some(gpu) = gpu() else { return };
    let character = Arc::new(in_two_parts());
    let set = baked_of(&character, &[0, 1], Encoding::BoneQt, Precision::Unorm16);
    let orders = [DrawOrder::PartsFirst, DrawOrder::InstancesFirst];
    let settings = orders.map(|draw_order| ModelSettings {
        instancing: Instancing::Loop,
        switches: Switches {
            draw_order,
            ..Switches::default()
        },
        ..ModelSettings::default()
    });
    let of_character = |technique| {
        settings.map(|settings| {
            let (device, queue) = (gpu.device(), gpu.queue());
            let method = Method::Lbs;
            CrowdModel::of_character(device, queue, &character, &[], technique, method, settings)
                .unwrap()
        })
    };
    let all = [
        settings.map(|settings| model(gpu, &set, settings)),
        of_character(Technique::Control),
        of_character(Technique::Cpu),
        of_character(Technique::PaletteMatrix),
        of_character(Technique::PaletteDq),
    ];
    for [parts_first, instances_first] in all {
        let pictures =
            |compare| [&parts_first, &instances_first].map(|model| picture(gpu, model, compare));
        let [a, b] = pictures(wgpu::CompareFunction::Less);
        let drawn = a.iter().filter(|texel| texel[3] == 1).count();
        assert!(drawn > 100, "{drawn} pixels");
        assert!(a == b);
        let [a, b] = pictures(wgpu::CompareFunction::Always);
        let differing = a.iter().zip(&b).filter(|(a, b)| a != b).count();
        assert!(differing > 10, "{differing} pixels");
    }
}
