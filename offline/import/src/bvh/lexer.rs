//! Words, braces and numbers of a file, and line numbers for errors.

use std::borrow::Cow;

use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::MAX_NAME_BYTES;

/// Maximum number of characters of a word that an error quotes.
const MAX_QUOTED_CHARS: usize = 40;

/// Reads a file from front to back. White space and line ends separate words; braces are words of their own. A word that
/// starts with `#` or `//` starts a comment, up to the end of the line.
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(file: &'a [u8]) -> Self {
        let at = match file.starts_with(b"\xef\xbb\xbf") {
            true => 3,
            false => 0,
        };
        Self { bytes: file, at }
    }

    /// Offset of the next byte.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Number of bytes that are not read yet.
    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn skip_space(&mut self) {
        let rest = &self.bytes[self.at..];
        let space = rest.iter().take_while(|byte| is_space(**byte)).count();
        self.at += space;
    }

    fn skip_space_and_comments(&mut self) {
        loop {
            self.skip_space();
            let rest = &self.bytes[self.at..];
            if !rest.starts_with(b"#") && !rest.starts_with(b"//") {
                return;
            }
            self.at += rest.iter().take_while(|byte| !is_line_end(**byte)).count();
        }
    }

    /// Returns the next word without taking it; empty at the end of the file.
    pub(super) fn peek(&mut self) -> &'a [u8] {
        self.skip_space_and_comments();
        let rest = &self.bytes[self.at..];
        let length = match rest.first() {
            Some(b'{' | b'}') => 1,
            _ => rest
                .iter()
                .take_while(|byte| !is_space(**byte) && !matches!(byte, b'{' | b'}'))
                .count(),
        };
        &rest[..length]
    }

    /// Takes the next word; empty at the end of the file.
    pub(super) fn word(&mut self) -> &'a [u8] {
        let word = self.peek();
        self.at += word.len();
        word
    }

    /// Takes the next word if it is `keyword`, in upper or lower case. A colon ends a keyword.
    pub(super) fn take(&mut self, keyword: &str) -> bool {
        let word = self.peek();
        let length = word.iter().take_while(|byte| **byte != b':').count();
        let found = word[..length].eq_ignore_ascii_case(keyword.as_bytes());
        if found {
            self.at += length;
        }
        found
    }

    /// Takes a colon if there is one.
    pub(super) fn take_colon(&mut self) {
        if self.peek().starts_with(b":") {
            self.at += 1;
        }
    }

    /// Takes a name: everything up to the end of the line or an opening brace, so that names may contain spaces. Empty
    /// if a brace follows.
    pub(super) fn name(&mut self) -> Outcome<Cow<'a, str>> {
        self.skip_space();
        let start = self.at;
        let rest = &self.bytes[start..];
        let end = rest.iter().position(|b| is_line_end(*b) || *b == b'{');
        let name = rest[..end.unwrap_or(rest.len())].trim_ascii();
        self.at += end.unwrap_or(rest.len());
        if name.len() > MAX_NAME_BYTES {
            let problem = format!("has a name of {} bytes", name.len());
            let object = self.line_object(start);
            return Err(Fault::limit(
                object,
                problem,
                "MAX_NAME_BYTES",
                MAX_NAME_BYTES,
            ));
        }
        Ok(String::from_utf8_lossy(name))
    }

    /// Takes a finite number. `None` if the next word is not one, and is not taken.
    pub(super) fn number(&mut self) -> Option<f64> {
        let word = self.peek();
        let number: f64 = std::str::from_utf8(word).ok()?.parse().ok()?;
        if !number.is_finite() {
            return None;
        }
        self.at += word.len();
        Some(number)
    }

    /// Takes a whole number that is not negative. `None` if the next word is not one, and is not taken.
    pub(super) fn whole_number(&mut self) -> Option<usize> {
        let word = self.peek();
        let number = std::str::from_utf8(word).ok()?.parse().ok()?;
        self.at += word.len();
        Some(number)
    }

    /// Quotes the next word for an error.
    pub(super) fn found(&mut self) -> String {
        match self.peek() {
            [] => "the end of the file".into(),
            word => quoted(word),
        }
    }

    /// Number of words up to the end of the file.
    pub(super) fn count_words(mut self) -> usize {
        let mut words = 0;
        while !self.word().is_empty() {
            words += 1;
        }
        words
    }

    /// Returns `line 12` for the line of a byte. Lines end with LF, CR or both.
    pub(super) fn line_object(&self, at: usize) -> String {
        let before = &self.bytes[..at.min(self.bytes.len())];
        let ends = before.iter().enumerate().filter(|(index, byte)| {
            **byte == b'\n' || **byte == b'\r' && self.bytes.get(index + 1) != Some(&b'\n')
        });
        format!("line {}", 1 + ends.count())
    }

    /// Returns the fault of a file whose words are not in order, at the next word.
    pub(super) fn unexpected(&mut self, joint: Option<&str>, expected: &str) -> Fault {
        let found = self.found();
        let mut object = self.line_object(self.at);
        if let Some(name) = joint {
            object = format!("{object}, {}", joint_object(name));
        }
        let remedy = match self.left() {
            0 => "the file is truncated: copy or export it again",
            _ => "correct the line or export the file again",
        };
        let problem = format!("found {found}, expected {expected}");
        Fault::new(ErrorKind::Container, object, problem).remedy(remedy)
    }
}

