//! How few bytes reach the error that `auto` is held to.

use std::time::Instant;

use throng_bake::accuracy::{BakeReport, verify};
use throng_bake::search::{Goal, SearchError, SearchSpace, search};
use throng_bake::{BakeSettings, DEFAULT_ERROR_OF_SIZE, Preset, bake};
use throng_format::{Encoding, TextureSet};

use crate::characters::{self, Subject};
use crate::{source, table};

/// Every encoding that is tried for itself, in the order of the table.
pub const ENCODINGS: [Encoding; 6] = [
    Encoding::BoneLocal,
    Encoding::BoneQt,
    Encoding::BoneDq,
    Encoding::BoneMatrix,
    Encoding::VirtualBones,
    Encoding::Vertex,
];

/// The papers' own that are told.
pub const PRESETS: [Preset; 3] = [Preset::P0Dq8, Preset::P0Matrix8, Preset::P3VirtualBones];

/// Sets of vertices that would be larger are not made.
const MAX_VERTEX_BYTES: f64 = 200e6;
/// Of a vertex at a frame, about: an offset of four halves and a normal of two.
const VERTEX_BYTES: f64 = 12.0;
/// As low as the clips of most files are.
const VERTEX_RATE_HZ: f64 = 30.0;
/// three-vat's rig layout: two texels of four floats a joint a frame.
const THREE_VAT_BYTES: u64 = 32;

/// What an encoding needs.
pub enum Need {
    /// So many GPU bytes.
    Bytes(Box<BakeReport>),
    /// Nothing that was tried reaches the error.
    Cannot,
    /// The encoding does not hold the character.
    Refused,
    /// The set would be too large to try.
    NotTried,
}

/// One character.
pub struct Sizes {
    pub name: String,
    pub joints: usize,
    pub secs: f64,
    /// As [`ENCODINGS`].
    pub needs: Vec<Need>,
    /// What `auto` takes, the smallest of all, as `verify` sees it.
    pub auto: Option<BakeReport>,
    /// As [`PRESETS`]; `None` where it is refused.
    pub papers: Vec<Option<BakeReport>>,
}

impl Sizes {
    /// What three-vat would take at the rate of `auto`.
    pub fn three_vat_bytes(&self, auto: &BakeReport) -> u64 {
        THREE_VAT_BYTES * self.joints as u64 * u64::from(auto.frames)
    }
}

/// Prints the sizes; false where a bar is missed.
pub fn report() -> bool {
    let start = Instant::now();
    let subjects = characters::all();
    let count = subjects.len();
    let mut all = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        let sizes = one(subject);
        let bytes = sizes.auto.as_ref().map_or(0.0, |a| a.bytes_per_joint_frame);
        eprintln!(
            "{}/{count} {}: {bytes:.2} bytes a joint a frame, after {:.0} s",
            index + 1,
            subject.name,
            start.elapsed().as_secs_f64()
        );
        all.push(sizes);
    }
    table::print(&all)
}

fn one(subject: &Subject) -> Sizes {
    let paper = |preset| {
        let settings = BakeSettings {
            preset: Some(preset),
            ..BakeSettings::default()
        };
        let set = bake(&subject.character, &settings, &source(&subject.name), &()).ok()?;
        verify(&set, &subject.character, &()).ok()
    };
    let mut smallest: Option<TextureSet> = None;
    let needs = ENCODINGS.map(|encoding| {
        let (need, set) = need(subject, encoding);
        let bytes = smallest.as_ref().map_or(u64::MAX, TextureSet::gpu_bytes);
        if let Some(set) = set.filter(|set| set.gpu_bytes() < bytes) {
            smallest = Some(set);
        }
        need
    });
    let verified = smallest.and_then(|set| verify(&set, &subject.character, &()).ok());
    Sizes {
        name: subject.name.clone(),
        joints: subject.joints,
        secs: subject.secs,
        needs: needs.into(),
        auto: verified.filter(is_within),
        papers: PRESETS.map(paper).into(),
    }
}

/// The smallest set of an encoding that is within the error.
fn need(subject: &Subject, encoding: Encoding) -> (Need, Option<TextureSet>) {
    let Subject {
        character, secs, ..
    } = subject;
    let parts = character.parts().iter();
    let vertices: usize = parts.map(|p| character.mesh_of(p).vertex_count()).sum();
    let bytes = vertices as f64 * secs * VERTEX_RATE_HZ * VERTEX_BYTES;
    if encoding.is_vertex() && bytes > MAX_VERTEX_BYTES {
        return (Need::NotTried, None);
    }
    let space = SearchSpace {
        encodings: Some(vec![encoding]),
        ..SearchSpace::default()
    };
    let goal = Goal::MaxError {
        of_size: DEFAULT_ERROR_OF_SIZE,
    };
    let base = BakeSettings::default();
    match search(character, &base, &space, goal, source(&subject.name), &()) {
        Ok(found) => (Need::Bytes(Box::new(found.report)), Some(found.set)),
        Err(SearchError::NotMet { .. }) => (Need::Cannot, None),
        Err(_) => (Need::Refused, None),
    }
}

fn is_within(report: &BakeReport) -> bool {
    report.error.errors.overall.max_error_of_size <= DEFAULT_ERROR_OF_SIZE
}
