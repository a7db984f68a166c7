//! Levels of one set, simplified and measured.

use std::collections::HashSet;

use rayon::prelude::*;
use throng_format::{Lod, LodTriangles, TextureSet};
use throng_rig::{Character, Clip};

use super::error::{Motions, PairedLevel, largest_errors};
use super::pairs::{Paired, PosedPoints, Trial, pair};
use super::poses::{KeyPoses, PoseTime, key_times, sample_times};
use super::simplify::{REACHED, Simplifier};
use super::{max_influences, triangle_count};
use crate::Progress;
use crate::accuracy::{Comparison, SourcePlayback};
use crate::sampler::VertexSampler;

/// Rounding of float32 in sampled distances, as a part of the size.
const ROUNDING_OF_SIZE: f64 = 1e-6;
/// Largest error of a level with fewer influences, as a multiple of that with all.
const FEWER_INFLUENCES: f64 = 1.1;

/// Times that a level is simplified again.
const REFINEMENTS: usize = 3;
/// Every such sample is looked at in refinements.
const SAMPLE_STEP: usize = 4;
/// Points whose distance is at least this part of the largest become important.
const FAR: f32 = 0.6;
/// Triangles of a level per point that becomes important in a refinement.
const IMPORTANT_TRIANGLES: usize = 32;

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

/// The source with a number of influences per vertex.
struct Variant {
    /// `None` for all.
    influences: Option<usize>,
    character: Character,
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

    /// Simplifies the meshes to these ratios of triangles. Points that are farthest from a level become important, and the
    /// level is simplified again, a few times.
    pub fn simplify(&self, ratios: &[f64]) -> Vec<LodTriangles> {
        let full = [self.posed(self.source)];
        let (model, poses) = (self.set.model(), &full[0].poses);
        let simplifier = Simplifier::new(self.source, model, &self.sampler, poses);
        let points = self.used_points();
        let samples: Vec<PoseTime> = self.samples.iter().copied().step_by(SAMPLE_STEP).collect();
        let mut important = vec![HashSet::new(); ratios.len()];
        let mut best: Vec<Option<(f64, LodTriangles)>> = vec![None; ratios.len()];
        for _ in 0..=REFINEMENTS {
            let tasks = ratios.par_iter().zip(&important);
            let lods = tasks.map(|(&ratio, important)| simplifier.simplify(ratio, important));
            let lods: Vec<LodTriangles> = lods.collect();
            let surfaces: Vec<Vec<[u32; 3]>> = lods.iter().map(|lod| self.surface(lod)).collect();
            let trials = surfaces.iter().map(|triangles| Trial {
                triangles,
                variant: 0,
            });
            let paired = pair(&points, &trials.collect::<Vec<_>>(), &full, &samples);
            for (level, (lod, paired)) in lods.into_iter().zip(paired).enumerate() {
                let count = surfaces[level].len();
                important[level].extend(farthest(&paired, count / IMPORTANT_TRIANGLES));
                let is_better = best[level].as_ref().is_none_or(|(error, best)| {
                    let most = self.surface(best).len() as f64 * REACHED;
                    paired.sampled_m < *error && count as f64 <= most
                });
                if is_better {
                    best[level] = Some((paired.sampled_m, lod));
                }
            }
        }
        best.into_iter().flatten().map(|(_, lod)| lod).collect()
    }

