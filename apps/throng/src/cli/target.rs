//! Value of `--target`.

use std::fmt;

use clap::ValueEnum;
use serde::Serialize;

/// Where a set is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// three.js, with the package throng-three
    Three,
    /// WebGL2: sides of 2048 texels, 256 layers, no compute shaders
    #[value(name = "webgl2")]
    WebGl2,
    /// WebGPU with its default limits: sides of 8192 texels, 256 layers
    #[value(name = "webgpu")]
    WebGpu,
    /// wgpu with its default limits, in Rust
    Wgpu,
}

impl Target {
    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Three => "three",
            Self::WebGl2 => "webgl2",
            Self::WebGpu => "webgpu",
            Self::Wgpu => "wgpu",
        }
    }

    /// Longest side of a texture that every device of the target supports.
    pub fn max_side(self) -> u32 {
        match self {
            // three.js draws with WebGL2 and with WebGPU.
            Self::Three | Self::WebGl2 => 2048,
            Self::WebGpu | Self::Wgpu => 8192,
        }
    }

    /// Most layers of a texture that every device of the target supports.
    pub fn max_layers(self) -> u32 {
        256
    }

    /// True if sets are loaded over a network, where one file is better than several.
    pub fn is_web(self) -> bool {
        self != Self::Wgpu
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
