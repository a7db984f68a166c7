//! Capture in a browser, on WebGPU or WebGL2.

mod device;
mod read_back;
mod task;

use std::path::Path;

use throng_wgpu::{Captured, CrowdModel, GpuError, ModelSettings, PendingCapture, Ticks, wgpu};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(message: &str);
}

/// Reports panics on the console of the browser. Without it, they are traps without a message.
#[wasm_bindgen(start)]
fn report_panics() {
    std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
}

/// Number of instances of [`capture`].
const INSTANCES: usize = 12;

/// Captures 12 instances of [`crate::instances`] from a texture set of at least two clips.
///
/// `backend` is `webgpu` or `webgl2`, `glb` a set of one file. Returns six floats per vertex, instance after instance:
/// position in world space in metres, and unit normal.
#[wasm_bindgen]
pub async fn capture(backend: &str, glb: &[u8], time_secs: f64) -> Result<Vec<f32>, JsError> {
    let set = throng_format::disk::read_glb_bytes(Path::new("set.glb"), glb)?;
    let (device, queue) = device::open(backend).await?;
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let pending = start(&device, &queue, &set, Ticks::from_secs(time_secs))?;
    if let Some(error) = scope.pop().await {
        return Err(error.into());
    }
    let captured = read(&pending).await?;
    let vertices = captured
        .iter()
        .flat_map(|instance| instance.positions.iter().zip(&instance.normals));
    Ok(vertices
        .flat_map(|(position, normal)| [position.to_array(), normal.to_array()].concat())
        .collect())
}

/// Draws [`crate::small_picture`] of a texture set of at least two clips. Returns its RGBA pixels, row by row.
#[wasm_bindgen]
pub async fn draw(backend: &str, glb: &[u8], time_secs: f64) -> Result<Vec<u8>, JsError> {
    let set = throng_format::disk::read_glb_bytes(Path::new("set.glb"), glb)?;
    let (device, queue) = device::open(backend).await?;
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let picture = crate::small_picture(&device, &queue, &set, Ticks::from_secs(time_secs))?;
    if let Some(error) = scope.pop().await {
        return Err(error.into());
    }
    read_back::pixels(&device, &queue, &picture).await
}

/// Draws the crowd once.
fn start(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    set: &throng_format::TextureSet,
    now: Ticks,
) -> Result<PendingCapture, GpuError> {
    let model = CrowdModel::new(device, queue, set, ModelSettings::default())?;
    let mut crowd = model.crowd()?;
    crowd.set_instances(&crate::instances(INSTANCES, 2, now))?;
    crowd.capture(now)
}

/// Waits without blocking.
async fn read(pending: &PendingCapture) -> Result<Vec<Captured>, JsError> {
    loop {
        if let Some(captured) = pending.try_read()? {
            return Ok(captured);
        }
        task::next().await?;
    }
}
