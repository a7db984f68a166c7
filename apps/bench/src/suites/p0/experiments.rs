//! Experiments of P0.

use throng_bake::Preset;
use throng_format::{Encoding, Precision, Storage};
use throng_import::PositionSharing;
use throng_wgpu::{
    DrawOrder, InfluenceLimit, Instancing, MetadataSource, SkeletonEvaluation, Step, Switches,
    Technique,
};

use super::names;
use super::printed::{MODELS, Model};
use crate::contest::Pair;
use crate::entrant::{Content, EntrantSpec};
use crate::experiment::{Experiment, Kind, against_first};
use crate::subject::SubjectSpec;
use crate::suites::Thoroughness;

/// Samples per second of cached skeletons.
const CACHE_HZ: u32 = 60;

/// Curves and break points of four characters with duplicated and with shared vertices, and the A/B switches.
pub fn experiments(thoroughness: Thoroughness) -> Vec<Experiment> {
    let mut experiments = Vec::new();
    for model in &MODELS {
        for sharing in [PositionSharing::Corners, PositionSharing::Shared] {
            experiments.push(techniques(model, sharing, thoroughness));
        }
    }
    for technique in [Technique::PaletteDq, Technique::PaletteMatrix] {
        experiments.push(table_13(technique));
    }
    let last = &MODELS[MODELS.len() - 1];
    // With duplicates, a frame of this character takes seconds on a software driver.
    let name = match thoroughness {
        Thoroughness::Default => {
            SubjectSpec::builtin("humanoid:24746", PositionSharing::Shared, last.clips)
        }
        Thoroughness::Full => {
            SubjectSpec::builtin(last.corners, PositionSharing::Corners, last.clips)
        }
    };
    for preset in [Preset::P0Dq8, Preset::P0Matrix8] {
        experiments.push(table_15(preset, name.clone()));
    }
    experiments
}

/// Name of a variant in ids.
pub fn variant(sharing: PositionSharing) -> &'static str {
    match sharing {
        PositionSharing::Shared => "shared",
        PositionSharing::Split => "split",
        PositionSharing::Corners => "corners",
    }
}

/// Vertices above which the default run leaves out vertex sets that take minutes to bake.
const MANY_VERTICES: u32 = 20_000;

