//! Sets of skinning methods that need more than weights.

use super::{WorkFolder, number};
use crate::run::{object, run_in};

/// Maximum error of a report, in millimetres.
fn max_error_mm(json: &str) -> f64 {
    let report = object(json);
    number(&report, "max_error_mm")
}

#[test]
fn sets_of_all_methods_verify_as_baked() {
    for (method, encoding) in [
        ("blend:auto", "bone-qt"),
        ("blend:auto", "vertex"),
        ("cor", "bone-qt"),
        ("cor", "vertex"),
        ("dqs-bulge-free", "vertex"),
        ("sclerp", "vertex"),
    ] {
        let work = WorkFolder::new();
        let set = ["--method", method, "--encoding", encoding, "-o", "set"];
        let args = [&["builtin:cylinder", "--json"], &set[..]].concat();
        let baked = max_error_mm(&work.bake(&args).ok());
        let verified = run_in(work.path(), ["verify", "set", "--json"]).ok();
        let verified = max_error_mm(&verified);
        assert!(baked > 0.0, "{method} {encoding}");
        assert!(
            (verified - baked).abs() <= 1e-3 * baked,
            "{method} {encoding}: {baked} mm baked, {verified} mm verified"
        );
    }
}
