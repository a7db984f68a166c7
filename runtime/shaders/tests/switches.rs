//! Switches remove the work that they name, and no other.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Block, Expression, Function, GlobalVariable, Handle, Module, Statement};
use throng_shaders::{
    BoneKind, Deform, InterpolationKind, Joints, PaletteSource, Pass, Shader, SkinMethod,
    deform_shader, fill_palette_shader,
};

fn parse(shader: &Shader) -> Module {
    let (name, source) = (shader.name, &shader.source);
    let module = naga::front::wgsl::parse_str(source)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string_with_path(source, name)));
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string_with_path(source, name)));
    module
}

/// Texel reads that are written in a function and, as often as it calls them, in others. Branches and loops count once.
struct Reads<'a> {
    module: &'a Module,
    /// Bindings in group 1 whose reads count.
    bindings: &'a [u32],
}

type Images = Vec<Option<Handle<GlobalVariable>>>;

impl Reads<'_> {
    /// Reads of the first entry point.
    fn count(&self) -> usize {
        let entry = &self.module.entry_points[0].function;
        self.of_function(entry, &vec![None; entry.arguments.len()])
    }

    fn of_function(&self, function: &Function, arguments: &Images) -> usize {
        let expressions = function.expressions.iter();
        let loads = expressions.filter(|(_, expression)| match expression {
            Expression::ImageLoad { image, .. } => {
                let image = Self::image(function, *image, arguments);
                let binding = image.and_then(|image| self.module.global_variables[image].binding);
                binding.is_some_and(|at| at.group == 1 && self.bindings.contains(&at.binding))
            }
            _ => false,
        });
        loads.count() + self.of_block(function, &function.body, arguments)
    }

    fn of_block(&self, function: &Function, block: &Block, arguments: &Images) -> usize {
        let of_block = |block| self.of_block(function, block, arguments);
        let statements = block.iter().map(|statement| match statement {
            Statement::Block(block) => of_block(block),
            Statement::If { accept, reject, .. } => of_block(accept) + of_block(reject),
            Statement::Switch { cases, .. } => cases.iter().map(|case| of_block(&case.body)).sum(),
            Statement::Loop {
                body, continuing, ..
            } => of_block(body) + of_block(continuing),
            Statement::Call {
                function: called,
                arguments: passed,
                ..
            } => {
                let passed = passed.iter();
                let images = passed.map(|&passed| Self::image(function, passed, arguments));
                self.of_function(&self.module.functions[*called], &images.collect())
            }
            _ => 0,
        });
        statements.sum()
    }

    /// The texture that an expression names.
    fn image(
        function: &Function,
        expression: Handle<Expression>,
        arguments: &Images,
    ) -> Option<Handle<GlobalVariable>> {
        match function.expressions[expression] {
            Expression::GlobalVariable(image) => Some(image),
            Expression::FunctionArgument(index) => arguments[index as usize],
            _ => None,
        }
    }
}

/// Every source of joints with and without morph targets, and every skinning method once.
fn deforms() -> Vec<Deform> {
    let mut methods = Vec::new();
    let mut all = Deform::all();
    all.retain(|deform| match deform {
        Deform::Skinned { method, .. } if methods.contains(method) => {
            [SkinMethod::Lbs, SkinMethod::Dqs].contains(method)
        }
        Deform::Skinned { method, .. } => {
            methods.push(*method);
            true
        }
        _ => true,
    });
    all
}

/// Reads of frames: bones, offsets and normals.
fn frame_reads(shader: &Shader) -> usize {
    let module = &parse(shader);
    Reads {
        module,
        bindings: &[2, 3],
    }
    .count()
}

/// Factor by which reads of frames shrink without interpolation. `None` for virtual bones of P3, which read their bind
/// poses too.
fn expected_shrink(joints: Joints) -> Option<usize> {
    match joints {
        Joints::Bones(bones) if bones.kind == BoneKind::Planes => None,
        Joints::Bones(bones) if bones.kind == BoneKind::SplitPlanes => None,
        // Both poses of an arc are written as reads of two frames, which are the same.
        Joints::Bones(bones) if bones.interpolation == InterpolationKind::SlerpVertices => Some(4),
        Joints::Bones(_) => Some(2),
        Joints::Palette | Joints::DualPalette | Joints::StretchPalette => Some(1),
    }
}

