//! libFuzzer program of [`throng_fuzz::curves`].

#![no_main]

libfuzzer_sys::fuzz_target!(
    init: throng_fuzz::seeds::prepare(),
    |data: &[u8]| throng_fuzz::curves(data)
);
