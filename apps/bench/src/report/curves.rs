//! Curves on the page: frames per second against instances.

use super::line_plot::{Guide, LinePlot, Mark, Series};
use super::looks::Looks;
use super::parts::{details, figure, prose};
use super::summary::{Mean, break_point, kept};
use super::tables::{Html, Line, entrant_name, name, remark};
use super::text::{count, escape, fixed, number, plain};
use crate::record::{Curve, Entrant, Section};

/// Writes the curves of a section: the plot, the break points at frame rates, and all points on demand.
pub fn curves(
    section: &Section,
    curves: &[Curve],
    guides: Vec<Guide>,
    fps: &[f64],
    looks: &Looks,
) -> String {
    let plot = curve_plot(section, curves, guides, looks);
    let points: usize = curves.iter().map(|curve| kept(curve).len()).sum();
    let text = prose(section) + &plot.legend();
    let html = figure(&[plot.svg()], &text) + &curve_table(section, curves, fps);
    match points {
        0 => html,
        _ => html + &details("", &count(points, "point"), &point_table(section, curves)),
    }
}

fn curve_plot<'a>(
    section: &'a Section,
    curves: &[Curve],
    guides: Vec<Guide>,
    looks: &Looks,
) -> LinePlot<'a> {
    let curves: Vec<&Curve> = curves
        .iter()
        .filter(|curve| !kept(curve).is_empty())
        .collect();
    let names: Vec<&str> = curves
        .iter()
        .map(|curve| entrant_name(section, curve.entrant))
        .collect();
    let looks = looks.assign(&names);
    let line = |(index, curve): (usize, &&Curve)| Series {
        name: names[index].to_owned(),
        look: looks[index],
        points: kept(curve)
            .into_iter()
            .map(|point| {
                let turn = &point.turn;
                let mean = Mean::of(&turn.frames_ms);
                let [low, high] = mean.interval();
                Mark {
                    x: f64::from(turn.instances),
                    y: 1e3 / mean.value,
                    interval: [
                        1e3 / high,
                        if low > 0.0 {
                            1e3 / low
                        } else {
                            1e3 / mean.value
                        },
                    ],
                    tip: format!(
                        "{}: {}, {} frames/s, {} ms",
                        names[index],
                        count(turn.instances as usize, "instance"),
                        number(1e3 / mean.value, 3),
                        number(mean.value, 3)
                    ),
                }
            })
            .collect(),
    };
    LinePlot {
        x_label: "instances",
        y_label: "frames per second",
        subject: &section.title,
        series: curves.iter().enumerate().map(line).collect(),
        guides,
    }
}

/// Ends and break points of all curves, with contestants that have none.
fn curve_table(section: &Section, curves: &[Curve], fps: &[f64]) -> String {
    let mut columns = vec![
        ("contestant".to_owned(), false),
        ("points".into(), true),
        ("most instances".into(), true),
    ];
    columns.extend(
        fps.iter()
            .map(|fps| (format!("instances at {} fps", plain(*fps)), true)),
    );
    columns.push((String::new(), false));
    let row = |(index, entrant): (usize, &Entrant)| {
        if let Some(remark) = remark(entrant) {
            return Some(remark);
        }
        let curve = curves.iter().find(|curve| curve.entrant == index)?;
        let points = kept(curve);
        let most = points.last().map(|point| f64::from(point.turn.instances));
        let mut cells = vec![
            name(entrant),
            points.len().to_string(),
            most.map(|most| fixed(most, 0)).unwrap_or_default(),
        ];
        cells.extend(fps.iter().map(|fps| {
            let at = break_point(curve, *fps);
            at.map(|at| number(at, 3)).unwrap_or_default()
        }));
        let state = if curve.is_complete { "" } else { "ends early" };
        cells.push(state.into());
        Some(Line::Cells(cells))
    };
    Html {
        columns,
        rows: section
            .entrants
            .iter()
            .enumerate()
            .filter_map(row)
            .collect(),
    }
    .write()
}

/// Kept points of all curves.
fn point_table(section: &Section, curves: &[Curve]) -> String {
    let columns = [
        "contestant",
        "instances",
        "frames",
        "ms per frame",
        "frames/s",
        "CPU ms",
        "GPU ms",
    ];
    let columns = columns
        .iter()
        .enumerate()
        .map(|(index, name)| ((*name).to_owned(), index > 0));
    let row = |curve: &Curve| {
        let name = escape(entrant_name(section, curve.entrant));
        let rows = kept(curve).into_iter().map(move |point| {
            let turn = &point.turn;
            Line::Cells(vec![
                name.clone(),
                fixed(f64::from(turn.instances), 0),
                turn.frames_ms.len().to_string(),
                number(turn.mean_ms(), 3),
                number(1e3 / turn.mean_ms(), 3),
                number(turn.cpu_ms, 3),
                turn.gpu_ms.map(|ms| number(ms, 3)).unwrap_or_default(),
            ])
        });
        rows.collect::<Vec<_>>()
    };
    Html {
        columns: columns.collect(),
        rows: curves.iter().flat_map(row).collect(),
    }
    .write()
}
