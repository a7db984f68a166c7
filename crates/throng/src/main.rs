//! The command `throng`: crowds of skinned characters on the command line.

// Until the command `pose` uses it.
#[allow(dead_code, unused_imports)]
mod export;

fn main() {}
