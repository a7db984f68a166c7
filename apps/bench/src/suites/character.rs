//! A character of the user: which technique draws the most instances on this machine, at what error.

use throng_format::Encoding;
use throng_wgpu::Technique;

use super::summary::{Contested, bytes, percent};
use crate::contest::Pair;
use crate::entrant::{Content, EntrantSpec};
use crate::experiment::{Experiment, Kind, against_first};
use crate::record::{Answer, Body, Section, Status};
use crate::run::Run;
use crate::stats::Verdict;
use crate::subject::SubjectSpec;

/// Name of the technique that answers compare with: a palette of the CPU, one instanced draw.
const BASELINE: &str = "palette-matrix";

/// Largest error of a contestant that answers recommend, as a part of the character's size: about what shows on a person that
/// fills the picture. Errors of frames are much larger where the source moves fast between samples.
const ACCEPTABLE_OF_SIZE: f64 = 0.005;

/// Techniques where none are asked for.
pub fn default_techniques() -> Vec<EntrantSpec> {
    [
        Technique::PaletteMatrix,
        Technique::Cpu,
        Technique::Texture(Encoding::Vertex),
        Technique::Texture(Encoding::BoneQt),
        Technique::Texture(Encoding::BoneMatrix),
        Technique::Texture(Encoding::BoneLocal),
    ]
    .map(EntrantSpec::technique)
    .into()
}

/// Curves and break points of a character. The control, its copy and the palette baseline are added where they are missing.
pub fn experiment(subject: SubjectSpec, techniques: Vec<EntrantSpec>) -> Experiment {
    let is_control =
        |spec: &EntrantSpec| matches!(spec.content, Content::Played(Technique::Control));
    let mut entrants = vec![
        EntrantSpec::control(),
        EntrantSpec::control().named("control again"),
    ];
    let has_baseline = techniques.iter().any(|spec| spec.name == BASELINE);
    if !has_baseline {
        entrants.push(EntrantSpec::technique(Technique::PaletteMatrix));
    }
    entrants.extend(techniques.into_iter().filter(|spec| !is_control(spec)));
    let baseline = entrants.iter().position(|spec| spec.name == BASELINE);
    let mut pairs = against_first(entrants.len());
    if let Some(baseline) = baseline {
        let others = (2..entrants.len()).filter(|&entrant| entrant != baseline);
        pairs.extend(others.map(|entrant| Pair::of(entrant, baseline)));
    }
    let name = subject.source.clone();
    Experiment {
        id: format!("character/{name}"),
        group: format!("character/{name}"),
        title: title(&name).to_owned(),
        about: "Frames per second against instances. Every contestant draws the same instances at the same times into \
                the same picture; the control draws them in the rest pose, without animation."
            .into(),
        x: None,
        subject,
        entrants,
        kind: Kind::Curves { pairs },
        weight: 1.0,
    }
}

/// Name of a file without its folders, or of a built-in character.
fn title(source: &str) -> &str {
    let name = source.trim_end_matches(['/', '\\']);
    name.rsplit(['/', '\\']).next().unwrap_or(source)
}

/// Adds the answer of every character.
pub fn summarize(run: &mut Run<'_>) {
    let answers = run.report.sections.iter().filter(is_answered).map(answer);
    let answers: Vec<Answer> = answers.collect();
    run.report.answers.extend(answers);
}

/// Answers are given at the middle frame rate, or the only one.
fn is_answered(section: &&Section) -> bool {
    let Body::Contest(contest) = &section.body else {
        return false;
    };
    let is_middle = contest.fps.is_some_and(|fps| fps == 60.0);
    section.id.starts_with("character/") && is_middle
}

fn answer(section: &Section) -> Answer {
    let subject = section.subject.as_ref();
    let heading = subject.map_or_else(String::new, |subject| {
        format!(
            "{}: {} vertices, {} joints",
            subject.name, subject.vertices, subject.joints
        )
    });
    let text = Contested::of(section).and_then(|contested| best(&contested));
    Answer {
        heading,
        text: text.unwrap_or_else(|| "Nothing could be measured.".into()),
    }
}

/// Contestants that are animated and drew.
fn animated(contested: &Contested<'_>) -> impl Iterator<Item = usize> {
    let entrants = &contested.section.entrants;
    (2..entrants.len()).filter(|&at| {
        entrants[at].status == Status::Measured && contested.contest.instances[at] > 0
    })
}

/// True if the error of a contestant is small enough to recommend it. Techniques without a texture set have none.
fn is_acceptable(section: &Section, entrant: usize) -> bool {
    let size_m = section
        .subject
        .as_ref()
        .map_or(f64::INFINITY, |one| one.size_m);
    let error_mm = section.entrants[entrant].max_error_mm.unwrap_or(0.0);
    1e-3 * error_mm <= ACCEPTABLE_OF_SIZE * size_m
}

