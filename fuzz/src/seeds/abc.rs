//! Alembic seeds.

use super::Seed;

/// A built-in character has no Alembic file, so these are test files of the importer: moving points with indexed values, and
/// transforms that shear, mirror and do not inherit.
pub(super) fn abc_seeds() -> Vec<Seed> {
    let uniform = include_bytes!("../../../offline/import/tests/uniform.abc");
    let not_inheriting = include_bytes!("../../../offline/import/tests/not_inheriting.abc");
    vec![
        ("uniform".into(), uniform.to_vec()),
        ("not_inheriting".into(), not_inheriting.to_vec()),
    ]
}
