//! Levels of one set, simplified and measured.

use rayon::prelude::*;
use throng_format::{Lod, LodTriangles, TextureSet};
use throng_rig::{Character, Clip};

use super::error::{Motions, PairedLevel, largest_errors};
use super::pairs::{Paired, PosedPoints, Trial, pair};
use super::poses::{KeyPoses, PoseTime, key_times, sample_times};
use super::simplify::Simplifier;
use super::{max_influences, triangle_count};
use crate::Progress;
use crate::accuracy::{Comparison, SourcePlayback};
use crate::sampler::VertexSampler;

/// Rounding of float32 in sampled distances, as a part of the size.
const ROUNDING_OF_SIZE: f64 = 1e-6;
/// Largest error of a level with fewer influences, as a multiple of that with all.
const FEWER_INFLUENCES: f64 = 1.1;

/// A set and its source, in drawing order.
pub(super) struct LevelMeter<'a> {
    set: &'a TextureSet,
    source: &'a Character,
    /// Indices of the source's clips.
    clips: Vec<usize>,
    size_m: f64,
    sampler: VertexSampler<'a>,
    samples: Vec<PoseTime>,
    keys: Vec<PoseTime>,
}

/// A level whose error is proven.
pub(super) struct MeasuredLevel {
    /// `None` for all.
    influences: Option<usize>,
    error_m: f64,
    size_m: f64,
}

impl MeasuredLevel {
    pub fn error_of_size(&self) -> f64 {
        match self.size_m > 0.0 {
            true => self.error_m / self.size_m,
            false => self.error_m,
        }
    }

    pub fn lod(&self, set: &TextureSet, triangles: &LodTriangles) -> Lod {
        let count = triangle_count(set.model(), |mesh| triangles.meshes[mesh].len());
        Lod {
            triangles: count as u32,
            max_influences: self.influences.unwrap_or_else(|| max_influences(set)) as u32,
            max_error_of_size: self.error_of_size(),
        }
    }
}

impl<'a> LevelMeter<'a> {
    pub fn new(set: &'a TextureSet, source: &'a Character, comparison: &Comparison<'_>) -> Self {
        let clips: Vec<usize> = comparison
            .clips
            .iter()
            .map(|clip| clip.source_clip)
            .collect();
        let sampler = VertexSampler::new(source, set.manifest().method);
        let named: Vec<(usize, &Clip)> = clips.iter().map(|&c| (c, &source.clips()[c])).collect();
        let samples = sample_times(&named);
        Self {
            set,
            source,
            size_m: sampler.size(),
            keys: key_times(&sampler, &samples),
            clips,
            sampler,
            samples,
        }
    }

    /// Simplifies the meshes to these ratios of triangles.
    pub fn simplify(&self, ratios: &[f64]) -> Vec<LodTriangles> {
        let poses = KeyPoses::new(&self.sampler, &self.keys);
        let simplifier = Simplifier::new(self.source, self.set.model(), &self.sampler, &poses);
        let ratios = ratios.par_iter();
        ratios.map(|&ratio| simplifier.simplify(ratio)).collect()
    }

    /// Measures levels with the fewest influences of those given that are nearly as good as all.
    pub fn measure(
        &self,
        levels: &[(LodTriangles, Vec<Option<usize>>)],
        progress: &dyn Progress,
    ) -> Vec<MeasuredLevel> {
        let mut counts: Vec<Option<usize>> = vec![None];
        counts.extend(levels.iter().flat_map(|(_, tried)| tried));
        counts.sort_unstable();
        counts.dedup();
        let characters: Vec<Character> = counts.iter().map(|&count| self.reduced(count)).collect();
        let (chosen, paired) = self.choose(levels, &counts, &characters);
        let clips = &self.clips;
        let method = self.set.manifest().method;
        let playback = |character| SourcePlayback::new(character, clips.clone(), method);
        let playbacks: Vec<SourcePlayback<'_>> = characters.iter().map(playback).collect();
        let clips: Vec<&Clip> = clips
            .iter()
            .map(|&clip| &self.source.clips()[clip])
            .collect();
        let motions = Motions {
            playbacks: &playbacks,
            clips: &clips,
            size_m: self.size_m,
        };
        let errors = largest_errors(&motions, &paired, progress);
        let levels = chosen.into_iter().zip(errors);
        levels
            .map(|(variant, error_m)| MeasuredLevel {
                influences: counts[variant],
                error_m,
                size_m: self.size_m,
            })
            .collect()
    }

