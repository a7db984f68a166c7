//! The page: one HTML file without references to others.

use super::doubts::{alarm, caveats, undecided};
use super::group::Group;
use super::looks::{self, Looks};
use super::text::{count, date, duration, escape, fixed, plain};
use crate::record::{Report, RunState, ThresholdUnit};

/// Groups above which the page has a table of contents.
const MOST_WITHOUT_CONTENTS: usize = 3;

/// Writes a report as one HTML page, with plots as SVG. The page loads nothing.
///
/// Raw samples are not part of the page; [`csv`](super::csv) writes those.
pub fn html(report: &Report) -> String {
    let groups = Group::all(report);
    let looks = Looks::of(report);
    let title = format!("Throng benchmark: {}", report.suite);
    let contents = match groups.len() > MOST_WITHOUT_CONTENTS {
        true => contents(&groups),
        false => String::new(),
    };
    format!(
        "<!doctype html>\n<html lang=\"en-GB\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{}{}</style>\n</head>\n\
         <body>\n{}\n<header>\n<h1>{title}</h1>\n{}{}{}{}</header>\n{contents}<main>\n{}{}{}</main>\n\
         <div id=\"tip\" role=\"status\" aria-live=\"polite\" hidden></div>\n<script>\n{}</script>\n</body>\n</html>\n",
        include_str!("page.css"),
        looks::css(),
        looks::defs(),
        alarm(report),
        answers(report),
        state(report),
        caveats(report),
        experiments(report, &groups, &looks),
        undecided(report),
        about(report),
        include_str!("page.js"),
        title = escape(&title),
    )
}

fn answers(report: &Report) -> String {
    let answer = |answer: &crate::record::Answer| {
        format!(
            "<dt>{}</dt><dd>{}</dd>\n",
            escape(&answer.heading),
            escape(&answer.text)
        )
    };
    let answers: String = report.answers.iter().map(answer).collect();
    match answers.as_str() {
        "" => "<p class=\"answers\">No answers yet.</p>\n".into(),
        _ => format!("<dl class=\"answers\">\n{answers}</dl>\n"),
    }
}

fn state(report: &Report) -> String {
    let complete = report
        .sections
        .iter()
        .filter(|section| section.is_complete)
        .count();
    let spent = duration(report.elapsed_secs);
    let unfinished = |how: &str| {
        format!(
            "<b class=\"warn\">{how}</b> after {spent}: {complete} of {} complete; resume with <code>--resume</code>",
            count(report.sections.len(), "section")
        )
    };
    let state = match report.state {
        RunState::Complete => format!("<b>Complete</b> in {spent}: {}", count(complete, "section")),
        RunState::Interrupted => unfinished("Interrupted"),
        RunState::Running => unfinished("Running or killed"),
    };
    format!(
        "<p class=\"state\">{state}. Started {}. {} ({}), {}.</p>\n",
        date(report.started_unix_secs),
        escape(&report.machine.adapter),
        escape(&report.machine.backend),
        escape(&report.machine.cpu)
    )
}

/// Heading of a suite, by the first part of the names of its groups.
fn suite_title(name: &str) -> &str {
    match name {
        "character" => "Characters",
        "p0" => "P0: Skinned Animation Textures",
        "p1" => "P1: LBS, DQS and their blend",
        "p2" => "P2: Matrix palette skinning and dual quaternions",
        "p3" => "P3: Virtual bones",
        "p4" => "P4: Software and hardware skinning, instancing",
        "sizes" => "Bytes and error",
        "cpu" => "Skinning and sampling on the CPU",
        other => other,
    }
}

/// Groups with the suite that begins before each.
fn by_suite<'a>(
    groups: &'a [Group<'a>],
) -> impl Iterator<Item = (Option<&'a str>, usize, &'a Group<'a>)> {
    let mut last = None;
    groups.iter().enumerate().map(move |(index, group)| {
        let suite = group.path().0;
        let begins = last.replace(suite) != Some(suite);
        (begins.then_some(suite), index, group)
    })
}

fn contents(groups: &[Group]) -> String {
    let mut html = String::from("<nav aria-label=\"Contents\"><ul>\n");
    for (suite, index, group) in by_suite(groups) {
        if let Some(suite) = suite {
            html += &format!("<li class=\"suite\">{}</li>\n", escape(suite_title(suite)));
        }
        html += &format!(
            "<li><a href=\"#g{index}\">{}</a></li>\n",
            escape(&group.heading())
        );
    }
    html + "<li class=\"suite\">This run</li>\n<li><a href=\"#undecided\">What could not be decided</a></li>\n\
            <li><a href=\"#machine\">Machine and settings</a></li>\n\
            <li><a href=\"#method\">How it was measured</a></li>\n</ul></nav>\n"
}

