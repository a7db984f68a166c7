//! Writing and reading models.

mod bone_colors;
mod compact;
mod everything;
mod extension;
mod files;
mod layout;
mod lods;
mod mutations;
mod round_trip;
mod second_uvs;
mod unreadable;
mod unwritable;
mod validator;

use throng_testkit::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
