//! Benchmarks of Throng. See `benches/`.
