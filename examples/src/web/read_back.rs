//! Read-back of a picture without blocking.

use std::cell::Cell;
use std::rc::Rc;

use throng_wgpu::wgpu;
use wasm_bindgen::JsError;

use super::task;

/// Returns the pixels of a texture of four bytes per pixel, whose rows are multiples of 256 bytes.
pub async fn pixels(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
) -> Result<Vec<u8>, JsError> {
    let row = 4 * texture.width();
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read back"),
        size: u64::from(row * texture.height()),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(row),
                rows_per_image: None,
            },
        },
        texture.size(),
    );
    queue.submit([encoder.finish()]);
    let mapped = Rc::new(Cell::new(None));
    let result = mapped.clone();
    buffer.map_async(wgpu::MapMode::Read, .., move |done| result.set(Some(done)));
    loop {
        // On WebGL2, only this notices that the device is done.
        device.poll(wgpu::PollType::Poll)?;
        match mapped.take() {
            Some(done) => break done?,
            None => task::next().await?,
        }
    }
    Ok(buffer.get_mapped_range(..)?.to_vec())
}
