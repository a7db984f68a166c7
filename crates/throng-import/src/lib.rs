//! glTF files and built-in characters, checked and repaired.

pub mod builtin;
