//! Bytes of motion capture beside ACL, the best CPU-side compressor, and CPU seconds.

use std::process::{Command, Stdio};

use throng_bake::text::{Align, Table};
use throng_bake::{BakeSettings, bake};
use throng_format::{Encoding, Storage};
use throng_import::{ImportOptions, import_file};
use throng_rig::Character;
use throng_skin::rest_size;
use throng_testkit::shared_assets;

use crate::cpu_time::cpu_secs;
use crate::{source, verdict};

/// Largest errors, in millimetres.
const ERRORS_MM: [f64; 2] = [0.5, 0.1];
/// Largest median of the bytes, as a part of ACL's.
const MEDIAN_BARS: [f64; 2] = [0.80, 0.85];
/// Largest part of ACL's bytes for any clip.
const WORST_BAR: f64 = 1.0;
/// Largest part of the bytes of the first version, for clips whose bytes of ACL were measured at samples only.
const FIRST_VERSION_BAR: f64 = 0.85;
/// Fewest times that the command is faster than the program of `THRONG_BEFORE`.
const SPEED_BAR: f64 = 25.0;
/// Variable that names another build of the command.
const BEFORE: &str = "THRONG_BEFORE";

/// Bytes of ACL 2.1 and of the first version of this program, from the README of the clips.
struct Known {
    clip: &'static str,
    /// One per error.
    acl: [Option<Acl>; 2],
    first: [Option<f64>; 2],
}

#[derive(Clone, Copy)]
struct Acl {
    bytes: f64,
    /// True where errors were measured between samples too, as ours are.
    is_comparable: bool,
}

const fn acl(bytes: f64) -> Option<Acl> {
    Some(Acl {
        bytes,
        is_comparable: true,
    })
}

const fn starred(bytes: f64) -> Option<Acl> {
    Some(Acl {
        bytes,
        is_comparable: false,
    })
}

const fn known(clip: &'static str, acl: [Option<Acl>; 2], first: [Option<f64>; 2]) -> Known {
    Known { clip, acl, first }
}

const KNOWN: [Known; 10] = [
    known(
        "cmu_02_01",
        [acl(8689.0), acl(10631.0)],
        [Some(7552.0), Some(9344.0)],
    ),
    known(
        "cmu_05_02",
        [acl(10178.0), starred(13137.0)],
        [Some(9472.0), Some(14592.0)],
    ),
    known(
        "cmu_09_02",
        [acl(3857.0), starred(4587.0)],
        [Some(3552.0), Some(4608.0)],
    ),
    known(
        "cmu_15_08",
        [acl(10323.0), acl(13221.0)],
        [Some(9088.0), Some(11520.0)],
    ),
    known(
        "cmu_18_08",
        [acl(9208.0), acl(12112.0)],
        [Some(8448.0), Some(10752.0)],
    ),
    known(
        "cmu_36_02",
        [acl(11272.0), acl(13919.0)],
        [Some(9984.0), Some(12288.0)],
    ),
    known(
        "cmu_60_08",
        [acl(11847.0), starred(14481.0)],
        [Some(10624.0), Some(14336.0)],
    ),
    known(
        "cmu_79_10",
        [acl(7363.0), acl(9618.0)],
        [Some(7168.0), Some(9344.0)],
    ),
    known(
        "cmu_126_06",
        [acl(12112.0), starred(14634.0)],
        [Some(11392.0), Some(14080.0)],
    ),
    known(
        "cmu_144_10",
        [starred(10394.0), None],
        [Some(11776.0), None],
    ),
];

