//! Read-back without blocking.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// The function of windows and of workers.
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, millis: i32);
}

/// Maps a buffer and returns its words.
pub async fn words(device: &wgpu::Device, buffer: &wgpu::Buffer) -> Result<Vec<u32>, JsError> {
    let mapped = Rc::new(Cell::new(None));
    let result = mapped.clone();
    buffer.map_async(wgpu::MapMode::Read, .., move |done| result.set(Some(done)));
    // WebGPU calls back by itself. On WebGL2 only `poll` does, and a fence is not signalled before the running task of
    // the browser ends.
    loop {
        device.poll(wgpu::PollType::Poll)?;
        if let Some(done) = mapped.take() {
            done?;
            break;
        }
        next_task().await?;
    }
    let bytes = buffer.get_mapped_range(..)?;
    Ok(bytemuck::pod_collect_to_vec(&bytes))
}

/// Ends the running task of the browser and continues in a later one. Promises alone continue in the same task.
async fn next_task() -> Result<(), JsError> {
    let promise = Promise::new(&mut |resolve, _| set_timeout(&resolve, 0));
    match JsFuture::from(promise).await {
        Ok(_) => Ok(()),
        Err(error) => Err(JsError::new(&format!("cannot wait: {error:?}"))),
    }
}
