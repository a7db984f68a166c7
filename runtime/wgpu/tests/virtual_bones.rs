//! P3's virtual bones: bones from vertex colours, weights from their texture and bind poses from the first row, on Vulkan
//! and on GL with the limits of WebGL2, against float64 skinning by joints and inverse bind matrices.

#[path = "common/gpu.rs"]
mod device;
#[path = "common/subjects.rs"]
mod subjects;

use device::crowd_of_set;
use subjects::{TOLERANCE_MM, baked_preset, capture, expected, largest_mm, scattered};
use throng_bake::Preset;
use throng_format::{SetMesh, TextureSet};
use throng_rig::{Character, Influences, Skin};
use throng_shaders::{Deform, InfluenceSource};
use throng_wgpu::{
    DecodeMode, Gpu, GpuLimits, Instancing, ModelSettings, SetBuffers, SetShaders, Ticks,
    vertex_layouts,
};

/// Shortly before ticks wrap.
const NOW: Ticks = Ticks(u32::MAX - 777);

fn gpus() -> Vec<Gpu> {
    let vulkan = device::open(wgpu::Backends::VULKAN, GpuLimits::Adapter);
    let gl = device::open(wgpu::Backends::GL, GpuLimits::WebGl2);
    vulkan.into_iter().chain(gl).collect()
}

/// The set with a mesh whose joints, weights and inverse bind matrices are useless, so that shaders must use what P3
/// stores.
fn without_skin(set: &TextureSet) -> TextureSet {
    let mut manifest = set.manifest().clone();
    let mut parts = set.model().clone().into_parts();
    for mesh in &mut parts.meshes {
        let vertices = mesh.vertex_count();
        mesh.set_influences(Influences::rigid(vertices)).unwrap();
        mesh.split_positions();
    }
    for skin in &mut parts.skins {
        let matrices = vec![glam::DAffine3::IDENTITY; skin.len()];
        let joints = skin.joints().to_vec();
        *skin = Skin::new(skin.name.clone(), set.model().skeleton(), joints, matrices).unwrap();
    }
    let model = Character::new(parts).unwrap();
    for (part, entry) in model.parts().iter().zip(&mut manifest.parts) {
        let unique = model.mesh_of(part).unique();
        entry.positions = unique.position_count() as u32;
        entry.normals = unique.normal_count() as u32;
    }
    let mut first = [0; 2];
    for entry in &mut manifest.parts {
        [entry.first_position, entry.first_normal] = first;
        first[0] += entry.positions;
        first[1] += entry.normals;
    }
    let mesh = SetMesh {
        character: model,
        ..set.mesh().clone()
    };
    TextureSet::new(manifest, set.textures().to_vec(), mesh).unwrap()
}

#[test]
fn instances_match_float64_skinning_without_joints_and_inverse_binds() {
    let cases = [
        (Preset::P3VirtualBones, 4, InfluenceSource::Colors),
        (Preset::P3VirtualBones, 1, InfluenceSource::SingleColor),
        (Preset::P3VirtualBonesSplit, 4, InfluenceSource::Colors),
    ];
    let instances = scattered(12, NOW);
    let gpus = gpus();
    for (preset, max_influences, influences) in cases {
        let set = baked_preset(preset, max_influences);
        let expected: Vec<_> = instances
            .iter()
            .map(|instance| expected(&set, instance, NOW, set.rest()))
            .collect();
        let stripped = without_skin(&set);
        let shaders = SetShaders::of(&stripped, DecodeMode::Direct).unwrap();
        assert_eq!(shaders.deforms[0].influences(), influences);
        for gpu in &gpus {
            for (instancing, decode) in [
                (Instancing::Loop, DecodeMode::Direct),
                (Instancing::Instanced, DecodeMode::Direct),
                (Instancing::Instanced, DecodeMode::Pass),
                (Instancing::SkinOnce, DecodeMode::Direct),
            ] {
                let settings = ModelSettings {
                    instancing,
                    decode,
                    ..ModelSettings::default()
                };
                let mut instances = instances.clone();
                for (group, instance) in instances.iter_mut().enumerate() {
                    instance.group = group as u32;
                }
                let mut crowd = crowd_of_set(gpu, &stripped, settings).unwrap();
                crowd.set_instances(&instances).unwrap();
                let captured = capture(&mut crowd, NOW);
                for (captured, expected) in captured.iter().zip(&expected) {
                    let error_mm = largest_mm(captured, expected);
                    assert!(
                        error_mm <= TOLERANCE_MM,
                        "{} {influences:?} {instancing:?} {decode:?} on {:?}: {error_mm} mm",
                        preset.name(),
                        gpu.backend()
                    );
                }
            }
        }
    }
}

/// The buffers hold the colours of the mesh and, as bytes, those that are bones.
#[test]
fn attributes_are_bytes_of_bones_and_colours_of_the_mesh() {
    let set = baked_preset(Preset::P3VirtualBones, 4);
    let mut parts = set.model().clone().into_parts();
    for mesh in &mut parts.meshes {
        let colors = vec![[1.0, 0.5, 0.25, 0.0]; mesh.vertex_count()];
        mesh.set_colors(colors).unwrap();
    }
    let mesh = SetMesh {
        character: Character::new(parts).unwrap(),
        ..set.mesh().clone()
    };
    let set = TextureSet::new(set.manifest().clone(), set.textures().to_vec(), mesh).unwrap();
    let buffers = SetBuffers::of(&set).unwrap();
    let deform: Deform = SetShaders::of(&set, DecodeMode::Direct).unwrap().deforms[0];
    let layout = vertex_layouts(deform)[1].clone().unwrap();
    let attribute = |location: u32, vertex: usize| {
        let mut attributes = layout.attributes.iter();
        let found = attributes.find(|found| found.shader_location == location);
        let found = found.unwrap();
        let first = vertex * layout.array_stride as usize + found.offset as usize;
        (
            found.format,
            &buffers.attributes[first..][..found.format.size() as usize],
        )
    };
    let uvs = set.second_uvs().concat();
    for (vertex, bones) in set.bone_colors().concat().into_iter().enumerate() {
        let own = [65535_u16, 32768, 16384, 0].map(u16::to_le_bytes).concat();
        assert_eq!(
            attribute(3, vertex),
            (wgpu::VertexFormat::Unorm16x4, &own[..])
        );
        assert_eq!(
            attribute(4, vertex),
            (wgpu::VertexFormat::Unorm8x4, &bones[..])
        );
        let uv = uvs[vertex].to_array().map(f32::to_le_bytes).concat();
        assert_eq!(
            attribute(5, vertex),
            (wgpu::VertexFormat::Float32x2, &uv[..])
        );
    }
}
