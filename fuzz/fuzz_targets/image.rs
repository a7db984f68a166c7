//! libFuzzer program of [`throng_fuzz::image`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| throng_fuzz::image(data));
