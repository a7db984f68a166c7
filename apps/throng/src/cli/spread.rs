//! Values that differ between instances.

/// One value, or a range that instances are spread over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Value of `unit` 0.
    pub from: f32,
    /// Value of `unit` 1.
    pub to: f32,
}

impl Spread {
    pub const fn new(from: f32, to: f32) -> Self {
        Self { from, to }
    }

    /// Returns the value at a number from 0 to 1.
    pub fn at(self, unit: f32) -> f32 {
        self.from + (self.to - self.from) * unit
    }
}

/// Parses `A` or `A..B`.
pub fn parse_spread(text: &str) -> Result<Spread, String> {
    let number = |text: &str| text.trim().parse().ok().filter(|x: &f32| x.is_finite());
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    match (number(from), number(to)) {
        (Some(from), Some(to)) => Ok(Spread { from, to }),
        _ => Err("expected a number, or a range such as 0.9..1.1".into()),
    }
}

/// Parses a number or range from 0 to 1.
pub fn parse_unit_spread(text: &str) -> Result<Spread, String> {
    let is_unit = |x: f32| (0.0..=1.0).contains(&x);
    parse_spread(text)
        .ok()
        .filter(|spread| is_unit(spread.from) && is_unit(spread.to))
        .ok_or_else(|| "expected a number from 0 to 1, or a range such as 0..1".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_numbers_and_ranges() {
        assert_eq!(parse_spread("-2"), Ok(Spread::new(-2.0, -2.0)));
        assert_eq!(parse_spread("0.9..1.1"), Ok(Spread::new(0.9, 1.1)));
        assert_eq!(parse_unit_spread("1..0"), Ok(Spread::new(1.0, 0.0)));
        assert_eq!(Spread::new(1.0, 3.0).at(0.25), 1.5);
        for bad in ["", "a", "1..", "..2", "nan", "1..inf", "1..2..3"] {
            assert!(parse_spread(bad).is_err(), "{bad}");
        }
        for bad in ["-0.1", "0..2"] {
            assert!(parse_unit_spread(bad).is_err(), "{bad}");
        }
    }
}
