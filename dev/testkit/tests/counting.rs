//! What is gone again was there at the peak.

use throng_testkit::{Counting, peak_of_process, peak_of_thread};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MB: usize = 1 << 20;

/// One test: others would count in.
#[test]
fn what_is_gone_again_was_there_at_the_peak() {
    let allocate = || vec![1_u8; MB].len();
    let elsewhere = || std::thread::spawn(allocate).join().unwrap();
    let own = MB..2 * MB;
    for (length, peak) in [peak_of_thread(allocate), peak_of_process(allocate)] {
        assert_eq!(length, MB);
        assert!(own.contains(&peak), "{peak}");
    }
    assert!(own.contains(&peak_of_process(elsewhere).1));
    assert!(peak_of_thread(elsewhere).1 < MB);
}
