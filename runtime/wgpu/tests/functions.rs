//! Functions for engines: a compute shader around them gives the vertices of the shaders that draw, in every encoding.

#[path = "common/gpu.rs"]
mod device;
#[path = "common/subjects.rs"]
mod subjects;

use bytemuck::{cast_slice, pod_collect_to_vec};
use device::crowd_of_set;
use glam::Vec4;
use subjects::{HUMANOID, TOLERANCE_MM, baked_as, capture, gpu, morphing_bar, scattered};
use throng_bake::{BakeSettings, Rate};
use throng_format::{DecodeParams, Encoding, FrameInterpolation, Precision, Storage, TextureSet};
use throng_rig::{Character, Method};
use throng_shaders::translate::{
    Language, options_declaration, set_info_declaration, translate_functions,
};
use throng_shaders::{
    EngineFunctions, EngineOptions, SetInfo, TABLE_COLUMNS, palette_functions, vertex_functions,
};
use throng_wgpu::{
    Captured, DecodeMode, Gpu, Instance, ModelSettings, Play, SetBuffers, SetShaders, Ticks,
    engine_options,
};
use wgpu::util::{BufferInitDescriptor, DeviceExt, TextureDataOrder};

const NOW: Ticks = Ticks(u32::MAX - 777);
/// Distance of unit normals.
const NORMAL_TOLERANCE: f32 = 1e-4;

/// Entry point of an engine: each thread is a vertex of an instance.
const VERTEX_MAIN: &str = "
@group(0) @binding(0) var<storage, read> vertices: array<f32>;
@group(0) @binding(1) var<storage, read> attributes: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> results: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) thread: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let count = arrayLength(&attributes) / 4u;
    let vertex = thread.x;
    if vertex >= count {
        return;
    }
    let at = 7u * vertex;
    let position = vec4(vertices[at], vertices[at + 1u], vertices[at + 2u], vertices[at + 3u]);
    let normal = vec3(vertices[at + 4u], vertices[at + 5u], vertices[at + 6u]);
    let joints = attributes[4u * vertex + 1u];
    let weights = bitcast<vec4<f32>>(attributes[4u * vertex + 2u]);
    let indices = attributes[4u * vertex + 3u];
    let instance = thread.y;
    let now = NOWu;
    let model = throng_vertex(position, normal, joints, weights, indices, instance, now);
    let world = throng_to_world(model, instance);
    let by_matrix = throng_world_from_model(instance) * vec4(
        throng_position(position, normal, joints, weights, indices, instance, now), 1.0);
    let out = 3u * (instance * count + vertex);
    results[out] = vec4(world.position, throng_tint(instance).y);
    results[out + 1u] = vec4(world.normal, f32(throng_user(instance)));
    results[out + 2u] = AT;
    results[out + 2u].w = distance(by_matrix.xyz, world.position);
}
";

/// Entry point of an engine's palette pass: each thread is a texel, and writes by one of the two functions.
const PALETTE_MAIN: &str = "
@group(0) @binding(0) var target_palette: texture_storage_2d<rgba32uint, write>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) thread: vec3<u32>) {
    let texel = thread.x + 2048u * thread.y;
    var value = throng_palette_texel(texel, NOWu);
    if (texel & 1u) != 0u {
        let instance = texel / STRIDEu;
        let offset = texel - STRIDEu * instance;
        value = bitcast<vec4<u32>>(throng_palette_matrix(offset / 3u, instance, NOWu)[offset % 3u]);
    }
    textureStore(target_palette, thread.xy, value);
}
";

/// Replaces a block of printed functions.
fn with_block(text: &str, name: &str, declaration: &str) -> String {
    let (before, rest) = text.split_once(&format!("// throng:begin {name}")).unwrap();
    let (_, after) = rest.split_once(&format!("// throng:end {name}")).unwrap();
    format!("{before}{declaration}{after}")
}

