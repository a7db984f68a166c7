//! Temporary sketch.
fn main() {
    for source in std::env::args().skip(1) {
        let Ok(i) = throng_import::import(&source, &Default::default()) else {
            continue;
        };
        for clip in i.character.clips().iter().take(4) {
            let mut times: Vec<f64> = vec![];
            for t in clip.joints() {
                if let Some(r) = &t.rotation {
                    times.extend(r.times());
                }
            }
            times.sort_by(f64::total_cmp);
            times.dedup_by(|a, b| (*a - *b).abs() < 1e-5);
            let d: Vec<String> = times
                .windows(2)
                .map(|w| format!("{:.4}", w[1] - w[0]))
                .collect();
            println!(
                "{source} {} start {} dur {} keys {} : {}",
                clip.name,
                clip.start_secs(),
                clip.duration_secs(),
                times.len(),
                d[d.len().saturating_sub(40)..].join(" ")
            );
        }
    }
}
