//! A device of the browser, without a page to draw on.

use throng_wgpu::wgpu::{self, Backends};
use wasm_bindgen::JsError;
use web_sys::OffscreenCanvas;

/// Opens a device on `webgpu` or `webgl2`.
pub async fn open(backend: &str) -> Result<(wgpu::Device, wgpu::Queue), JsError> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = match backend {
        "webgpu" => Backends::BROWSER_WEBGPU,
        "webgl2" => Backends::GL,
        other => {
            let problem = format!("unknown backend '{other}'; expected webgpu or webgl2");
            return Err(JsError::new(&problem));
        }
    };
    let is_webgl = descriptor.backends == Backends::GL;
    let instance = wgpu::Instance::new(descriptor);
    // WebGL2 has no adapters, only contexts of a canvas.
    let surface = match is_webgl {
        true => Some(instance.create_surface(wgpu::SurfaceTarget::OffscreenCanvas(canvas()?))?),
        false => None,
    };
    let adapter = instance
        .request_adapter(&wgpu::RequestAdapterOptions {
            compatible_surface: surface.as_ref(),
            ..Default::default()
        })
        .await?;
    let required_limits = match is_webgl {
        true => wgpu::Limits::downlevel_webgl2_defaults().using_resolution(adapter.limits()),
        false => adapter.limits(),
    };
    let opened = adapter
        .request_device(&wgpu::DeviceDescriptor {
            label: Some("throng"),
            required_limits,
            ..Default::default()
        })
        .await?;
    Ok(opened)
}

fn canvas() -> Result<OffscreenCanvas, JsError> {
    OffscreenCanvas::new(1, 1)
        .map_err(|error| JsError::new(&format!("cannot create an OffscreenCanvas: {error:?}")))
}