fn techniques(model: &Model, sharing: PositionSharing, thoroughness: Thoroughness) -> Experiment {
    let name = match sharing {
        PositionSharing::Corners => model.corners,
        _ => model.shared,
    };
    let palette = |technique| EntrantSpec::technique(technique).drawn(Instancing::Loop);
    let cached = |technique| {
        let mut spec = palette(technique);
        spec.name += ", cached";
        spec.settings.switches.skeleton = SkeletonEvaluation::Cached { rate_hz: CACHE_HZ };
        spec
    };
    let texture = |encoding, storage| EntrantSpec::new(Content::Baked(encoding, storage));
    let unorm16 = Storage::Frames(Precision::Unorm16);
    let mut entrants = vec![
        EntrantSpec::control(),
        EntrantSpec::control().named("control again"),
        palette(Technique::PaletteDq),
        palette(Technique::PaletteMatrix),
    ];
    // The paper's second benchmark reads palettes from a cache.
    if sharing == PositionSharing::Shared {
        entrants.extend([Technique::PaletteDq, Technique::PaletteMatrix].map(cached));
    }
    let presets = [Preset::P0Dq8, Preset::P0Matrix8, Preset::P0Vertex8];
    entrants.extend(presets.map(|preset| EntrantSpec::new(Content::Preset(preset))));
    entrants.extend([
        EntrantSpec::technique(Technique::PaletteDq),
        EntrantSpec::technique(Technique::PaletteMatrix),
        EntrantSpec::technique(Technique::Cpu),
        texture(Encoding::BoneDq, unorm16),
        texture(Encoding::BoneMatrix, unorm16),
        texture(Encoding::BoneQt, unorm16),
        texture(Encoding::VirtualBones, unorm16),
        texture(Encoding::BoneLocal, Storage::Compressed),
        texture(Encoding::Vertex, unorm16),
        texture(Encoding::Vertex, Storage::Compressed),
        texture(Encoding::VertexRay, Storage::Frames(Precision::Unorm8)),
    ]);
    let vertices = match sharing {
        PositionSharing::Corners => model.complexity[1],
        _ => model.complexity[1] / 4,
    };
    if thoroughness == Thoroughness::Default && vertices > MANY_VERTICES {
        for name in ["vertex compressed", "vertex-ray unorm8"] {
            for spec in entrants.iter_mut().filter(|spec| spec.name == name) {
                spec.left_out = Some("takes minutes to bake for this many vertices: use --full");
            }
        }
    }
    let mut pairs = against_first(entrants.len());
    let index = |name: &str| entrants.iter().position(|spec| spec.name == name);
    for (entrant, against) in hypothesis_pairs() {
        if let (Some(entrant), Some(against)) = (index(&entrant), index(&against)) {
            pairs.push(Pair::of(entrant, against));
        }
    }
    let vertices = match sharing {
        PositionSharing::Corners => "with a vertex per corner of every face",
        _ => "with shared vertices",
    };
    let id = format!("p0/{}/{}", model.name, variant(sharing));
    Experiment {
        title: format!("{}, {vertices}", model.name),
        about: format!(
            "Frames per second against instances of builtin:{name}, which is as complex as the paper's {} {vertices}.",
            model.name
        ),
        group: id.clone(),
        id,
        x: None,
        subject: SubjectSpec::builtin(name, sharing, model.clips),
        entrants,
        kind: Kind::Curves { pairs },
        weight: match (model.name, sharing) {
            ("y-bot", PositionSharing::Corners) => 3.0,
            ("y-bot", _) | ("x-bot", PositionSharing::Corners) => 1.5,
            _ => 1.0,
        },
    }
}

/// Pairs that decide the hypotheses: H1, H2 and H3.
pub fn hypothesis_pairs() -> Vec<(String, String)> {
    let named = |(a, b): (&str, &str)| (a.to_owned(), b.to_owned());
    let pairs = [H1.as_slice(), &H2, &H3].concat();
    pairs.into_iter().map(named).collect()
}

/// Dual quaternions against matrices.
pub const H1: [(&str, &str); 5] = [
    (names::GPU_DQ, names::GPU_MATRIX),
    (names::GPU_DQ_CACHED, names::GPU_MATRIX_CACHED),
    (names::DQ_TEXTURE, names::MATRIX_TEXTURE),
    ("palette-dq", "palette-matrix"),
    ("bone-dq unorm16", "bone-matrix unorm16"),
];

/// Bone textures against palettes of the CPU.
pub const H2: [(&str, &str); 6] = [
    (names::DQ_TEXTURE, names::GPU_DQ),
    (names::MATRIX_TEXTURE, names::GPU_MATRIX),
    ("bone-dq unorm16", "palette-dq"),
    ("bone-matrix unorm16", "palette-matrix"),
    ("bone-qt unorm16", "palette-matrix"),
    ("bone-local compressed", "palette-matrix"),
];

/// Vertex textures against bone textures.
pub const H3: [(&str, &str); 5] = [
    (names::VERTEX_TEXTURE, names::DQ_TEXTURE),
    (names::VERTEX_TEXTURE, names::MATRIX_TEXTURE),
    ("vertex unorm16", "bone-dq unorm16"),
    ("vertex unorm16", "bone-matrix unorm16"),
    ("vertex unorm16", "bone-qt unorm16"),
];

/// States of skeleton evaluation: on, cached and off.
pub const SKELETONS: [(&str, SkeletonEvaluation); 3] = [
    ("on", SkeletonEvaluation::EachFrame),
    ("cached", SkeletonEvaluation::Cached { rate_hz: CACHE_HZ }),
    ("off", SkeletonEvaluation::FirstFrame),
];

