//! Experiments: one character, its contestants, and how they are measured.

use crate::contest::Pair;
use crate::entrant::EntrantSpec;
use crate::field::FieldCamera;
use crate::record::X;
use crate::subject::SubjectSpec;

/// An experiment of a suite.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Unique and stable name; ids of its sections begin with it.
    pub id: String,
    /// Sections of a group are shown together.
    pub group: String,
    /// Heading.
    pub title: String,
    /// What is measured, and how to read it.
    pub about: String,
    /// Value of the quantity that varies between experiments of a group.
    pub x: Option<X>,
    /// The character.
    pub subject: SubjectSpec,
    /// Contestants. The first is the one that others are compared with; for curves it is the control.
    pub entrants: Vec<EntrantSpec>,
    /// Measurements.
    pub kind: Kind,
    /// Share of the time of the suite, relative to other experiments.
    pub weight: f64,
}

/// Measurements of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Curves of frame times against instances, and a contest at each break point.
    Curves {
        /// Compared contestants.
        pairs: Vec<Pair>,
    },
    /// A contest with the same number of instances.
    Fixed {
        /// Number of instances.
        instances: u32,
        /// Compared contestants.
        pairs: Vec<Pair>,
        /// Frames of each contestant in all; `None` for turns and rounds of the settings.
        frames: Option<u32>,
    },
    /// A contest with the same number of instances, which stand on the ground before a camera.
    Field {
        /// Number of instances.
        instances: u32,
        /// Distance of the camera.
        camera: FieldCamera,
        /// Compared contestants.
        pairs: Vec<Pair>,
    },
    /// A contest with as many instances for all as the first contestant draws in the longest frame budget.
    AtBudget {
        /// Compared contestants.
        pairs: Vec<Pair>,
    },
}

impl Pair {
    /// Compares a contestant with another.
    pub fn of(entrant: usize, against: usize) -> Self {
        Self {
            entrant,
            against,
            is_same: false,
        }
    }

    /// Compares two equal contestants: the A/A pair.
    pub fn same(entrant: usize, against: usize) -> Self {
        Self {
            is_same: true,
            ..Self::of(entrant, against)
        }
    }
}

/// Pairs of all contestants with the first. The second is the same as the first: the A/A pair.
pub fn against_first(entrants: usize) -> Vec<Pair> {
    let pair = |entrant| Pair {
        entrant,
        against: 0,
        is_same: entrant == 1,
    };
    (1..entrants).map(pair).collect()
}
