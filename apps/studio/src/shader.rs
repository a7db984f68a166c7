//! The WGSL of pictures.

use bytemuck::{Pod, Zeroable};

/// Material of lit surfaces.
pub(crate) const LIT: &str = concat!(
    include_str!("wgsl/camera.wgsl"),
    include_str!("wgsl/material.wgsl"),
    include_str!("wgsl/surface.wgsl"),
    include_str!("wgsl/scene.wgsl"),
    include_str!("wgsl/light.wgsl"),
    include_str!("wgsl/as_painted.wgsl"),
    include_str!("wgsl/lit.wgsl"),
);

/// [`LIT`] with outfits.
pub(crate) const LIT_OUTFITS: &str = concat!(
    include_str!("wgsl/camera.wgsl"),
    include_str!("wgsl/material.wgsl"),
    include_str!("wgsl/surface.wgsl"),
    include_str!("wgsl/scene.wgsl"),
    include_str!("wgsl/light.wgsl"),
    include_str!("wgsl/wardrobe.wgsl"),
    include_str!("wgsl/lit.wgsl"),
);

/// Material of shadow casters.
pub(crate) const SHADOW: &str = concat!(
    include_str!("wgsl/camera.wgsl"),
    include_str!("wgsl/material.wgsl"),
    include_str!("wgsl/surface.wgsl"),
    include_str!("wgsl/shadow.wgsl"),
);

/// Material of wireframes.
pub(crate) const WIRE: &str = concat!(
    include_str!("wgsl/camera.wgsl"),
    include_str!("wgsl/wire.wgsl"),
);

/// Shader of lines.
pub(crate) const LINES: &str = concat!(
    include_str!("wgsl/camera.wgsl"),
    include_str!("wgsl/lines.wgsl"),
);

/// [`LIT`] for vertices of the caller.
pub(crate) const POSED_LIT: &str = concat!(
    include_str!("wgsl/posed.wgsl"),
    include_str!("wgsl/camera.wgsl"),
    include_str!("wgsl/material.wgsl"),
    include_str!("wgsl/surface.wgsl"),
    include_str!("wgsl/scene.wgsl"),
    include_str!("wgsl/light.wgsl"),
    include_str!("wgsl/as_painted.wgsl"),
    include_str!("wgsl/lit.wgsl"),
);

/// [`POSED_LIT`] for the ground of formations.
pub(crate) const GROUND_LIT: &str = concat!(
    include_str!("wgsl/posed.wgsl"),
    include_str!("wgsl/camera.wgsl"),
    include_str!("wgsl/material.wgsl"),
    include_str!("wgsl/surface.wgsl"),
    include_str!("wgsl/scene.wgsl"),
    include_str!("wgsl/light.wgsl"),
    include_str!("wgsl/ground_paint.wgsl"),
    include_str!("wgsl/lit.wgsl"),
);

/// [`SHADOW`] for vertices of the caller.
pub(crate) const POSED_SHADOW: &str = concat!(
    include_str!("wgsl/posed.wgsl"),
    include_str!("wgsl/camera.wgsl"),
    include_str!("wgsl/material.wgsl"),
    include_str!("wgsl/surface.wgsl"),
    include_str!("wgsl/shadow.wgsl"),
);

/// [`WIRE`] for vertices of the caller.
pub(crate) const POSED_WIRE: &str = concat!(
    include_str!("wgsl/posed.wgsl"),
    include_str!("wgsl/camera.wgsl"),
    include_str!("wgsl/wire.wgsl"),
);

/// A pass without vertex buffers: one triangle that covers the target.
pub(crate) struct CoverShader {
    pub label: &'static str,
    pub source: String,
    /// Vertex and fragment entry points.
    pub entries: [&'static str; 2],
}

/// Returns the shader of the background: sky, ground and shadows.
pub(crate) fn backdrop() -> CoverShader {
    CoverShader {
        label: "backdrop",
        source: concat!(
            include_str!("wgsl/scene.wgsl"),
            include_str!("wgsl/light.wgsl"),
            include_str!("wgsl/backdrop.wgsl"),
        )
        .to_owned(),
        entries: ["backdrop_vertex", "backdrop_fragment"],
    }
}

/// Direction and input of [`blur_contact`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlurPass {
    /// Along rows; the input is a depth map of heights over the ground.
    Rows,
    /// Along columns; the input is the output of [`Self::Rows`].
    Columns,
}

/// Returns the shader that blurs the contact-shadow map.
pub(crate) fn blur_contact(pass: BlurPass) -> CoverShader {
    let (direction, is_depth) = match pass {
        BlurPass::Rows => ("1, 0", true),
        BlurPass::Columns => ("0, 1", false),
    };
    CoverShader {
        label: "blur_contact",
        source: format!(
            "const BLUR_DIRECTION: vec2<i32> = vec2({direction});\nconst IS_DEPTH: bool = {is_depth};\n{}",
            include_str!("wgsl/blur_contact.wgsl")
        ),
        entries: ["blur_contact_vertex", "blur_contact_fragment"],
    }
}

