//! Palettes of instances as texels.

use bytemuck::cast;
use throng_rig::{Method, Palette, Skinning};

use crate::cpu::poses::CpuPoses;
use crate::cpu::source::{CpuSource, PaletteLayout};
use crate::instance::rows;

/// Memory of a task.
#[derive(Debug, Default)]
pub(crate) struct PaletteScratch {
    split: Palette,
    weights: Vec<f32>,
}

impl PaletteScratch {
    /// Writes the palettes of an instance, skin after skin, and its morph weights.
    pub fn write(
        &mut self,
        source: &CpuSource,
        poses: &CpuPoses,
        instance: usize,
        layout: PaletteLayout,
        mut out: &mut [[u32; 4]],
    ) {
        for (index, skin) in source.character.skins().iter().enumerate() {
            let texels = skin.len() * layout.texels() as usize;
            let (joints, rest) = std::mem::take(&mut out).split_at_mut(texels);
            out = rest;
            let palette = poses.palette(index);
            if layout == PaletteLayout::Matrix {
                let matrices = palette.instance(instance).as_flattened();
                joints.copy_from_slice(bytemuck::cast_slice(matrices));
                continue;
            }
            palette.split_into(instance, skin, &mut self.split);
            let joints = joints.chunks_exact_mut(layout.texels() as usize);
            for (joint, texels) in joints.enumerate() {
                write_joint(&self.split, joint, layout, source.skinning, texels);
            }
        }
        poses.morph_weights(source, instance, &mut self.weights);
        for (texel, weights) in out.iter_mut().zip(self.weights.chunks(4)) {
            *texel = [0; 4];
            for (word, weight) in texel.iter_mut().zip(weights) {
                *word = weight.to_bits();
            }
        }
    }
}

fn write_joint(
    palette: &Palette,
    joint: usize,
    layout: PaletteLayout,
    skinning: Skinning,
    out: &mut [[u32; 4]],
) {
    let rigid = match skinning {
        Skinning::Method(Method::DqsDirect) => palette.aligned()[joint],
        _ => palette.rigid()[joint],
    };
    out[0] = cast(rigid.real.as_quat().to_array());
    out[1] = cast(rigid.dual.as_quat().to_array());
    if layout == PaletteLayout::Stretch {
        let stretch = palette.stretches()[joint].as_affine3a();
        out[2..].copy_from_slice(&rows(&stretch).map(cast));
    }
}
