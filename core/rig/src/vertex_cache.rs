//! Vertex caches of meshes: positions and normals at a frame of a cache.

use std::sync::{Arc, OnceLock};

use glam::{DVec3, Vec3};

use crate::unique::number;
use crate::{Character, Mesh, VertexFrames, VertexFramesError};

/// Vertex cache of a mesh: the frames, and the point of each vertex.
///
/// A part with such a mesh has a morph set of one weight: its frame position. Frame `n` of the cache is at position `n`,
/// between two frames points move linearly, and position −1 is the rest pose ([`Mesh::positions`]).
/// [`crate::MorphTrack::of_frames`] makes the track that plays a cache.
///
/// Frames may be in a file that changes after it was opened. The first frame that cannot be read is kept in
/// [`Self::failure`] of all clones; vertices rest from then on.
#[derive(Debug, Clone)]
pub struct VertexCache {
    frames: Arc<dyn VertexFrames>,
    point_of_vertex: Vec<u32>,
    normals: CacheNormals,
    scale: f64,
    is_reversed: bool,
    failure: Arc<OnceLock<VertexFramesError>>,
}

#[derive(Debug, Clone, PartialEq)]
enum CacheNormals {
    /// Normal of the frames of each vertex.
    Stored(Vec<u32>),
    /// Group of each vertex, and the faces whose normals are added to groups.
    Faces(Vec<u32>, Arc<CacheFaces>),
}

/// Triangles of a mesh over the points of its cache.
#[derive(Debug, PartialEq)]
struct CacheFaces {
    points: Vec<[u32; 3]>,
    /// Group of each corner.
    groups: Vec<[u32; 3]>,
    group_count: usize,
}

/// Equal caches have the same point, normal and group of each vertex, and the same number of points and times of frames.
/// Positions in the frames are not compared.
impl PartialEq for VertexCache {
    fn eq(&self, other: &Self) -> bool {
        let same_frames = is_same(&self.frames, &other.frames)
            || self.frames.point_count() == other.frames.point_count()
                && self.frames.normal_count() == other.frames.normal_count()
                && self.frames.times_secs() == other.frames.times_secs();
        same_frames
            && self.point_of_vertex == other.point_of_vertex
            && self.normals == other.normals
            && (self.scale, self.is_reversed) == (other.scale, other.is_reversed)
    }
}

fn is_same(a: &Arc<dyn VertexFrames>, b: &Arc<dyn VertexFrames>) -> bool {
    std::ptr::addr_eq(Arc::as_ptr(a), Arc::as_ptr(b))
}

impl VertexCache {
    /// Makes a cache of a mesh. `normal_of_vertex` is empty where normals follow from positions.
    /// [`Mesh::set_vertex_cache`] checks indices.
    pub fn new(
        frames: Arc<dyn VertexFrames>,
        point_of_vertex: Vec<u32>,
        normal_of_vertex: Vec<u32>,
    ) -> Self {
        Self {
            frames,
            point_of_vertex,
            normals: CacheNormals::Stored(normal_of_vertex),
            scale: 1.0,
            is_reversed: false,
            failure: Arc::default(),
        }
    }

    /// The frames.
    pub fn frames(&self) -> &Arc<dyn VertexFrames> {
        &self.frames
    }

    /// Point of each vertex.
    pub fn point_of_vertex(&self) -> &[u32] {
        &self.point_of_vertex
    }

    /// The first frame that could not be read, by this cache or a clone of it.
    pub fn failure(&self) -> Option<&VertexFramesError> {
        self.failure.get()
    }

    /// Normal of the frames, or group of faces, of each vertex.
    pub(crate) fn normal_of_vertex(&self) -> &[u32] {
        match &self.normals {
            CacheNormals::Stored(of_vertex) | CacheNormals::Faces(of_vertex, _) => of_vertex,
        }
    }

    /// True where normals are those of the frames.
    pub(crate) fn has_normals(&self) -> bool {
        matches!(&self.normals, CacheNormals::Stored(of_vertex) if !of_vertex.is_empty())
    }

    /// Takes normals from faces: corners of one point with one normal in the rest pose are one group, so that hard edges
    /// stay hard.
    pub(crate) fn use_faces(&mut self, triangles: &[[u32; 3]], normals: &[Vec3]) {
        let (group_of, firsts) = number(self.point_of_vertex.len(), |vertex, key| {
            key.push(self.point_of_vertex[vertex]);
            key.extend((normals[vertex] + 0.0).to_array().map(f32::to_bits));
        });
        self.set_faces(triangles, group_of, firsts.len());
    }

    /// Gives all vertices of a point one normal, from the faces around it.
    pub(crate) fn merge_normals(&mut self, triangles: &[[u32; 3]]) {
        self.set_faces(
            triangles,
            self.point_of_vertex.clone(),
            self.frames.point_count(),
        );
    }

