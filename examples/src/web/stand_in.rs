//! Stand-in for the capture of `throng-wgpu`: vertices of the CPU, drawn onto integer targets and read back.

use throng_format::decode::{self, BonePose};
use throng_format::{DecodeParams, TextureSet};
use throng_rig::{Method, ModelPose, Palette};
use throng_skin::reference::{Skinned, skin};
use throng_wgpu::{Instance, Play, Ticks};
use wasm_bindgen::JsError;
use wgpu::util::DeviceExt;

use super::read_back;

/// Columns of the targets. A row has a multiple of 256 bytes, as copies need.
const COLUMNS: u32 = 512;
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;

/// Six floats per vertex, instance after instance.
pub async fn capture(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    set: &TextureSet,
    now: Ticks,
) -> Result<Vec<f32>, JsError> {
    let instances = crate::instances(now);
    let vertices: Vec<[f32; 6]> = instances
        .iter()
        .flat_map(|one| vertices(set, one, now))
        .collect();
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let buffers = draw(device, queue, &vertices);
    if let Some(error) = scope.pop().await {
        return Err(error.into());
    }
    let positions = read_back::words(device, &buffers[0]).await?;
    let normals = read_back::words(device, &buffers[1]).await?;
    let texels = positions.chunks_exact(4).zip(normals.chunks_exact(4));
    let mut floats = Vec::new();
    for (index, (position, normal)) in texels.take(vertices.len()).enumerate() {
        if position[3] != 1 || normal[3] != 1 {
            let problem = format!("vertex {index} of all instances together was not drawn");
            return Err(JsError::new(&problem));
        }
        let words = position[..3].iter().chain(&normal[..3]);
        floats.extend(words.map(|word| f32::from_bits(*word)));
    }
    Ok(floats)
}

/// Draws the vertices and copies both targets into buffers.
fn draw(device: &wgpu::Device, queue: &wgpu::Queue, vertices: &[[f32; 6]]) -> [wgpu::Buffer; 2] {
    let rows = (vertices.len() as u32).div_ceil(COLUMNS);
    let size = wgpu::Extent3d {
        width: COLUMNS,
        height: rows,
        depth_or_array_layers: 1,
    };
    let targets = [(); 2].map(|()| {
        device.create_texture(&wgpu::TextureDescriptor {
            label: Some("vertices"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })
    });
    let views = targets
        .each_ref()
        .map(|target| target.create_view(&Default::default()));
    let attachments = views.each_ref().map(|view| {
        Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: Default::default(),
        })
    });
    let points = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("points"),
        contents: bytemuck::cast_slice(vertices),
        usage: wgpu::BufferUsages::VERTEX,
    });
    let pipeline = pipeline(device, rows);
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &attachments,
            ..Default::default()
        });
        pass.set_pipeline(&pipeline);
        pass.set_vertex_buffer(0, points.slice(..));
        pass.draw(0..vertices.len() as u32, 0..1);
    }
    let buffers = targets.each_ref().map(|target| {
        let bytes_per_row = COLUMNS * 16;
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(bytes_per_row * rows),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let copy = wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(bytes_per_row),
                rows_per_image: None,
            },
        };
        encoder.copy_texture_to_buffer(target.as_image_copy(), copy, size);
        buffer
    });
    queue.submit([encoder.finish()]);
    buffers
}

fn pipeline(device: &wgpu::Device, rows: u32) -> wgpu::RenderPipeline {
    let source = include_str!("points.wgsl");
    let source = format!("const COLUMNS = {COLUMNS}u;\nconst ROWS = {rows}u;\n{source}");
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("points"),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("points"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            buffers: &[Some(wgpu::VertexBufferLayout {
                array_stride: 24,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3],
            })],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::PointList,
            ..Default::default()
        },
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            targets: &[Some(FORMAT.into()), Some(FORMAT.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Positions and normals of an instance in world space.
fn vertices(set: &TextureSet, instance: &Instance, now: Ticks) -> Vec<[f32; 6]> {
    let clips = DecodeParams::of(set).clips;
    let at = |play: &Play| {
        let clip = &clips[play.clip as usize];
        let time_secs = play.time_secs(clip.duration_secs, clip.looping, now);
        (play.clip as usize, time_secs)
    };
    let first = at(&instance.play);
    let (second, weight) = match &instance.fade {
        Some(fade) => (at(&fade.to), fade.weight(now)),
        None => (first, 0.0),
    };
    let model = set.model();
    let mut bones = BonePose::rest(model);
    decode::fade_bones(set, [first, second], weight, &mut bones);
    let joints = ModelPose {
        model_from_joint: bones.model_from_joint,
    };
    let mut vertices = Vec::new();
    for part in model.parts() {
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
        let of_part = skinned.positions.iter().zip(&skinned.normals);
        vertices.extend(of_part.map(|(position, normal)| {
            let world_from_model = instance.world_from_model;
            let position = world_from_model.transform_point3(position.as_vec3());
            let normal = world_from_model.transform_vector3(normal.as_vec3());
            let [x, y, z] = position.to_array();
            let [u, v, w] = normal.normalize().to_array();
            [x, y, z, u, v, w]
        }));
    }
    vertices
}