#[test]
fn interpolation_off_removes_half_of_the_texel_reads() {
    for deform in deforms() {
        let shader = deform_shader(deform, Pass::Capture);
        let off = shader.clone().without_interpolation();
        let (on, reads) = (frame_reads(&shader), frame_reads(&off));
        match deform {
            Deform::Static => assert_eq!((on, reads), (0, 0)),
            Deform::Copied | Deform::VertexCurves => assert!(off == shader, "{deform:?}"),
            Deform::Vertices { .. } => assert_eq!(on, 2 * reads, "{deform:?}"),
            Deform::Skinned { joints, .. } => match expected_shrink(joints) {
                Some(factor) => assert_eq!(on, factor * reads, "{deform:?}"),
                None => assert!(reads < on, "{deform:?}"),
            },
        }
    }
}

#[test]
fn interpolation_off_removes_half_of_the_texel_reads_of_palette_passes() {
    for bones in throng_shaders::Bones::all() {
        if bones.interpolation == InterpolationKind::SlerpVertices || bones.kind.is_planes() {
            continue;
        }
        let shader = fill_palette_shader(PaletteSource::Bones(bones));
        // The second entry point is the fragment shader.
        let reads = |shader: &Shader| {
            let mut module = parse(shader);
            module.entry_points.swap(0, 1);
            Reads {
                module: &module,
                bindings: &[2],
            }
            .count()
        };
        let off = shader.clone().without_interpolation();
        assert!(reads(&off) > 0);
        assert_eq!(reads(&shader), 2 * reads(&off), "{bones:?}");
    }
}

/// The same reads as before, also with both switches in any order.
#[test]
fn skinning_off_keeps_all_texel_reads() {
    for deform in deforms() {
        let shader = deform_shader(deform, Pass::Capture);
        let off = shader.clone().without_skinning();
        let Deform::Skinned { .. } = deform else {
            assert!(off == shader, "{deform:?}");
            continue;
        };
        assert_eq!(frame_reads(&shader), frame_reads(&off), "{deform:?}");
        assert!(off.source.contains("VANISHING * blended_values(sum)"));
        let both = off.without_interpolation();
        let reversed = shader.clone().without_interpolation().without_skinning();
        assert!(both == reversed, "{deform:?}");
        let interpolation_off = frame_reads(&shader.without_interpolation());
        assert_eq!(interpolation_off, frame_reads(&both), "{deform:?}");
    }
}

/// A static crowd is the control of benchmarks: it reads no texels at all.
#[test]
fn static_crowds_read_no_texels() {
    for pass in [Pass::Draw, Pass::Capture] {
        let module = &parse(&deform_shader(Deform::Static, pass));
        let bindings: Vec<u32> = (0..32).collect();
        let reads = Reads {
            module,
            bindings: &bindings,
        };
        assert_eq!(reads.count(), 0, "{pass:?}");
    }
}

#[test]
fn influence_limits_are_compiled_in() {
    let deform = Deform::all()
        .into_iter()
        .find(|deform| matches!(deform, Deform::Skinned { .. }));
    let shader = deform_shader(deform.unwrap(), Pass::Capture);
    for (limit, expected) in [
        (0, "const MAX_INFLUENCES: u32 = 1u;"),
        (1, "const MAX_INFLUENCES: u32 = 1u;"),
        (2, "const MAX_INFLUENCES: u32 = 2u;"),
        (3, "var weights = vec2(vertex.weights.z, 0.0);"),
        (4, "const MAX_INFLUENCES: u32 = 4u;"),
        (6, "k < min(vertex.more.y, 2u);"),
    ] {
        let limited = shader.clone().with_influence_limit(limit);
        assert!(limited.source.contains(expected), "{limit} influences");
        parse(&limited);
    }
}
