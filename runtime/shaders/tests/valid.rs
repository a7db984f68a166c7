//! Every shader is valid, needs no optional capabilities, and agrees with Rust on the layout of buffers.

use std::collections::BTreeSet;
use std::mem::{offset_of, size_of};

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, Module, TypeInner};
use throng_shaders::{
    CaptureTarget, Codec, CullView, Deform, Frame, Grid, InstanceBlock, JointCurves,
    MATERIAL_VERTEX, Rows, SetInfo, Shader, SkinnedPart, UNIFORM_RECORDS, VertexOutputs,
    all_shaders, file_names, material_shader,
};

fn validate(name: &str, source: &str) -> (Module, ModuleInfo) {
    let module = naga::front::wgsl::parse_str(source)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string_with_path(source, name)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string_with_path(source, name)));
    (module, info)
}

fn parse(shader: &Shader) -> Module {
    validate(shader.name, &shader.source).0
}

/// Names of the files in the shader folders.
fn files_on_disk() -> BTreeSet<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/src/wgsl");
    let mut names = BTreeSet::new();
    for folder in ["lib", "source", "entry", "function", "switch"] {
        for file in std::fs::read_dir(format!("{root}/{folder}")).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            names.insert(format!("{folder}/{}", name.strip_suffix(".wgsl").unwrap()));
        }
    }
    names
}

#[test]
fn every_file_is_registered() {
    let known: BTreeSet<String> = file_names().map(str::to_owned).collect();
    assert_eq!(files_on_disk(), known);
}

/// One test for both, because parsing every shader takes most of its time.
#[test]
fn every_shader_is_valid_and_its_buffers_match_rust() {
    assert_eq!(size_of::<InstanceBlock>(), 24 * 4);
    let mut seen = BTreeSet::new();
    for shader in all_shaders() {
        let module = parse(&shader);
        let names: Vec<_> = module.entry_points.iter().map(|e| &e.name).collect();
        assert_eq!(names, shader.entry_points, "{}", shader.name);
        check_buffers(&shader, &module);
        seen.insert(format!("entry/{}", shader.name));
    }
    let entries = files_on_disk()
        .into_iter()
        .filter(|name| name.starts_with("entry/"));
    assert_eq!(seen, entries.collect(), "a file in entry/ is in no shader");
}

/// Name and size of a struct, and names and offsets of its fields.
type Block = (&'static str, usize, Vec<(&'static str, usize)>);

macro_rules! block {
    ($name:ident { $($field:ident),* }) => {
        (
            stringify!($name),
            size_of::<$name>(),
            vec![$((stringify!($field), offset_of!($name, $field))),*],
        )
    };
}

fn blocks() -> Vec<Block> {
    vec![
        block!(JointCurves {
            clip_table,
            joint_table,
            record_words,
            curves,
            joints
        }),
        ("Camera", 64, vec![("clip_from_world", 0)]),
        block!(Frame {
            now,
            previous_now,
            previous_first,
            previous_group,
            deform_factor,
            count
        }),
        block!(Grid {
            first_column,
            first_row,
            columns,
            rows_per_frame,
            by_columns,
            height,
            layers,
            padding
        }),
        block!(Codec {
            offset,
            scale,
            size_offset,
            size_scale,
            unit_offset,
            unit_scale,
            level_scale,
            normal_offset,
            normal_scale,
            axis_items,
            range_table,
            bone_table
        }),
        block!(SetInfo {
            grid,
            normals,
            morphs,
            codec,
            joint_curves,
            vertex_curve_range,
            clip_table,
            inverse_bind_table,
            dual_inverse_bind_table,
            morph_table,
            palette_len,
            palette_stride,
            vertices,
            position_curves,
            bone_offset_table,
            inverse_binds_are_matrices
        }),
        block!(CaptureTarget { rows }),
        block!(CullView {
            planes,
            depth,
            errors,
            max_error,
            levels,
            parts,
            count,
            now,
            region,
            padding
        }),
        // `InstanceBlock` as six vectors.
        (
            "InstanceWords",
            size_of::<InstanceBlock>(),
            ["row_x", "row_y", "row_z", "play_a", "play_b", "extra"]
                .into_iter()
                .zip((0..).step_by(16))
                .collect(),
        ),
        // `wgpu::util::DrawIndexedIndirectArgs`.
        (
            "IndexedDraw",
            20,
            [
                "indices",
                "instances",
                "first_index",
                "base_vertex",
                "first_instance",
            ]
            .into_iter()
            .zip((0..).step_by(4))
            .collect(),
        ),
        block!(SkinnedPart {
            first_vertex,
            vertices
        }),
    ]
}