/// A shader of an engine: the functions with the description of the set and its options, and an entry point.
fn source_of(
    functions: &EngineFunctions,
    info: &SetInfo,
    options: &EngineOptions,
    main: &str,
) -> String {
    let text = translate_functions(functions, Language::Wgsl).unwrap();
    let declared = set_info_declaration(info, Language::Wgsl).unwrap();
    let text = with_block(&text, "set_info", &declared);
    let declared = options_declaration(options, Language::Wgsl);
    // Palettes of frames need no options.
    let text = match text.contains("throng:begin options") {
        true => with_block(&text, "options", &declared),
        false => text,
    };
    text + &main.replace("NOW", &NOW.0.to_string())
}

fn table_rows(texels: usize) -> u32 {
    texels.div_ceil(TABLE_COLUMNS as usize).max(1) as u32
}

struct Uploads<'a> {
    gpu: &'a Gpu,
    set: &'a TextureSet,
    shaders: SetShaders,
    options: EngineOptions,
    buffers: SetBuffers,
    /// Records of the instances.
    records: Vec<[u32; 4]>,
    palette: Option<wgpu::Texture>,
}

impl Uploads<'_> {
    fn texture(
        &self,
        size: [u32; 3],
        format: wgpu::TextureFormat,
        bytes: &[u8],
        is_array: bool,
    ) -> wgpu::TextureView {
        let texture = self.gpu.device().create_texture_with_data(
            self.gpu.queue(),
            &wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d {
                    width: size[0],
                    height: size[1],
                    depth_or_array_layers: size[2],
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            },
            TextureDataOrder::LayerMajor,
            bytes,
        );
        texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: is_array.then_some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        })
    }

    fn table<const WORDS: usize>(
        &self,
        texels: &[[u32; WORDS]],
        is_array: bool,
    ) -> wgpu::TextureView {
        let rows = table_rows(texels.len());
        let mut padded = texels.to_vec();
        padded.resize((rows * TABLE_COLUMNS) as usize, [0; WORDS]);
        let format = match WORDS {
            2 => wgpu::TextureFormat::Rg32Uint,
            _ => wgpu::TextureFormat::Rgba32Uint,
        };
        self.texture(
            [TABLE_COLUMNS, rows, 1],
            format,
            cast_slice(padded.as_flattened()),
            is_array,
        )
    }

    /// The texture at a binding of group 1.
    fn binding(&self, binding: u32, reads_palette: bool) -> wgpu::TextureView {
        if let (2, true, Some(palette)) = (binding, reads_palette, &self.palette) {
            return palette.create_view(&Default::default());
        }
        match binding {
            1 => self.table(&self.shaders.tables, false),
            4 => self.table(&self.buffers.influences, false),
            6 => self.table(&self.buffers.morph_targets, true),
            7 => self.table(&self.records, false),
            _ => {
                let texture = self
                    .shaders
                    .textures
                    .iter()
                    .find(|texture| texture.binding == binding);
                let texels = texture.unwrap().device_texels(self.set);
                self.texture(texels.size, texels.format, &texels.bytes, true)
            }
        }
    }

    fn run(
        &self,
        source: &str,
        entries: &[wgpu::BindGroupEntry<'_>],
        workgroups: [u32; 2],
        reads_palette: bool,
    ) {
        let device = self.gpu.device();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            cache: None,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries,
        });
        let views: Vec<_> = (1..17)
            .filter(|binding| source.contains(&format!("@group(1) @binding({binding})")))
            .map(|binding| (binding, self.binding(binding, reads_palette)))
            .collect();
        let textures: Vec<_> = views
            .iter()
            .map(|(binding, view)| wgpu::BindGroupEntry {
                binding: *binding,
                resource: wgpu::BindingResource::TextureView(view),
            })
            .collect();
        let set = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(1),
            entries: &textures,
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.set_bind_group(1, &set, &[]);
        pass.dispatch_workgroups(workgroups[0], workgroups[1], 1);
        drop(pass);
        self.gpu.queue().submit([encoder.finish()]);
    }

    /// Fills the palette by its functions.
    fn fill_palette(&mut self, instances: usize) {
        let Some(source) = self.shaders.palette else {
            return;
        };
        let stride = self.shaders.info.palette_stride;
        let rows = table_rows(stride as usize * instances);
        let palette = self.gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d {
                width: TABLE_COLUMNS,
                height: rows,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba32Uint,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::STORAGE_BINDING,
            view_formats: &[],
        });
        let main = PALETTE_MAIN.replace("STRIDE", &stride.to_string());
        let text = source_of(
            &palette_functions(source),
            &self.shaders.info,
            &self.options,
            &main,
        );
        let entry = wgpu::BindGroupEntry {
            binding: 0,
            resource: wgpu::BindingResource::TextureView(&palette.create_view(&Default::default())),
        };
        self.run(&text, &[entry], [TABLE_COLUMNS / 64, rows], false);
        self.palette = Some(palette);
    }

    /// Runs the functions on every vertex of every instance: three texels each.
    fn vertices(&self, main: &str, instances: usize, deform_factor: f32) -> Vec<Vec4> {
        let device = self.gpu.device();
        let functions = vertex_functions(self.shaders.deforms[0]).unwrap();
        let text = source_of(&functions, &self.shaders.info, &self.options, main);
        let mut words: Vec<f32> = pod_collect_to_vec(&self.buffers.vertices);
        for vertex in words.chunks_exact_mut(7) {
            vertex[3] *= deform_factor;
        }
        let buffer = |bytes: &[u8]| {
            device.create_buffer_init(&BufferInitDescriptor {
                label: None,
                contents: bytes,
                usage: wgpu::BufferUsages::STORAGE,
            })
        };
        let count = self.shaders.info.vertices as usize;
        // UVs and colours are the first vector of each vertex.
        let (vertices, attributes) = (buffer(cast_slice(&words)), buffer(&self.buffers.attributes));
        let size = (3 * 16 * count * instances) as u64;
        let results = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let entries = [&vertices, &attributes, &results].map(wgpu::Buffer::as_entire_binding);
        let entries: Vec<_> = (0..)
            .zip(entries)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        let groups = [count.div_ceil(64) as u32, instances as u32];
        self.run(&text, &entries, groups, true);
        let read = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&results, 0, &read, 0, size);
        self.gpu.queue().submit([encoder.finish()]);
        read.slice(..)
            .map_async(wgpu::MapMode::Read, |mapped| mapped.unwrap());
        self.gpu.wait().unwrap();
        let mapped = read.get_mapped_range(..).unwrap();
        let vectors: Vec<[f32; 4]> = pod_collect_to_vec::<u8, _>(&mapped);
        vectors.into_iter().map(Vec4::from_array).collect()
    }

    /// Compares the vertices of functions with those of the shaders that draw.
    fn compare(&self, variant: &str, captured: &[Captured], deform_factor: f32) {
        let instances = captured.len();
        let at = match self.palette {
            Some(_) => "vec4(0.0)",
            None => {
                "vec4(throng_vertex_at(position, normal, joints, weights, indices, 2u, 0.77).position, 0.0)"
            }
        };
        let main = VERTEX_MAIN.replace("AT", at);
        let results = self.vertices(&main, instances, deform_factor);
        let [position_mm, normal] = differences(&results, captured);
        println!("{variant}: {position_mm} mm, normals {normal}");
        assert!(position_mm <= TOLERANCE_MM, "{variant}: {position_mm} mm");
        assert!(
            normal <= NORMAL_TOLERANCE,
            "{variant}: normals differ by {normal}"
        );
        // The last instance is at the origin, so that its vertices are in model space.
        let vertices = self.shaders.info.vertices as usize;
        let held = &results[3 * vertices * (instances - 1)..];
        for vertex in held.chunks_exact(3) {
            assert_eq!([vertex[0].w, vertex[1].w], [0.2, 7.0]);
            let is_posed = self.palette.is_some() || vertex[2].truncate() == vertex[0].truncate();
            assert!(is_posed, "{variant}: {vertex:?}");
        }
        let by_matrix = results.chunks_exact(3).map(|vertex| vertex[2].w);
        assert!(by_matrix.fold(0.0, f32::max) <= 1e-5);
        // The comparison detects another time. A palette keeps the time at which it was filled.
        if self.palette.is_none() && self.options == EngineOptions::default() {
            let late = main.replace("NOW", &(NOW.0 - 65536).to_string());
            let moved = self.vertices(&late, instances, deform_factor);
            assert!(differences(&moved, captured)[0] > 1.0, "{variant}");
        }
    }
}

