//! Division of the CPU's work among cores. Browsers have one.

use rayon::prelude::*;

/// Maximum number of tasks per thread: few enough to be handed out quickly, many enough to balance the load.
const TASKS_PER_THREAD: usize = 4;

/// A number of records, divided into tasks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tasks {
    /// Records per task; the last may have fewer.
    pub records: usize,
    count: usize,
}

impl Tasks {
    /// Divides records into tasks.
    pub fn of(records: usize) -> Self {
        let most = TASKS_PER_THREAD * rayon::current_num_threads();
        let per_task = records.div_ceil(most).max(1);
        Self {
            records: per_task,
            count: records.div_ceil(per_task),
        }
    }

    /// Runs a task per chunk, with memory of its own. `work` gets the index of the first record.
    pub fn run<C: Send, S: Send + Default>(
        self,
        chunks: impl IndexedParallelIterator<Item = C>,
        scratch: &mut Vec<S>,
        work: impl Fn(usize, C, &mut S) + Sync,
    ) {
        if scratch.len() < self.count {
            scratch.resize_with(self.count, S::default);
        }
        let tasks = chunks.zip(scratch.par_iter_mut()).enumerate();
        tasks.for_each(|(task, (chunk, scratch))| work(task * self.records, chunk, scratch));
    }
}
