//! Axes of plots: from values to coordinates, and ticks.

use super::text;

/// Decades above which an axis is logarithmic.
const LOG_DECADES: f64 = 1.5;

/// An axis: a range of values on a range of coordinates.
#[derive(Debug, Clone, Copy)]
pub struct Axis {
    /// Smallest and largest value.
    domain: [f64; 2],
    /// Coordinates of both.
    range: [f64; 2],
    /// True for a logarithmic axis.
    is_log: bool,
}

/// A tick: its value, its coordinate and its label. Ticks without room for a label have an empty one.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    pub value: f64,
    pub at: f64,
    pub label: String,
}

impl Axis {
    /// An axis that holds all finite values with some room: logarithmic if they are positive and span more than
    /// 1.5 decades, else linear from zero.
    pub fn fit(values: impl IntoIterator<Item = f64>, range: [f64; 2]) -> Self {
        let [low, high] = bounds(values);
        if low > 0.0 && (high / low).log10() > LOG_DECADES {
            return Self::log([low, high], range);
        }
        let high = if high > 0.0 { 1.05 * high } else { 1.0 };
        Self {
            domain: [low.min(0.0), high],
            range,
            is_log: false,
        }
    }

    /// A logarithmic axis that holds positive values, with some room at both ends.
    pub fn log([low, high]: [f64; 2], range: [f64; 2]) -> Self {
        let room = (high / low).powf(0.04).max(1.01);
        Self {
            domain: [low / room, high * room],
            range,
            is_log: true,
        }
    }

    /// Coordinate of a value.
    pub fn at(&self, value: f64) -> f64 {
        let map = |value: f64| if self.is_log { value.ln() } else { value };
        let [low, high] = self.domain.map(map);
        let [from, to] = self.range;
        from + (map(value) - low) / (high - low) * (to - from)
    }

    /// Coordinate of a value, moved to the end of the axis if it is beyond. NaN is at the start.
    pub fn clamped(&self, value: f64) -> f64 {
        self.at(value.max(self.domain[0]).min(self.domain[1]))
    }

    /// Whether a value is on the axis.
    pub fn holds(&self, value: f64) -> bool {
        (self.domain[0]..=self.domain[1]).contains(&value)
    }

    /// Ticks at round numbers, about `spacing` units or more apart.
    pub fn ticks(&self, spacing: f64) -> Vec<Tick> {
        let [from, to] = self.range;
        let most = ((to - from).abs() / spacing).floor().max(2.0) as usize;
        let [low, high] = self.domain;
        let values = match self.is_log && (high / low).log10() > 1.0 {
            true => log_ticks(self.domain, most),
            false => linear_ticks(self.domain, most),
        };
        let tick = |value| Tick {
            value,
            at: self.at(value),
            label: text::short(value),
        };
        values.into_iter().map(tick).collect()
    }

    /// Removes labels that would touch the one before, for labels that take `width` units of the axis per character.
    pub fn thin_labels(ticks: &mut [Tick], width: f64) {
        let mut free_from = f64::NEG_INFINITY;
        ticks.sort_by(|a, b| a.at.total_cmp(&b.at));
        for tick in ticks {
            let half = 0.5 * width * tick.label.chars().count() as f64;
            if tick.at - half < free_from {
                tick.label.clear();
            } else {
                free_from = tick.at + half + width;
            }
        }
    }
}

/// Smallest and largest finite value; `[0, 1]` without any.
pub fn bounds(values: impl IntoIterator<Item = f64>) -> [f64; 2] {
    let finite = values.into_iter().filter(|value| value.is_finite());
    let ends = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    });
    if ends[0] > ends[1] { [0.0, 1.0] } else { ends }
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn linear_ticks([low, high]: [f64; 2], most: usize) -> Vec<f64> {
    let rough = (high - low) / most as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = step.into_iter().find(|step| *step >= 0.999 * rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|index| index as f64 * step).collect()
}