/// Formats the name of a joint for errors and warnings.
pub(super) fn joint_object(name: &str) -> String {
    format!("joint '{}'", name.escape_debug())
}

/// Quotes a word, shortened and escaped.
fn quoted(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(&word[..word.len().min(4 * MAX_QUOTED_CHARS)]);
    let mut short: String = text.chars().take(MAX_QUOTED_CHARS).collect();
    if short.len() < word.len() {
        short.push('…');
    }
    format!("'{}'", short.escape_debug())
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0 | 0x0b)
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_words_and_comments_are_skipped() {
        let mut lexer = Lexer::new(b"\xef\xbb\xbfROOT{# a\r\n// b\n}x");
        let words: Vec<&[u8]> = (0..5).map(|_| lexer.word()).collect();
        assert_eq!(words, [&b"ROOT"[..], b"{", b"}", b"x", b""]);
    }

    #[test]
    fn names_may_contain_spaces_and_colons() {
        let mut lexer = Lexer::new(b" mixamorig:Left Arm \t{ }");
        assert_eq!(lexer.name().unwrap(), "mixamorig:Left Arm");
        assert_eq!(lexer.word(), b"{");
        assert_eq!(Lexer::new(b"\n{").name().unwrap(), "");
        assert_eq!(Lexer::new(b"\r\nHips\r\n{").name().unwrap(), "Hips");
    }

    #[test]
    fn rejects_names_over_the_limit() {
        let long = "x".repeat(MAX_NAME_BYTES + 1);
        let fault = Lexer::new(long.as_bytes()).name().unwrap_err();
        let error = fault.in_file("a.bvh").to_string();
        assert!(
            error.contains("line 1: has a name of 1025 bytes"),
            "{error}"
        );
        assert!(error.contains("MAX_NAME_BYTES"), "{error}");
    }

    #[test]
    fn numbers_are_finite() {
        for (text, expected) in [
            ("-1.5e-3", Some(-1.5e-3)),
            ("+2", Some(2.0)),
            (".5", Some(0.5)),
            ("5.", Some(5.0)),
            ("1E2", Some(100.0)),
            ("nan", None),
            ("-inf", None),
            ("1e999", None),
            ("1,5", None),
            ("", None),
        ] {
            assert_eq!(Lexer::new(text.as_bytes()).number(), expected, "{text}");
        }
        assert_eq!(Lexer::new(b"-3").whole_number(), None);
        assert_eq!(Lexer::new(b"99999999999999999999999").whole_number(), None);
        assert_eq!(Lexer::new(b"12 ").whole_number(), Some(12));
    }

    #[test]
    fn lines_end_with_lf_cr_or_both() {
        let lexer = Lexer::new(b"a\nb\r\nc\rd");
        let lines = [0, 2, 5, 7].map(|at| lexer.line_object(at));
        assert_eq!(lines, ["line 1", "line 2", "line 3", "line 4"]);
    }

    #[test]
    fn long_words_are_shortened_in_errors() {
        let word = "é".repeat(1000);
        let mut lexer = Lexer::new(word.as_bytes());
        assert!(lexer.found().chars().count() <= MAX_QUOTED_CHARS + 3);
        assert_eq!(Lexer::new(b"  ").found(), "the end of the file");
    }
}
