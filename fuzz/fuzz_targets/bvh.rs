//! libFuzzer program of [`throng_fuzz::bvh`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| throng_fuzz::bvh(data));
