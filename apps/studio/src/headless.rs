//! Start-up of programs that draw without a display.

use std::env;

/// Switches off Mesa's device-select layer; its layer manifest names this variable.
const VARIABLE: &str = "NODEVICE_SELECT";

/// Keeps Mesa's Vulkan device-select layer from printing "error: XDG_RUNTIME_DIR is invalid" on standard error when
/// there is no display.
///
/// A program calls this first thing in `main`: it sets `NODEVICE_SELECT=1` for the process. It does nothing if
/// `DISPLAY` or `WAYLAND_DISPLAY` is set, if the variable is already set, or if other threads run already.
pub fn silence_device_select_layer() {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    if is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set(VARIABLE) || !has_one_thread() {
        return;
    }
    // SAFETY: the environment must not be read by another thread meanwhile, and there is none.
    #[expect(
        unsafe_code,
        reason = "Mesa reads its settings from the environment only"
    )]
    unsafe {
        env::set_var(VARIABLE, "1");
    }
}

/// Returns true if this is known to be the only thread. The layer exists on Linux only, so other systems need no
/// answer.
fn has_one_thread() -> bool {
    std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1)
}