/// Instances of all clips with cross-fades, one of them half way to the undeformed mesh, and one held.
fn instances() -> Vec<Instance> {
    let mut instances = scattered(12, NOW);
    instances[1].fraction = 0.4;
    instances.push(Instance {
        play: Play::held(2, 0.77),
        tint: [10, 51, 30, 40],
        user: 7,
        ..Instance::default()
    });
    instances
}

/// Vertices by functions and by the shaders that draw: largest distances of positions, in millimetres, and of normals.
fn differences(results: &[Vec4], captured: &[Captured]) -> [f32; 2] {
    let vertices = captured
        .iter()
        .flat_map(|one| one.positions.iter().zip(&one.normals));
    let mut largest = [0.0_f32; 2];
    let mut compared = 0;
    for (found, (position, normal)) in results.chunks_exact(3).zip(vertices) {
        let distances = [
            1e3 * found[0].truncate().distance(*position),
            found[1].truncate().distance(*normal),
        ];
        // NaN stays the largest.
        for (largest, distance) in largest.iter_mut().zip(distances) {
            if distance.is_nan() || distance > *largest {
                *largest = distance;
            }
        }
        compared += 1;
    }
    assert_eq!(3 * compared, results.len());
    largest
}

/// Compares functions with the shaders that draw, and expects the name of their variant.
fn compare(set: &TextureSet, decode: DecodeMode, variant: &str) {
    let Some(gpu) = gpu() else { return };
    let instances = instances();
    let settings = ModelSettings {
        decode,
        ..ModelSettings::default()
    };
    let mut crowd = crowd_of_set(gpu, set, settings).unwrap();
    crowd.set_instances(&instances).unwrap();
    let captured = capture(&mut crowd, NOW);

    let clips = DecodeParams::of(set).clips;
    let blocks: Vec<_> = instances
        .iter()
        .map(|instance| instance.to_block(&clips))
        .collect();
    let mut shaders = SetShaders::of(set, decode).unwrap();
    assert_eq!(shaders.deforms.len(), 1);
    assert_eq!(shaders.deforms[0].variant().as_deref(), Some(variant));
    let options = engine_options(set, &mut shaders.tables).unwrap();
    // Options that differ in influences alone are compared in one encoding, because compiling takes long.
    let is_compared = options.clip_records != 0 || set.manifest().encoding == Encoding::BoneQt;
    let options = is_compared.then_some(options);
    for options in [EngineOptions::default()].into_iter().chain(options) {
        let mut uploads = Uploads {
            gpu,
            set,
            shaders: shaders.clone(),
            options,
            buffers: SetBuffers::of(set).unwrap(),
            records: cast_slice(&blocks).to_vec(),
            palette: None,
        };
        uploads.fill_palette(instances.len());
        uploads.compare(variant, &captured, crowd.deform_factor());
    }
}

