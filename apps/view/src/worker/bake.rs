//! Bakes and searches.

use std::sync::Arc;

use throng_bake::accuracy::{BakeReport, verify};
use throng_bake::search::{Coverage, Goal, SearchError, SearchSpace, keep_influences, search};
use throng_bake::{
    BakeError, BakeSettings, DEFAULT_ERROR_OF_SIZE, Effort, Progress, Rate, bake as bake_set,
};
use throng_format::{Source, Storage};
use throng_skin::rest_size;
use throng_wgpu::Technique;

use super::BakeRequest;
use crate::choice::{Budget, EffortChoice, RateChoice};
use crate::document::{BakedSet, ClipSummary, ErrorSummary, WorstMoment};

/// Bakes a character, or searches for the best set.
pub fn bake(request: &BakeRequest, progress: &dyn Progress) -> Result<Arc<BakedSet>, String> {
    let BakeRequest {
        source,
        character,
        choice,
        skinning,
    } = request;
    let size_m = rest_size(character);
    let settings = BakeSettings {
        rate: match choice.rate {
            RateChoice::Native => Rate::Native,
            RateChoice::Auto => Rate::Auto,
            RateChoice::Hz(hz) => Rate::Hz(hz),
        },
        effort: match choice.effort {
            EffortChoice::Fast => Effort::Fast,
            EffortChoice::Normal => Effort::Normal,
            EffortChoice::Best => Effort::Best,
        },
        max_error_of_size: match choice.budget {
            Budget::ErrorMm(mm) => 1e-3 * mm / size_m.max(f64::MIN_POSITIVE),
            Budget::Default | Budget::KiB(_) => DEFAULT_ERROR_OF_SIZE,
        },
        ..BakeSettings::default()
    };
    let kept = match choice.influences {
        Some(count) => Arc::new(keep_influences(character, count)),
        None => character.clone(),
    };
    let mut manifest_source = Source::in_memory(source.clone());
    manifest_source.max_influences = choice.influences;
    let (set, report, note) = match choice.encoding {
        Some(encoding) if choice.budget == Budget::Default => {
            let settings = BakeSettings {
                encoding,
                storage: choice.storage.unwrap_or(encoding.default_storage()),
                skinning: skinning.unwrap_or(Technique::Texture(encoding).default_skinning()),
                ..settings
            };
            let baked = bake_set(&kept, &settings, &manifest_source, progress);
            let baked = baked.map_err(|error: BakeError| format!("{source}: {error}"))?;
            let note = baked.warnings.iter().map(ToString::to_string).next();
            (baked.set, baked.report, note)
        }
        encoding => {
            let space = SearchSpace {
                encodings: encoding.map(|encoding| vec![encoding]),
                layout: choice.storage.map(Storage::layout),
                precision: choice.storage.and_then(Storage::precision),
                rate: match choice.rate {
                    RateChoice::Native => None,
                    _ => Some(settings.rate),
                },
                coverage: Coverage::BestOnly,
                ..SearchSpace::default()
            };
            let goal = match choice.budget {
                Budget::KiB(kib) => Goal::MaxBytes {
                    gpu_bytes: (kib * 1024.0) as u64,
                },
                _ => Goal::MaxError {
                    of_size: settings.max_error_of_size,
                },
            };
            let base = BakeSettings {
                skinning: skinning.unwrap_or_default(),
                ..settings
            };
            let found = search(&kept, &base, &space, goal, manifest_source, progress);
            let found = found.map_err(|error: SearchError| format!("{source}: {error}"))?;
            let count = found.candidates.len();
            let note = (count > 1).then(|| format!("chosen among {count} candidates"));
            (found.set, Some(found.report), note)
        }
    };
    // Errors are those against all influences of the source.
    let report = match report.filter(|_| choice.influences.is_none()) {
        Some(report) => report,
        None => {
            progress.stage("measuring the error");
            verify(&set, character, progress).map_err(|error| format!("{source}: {error}"))?
        }
    };
    Ok(Arc::new(BakedSet {
        summary: Some(summary(&report)),
        set,
        note,
    }))
}

/// Summarises a report.
pub fn summary(report: &BakeReport) -> ErrorSummary {
    let errors = &report.error.errors;
    ErrorSummary {
        max_error_mm: errors.overall.max_error_mm,
        p99_error_mm: errors.overall.p99_error_mm,
        rms_error_mm: errors.overall.rms_error_mm,
        max_error_of_size: errors.overall.max_error_of_size,
        max_normal_error_deg: errors.max_normal_error_deg,
        bytes_per_joint_frame: report.bytes_per_joint_frame,
        influences: [report.influences, report.source_influences],
        worst: errors.worst.as_ref().map(|worst| WorstMoment {
            error_mm: worst.error_mm,
            clip: worst.clip_name.clone(),
            time_secs: worst.time_secs,
            vertex: [worst.part, worst.vertex],
            joint: worst.joint,
        }),
        clips: report
            .error
            .clips
            .iter()
            .map(|clip| ClipSummary {
                name: clip.name.clone(),
                max_error_mm: clip.errors.overall.max_error_mm,
                worst_secs: clip.errors.worst.as_ref().map(|worst| worst.time_secs),
            })
            .collect(),
    }
}