/// Powers of ten, with 2 and 5 times those where there is room, or only every few of them where there is not.
fn log_ticks([low, high]: [f64; 2], most: usize) -> Vec<f64> {
    let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let all = |factors: &[f64], step: usize| -> Vec<f64> {
        let powers = decades
            .clone()
            .filter(|power| power.rem_euclid(step as i32) == 0);
        powers
            .flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)))
            .filter(|tick| (low..=high).contains(tick))
            .collect()
    };
    let fits = |ticks: &Vec<f64>| ticks.len() <= most;
    let fine = [all(&[1.0, 2.0, 5.0], 1), all(&[1.0, 3.0], 1)].into_iter();
    let coarse = (1..).map(|step| all(&[1.0], step));
    fine.chain(coarse).find(fits).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(axis: &Axis, spacing: f64) -> Vec<f64> {
        axis.ticks(spacing).iter().map(|tick| tick.value).collect()
    }

    #[test]
    fn linear_axes_start_at_zero_and_place_values_in_proportion() {
        let axis = Axis::fit([4.0, 20.0], [210.0, 0.0]);
        assert_eq!(axis.at(0.0), 210.0);
        assert!((axis.at(10.0) - 110.0).abs() < 1e-9);
        assert!((axis.at(20.0) - 10.0).abs() < 1e-9);
        assert_eq!(values(&axis, 50.0), [0.0, 10.0, 20.0]);
    }

    #[test]
    fn values_over_more_than_one_and_a_half_decades_get_a_log_axis() {
        let axis = Axis::fit([1.0, 10_000.0], [0.0, 400.0]);
        let step = axis.at(100.0) - axis.at(10.0);
        assert!((axis.at(1000.0) - axis.at(100.0) - step).abs() < 1e-9);
        assert_eq!(values(&axis, 60.0), [1.0, 10.0, 100.0, 1000.0, 10_000.0]);
        assert!(!Axis::fit([1.0, 30.0], [0.0, 1.0]).is_log);
        assert!(Axis::fit([1.0, 32.0], [0.0, 1.0]).is_log);
        // Zero has no logarithm.
        assert!(!Axis::fit([0.0, 1e6], [0.0, 1.0]).is_log);
    }

    #[test]
    fn ticks_fit_the_room() {
        let wide = Axis::log([1.0, 1e9], [0.0, 300.0]);
        assert_eq!(values(&wide, 75.0), [1.0, 1e3, 1e6, 1e9]);
        let narrow = Axis::log([0.8, 1.2], [0.0, 300.0]);
        let ticks = values(&narrow, 50.0);
        assert_eq!(ticks.len(), 5, "{ticks:?}");
        assert!((ticks[2] - 1.0).abs() < 1e-12);
        let two = Axis::log([2.0, 60.0], [0.0, 300.0]);
        assert_eq!(values(&two, 50.0), [2.0, 5.0, 10.0, 20.0, 50.0]);
    }

    #[test]
    fn axes_of_no_values_or_one_are_usable() {
        for values in [vec![], vec![f64::NAN], vec![0.0], vec![5.0]] {
            let axis = Axis::fit(values.iter().copied(), [0.0, 100.0]);
            assert!(!axis.ticks(30.0).is_empty(), "{values:?}");
            assert!(axis.ticks(30.0).iter().all(|tick| tick.at.is_finite()));
        }
        assert!(Axis::log([1.0, 1.0], [0.0, 100.0]).at(1.0).is_finite());
        assert_eq!(bounds([f64::NAN]), [0.0, 1.0]);
    }

    #[test]
    fn labels_do_not_touch() {
        let tick = |at: f64, label: &str| Tick {
            value: at,
            at,
            label: label.into(),
        };
        let mut ticks = [tick(0.0, "1k"), tick(10.0, "2k"), tick(40.0, "5k")];
        Axis::thin_labels(&mut ticks, 7.0);
        assert_eq!(ticks.map(|tick| tick.label), ["1k", "", "5k"]);
    }
}
