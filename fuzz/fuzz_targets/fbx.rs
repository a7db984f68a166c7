//! libFuzzer program of [`throng_fuzz::fbx`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| throng_fuzz::fbx(data));
