//! Techniques of the CPU: in float32 on all cores, as Throng draws them, and in float64 on one core.

use throng_wgpu::Technique;

use crate::{Contender, median};

/// Techniques that pose on the CPU.
pub const TECHNIQUES: [Technique; 3] = [
    Technique::Cpu,
    Technique::PaletteMatrix,
    Technique::PaletteDq,
];

/// Name of a technique, as Throng draws it.
pub fn name(technique: Technique) -> String {
    format!("{technique}, instanced")
}

/// Name of the same technique in float64.
pub fn float64_name(technique: Technique) -> String {
    format!("{technique}, float64 on one core")
}

/// Prints the CPU's work per frame: posing, skinning or writing palettes, and handing over the upload.
pub fn print(contenders: &[Contender]) {
    println!(
        "  {:36} {:>20} {:>20} {:>8} {:>13}",
        "posing on the CPU, ms", "float64, one core", "float32, all cores", "ratio", "whole frames"
    );
    let find = |name: &str| contenders.iter().find(|contender| contender.name == name);
    for technique in TECHNIQUES {
        let (Some(fast), Some(slow)) = (find(&name(technique)), find(&float64_name(technique)))
        else {
            continue;
        };
        let rounds = slow.posing.iter().zip(&fast.posing);
        let ratio = median(rounds.map(|(slow, fast)| slow / fast).collect());
        println!(
            "  {:36} {:>20.2} {:>20.2} {:>7.1}× {:>12.1}×",
            technique.name(),
            1e3 * median(slow.posing.clone()),
            1e3 * median(fast.posing.clone()),
            ratio,
            fast.of_control() / slow.of_control(),
        );
    }
}
