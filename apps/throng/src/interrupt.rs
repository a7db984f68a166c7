//! Signals that end the command.

/// Exit code of an interrupted command.
#[cfg(unix)]
const INTERRUPTED: i32 = 130;

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
            if signals.forever().next().is_some() {
                throng_format::atomic::clean_up();
                std::process::exit(INTERRUPTED);
            }
        });
    }
}
