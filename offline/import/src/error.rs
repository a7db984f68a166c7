//! Why a character could not be brought in.

use std::fmt;

use thiserror::Error;

/// What sort of thing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The name is not that of a file or built-in that can be read.
    Name,
    /// The file or a side file could not be read.
    Io,
    /// The file's outer shape is broken: header, chunks, JSON.
    Container,
    /// A side file lies outside the asset's folder, or an address is not one that is read.
    Path,
    /// The file needs something that is not supported.
    Unsupported,
    /// An index points at nothing.
    Reference,
    /// Bytes do not hold what they claim to.
    Data,
    /// Nodes do not form a tree.
    Hierarchy,
    /// A limit that protects was passed.
    Limit,
}

/// Why a character could not be brought in: the file, the object in it, the fault and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct ImportError {
    /// The file or built-in.
    pub source_name: String,
    /// What sort of fault.
    pub kind: ErrorKind,
    /// The object at fault, such as `mesh 2 'Body' primitive 0`; empty for the file itself.
    pub object: String,
    /// What is wrong, with the value.
    pub problem: String,
    /// What to do about it.
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
            write!(f, " ({})", self.remedy)?;
        }
        Ok(())
    }
}

/// The usual remedy for a file that breaks its own format.
pub(crate) const RE_EXPORT: &str = "export the file again, or repair it with another tool";

/// A fault before the file it is in is known.
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

    /// Bytes that do not hold what they claim to.
    pub(crate) fn data(object: impl Into<String>, problem: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Data, object, problem)
    }

    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// A limit that protects; `name` is the constant's.
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

pub(crate) type Outcome<T> = Result<T, Fault>;
