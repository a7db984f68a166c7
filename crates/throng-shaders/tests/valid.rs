//! Every shader is valid, needs nothing optional, and agrees with Rust on what lies where.

use std::mem::{offset_of, size_of};

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, Module, TypeInner};
use throng_shaders::{ClipTime, JointTracks, Rows, Shader, all};

fn validate(name: &str, source: &str) -> (Module, ModuleInfo) {
    let module = naga::front::wgsl::parse_str(source)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string_with_path(source, name)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string_with_path(source, name)));
    (module, info)
}

fn parse(shader: &Shader) -> Module {
    validate(shader.name, shader.source).0
}

#[test]
fn every_entry_point_is_valid() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/wgsl/entry")).unwrap();
    assert_eq!(files.count(), all().len(), "an entry's file is no shader");
    for shader in all() {
        let module = parse(shader);
        let names: Vec<_> = module.entry_points.iter().map(|e| &e.name).collect();
        assert_eq!(names, [shader.entry_point], "{}", shader.name);
    }
}

/// A struct's size, its fields' names and offsets.
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
        block!(JointTracks {
            clip_table,
            joint_table,
            record_words,
            tracks,
            joints
        }),
        block!(ClipTime { clip, time_secs }),
    ]
}

/// All of a shader's buffers are of the blocks above, or of rows, and lie as Rust has them.
#[test]
fn buffers_lie_as_in_rust() {
    for shader in all() {
        let module = parse(shader);
        for (_, buffer) in module.global_variables.iter() {
            if !matches!(
                buffer.space,
                AddressSpace::Uniform | AddressSpace::Storage { .. }
            ) {
                continue;
            }
            let mut ty = &module.types[buffer.ty];
            let mut stride = None;
            if let TypeInner::Array {
                base, stride: s, ..
            } = ty.inner
            {
                ty = &module.types[base];
                stride = Some(s as usize);
            }
            match &ty.inner {
                TypeInner::Struct { members, span } => {
                    let name = ty.name.as_deref().unwrap();
                    let (_, size, fields) = blocks()
                        .into_iter()
                        .find(|block| block.0 == name)
                        .unwrap_or_else(|| panic!("{name} is in no test"));
                    assert_eq!(*span as usize, size, "{name}");
                    assert_eq!(stride.unwrap_or(size), size, "{name}");
                    let members: Vec<_> = members
                        .iter()
                        .map(|m| (m.name.as_deref().unwrap(), m.offset as usize))
                        .collect();
                    assert_eq!(members, fields, "{name}");
                    if buffer.space == AddressSpace::Uniform {
                        assert_eq!(size % 16, 0, "{name}: WebGL2 wants whole 16 bytes");
                    }
                }
                TypeInner::Matrix {
                    columns: naga::VectorSize::Tri,
                    rows: naga::VectorSize::Quad,
                    ..
                } => assert_eq!(stride, Some(size_of::<Rows>())),
                other => panic!("{:?} of {}: {other:?}", buffer.name, shader.name),
            }
        }
    }
}

/// The functions of `bone-local` also serve a fragment pass in WebGL2's language.
#[test]
fn the_library_serves_webgl2() {
    let source = concat!(
        include_str!("../src/wgsl/lib/words.wgsl"),
        include_str!("../src/wgsl/lib/quat.wgsl"),
        include_str!("../src/wgsl/lib/affine.wgsl"),
        include_str!("../src/wgsl/lib/tracks.wgsl"),
        include_str!("../src/wgsl/lib/joint.wgsl"),
        "
@group(0) @binding(0) var words: texture_2d_array<u32>;
@group(0) @binding(1) var<uniform> joint_tracks: JointTracks;

@fragment
fn main(@builtin(position) at: vec4<f32>) -> @location(0) vec4<u32> {
    let tables = joint_tracks;
    let moment = moment_find(words, tables.clip_table, tables.tracks, u32(at.y), at.z);
    let record = joint_record_read(words, tables.joint_table, tables.record_words, u32(at.x));
    let rows = affine_to_rows(local_joint_to_affine(local_joint(words, record, moment)));
    return bitcast<vec4<u32>>(rows[0] + rows[1] + rows[2]);
}
"
    );
    let (module, info) = validate("fragment", source);
    let options = naga::back::glsl::Options {
        version: naga::back::glsl::Version::new_gles(300),
        ..Default::default()
    };
    let entry = naga::back::glsl::PipelineOptions {
        shader_stage: naga::ShaderStage::Fragment,
        entry_point: "main".into(),
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
    .unwrap_or_else(|error| panic!("{error}"));
    assert!(glsl.starts_with("#version 300 es"));
}
