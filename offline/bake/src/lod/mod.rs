//! Levels of detail: fewer triangles on the vertices of the full mesh, with a proven error.
//!
//! [`add_levels`] adds levels to a set. Each is simplified from the full mesh ([meshoptimizer]), and keeps skin weights, seams,
//! morphs and textures, because its vertices are those of the mesh. Coarse levels have fewer influences per vertex, where that
//! raises their error by little.
//!
//! The error of a level is the largest distance between a vertex of the full mesh and its point on the level, both skinned
//! in float64 over all times of all clips. Vertices are paired with points that stay near over the motion: any pairing bounds
//! the distance of the vertex from the level. Points inside triangles of the full mesh are not compared.
//!
//! [meshoptimizer]: https://meshoptimizer.org

mod error;
mod measure;
mod nearest;
mod pairs;
mod poses;
mod ratios;
mod simplify;
mod weld;

use std::fmt;

use thiserror::Error;
use throng_format::{
    Encoding, Layout, Lod, LodTriangles, MAX_LODS, Metadata, SetError, TextureSet,
};
use throng_rig::Character;

use crate::Progress;
use crate::accuracy::{Comparison, VerifyError};
use crate::order::drawing_order;
use crate::text::percent;
use measure::{LevelMeter, MeasuredLevel};
pub use ratios::{auto_ratios, check_ratios};
use simplify::REACHED;

/// Ratio from which on a level keeps all influences.
const FULL_INFLUENCES: f64 = 0.5;
/// Ratio below which one influence is tried.
const ONE_INFLUENCE: f64 = 0.12;

/// A set with levels of detail.
#[derive(Debug, Clone)]
pub struct SetWithLevels {
    /// The set.
    pub set: TextureSet,
    /// Levels that differ from those asked for.
    pub warnings: Vec<LodWarning>,
}

/// Reason why a set cannot have levels of detail.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LodError {
    /// Ratios do not decrease from 1 to 0.
    #[error(
        "level {}: expected a ratio of triangles above 0 % and below {} %, found {} %: list levels from fine to coarse",
        index + 1,
        percent(*finer),
        percent(*ratio)
    )]
    Ratio {
        /// Ratio of the level.
        ratio: f64,
        /// Ratio of the level before.
        finer: f64,
        /// Index of the ratio.
        index: usize,
    },
    /// More levels than a set may have.
    #[error(
        "expected at most {MAX_LODS} levels below the full mesh, found {found}: leave some out"
    )]
    TooMany {
        /// Number of levels below the full mesh.
        found: usize,
    },
    /// The files of a paper's layout have no place for levels.
    #[error(
        "the set has the layout of a paper, which has no levels of detail: bake without a preset"
    )]
    Preset,
    /// The set has no mesh.
    #[error("a motion set has no mesh to simplify: add levels to the sets that use it")]
    NoMesh,
    /// The source is not that of the set.
    #[error(transparent)]
    Source(#[from] VerifyError),
    /// The levels do not fit the set.
    #[error(transparent)]
    Set(#[from] SetError),
}

/// A level that differs from the one asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum LodWarning {
    /// More triangles than asked for.
    Reached {
        /// Ratio asked for.
        ratio: f64,
        /// Triangles of the level.
        triangles: usize,
        /// Triangles of the full mesh.
        of: usize,
    },
    /// Left out: it has no fewer triangles than the level before.
    LeftOut {
        /// Ratio asked for.
        ratio: f64,
        /// Triangles of the level before.
        finer: usize,
    },
}

impl fmt::Display for LodWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reached {
                ratio,
                triangles,
                of,
            } => write!(
                f,
                "level of {} %: {triangles} of {of} triangles are left, since no more can be removed",
                percent(*ratio)
            ),
            Self::LeftOut { ratio, finer } => write!(
                f,
                "level of {} % is left out: it has no fewer triangles than the {finer} of the level before",
                percent(*ratio)
            ),
        }
    }
}

