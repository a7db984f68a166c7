//! Polygon meshes: points, faces, texture coordinates and normals, as triangles with vertices split at seams.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DVec3, Vec2, Vec3};
use throng_rig::{
    AuthoredMethod, ControlPoints, Influences, Mesh, MeshError, VertexCache, VertexFrames,
};

use super::archive::Archive;
use super::corners::{CornerValues, VertexKey};
use super::frames::AbcFrames;
use super::ogawa::{Read, ReadError};
use super::polygons::Triangulator;
use super::property::{Compound, Samples};
use super::report::{Notice, Report};
use super::scope::{Elements, Scope, Values};
use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::VERTEX_BYTES;
use crate::{ImportOptions, PositionSharing};

/// Memory of a corner, in bytes: its point, texture coordinates and normal, its vertex and the search for equal ones.
const CORNER_BYTES: u64 = 64 + VERTEX_BYTES;

/// A mesh of the file.
pub(super) struct PolyMesh {
    /// The mesh, rigid under its joint.
    pub mesh: Mesh,
    /// Times of the frames of its vertex cache; empty if it has none.
    pub times: Arc<[f64]>,
}

/// Points and faces of a mesh as they are in the file.
pub(super) struct Polygons {
    points: Vec<Vec3>,
    /// Number of corners of each face.
    counts: Vec<u32>,
    /// Point of each corner.
    pub corners: Vec<u32>,
    /// Faces that are not drawn.
    is_hole: Vec<bool>,
}

/// Triangles, and the point and a corner of each vertex.
struct Split {
    vertices: Vec<(u32, Option<u32>)>,
    triangles: Vec<[u32; 3]>,
}

impl PolyMesh {
    /// Reads a mesh from the properties of its schema. `object` names it in errors and warnings. `None` if it has no
    /// points or no faces.
    pub(super) fn read(
        archive: &Archive,
        properties: &Compound,
        object: &str,
        options: &ImportOptions,
        report: &mut Report,
    ) -> Outcome<Option<Self>> {
        let fault = |error: ReadError| error.of(object);
        let points = archive.samples(properties, "P").map_err(fault)?;
        let points = points.filter(|points| points.len() > 0);
        if let Some(points) = &points {
            check_point_counts(points).map_err(fault)?;
        }
        let is_empty = |points: &Samples| Ok(points.items(0)? == 0);
        let points = match points {
            Some(points) if !is_empty(&points).map_err(fault)? => points,
            _ => {
                report.add(Notice::Skipped("it has no points"), object);
                return Ok(None);
            }
        };
        let polygons = Polygons::read(archive, properties, &points).map_err(fault)?;
        if !polygons.draws_any_face() {
            report.add(Notice::Skipped("it has no faces to draw"), object);
            return Ok(None);
        }
        let skipped = polygons.counts.iter().filter(|count| **count < 3).count();
        if skipped > 0 {
            report.add_number(Notice::SmallFaces, object, skipped);
        }
        report_attributes(archive, properties, object, report).map_err(fault)?;
        let times = match points.is_constant() {
            true => Arc::default(),
            false => archive.times(points.property()).map_err(fault)?,
        };
        let elements = polygons.elements();
        let mut found = |name, extent| {
            let values = Values::find(archive, properties, name, extent, &elements);
            report.dropped(values, name, object)
        };
        let uvs = found("uv", 2).map_err(fault)?;
        let normals = found("N", 3).map_err(fault)?;
        let mut values = CornerValues::default();
        let uvs_read = match &uvs {
            Some(uvs) => values.read_uvs(archive, &polygons, uvs).map(Some),
            None => Ok(None),
        };
        report.dropped(uvs_read, "uv", object).map_err(fault)?;
        let normals_read = match &normals {
            Some(normals) => values
                .read_normals(archive, &polygons, normals)
                // Without a cache, only the first sample is used.
                .and_then(|()| match times.is_empty() {
                    true => Ok(true),
                    false => values.compare_normals(archive, &polygons, normals),
                })
                .map(Some),
            None => Ok(None),
        };
        let compared = report.dropped(normals_read, "N", object).map_err(fault)?;
        if compared == Some(false) {
            report.add(Notice::NormalsNotCompared, object);
        }
        let normals = normals.filter(|_| compared.is_some());
        if compared.is_none() {
            values.drop_normals();
        }
        let changes = |values: &Values| !values.times.is_empty();
        if uvs.as_ref().is_some_and(changes) {
            report.add(Notice::Held("texture coordinates"), object);
        }
        if times.is_empty() && normals.as_ref().is_some_and(changes) {
            report.add(Notice::Held("normals"), object);
        }
        if normals.is_none() {
            let points = polygons.points.len();
            report.add_number(Notice::NormalsComputed, object, points);
        }
        let split = polygons.split(&values, options.positions);
        let build = Builder {
            polygons: &polygons,
            values: &values,
            split,
        };
        let mut mesh = build
            .mesh()
            .map_err(|error: MeshError| Fault::data(object, error))?;
        if !times.is_empty() {
            let normal_of_vertex = match &normals {
                Some(normals) => build.normal_of_vertex(normals.scope),
                None => Vec::new(),
            };
            let frames = AbcFrames::new(
                &points,
                polygons.points.len(),
                times.clone(),
                normals.as_ref(),
            );
            let frames: Arc<dyn VertexFrames> = Arc::new(frames);
            let point_of_vertex = build.point_of_vertex().collect();
            let cache = VertexCache::new(frames, point_of_vertex, normal_of_vertex);
            mesh.set_vertex_cache(cache)
                .map_err(|error| Fault::data(object, error))?;
        }
        if options.positions == PositionSharing::Shared {
            mesh.share_positions();
        }
        Ok(Some(Self { mesh, times }))
    }
}

