//! Outputs of the vertex shader, which a material reads.

/// Fields of `VertexOut` that a material reads, beside `clip_position`. Others are compiled out, with the work behind
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct VertexOutputs {
    /// `world_position: vec3<f32>`.
    pub world_position: bool,
    /// `normal: vec3<f32>`, in world space. It has unit length at the vertices.
    pub normal: bool,
    /// `tangent: vec4<f32>`, in world space; w is the sign of the bitangent. Zero if there is none.
    pub tangent: bool,
    /// `uv: vec2<f32>`.
    pub uv: bool,
    /// `color: vec4<f32>`, the linear colour of the vertex; white if the mesh has none.
    pub color: bool,
    /// `tint: vec4<f32>` of the instance.
    pub tint: bool,
    /// `user: u32` of the instance.
    pub user: bool,
    /// `previous_clip_position: vec4<f32>`. The vertex is decoded a second time, as it was in the frame before.
    pub previous_clip_position: bool,
}

/// Name, location, attributes and type of a field, the expression that fills it, and whether it is read.
type Field = (
    &'static str,
    u32,
    &'static str,
    &'static str,
    &'static str,
    bool,
);

impl VertexOutputs {
    /// Fields of printed shaders.
    pub(crate) const PRINTED: Self = Self {
        world_position: true,
        normal: true,
        tangent: false,
        uv: true,
        color: true,
        tint: true,
        user: true,
        previous_clip_position: false,
    };

    /// Returns the fields that WGSL reads: those that it names after a dot, outside of comments.
    pub fn read_by(wgsl: &str) -> Self {
        let code = without_comments(wgsl);
        let reads = |field: &str| {
            code.match_indices(field).any(|(at, _)| {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                code[..at].trim_end().ends_with('.')
                    && !code[at + field.len()..].starts_with(is_word)
            })
        };
        Self {
            world_position: reads("world_position"),
            normal: reads("normal"),
            tangent: reads("tangent"),
            uv: reads("uv"),
            color: reads("color"),
            tint: reads("tint"),
            user: reads("user"),
            previous_clip_position: reads("previous_clip_position"),
        }
    }

    fn fields(self) -> [Field; 8] {
        const SMOOTH: &str = "";
        const FLAT: &str = "@interpolate(flat, either) ";
        [
            (
                "world_position",
                0,
                SMOOTH,
                "vec3<f32>",
                "deformed.position",
                self.world_position,
            ),
            (
                "normal",
                1,
                SMOOTH,
                "vec3<f32>",
                "deformed.normal",
                self.normal,
            ),
            (
                "tangent",
                2,
                SMOOTH,
                "vec4<f32>",
                "vec4(deformed.tangent, v.tangent.w)",
                self.tangent,
            ),
            ("uv", 3, SMOOTH, "vec2<f32>", "v.uv", self.uv),
            ("color", 4, SMOOTH, "vec4<f32>", "v.color", self.color),
            ("tint", 5, FLAT, "vec4<f32>", "instance.tint", self.tint),
            ("user", 6, FLAT, "u32", "instance.user", self.user),
            (
                "previous_clip_position",
                7,
                SMOOTH,
                "vec4<f32>",
                "previous_clip_position(vertex_previous(v))",
                self.previous_clip_position,
            ),
        ]
    }

    fn members(self) -> String {
        let fields = self.fields().into_iter().filter(|field| field.5);
        let members = fields.map(|(name, location, attributes, ty, ..)| {
            format!("    @location({location}) {attributes}{name}: {ty},\n")
        });
        members.collect()
    }

    /// The structs and the entry point `draw_vertex`, which calls the material's `clip_position`. `declared` are the fields
    /// of `VertexOut`.
    pub(crate) fn source(self, declared: Self) -> String {
        let (members, declared) = (self.members(), declared.members());
        let written = self.fields().into_iter().filter(|field| field.5);
        let values: String = written
            .map(|(name, _, _, _, value, _)| format!("    out.{name} = {value};\n"))
            .collect();
        // Two structs: one may be invariant, and GLSL ES refuses invariant inputs of fragment shaders.
        format!(
            "// Outputs of the vertex shader.\n\n\
             struct DrawOut {{\n    \
                 @builtin(position) clip_position: vec4<f32>,\n{members}}}\n\n\
             // The same as fragment shaders get them.\n\
             struct VertexOut {{\n    \
                 @builtin(position) clip_position: vec4<f32>,\n{declared}}}\n\n\
             @vertex\n\
             fn draw_vertex(v: VertexIn) -> DrawOut {{\n    \
                 let instance = vertex_instance(v);\n    \
                 let deformed = vertex_deformed(v, instance);\n    \
                 var out: DrawOut;\n    \
                 out.clip_position = clip_position(deformed.position);\n{values}    \
                 return out;\n}}\n"
        )
    }
}

/// WGSL with comments replaced by spaces. Block comments nest.
fn without_comments(wgsl: &str) -> String {
    let mut out = String::with_capacity(wgsl.len());
    let mut rest = wgsl;
    let mut depth = 0;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("/*") {
            depth += 1;
            rest = &rest[2..];
        } else if depth > 0 && rest.starts_with("*/") {
            depth -= 1;
            rest = &rest[2..];
            out.push(' ');
        } else if depth > 0 {
            rest = &rest[c.len_utf8()..];
        } else if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_fields_that_are_read_outside_of_comments() {
        let read = VertexOutputs::read_by(
            "// in.tangent\n/* in.uv /* in.user */ in.tint */ let normals = in.normal_map + in . color.rgb + uv;",
        );
        let expected = VertexOutputs {
            color: true,
            ..VertexOutputs::default()
        };
        assert_eq!(read, expected);
        assert!(VertexOutputs::read_by("in.previous_clip_position.xy").previous_clip_position);
        assert!(!VertexOutputs::read_by("previous_clip_position(p)").previous_clip_position);
        assert!(VertexOutputs::read_by("in.normal").normal);
    }
}
