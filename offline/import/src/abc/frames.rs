//! Frames of a mesh whose points move, read from the file when they are asked for.

use std::sync::Arc;

use glam::Vec3;
use throng_rig::{VertexFrames, VertexFramesError};

use super::ogawa::{Read, ReadError};
use super::property::Samples;
use super::scope::Values;

/// Points and normals of a mesh at each of its times. Keeps the file open, and no frame in memory.
#[derive(Debug)]
pub(super) struct AbcFrames {
    points: Samples,
    point_count: usize,
    times: Arc<[f64]>,
    normals: Option<Values>,
    /// True if normals have a sample for each frame, or one for all.
    has_normal_per_frame: bool,
}

impl AbcFrames {
    /// Makes frames of points that have been checked to be `point_count` in every sample.
    pub(super) fn new(
        points: &Samples,
        point_count: usize,
        times: Arc<[f64]>,
        normals: Option<&Values>,
    ) -> Self {
        let is_per_frame = |normals: &Values| normals.times.is_empty() || normals.times == times;
        Self {
            has_normal_per_frame: normals.is_none_or(is_per_frame),
            points: points.unlimited(),
            point_count,
            times,
            normals: normals.map(Values::unlimited),
        }
    }

    /// Reads the normals at the time of a frame. Between two samples, normals move linearly.
    fn read_normals_at(&self, normals: &Values, frame: usize, out: &mut Vec<Vec3>) -> Read<()> {
        let mut table = Vec::new();
        let mut read = |sample, out: &mut Vec<Vec3>| normals.read(sample, normal, &mut table, out);
        if self.has_normal_per_frame {
            return read(frame, out);
        }
        let time = self.times[frame];
        let times = &normals.times;
        let after = times.partition_point(|t| *t <= time);
        let (from, to) = (after.saturating_sub(1), after.min(times.len() - 1));
        read(from, out)?;
        if from < to {
            let mut next = Vec::with_capacity(out.len());
            read(to, &mut next)?;
            let fraction = ((time - times[from]) / (times[to] - times[from])).clamp(0.0, 1.0);
            for (normal, next) in out.iter_mut().zip(next) {
                *normal = normal.lerp(next, fraction as f32);
            }
        }
        Ok(())
    }
}

/// Converts a normal. One that is not finite is zero, so that the mesh's own is used.
pub(super) fn normal(values: [f64; 3]) -> Vec3 {
    let normal = Vec3::from_array(values.map(|x| x as f32));
    match normal.is_finite() {
        true => normal,
        false => Vec3::ZERO,
    }
}

impl VertexFrames for AbcFrames {
    fn point_count(&self) -> usize {
        self.point_count
    }

    fn times_secs(&self) -> &[f64] {
        &self.times
    }

    fn read_positions(&self, frame: usize, out: &mut Vec<Vec3>) -> Result<(), VertexFramesError> {
        out.clear();
        let fail = |reason: String| VertexFramesError { frame, reason };
        if frame >= self.times.len() {
            return Err(fail(format!("there are {} frames", self.times.len())));
        }
        let stored = self.points.stored_index(frame as u32);
        let mut read = || {
            self.points.check_unchanged()?;
            // Bytes in memory and files without a time of change are checked again.
            let found = self.points.items(stored)?;
            if found != self.point_count as u64 {
                let problem = format!("found {found} points, expected {}", self.point_count);
                return Err(ReadError::data(problem));
            }
            out.reserve(self.point_count);
            self.points.vectors(stored, |point| {
                out.push(Vec3::from_array(point.map(|x| x as f32)));
            })
        };
        read().map_err(|error: ReadError| fail(error.problem))?;
        match out.iter().position(|point| !point.is_finite()) {
            None => Ok(()),
            Some(point) => Err(fail(format!("point {point} is not finite"))),
        }
    }

    fn normal_count(&self) -> usize {
        self.normals.as_ref().map_or(0, |normals| normals.count)
    }

    fn read_normals(&self, frame: usize, out: &mut Vec<Vec3>) -> Result<(), VertexFramesError> {
        out.clear();
        let fail = |reason: String| VertexFramesError { frame, reason };
        let Some(normals) = &self.normals else {
            return Ok(());
        };
        if frame >= self.times.len() {
            return Err(fail(format!("there are {} frames", self.times.len())));
        }
        self.points
            .check_unchanged()
            .and_then(|()| self.read_normals_at(normals, frame, out))
            .map_err(|error| fail(format!("normals: {}", error.problem)))
    }
}
