//! Bytes and search time of each effort.

use throng_bake::joint_curves::JointCompressor;
use throng_bake::text::{Align, Table};
use throng_bake::{DEFAULT_ERROR_OF_SIZE, Effort, Sides};
use throng_rig::Clip;
use throng_skin::rest_size;

use crate::characters;
use crate::cpu_time::cpu_secs;
use crate::verdict;

/// Largest part of the bytes of normal effort that fast effort may take.
const BYTES_BAR: f64 = 1.10;
/// Largest part of the search time of normal effort that fast effort may take.
const TIME_BAR: f64 = 0.10;

/// Characters that are measured unless others are named.
const NAMES: [&str; 3] = ["builtin:humanoid", "mocap/", "mannequiny"];

/// Number of the humanoid's shortest clips that are also measured alone. The bars do not count them.
const FEW_CLIPS: usize = 2;

/// Efforts, and how often each is run: the system counts CPU time in hundredths of a second.
const EFFORTS: [(Effort, u32); 3] = [(Effort::Fast, 30), (Effort::Normal, 5), (Effort::Best, 1)];

/// Most keys per second of a curve.
const MAX_RATE_HZ: f64 = 512.0;

/// Prints bytes and CPU seconds of compression alone, without import, proof and files; returns false if a bar is missed.
pub fn report(named: &[String]) -> bool {
    let default: Vec<String> = NAMES.map(String::from).to_vec();
    let subjects = characters::all(if named.is_empty() { &default } else { named });
    let columns = [
        ("CHARACTER", Align::Left),
        ("FAST B", Align::Right),
        ("NORMAL B", Align::Right),
        ("BEST B", Align::Right),
        ("FAST s", Align::Right),
        ("NORMAL s", Align::Right),
        ("BEST s", Align::Right),
    ];
    let mut table = Table::new(&columns);
    let mut sums = [[0.0; 2]; 3];
    let rows = subjects.iter().flat_map(|subject| {
        let all: Vec<&Clip> = subject.character.clips().iter().collect();
        let mut short = all.clone();
        short.sort_by(|a, b| a.duration_secs().total_cmp(&b.duration_secs()));
        short.truncate(FEW_CLIPS);
        let few = (subject.name == characters::HUMANOID).then_some((subject, short, false));
        [Some((subject, all, true)), few].into_iter().flatten()
    });
    for (subject, clips, has_all) in rows {
        let max_error = DEFAULT_ERROR_OF_SIZE * rest_size(&subject.character);
        let mut results = [[0.0; 2]; 3];
        for (result, (effort, runs)) in results.iter_mut().zip(EFFORTS) {
            let [start, _] = cpu_secs();
            let run = || {
                let character = &subject.character;
                let compressor =
                    JointCompressor::new(character, &clips, max_error, MAX_RATE_HZ, effort);
                let compressed: Vec<_> = (0..clips.len())
                    .map(|clip| compressor.compress(clip, max_error, 1))
                    .collect();
                (compressor, compressed)
            };
            for _ in 1..runs {
                std::hint::black_box(run());
            }
            let (compressor, compressed) = run();
            let [end, _] = cpu_secs();
            let assembled = compressor.assemble(&compressed, 2048, Sides::Exact);
            let (texture, _) = assembled.expect("few words");
            let secs = (end - start) / f64::from(runs);
            *result = [texture.gpu_bytes() as f64, secs];
        }
        for (sum, result) in sums.iter_mut().zip(&results).filter(|_| has_all) {
            sum[0] += result[0];
            sum[1] += result[1];
        }
        let [fast, normal, best] = results;
        table.row([
            match has_all {
                true => subject.name.clone(),
                false => format!("{}, {FEW_CLIPS} shortest clips", subject.name),
            },
            fast[0].to_string(),
            normal[0].to_string(),
            best[0].to_string(),
            format!("{:.3}", fast[1]),
            format!("{:.3}", normal[1]),
            format!("{:.2}", best[1]),
        ]);
    }
    println!("Effort: GPU bytes and CPU seconds of compression at the default error");
    println!("{table}");
    let [fast, normal, best] = sums;
    let (bytes, secs) = (fast[0] / normal[0], fast[1] / normal[1]);
    println!(
        "  fast: {bytes:.3} of the bytes of normal, bar {BYTES_BAR}: {}; {secs:.3} of its time, bar {TIME_BAR}: {}",
        verdict(bytes <= BYTES_BAR),
        verdict(secs <= TIME_BAR)
    );
    println!(
        "  best: {:.3} of the bytes of normal in {:.1} times its time",
        best[0] / normal[0],
        best[1] / normal[1]
    );
    bytes <= BYTES_BAR && secs <= TIME_BAR
}
