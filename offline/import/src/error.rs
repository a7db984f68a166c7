//! Import errors.

use std::fmt;

use thiserror::Error;

/// Category of an import error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Unsupported file type or unknown built-in character.
    UnknownSource,
    /// The file or a side file could not be read.
    Io,
    /// Invalid container: header, chunks or JSON.
    Container,
    /// A side file is outside the asset's folder, or its URI is invalid.
    Path,
    /// The file requires an unsupported feature.
    Unsupported,
    /// An index is out of range.
    Reference,
    /// Invalid data.
    Data,
    /// Nodes do not form a tree.
    Hierarchy,
    /// A limit of [`crate::limits`] was exceeded.
    Limit,
}

/// Import error: the file, the object in it, the problem and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct ImportError {
    /// File path or `builtin:NAME`.
    pub source_name: String,
    /// Category.
    pub kind: ErrorKind,
    /// Object that is invalid, such as `mesh 2 'Body' primitive 0`; empty for the file itself.
    pub object: String,
    /// Problem, with the value that was found.
    pub problem: String,
    /// Remedy; may be empty.
    pub remedy: String,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.source_name)?;
        if !self.object.is_empty() {
            write!(f, "{}: ", self.object)?;
        }
        write!(f, "{}", self.problem)?;
        if !self.remedy.is_empty() {
            write!(f, "; {}", self.remedy)?;
        }
        Ok(())
    }
}

/// Default remedy, for files that violate their format.
pub(crate) const RE_EXPORT: &str = "re-export the file or repair it with another tool";

/// An [`ImportError`] without the name of its file.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    kind: ErrorKind,
    object: String,
    problem: String,
    remedy: String,
}

impl Fault {
    pub(crate) fn new(
        kind: ErrorKind,
        object: impl Into<String>,
        problem: impl fmt::Display,
    ) -> Self {
        Self {
            kind,
            object: object.into(),
            problem: problem.to_string(),
            remedy: RE_EXPORT.to_owned(),
        }
    }

    /// Creates a fault of kind [`ErrorKind::Data`].
    pub(crate) fn data(object: impl Into<String>, problem: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Data, object, problem)
    }

    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// Creates a fault of kind [`ErrorKind::Limit`]; `name` is the constant in [`crate::limits`].
    pub(crate) fn limit(
        object: impl Into<String>,
        problem: impl fmt::Display,
        name: &str,
        limit: impl fmt::Display,
    ) -> Self {
        Self::new(ErrorKind::Limit, object, problem).remedy(format!("the limit {name} is {limit}"))
    }

    pub(crate) fn in_file(self, source_name: &str) -> ImportError {
        ImportError {
            source_name: source_name.to_owned(),
            kind: self.kind,
            object: self.object,
            problem: self.problem,
            remedy: self.remedy,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.problem)
    }
}

/// Result of an import step.
pub(crate) type Outcome<T> = Result<T, Fault>;
