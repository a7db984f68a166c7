//! libFuzzer program of [`throng_fuzz::gltf`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| throng_fuzz::gltf(data));
