//! Forest plots: ratios with their intervals, one below the other, around 1.

use super::axis::{Axis, bounds};
use super::line_plot::{CHARACTER, WIDTH};
use super::text::{escape, ratio};
use crate::stats::Verdict;

/// A forest plot.
pub struct Forest {
    /// Contestants by what they are compared with.
    pub blocks: Vec<Block>,
    /// Ratios within `1 ± margin` are no difference.
    pub margin: f64,
}

/// Ratios relative to the same contestant.
pub struct Block {
    pub against: String,
    pub rows: Vec<Row>,
}

/// A ratio.
pub struct Row {
    pub name: String,
    pub ratio: f64,
    pub interval: [f64; 2],
    pub verdict: Verdict,
    /// True for a pair of equal contestants.
    pub is_same: bool,
}

const LEFT: f64 = 8.0;
const RIGHT: f64 = WIDTH - 8.0;
const HEADING: f64 = 26.0;
const ROW: f64 = 40.0;
/// Distance of an interval from the top of its row.
const STRIP: f64 = 24.0;
const FOOT: f64 = 38.0;

impl Forest {
    /// Draws the plot.
    pub fn svg(&self) -> String {
        let axis = self.axis();
        let rows: f64 = self
            .blocks
            .iter()
            .map(|block| ROW * block.rows.len() as f64)
            .sum();
        let bottom = rows + HEADING * self.blocks.len() as f64 + 4.0;
        let mut y = 0.0;
        let (mut body, mut strips) = (String::new(), Strips::new(&axis, self.margin));
        for block in &self.blocks {
            body += &format!(
                "<text class=\"name\" x=\"{LEFT}\" y=\"{:.0}\">Throughput relative to {}</text>",
                y + 15.0,
                escape(&cut(&block.against, 38))
            );
            y += HEADING;
            for row in &block.rows {
                body += &row.svg(&block.against, &axis, y);
                strips.add(y + STRIP);
                y += ROW;
            }
        }
        format!(
            "<svg class=\"plot forest\" viewBox=\"0 0 {WIDTH} {:.0}\" role=\"img\" tabindex=\"0\" aria-label=\"{}\">\
             {}{}{body}</svg>\n",
            bottom + FOOT,
            escape(&self.label()),
            foot(&axis, bottom),
            strips.svg(),
        )
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.blocks.iter().flat_map(|block| &block.rows)
    }

    fn axis(&self) -> Axis {
        let margin = [(1.0 + self.margin).recip(), 1.0 + self.margin];
        let ends = self.rows().flat_map(|row| {
            let [low, high] = row.interval;
            // An interval without an end does not stretch the axis.
            [
                row.ratio,
                low.max(0.2 * row.ratio),
                high.min(5.0 * row.ratio),
            ]
        });
        let [low, high] = bounds(ends.filter(|end| *end > 0.0).chain(margin));
        Axis::log([low, high], [LEFT, RIGHT])
    }

    fn label(&self) -> String {
        let blocks = self.blocks.iter().map(|block| {
            let rows: Vec<String> = block.rows.iter().map(Row::words).collect();
            format!("relative to {}: {}", block.against, rows.join("; "))
        });
        let blocks: Vec<String> = blocks.collect();
        format!(
            "Throughput with 95 % confidence intervals, {}",
            blocks.join(". ")
        )
    }
}

/// Lines that intervals lie on, each with the margin and a mark at 1.
struct Strips {
    /// Ends of the margin, and 1.
    at: [f64; 3],
    lines: String,
    bands: String,
    ones: String,
}

impl Strips {
    fn new(axis: &Axis, margin: f64) -> Self {
        Self {
            at: [(1.0 + margin).recip(), 1.0 + margin, 1.0].map(|value| axis.at(value)),
            lines: String::new(),
            bands: String::new(),
            ones: String::new(),
        }
    }

    fn add(&mut self, y: f64) {
        let [low, high, one] = self.at;
        let top = y - 7.0;
        self.lines += &format!("M{LEFT} {y}H{RIGHT}");
        self.bands += &format!("M{low:.1} {top}H{high:.1}v14H{low:.1}z");
        self.ones += &format!("M{one:.1} {top}v14");
    }

    fn svg(&self) -> String {
        let Self {
            lines, bands, ones, ..
        } = self;
        format!(
            "<path class=\"grid\" d=\"{lines}\"/><path class=\"band\" d=\"{bands}\"/><path class=\"one\" d=\"{ones}\"/>"
        )
    }
}

/// The axis with its ticks.
fn foot(axis: &Axis, bottom: f64) -> String {
    let mut ticks = axis.ticks(56.0);
    Axis::thin_labels(&mut ticks, CHARACTER);
    let mut marks = format!("M{LEFT} {bottom:.0}H{RIGHT}");
    let mut labels = String::new();
    for tick in &ticks {
        marks += &format!("M{:.1} {bottom:.0}v4", tick.at);
        let half = 0.5 * CHARACTER * tick.label.chars().count() as f64;
        let x = tick.at.clamp(half, WIDTH - half);
        labels += &format!(
            "<text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>",
            bottom + 17.0,
            tick.label
        );
    }
    let hints = bottom + 33.0;
    format!(
        "<path class=\"axis\" d=\"{marks}\"/>{labels}\
         <text class=\"hint\" x=\"{LEFT}\" y=\"{hints:.0}\">← slower</text>\
         <text class=\"hint\" x=\"{RIGHT}\" y=\"{hints:.0}\" text-anchor=\"end\">faster →</text>"
    )
}