/// A scene: camera position, lights and ground. Colours are linear.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub(crate) struct SceneBlock {
    /// Columns of the inverse of projection times view.
    pub world_from_clip: [[f32; 4]; 4],
    /// From world space to the clip space of the sun's shadow map.
    pub sun_from_world: [[f32; 4]; 4],
    /// From world space to the clip space of the contact-shadow map.
    pub contact_from_world: [[f32; 4]; 4],
    /// Position of the camera in world space.
    pub eye: [f32; 4],
    /// Unit vector to the sun in xyz; w is the distance by which a point is moved along its normal before its shadow is
    /// looked up.
    pub to_sun: [f32; 4],
    /// Colour of the sun.
    pub sun_color: [f32; 4],
    /// Colour of the ambient light from above.
    pub sky_color: [f32; 4],
    /// Colour of the light that the ground reflects.
    pub bounce_color: [f32; 4],
    /// Colour of the sky at the horizon.
    pub horizon_color: [f32; 4],
    /// Colour of the sky at the zenith.
    pub zenith_color: [f32; 4],
    /// Light around the sun in the sky; w is the sine of the angle at which the sky has the colour of the zenith.
    pub glow_color: [f32; 4],
    /// Colour of the ground.
    pub ground_color: [f32; 4],
    /// Centre of the ground in xyz; w is the distance at which it has faded into the sky.
    pub ground: [f32; 4],
    /// Width and height of a texel of the shadow map in texture coordinates, depth bias of the shadow map, and the height
    /// over which contact shadows fade.
    pub steps: [f32; 4],
    /// Clip coordinate at which the shadow map begins to fade (1: nowhere), density of haze per world unit, and strength of
    /// the rim of the sun.
    pub looks: [f32; 3],
    pub padding: u32,
}

/// Material of a part.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub(crate) struct MaterialBlock {
    /// Linear RGBA.
    pub base_color: [f32; 4],
    /// Surfaces with less alpha are cut out; 0 ignores alpha.
    pub alpha_cutoff: f32,
    pub padding: [u32; 3],
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::*;

    /// Parses WGSL and translates its fragment entry point to GLSL ES 3.00, which browsers without WebGPU need.
    fn parse(source: &str) -> naga::Module {
        let module = naga::front::wgsl::parse_str(source)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
        let options = naga::back::glsl::Options {
            version: naga::back::glsl::Version::new_gles(300),
            ..Default::default()
        };
        for entry in &module.entry_points {
            let entry = naga::back::glsl::PipelineOptions {
                shader_stage: entry.stage,
                entry_point: entry.name.clone(),
                multiview: None,
            };
            let mut glsl = String::new();
            let policies = naga::proc::BoundsCheckPolicies::default();
            naga::back::glsl::Writer::new(&mut glsl, &module, &info, &options, &entry, policies)
                .and_then(|mut writer| writer.write())
                .unwrap();
        }
        module
    }

    fn offsets(module: &naga::Module, name: &str) -> (u32, Vec<u32>) {
        let found = module
            .types
            .iter()
            .find(|(_, ty)| ty.name.as_deref() == Some(name));
        match &found.unwrap().1.inner {
            naga::TypeInner::Struct { members, span } => {
                (*span, members.iter().map(|member| member.offset).collect())
            }
            other => panic!("{name} is {other:?}"),
        }
    }

    #[test]
    fn shaders_translate_to_webgl2_and_agree_with_rust_on_blocks() {
        let input = "struct VertexOut { @builtin(position) clip_position: vec4<f32>, @location(0) world_position: vec3<f32>, \
                     @location(1) normal: vec3<f32>, @location(2) uv: vec2<f32>, @location(3) color: vec4<f32>, \
                     @location(4) tint: vec4<f32>, @location(5) @interpolate(flat) user: u32 }\n";
        let lit = parse(&format!("{input}{LIT}"));
        parse(&format!("{input}{LIT_OUTFITS}"));
        parse(&format!("{input}{SHADOW}"));
        for posed in [POSED_LIT, GROUND_LIT, POSED_SHADOW] {
            parse(posed);
        }
        let scene = parse(&backdrop().source);
        for pass in [BlurPass::Rows, BlurPass::Columns] {
            parse(&blur_contact(pass).source);
        }
        let offset = |at: usize| at as u32;
        let expected = [
            offset_of!(SceneBlock, world_from_clip),
            offset_of!(SceneBlock, sun_from_world),
            offset_of!(SceneBlock, contact_from_world),
            offset_of!(SceneBlock, eye),
            offset_of!(SceneBlock, to_sun),
            offset_of!(SceneBlock, sun_color),
            offset_of!(SceneBlock, sky_color),
            offset_of!(SceneBlock, bounce_color),
            offset_of!(SceneBlock, horizon_color),
            offset_of!(SceneBlock, zenith_color),
            offset_of!(SceneBlock, glow_color),
            offset_of!(SceneBlock, ground_color),
            offset_of!(SceneBlock, ground),
            offset_of!(SceneBlock, steps),
            offset_of!(SceneBlock, looks),
        ]
        .map(offset);
        let size = offset(size_of::<SceneBlock>());
        assert_eq!(offsets(&scene, "Scene"), (size, expected.to_vec()));
        let expected = [
            offset_of!(MaterialBlock, base_color),
            offset_of!(MaterialBlock, alpha_cutoff),
        ]
        .map(offset);
        let size = offset(size_of::<MaterialBlock>());
        assert_eq!(offsets(&lit, "Material"), (size, expected.to_vec()));
    }
}