/// Both states of a step.
pub const STEPS: [(&str, Step); 2] = [("on", Step::On), ("off", Step::Off)];

/// Table 13: skeleton evaluation, upload and mesh switch of palettes, in every combination.
fn table_13(technique: Technique) -> Experiment {
    let palette = EntrantSpec::technique(technique).drawn(Instancing::Loop);
    let mut entrants = Vec::new();
    let orders = [
        ("on", DrawOrder::InstancesFirst),
        ("off", DrawOrder::PartsFirst),
    ];
    for (mesh, draw_order) in orders {
        for (skeleton_name, skeleton) in SKELETONS {
            for (upload_name, upload) in STEPS {
                let name = table_13_name(skeleton_name, upload_name, mesh);
                let mut spec = palette.clone().named(name);
                spec.settings.switches = Switches {
                    skeleton,
                    upload,
                    draw_order,
                    ..Switches::default()
                };
                entrants.push(spec);
            }
        }
    }
    let all_on = entrants[0].clone();
    let again = format!("{}, again", all_on.name);
    entrants.insert(1, all_on.named(again));
    entrants.push(EntrantSpec::control());
    Experiment {
        id: format!("p0/table-13/{technique}"),
        group: format!("p0/table-13/{technique}"),
        title: format!("Table 13: steps of {technique}, one draw call per mesh and instance"),
        about: "Steps are switched off in every combination, on the box. All contestants draw as many instances as fit \
                into the longest frame with everything on."
            .into(),
        x: None,
        subject: SubjectSpec::builtin(MODELS[0].corners, PositionSharing::Corners, &[]),
        kind: Kind::AtBudget {
            pairs: against_first(entrants.len()),
        },
        entrants,
        weight: 0.6,
    }
}

/// Name of a combination of table 13.
pub fn table_13_name(skeleton: &str, upload: &str, mesh: &str) -> String {
    format!("skeleton {skeleton}, upload {upload}, mesh switch {mesh}")
}

/// Name of a combination of table 15.
pub fn table_15_name(metadata: &str, interpolation: &str, skinning: &str) -> String {
    format!("metadata {metadata}, interpolation {interpolation}, skinning {skinning}")
}

/// Table 15: metadata reads, interpolation and skinning of bone textures, in every combination, and fewer influences.
fn table_15(preset: Preset, subject: SubjectSpec) -> Experiment {
    let texture = EntrantSpec::new(Content::Preset(preset));
    let mut entrants = Vec::new();
    let reads = [
        ("on", MetadataSource::Column),
        ("off", MetadataSource::Tables),
    ];
    for (metadata_name, metadata) in reads {
        for (interpolation_name, interpolation) in STEPS {
            for (skinning_name, skinning) in STEPS {
                let name = table_15_name(metadata_name, interpolation_name, skinning_name);
                let mut spec = texture.clone().named(name);
                spec.settings.metadata = metadata;
                spec.settings.switches.interpolation = interpolation;
                spec.settings.switches.skinning = skinning;
                entrants.push(spec);
            }
        }
    }
    let all_on = entrants[0].clone();
    let again = format!("{}, again", all_on.name);
    entrants.insert(1, all_on.named(again));
    for skipped in [1, 2] {
        let mut spec = texture
            .clone()
            .named(format!("{skipped} of 3 bones skipped"));
        spec.settings.switches.influences = InfluenceLimit::AtMost(3 - skipped);
        entrants.push(spec);
    }
    entrants.push(EntrantSpec::control());
    let name = preset.name();
    Experiment {
        id: format!("p0/table-15/{name}"),
        group: format!("p0/table-15/{name}"),
        title: format!("Table 15: steps of {name}"),
        about: format!(
            "Steps of the vertex shader are switched off in every combination, on {}. All contestants draw as many \
             instances as fit into the longest frame with everything on.",
            subject.source
        ),
        x: None,
        subject,
        kind: Kind::AtBudget {
            pairs: against_first(entrants.len()),
        },
        entrants,
        weight: 0.6,
    }
}