    fn set_faces(&mut self, triangles: &[[u32; 3]], group_of: Vec<u32>, group_count: usize) {
        let of = |values: &[u32]| {
            let corners = triangles.iter().map(|t| t.map(|v| values[v as usize]));
            corners.collect()
        };
        let faces = CacheFaces {
            points: of(&self.point_of_vertex),
            groups: of(&group_of),
            group_count,
        };
        self.normals = CacheNormals::Faces(group_of, Arc::new(faces));
        // The faces have the winding of the mesh.
        self.is_reversed = false;
    }

    /// Returns the cache of selected vertices.
    pub(crate) fn select(&self, vertices: &[u32]) -> Self {
        let pick = |values: &[u32]| vertices.iter().map(|&v| values[v as usize]).collect();
        Self {
            point_of_vertex: pick(&self.point_of_vertex),
            normals: match &self.normals {
                CacheNormals::Stored(of_vertex) => CacheNormals::Stored(pick(of_vertex)),
                CacheNormals::Faces(of_vertex, faces) => {
                    CacheNormals::Faces(pick(of_vertex), faces.clone())
                }
            },
            ..self.clone()
        }
    }

    pub(crate) fn reverse(&mut self) {
        self.is_reversed = !self.is_reversed;
    }

    pub(crate) fn scale(&mut self, factor: f64) {
        self.scale *= factor;
    }
}

/// The frames of a cache around one position, and the normals there. Made once, then reused: frames that it holds are not
/// read again.
#[derive(Debug, Clone, Default)]
pub struct CacheCursor {
    source: Option<Arc<dyn VertexFrames>>,
    slots: [FrameSlot; 2],
    /// Slot of the frame before the position; `None` is the rest pose.
    from: Option<usize>,
    to: Option<usize>,
    fraction: f64,
    /// Sums of face normals.
    groups: Vec<DVec3>,
}

/// A frame of a cache.
#[derive(Debug, Clone, Default)]
struct FrameSlot {
    frame: Option<usize>,
    positions: Vec<Vec3>,
    /// Empty until they are read.
    normals: Vec<Vec3>,
}

impl CacheCursor {
    /// Reads the frames around a frame position, which is clamped to the cache; see [`VertexCache`].
    pub fn seek(&mut self, cache: &VertexCache, frame_position: f64) {
        self.seek_frames(cache, frame_position, false);
    }

    /// [`Self::seek`], and the normals.
    pub fn seek_with_normals(&mut self, cache: &VertexCache, frame_position: f64) {
        self.seek_frames(cache, frame_position, true);
        if let CacheNormals::Faces(_, faces) = &cache.normals {
            let mut groups = std::mem::take(&mut self.groups);
            groups.clear();
            groups.resize(faces.group_count, DVec3::ZERO);
            if self.to.or(self.from).is_some() {
                self.add_faces(faces, &mut groups);
            }
            self.groups = groups;
        }
    }

    fn seek_frames(&mut self, cache: &VertexCache, frame_position: f64, with_normals: bool) {
        if !self
            .source
            .as_ref()
            .is_some_and(|s| is_same(s, &cache.frames))
        {
            self.source = Some(cache.frames.clone());
            for slot in &mut self.slots {
                slot.frame = None;
            }
        }
        let last = cache.frames.times_secs().len() as f64 - 1.0;
        let position = frame_position.max(-1.0).min(last);
        let before = position.floor();
        self.fraction = position - before;
        let frame_of = |frame: f64| (frame >= 0.0).then_some(frame as usize);
        let from = frame_of(before);
        let to = match self.fraction > 0.0 {
            true => frame_of(before + 1.0),
            false => from,
        };
        let with_normals = with_normals && cache.has_normals();
        let wanted = [from, to];
        let slot_of = |frame: Option<usize>, this: &mut Self, other: Option<usize>| {
            frame.map(|frame| this.load(cache, frame, other, with_normals))
        };
        self.from = slot_of(wanted[0], self, wanted[1]);
        self.to = slot_of(wanted[1], self, wanted[0]);
        let is_missing = |slot: Option<usize>| slot.is_some_and(|s| self.slots[s].frame.is_none());
        if is_missing(self.from) || is_missing(self.to) {
            (self.from, self.to) = (None, None);
        }
    }

    /// Returns the slot of a frame, and reads it if need be. The slot of `other` is not overwritten. A slot whose frame
    /// cannot be read has no frame.
    fn load(
        &mut self,
        cache: &VertexCache,
        frame: usize,
        other: Option<usize>,
        with_normals: bool,
    ) -> usize {
        let held = |slot: &FrameSlot| slot.frame == Some(frame);
        let slot = match self.slots.iter().position(held) {
            Some(slot) => slot,
            None => {
                let is_other = |slot: &FrameSlot| other.is_some() && slot.frame == other;
                let free = usize::from(is_other(&self.slots[0]));
                let target = &mut self.slots[free];
                target.normals.clear();
                let read = cache.frames.read_positions(frame, &mut target.positions);
                let checked = read.and_then(|()| {
                    check(
                        frame,
                        "points",
                        target.positions.len(),
                        cache.frames.point_count(),
                    )
                });
                target.frame = cache.keep(checked).then_some(frame);
                free
            }
        };
        let target = &mut self.slots[slot];
        if with_normals && target.frame.is_some() && target.normals.is_empty() {
            let read = cache.frames.read_normals(frame, &mut target.normals);
            let checked = read.and_then(|()| {
                check(
                    frame,
                    "normals",
                    target.normals.len(),
                    cache.frames.normal_count(),
                )
            });
            if !cache.keep(checked) {
                target.frame = None;
            }
        }
        slot
    }

