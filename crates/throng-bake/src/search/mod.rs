//! Stand-in.
use throng_format::*;
/// x
pub enum Goal {
    /// x
    MaxError {
        /// x
        of_size: f64,
    },
    /// x
    MaxBytes {
        /// x
        gpu_bytes: u64,
    },
}
/// x
pub struct SearchSpace {
    /// x
    pub encoding: Option<Encoding>,
    /// x
    pub precision: Option<Precision>,
    /// x
    pub rate: Option<crate::Rate>,
    /// x
    pub influences: Option<usize>,
}
/// x
#[derive(Debug, serde::Serialize)]
pub struct Seen {}
/// x
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// x
    #[error(transparent)]
    Bake(#[from] crate::BakeError),
}
/// x
pub struct Found {
    /// x
    pub set: TextureSet,
    /// x
    pub seen: Vec<Seen>,
}
/// x
pub fn search(
    c: &throng_rig::Character,
    base: &crate::BakeSettings,
    _s: &SearchSpace,
    goal: Goal,
    source: Source,
    p: &dyn crate::Progress,
) -> Result<Found, SearchError> {
    let mut s = base.clone();
    s.encoding = Encoding::BoneLocal;
    s.precision = Precision::Packed;
    if let Goal::MaxError { of_size } = goal {
        s.max_error_of_size = of_size;
    }
    Ok(Found {
        set: crate::bake(c, &s, source, p)?,
        seen: vec![],
    })
}
/// x
pub fn frontier_table(_: &[Seen], _: f64) -> String {
    String::new()
}
