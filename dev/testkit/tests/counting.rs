//! Peak memory includes what was freed before the measured function returned.

use throng_testkit::{CountingAllocator, peak_of_process, peak_of_thread};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const MB: usize = 1 << 20;

/// A single test: allocations of a second one would be counted in the process peak.
#[test]
fn peak_counts_freed_allocations_per_thread_and_per_process() {
    let allocate = || vec![1_u8; MB].len();
    let in_other_thread = || std::thread::spawn(allocate).join().unwrap();
    let expected = MB..2 * MB;
    for (length, peak) in [peak_of_thread(allocate), peak_of_process(allocate)] {
        assert_eq!(length, MB);
        assert!(expected.contains(&peak), "{peak} bytes");
    }
    assert!(expected.contains(&peak_of_process(in_other_thread).1));
    assert!(peak_of_thread(in_other_thread).1 < MB);
}