    fn posed<'c>(&self, character: &'c Character) -> PosedPoints<'c> {
        let sampler = VertexSampler::new(character, self.set.manifest().method);
        PosedPoints {
            poses: KeyPoses::new(&sampler, &self.keys),
            sampler,
        }
    }

    /// Measures levels with the fewest influences of those given that are nearly as good as all.
    pub fn measure(
        &self,
        levels: &[(LodTriangles, Vec<Option<usize>>)],
        progress: &dyn Progress,
    ) -> Vec<MeasuredLevel> {
        let variants = self.variants(levels);
        let (chosen, paired) = self.choose(levels, &variants);
        let errors = self.prove(&variants, &paired, progress);
        let levels = chosen.into_iter().zip(errors);
        levels
            .map(|(variant, error_m)| MeasuredLevel {
                influences: variants[variant].influences,
                error_m,
                size_m: self.size_m,
            })
            .collect()
    }

    /// The source with all influences, and with each smaller number that levels are tried with.
    fn variants(&self, levels: &[(LodTriangles, Vec<Option<usize>>)]) -> Vec<Variant> {
        let mut counts: Vec<Option<usize>> = vec![None];
        counts.extend(levels.iter().flat_map(|(_, tried)| tried));
        // All influences come first.
        counts.sort_unstable();
        counts.dedup();
        let variant = |influences| Variant {
            influences,
            character: self.reduced(influences),
        };
        counts.into_iter().map(variant).collect()
    }

    /// Largest error of each level over all times, in metres.
    fn prove(
        &self,
        variants: &[Variant],
        paired: &[PairedLevel],
        progress: &dyn Progress,
    ) -> Vec<f64> {
        let playbacks: Vec<SourcePlayback<'_>> =
            variants.iter().map(|v| self.playback(v)).collect();
        let clips = self.clips.iter();
        let clips: Vec<&Clip> = clips.map(|&clip| &self.source.clips()[clip]).collect();
        let motions = Motions {
            playbacks: &playbacks,
            clips: &clips,
            size_m: self.size_m,
        };
        largest_errors(&motions, paired, progress)
    }

    fn playback<'v>(&self, variant: &'v Variant) -> SourcePlayback<'v> {
        let method = self.set.manifest().method;
        SourcePlayback::new(&variant.character, self.clips.clone(), method)
    }

    /// Pairs the points of each level with each number of influences, and chooses one.
    fn choose(
        &self,
        levels: &[(LodTriangles, Vec<Option<usize>>)],
        variants: &[Variant],
    ) -> (Vec<usize>, Vec<PairedLevel>) {
        let posed = variants.iter().map(|v| self.posed(&v.character));
        let posed: Vec<PosedPoints<'_>> = posed.collect();
        let surfaces: Vec<Vec<[u32; 3]>> = levels
            .iter()
            .map(|(triangles, _)| self.surface(triangles))
            .collect();
        let variant_of = |count: &Option<usize>| {
            let variant = variants.iter().position(|v| v.influences == *count);
            variant.unwrap_or_default()
        };
        let mut trials = Vec::new();
        for (triangles, (_, tried)) in surfaces.iter().zip(levels) {
            trials.extend(tried.iter().map(|count| Trial {
                triangles,
                variant: variant_of(count),
            }));
        }
        let mut paired = pair(&self.used_points(), &trials, &posed, &self.samples).into_iter();
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

/// Points that are farthest from a level, at most a number of them, but at least one.
fn farthest(paired: &Paired, count: usize) -> Vec<u32> {
    let limit = FAR * paired.sampled_m as f32;
    let pairs = paired.pairs.iter().zip(&paired.distances_m);
    let mut far: Vec<(f32, u32)> = pairs
        .filter(|(_, distance)| **distance >= limit)
        .map(|(pair, distance)| (*distance, pair.point))
        .collect();
    far.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    far.truncate(count.max(1));
    far.into_iter().map(|(_, point)| point).collect()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use throng_format::Source;
    use throng_import::builtin::builtin;
    use throng_rig::Method;

    use super::*;
    use crate::order::drawing_order;
    use crate::{BakeSettings, bake};

    /// Times of the densest sampling per second.
    const DENSE_HZ: f64 = 480.0;

    /// Largest distance of the pairs of a level at many times of all clips, in metres.
    fn densest(meter: &LevelMeter<'_>, variants: &[Variant], level: &PairedLevel) -> f64 {
        let source = meter.source;
        let playbacks = [0, level.variant].map(|variant| meter.playback(&variants[variant]));
        let [mut full, mut coarse] = playbacks.each_ref().map(SourcePlayback::points);
        let parts = source.parts().iter().enumerate();
        let points = parts.flat_map(|(part, p)| {
            let first = source.mesh_of(p).unique().first_of_position();
            first.iter().map(move |&vertex| (part, vertex as usize))
        });
        let points: Vec<(usize, usize)> = points.collect();
        let mut most: f64 = 0.0;
        for (clip, &index) in meter.clips.iter().enumerate() {
            let duration = source.clips()[index].duration_secs();
            let steps = (DENSE_HZ * duration).ceil();
            for step in 0..=steps as u64 {
                let secs = duration * step as f64 / steps.max(1.0);
                full.seek(clip, secs);
                coarse.seek(clip, secs);
                for pair in &level.pairs {
                    let (part, vertex) = points[pair.point as usize];
                    let corners = pair.corners.iter().zip(pair.weights);
                    let on_level: DVec3 = corners
                        .map(|(&corner, weight)| {
                            let (part, vertex) = points[corner as usize];
                            coarse.position(part, vertex) * weight
                        })
                        .sum();
                    most = most.max(full.position(part, vertex).distance(on_level));
                }
            }
        }
        most
    }

    #[test]
    fn proven_error_is_just_above_the_densest_sample() {
        for (name, method, influences) in [
            ("humanoid:500", Method::Lbs, None),
            ("humanoid:500", Method::Lbs, Some(2)),
            ("humanoid:500", Method::Dqs, Some(1)),
            ("bar:100", Method::Lbs, None),
        ] {
            let character = drawing_order(&builtin(name).unwrap());
            let settings = BakeSettings {
                skinning: method.into(),
                ..BakeSettings::default()
            };
            let set = bake(&character, &settings, &Source::in_memory(name), &()).unwrap();
            let set = set.set;
            let comparison = Comparison::new(set.manifest(), set.model(), &character).unwrap();
            let meter = LevelMeter::new(&set, &character, &comparison);
            let levels = meter.simplify(&[0.5, 0.1]).into_iter();
            let levels: Vec<_> = levels.map(|lod| (lod, vec![influences])).collect();
            let variants = meter.variants(&levels);
            let (_, paired) = meter.choose(&levels, &variants);
            let proven = meter.prove(&variants, &paired, &());
            for (level, proven) in paired.iter().zip(proven) {
                let sampled = densest(&meter, &variants, level);
                assert!(sampled <= proven, "{name} {method}: {sampled} > {proven}");
                assert!(
                    proven < 1.03 * sampled,
                    "{name} {method}: {proven} {sampled}"
                );
            }
        }
    }
}
