//! `--device gpu` of `throng pose` and `throng verify`.

use crate::run::{has_adapter, object, run, run_in};

/// Returns all numbers of a posed mesh.
fn positions(path: &std::path::Path) -> Vec<f64> {
    let text = std::fs::read_to_string(path).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut numbers = Vec::new();
    collect(&value, &mut numbers);
    numbers
}

fn collect(value: &serde_json::Value, out: &mut Vec<f64>) {
    match value {
        serde_json::Value::Number(number) => out.extend(number.as_f64()),
        serde_json::Value::Array(values) => values.iter().for_each(|value| collect(value, out)),
        serde_json::Value::Object(fields) => fields.values().for_each(|value| collect(value, out)),
        _ => {}
    }
}

#[test]
fn poses_of_gpu_and_cpu_agree() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for method in ["lbs", "dqs", "blend:0.5", "dqs-direct"] {
        let pose = |device: &str| {
            let output = folder.path().join(format!("{device}.json"));
            let args = [
                "pose",
                "builtin:cylinder",
                "--clip",
                "twist",
                "--time",
                "0.7",
            ];
            let options = ["--method", method, "--device", device, "-o"];
            let output_arg = output.display().to_string();
            let args = args.into_iter().chain(options).chain([output_arg.as_str()]);
            run(args.map(str::to_owned)).ok();
            positions(&output)
        };
        let (cpu, gpu) = (pose("cpu"), pose("gpu"));
        assert_eq!(cpu.len(), gpu.len());
        let far = cpu.iter().zip(&gpu).map(|(a, b)| (a - b).abs());
        let far = far.fold(0.0, f64::max);
        assert!(far > 0.0 && far < 1e-5, "{method}: {far}");
    }
}

#[test]
fn errors_of_gpu_and_cpu_agree() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bake = [
        "bake",
        "builtin:bar",
        "-o",
        "bar",
        "--encoding",
        "bone-qt",
        "--rate",
        "15",
    ];
    run_in(folder.path(), bake).ok();
    let verify = |device: &str| {
        let args = ["verify", "bar", "--device", device, "--json"];
        object(&run_in(folder.path(), args).ok())
    };
    let (cpu, gpu) = (verify("cpu"), verify("gpu"));
    for key in ["max_error_mm", "rms_error_mm"] {
        let [a, b] = [&cpu, &gpu].map(|report| report[key].as_f64().unwrap());
        assert!((a - b).abs() < 2e-3 && a != b, "{key}: {a} and {b}");
    }
    let limited = ["verify", "bar", "--device", "gpu", "--max-error", "0.001mm"];
    assert_eq!(run_in(folder.path(), limited).code, Some(1));
}
