//! Capture in a browser, on WebGPU or WebGL2.

mod device;
mod read_back;
mod stand_in;

use std::path::Path;

use throng_wgpu::Ticks;
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

/// Captures the crowd of [`crate::instances`] from a texture set.
///
/// `backend` is `webgpu` or `webgl2`, `glb` a set of one file. Returns six floats per vertex, instance after instance:
/// position in world space in metres, and unit normal.
#[wasm_bindgen]
pub async fn capture(backend: &str, glb: &[u8], time_secs: f64) -> Result<Vec<f32>, JsError> {
    let set = throng_format::disk::read_glb_bytes(Path::new("set.glb"), glb)?;
    let (device, queue) = device::open(backend).await?;
    stand_in::capture(&device, &queue, &set, Ticks::from_secs(time_secs)).await
}