/// Checks that a struct has the same layout in the shader and in Rust.
fn check_block(module: &Module, ty: &naga::Type) {
    let TypeInner::Struct { members, span } = &ty.inner else {
        return;
    };
    let name = ty.name.as_deref().unwrap();
    let (_, size, fields) = blocks()
        .into_iter()
        .find(|block| block.0 == name)
        .unwrap_or_else(|| panic!("{name} is not in blocks()"));
    assert_eq!(*span as usize, size, "{name}");
    let offsets: Vec<_> = members
        .iter()
        .map(|m| (m.name.as_deref().unwrap(), m.offset as usize))
        .collect();
    assert_eq!(offsets, fields, "{name}");
    for member in members {
        check_block(module, &module.types[member.ty]);
    }
}

/// Checks that buffers hold the structs of `blocks()`, words, table records or rows of matrices.
fn check_buffers(shader: &Shader, module: &Module) {
    for (_, buffer) in module.global_variables.iter() {
        let is_uniform = buffer.space == AddressSpace::Uniform;
        if !is_uniform && !matches!(buffer.space, AddressSpace::Storage { .. }) {
            continue;
        }
        let ty = &module.types[buffer.ty];
        let (ty, stride) = match ty.inner {
            TypeInner::Array { base, stride, .. } => (&module.types[base], Some(stride)),
            _ => (ty, None),
        };
        let size = module.types[buffer.ty].inner.size(module.to_ctx());
        match ty.inner {
            TypeInner::Scalar(naga::Scalar::U32) if !is_uniform => assert_eq!(stride, Some(4)),
            TypeInner::Vector {
                size: naga::VectorSize::Quad,
                ..
            } if !is_uniform => assert_eq!(stride, Some(16)),
            TypeInner::Vector {
                size: naga::VectorSize::Quad,
                ..
            } => assert_eq!(size as usize, UNIFORM_RECORDS * size_of::<[u32; 4]>()),
            TypeInner::Struct { span, .. } => {
                assert_eq!(stride.unwrap_or(span), span);
                assert!(
                    !is_uniform || span % 16 == 0,
                    "{}: WebGL2 requires blocks of a multiple of 16 bytes",
                    shader.name
                );
                check_block(module, ty);
            }
            TypeInner::Matrix {
                columns: naga::VectorSize::Tri,
                rows: naga::VectorSize::Quad,
                ..
            } => assert_eq!(stride, Some(size_of::<Rows>() as u32)),
            ref other => panic!("{:?} of {}: {other:?}", buffer.name, shader.name),
        }
    }
}

/// The functions of `bone-local` work in a fragment shader of GLSL ES 3.00.
#[test]
fn bone_local_functions_translate_to_webgl2() {
    let source = concat!(
        include_str!("../src/wgsl/lib/divide.wgsl"),
        include_str!("../src/wgsl/lib/words.wgsl"),
        include_str!("../src/wgsl/lib/quat.wgsl"),
        include_str!("../src/wgsl/lib/affine.wgsl"),
        include_str!("../src/wgsl/lib/curves.wgsl"),
        include_str!("../src/wgsl/lib/joint.wgsl"),
        "
@group(0) @binding(0) var words: texture_2d_array<u32>;
@group(0) @binding(1) var<uniform> joint_curves: JointCurves;

@fragment
fn main(@builtin(position) at: vec4<f32>) -> @location(0) vec4<u32> {
    let tables = joint_curves;
    let moment = moment_find(words, tables.clip_table, tables.curves, u32(at.y), at.z);
    let record = joint_record_read(words, tables.joint_table, tables.record_words, u32(at.x));
    let rows = affine_to_rows(local_joint_to_affine(local_joint(words, record, moment)));
    return bitcast<vec4<u32>>(rows[0] + rows[1] + rows[2]);
}
"
    );
    write_webgl2("fragment", source, naga::ShaderStage::Fragment, "main");
}