/// Returns a set with levels of these ratios of triangles instead of its own; see [`check_ratios`] and [`auto_ratios`].
///
/// `source` is the character that the set was baked from, with its clips and all of its influences.
pub fn add_levels(
    set: TextureSet,
    source: &Character,
    ratios: &[f64],
    progress: &dyn Progress,
) -> Result<SetWithLevels, LodError> {
    let ratios = check_ratios(ratios)?;
    check_set(&set)?;
    let source = &drawing_order(source);
    let comparison = Comparison::new(set.manifest(), set.model(), source)?;
    let meter = LevelMeter::new(&set, source, &comparison);
    progress.stage("simplifying");
    let simplified = meter.simplify(ratios);
    let of = triangle_count(set.model(), |mesh| {
        set.model().meshes()[mesh].triangles().len()
    });
    let mut warnings = Vec::new();
    let mut finer = of;
    let mut levels = Vec::new();
    for (&ratio, triangles) in ratios.iter().zip(simplified) {
        let count = triangle_count(set.model(), |mesh| triangles.meshes[mesh].len());
        if count >= finer || count == 0 {
            warnings.push(LodWarning::LeftOut { ratio, finer });
            continue;
        }
        if count as f64 > REACHED * ratio * of as f64 + 1.0 {
            let triangles = count;
            warnings.push(LodWarning::Reached {
                ratio,
                triangles,
                of,
            });
        }
        finer = count;
        levels.push((triangles, tried_influences(&set, ratio)));
    }
    progress.stage("measuring levels");
    let measured = meter.measure(&levels, progress);
    let lods = levels.into_iter().zip(measured);
    let lods = lods.map(|((triangles, _), measured)| (measured.lod(&set, &triangles), triangles));
    let lods: Vec<(Lod, LodTriangles)> = lods.collect();
    Ok(SetWithLevels {
        set: set.with_lods(lods)?,
        warnings,
    })
}

/// Measures the levels of a set again. Returns the largest error of each, as a fraction of the size.
pub fn measure_levels(
    set: &TextureSet,
    source: &Character,
    progress: &dyn Progress,
) -> Result<Vec<f64>, LodError> {
    if set.manifest().lods.is_empty() {
        return Ok(Vec::new());
    }
    check_set(set)?;
    let source = &drawing_order(source);
    let comparison = Comparison::new(set.manifest(), set.model(), source)?;
    let meter = LevelMeter::new(set, source, &comparison);
    let all = max_influences(set);
    let levels = set.manifest().lods.iter().zip(&set.mesh().lods);
    let levels = levels.map(|(lod, triangles)| {
        let count = lod.max_influences as usize;
        let count = (count < all && reduces_influences(set)).then_some(count);
        (triangles.clone(), vec![count])
    });
    let measured = meter.measure(&levels.collect::<Vec<_>>(), progress);
    Ok(measured.iter().map(MeasuredLevel::error_of_size).collect())
}

/// Refuses sets whose files have a fixed layout, and those without a mesh.
pub fn check_set(set: &TextureSet) -> Result<(), LodError> {
    let manifest = set.manifest();
    if manifest.is_motion() {
        return Err(LodError::NoMesh);
    }
    let has_rest_row = matches!(&manifest.layout, Layout::Bones(layout) if layout.rest_row);
    match manifest.metadata == Metadata::P0Column || has_rest_row {
        true => Err(LodError::Preset),
        false => Ok(()),
    }
}

/// True where a run time can leave out influences: they are vertex attributes of a bone set.
fn reduces_influences(set: &TextureSet) -> bool {
    let encoding = set.manifest().encoding;
    !encoding.is_vertex() && encoding != Encoding::VirtualBones
}

/// Numbers of influences to try, fewest first; `None` for all.
fn tried_influences(set: &TextureSet, ratio: f64) -> Vec<Option<usize>> {
    let all = max_influences(set);
    let fewest = match ratio {
        _ if !reduces_influences(set) || ratio >= FULL_INFLUENCES => all,
        _ if ratio >= ONE_INFLUENCE => 2,
        _ => 1,
    };
    let fewer = (fewest..all.min(3)).map(Some);
    fewer.chain([None]).collect()
}

/// Most influences of a vertex of the set.
fn max_influences(set: &TextureSet) -> usize {
    let meshes = set.model().meshes().iter();
    let most = meshes.map(|mesh| mesh.influences().max_per_vertex());
    most.max().unwrap_or_default().max(1)
}

/// Number of triangles of all parts.
fn triangle_count(model: &Character, of_mesh: impl Fn(usize) -> usize) -> usize {
    model.parts().iter().map(|part| of_mesh(part.mesh)).sum()
}
