//! libFuzzer program of [`throng_fuzz::set_file`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| throng_fuzz::set_file(data));
