//! libFuzzer program of [`throng_fuzz::mesh`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| throng_fuzz::mesh(data));
