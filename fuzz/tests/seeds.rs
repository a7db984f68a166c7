//! Seeds are valid, and every target accepts them.

use throng_fuzz::{TARGETS, seeds::seeds};

#[test]
fn targets_accept_their_seeds() {
    for (name, target) in TARGETS {
        let seeds = seeds(name);
        assert!(!seeds.is_empty(), "{name}");
        for (_, bytes) in seeds {
            target(&bytes);
        }
    }
}

#[test]
fn targets_accept_empty_and_foreign_inputs() {
    let inputs: Vec<Vec<u8>> = TARGETS
        .iter()
        .filter_map(|(name, _)| seeds(name).pop())
        .map(|(_, bytes)| bytes)
        .chain([Vec::new(), vec![0; 100]])
        .collect();
    for (_, target) in TARGETS {
        inputs.iter().for_each(|input| target(input));
    }
}