/// A material that reads every output and takes names that the library uses too.
const MATERIAL: &str = "
struct Frame { clip_from_world: mat4x4<f32>, previous_clip_from_world: mat4x4<f32> }
struct Instance { tint: vec4<f32> }
@group(0) @binding(0) var<uniform> frame: Frame;
@group(2) @binding(0) var tables: texture_2d<f32>;
const SIGNS: u32 = 7u;

fn clip_position(p: vec3<f32>) -> vec4<f32> { return frame.clip_from_world * vec4(p, 1.0); }
fn previous_clip_position(p: vec3<f32>) -> vec4<f32> { return frame.previous_clip_from_world * vec4(p, 1.0); }
fn deform(normal: vec3<f32>) -> vec3<f32> { return normal + textureLoad(tables, vec2(0, 0), 0).xyz; }

@fragment
fn shade(in: VertexOut) -> @location(0) vec4<f32> {
    let instance = Instance(in.tint);
    let now = clip_position(in.world_position);
    let motion = now.xy / now.w - in.previous_clip_position.xy / in.previous_clip_position.w;
    let normal = deform(in.normal) + in.tangent.xyz * in.tangent.w;
    return in.color * instance.tint + vec4(normal, f32(in.user)) + vec4(in.world_position, motion.x + in.uv.x);
}
";

/// Materials work in every technique, for WebGL2 too, with any number of outputs and names of their own.
#[test]
fn materials_are_valid_in_every_technique() {
    let all = VertexOutputs::read_by(MATERIAL);
    assert!(all.tangent && all.user && all.previous_clip_position);
    for (index, deform) in Deform::all().into_iter().enumerate() {
        let shader = material_shader(deform, all, all)
            .with_invariant_position()
            .with_group(3)
            .with_material(MATERIAL);
        let (module, _) = validate(shader.name, &shader.source);
        assert_eq!(shader.source.matches("@invariant").count(), 1);
        let names: Vec<_> = module.entry_points.iter().map(|e| &e.name).collect();
        assert_eq!(names, [MATERIAL_VERTEX, "shade"]);
        let groups = module
            .global_variables
            .iter()
            .filter_map(|(_, variable)| variable.binding.map(|at| at.group));
        assert!(groups.into_iter().all(|group| group != 1));
        // Other outputs leave parts of the same code out.
        if index % 16 == 0 {
            let vertex = naga::ShaderStage::Vertex;
            write_webgl2("material", &shader.source, vertex, MATERIAL_VERTEX);
            let shader = material_shader(deform, VertexOutputs::default(), all);
            let shader = shader.with_material(&format!("enable f16;\n{MATERIAL}"));
            assert!(shader.source.starts_with("enable f16;"));
            let source = shader.source.replacen("enable f16;", "", 1);
            let (module, _) = validate(shader.name, &source);
            assert_eq!(module.entry_points.len(), 2);
        }
    }
}

/// Translates an entry point to GLSL ES 3.00.
fn write_webgl2(name: &str, source: &str, shader_stage: naga::ShaderStage, entry: &str) {
    let (module, info) = validate(name, source);
    let options = naga::back::glsl::Options {
        version: naga::back::glsl::Version::new_gles(300),
        ..Default::default()
    };
    let entry = naga::back::glsl::PipelineOptions {
        shader_stage,
        entry_point: entry.into(),
        multiview: None,
    };
    let mut glsl = String::new();
    naga::back::glsl::Writer::new(
        &mut glsl,
        &module,
        &info,
        &options,
        &entry,
        Default::default(),
    )
    .and_then(|mut writer| writer.write())
    .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(glsl.starts_with("#version 300 es"));
}
