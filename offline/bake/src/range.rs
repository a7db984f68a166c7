//! Ranges with exact float32 values.

use throng_format::Range;

/// Builds a range from values.
#[derive(Debug, Clone)]
pub(crate) struct RangeBuilder {
    min: Vec<f64>,
    max: Vec<f64>,
}

impl RangeBuilder {
    /// Creates a builder for a number of components.
    pub fn new(components: usize) -> Self {
        Self {
            min: vec![f64::INFINITY; components],
            max: vec![f64::NEG_INFINITY; components],
        }
    }

    /// Extends the range by one value per component.
    pub fn add(&mut self, numbers: &[f64]) {
        for (component, &x) in numbers.iter().enumerate() {
            self.min[component] = self.min[component].min(x);
            self.max[component] = self.max[component].max(x);
        }
    }

    /// Returns the range. Its values are exact in float32, so that decoders of either precision agree.
    pub fn build(&self) -> Range {
        let (mut center, mut half_extent) = (Vec::new(), Vec::new());
        for (&min, &max) in self.min.iter().zip(&self.max) {
            if min > max {
                center.push(0.0);
                half_extent.push(0.0);
                continue;
            }
            let middle = f64::from((0.5 * (min + max)) as f32);
            let half = (max - middle).max(middle - min);
            let rounded = half as f32;
            let up = if f64::from(rounded) < half {
                rounded.next_up()
            } else {
                rounded
            };
            center.push(middle);
            half_extent.push(f64::from(up));
        }
        Range {
            center,
            half_extent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_contains_its_values_and_is_exact_in_float32() {
        let mut builder = RangeBuilder::new(2);
        builder.add(&[0.1, -3.0]);
        builder.add(&[0.7, -3.0]);
        let range = builder.build();
        for numbers in [&range.center, &range.half_extent] {
            assert!(numbers.iter().all(|&x| f64::from(x as f32) == x));
        }
        assert!(range.center[0] - range.half_extent[0] <= 0.1);
        assert!(range.center[0] + range.half_extent[0] >= 0.7);
        assert_eq!((range.center[1], range.half_extent[1]), (-3.0, 0.0));
    }
}