/// Reports vertex colours and further texture coordinates, which are not read.
fn report_attributes(
    archive: &Archive,
    properties: &Compound,
    object: &str,
    report: &mut Report,
) -> Read<()> {
    let Some(group) = properties.find(".arbGeomParams") else {
        return Ok(());
    };
    if !group.is_compound() {
        return Ok(());
    }
    let (mut colors, mut uv_sets) = (0, 0);
    for attribute in archive.compound(group.group)?.properties {
        let metadata = |key: &str| attribute.metadata.get(key).unwrap_or_default();
        match metadata("interpretation") {
            "rgb" | "rgba" => colors += 1,
            _ if metadata("podExtent") == "2" && metadata("podName").starts_with("float") => {
                uv_sets += 1;
            }
            _ => {}
        }
    }
    for (notice, number) in [(Notice::Colors, colors), (Notice::UvSets, uv_sets)] {
        if number > 0 {
            report.add_number(notice, object, number);
        }
    }
    Ok(())
}

/// Checks that all samples have as many points.
fn check_point_counts(points: &Samples) -> Read<()> {
    points.check_extent(3)?;
    let first = points.items(0)?;
    for stored in 1..points.stored() {
        let found = points.items(stored)?;
        if found != first {
            let sample = points.sample_of_stored(stored);
            let problem = format!("frame {sample} has {found} points, frame 0 has {first}");
            return Err(varying(&problem));
        }
    }
    Ok(())
}

fn varying(problem: &str) -> ReadError {
    ReadError::new(
        ErrorKind::Unsupported,
        format_args!("its topology changes over time: {problem}"),
    )
    .remedy("export the mesh with the same points and faces in every frame")
}

