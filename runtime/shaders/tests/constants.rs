//! Shaders with the description of a set compiled in hold the values that would be bound.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Expression, Handle, Literal, Module, TypeInner};
use throng_shaders::translate::{Language, translate};
use throng_shaders::{
    Bones, ConstantsError, Deform, MAX_CONSTANT_RECORDS, PaletteSource, Pass, SetInfo, Shader,
    deform_shader, fill_palette_shader, with_constants,
};

/// A description with a different value in every word, all finite as floats.
fn distinct_info() -> SetInfo {
    let mut info = SetInfo::default();
    let words: &mut [u32] = bytemuck::cast_slice_mut(bytemuck::bytes_of_mut(&mut info));
    for (index, word) in (0..).zip(words) {
        *word = (0.001f32 * (index as f32 + 1.0)).to_bits() ^ (index << 31);
    }
    info.joint_curves.padding = Default::default();
    info.padding = Default::default();
    info
}

fn distinct_tables(records: u32) -> Vec<[u32; 4]> {
    (0..records)
        .map(|at| [at, u32::MAX - at, (at as f32).to_bits(), 0x7fc0_0000 + at])
        .collect()
}

fn parse(shader: &Shader) -> Module {
    let source = &shader.source;
    let module = naga::front::wgsl::parse_str(source)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    module
}

/// Writes the words of a constant at their offsets in memory.
fn lay_out(module: &Module, expression: Handle<Expression>, at: usize, out: &mut [u32]) {
    match &module.global_expressions[expression] {
        Expression::Literal(Literal::U32(word)) => out[at] = *word,
        Expression::Literal(Literal::F32(float)) => out[at] = float.to_bits(),
        Expression::Constant(constant) => {
            lay_out(module, module.constants[*constant].init, at, out);
        }
        Expression::Compose { ty, components } => match &module.types[*ty].inner {
            TypeInner::Struct { members, .. } => {
                assert_eq!(members.len(), components.len());
                for (member, &component) in members.iter().zip(components) {
                    lay_out(module, component, at + member.offset as usize / 4, out);
                }
            }
            TypeInner::Vector { .. } => {
                for (index, &component) in components.iter().enumerate() {
                    lay_out(module, component, at + index, out);
                }
            }
            TypeInner::Array { stride, .. } => {
                for (index, &component) in components.iter().enumerate() {
                    lay_out(module, component, at + index * *stride as usize / 4, out);
                }
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn constant(module: &Module, name: &str, words: usize) -> Vec<u32> {
    let (_, constant) = module
        .constants
        .iter()
        .find(|(_, constant)| constant.name.as_deref() == Some(name))
        .unwrap_or_else(|| panic!("no constant {name}"));
    let mut out = vec![0; words];
    lay_out(module, constant.init, 0, &mut out);
    out
}

#[test]
fn constants_equal_the_bound_words() {
    let (info, tables) = (distinct_info(), distinct_tables(374));
    let shader = deform_shader(Deform::VertexCurves, Pass::Draw);
    let module = parse(&with_constants(&shader, &info, &tables).unwrap());
    let words: &[u32] = bytemuck::cast_slice(bytemuck::bytes_of(&info));
    assert_eq!(constant(&module, "set_info", words.len()), words);
    let words = tables.as_flattened();
    assert_eq!(constant(&module, "TABLES", words.len()), words);
}

#[test]
fn constants_replace_bindings_in_every_set_shader() {
    let (info, tables) = (distinct_info(), distinct_tables(5));
    let palettes = Bones::all().map(PaletteSource::Bones);
    let palettes = palettes
        .chain([PaletteSource::Curves])
        .map(fill_palette_shader);
    let draws = Deform::all()
        .into_iter()
        .map(|deform| deform_shader(deform, Pass::Draw));
    for shader in palettes.chain(draws) {
        let module = parse(&with_constants(&shader, &info, &tables).unwrap());
        let mut bindings = module
            .global_variables
            .iter()
            .filter_map(|(_, v)| v.binding);
        assert!(bindings.all(|at| at.group != 1 || at.binding >= 2));
    }
}

/// A sample of all techniques in each language. HLSL must hold initialiser lists of any length, no constructors.
#[test]
fn constants_translate_to_every_language() {
    let info = distinct_info();
    let tables = distinct_tables(MAX_CONSTANT_RECORDS as u32);
    let draws = Deform::all().into_iter().step_by(37);
    let shaders = draws
        .map(|deform| deform_shader(deform, Pass::Draw))
        .chain([fill_palette_shader(PaletteSource::Curves)]);
    for shader in shaders {
        let shader = with_constants(&shader, &info, &tables).unwrap();
        for &entry in shader.entry_points {
            for language in Language::ALL {
                let text = translate(&shader, entry, language).unwrap();
                assert!(!text.contains("Constructarray2047"), "{text}");
            }
        }
    }
}

#[test]
fn set_without_records_compiles() {
    let shader = deform_shader(Deform::Static, Pass::Draw);
    parse(&with_constants(&shader, &SetInfo::default(), &[]).unwrap());
}

#[test]
fn rejects_too_many_records_and_non_finite_numbers() {
    let info = distinct_info();
    let draw = deform_shader(Deform::Static, Pass::Draw);
    let too_many = distinct_tables(MAX_CONSTANT_RECORDS as u32 + 1);
    assert_eq!(
        with_constants(&draw, &info, &too_many),
        Err(ConstantsError::TooManyRecords(MAX_CONSTANT_RECORDS + 1))
    );
    for x in [f32::NAN, f32::INFINITY] {
        let mut info = info;
        info.codec.normal_scale = x;
        let error = with_constants(&draw, &info, &[]).unwrap_err();
        assert!(matches!(
            error,
            ConstantsError::NotFinite("range of normals", _)
        ));
    }
}
