//! Vertex encodings: `vertex` and `vertex-ray`.

mod rows;
mod texels;

use glam::DVec3;
use rayon::prelude::*;
use throng_format::{
    Encoding, Metadata, NormalCode, Precision, Range, TexelFormat, VertexLayout, column, p0,
};
use throng_rig::{Bounds, Character};

use crate::atlas::{Atlas, Contents};
use crate::bones::format_of;
use crate::measured::Measured;
use crate::p0_pages::ItemPage;
use crate::plan::{BakePlan, FrameTime};
use crate::range::RangeBuilder;
use crate::sampler::{Counter, Scratch, VertexBatch, VertexSampler, vector};
use crate::{BakeError, BakeSettings, Preset};
use rows::write_rows;
use texels::{OffsetCode, VertexCode};

/// Textures of a vertex set.
pub(crate) struct BakedVertices {
    pub layout: VertexLayout,
    pub atlases: Vec<Atlas>,
    /// One per frame.
    pub measured: Vec<Measured>,
    /// Length of a unit of the texels.
    pub metres_per_unit: f64,
}

/// Number of times that every frame is skinned: ranges must be known before values are quantised.
pub(crate) fn passes(settings: &BakeSettings) -> usize {
    if is_ranged(settings) { 2 } else { 1 }
}

/// Encodes every frame.
pub(crate) fn bake_vertices(
    sampler: &VertexSampler<'_>,
    settings: &BakeSettings,
    plan: &BakePlan,
    done: &Counter<'_>,
) -> Result<BakedVertices, BakeError> {
    let frames = plan.frame_times();
    let mut metres_per_unit = 1.0;
    let mut range = if !is_ranged(settings) {
        None
    } else if settings.encoding == Encoding::VertexRay {
        Some(ellipsoid(sampler, &frames, done))
    } else {
        Some(offset_box(&sampler.measure(&frames, done)))
    };
    if settings.preset == Some(Preset::P0Vertex8)
        && let Some(range) = &mut range
    {
        (metres_per_unit, *range) = p0_box(range)?;
    }
    let is_preset = settings.preset.is_some();
    let counts = [sampler.rest().positions.len(), sampler.rest().normals.len()];
    let (normal_code, [positions, normals]) = contents(settings, plan, range.as_ref(), counts);
    let pages = part_pages(sampler.character());
    let make = |contents| match settings.preset {
        Some(preset) => Atlas::columns(contents, &pages, plan, settings, preset),
        None => Atlas::rows(contents, plan, settings),
    };
    let mut positions = make(positions)?;
    let mut normals = make(normals)?;
    normals.grid.texture = 1;

    let measured = if is_preset {
        let boxed = range.clone().unwrap_or_default();
        write_columns(
            sampler,
            &frames,
            &boxed,
            metres_per_unit,
            [&mut positions, &mut normals],
            done,
        )
    } else {
        let precision = settings.precision();
        let code = VertexCode {
            offsets: OffsetCode::new(settings.encoding, precision, range.as_ref()),
            normals: normal_code,
            precision,
        };
        let atlases = [&mut positions, &mut normals];
        write_rows(sampler, &frames, &code, atlases, done)
    };
    if settings.precision() == Precision::F16 && range.is_none() {
        check_halves(&measured)?;
    }
    Ok(BakedVertices {
        layout: VertexLayout {
            positions: positions.grid.clone(),
            normals: normals.grid.clone(),
            range,
            normal_code,
        },
        atlases: vec![positions, normals],
        measured,
        metres_per_unit,
    })
}

/// One page per part: its unique positions, which are also its unique normals in P0's layout.
fn part_pages(character: &Character) -> Vec<ItemPage> {
    let mut first = 0;
    let parts = character.parts().iter();
    parts
        .map(|part| {
            let count = character.mesh_of(part).unique().position_count() as u32;
            let page = ItemPage {
                first,
                count,
                description: format!(
                    "mesh '{}' has {count} unique positions, which are rows of one texture",
                    part.node_name
                ),
            };
            first += count;
            page
        })
        .collect()
}

/// Returns the contents of the textures for numbers of unique positions and unique normals.
fn contents(
    settings: &BakeSettings,
    plan: &BakePlan,
    range: Option<&Range>,
    [positions, normals]: [usize; 2],
) -> (NormalCode, [Contents; 2]) {
    let is_preset = settings.preset.is_some();
    let (normal_code, normal_format) = match settings.precision() {
        _ if is_preset => (NormalCode::Xyz, TexelFormat::Rgb8Unorm),
        Precision::Unorm8 => (NormalCode::Xyz, TexelFormat::Rgba8Unorm),
        Precision::Unorm16 | Precision::F16 => (NormalCode::Octahedral, TexelFormat::Rg16Unorm),
        Precision::F32 => (NormalCode::Xyz, TexelFormat::Rgba32Float),
    };
    let format = match is_preset {
        true => TexelFormat::Rgb8Unorm,
        false => format_of(settings.precision()),
    };
    let positions = Contents {
        name: "positions",
        format,
        items: positions as u32,
        metadata_rows: match settings.metadata {
            Metadata::Manifest => 0,
            Metadata::Column => column::value_count(plan.clips.len(), range.into_iter()),
            Metadata::P0Column => p0::metadata_rows(p0::BoxCode::Parts, 1, format.channels()),
        },
    };
    let normals = Contents {
        name: "normals",
        format: normal_format,
        items: normals as u32,
        metadata_rows: 0,
    };
    (normal_code, [positions, normals])
}

