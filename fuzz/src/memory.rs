//! Limit on the memory of one input.

use throng_testkit::{CountingAllocator, peak_of_process};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Largest number of bytes that Rust code may allocate for one input: 200 MB and 10 times the decoded size, of which a
/// fuzzer's small inputs seldom have 64 MiB.
pub const MAX_PEAK_BYTES: usize = 200_000_000 + 10 * (64 << 20);

/// Runs code under test.
///
/// # Panics
/// Panics where it allocates more than [`MAX_PEAK_BYTES`].
pub fn within_memory<T>(run: impl FnOnce() -> T) -> T {
    let (result, peak) = peak_of_process(run);
    assert!(
        peak <= MAX_PEAK_BYTES,
        "allocated {peak} bytes, expected at most {MAX_PEAK_BYTES}"
    );
    result
}