impl Polygons {
    fn read(archive: &Archive, properties: &Compound, points: &Samples) -> Read<Self> {
        let count = points.items(0)?;
        archive.charge(count, VERTEX_BYTES)?;
        let mut found = Self {
            points: Vec::with_capacity(count as usize),
            counts: face_numbers(archive, properties, ".faceCounts", 16)?,
            corners: face_numbers(archive, properties, ".faceIndices", CORNER_BYTES)?,
            is_hole: Vec::new(),
        };
        let stored = points.stored_index(0);
        points.vectors(stored, |point| {
            found.points.push(Vec3::from_array(point.map(|x| x as f32)));
        })?;
        let corners: u64 = found.counts.iter().map(|&count| u64::from(count)).sum();
        if corners != found.corners.len() as u64 {
            return Err(ReadError::data(format_args!(
                "its faces have {corners} corners, but there are {} face indices",
                found.corners.len()
            )));
        }
        let invalid = |point: &&u32| **point as usize >= found.points.len();
        if let Some(point) = found.corners.iter().find(invalid) {
            return Err(ReadError::new(
                ErrorKind::Reference,
                format_args!(
                    "a face uses point {point}, but there are {} points",
                    found.points.len()
                ),
            ));
        }
        found.read_holes(archive, properties)?;
        Ok(found)
    }

    /// Reads the faces of a subdivision surface that are not drawn.
    fn read_holes(&mut self, archive: &Archive, properties: &Compound) -> Read<()> {
        let holes = archive.samples(properties, ".holes")?;
        if let Some(holes) = holes.filter(|holes| holes.len() > 0) {
            self.is_hole = vec![false; self.counts.len()];
            holes.numbers(0, |face| {
                if let Some(hole) = self.is_hole.get_mut(face as usize) {
                    *hole |= face >= 0.0;
                }
            })?;
        }
        Ok(())
    }

    fn is_drawn(&self, face: usize) -> bool {
        self.counts[face] >= 3 && !self.is_hole.get(face).copied().unwrap_or(false)
    }

    fn draws_any_face(&self) -> bool {
        (0..self.counts.len()).any(|face| self.is_drawn(face))
    }

    fn elements(&self) -> Elements {
        Elements {
            points: self.points.len(),
            faces: self.counts.len(),
            corners: self.corners.len(),
        }
    }

    /// Returns the range of corners of each face.
    fn faces(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        self.counts.iter().scan(0, |next, &count| {
            let first = *next;
            *next += count as usize;
            Some(first..*next)
        })
    }

    /// Returns the element of each corner that has its value.
    pub(super) fn element_of_corner(&self, scope: Scope) -> Vec<u32> {
        match scope {
            Scope::Constant => vec![0; self.corners.len()],
            Scope::Corner => (0..self.corners.len() as u32).collect(),
            Scope::Point => self.corners.clone(),
            Scope::Face => {
                let faces = self.faces().zip(0..);
                faces.flat_map(|(face, i)| face.map(move |_| i)).collect()
            }
        }
    }

    /// Gives each corner the value of its element.
    pub(super) fn spread<T: Copy>(&self, scope: Scope, values: &[T]) -> Vec<T> {
        let elements = self.element_of_corner(scope).into_iter();
        elements.map(|element| values[element as usize]).collect()
    }

    /// Splits points whose corners differ, and triangulates faces. Alembic winds faces clockwise, so corners are taken in
    /// reverse.
    fn split(&self, values: &CornerValues, positions: PositionSharing) -> Split {
        let mut split = Split {
            vertices: Vec::new(),
            triangles: Vec::with_capacity(self.corners.len()),
        };
        let mut triangulator = Triangulator::new(self.corners.len());
        let mut vertex_of_corner: Vec<u32> = Vec::with_capacity(self.corners.len());
        let mut index_of: HashMap<VertexKey, u32> = HashMap::new();
        let mut is_used = vec![false; self.points.len()];
        let mut polygon = Vec::new();
        for (face, corners) in self.faces().enumerate() {
            if !self.is_drawn(face) {
                continue;
            }
            vertex_of_corner.clear();
            polygon.clear();
            for corner in corners.rev() {
                let point = self.corners[corner];
                is_used[point as usize] = true;
                polygon.push(self.points[point as usize]);
                let key = match positions {
                    PositionSharing::Corners => VertexKey::Corner(corner as u32),
                    PositionSharing::Shared | PositionSharing::Split => values.key(point, corner),
                };
                let vertices = &mut split.vertices;
                vertex_of_corner.push(*index_of.entry(key).or_insert_with(|| {
                    vertices.push((point, Some(corner as u32)));
                    vertices.len() as u32 - 1
                }));
            }
            triangulator.triangulate(&polygon, |triangle| {
                let triangle = triangle.map(|corner| vertex_of_corner[corner as usize]);
                split.triangles.push(triangle);
            });
        }
        let unused = (0..self.points.len()).filter(|&point| !is_used[point]);
        split
            .vertices
            .extend(unused.map(|point| (point as u32, None)));
        split
    }
}

