//! Positions of vertices over time, read frame by frame.

use std::fmt;
use std::sync::Arc;

use glam::Vec3;
use thiserror::Error;

/// Frames of a vertex cache: positions of all points of a mesh at each of its times.
///
/// A source may keep its frames in a file and read them when asked, so that a cache need not fit into memory. The
/// number of points is the same in every frame. Between two frames, points move linearly; before the first and after
/// the last frame they rest.
pub trait VertexFrames: fmt::Debug + Send + Sync {
    /// Number of points of every frame.
    fn point_count(&self) -> usize;

    /// Times of the frames in seconds: finite, ascending, at least one.
    fn times_secs(&self) -> &[f64];

    /// Replaces the contents of `out` by the positions of a frame: [`Self::point_count`] finite vectors, in metres, in
    /// the space of the mesh.
    ///
    /// # Errors
    /// If the frame can no longer be read, or holds a number that is not finite.
    fn read_positions(&self, frame: usize, out: &mut Vec<Vec3>) -> Result<(), VertexFramesError>;

    /// Number of normals of every frame; 0 where normals follow from positions.
    fn normal_count(&self) -> usize {
        0
    }

    /// Replaces the contents of `out` by the normals of a frame: [`Self::normal_count`] vectors, not necessarily of
    /// unit length.
    ///
    /// # Errors
    /// As [`Self::read_positions`].
    fn read_normals(&self, _frame: usize, out: &mut Vec<Vec3>) -> Result<(), VertexFramesError> {
        out.clear();
        Ok(())
    }
}

/// A frame of a vertex cache that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("frame {frame}: {reason}")]
pub struct VertexFramesError {
    /// Index of the frame.
    pub frame: usize,
    /// Reason.
    pub reason: String,
}

/// Frames of a vertex cache in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryFrames {
    times_secs: Arc<[f64]>,
    positions: Vec<Vec<Vec3>>,
    normals: Vec<Vec<Vec3>>,
}

impl MemoryFrames {
    /// Makes frames of positions, and of normals unless that list is empty. Returns `None` unless times are finite and
    /// ascending, there is at least one frame, all have as many points and normals, and all numbers are finite.
    pub fn new(
        times_secs: Arc<[f64]>,
        positions: Vec<Vec<Vec3>>,
        normals: Vec<Vec<Vec3>>,
    ) -> Option<Self> {
        let ascend = times_secs.windows(2).all(|pair| pair[0] < pair[1]);
        let are_finite = times_secs.iter().all(|time| time.is_finite());
        let is_uniform = |frames: &[Vec<Vec3>]| {
            let same = frames.iter().all(|frame| frame.len() == frames[0].len());
            same && frames.iter().flatten().all(|vector| vector.is_finite())
        };
        let counts = !times_secs.is_empty()
            && positions.len() == times_secs.len()
            && (normals.is_empty() || normals.len() == times_secs.len());
        let is_valid =
            ascend && are_finite && counts && is_uniform(&positions) && is_uniform(&normals);
        is_valid.then_some(Self {
            times_secs,
            positions,
            normals,
        })
    }
}

impl VertexFrames for MemoryFrames {
    fn point_count(&self) -> usize {
        self.positions[0].len()
    }

    fn times_secs(&self) -> &[f64] {
        &self.times_secs
    }

    fn read_positions(&self, frame: usize, out: &mut Vec<Vec3>) -> Result<(), VertexFramesError> {
        out.clone_from(&self.positions[frame]);
        Ok(())
    }

    fn normal_count(&self) -> usize {
        self.normals.first().map_or(0, Vec::len)
    }

    fn read_normals(&self, frame: usize, out: &mut Vec<Vec3>) -> Result<(), VertexFramesError> {
        out.clear();
        out.extend(self.normals.get(frame).into_iter().flatten());
        Ok(())
    }
}
