//! libFuzzer program of [`throng_fuzz::obj`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| throng_fuzz::obj(data));
