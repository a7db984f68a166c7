//! Lighting inputs: the uniform block of the scene, the shadow map and the contact map.

use glam::{Vec3, Vec4};
use throng_wgpu::wgpu;

use crate::contact::{ContactBlur, ContactMap};
use crate::shader::SceneBlock;
use crate::shadow::{MapView, contact_view, sun_view};
use crate::target::{self, DEPTH};
use crate::wardrobe::TABLE;
use crate::{Lights, Shot, Wardrobe};

/// Texel of the shadow map, as a fraction of the character's size: shadows of a person are blurred by two centimetres.
const SUN_TEXEL: f32 = 1.0 / 260.0;
/// Texel of the contact map, as a fraction of the character's size.
const CONTACT_TEXEL: f32 = 1.0 / 90.0;
/// Height above which casters leave no contact shadow, as a fraction of the character's size.
const CONTACT_HEIGHT: f32 = 0.2;

/// Shadow and contact maps of one region, and their bind group.
#[derive(Debug)]
pub(crate) struct Maps {
    pub sun_view: MapView,
    pub contact_view: MapView,
    pub sun: wgpu::TextureView,
    pub contact: ContactMap,
    pub group: wgpu::BindGroup,
    block: wgpu::Buffer,
    wardrobe: wgpu::Buffer,
}

/// Makes the layout of bind group 3 of lit shaders.
pub(crate) fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let texture = |sample_type| wgpu::BindingType::Texture {
        sample_type,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let uniform = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let comparison = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
    let filtering = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    let entries = [
        entry(0, uniform),
        entry(1, texture(wgpu::TextureSampleType::Depth)),
        entry(2, comparison),
        entry(
            3,
            texture(wgpu::TextureSampleType::Float { filterable: true }),
        ),
        entry(4, filtering),
        entry(5, uniform),
    ];
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("scene"),
        entries: &entries,
    })
}

fn views(device: &wgpu::Device, shot: &Shot, lights: &Lights) -> [MapView; 2] {
    let size = shot.character_size;
    let to_sun = lights.to_sun.normalize_or(Vec3::Y);
    let max_side = device.limits().max_texture_dimension_2d;
    [
        sun_view(
            &shot.casters,
            &shot.camera,
            to_sun,
            size * SUN_TEXEL,
            max_side,
        ),
        contact_view(
            &shot.casters,
            shot.ground_y,
            size * CONTACT_HEIGHT,
            size * CONTACT_TEXEL,
        ),
    ]
}

impl Maps {
    pub fn new(
        device: &wgpu::Device,
        blur: &ContactBlur,
        layout: &wgpu::BindGroupLayout,
        shot: &Shot,
        lights: &Lights,
    ) -> Self {
        let [sun_view, contact_view] = views(device, shot, lights);
        let sun = target::map(device, "sun", sun_view.sides, DEPTH);
        let contact = blur.map(device, contact_view.sides);
        let linear = |compare| wgpu::SamplerDescriptor {
            label: Some("map"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare,
            ..Default::default()
        };
        let uniform = |label, size: usize| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let block = uniform("scene", size_of::<SceneBlock>());
        let wardrobe = uniform("wardrobe", size_of::<[[f32; 4]; TABLE]>());
        let compares = linear(Some(wgpu::CompareFunction::LessEqual));
        let sun_sampler = device.create_sampler(&compares);
        let contact_sampler = device.create_sampler(&linear(None));
        let view = wgpu::BindingResource::TextureView;
        let sampler = wgpu::BindingResource::Sampler;
        let resources = [
            block.as_entire_binding(),
            view(&sun),
            sampler(&sun_sampler),
            view(&contact.blurred),
            sampler(&contact_sampler),
            wardrobe.as_entire_binding(),
        ];
        let numbered = (0..).zip(resources);
        let entries: Vec<_> = numbered
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("scene"),
            layout,
            entries: &entries,
        });
        Self {
            sun_view,
            contact_view,
            sun,
            contact,
            group,
            block,
            wardrobe,
        }
    }

    /// Moves the maps to the region of a shot. Returns false if they have another size than it needs.
    pub fn aim(&mut self, device: &wgpu::Device, shot: &Shot, lights: &Lights) -> bool {
        let sides = [self.sun_view.sides, self.contact_view.sides];
        [self.sun_view, self.contact_view] = views(device, shot, lights);
        sides == [self.sun_view.sides, self.contact_view.sides]
    }

    /// Writes the uniform blocks; they take effect with the next submission.
    pub fn write(&self, queue: &wgpu::Queue, shot: &Shot, lights: &Lights, wardrobe: &Wardrobe) {
        let extent = shot.casters.extent().as_vec3();
        let center = shot.casters.center().as_vec3();
        let (extent, size) = (extent.x.hypot(extent.z), shot.character_size);
        let fade_distance = (3.0 * extent + 4.0 * size).min(1.5 * extent + 60.0 * size);
        let (sun, contact) = (&self.sun_view, &self.contact_view);
        let color = |color: Vec3| color.extend(1.0).to_array();
        let to_sun = lights.to_sun.normalize_or(Vec3::Y);
        let block = SceneBlock {
            world_from_clip: shot.camera.clip_from_world().inverse().to_cols_array_2d(),
            sun_from_world: sun.clip_from_world.to_cols_array_2d(),
            contact_from_world: contact.clip_from_world.to_cols_array_2d(),
            eye: shot.camera.eye.extend(1.0).to_array(),
            to_sun: to_sun.extend(1.6 * sun.texel).to_array(),
            sun_color: color(lights.sun),
            sky_color: color(lights.sky),
            bounce_color: color(lights.bounce),
            horizon_color: color(lights.horizon),
            zenith_color: color(lights.zenith),
            glow_color: lights.glow.extend(lights.zenith_from).to_array(),
            ground_color: color(lights.ground),
            ground: Vec4::new(center.x, shot.ground_y, center.z, fade_distance).to_array(),
            steps: [
                1.0 / sun.sides[0] as f32,
                1.0 / sun.sides[1] as f32,
                1.2 * sun.texel / sun.depth,
                contact.depth,
            ],
            looks: [
                sun.fade_start,
                1.0 / (lights.haze_sizes * shot.character_size),
                lights.rim,
            ],
            padding: 0,
        };
        queue.write_buffer(&self.block, 0, bytemuck::bytes_of(&block));
        queue.write_buffer(&self.wardrobe, 0, bytemuck::bytes_of(&wardrobe.table()));
    }
}
