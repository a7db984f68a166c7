//! libFuzzer program of [`throng_fuzz::cache`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| throng_fuzz::cache(data));