fn experiments(report: &Report, groups: &[Group], looks: &Looks) -> String {
    let mut html = String::new();
    for (suite, index, group) in by_suite(groups) {
        if let Some(suite) = suite {
            html += &format!("<h2>{}</h2>\n", escape(suite_title(suite)));
        }
        html += &format!(
            "<section id=\"g{index}\"><h3>{} <small>{}</small></h3>\n{}</section>\n",
            escape(&group.heading()),
            escape(group.name),
            group.html(&report.settings, looks)
        );
    }
    html
}

/// The machine, the settings and the method.
fn about(report: &Report) -> String {
    let (machine, settings) = (&report.machine, &report.settings);
    let unit = match settings.threshold_unit {
        ThresholdUnit::Ms => "ms",
        ThresholdUnit::Part => "of the frame time",
    };
    let fps: Vec<String> = settings.fps.iter().map(|fps| plain(*fps)).collect();
    let [width, height] = settings.picture;
    let machine = [
        (
            "adapter",
            format!("{} ({})", machine.adapter, machine.device_type),
        ),
        ("graphics API", machine.backend.clone()),
        ("driver", machine.driver.clone()),
        (
            "processor",
            format!("{}, {}", machine.cpu, count(machine.cores, "logical core")),
        ),
        ("system", machine.os.clone()),
        (
            "Throng",
            format!("{}, {} build", machine.throng, machine.build),
        ),
        ("GPU times", machine.gpu_times.clone()),
    ];
    let rows = [
        ("suite", report.suite.clone()),
        ("picture", format!("{width} × {height} pixels")),
        ("settling", format!("{} ms", plain(settings.settle_ms))),
        ("sampling", format!("{} ms", plain(settings.sample_ms))),
        (
            "points kept between",
            format!(
                "{} and {} {unit}",
                plain(settings.threshold[0]),
                plain(settings.threshold[1])
            ),
        ),
        ("frame rates", fps.join(", ")),
        ("margin", format!("±{} %", plain(100.0 * settings.margin))),
        (
            "rounds",
            format!("{} to {}", settings.rounds[0], settings.rounds[1]),
        ),
        (
            "most instances",
            fixed(f64::from(settings.max_instances), 0),
        ),
        (
            "spacing",
            match settings.spacing_m {
                Some(metres) => format!("{} m", plain(metres)),
                None => "size of the character".into(),
            },
        ),
        ("longest run", longest(settings.max_secs)),
        ("seed", settings.seed.to_string()),
    ];
    format!(
        "<h2 id=\"machine\">Machine and settings</h2>\n<div class=\"pair\">{}{}</div>\n\
         <h2 id=\"method\">How it was measured</h2>\n<p>{}</p>\n\
         <p>Samples and results as numbers are in <code>samples.csv</code>, <code>results.csv</code> and \
         <code>report.json</code>, beside this page.</p>\n",
        list(&machine),
        list(&rows),
        method(report)
    )
}

fn longest(secs: f64) -> String {
    match secs.is_finite() {
        true => duration(secs),
        false => "no limit".into(),
    }
}

fn list(rows: &[(&str, String)]) -> String {
    let row =
        |(name, value): &(&str, String)| format!("<dt>{name}</dt><dd>{}</dd>\n", escape(value));
    let rows: String = rows.iter().map(row).collect();
    format!("<dl class=\"list\">\n{rows}</dl>\n")
}

