//! How far a bake is.

/// Told how far a bake is, from any thread and in any order.
pub trait Progress: Sync {
    /// So many of all steps are done.
    fn step(&self, done: usize, total: usize) {
        let _ = (done, total);
    }
}

/// Not interested.
impl Progress for () {}
