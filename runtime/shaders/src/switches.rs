//! Shaders with single steps switched off, to measure the cost of the steps. Pictures are wrong then.

use crate::Shader;
use crate::compose::text_of;

/// Files with interpolation between frames: the function that interpolates, and the file that replaces it.
const INTERPOLATING: [(&str, &str, &str); 10] = [
    (
        "lib/mix_matrices",
        "bone_between",
        "switch/one_frame_matrices",
    ),
    ("lib/bones_dual", "bone_between", "switch/one_frame_dual"),
    (
        "lib/bones_rotation",
        "bone_between",
        "switch/one_frame_rotation",
    ),
    (
        "lib/bones_scaled",
        "bone_between",
        "switch/one_frame_scaled",
    ),
    ("lib/bones_axes", "bone_between", "switch/one_frame_axes"),
    ("source/rest_row", "bone_of", "switch/one_frame_planes"),
    (
        "source/deform_arc",
        "skin_along_arc",
        "switch/one_frame_arc",
    ),
    (
        "source/deform_vertices",
        "offset_between",
        "switch/one_frame_offset",
    ),
    (
        "source/deform_vertices",
        "normal_between",
        "switch/one_frame_normal",
    ),
    (
        "source/morph_set",
        "morph_between",
        "switch/one_frame_morph",
    ),
];

/// Sums of skinning methods, and all their numbers as a vector.
const SUMS: [(&str, &str); 5] = [
    ("lib/sum_matrices", "affine_values(sum.method)"),
    ("lib/sum_rigid", "affine_values(sum.method)"),
    ("lib/sum_dual_quats", "dual_quat_values(sum.method.motion)"),
    (
        "lib/sum_rigid_both",
        "affine_values(sum.method.linear) + dual_quat_values(sum.method.motion)",
    ),
    (
        "lib/sum_both",
        "affine_values(sum.method.linear) + dual_quat_values(sum.method.motion)",
    ),
];

/// Sums beside that of the skinning method.
const FURTHER_SUMS: [(&str, &str); 2] = [
    ("lib/accumulate_centre", "sum.centre"),
    ("lib/accumulate_stretch", "affine_values(sum.stretch)"),
];

/// Steps switched off, to measure what they cost.
impl Shader {
    /// Reads the earlier of two frames alone, so that half of the texel reads of frames are gone: those of bones, vertices
    /// and morph weights. Shaders that read no frames are returned unchanged.
    pub fn without_interpolation(mut self) -> Self {
        for (file, function, by) in INTERPOLATING {
            if self.has_file(file) {
                self.replace_function(function, text_of(by));
            }
        }
        self
    }

    /// Leaves vertices in the bind pose. Joints are still read, decoded and blended, and compilers cannot remove that.
    /// Shaders that do not skin are returned unchanged.
    pub fn without_skinning(mut self) -> Self {
        let Some((_, values)) = SUMS.iter().find(|(file, _)| self.has_file(file)) else {
            return self;
        };
        let further = FURTHER_SUMS.iter().filter(|(file, _)| self.has_file(file));
        let values = further.fold((*values).to_owned(), |all, (_, one)| {
            format!("{all} + {one}")
        });
        let blended = format!(
            "fn blended_values(sum: Accumulator) -> vec3<f32> {{\n    return {values};\n}}\n\n"
        );
        self.replace_function("skin_vertex", &(blended + text_of("switch/bind_pose")));
        // Without interpolation, there is one frame and no arc.
        if self.has_file("source/deform_arc") && !self.has_file("switch/one_frame_arc") {
            self.replace_function("skin_along_arc", text_of("switch/bind_pose_arc"));
        }
        self
    }

    /// Ignores the influences of a vertex past the `limit` heaviest; 0 counts as 1. The weights of the others stay as they
    /// are: LBS then draws vertices nearer to the origin, and DQS normalises. Shaders that do not skin are returned
    /// unchanged.
    pub fn with_influence_limit(mut self, limit: usize) -> Self {
        let limit = limit.max(1);
        self = self.with_max_influences(limit);
        // The loop over the third and the fourth influence, and the one over further influences.
        let (from, to) = match limit {
            3 => (
                "var weights = vertex.weights.zw;",
                "var weights = vec2(vertex.weights.z, 0.0);".to_owned(),
            ),
            5.. => (
                "k < vertex.more.y;",
                format!("k < min(vertex.more.y, {}u);", limit - 4),
            ),
            _ => return self,
        };
        self.source = self.source.replace(from, &to);
        self
    }

    /// True if the shader is composed from a file, whose functions may be replaced: its first line is there.
    fn has_file(&self, file: &str) -> bool {
        let first = text_of(file).lines().next();
        first.is_some_and(|line| self.source.contains(line))
    }
}