/// Contestants with an acceptable error, the best first; all, if there is none. Those whose intervals overlap that of the
/// fastest are as good as it for all that is known; among them, texture sets come before work of the CPU, and small sets
/// before large ones.
fn ranking(contested: &Contested<'_>) -> Vec<usize> {
    let section = contested.section;
    let mut animated: Vec<usize> = animated(contested).collect();
    if animated.iter().any(|&at| is_acceptable(section, at)) {
        animated.retain(|&at| is_acceptable(section, at));
    }
    let ratio = |at: usize| contested.ratio(at, 0);
    let fastest = animated.iter().filter_map(|&at| ratio(at));
    let fastest = fastest.max_by(|a, b| a.ratio.total_cmp(&b.ratio));
    // A comparison of both decides; intervals of both against the control are the second best.
    let is_tied = |at: usize| match fastest {
        None => true,
        Some(fastest) if fastest.entrant == at => true,
        Some(fastest) => match (
            contested.ratio(at, fastest.entrant),
            contested.ratio(fastest.entrant, at),
        ) {
            (Some(direct), _) => direct.verdict != Verdict::Slower,
            (_, Some(direct)) => direct.verdict != Verdict::Faster,
            (None, None) => ratio(at).is_some_and(|ratio| ratio.high >= fastest.low),
        },
    };
    animated.sort_by(|&a, &b| {
        let key = |at: usize| {
            let bytes = section.entrants[at].gpu_bytes.unwrap_or(u64::MAX);
            (!is_tied(at), if is_tied(at) { bytes } else { 0 })
        };
        let by_rating = contested.rating(b).total_cmp(&contested.rating(a));
        key(a).cmp(&key(b)).then(by_rating)
    });
    animated
}

