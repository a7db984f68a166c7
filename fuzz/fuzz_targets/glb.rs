//! libFuzzer program of [`throng_fuzz::glb`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| throng_fuzz::glb(data));
