//! Targets run on their seeds and on any other bytes.

use throng_fuzz::{TARGETS, seeds::seeds};

/// One test, because targets measure the memory of the process.
#[test]
fn targets_accept_seeds_and_foreign_inputs() {
    let mut foreign = vec![Vec::new(), vec![0; 100]];
    for (name, target) in TARGETS {
        let seeds = seeds(name);
        assert!(!seeds.is_empty(), "{name}");
        seeds.iter().for_each(|(_, bytes)| target(bytes));
        foreign.extend(seeds.into_iter().next().map(|(_, bytes)| bytes));
    }
    for (_, target) in TARGETS {
        foreign.iter().for_each(|input| target(input));
    }
}