/// Names the contestant to use, and compares it with the baseline.
fn best(contested: &Contested<'_>) -> Option<String> {
    let section = contested.section;
    let best = *ranking(contested).first()?;
    let entrant = &section.entrants[best];
    let budget_ms = contested.contest.budget_ms?;
    let instances = contested.instances_at_budget(best);
    let mut text = format!(
        "Use {}: {instances:.0} instances in {budget_ms:.1} ms per frame",
        entrant.name
    );
    if let Some(ratio) = contested.ratio(best, 0) {
        text += &format!(", {} of a static crowd", percent(ratio.ratio));
    }
    let baseline = section.entrants.iter().position(|one| one.name == BASELINE);
    if let Some(ratio) = baseline.and_then(|baseline| contested.ratio(best, baseline)) {
        text += &format!(
            "; {:.2}× the instances of {BASELINE} (95 % CI {:.2} to {:.2})",
            ratio.ratio, ratio.low, ratio.high
        );
        text += match ratio.verdict {
            Verdict::NoDifference => ", no difference",
            Verdict::Undecided => ", undecided",
            Verdict::Faster | Verdict::Slower => "",
        };
    }
    match (entrant.max_error_mm, entrant.gpu_bytes) {
        (Some(error_mm), Some(size)) => {
            text += &format!(
                ", at an error of at most {error_mm:.2} mm and {} of textures",
                bytes(size)
            );
        }
        _ => text += ", without an animation texture",
    }
    text.push('.');
    let by_rating = |a: &usize, b: &usize| contested.rating(*a).total_cmp(&contested.rating(*b));
    let fastest = ranking(contested).into_iter().max_by(by_rating)?;
    if fastest != best {
        text += &format!(
            " {} measured {} of it, which is within the uncertainty.",
            section.entrants[fastest].name,
            percent(contested.rating(fastest) / contested.rating(best))
        );
    }
    let fastest_of_all = animated(contested).max_by(by_rating)?;
    if !is_acceptable(section, fastest_of_all) && fastest_of_all != best {
        text += &format!(
            " {} draws {} of that, at an error of up to {:.0} mm.",
            section.entrants[fastest_of_all].name,
            percent(contested.rating(fastest_of_all) / contested.rating(best)),
            section.entrants[fastest_of_all].max_error_mm.unwrap_or(0.0)
        );
    }
    let smallest = animated(contested)
        .filter(|&at| is_acceptable(section, at))
        .filter_map(|at| Some((section.entrants[at].gpu_bytes?, at)))
        .min();
    if let Some((size, smallest)) = smallest.filter(|&(_, smallest)| smallest != best) {
        let part = contested.rating(smallest) / contested.rating(best);
        text += &format!(
            " The smallest set, {}, draws {} of that from {}, at {:.2} mm.",
            section.entrants[smallest].name,
            percent(part),
            bytes(size),
            section.entrants[smallest].max_error_mm.unwrap_or(0.0)
        );
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Contest, Entrant, Ratio, Round, Subject, Turn};

    /// A contest at 60 frames per second; each contestant has a name, instances per frame and a max error.
    fn section(contestants: &[(&str, u32, Option<f64>)]) -> Section {
        let entrant = |&(name, _, error_mm): &(&str, u32, Option<f64>)| Entrant {
            name: name.into(),
            skinning: String::new(),
            status: Status::Measured,
            gpu_bytes: error_mm.map(|_| 4096),
            max_error_mm: error_mm,
            picture_error_mm: None,
        };
        let turn = |&(_, instances, _): &(&str, u32, Option<f64>)| {
            Some(Turn {
                instances,
                frames_ms: vec![16.0; 4],
                cpu_ms: 1.0,
                gpu_ms: None,
            })
        };
        let ratio = |entrant: usize| {
            let ratio = f64::from(contestants[entrant].1) / f64::from(contestants[0].1);
            Ratio {
                entrant,
                against: 0,
                ratio,
                low: 0.99 * ratio,
                high: 1.01 * ratio,
                verdict: Verdict::Slower,
                is_same: false,
            }
        };
        Section {
            id: "character/robot".into(),
            group: "character/robot".into(),
            title: "robot".into(),
            about: String::new(),
            x: None,
            subject: Some(Subject {
                name: "robot".into(),
                source: "robot.glb".into(),
                meshes: 1,
                vertices: 100,
                triangles: 100,
                joints: 10,
                influences: 4,
                size_m: 2.0,
                clip_secs: 1.0,
            }),
            entrants: contestants.iter().map(entrant).collect(),
            body: Body::Contest(Contest {
                budget_ms: Some(16.0),
                fps: Some(60.0),
                instances: contestants.iter().map(|contestant| contestant.1).collect(),
                rounds: vec![Round {
                    order: (0..contestants.len()).collect(),
                    turns: contestants.iter().map(turn).collect(),
                }],
                ratios: (1..contestants.len()).map(ratio).collect(),
            }),
            notes: Vec::new(),
            is_complete: true,
        }
    }

    #[test]
    fn titles_are_file_names() {
        assert_eq!(title("../assets/robot.glb"), "robot.glb");
        assert_eq!(title("sets/knight.throng/"), "knight.throng");
        assert_eq!(title("builtin:humanoid:500"), "builtin:humanoid:500");
    }

    #[test]
    fn recommends_the_fastest_contestant() {
        let text = answer(&section(&[
            ("control", 100, None),
            ("control again", 100, None),
            ("vertex unorm16", 90, Some(3.0)),
            ("bone-local compressed", 80, Some(0.5)),
            ("palette-matrix", 70, None),
        ]))
        .text;
        assert!(
            text.starts_with("Use vertex unorm16: 90 instances"),
            "{text}"
        );
    }

    #[test]
    fn direct_comparison_decides_before_intervals_against_the_control() {
        let contestants = [
            ("control", 1000, None),
            ("control again", 1000, None),
            ("bone-local compressed", 795, Some(0.5)),
            ("palette-matrix", 800, None),
        ];
        let mut tied = section(&contestants);
        let text = answer(&tied).text;
        assert!(text.starts_with("Use bone-local compressed"), "{text}");
        let Body::Contest(contest) = &mut tied.body else {
            panic!("a contest");
        };
        let direct = Ratio {
            entrant: 2,
            against: 3,
            ratio: 0.9,
            low: 0.85,
            high: 0.95,
            verdict: Verdict::Slower,
            is_same: false,
        };
        contest.ratios.push(direct);
        let text = answer(&tied).text;
        assert!(text.starts_with("Use palette-matrix"), "{text}");
    }

    #[test]
    fn recommends_no_contestant_whose_error_shows() {
        let contestants = [
            ("control", 100, None),
            ("control again", 100, None),
            // 5.8 m on a character of 2 m: frames that are interpolated across fast motion.
            ("vertex unorm16", 90, Some(5800.0)),
            ("bone-local compressed", 80, Some(0.5)),
            ("palette-matrix", 70, None),
        ];
        let text = answer(&section(&contestants)).text;
        assert!(text.starts_with("Use bone-local compressed"), "{text}");
        assert!(
            text.contains("vertex unorm16 draws 112 % of that, at an error of up to 5800 mm"),
            "{text}"
        );
        // Where none is accurate, the fastest is still an answer, with its error.
        let text = answer(&section(&contestants[..3])).text;
        assert!(text.starts_with("Use vertex unorm16"), "{text}");
        assert!(text.contains("at most 5800.00 mm"), "{text}");
    }
}
