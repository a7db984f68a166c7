//! Signals that end the command.

use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of an interrupted command.
pub const INTERRUPTED: u8 = 130;

/// True if the first signal is only noted.
static IS_DEFERRED: AtomicBool = AtomicBool::new(false);

/// True after a signal that was noted.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Ends the process on SIGINT and SIGTERM, without files that are not complete.
///
/// Other systems end the process at once; the next run removes what it left.
pub fn handle_signals() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM};
        // Without a handler, the system ends the process, and the next run removes what it left.
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else {
            return;
        };
        std::thread::spawn(move || {
            for _ in signals.forever() {
                if IS_DEFERRED.load(Ordering::Relaxed)
                    && !IS_INTERRUPTED.swap(true, Ordering::Relaxed)
                {
                    continue;
                }
                throng_format::atomic::clean_up();
                std::process::exit(INTERRUPTED.into());
            }
        });
    }
}

/// From now on the first signal is noted, for a command that ends by itself; the second ends the process.
pub fn defer() {
    IS_DEFERRED.store(true, Ordering::Relaxed);
}

/// Returns true after a signal that was noted.
pub fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}
