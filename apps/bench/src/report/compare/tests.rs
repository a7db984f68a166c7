use super::*;
use crate::report::fixture::Example;

fn named(examples: &[(&str, Example)]) -> Vec<(String, Report)> {
    let named = examples.iter();
    named
        .map(|(name, example)| ((*name).to_owned(), example.report()))
        .collect()
}

const A: Example = Example::DEFAULT;
const B: Example = Example { seed: 2, ..A };
const SLOWER: Example = Example {
    seed: 3,
    slowdown: 1.1,
    ..A
};

/// Changes of the contestant that was made slower, and of all others.
fn split(run: &RunComparison) -> (Vec<&RatioChange>, Vec<&RatioChange>) {
    run.ratios
        .iter()
        .partition(|ratio| ratio.entrant == "bone-qt unorm16")
}

#[test]
fn a_change_of_ten_percent_is_found_and_none_else() {
    let comparison = compare(&named(&[("a", A), ("same", B), ("slower", SLOWER)]), 0.02);
    let [same, slower] = comparison.runs.as_slice() else {
        panic!("two runs are compared with the first");
    };
    assert!(
        same.ratios.iter().all(|ratio| rank(ratio.verdict) > 0),
        "{comparison}"
    );
    let (planted, others) = split(slower);
    assert_eq!(planted.len(), 4);
    for ratio in planted {
        assert_eq!(ratio.verdict, Verdict::Slower, "{ratio:?}");
        assert!((ratio.change * 1.1 - 1.0).abs() < 0.03, "{ratio:?}");
    }
    assert!(
        others.iter().all(|ratio| rank(ratio.verdict) > 0),
        "{comparison}"
    );
    // Clear changes come first, in the text as well.
    assert_eq!(slower.ratios[0].entrant, "bone-qt unorm16");
    let text = comparison.to_string();
    assert!(text.contains("0 faster, 4 slower"), "{text}");
}

#[test]
fn text_is_at_most_100_columns_wide() {
    let mut reports = named(&[("a", A), ("slower", SLOWER)]);
    reports[1].1.machine.driver = "another".into();
    for report in &mut reports {
        report.1.sections[1].entrants[4].name =
            "bone texture of quaternions and translations, unorm16".into();
    }
    let text = compare(&reports, 0.02).to_string();
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!((80..=100).contains(&widest.unwrap()), "{widest:?}\n{text}");
}

#[test]
fn times_are_compared_on_the_same_machine_only() {
    let mut reports = named(&[("a", A), ("b", SLOWER)]);
    let on_same = compare(&reports, 0.02);
    let times = &on_same.runs[0].times;
    let planted = times
        .iter()
        .filter(|time| time.entrant == "bone-qt unorm16");
    for time in planted.clone() {
        assert!(
            (time.after_ms / time.before_ms - 1.1).abs() < 0.04,
            "{time:?}"
        );
        assert_eq!(time.verdict, Verdict::Slower);
        assert!(time.p < 1e-6);
    }
    assert_eq!(planted.count(), 4);
    let software = times.iter().find(|time| time.section == "p4/vertices/986");
    assert_eq!(software.unwrap().instances, 25);
    reports[1].1.machine.cpu = "another".into();
    let elsewhere = &compare(&reports, 0.02).runs[0];
    assert!(elsewhere.times.is_empty() && !elsewhere.ratios.is_empty());
    assert_eq!(
        elsewhere.differences,
        ["processor: another, was AMD EPYC 7B13"]
    );
}

#[test]
fn sections_of_another_suite_match_by_character_and_contestants() {
    let mut reports = named(&[("a", A), ("b", B)]);
    for section in &mut reports[1].1.sections {
        section.id = section.id.replace("p0/box", "character/crate");
    }
    let run = &compare(&reports, 0.02).runs[0];
    let renamed = run
        .ratios
        .iter()
        .filter(|ratio| ratio.section_after.is_some());
    // Two contests of the box; the ratio of 60 fps is compared with that of 60 fps.
    assert_eq!(renamed.clone().count(), 18);
    for ratio in renamed {
        let after = ratio.section_after.as_ref().unwrap();
        assert_eq!(after.replace("character/crate", "p0/box"), ratio.section);
    }
    assert!(run.only_before.is_empty() && run.only_after.is_empty());
}

#[test]
fn sections_of_one_run_are_named() {
    let mut reports = named(&[("a", A), ("b", B)]);
    reports[0]
        .1
        .sections
        .retain(|section| section.id != "p0/table-9");
    reports[1]
        .1
        .sections
        .retain(|section| section.id != "p4/vertices/986");
    let run = &compare(&reports, 0.02).runs[0];
    assert_eq!(run.only_before, ["p4/vertices/986"]);
    assert_eq!(run.only_after, ["p0/table-9"]);
}

#[test]
fn changed_cells_are_listed() {
    let mut reports = named(&[("a", A), ("b", A)]);
    let tables = reports[1]
        .1
        .sections
        .iter_mut()
        .filter_map(|section| match &mut section.body {
            Body::Table(table) => Some(table),
            _ => None,
        });
    for table in tables {
        table.rows[0].cells[0] = Cell::number(0.09, "9 %");
        // Within the interval of the first run.
        table.rows[0].cells[1] = Cell::number(0.12, "12 %").with_interval(0.108, 0.132);
    }
    let run = &compare(&reports, 0.02).runs[0];
    assert_eq!(run.cells.len(), 1);
    let cell = &run.cells[0];
    assert_eq!(
        [&cell.row, &cell.column, &cell.after],
        ["GPU DQ", "paper, box", "9 %"]
    );
    assert_eq!(cell.change, Some(0.09 / 0.045));
    assert_eq!(run.same_cells, 11);
}

#[test]
fn runs_without_anything_in_common_say_so() {
    let mut reports = named(&[("a", A), ("b", A)]);
    reports[1].1.sections.clear();
    let comparison = compare(&reports, 0.02);
    assert!(comparison.to_string().contains("Nothing can be compared"));
    assert!(
        compare(&reports[..1], 0.02)
            .to_string()
            .contains("two or more reports")
    );
    assert_eq!(compare(&[], 0.02).runs, []);
    assert!(
        serde_json::to_string(&comparison)
            .unwrap()
            .contains("only_before")
    );
}
