//! Tasks of the browser's event loop.

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// The function of windows and of workers.
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, millis: i32);
}

/// Ends the running task and continues in a later one.
///
/// The device is done only between tasks. A promise that is resolved already continues in the same task.
pub async fn next() -> Result<(), JsError> {
    let promise = Promise::new(&mut |resolve, _| set_timeout(&resolve, 0));
    match JsFuture::from(promise).await {
        Ok(_) => Ok(()),
        Err(error) => Err(JsError::new(&format!("cannot wait: {error:?}"))),
    }
}
