//! Recovery from a lost graphics device: the viewer starts again with the same document.
//!
//! Nothing can be drawn on a lost device, and egui panics when it tries. The device's callback notes the loss, [`until_lost`]
//! catches the panic, and [`Losses`] decides whether another start may help.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Losses in a row after which the viewer gives up.
const MAX_LOSSES: u32 = 3;

/// A window that was open for this many seconds has recovered.
const RECOVERED_AFTER_SECS: u64 = 60;

/// A lost device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Document that was shown.
    pub source: Option<String>,
    /// Reason given by the driver.
    pub reason: String,
}

/// Document that is shown, and the reason of a loss of its device. Clones share both.
#[derive(Debug, Clone, Default)]
pub struct Recovery(Arc<Mutex<Noted>>);

#[derive(Debug, Default)]
struct Noted {
    source: Option<String>,
    reason: Option<String>,
}

impl Recovery {
    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the document that is shown.
    pub fn shows(&self, source: &str) {
        self.noted().source = Some(source.to_owned());
    }

    /// Notes that the device was lost.
    pub fn lose(&self, reason: String) {
        self.noted().reason = Some(reason);
    }

    /// Returns the loss, if there is one.
    pub fn loss(&self) -> Option<Loss> {
        let noted = self.noted();
        let reason = noted.reason.clone()?;
        Some(Loss {
            source: noted.source.clone(),
            reason,
        })
    }
}

/// Runs a window. Returns the loss of its device, whether the window was closed for it or panicked; other panics go on.
pub fn until_lost<T>(recovery: &Recovery, window: impl FnOnce() -> T) -> Result<T, Loss> {
    let (hook, of_hook) = (std::panic::take_hook(), recovery.clone());
    std::panic::set_hook(Box::new(move |info| {
        if of_hook.loss().is_none() {
            hook(info);
        }
    }));
    let ended = catch_unwind(AssertUnwindSafe(window));
    match (ended, recovery.loss()) {
        (_, Some(loss)) => Err(loss),
        (Ok(value), None) => Ok(value),
        (Err(panic), None) => resume_unwind(panic),
    }
}

/// Number of losses in a row, which one process hands to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Losses(pub u32);

impl Losses {
    /// Counts the loss of a window that was open for a number of seconds. `None` if another start would not help.
    pub fn after(self, open_secs: u64) -> Option<Self> {
        let count = match open_secs >= RECOVERED_AFTER_SECS {
            true => 1,
            false => self.0 + 1,
        };
        (count < MAX_LOSSES).then_some(Self(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_losses_end_the_viewer() {
        let first = Losses::default().after(2).unwrap();
        let second = first.after(2).unwrap();
        assert_eq!(second.after(2), None);
        assert_eq!(second.after(600), Some(Losses(1)));
    }

    #[test]
    fn panics_on_a_lost_device_are_losses() {
        let recovery = Recovery::default();
        assert_eq!(until_lost(&recovery, || 5), Ok(5));
        recovery.shows("knight.glb");
        let window = recovery.clone();
        let ended = until_lost(&recovery, move || {
            window.lose("reset".into());
            panic!("cannot draw");
        });
        let loss = Loss {
            source: Some("knight.glb".into()),
            reason: "reset".into(),
        };
        assert_eq!(ended, Err::<(), _>(loss));
    }

    #[test]
    fn other_panics_go_on() {
        let recovery = Recovery::default();
        let caught = catch_unwind(|| until_lost(&recovery, || panic!("a defect")));
        assert!(caught.is_err());
    }
}
