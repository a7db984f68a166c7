//! Figures that P0 prints.

use super::names;

/// A character of the paper, and ours of the same complexity.
pub struct Model {
    /// Name in the paper, and in ids.
    pub name: &'static str,
    /// Built-in character with as many vertices as the paper's after duplication: every corner of every face is one.
    pub corners: &'static str,
    /// Built-in character with as many vertices as the paper's without duplicates.
    pub shared: &'static str,
    /// Clip that instances play.
    pub clips: &'static [&'static str],
    /// Meshes, vertices, triangles and bones of tables 1, 3, 5 and 7.
    pub complexity: [u32; 4],
    /// Texels of tables 2, 4, 6 and 8: dual quaternions, matrices and vertices; 0 for N/A.
    pub texels: [u32; 3],
    /// Relative instances of tables 9 and 10, in per cent: techniques of [`TECHNIQUES`], at 120, 60 and 30 fps.
    pub break_points: [[f64; 3]; 6],
    /// R.M.D. in per cent and p of table 12, for palettes and textures.
    pub table_12: [[f64; 2]; 2],
    /// The same of table 16, without duplicates.
    pub table_16: [[f64; 2]; 2],
}

/// Techniques of tables 9 and 10, by our names.
pub const TECHNIQUES: [&str; 6] = [
    names::CONTROL,
    names::GPU_DQ,
    names::GPU_MATRIX,
    names::DQ_TEXTURE,
    names::MATRIX_TEXTURE,
    names::VERTEX_TEXTURE,
];

/// The four characters.
pub const MODELS: [Model; 4] = [
    Model {
        name: "box",
        corners: "box",
        shared: "bar:62",
        clips: &[],
        complexity: [2, 312, 116, 4],
        texels: [2_490, 3_486, 15_438],
        break_points: [
            [100.0, 100.0, 100.0],
            [3.5, 4.5, 5.1],
            [1.8, 2.1, 2.3],
            [75.0, 63.0, 63.0],
            [56.0, 50.0, 48.0],
            [113.0, 100.0, 100.0],
        ],
        table_12: [[122.0, 3.25e-18], [25.1, 7.49e-8]],
        table_16: [[4.26, 0.40], [7.02, 0.08]],
    },
    Model {
        name: "vampire",
        corners: "humanoid:8920",
        shared: "humanoid:7865",
        clips: &["walk"],
        complexity: [1, 45_066, 15_022, 65],
        texels: [11_352, 16_942, 676_820],
        break_points: [
            [100.0, 100.0, 100.0],
            [38.0, 49.0, 52.0],
            [16.0, 25.0, 26.0],
            [56.0, 62.0, 67.0],
            [38.0, 46.0, 47.0],
            [88.0, 99.0, 102.0],
        ],
        table_12: [[98.9, 3.87e-17], [45.6, 9.75e-16]],
        table_16: [[12.6, 0.0044], [33.8, 9.00e-11]],
    },
    Model {
        name: "x-bot",
        corners: "humanoid:18740",
        shared: "humanoid:24746",
        clips: &["run"],
        complexity: [2, 99_796, 49_112, 52],
        texels: [16_324, 24_332, 3_810_884],
        break_points: [
            [100.0, 100.0, 100.0],
            [41.0, 58.0, 64.0],
            [21.0, 32.0, 33.0],
            [53.0, 57.0, 57.0],
            [38.0, 40.0, 41.0],
            [88.0, 87.0, 83.0],
        ],
        table_12: [[97.9, 2.12e-17], [36.4, 2.93e-13]],
        table_16: [[9.31, 0.016], [3.20, 0.39]],
    },
    Model {
        name: "y-bot",
        corners: "humanoid:56800",
        shared: "humanoid:79786",
        clips: &["dance"],
        complexity: [2, 319_944, 159_272, 67],
        texels: [17_952, 26_796, 0],
        break_points: [
            [100.0, 100.0, 100.0],
            [100.0, 100.0, 100.0],
            [92.0, 95.0, 89.0],
            [71.0, 77.0, 77.0],
            [58.0, 59.0, 61.0],
            [0.0, 0.0, 0.0],
        ],
        table_12: [[4.62, 0.24], [23.5, 5.16e-8]],
        table_16: [[4.90, 0.18], [4.79, 0.23]],
    },
];

/// Table 13: skeleton computation, upload and mesh switch; relative rating in per cent for dual quaternions and matrices.
pub const TABLE_13: [([bool; 3], [f64; 2]); 8] = [
    ([true, true, true], [100.0, 100.0]),
    ([true, false, true], [107.0, 106.0]),
    ([false, true, true], [137.0, 256.0]),
    ([false, false, true], [153.0, 288.0]),
    ([true, true, false], [53.0, 56.0]),
    ([true, false, false], [57.0, 56.0]),
    ([false, true, false], [207.0, 381.0]),
    ([false, false, false], [240.0, 450.0]),
];

/// Relative rating of cached skeletons with everything else on (4.7), in per cent.
pub const CACHED: [f64; 2] = [113.0, 206.0];

/// Relative rating of the control in table 13.
pub const TABLE_13_CONTROL: [f64; 2] = [1733.0, 3250.0];

/// Table 15: metadata reads, interpolation and skinning; relative rating in per cent for dual quaternions and matrices.
pub const TABLE_15: [([bool; 3], [f64; 2]); 8] = [
    ([true, true, true], [100.0, 100.0]),
    ([true, false, true], [113.0, 123.0]),
    ([false, true, true], [103.0, 112.0]),
    ([false, false, true], [107.0, 127.0]),
    ([true, true, false], [103.0, 104.0]),
    ([true, false, false], [110.0, 127.0]),
    ([false, true, false], [107.0, 112.0]),
    ([false, false, false], [117.0, 135.0]),
];

/// Rows of table 15 with one and two of three bones skipped, and of the control.
pub const TABLE_15_BONES: [[f64; 2]; 2] = [[123.0, 142.0], [127.0, 146.0]];

/// Relative rating of the control in table 15.
pub const TABLE_15_CONTROL: [f64; 2] = [137.0, 158.0];
