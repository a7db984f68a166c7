//! GPU bytes of each encoding at the default error.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use throng_bake::accuracy::{BakeReport, verify};
use throng_bake::search::{Coverage, Found, Goal, SearchError, SearchSpace, search};
use throng_bake::{BakeSettings, DEFAULT_ERROR_OF_SIZE, Preset, bake};
use throng_format::Encoding;

use crate::characters::{self, Subject};
use crate::{source, table};

/// Encodings that are searched separately, in the order of the table.
pub const ENCODINGS: [Encoding; 6] = [
    Encoding::BoneLocal,
    Encoding::BoneQt,
    Encoding::BoneDq,
    Encoding::BoneMatrix,
    Encoding::VirtualBones,
    Encoding::Vertex,
];

/// Presets of the papers in the table.
pub const PRESETS: [Preset; 3] = [Preset::P0Dq8, Preset::P0Matrix8, Preset::P3VirtualBones];

/// Largest vertex set that is baked, in bytes.
const MAX_VERTEX_BYTES: f64 = 200e6;
/// Approximate bytes per vertex per frame: an offset of four halves and a normal of two.
const VERTEX_BYTES: f64 = 12.0;
/// Sample rate of most files.
const VERTEX_RATE_HZ: f64 = 30.0;
/// Bytes per joint per frame of three-vat's rig layout: two texels of four floats.
const THREE_VAT_BYTES: u64 = 32;

/// Bytes that an encoding needs.
pub enum Need {
    /// GPU bytes of the smallest set within the error.
    Bytes(Box<BakeReport>),
    /// No candidate is within the error.
    Cannot,
    /// The encoding does not support the character.
    Refused,
    /// The set would be too large to try.
    NotTried,
}

/// Sizes of one character.
pub struct Sizes {
    pub name: String,
    pub joints: usize,
    pub secs: f64,
    /// One per encoding of [`ENCODINGS`].
    pub needs: Vec<Need>,
    /// Report of `auto`, as measured by `verify`, if it is within the error.
    pub auto: Option<BakeReport>,
    /// One per preset of [`PRESETS`]; `None` if it is refused.
    pub papers: Vec<Option<BakeReport>>,
}

impl Sizes {
    /// Bytes that three-vat would need at the sample rate of `auto`.
    pub fn three_vat_bytes(&self, auto: &BakeReport) -> u64 {
        THREE_VAT_BYTES * self.joints as u64 * u64::from(auto.frames)
    }
}

/// Prints the sizes of the characters whose names contain one of some texts, or of all; returns false if a bar is
/// missed.
pub fn report(named: &[String]) -> bool {
    let start = Instant::now();
    let subjects = characters::all(named);
    let count = subjects.len();
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    // Characters in parallel: much of a search runs on one core.
    let worker = || {
        while let Some(subject) = subjects.get(next.fetch_add(1, Ordering::Relaxed)) {
            let began = Instant::now();
            let sizes = one(subject);
            let auto = sizes.auto.as_ref().map_or("missed".into(), |auto| {
                format!(
                    "{:.2} bytes per joint per 1/30 s",
                    auto.bytes_per_joint_frame
                )
            });
            let mut done = done.lock().expect("no worker panics while it holds this");
            done.push(sizes);
            eprintln!(
                "{}/{count} {}: {auto}, {:.0} s",
                done.len(),
                subject.name,
                began.elapsed().as_secs_f64()
            );
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores.min(count) {
            scope.spawn(worker);
        }
    });
    let mut all = done.into_inner().expect("no worker panicked");
    all.sort_by(|a, b| a.name.cmp(&b.name));
    let met = table::print(&all);
    println!("took {:.0} s", start.elapsed().as_secs_f64());
    met
}

fn one(subject: &Subject) -> Sizes {
    let auto = found(subject, None);
    let need = |encoding| match &auto {
        // The smallest set is the smallest of its encoding.
        Ok(found) if found.report.encoding == encoding => {
            Need::Bytes(Box::new(found.report.clone()))
        }
        _ => need(subject, encoding),
    };
    let needs = ENCODINGS.map(need);
    let papers = PRESETS.map(|preset| paper(subject, preset));
    let verified = auto
        .ok()
        .and_then(|found| verify(&found.set, &subject.character, &()).ok());
    Sizes {
        name: subject.name.clone(),
        joints: subject.joints,
        secs: subject.secs,
        needs: needs.into(),
        auto: verified.filter(is_within),
        papers: papers.into(),
    }
}

/// Returns the size of the smallest set of an encoding within the error.
fn need(subject: &Subject, encoding: Encoding) -> Need {
    let Subject {
        character, secs, ..
    } = subject;
    let parts = character.parts().iter();
    let vertices: usize = parts.map(|p| character.mesh_of(p).vertex_count()).sum();
    let bytes = vertices as f64 * secs * VERTEX_RATE_HZ * VERTEX_BYTES;
    if encoding.is_vertex() && bytes > MAX_VERTEX_BYTES {
        return Need::NotTried;
    }
    match found(subject, Some(encoding)) {
        Ok(found) => Need::Bytes(Box::new(found.report)),
        Err(SearchError::NotMet { .. }) => Need::Cannot,
        Err(_) => Need::Refused,
    }
}

/// Searches the smallest set within the error, of one encoding or of any.
fn found(subject: &Subject, encoding: Option<Encoding>) -> Result<Found, SearchError> {
    let space = SearchSpace {
        encodings: encoding.map(|encoding| vec![encoding]),
        coverage: Coverage::BestOnly,
        ..SearchSpace::default()
    };
    let goal = Goal::MaxError {
        of_size: DEFAULT_ERROR_OF_SIZE,
    };
    let base = BakeSettings::default();
    search(
        &subject.character,
        &base,
        &space,
        goal,
        source(&subject.name),
        &(),
    )
}

/// Bakes a preset; `None` if it is refused.
fn paper(subject: &Subject, preset: Preset) -> Option<BakeReport> {
    let settings = BakeSettings {
        preset: Some(preset),
        ..BakeSettings::default()
    };
    let baked = bake(&subject.character, &settings, &source(&subject.name), &()).ok()?;
    verify(&baked.set, &subject.character, &()).ok()
}

fn is_within(report: &BakeReport) -> bool {
    report.error.errors.overall.max_error_of_size <= DEFAULT_ERROR_OF_SIZE
}