fn bake(character: &Character, settings: &BakeSettings) -> TextureSet {
    baked_as(
        character,
        &BakeSettings {
            clips: vec![0, 1, 2],
            rate: Rate::Hz(10.0),
            max_error_of_size: 0.003,
            ..settings.clone()
        },
    )
}

fn baked(encoding: Encoding, storage: impl Into<Storage>, method: Method) -> TextureSet {
    let settings = BakeSettings {
        encoding,
        storage: storage.into(),
        skinning: method.into(),
        ..BakeSettings::default()
    };
    bake(&HUMANOID, &settings)
}

#[test]
fn vertex_sets_match_the_shaders_that_draw() {
    use Encoding::{Vertex, VertexRay};
    use Precision::{F16, F32, Unorm8, Unorm16};
    for (encoding, precision, variant) in [
        (Vertex, Unorm16, "vertex.uint.octahedral"),
        (Vertex, Unorm8, "vertex.float.xyz"),
        (Vertex, F16, "vertex.float.octahedral"),
        (VertexRay, Unorm16, "vertex-ray.uint.octahedral"),
        (VertexRay, F32, "vertex-ray.float.xyz"),
    ] {
        compare(
            &baked(encoding, precision, Method::Lbs),
            DecodeMode::Direct,
            variant,
        );
    }
    let curves = baked(Vertex, Storage::Compressed, Method::Lbs);
    compare(&curves, DecodeMode::Direct, "vertex-curves");
}

