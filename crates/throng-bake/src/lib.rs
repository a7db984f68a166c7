//! Bakes clips into texture sets.
