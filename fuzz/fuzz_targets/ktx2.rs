//! libFuzzer program of [`throng_fuzz::ktx2`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| throng_fuzz::ktx2(data));
