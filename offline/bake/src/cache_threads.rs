//! Threads for work on vertex caches, so that memory does not grow with the cores of the machine.

use throng_rig::Character;

/// Memory of a thread per vertex, in bytes: two frames, sums of normals, and the vertices of a pose in float64, of the source
/// and of the set. As measured on a mesh of 50 000 vertices.
const THREAD_BYTES: usize = 220;

/// Memory of all threads together, in bytes; one thread always runs.
const ALL_BYTES: usize = 24 << 20;

/// Runs work on a character: one with vertex caches on as many threads as their buffers leave memory for, any other on all.
pub(crate) fn on_cache_threads<T: Send>(
    character: &Character,
    work: impl FnOnce() -> T + Send,
) -> T {
    let all = rayon::current_num_threads();
    let count = thread_count(character, all);
    if count == all {
        return work();
    }
    match rayon::ThreadPoolBuilder::new().num_threads(count).build() {
        Ok(pool) => pool.install(work),
        // Without threads of its own, the work runs on those that are there.
        Err(_) => work(),
    }
}

/// Number of threads that work on a character, of `all` that there are.
pub(crate) fn thread_count(character: &Character, all: usize) -> usize {
    if !character.has_vertex_caches() {
        return all;
    }
    let vertices = character.parts().iter();
    let vertices = vertices.map(|part| character.mesh_of(part).vertex_count());
    let bytes = THREAD_BYTES.saturating_mul(vertices.sum());
    (ALL_BYTES / bytes.max(1)).clamp(1, all)
}
