//! Output for people: a page, CSV files, and comparisons of runs.
//!
//! Nothing here measures: everything is computed from a [`Report`](crate::record::Report), so that pages can be written
//! again from `report.json`.

mod axis;
mod compare;
mod contests;
mod csv;
mod curves;
mod doubts;
#[cfg(test)]
mod fixture;
mod forest_plot;
mod group;
mod line_plot;
mod looks;
mod page;
mod parts;
mod series;
mod summary;
mod tables;
mod text;
mod write;

pub use compare::{CellChange, Comparison, RatioChange, RunComparison, TimeChange, compare};
pub use csv::csv;
pub use page::html;
pub use write::{HTML, JSON, write_folder, write_json};