    /// Returns the position of a vertex of the cache's mesh in bind space.
    pub fn position(&self, mesh: &Mesh, cache: &VertexCache, vertex: usize) -> DVec3 {
        let of = |slot: Option<usize>| match slot {
            Some(slot) => {
                let point = cache.point_of_vertex[vertex] as usize;
                self.slots[slot].positions[point].as_dvec3() * cache.scale
            }
            None => mesh.positions()[vertex].as_dvec3(),
        };
        match self.from == self.to {
            true => of(self.from),
            false => of(self.from).lerp(of(self.to), self.fraction),
        }
    }

    /// Returns the unit normal of a vertex of the cache's mesh, after [`Self::seek_with_normals`].
    pub fn normal(&self, mesh: &Mesh, cache: &VertexCache, vertex: usize) -> DVec3 {
        let rest = mesh.normals()[vertex].as_dvec3();
        let rest = rest.try_normalize().unwrap_or(DVec3::Y);
        let sign = if cache.is_reversed { -1.0 } else { 1.0 };
        let of = |slot: Option<usize>| match (slot, &cache.normals) {
            (None, _) => rest,
            (Some(_), CacheNormals::Faces(group_of, _)) => {
                let sum = self.groups[group_of[vertex] as usize] * sign;
                sum.try_normalize().unwrap_or(rest)
            }
            (Some(slot), CacheNormals::Stored(of_vertex)) => {
                let normal = of_vertex
                    .get(vertex)
                    .map_or(Vec3::ZERO, |&n| self.slots[slot].normals[n as usize]);
                let normal = normal.as_dvec3() * sign;
                normal.try_normalize().unwrap_or(rest)
            }
        };
        match self.from == self.to {
            true => of(self.from),
            false => {
                let blended = of(self.from).lerp(of(self.to), self.fraction);
                blended.try_normalize().unwrap_or(rest)
            }
        }
    }

    /// Adds the normal of each face, weighted by its area, to the groups of its corners.
    fn add_faces(&self, faces: &CacheFaces, groups: &mut [DVec3]) {
        let to = self
            .to
            .or(self.from)
            .map(|slot| &self.slots[slot].positions);
        let from = self.from.map(|slot| &self.slots[slot].positions).or(to);
        let (Some(from), Some(to)) = (from, to) else {
            return;
        };
        let point = |point: u32| {
            let (from, to) = (from[point as usize], to[point as usize]);
            from.as_dvec3().lerp(to.as_dvec3(), self.fraction)
        };
        for (corners, of_corner) in faces.points.iter().zip(&faces.groups) {
            let [a, b, c] = corners.map(point);
            let normal = (b - a).cross(c - a);
            for &group in of_corner {
                groups[group as usize] += normal;
            }
        }
    }
}

/// A cursor for each part of a character, at the frame positions of a pose.
#[derive(Debug, Clone, Default)]
pub struct CacheCursors {
    of_part: Vec<CacheCursor>,
}

impl CacheCursors {
    /// Reads the frames of all parts with a vertex cache around the frame positions in `morph_weights`; see
    /// [`crate::LocalPose::morph_weights`].
    pub fn seek(&mut self, character: &Character, morph_weights: &[f64]) {
        let parts = character.parts();
        self.of_part.resize_with(parts.len(), CacheCursor::default);
        for (part, cursor) in parts.iter().zip(&mut self.of_part) {
            if let Some(cache) = character.mesh_of(part).vertex_cache() {
                cursor.seek(cache, morph_weights[character.morph_range(part).start]);
            }
        }
    }

    /// Cursor of a part; `None` before the first [`Self::seek`].
    pub fn of_part(&self, part: usize) -> Option<&CacheCursor> {
        self.of_part.get(part)
    }
}

impl VertexCache {
    /// Keeps the first failure. Returns false for a failure.
    fn keep(&self, read: Result<(), VertexFramesError>) -> bool {
        match read {
            Ok(()) => true,
            Err(error) => {
                // A later failure is dropped.
                let _ = self.failure.set(error);
                false
            }
        }
    }
}

fn check(
    frame: usize,
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), VertexFramesError> {
    match found == expected {
        true => Ok(()),
        false => Err(VertexFramesError {
            frame,
            reason: format!("{found} {what}, expected {expected}"),
        }),
    }
}
