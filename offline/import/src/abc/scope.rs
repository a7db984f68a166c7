//! Values on a mesh, such as normals and texture coordinates: plain or indexed arrays, per point, face or corner.

use std::collections::HashSet;
use std::sync::Arc;

use super::archive::Archive;
use super::ogawa::{Read, ReadError};
use super::property::{Compound, Samples};
use crate::limits::ALEMBIC_READ_WORK;

/// Elements of a mesh that have a value each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// One value for the whole mesh.
    Constant,
    /// One value per face.
    Face,
    /// One value per point.
    Point,
    /// One value per corner of a face, in the order of the file.
    Corner,
}

/// Numbers of elements of a mesh.
#[derive(Debug, Clone, Copy)]
pub(super) struct Elements {
    pub points: usize,
    pub faces: usize,
    pub corners: usize,
}

impl Elements {
    pub(super) fn count(&self, scope: Scope) -> usize {
        match scope {
            Scope::Constant => 1,
            Scope::Face => self.faces,
            Scope::Point => self.points,
            Scope::Corner => self.corners,
        }
    }

    /// Finds the scope that metadata names, if it has as many elements as there are values, or else one that has.
    fn scope(&self, named: Option<&str>, values: u64) -> Option<Scope> {
        let named = match named {
            Some("fvr") => Some(Scope::Corner),
            Some("vtx" | "var") => Some(Scope::Point),
            Some("uni") => Some(Scope::Face),
            Some("con") => Some(Scope::Constant),
            _ => None,
        };
        let scopes = [Scope::Corner, Scope::Point, Scope::Face, Scope::Constant];
        let mut scopes = named.into_iter().chain(scopes);
        scopes.find(|&scope| self.count(scope) as u64 == values)
    }
}

/// Samples of values that differ from all before.
pub(super) struct DifferentSamples {
    pub samples: Vec<u32>,
    /// Work of reading all of them.
    pub work: u64,
}

/// Work of locating a sample, more than it takes.
const LOCATE_WORK: u64 = 16 * ALEMBIC_READ_WORK;

/// Values on a mesh over time.
#[derive(Debug, Clone)]
pub(super) struct Values {
    values: Samples,
    indices: Option<Samples>,
    pub scope: Scope,
    /// Number of elements.
    pub count: usize,
    /// Largest number of values that the indices of a sample refer to; 0 without indices.
    table_len: u64,
    /// Times of the samples; empty if values are constant.
    pub times: Arc<[f64]>,
}

impl Values {
    /// Finds values of `extent` numbers by name, and checks that every sample has one per element. `None` if the mesh has none.
    pub(super) fn find(
        archive: &Archive,
        properties: &Compound,
        name: &str,
        extent: usize,
        elements: &Elements,
    ) -> Read<Option<Self>> {
        let Some(property) = properties.find(name) else {
            return Ok(None);
        };
        let mut indices = None;
        let mut scope = property.metadata.get("geoScope").map(str::to_owned);
        let values = if property.is_compound() {
            let parts = archive.compound(property.group)?;
            let values = parts.find(".vals");
            let values = values.ok_or_else(|| ReadError::data("has no values"))?;
            let of_values = values.metadata.get("geoScope").map(str::to_owned);
            scope = of_values.or(scope);
            indices = archive.samples(&parts, ".indices")?;
            Samples::new(&archive.container, values)?
        } else {
            Samples::new(&archive.container, property)?
        };
        if values.len() == 0 || indices.as_ref().is_some_and(|i| i.len() == 0) {
            return Ok(None);
        }
        values.check_extent(extent)?;
        if let Some(indices) = &indices {
            indices.check_extent(1)?;
        }
        let counted = indices.as_ref().unwrap_or(&values);
        let found = counted.items(0)?;
        if found == 0 {
            return Ok(None);
        }
        let scope = elements.scope(scope.as_deref(), found).ok_or_else(|| {
            ReadError::data(format_args!(
                "found {found} values, expected one per corner ({}), point ({}) or face ({})",
                elements.corners, elements.points, elements.faces
            ))
        })?;
        for stored in 1..counted.stored() {
            let other = counted.items(stored)?;
            if other != found {
                return Err(ReadError::data(format_args!(
                    "sample {} has {other} values, the first has {found}",
                    counted.sample_of_stored(stored)
                )));
            }
        }
        let mut table_len = 0;
        if indices.is_some() {
            for stored in 0..values.stored() {
                table_len = values.items(stored)?.max(table_len);
            }
        }
        let moves = |samples: &Samples| !samples.is_constant();
        let moving = [Some(&values), indices.as_ref()];
        let moving = moving.into_iter().flatten().find(|samples| moves(samples));
        let times = match moving {
            Some(samples) => archive.times(samples.property())?,
            None => Arc::default(),
        };
        Ok(Some(Self {
            values,
            indices,
            scope,
            count: elements.count(scope),
            table_len,
            times,
        }))
    }

