//! libFuzzer program of [`throng_fuzz::curves`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| throng_fuzz::curves(data));
