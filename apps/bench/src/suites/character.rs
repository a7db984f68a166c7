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
        title: name,
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

/// Contestants that are animated and drew, the best first. Those whose intervals overlap that of the fastest are as good as
/// it for all that is known; among them, texture sets come before work of the CPU, and small sets before large ones.
fn ranking(contested: &Contested<'_>) -> Vec<usize> {
    let section = contested.section;
    let mut animated: Vec<usize> = (2..section.entrants.len())
        .filter(|&at| {
            section.entrants[at].status == Status::Measured && contested.contest.instances[at] > 0
        })
        .collect();
    let ratio = |at: usize| contested.ratio(at, 0);
    let fastest = animated.iter().filter_map(|&at| ratio(at));
    let fastest = fastest.max_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let least = fastest.map_or(0.0, |ratio| ratio.low);
    let is_tied = |at: usize| ratio(at).is_some_and(|ratio| ratio.high >= least);
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
    let smallest = (2..section.entrants.len())
        .filter(|&at| section.entrants[at].status == Status::Measured)
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
