//! Reports do not depend on the number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use throng_rig::Skinning;

use throng_bake::Progress;
use throng_bake::accuracy::{ErrorReport, HeatMap, MeasurePlan, SourcePlayback, measure_with_heat};
use throng_import::builtin::builtin;

use crate::common::{Sampled, once};

#[derive(Default)]
struct Calls(AtomicUsize);

impl Progress for Calls {
    fn step(&self, done: usize, total: usize) {
        assert!(done <= total);
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn reports_do_not_depend_on_the_number_of_threads() {
    let character = builtin("humanoid:1000").unwrap();
    let clips: Vec<usize> = (0..character.clips().len()).collect();
    let report = |threads: usize| -> (ErrorReport, HeatMap) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let reference = SourcePlayback::new(&character, clips.clone(), Skinning::AsAuthored);
            let tested = Sampled {
                reference: &reference,
                rate_hz: 7.0,
            };
            let plan = MeasurePlan::full(&character, &once(clips.len()));
            let calls = Calls::default();
            let measured = measure_with_heat(&reference, &tested, &plan, &calls);
            assert_eq!(calls.0.into_inner() as u64, plan.times());
            measured
        })
    };
    let one = report(1);
    assert!(one.0.errors.overall.rms_error_mm > 0.0);
    for threads in [2, 5] {
        assert_eq!(report(threads), one, "{threads} threads");
    }
}