impl Row {
    fn svg(&self, against: &str, axis: &Axis, top: f64) -> String {
        let (text_y, y) = (top + 12.0, top + STRIP);
        let values = format!("{} {}", ratio(self.ratio), interval(self.interval));
        let verdict = self.verdict.to_string();
        let room = (RIGHT - LEFT) / (0.93 * CHARACTER)
            - (values.chars().count() + verdict.len() + 3) as f64;
        let name = match self.is_same {
            true => format!("{} (A/A)", self.name),
            false => self.name.clone(),
        };
        let [low, high] = self.interval.map(|end| axis.clamped(end));
        let mut bar = format!("M{low:.1} {y}H{high:.1}");
        for (end, at, direction) in [(self.interval[0], low, 1), (self.interval[1], high, -1)] {
            bar += &match axis.holds(end) {
                true => format!("M{at:.1} {}v6", y - 3.0),
                // Arrows at ends that are beyond the axis.
                false => format!(
                    "M{:.1} {}l{} 4l{} 4",
                    at + 5.0 * f64::from(direction),
                    y - 4.0,
                    -5 * direction,
                    5 * direction
                ),
            };
        }
        let class = class(self.verdict);
        format!(
            "<text x=\"{LEFT}\" y=\"{text_y}\">{}</text>\
             <text class=\"{class}\" x=\"{RIGHT}\" y=\"{text_y}\" text-anchor=\"end\">{values} \
             <tspan class=\"verdict\">{verdict}</tspan></text>\
             <g class=\"{class}\" data-n=\"{}\"><path class=\"e\" d=\"{bar}\"/>\
             <use href=\"#m0\" x=\"{:.1}\" y=\"{y}\"><title>{}</title></use></g>\n",
            escape(&cut(&name, room as usize)),
            escape(&name),
            axis.clamped(self.ratio),
            escape(&format!("{} relative to {against}", self.words())),
        )
    }

    fn words(&self) -> String {
        let values = format!("{} {}", ratio(self.ratio), interval(self.interval));
        format!("{} {values}, {}", self.name, self.verdict)
    }
}

/// Class of a verdict.
pub fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster",
        Verdict::Slower => "slower",
        Verdict::NoDifference => "equal",
        Verdict::Undecided => "undecided",
    }
}

/// An interval: `[0.981, 1.020]`.
pub fn interval([low, high]: [f64; 2]) -> String {
    format!("[{}, {}]", ratio(low), ratio(high))
}

/// Text of at most this many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    let start: String = text.chars().take(most.saturating_sub(1)).collect();
    start.trim_end().to_owned() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, ratio: f64, interval: [f64; 2]) -> Row {
        Row {
            name: name.into(),
            ratio,
            interval,
            verdict: Verdict::of(interval, 0.02),
            is_same: false,
        }
    }

    fn forest(rows: Vec<Row>) -> Forest {
        let block = Block {
            against: "<static>".into(),
            rows,
        };
        Forest {
            blocks: vec![block],
            margin: 0.02,
        }
    }

    #[test]
    fn ratios_and_the_margin_are_at_their_coordinates() {
        // The axis goes from 0.5 to 2 with 4 % of its length (in logarithms) as room: 1 is in the middle.
        let svg = forest(vec![row("a", 0.5, [0.5, 0.5]), row("b", 2.0, [1.0, 2.0])]).svg();
        let middle = 0.5 * (LEFT + RIGHT);
        let unit = (RIGHT - LEFT) / (2.0 * 1.08);
        let [low, high] = [middle - unit, middle + unit].map(|x| format!("{x:.1}"));
        assert!(
            svg.contains(&format!("<path class=\"one\" d=\"M{middle:.1} ")),
            "{svg}"
        );
        assert!(
            svg.contains(&format!("<use href=\"#m0\" x=\"{low}\"")),
            "{low} in {svg}"
        );
        assert!(
            svg.contains(&format!(
                "d=\"M{middle:.1} {}H{high}",
                HEADING + ROW + STRIP
            )),
            "{high} in {svg}"
        );
        let half_band = unit * 1.02f64.log2();
        assert!(svg.contains(&format!(
            "<path class=\"band\" d=\"M{:.1} ",
            middle - half_band
        )));
    }

    #[test]
    fn names_are_escaped_and_cut_to_the_room() {
        let long = "bone texture of dual quaternions with interpolation, unorm16".repeat(2);
        let svg = forest(vec![row(&long, 1.0, [0.99, 1.01])]).svg();
        assert!(svg.contains("&lt;static&gt;") && !svg.contains("<static>"));
        assert!(
            svg.contains("bone texture of dual…") || svg.contains("…</text>"),
            "{svg}"
        );
        // The whole name is in the tooltip.
        assert!(svg.contains(&format!("<title>{long} 1.000")));
    }

    #[test]
    fn intervals_without_an_end_stay_inside() {
        let svg = forest(vec![row("a", 1.1, [0.0, f64::INFINITY])]).svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(svg.contains("[0, ∞]") && svg.contains("undecided"));
        // A far end is drawn as an arrow, and does not stretch the axis.
        let far = forest(vec![row("a", 1.1, [1.0, 1e6])]).svg();
        assert!(far.contains("l5 4l-5 4") && !svg.contains("100k"), "{far}");
        let none = forest(vec![row("a", f64::NAN, [f64::NAN, f64::NAN])]).svg();
        assert!(!none.contains("NaN"), "{none}");
    }
}
