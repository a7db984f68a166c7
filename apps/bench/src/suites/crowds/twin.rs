//! CPU twins of the culling passes on a million instances, without drawing.

use std::hint::black_box;

use glam::Vec3;
use throng_format::ClipTiming;
use throng_rig::{Bounds, LoopPolicy};
use throng_wgpu::{CpuCulling, CullModel, Ticks, ViewCamera};

use crate::BenchError;
use crate::contest::Pair;
use crate::cpu_arena::CpuArena;
use crate::field::{FieldCamera, field};
use crate::record::{Entrant, Status};
use crate::run::Run;
use crate::stage::PICTURE;
use crate::suites::cpu::section;

/// Number of instances.
pub const TWIN_INSTANCES: u32 = 1_000_000;

/// Id of the section.
pub const TWIN_ID: &str = "crowds/twin/1000000";

/// Distance between instances, in metres.
const SPACING_M: f32 = 2.0;

/// Errors of the levels in metres: about those of the humanoid.
const ERRORS_M: [f32; 7] = [0.002, 0.004, 0.008, 0.014, 0.024, 0.04, 0.07];

/// Culls a million instances on one core, from inside the crowd and from far away.
pub fn measure(run: &mut Run<'_>, weight: f64) -> Result<(), BenchError> {
    if run.is_interrupted() || run.is_measured(TWIN_ID) {
        run.skip(weight);
        return Ok(());
    }
    run.progress().stage("culling 1000000 instances on the CPU");
    let bounds = Bounds {
        min: [-0.5, 0.0, -0.5].into(),
        max: [0.5, 1.8, 0.5].into(),
    };
    let timing = ClipTiming {
        first_frame: 0,
        frames: 2,
        rate_hz: 1.0,
        duration_secs: 1.0,
        looping: LoopPolicy::Wrap,
    };
    let cameras = [FieldCamera::Inside, FieldCamera::Inside, FieldCamera::Far];
    let names = ["inside", "inside again", "far"];
    let mut arena = CpuArena::default();
    for camera in cameras {
        let (instances, clip_from_world) = field(TWIN_INSTANCES, 1, SPACING_M, camera);
        let undeformed = [bounds.min.as_vec3(), bounds.max.as_vec3()].map(Vec3::from);
        let mut culling = CpuCulling::new(CullModel::new(undeformed, &[bounds], &ERRORS_M));
        culling.set_instances(&instances, &[timing]);
        let camera = ViewCamera::new(clip_from_world).with_detail(PICTURE.map(|side| side as f32));
        arena.add(TWIN_INSTANCES, move || {
            black_box(culling.cull(&camera, Ticks(0)));
        });
    }
    let entrants = names.map(|name| Entrant {
        name: name.into(),
        skinning: String::new(),
        status: Status::Measured,
        gpu_bytes: None,
        max_error_mm: None,
        picture_error_mm: None,
    });
    let section = section(
        TWIN_ID.into(),
        "1 000 000 instances, without drawing".into(),
        "The CPU twins of the culling passes on one core: frustum, level of detail, and the compacted list of visible \
         instances."
            .into(),
        entrants.to_vec(),
    );
    run.cpu_contest(
        section,
        &mut arena,
        &[Pair::same(1, 0), Pair::of(2, 0)],
        weight,
    )
}
