//! Models: characters as GLB and back.

#![allow(
    unsafe_code,
    reason = "an allocator is an unsafe trait; this one only counts and passes on"
)]

mod counting;
mod everything;
mod extension;
mod files;
mod layout;
mod mutations;
mod round_trip;
mod second_uvs;
mod unreadable;
mod unwritable;
mod validator;
