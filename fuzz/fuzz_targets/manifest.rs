//! libFuzzer program of [`throng_fuzz::manifest`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| throng_fuzz::manifest(data));
