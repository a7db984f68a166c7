//! Recovery from a lost graphics device: the window is closed, and another one opens the same document.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A window that shows its document for this long has recovered.
const RECOVERED_AFTER: Duration = Duration::from_secs(60);

/// Losses in a row after which no other window is opened.
const MAX_LOSSES: u32 = 3;

/// A lost device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Document that was shown.
    pub source: Option<String>,
    /// Reason given by the driver.
    pub reason: String,
}

/// Place where a window leaves the loss that it was closed for.
#[derive(Debug, Clone, Default)]
pub struct Recovery(Arc<Mutex<Option<Loss>>>);

impl Recovery {
    /// Notes a loss.
    pub fn note(&self, loss: Loss) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(loss);
    }

    /// Returns the loss that was noted.
    pub fn take(&self) -> Option<Loss> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Number of losses in a row.
#[derive(Debug, Clone, Copy, Default)]
pub struct Losses(u32);

impl Losses {
    /// Counts the loss of a window that was open for a duration. Returns true if another window may be opened.
    pub fn count(&mut self, open_for: Duration) -> bool {
        self.0 = match open_for >= RECOVERED_AFTER {
            true => 1,
            false => self.0 + 1,
        };
        self.0 < MAX_LOSSES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_losses_end_the_viewer() {
        let mut losses = Losses::default();
        let short = Duration::from_secs(2);
        assert!(losses.count(short));
        assert!(losses.count(short));
        assert!(!losses.count(short));
    }

    #[test]
    fn losses_far_apart_do_not_add_up() {
        let mut losses = Losses::default();
        for _ in 0..10 {
            assert!(losses.count(Duration::from_secs(600)));
        }
    }
}
