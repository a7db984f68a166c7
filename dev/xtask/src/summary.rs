//! Test counts, summed over the `test result:` lines of libtest.

use std::fmt;

/// Sum of test results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    /// Ignored tests.
    pub skipped: u64,
    /// Number of `test result:` lines.
    pub results: u64,
}

impl Counts {
    /// Adds every `test result:` line of a test program's output.
    pub fn add_output(&mut self, output: &str) {
        for line in output.lines() {
            let Some(result) = line.strip_prefix("test result:") else {
                continue;
            };
            self.results += 1;
            // `ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s`
            let words: Vec<&str> = result.split([' ', ';', '.']).collect();
            for pair in words.windows(2) {
                let Ok(count) = pair[0].parse::<u64>() else {
                    continue;
                };
                match pair[1] {
                    "passed" => self.passed += count,
                    "failed" => self.failed += count,
                    "ignored" => self.skipped += count,
                    _ => {}
                }
            }
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            passed,
            failed,
            skipped,
            ..
        } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// Distinct lines in which tests report that they skipped a check, e.g. without test assets.
pub fn skip_lines(output: &str) -> impl Iterator<Item = &str> {
    output.lines().filter(|line| line.starts_with("skipped: "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_the_result_lines_of_libtest() {
        let mut counts = Counts::default();
        counts.add_output(
            "running 3 tests\ntest a ... ok\n\n\
             test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s\n\
             test result: FAILED. 2 passed; 30 failed; 0 ignored; 0 measured; 0 filtered out; finished in 9.99s\n",
        );
        let expected = Counts {
            passed: 14,
            failed: 30,
            skipped: 1,
            results: 2,
        };
        assert_eq!(counts, expected);
        assert_eq!(counts.to_string(), "14 passed, 30 failed, 1 skipped");
    }
}