/// Reads a property of faces, which must be the same in all samples. `bytes` is the memory of an element.
fn face_numbers(
    archive: &Archive,
    properties: &Compound,
    name: &str,
    bytes: u64,
) -> Read<Vec<u32>> {
    let samples = archive.samples(properties, name)?;
    let Some(samples) = samples.filter(|found| found.len() > 0) else {
        return Ok(Vec::new());
    };
    samples.check_extent(1)?;
    if let Some(sample) = samples.first_difference()? {
        return Err(varying(&format!(
            "'{name}' of frame {sample} differs from frame 0"
        )));
    }
    let count = samples.items(0)?;
    archive.charge(count, bytes)?;
    if count >= u64::from(u32::MAX) {
        return Err(ReadError::data(format_args!(
            "'{name}' has {count} numbers"
        )));
    }
    let mut numbers = Vec::with_capacity(count as usize);
    let mut invalid = None;
    samples.numbers(0, |number| {
        if !(0.0..f64::from(u32::MAX)).contains(&number) {
            invalid = Some(number);
        }
        numbers.push(number as u32);
    })?;
    match invalid {
        None => Ok(numbers),
        Some(number) => Err(ReadError::data(format_args!(
            "'{name}' has the number {number}, expected 0 or more"
        ))),
    }
}

/// Mesh of split vertices.
struct Builder<'a> {
    polygons: &'a Polygons,
    values: &'a CornerValues,
    split: Split,
}

impl Builder<'_> {
    fn point_of_vertex(&self) -> impl Iterator<Item = u32> {
        self.split.vertices.iter().map(|&(point, _)| point)
    }

    fn mesh(&self) -> Result<Mesh, MeshError> {
        let points = &self.polygons.points;
        let positions = self.point_of_vertex().map(|p| points[p as usize]).collect();
        let vertices = &self.split.vertices;
        let influences = Influences::rigid(vertices.len());
        let mut mesh = Mesh::new(positions, self.split.triangles.clone(), influences)?;
        mesh.authored_method = AuthoredMethod::Rigid;
        if !self.values.normals.is_empty() {
            let mut normals = mesh.normals().to_vec();
            for (normal, (_, corner)) in normals.iter_mut().zip(vertices) {
                let given = corner.map(|corner| self.values.normals[corner as usize]);
                let given = given.and_then(|normal| normal.as_dvec3().try_normalize());
                *normal = given.map_or(*normal, DVec3::as_vec3);
            }
            mesh.set_normals(normals)?;
        }
        if !self.values.uvs.is_empty() {
            let uv = |&(_, corner): &(u32, Option<u32>)| {
                corner.map_or(Vec2::ZERO, |corner| self.values.uvs[corner as usize])
            };
            mesh.set_uvs(vertices.iter().map(uv).collect())?;
        }
        mesh.set_control_points(ControlPoints {
            of_vertex: self.point_of_vertex().collect(),
            count: points.len(),
        })?;
        Ok(mesh)
    }

    /// Returns the element of each vertex that has its normal.
    fn normal_of_vertex(&self, scope: Scope) -> Vec<u32> {
        let element_of_corner = self.polygons.element_of_corner(scope);
        let element = |&(point, corner): &(u32, Option<u32>)| match (scope, corner) {
            (Scope::Point, _) => point,
            (_, Some(corner)) => element_of_corner[corner as usize],
            // A point without a face is not drawn.
            (_, None) => 0,
        };
        self.split.vertices.iter().map(element).collect()
    }
}