/// Prints bytes and CPU seconds of the clips whose names contain one of some texts, or of all; returns false if a bar is
/// missed.
pub fn report(named: &[String]) -> bool {
    let Some(assets) = shared_assets() else {
        println!("mocap: no test assets");
        return true;
    };
    let is_asked =
        |clip: &str| named.is_empty() || named.iter().any(|text| clip.contains(text.as_str()));
    let columns = [
        ("CLIP", Align::Left),
        ("LIMIT mm", Align::Right),
        ("BYTES", Align::Right),
        ("OF ACL", Align::Right),
        ("OF FIRST", Align::Right),
        ("ERROR mm", Align::Right),
        ("CPU s", Align::Right),
    ];
    let mut table = Table::new(&columns);
    let mut ratios = [Vec::new(), Vec::new()];
    let mut met = true;
    let mut paths = Vec::new();
    for known in KNOWN.iter().filter(|known| is_asked(known.clip)) {
        let path = assets.join("mocap").join(known.clip).with_extension("glb");
        let Ok(import) = import_file(&path, &ImportOptions::default()) else {
            println!("mocap: cannot read {}", path.display());
            return false;
        };
        for (index, limit_mm) in ERRORS_MM.into_iter().enumerate() {
            let (bytes, error_mm, secs) = compress(&import.character, limit_mm);
            let of_acl = known.acl[index].map(|acl| bytes / acl.bytes);
            let of_first = known.first[index].map(|first| bytes / first);
            if known.acl[index].is_some_and(|acl| acl.is_comparable) {
                ratios[index].extend(of_acl);
            } else if let Some(of_first) = of_first {
                met &= of_first <= FIRST_VERSION_BAR;
            }
            met &= error_mm <= limit_mm;
            let star = match known.acl[index] {
                Some(acl) if !acl.is_comparable => "*",
                _ => "",
            };
            let part = |part: Option<f64>| part.map_or("–".into(), |part| format!("{part:.3}"));
            table.row([
                known.clip.into(),
                limit_mm.to_string(),
                bytes.to_string(),
                format!("{}{star}", part(of_acl)),
                part(of_first),
                format!("{error_mm:.4}"),
                format!("{secs:.2}"),
            ]);
        }
        paths.push(path);
    }
    println!("Motion capture: GPU bytes as parts of those of ACL and of the first version");
    println!("(*: ACL measured at samples only; compared with the first version instead)");
    println!("{table}");
    for ((ratios, bar), limit_mm) in ratios.iter_mut().zip(MEDIAN_BARS).zip(ERRORS_MM) {
        ratios.sort_by(f64::total_cmp);
        let (Some(worst), false) = (ratios.last(), ratios.is_empty()) else {
            continue;
        };
        let median = median(ratios);
        let is_met = median <= bar && *worst <= WORST_BAR;
        println!(
            "  {limit_mm} mm: median {median:.3} of ACL, bar {bar}; worst {worst:.3}, bar {WORST_BAR}: {}",
            verdict(is_met)
        );
        met &= is_met;
    }
    met & commands(&paths)
}

/// Bakes `bone-local` for an error. Returns the bytes, the proven error in millimetres and the CPU seconds.
fn compress(character: &Character, limit_mm: f64) -> (f64, f64, f64) {
    let settings = BakeSettings {
        encoding: Encoding::BoneLocal,
        storage: Storage::Compressed,
        max_error_of_size: 1e-3 * limit_mm / rest_size(character),
        ..BakeSettings::default()
    };
    let [before, _] = cpu_secs();
    let baked = bake(character, &settings, &source("mocap"), &()).expect("a character bakes");
    let [after, _] = cpu_secs();
    let report = baked.report.expect("compressed curves are measured");
    (
        baked.set.gpu_bytes() as f64,
        report.error.errors.overall.max_error_mm,
        after - before,
    )
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        1 => sorted[middle],
        _ => 0.5 * (sorted[middle - 1] + sorted[middle]),
    }
}

/// Runs the whole command on all clips, in turns with another build of it if one is named. Returns false if the bar is
/// missed.
fn commands(paths: &[std::path::PathBuf]) -> bool {
    let Ok(before) = std::env::var(BEFORE) else {
        println!("  set {BEFORE} and THRONG to builds of the command to compare CPU seconds");
        return true;
    };
    let Ok(after) = std::env::var("THRONG") else {
        println!("  set THRONG to the build that is compared with {BEFORE}");
        return true;
    };
    let folder = std::env::temp_dir().join(format!("throng-mocap-{}", std::process::id()));
    let mut secs = [0.0; 2];
    for path in paths {
        for (program, secs) in [before.as_str(), after.as_str()].into_iter().zip(&mut secs) {
            // A new folder each time: a set that is up to date is not baked again.
            let _ = std::fs::remove_dir_all(&folder);
            let [_, start] = cpu_secs();
            let ended = Command::new(program)
                .args(["bake".as_ref(), path.as_os_str(), "-o".as_ref()])
                .arg(&folder)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            let is_done = ended.is_ok_and(|status| status.success());
            assert!(is_done, "{program} bakes {}", path.display());
            let [_, end] = cpu_secs();
            *secs += end - start;
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    let [before, after] = secs;
    let ratio = before / after;
    let is_met = ratio >= SPEED_BAR;
    println!(
        "  whole command, all clips: {before:.2} CPU s before, {after:.2} after, {ratio:.1} times faster, bar {SPEED_BAR}: {}",
        verdict(is_met)
    );
    is_met
}