#[test]
fn bone_sets_match_the_shaders_that_draw() {
    use Encoding::{BoneDq, BoneMatrix, BoneQt, VirtualBones};
    use Precision::{F32, Unorm16};
    for (encoding, precision, method, variant) in [
        (
            BoneMatrix,
            Unorm16,
            Method::Lbs,
            "bone-matrix.pairs.linear.lbs",
        ),
        (BoneMatrix, F32, Method::Lbs, "bone-matrix.float.linear.lbs"),
        (BoneDq, Unorm16, Method::Dqs, "bone-dq.pairs.nlerp.dqs"),
        (BoneQt, Unorm16, Method::Lbs, "bone-qt.uint.nlerp.lbs"),
        (BoneQt, Unorm16, Method::Dqs, "bone-qt.uint.nlerp.dqs"),
        (BoneQt, F32, Method::Blend(0.4), "bone-qt.float.nlerp.blend"),
        (
            VirtualBones,
            Unorm16,
            Method::Lbs,
            "virtual-bones.pairs.linear.lbs",
        ),
    ] {
        compare(
            &baked(encoding, precision, method),
            DecodeMode::Direct,
            variant,
        );
    }
}

#[test]
fn interpolations_match_the_shaders_that_draw() {
    use FrameInterpolation::{Slerp, SlerpVertices};
    for (encoding, interpolation, variant) in [
        (
            Encoding::BoneMatrix,
            SlerpVertices,
            "bone-matrix.pairs.slerp-vertices.lbs",
        ),
        (Encoding::BoneQt, Slerp, "bone-qt.uint.slerp.lbs"),
    ] {
        let settings = BakeSettings {
            encoding,
            storage: Precision::Unorm16.into(),
            interpolation: Some(interpolation),
            skinning: Method::Lbs.into(),
            ..BakeSettings::default()
        };
        compare(&bake(&HUMANOID, &settings), DecodeMode::Direct, variant);
    }
}

#[test]
fn palettes_match_the_shaders_that_draw() {
    for (encoding, storage, method, variant) in [
        (
            Encoding::BoneLocal,
            Storage::Compressed,
            Method::Lbs,
            "palette.lbs",
        ),
        (
            Encoding::BoneLocal,
            Storage::Compressed,
            Method::Dqs,
            "palette.dqs",
        ),
        (
            Encoding::BoneQt,
            Precision::Unorm16.into(),
            Method::Lbs,
            "palette.lbs",
        ),
    ] {
        compare(&baked(encoding, storage, method), DecodeMode::Pass, variant);
    }
}

#[test]
fn morphs_match_the_shaders_that_draw() {
    let bar = morphing_bar();
    for (encoding, storage, decode, variant) in [
        (
            Encoding::BoneQt,
            Precision::Unorm16.into(),
            DecodeMode::Direct,
            "bone-qt.uint.nlerp.lbs.morphs-uint",
        ),
        (
            Encoding::BoneMatrix,
            Precision::F32.into(),
            DecodeMode::Direct,
            "bone-matrix.float.linear.lbs.morphs-float",
        ),
        (
            Encoding::BoneLocal,
            Storage::Compressed,
            DecodeMode::Pass,
            "palette.lbs.morphs-uint",
        ),
    ] {
        let settings = BakeSettings {
            encoding,
            storage,
            skinning: Method::Lbs.into(),
            ..BakeSettings::default()
        };
        compare(&bake(&bar, &settings), decode, variant);
    }
}