fn method(report: &Report) -> String {
    let settings = &report.settings;
    let gpu = match report.machine.gpu_times.as_str() {
        "none" => "This device has no timestamps, so there are no GPU times.",
        _ => "GPU times are those of timestamps at both ends of the frame.",
    };
    format!(
        "Pictures are checked first: a contestant whose vertices differ from float64 skinning is not timed. A frame lasts \
         from its start until the device has finished it. {gpu} Frames are drawn for {} ms after every change, then \
         averaged for {} ms. In a contest, every contestant has one turn per round, in a random order, so that drift of \
         the machine falls on all of them. A ratio of throughputs is taken within each round; the result is the trimmed \
         mean over all rounds, and its 95 % confidence interval comes from resampling rounds (bootstrap). A contestant is \
         faster or slower only if the whole 99 % interval is outside 1 ± {} %, and there is no difference only if it is \
         inside; otherwise it is undecided. Verdicts use 99 %, because a contest is looked at several times while rounds are \
         added. One contestant takes part twice (the A/A pair): if the two differ, \
         the measurement is at fault. The rating is frames per second × instances. Error bars and ± are 95 % confidence intervals of the mean.",
        plain(settings.settle_ms),
        plain(settings.sample_ms),
        plain(100.0 * settings.margin),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::record::{Body, Section, Status};
    use crate::report::fixture::Example;

    /// Keys of texts that are parsed.
    const PARSED: [&str; 4] = ["kind", "state", "threshold_unit", "verdict"];

    const HOSTILE: &str = "<script>\"&'";

    /// Puts a name into every text of a report.
    fn with_names(report: &Report, name: &str) -> Report {
        fn replace(value: &mut Value, key: &str, name: &str) {
            match value {
                // Texts that are parsed are left alone.
                Value::String(_) if PARSED.contains(&key) => {}
                Value::String(text) => text.push_str(name),
                Value::Array(list) => {
                    for item in list {
                        replace(item, key, name);
                    }
                }
                Value::Object(map) => {
                    for (key, item) in map {
                        replace(item, key, name);
                    }
                }
                _ => {}
            }
        }
        let mut value = serde_json::to_value(report).unwrap();
        replace(&mut value, "", name);
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn text_of_the_report_is_escaped_everywhere() {
        let report = Example::DEFAULT.report();
        let plain = html(&report);
        let page = html(&with_names(&report, HOSTILE));
        // Only the page's own script, and as many tags as with harmless names.
        assert_eq!(page.matches("<script>").count(), 1);
        assert!(page.contains("&lt;script&gt;&quot;&amp;&#39;"));
        let quotes = |page: &str| page.matches('"').count();
        assert_eq!(quotes(&page), quotes(&html(&with_names(&report, "x"))));
        assert!(page.len() > plain.len());
    }

    #[test]
    fn a_report_of_sixty_sections_stays_below_three_megabytes() {
        let report = Example {
            models: 19,
            ..Example::DEFAULT
        }
        .report();
        assert!(report.sections.len() >= 60);
        let size = html(&report).len();
        assert!((500_000..3_000_000).contains(&size), "{size} bytes");
    }

    #[test]
    fn nothing_is_loaded() {
        let page = html(&Example::DEFAULT.report());
        for reference in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!page.contains(reference), "{reference}");
        }
        // References within the page have a target.
        for link in page.split("href=\"#").skip(1) {
            let id = link.split('"').next().unwrap();
            assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
        }
    }

    #[test]
    fn the_answer_comes_first_and_a_bad_pair_before_it() {
        let page = html(&Example::DEFAULT.report());
        assert!(!page.contains("role=\"alert\""));
        assert!(page.find("H1: dual").unwrap() < page.find("Complete</b> in 1 h 13 min").unwrap());
        let bad = Example {
            has_bad_pair: true,
            ..Example::DEFAULT
        };
        let page = html(&bad.report());
        assert!(page.find("role=\"alert\"").unwrap() < page.find("H1: dual").unwrap());
        assert!(page.contains("4 of 4 pairs"));
    }

    #[test]
    fn interrupted_runs_tell_how_to_resume() {
        let mut report = Example::DEFAULT.report();
        report.state = RunState::Interrupted;
        report.sections[1].is_complete = false;
        let page = html(&report);
        assert!(page.contains("10 of 11 sections complete; resume with <code>--resume</code>"));
        assert!(page.contains("Not finished: the run was interrupted here."));
        assert!(page.contains("<h3>Not finished</h3>"));
    }

    #[test]
    fn refused_and_undecided_contestants_are_listed_with_reasons() {
        let page = html(&Example::DEFAULT.report());
        let list = &page[page.find("id=\"undecided\"").unwrap()..];
        assert!(list.contains("<b>vertex rgba8</b>: max error of 14.2 mm"));
        assert!(list.contains("<b>bone-dq unorm16</b>: 3.1 mm from float64"));
        assert!(list.contains("ratios undecided"));
    }

    #[test]
    fn empty_and_broken_reports_give_a_page() {
        let mut report = Example::DEFAULT.report();
        let strip = |section: &mut Section| {
            section.entrants.truncate(2);
            match &mut section.body {
                Body::Curves { curves, .. } => {
                    curves.iter_mut().for_each(|curve| curve.points.clear());
                }
                Body::Contest(contest) => contest.rounds.clear(),
                Body::Table(table) => table.rows.clear(),
            }
        };
        report.sections.iter_mut().for_each(strip);
        report.sections[0].entrants[0].status = Status::Refused {
            reason: "no".into(),
        };
        assert!(!html(&report).contains("NaN"));
        report.sections.clear();
        report.answers.clear();
        assert!(html(&report).contains("No answers yet."));
    }
}
