//! Warnings about objects: one per kind, with the number of objects and the names of the first few.

use std::fmt::Write as _;

use crate::Warning;
use crate::error::ErrorKind;
use crate::warning::count;

use super::ogawa::{Read, ReadError};

/// Objects that a warning names.
const NAMED_OBJECTS: usize = 4;

/// Kind of a warning about an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notice {
    /// A transform that shears.
    Sheared,
    /// A mesh that cannot be drawn, and the reason.
    Skipped(&'static str),
    /// A mesh without normals. The number is that of its points.
    NormalsComputed,
    /// Values that are invalid.
    Dropped(&'static str),
    /// Values that change over time, of which the first sample is used.
    Held(&'static str),
    /// Normals in too many samples to find the corners that always share one.
    NormalsNotCompared,
    /// Faces of fewer than 3 corners, and their number.
    SmallFaces,
    /// A subdivision surface.
    Cage,
    /// A mesh that is hidden, always or in some frames.
    Hidden,
    /// Vertex colours, and the number of attributes.
    Colors,
    /// Texture coordinates beside the first set, and the number of sets.
    UvSets,
}

/// Warnings about the objects of a file so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    notice: Notice,
    /// Labels of the first objects.
    named: Vec<String>,
    objects: usize,
    /// Sum of the numbers of the objects.
    number: usize,
    /// Reason of the first object.
    reason: String,
    /// True if another object has another reason.
    has_other_reasons: bool,
}

impl Report {
    /// Adds an object to the warning of a kind.
    pub(super) fn add(&mut self, notice: Notice, object: &str) {
        self.add_number(notice, object, 1);
    }

    /// Adds an object and a number, such as that of its faces, to the warning of a kind.
    pub(super) fn add_number(&mut self, notice: Notice, object: &str, number: usize) {
        self.push(notice, object, number, "");
    }

    /// Turns invalid values into a warning. Limits and files that cannot be read stay errors.
    pub(super) fn dropped<T>(
        &mut self,
        found: Read<Option<T>>,
        name: &'static str,
        object: &str,
    ) -> Read<Option<T>> {
        match found {
            Err(ReadError {
                kind: ErrorKind::Data,
                problem,
                ..
            }) => {
                self.push(Notice::Dropped(name), object, 1, &problem);
                Ok(None)
            }
            other => other,
        }
    }

    fn push(&mut self, notice: Notice, object: &str, number: usize, reason: &str) {
        let known = self.entries.iter().position(|e| e.notice == notice);
        let index = known.unwrap_or_else(|| {
            self.entries.push(Entry {
                notice,
                named: Vec::new(),
                objects: 0,
                number: 0,
                reason: reason.to_owned(),
                has_other_reasons: false,
            });
            self.entries.len() - 1
        });
        let entry = &mut self.entries[index];
        entry.objects += 1;
        entry.number = entry.number.saturating_add(number);
        entry.has_other_reasons |= entry.reason != reason;
        if entry.named.len() < NAMED_OBJECTS {
            entry.named.push(object.to_owned());
        }
    }

    /// Adds the warnings, in the order in which their kinds were found.
    pub(super) fn finish(self, warnings: &mut Vec<Warning>) {
        warnings.extend(self.entries.into_iter().map(Entry::warning));
    }
}

impl Entry {
    fn warning(self) -> Warning {
        let objects = self.labels();
        let number = self.number;
        let unused = |problem: String| Warning::Unused {
            what: format!("{objects}: {problem}"),
        };
        match self.notice {
            Notice::Sheared => Warning::NodeSheared { node: objects },
            Notice::Skipped(reason) => Warning::PrimitiveSkipped {
                mesh: objects,
                reason: reason.to_owned(),
            },
            Notice::NormalsComputed => Warning::NormalsComputed {
                mesh: objects,
                vertices: number,
            },
            Notice::Dropped(attribute) => Warning::AttributeDropped {
                mesh: objects,
                attribute: attribute.to_owned(),
                reason: match self.has_other_reasons {
                    true => format!("for example, {}", self.reason),
                    false => self.reason,
                },
            },
            Notice::Held(what) => unused(format!(
                "{what} change over time; used those of the first sample"
            )),
            Notice::NormalsNotCompared => unused(
                "normals change in too many samples to compare; every corner is a vertex"
                    .to_owned(),
            ),
            Notice::SmallFaces => {
                let faces = count(number, "face", "faces");
                unused(format!("ignored {faces} of fewer than 3 corners"))
            }
            Notice::Cage => unused("subdivision surface; used the cage, not subdivided".to_owned()),
            Notice::Hidden => unused("hidden, always or at times; drawn in every frame".to_owned()),
            Notice::Colors => {
                let colors = count(number, "colour attribute", "colour attributes");
                unused(format!("ignored {colors}"))
            }
            Notice::UvSets => {
                let sets = count(number, "further set", "further sets");
                unused(format!("ignored {sets} of texture coordinates"))
            }
        }
    }

    /// Lists the objects: `object '/a', object '/b' and 3 more`.
    fn labels(&self) -> String {
        let mut labels = self.named.join(", ");
        let more = self.objects - self.named.len();
        if more > 0 {
            let _ = write!(labels, " and {more} more");
        }
        labels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_one_warning_that_names_the_first_objects() {
        let mut report = Report::default();
        for i in 0..1000 {
            let object = format!("object '/{i}'");
            report.add(Notice::Sheared, &object);
            report.add_number(Notice::NormalsComputed, &object, 3);
            let invalid: Read<Option<()>> = Err(ReadError::data(format_args!("reason {i}")));
            assert!(report.dropped(invalid, "uv", &object).unwrap().is_none());
        }
        let mut warnings = Vec::new();
        report.finish(&mut warnings);
        let text: Vec<String> = warnings.iter().map(Warning::to_string).collect();
        let objects = "object '/0', object '/1', object '/2', object '/3' and 996 more";
        assert_eq!(text.len(), 3);
        assert!(
            text.iter().all(|text| text.starts_with(objects)),
            "{text:?}"
        );
        assert!(text[1].contains("3000 vertices"), "{}", text[1]);
        assert!(
            text[2].ends_with("uv: for example, reason 0"),
            "{}",
            text[2]
        );
    }

    #[test]
    fn limits_stay_errors() {
        let limit: Read<Option<()>> = Err(ReadError::limit("too much", "MAX", 1));
        assert!(Report::default().dropped(limit, "N", "").is_err());
    }
}
