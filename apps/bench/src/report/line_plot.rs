//! Line plots: values with error bars against a quantity, one line per contestant.

use super::axis::{Axis, Tick, bounds};
use super::looks;
use super::text::escape;

/// A line plot.
pub struct LinePlot<'a> {
    /// Name of the horizontal axis.
    pub x_label: &'a str,
    /// Name of the vertical axis.
    pub y_label: &'a str,
    /// Subject of the plot, for readers who cannot see it.
    pub subject: &'a str,
    /// Lines, in order of the legend.
    pub series: Vec<Series>,
    /// Horizontal lines at values of interest; those outside the axis are left out.
    pub guides: Vec<Guide>,
}

/// A line of a plot.
pub struct Series {
    pub name: String,
    /// Index of its look.
    pub look: usize,
    /// Points, by x.
    pub points: Vec<Mark>,
}

/// A point with its interval.
pub struct Mark {
    pub x: f64,
    pub y: f64,
    /// Ends of the error bar.
    pub interval: [f64; 2],
    /// Values in words.
    pub tip: String,
}

/// A horizontal line.
pub struct Guide {
    pub y: f64,
    pub label: String,
}

pub const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 304.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 430.0;
const TOP: f64 = 28.0;
const BOTTOM: f64 = 260.0;
/// Width of a character of a label.
pub const CHARACTER: f64 = 6.9;
/// Markers of a line are at least this far apart.
const MARKER_SPACING: f64 = 6.0;

impl LinePlot<'_> {
    /// Draws the plot.
    pub fn svg(&self) -> String {
        let (x, y) = self.axes();
        let mut x_ticks = x.ticks(60.0);
        Axis::thin_labels(&mut x_ticks, CHARACTER);
        let y_ticks = y.ticks(28.0);
        let names: Vec<&str> = self.series.iter().map(|line| line.name.as_str()).collect();
        let label = format!(
            "Line plot of {} against {}: {}. {}",
            self.y_label,
            self.x_label,
            self.subject,
            names.join(", ")
        );
        let lines = self.series.iter().enumerate();
        let lines: String = lines.map(|(index, line)| line.svg(index, &x, &y)).collect();
        format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" tabindex=\"0\" aria-label=\"{}\">{}{}\
             <text class=\"name\" x=\"2\" y=\"12\">{}</text>\
             <text class=\"name\" x=\"{RIGHT}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>{lines}</svg>\n",
            escape(&label),
            frame(&x_ticks, &y_ticks),
            self.guides(&y),
            escape(self.y_label),
            HEIGHT - 6.0,
            escape(self.x_label),
        )
    }

    /// The legend: a list beside the plot, with the line and the marker of each name.
    pub fn legend(&self) -> String {
        let entry = |(index, line): (usize, &Series)| {
            let (look, marker) = (line.look, looks::marker(line.look));
            format!(
                "<li class=\"k{look}\" data-s=\"{index}\"><svg width=\"30\" height=\"12\" aria-hidden=\"true\">\
                 <path class=\"l\" d=\"M1 6H29\"/><use href=\"#m{marker}\" x=\"15\" y=\"6\"/></svg>{}</li>",
                escape(&line.name)
            )
        };
        let entries: String = self.series.iter().enumerate().map(entry).collect();
        format!("<ul class=\"legend\">{entries}</ul>\n")
    }

    fn axes(&self) -> (Axis, Axis) {
        let marks = || self.series.iter().flat_map(|line| &line.points);
        let [low, high] = bounds(marks().map(|mark| mark.x));
        let x = match low > 0.0 && high / low > 31.7 {
            true => Axis::log([low, high], [LEFT, RIGHT]),
            false => Axis::fit(marks().map(|mark| mark.x), [LEFT, RIGHT]),
        };
        // An error bar that reaches zero does not stretch the axis.
        let ends =
            marks().flat_map(|mark| [mark.y, mark.interval[1], mark.interval[0].max(0.5 * mark.y)]);
        (x, Axis::fit(ends, [BOTTOM, TOP]))
    }

    fn guides(&self, y: &Axis) -> String {
        let mut lines = String::new();
        let mut labels: Vec<f64> = Vec::new();
        for guide in self.guides.iter().filter(|guide| y.holds(guide.y)) {
            let at = y.at(guide.y);
            lines += &format!("<path class=\"guide\" d=\"M{LEFT} {at:.1}H{RIGHT}\"/>");
            if labels.iter().all(|label| (label - at).abs() > 12.0) {
                labels.push(at);
                lines += &format!(
                    "<text class=\"hint\" x=\"{}\" y=\"{:.1}\">{}</text>",
                    LEFT + 4.0,
                    at - 3.0,
                    escape(&guide.label)
                );
            }
        }
        lines
    }
}

