//! Description of the machine.

use throng_wgpu::{Gpu, wgpu};

use crate::record::Machine;
use crate::stage::Stage;

/// Describes this machine and the device of a stage.
pub fn machine(stage: &Stage) -> Machine {
    let info = stage.gpu().device().adapter_info();
    Machine {
        adapter: info.name,
        backend: format!("{:?}", info.backend),
        driver: format!("{} {}", info.driver, info.driver_info)
            .trim()
            .to_owned(),
        device_type: format!("{:?}", info.device_type),
        cpu: cpu_model().unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        os: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        throng: env!("CARGO_PKG_VERSION").to_owned(),
        build: match cfg!(debug_assertions) {
            true => "dev".into(),
            false => "release".into(),
        },
        gpu_times: match stage.has_gpu_times() {
            true => "timestamps".into(),
            false => "none".into(),
        },
    }
}

/// True for drivers that draw on the CPU.
pub fn is_software(gpu: &Gpu) -> bool {
    gpu.device().adapter_info().device_type == wgpu::DeviceType::Cpu
}

/// Model of the processor as the system states it.
fn cpu_model() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
