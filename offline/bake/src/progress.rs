//! Progress of a bake.

/// Receives the progress of a bake, from any thread and in any order.
pub trait Progress: Sync {
    /// Reports that `done` of `total` steps are done.
    fn step(&self, done: usize, total: usize) {
        let _ = (done, total);
    }

    /// Reports that a stage has begun: a few words such as `measuring the error`.
    fn stage(&self, name: &str) {
        let _ = name;
    }
}

/// Ignores progress.
impl Progress for () {}