    /// Pairs the points of each level with each number of influences, and chooses one.
    fn choose(
        &self,
        levels: &[(LodTriangles, Vec<Option<usize>>)],
        counts: &[Option<usize>],
        characters: &[Character],
    ) -> (Vec<usize>, Vec<PairedLevel>) {
        let variants: Vec<PosedPoints<'_>> = characters
            .iter()
            .map(|character| {
                let sampler = VertexSampler::new(character, self.set.manifest().method);
                PosedPoints {
                    poses: KeyPoses::new(&sampler, &self.keys),
                    sampler,
                }
            })
            .collect();
        let surfaces: Vec<Vec<[u32; 3]>> = levels
            .iter()
            .map(|(triangles, _)| self.surface(triangles))
            .collect();
        let variant_of = |count: &Option<usize>| {
            let variant = counts.iter().position(|known| known == count);
            variant.unwrap_or_default()
        };
        let mut trials = Vec::new();
        for (triangles, (_, tried)) in surfaces.iter().zip(levels) {
            trials.extend(tried.iter().map(|count| Trial {
                triangles,
                variant: variant_of(count),
            }));
        }
        let mut paired = pair(&self.used_points(), &trials, &variants, &self.samples).into_iter();
        let mut chosen = Vec::new();
        let mut out = Vec::new();
        for (_, tried) in levels {
            let tried: Vec<(usize, Paired)> =
                tried.iter().map(variant_of).zip(paired.by_ref()).collect();
            let all_m = tried.last().map_or(0.0, |(_, all)| all.sampled_m);
            let mut fewest = tried.into_iter();
            let best = fewest.find(|(_, paired)| paired.sampled_m <= FEWER_INFLUENCES * all_m);
            let (variant, paired) =
                best.expect("the last of the levels tried is as good as itself");
            chosen.push(variant);
            out.push(PairedLevel {
                variant,
                pairs: paired.pairs,
                known_m: (paired.sampled_m - ROUNDING_OF_SIZE * self.size_m).max(0.0),
            });
        }
        (chosen, out)
    }

    /// Points of the full mesh that are corners of triangles.
    fn used_points(&self) -> Vec<u32> {
        let meshes = self.set.model().meshes().iter();
        let full = LodTriangles {
            meshes: meshes.map(|mesh| mesh.triangles().to_vec()).collect(),
        };
        let mut points = self.surface(&full).into_flattened();
        points.sort_unstable();
        points.dedup();
        points
    }

    /// The source with the heaviest influences of each vertex.
    fn reduced(&self, count: Option<usize>) -> Character {
        let mut parts = self.source.clone().into_parts();
        if let Some(count) = count {
            for mesh in &mut parts.meshes {
                let heaviest = mesh.influences().heaviest(count);
                mesh.set_influences(heaviest)
                    .expect("as many influences as vertices");
            }
        }
        Character::new(parts).expect("a checked character stays valid with fewer influences")
    }

    /// Triangles of all parts, as points.
    fn surface(&self, triangles: &LodTriangles) -> Vec<[u32; 3]> {
        let mut first = 0;
        let mut out = Vec::new();
        let parts = self.source.parts().iter().zip(self.set.model().parts());
        for (part, in_set) in parts {
            let unique = self.source.mesh_of(part).unique();
            let of_part = triangles.meshes[in_set.mesh].iter();
            out.extend(of_part.map(|t| t.map(|v| first + unique.position_of()[v as usize])));
            first += unique.position_count() as u32;
        }
        out
    }
}
