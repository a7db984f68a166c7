//! A small set, for tests.

use throng_import::{ImportOptions, import};
use throng_rig::{Bounds, LoopPolicy, Skinning};

use crate::*;

/// A set of the built-in bar with one frame of float matrices, and this name.
pub fn bar(name: &str) -> TextureSet {
    let source = import("builtin:bar", &ImportOptions::default()).unwrap();
    let model = source.character;
    let joints = model.skeleton().joints();
    let count = joints.len() as u32;
    let bounds = Bounds {
        min: glam::DVec3::NEG_ONE,
        max: glam::DVec3::ONE,
    };
    let manifest = Manifest {
        format: FORMAT.into(),
        version: VERSION,
        generator: "a test".into(),
        name: name.into(),
        source: Source::in_memory("builtin:bar"),
        encoding: Encoding::BoneMatrix,
        precision: Some(Precision::F32),
        method: Skinning::AsAuthored,
        interpolation: FrameInterpolation::Linear,
        metadata: Metadata::Manifest,
        axes: Axes::metres(),
        size: 1.0,
        bounds,
        clips: vec![ClipEntry {
            name: "still".into(),
            first_frame: 0,
            frames: 1,
            rate_hz: 0.0,
            start_secs: 0.0,
            duration_secs: 0.0,
            looping: LoopPolicy::Once,
            bounds,
            root_motion: None,
            events: Vec::new(),
            content_digest: None,
        }],
        joints: joints
            .iter()
            .map(|joint| JointEntry {
                name: joint.name.clone(),
                parent: joint.parent,
            })
            .collect(),
        skins: SkinEntry::of_model(&model),
        parts: PartEntry::of_model(&model),
        layout: Layout::Bones(BoneLayout {
            code: BoneCode::MatrixRows,
            grid: Grid {
                texture: 0,
                order: FrameOrder::Rows,
                items: 3 * count,
                first_column: 0,
                first_row: 0,
                columns: 3 * count,
                rows_per_frame: 1,
                clip_starts: vec![0],
                pages: None,
            },
            bones: (0..count)
                .map(|joint| BoneEntry {
                    joint: joint as usize,
                    first_value: 12 * joint,
                    scale: 1.0,
                    rotation: [0.0, 0.0, 0.0, 1.0],
                    has_scale: false,
                })
                .collect(),
            ranges: Vec::new(),
            scale_range: None,
            positions: None,
            rest_row: false,
            color_bones: 0,
            weights: None,
        }),
        morphs: None,
        textures: vec![TextureEntry {
            name: "bones".into(),
            texels: TexelFormat::Rgba32Float,
            width: 3 * count,
            height: 1,
            layers: 1,
            calibration: false,
            files: Vec::new(),
        }],
        mesh: "mesh.glb".into(),
        sockets: Vec::new(),
        lods: Vec::new(),
        files: Vec::new(),
        max_error_of_size: None,
        motion: None,
        base_digest: None,
    };
    let texture = Texture::zeroed(TexelFormat::Rgba32Float, [3 * count, 1, 1]).unwrap();
    TextureSet::new(manifest, vec![texture], model).unwrap()
}