    /// Returns the values without a limit of work, for frames that are read when they are asked for.
    pub(super) fn unlimited(&self) -> Self {
        Self {
            values: self.values.unlimited(),
            indices: self.indices.as_ref().map(Samples::unlimited),
            ..self.clone()
        }
    }

    /// Reads a sample: one value per element. `table` is a buffer.
    pub(super) fn read<const N: usize, T: Copy>(
        &self,
        sample: usize,
        convert: impl Fn([f64; N]) -> T,
        table: &mut Vec<T>,
        out: &mut Vec<T>,
    ) -> Read<()> {
        let stored_in = |samples: &Samples| stored_in(samples, sample);
        out.clear();
        let Some(indices) = &self.indices else {
            let values = &self.values;
            values.vectors(stored_in(values), |value| out.push(convert(value)))?;
            return self.check_count(out.len());
        };
        table.clear();
        let values = &self.values;
        let found = values.items(stored_in(values))?;
        if found > self.table_len {
            return Err(ReadError::data(format_args!(
                "found {found} values, expected at most {}",
                self.table_len
            )));
        }
        values.vectors(stored_in(values), |value| table.push(convert(value)))?;
        let mut invalid = None;
        indices.numbers(stored_in(indices), |index| {
            let found = (index >= 0.0).then(|| table.get(index as usize)).flatten();
            match found {
                Some(&value) => out.push(value),
                None => invalid = Some(index),
            }
        })?;
        match invalid {
            None => self.check_count(out.len()),
            Some(index) => Err(ReadError::data(format_args!(
                "found index {index}, but there are {} values",
                table.len()
            ))),
        }
    }

    /// Bytes that reading any sample takes, with `bytes` bytes per value.
    pub(super) fn sample_bytes(&self, bytes: u64) -> u64 {
        let values = self.table_len.saturating_add(self.count as u64);
        values.saturating_mul(bytes)
    }

    /// Lists the samples that are not the same bytes of the file as one before them. The first is left out.
    pub(super) fn different_samples(&self, archive: &Archive) -> Read<DifferentSamples> {
        let count = self.times.len();
        // A sample, its two places, and free room of the set.
        archive.charge(count as u64, 48)?;
        let mut found = DifferentSamples {
            samples: Vec::new(),
            work: 0,
        };
        let mut seen = HashSet::new();
        let mut last = None;
        for sample in 0..count {
            let stored = [Some(&self.values), self.indices.as_ref()]
                .map(|samples| samples.map(|samples| (samples, stored_in(samples, sample))));
            let numbers = stored.map(|stored| stored.map(|(_, stored)| stored));
            if last == Some(numbers) {
                continue;
            }
            last = Some(numbers);
            let (mut places, mut bytes) = ([0; 2], LOCATE_WORK);
            for (place, (samples, stored)) in places.iter_mut().zip(stored.into_iter().flatten()) {
                let blob = samples.blob(stored)?;
                *place = blob.start;
                // Reads have their own work, in pieces of many bytes.
                bytes += blob.len.saturating_add(blob.len / 64);
            }
            if seen.insert(places) && sample > 0 {
                found.samples.push(sample as u32);
                found.work = found.work.saturating_add(bytes);
            }
        }
        Ok(found)
    }

    fn check_count(&self, found: usize) -> Read<()> {
        match found == self.count {
            true => Ok(()),
            false => Err(ReadError::data(format_args!(
                "found {found} values, expected {}",
                self.count
            ))),
        }
    }
}

/// Returns the index in the file of a sample, at most the last.
fn stored_in(samples: &Samples, sample: usize) -> u64 {
    let last = samples.len().saturating_sub(1);
    samples.stored_index(last.min(sample as u32))
}