impl Series {
    fn svg(&self, index: usize, x: &Axis, y: &Axis) -> String {
        let (mut line, mut bars, mut marks) = (String::new(), String::new(), String::new());
        let (look, marker) = (self.look, looks::marker(self.look));
        let mut last_marker = [f64::NEG_INFINITY; 2];
        for (place, mark) in self.points.iter().enumerate() {
            let [at_x, at_y] = [x.at(mark.x), y.clamped(mark.y)];
            line += &format!("{at_x:.1},{at_y:.1} ");
            let is_last = place + 1 == self.points.len();
            let distance = (at_x - last_marker[0]).hypot(at_y - last_marker[1]);
            if distance < MARKER_SPACING && !is_last {
                continue;
            }
            last_marker = [at_x, at_y];
            let [low, high] = mark.interval.map(|end| y.clamped(end));
            // Shorter ones are hidden by the marker.
            if low - high > 4.0 {
                bars += &format!("M{:.1} {low:.1}h5m-2.5 0V{high:.1}m-2.5 0h5", at_x - 2.5);
            }
            marks += &format!(
                "<use href=\"#m{marker}\" x=\"{at_x:.1}\" y=\"{at_y:.1}\"><title>{}</title></use>",
                escape(&mark.tip)
            );
        }
        let bars = match bars.as_str() {
            "" => String::new(),
            bars => format!("<path class=\"e\" d=\"{bars}\"/>"),
        };
        format!(
            "<g class=\"k{look}\" data-s=\"{index}\" data-n=\"{}\"><polyline class=\"l\" points=\"{}\"/>{bars}{marks}</g>\n",
            escape(&self.name),
            line.trim_end(),
        )
    }
}

/// Grid, axes and labels of ticks.
fn frame(x_ticks: &[Tick], y_ticks: &[Tick]) -> String {
    let mut grid = String::new();
    let mut labels = String::new();
    for tick in y_ticks {
        grid += &format!("M{LEFT} {:.1}H{RIGHT}", tick.at);
        labels += &format!(
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            tick.at + 4.0,
            tick.label
        );
    }
    let mut axis = format!("M{LEFT} {BOTTOM}H{RIGHT}");
    for tick in x_ticks {
        axis += &format!("M{:.1} {BOTTOM}v4", tick.at);
        if !tick.label.is_empty() {
            labels += &format!(
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                tick.at,
                BOTTOM + 17.0,
                tick.label
            );
        }
    }
    format!("<path class=\"grid\" d=\"{grid}\"/><path class=\"axis\" d=\"{axis}\"/>{labels}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(x: f64, y: f64, half: f64) -> Mark {
        Mark {
            x,
            y,
            interval: [y - half, y + half],
            tip: format!("{x} {y}"),
        }
    }

    fn plot(points: Vec<Mark>) -> LinePlot<'static> {
        let series = Series {
            name: "<bone>".into(),
            look: 3,
            points,
        };
        let guide = |y: f64| Guide {
            y,
            label: format!("{y} fps"),
        };
        LinePlot {
            x_label: "instances",
            y_label: "ms",
            subject: "box",
            series: vec![series],
            guides: vec![guide(15.0), guide(500.0)],
        }
    }

    #[test]
    fn a_known_value_is_at_its_coordinates() {
        // The axes go from 0 to 1.05 × the largest value, error bars included.
        let svg = plot(vec![mark(50.0, 10.0, 0.0), mark(100.0, 20.0, 0.0)]).svg();
        let x = LEFT + (RIGHT - LEFT) / 2.1;
        let y = BOTTOM - (BOTTOM - TOP) / 2.1;
        let place = format!("<use href=\"#m3\" x=\"{x:.1}\" y=\"{y:.1}\"><title>50 10</title>");
        assert!(svg.contains(&place), "{place} in {svg}");
        assert!(!svg.contains("class=\"e\""));
    }

    #[test]
    fn error_bars_span_the_interval() {
        let svg = plot(vec![mark(50.0, 10.0, 10.0), mark(100.0, 19.0, 1.0)]).svg();
        let x = LEFT + (RIGHT - LEFT) / 2.1 - 2.5;
        let high = BOTTOM - (BOTTOM - TOP) * 20.0 / 21.0;
        let bar = format!("M{x:.1} {BOTTOM:.1}h5m-2.5 0V{high:.1}m-2.5");
        assert!(svg.contains(&bar), "{bar} in {svg}");
    }

    #[test]
    fn guides_outside_the_axis_are_left_out() {
        let svg = plot(vec![mark(50.0, 10.0, 0.0), mark(100.0, 20.0, 0.0)]).svg();
        assert!(svg.contains("15 fps") && !svg.contains("500 fps"));
    }

    #[test]
    fn names_are_escaped_in_plot_and_legend() {
        let plot = plot(vec![mark(1.0, 1.0, 0.0)]);
        for html in [plot.svg(), plot.legend()] {
            assert!(html.contains("&lt;bone&gt;") && !html.contains("<bone>"));
        }
    }

    #[test]
    fn crowded_markers_are_thinned_but_the_line_is_whole() {
        let points = (1..=1000).map(|i| mark(f64::from(i), 10.0, 0.0)).collect();
        let svg = plot(points).svg();
        let markers = svg.matches("<use").count();
        assert!((40..100).contains(&markers), "{markers}");
        let line = svg.split("points=\"").nth(1).unwrap();
        assert_eq!(line.split('"').next().unwrap().split(' ').count(), 1000);
    }
}