/// Returns the GPU bytes of a set that stores frames, for numbers of unique positions and unique normals, without
/// skinning.
pub(crate) fn gpu_bytes(
    settings: &BakeSettings,
    plan: &BakePlan,
    counts: [usize; 2],
) -> Result<u64, BakeError> {
    // The bytes do not depend on the values of the range.
    let range = is_ranged(settings).then(|| RangeBuilder::new(3).build());
    let (_, atlases) = contents(settings, plan, range.as_ref(), counts);
    let mut bytes = range.map_or(0, |range| 8 * range.center.len() as u64);
    for contents in atlases {
        bytes += Atlas::rows_gpu_bytes(contents, plan, settings)?;
    }
    Ok(bytes)
}

/// True where texels are quantised to a range, which depends on all vertices.
pub(crate) fn is_ranged(settings: &BakeSettings) -> bool {
    settings.encoding == Encoding::VertexRay
        || matches!(settings.precision(), Precision::Unorm8 | Precision::Unorm16)
}

/// Writes frames in columns, by P0's formulas.
fn write_columns(
    sampler: &VertexSampler<'_>,
    frames: &[FrameTime],
    range: &Range,
    metres_per_unit: f64,
    [positions, normals]: [&mut Atlas; 2],
    done: &Counter<'_>,
) -> Vec<Measured> {
    let mut scratch = sampler.scratch();
    let mut write = |index: u32, batch: &VertexBatch<'_>| {
        for (lane, &item) in batch.position_items.iter().enumerate() {
            let offset = vector(batch.positions, lane) - vector(batch.rest, lane);
            let offset = offset.as_dvec3() / metres_per_unit;
            let unit = [0, 1, 2].map(|axis| match range.half_extent[axis] {
                0.0 => 0.0,
                half => (offset[axis] - range.center[axis]) / half,
            });
            positions.put(index, item, &unit);
        }
        for (lane, &item) in batch.normal_items.iter().enumerate() {
            let normal = vector(batch.normals, lane).as_dvec3();
            normals.put(index, item, &normal.to_array());
        }
    };
    let one = |(index, frame): (usize, &FrameTime)| {
        let mut measured = Measured::EMPTY;
        sampler.sample_pieces(frame.clip, frame.time_secs, &mut scratch, |piece| {
            measured.add_piece(piece);
            for batch in 0..piece.len() {
                write(index as u32, &piece.batch(batch));
            }
        });
        done.step();
        measured
    };
    frames.iter().enumerate().map(one).collect()
}

/// Returns the range of all offsets.
fn offset_box(measured: &[Measured]) -> Range {
    let mut builder = RangeBuilder::new(3);
    for frame in measured {
        let Bounds { min, max } = frame.offsets();
        builder.add(&min.to_array());
        builder.add(&max.to_array());
    }
    builder.build()
}

/// Returns the smallest ellipsoid around the origin that contains all offsets and has the proportions of their bounding
/// box.
fn ellipsoid(sampler: &VertexSampler<'_>, frames: &[FrameTime], done: &Counter<'_>) -> Range {
    let boxes: Vec<Measured> = sampler.measure(frames, done);
    let mut reach = DVec3::ZERO;
    for frame in &boxes {
        let Bounds { min, max } = frame.offsets();
        reach = reach.max(min.abs()).max(max.abs());
    }
    // An axis without motion can have any radius.
    let reach = reach.map(|r| if r > 0.0 { r } else { 1.0 });
    let inverse = reach.recip().as_vec3();
    let one = |scratch: &mut Scratch, frame: &FrameTime| {
        let mut longest = 0.0f32;
        sampler.sample(frame.clip, frame.time_secs, scratch, |batch| {
            for lane in 0..batch.position_items.len() {
                let offset = vector(batch.positions, lane) - vector(batch.rest, lane);
                longest = longest.max((offset * inverse).length_squared());
            }
        });
        done.step();
        longest
    };
    let longest: Vec<f32> = frames
        .par_iter()
        .map_init(|| sampler.scratch(), one)
        .collect();
    let longest = longest.into_iter().fold(0.0f32, f32::max);
    // A little larger, so that rounding does not produce a length above one.
    let factor = f64::from(longest.sqrt()).max(1e-6) * (1.0 + 1e-6);
    let radii = (reach * factor).to_array();
    Range {
        center: vec![0.0; 3],
        half_extent: radii.map(|r| f64::from(r as f32)).to_vec(),
    }
}

/// Returns the unit of length in which P0's bytes hold a range in metres, and the range in that unit as they hold it.
fn p0_box(range: &Range) -> Result<(f64, Range), BakeError> {
    let code = p0::BoxCode::Parts;
    let unit = p0::metres_per_unit(code, std::slice::from_ref(range));
    let stored =
        unit.and_then(|unit| Some((unit, p0::stored_box(code, &range.scaled(1.0 / unit))?)));
    stored.ok_or_else(|| {
        let numbers = range.center.iter().chain(&range.half_extent);
        BakeError::PresetBox {
            preset: Preset::P0Vertex8.name(),
            what: "the range of offsets".into(),
            value: numbers.fold(0.0, |a: f64, x| a.max(x.abs())),
        }
    })
}

fn check_halves(measured: &[Measured]) -> Result<(), BakeError> {
    let farthest = measured.iter().map(|frame| {
        let Bounds { min, max } = frame.offsets();
        min.abs().max(max.abs()).max_element()
    });
    let value = farthest.fold(0.0, f64::max);
    if value < half::f16::MAX.to_f64() {
        return Ok(());
    }
    Err(BakeError::PastHalf {
        what: "offset",
        value,
    })
}
