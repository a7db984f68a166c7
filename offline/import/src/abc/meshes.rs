//! Polygon meshes: points, faces, texture coordinates and normals, as triangles with vertices split at seams.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DVec3, Vec2, Vec3};
use throng_rig::{
    AuthoredMethod, ControlPoints, Influences, Mesh, MeshError, VertexCache, VertexFrames,
};

use super::archive::Archive;
use super::frames::{AbcFrames, normal};
use super::ogawa::{Read, ReadError};
use super::polygons::Triangulator;
use super::property::{Compound, Samples};
use super::scope::{Elements, Scope, Values};
use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::VERTEX_BYTES;
use crate::warning::count;
use crate::{ImportOptions, PositionSharing, Warning};

/// Frames whose normals are compared to find corners that share one.
const COMPARED_FRAMES: usize = 8;

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
struct Polygons {
    points: Vec<Vec3>,
    /// Number of corners of each face.
    counts: Vec<u32>,
    /// Point of each corner.
    corners: Vec<u32>,
    /// Faces that are not drawn.
    is_hole: Vec<bool>,
}

/// Values of corners, each empty if the mesh has none.
#[derive(Default)]
struct CornerValues {
    uvs: Vec<Vec2>,
    normals: Vec<Vec3>,
    /// Corners of one class have the same normal in all compared frames.
    classes: Vec<u32>,
}

/// Triangles, and the point and a corner of each vertex.
struct Split {
    vertices: Vec<(u32, Option<u32>)>,
    triangles: Vec<[u32; 3]>,
}

impl PolyMesh {
    /// Reads a mesh from the properties of its schema. `object` names it in errors and warnings. `None` if it has no
    /// points.
    pub(super) fn read(
        archive: &Archive,
        properties: &Compound,
        object: &str,
        options: &ImportOptions,
        warnings: &mut Vec<Warning>,
    ) -> Outcome<Option<Self>> {
        let fault = |error: ReadError| error.of(object);
        let points = samples(archive, properties, "P").map_err(fault)?;
        let Some(points) = points.filter(|points| points.len() > 0) else {
            warnings.push(Warning::PrimitiveSkipped {
                mesh: object.to_owned(),
                reason: "it has no points".to_owned(),
            });
            return Ok(None);
        };
        check_point_counts(&points).map_err(fault)?;
        let polygons = Polygons::read(archive, properties, &points).map_err(fault)?;
        let skipped = polygons.counts.iter().filter(|count| **count < 3).count();
        if skipped > 0 {
            warnings.push(Warning::Unused {
                what: format!(
                    "{object}: ignored {} of fewer than 3 corners",
                    count(skipped, "face", "faces")
                ),
            });
        }
        let times = match points.is_constant() {
            true => Arc::default(),
            false => archive.times(points.property()).map_err(fault)?,
        };
        let elements = polygons.elements();
        let mut found = |name, extent| {
            let values = Values::find(archive, properties, name, extent, &elements);
            dropped(values, name, object, warnings)
        };
        let uvs = found("uv", 2).map_err(fault)?;
        let normals = found("N", 3).map_err(fault)?;
        let mut values = CornerValues::default();
        let uvs_read = match &uvs {
            Some(uvs) => values.read_uvs(archive, &polygons, uvs).map(Some),
            None => Ok(None),
        };
        dropped(uvs_read, "uv", object, warnings).map_err(fault)?;
        let normals_read = match &normals {
            Some(normals) => values
                .read_normals(archive, &polygons, normals, times.is_empty())
                .map(Some),
            None => Ok(None),
        };
        let normals_read = dropped(normals_read, "N", object, warnings).map_err(fault)?;
        let normals = normals.filter(|_| normals_read.is_some());
        report_held(&uvs, "texture coordinates", object, warnings);
        if times.is_empty() {
            report_held(&normals, "normals", object, warnings);
        }
        if normals.is_none() {
            warnings.push(Warning::NormalsComputed {
                mesh: object.to_owned(),
                vertices: polygons.points.len(),
            });
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

fn samples(archive: &Archive, properties: &Compound, name: &str) -> Read<Option<Samples>> {
    let property = properties.find(name);
    let found = property.map(|property| Samples::new(&archive.container, property));
    found.transpose()
}

/// Turns invalid values into a warning. Limits and files that cannot be read stay errors.
fn dropped<T>(
    found: Read<Option<T>>,
    name: &str,
    object: &str,
    warnings: &mut Vec<Warning>,
) -> Read<Option<T>> {
    match found {
        Err(error) if error.kind == ErrorKind::Data => {
            warnings.push(Warning::AttributeDropped {
                mesh: object.to_owned(),
                attribute: name.to_owned(),
                reason: error.problem,
            });
            Ok(None)
        }
        other => other,
    }
}

/// Reports values that change over time where only those of the first sample are used.
fn report_held(values: &Option<Values>, what: &str, object: &str, warnings: &mut Vec<Warning>) {
    if values
        .as_ref()
        .is_some_and(|values| !values.times.is_empty())
    {
        warnings.push(Warning::Unused {
            what: format!("{object}: its {what} change over time; used those of the first sample"),
        });
    }
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
        let holes = samples(archive, properties, ".holes")?;
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

    /// Gives each corner the value of its element.
    fn spread<T: Copy>(&self, scope: Scope, values: &[T]) -> Vec<T> {
        match scope {
            Scope::Constant => vec![values[0]; self.corners.len()],
            Scope::Corner => values.to_vec(),
            Scope::Point => self.corners.iter().map(|&p| values[p as usize]).collect(),
            Scope::Face => {
                let faces = self.faces().zip(values);
                faces
                    .flat_map(|(face, &value)| face.map(move |_| value))
                    .collect()
            }
        }
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
            let is_hole = self.is_hole.get(face).copied().unwrap_or(false);
            if corners.len() < 3 || is_hole {
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
    let Some(samples) = samples(archive, properties, name)?.filter(|found| found.len() > 0) else {
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
            "'{name}' has the number {number}"
        ))),
    }
}

/// Identity of a vertex: a point, the bits of texture coordinates and normal, and the class of the normal; or a corner.
#[derive(PartialEq, Eq, Hash)]
enum VertexKey {
    Values(u32, [u32; 2], [u32; 3], u32),
    Corner(u32),
}

impl CornerValues {
    fn key(&self, point: u32, corner: usize) -> VertexKey {
        let uv = self.uvs.get(corner).copied().unwrap_or_default();
        let normal = self.normals.get(corner).copied().unwrap_or_default();
        let class = self.classes.get(corner).copied().unwrap_or_default();
        VertexKey::Values(point, bits(uv.to_array()), bits(normal.to_array()), class)
    }

    fn read_uvs(&mut self, archive: &Archive, polygons: &Polygons, uvs: &Values) -> Read<()> {
        archive.charge(uvs.sample_bytes(8)?, 1)?;
        // V points up in Alembic and down in a mesh.
        let convert = |[u, v]: [f64; 2]| {
            let uv = Vec2::new(u as f32, 1.0 - v as f32);
            if uv.is_finite() { uv } else { Vec2::ZERO }
        };
        let (mut table, mut read) = (Vec::new(), Vec::new());
        uvs.read(0, convert, &mut table, &mut read)?;
        self.uvs = polygons.spread(uvs.scope, &read);
        Ok(())
    }

    /// Reads the normals of the first sample. Corners of one point whose normals differ in another sample are told apart
    /// by their class, unless only the first sample is used.
    fn read_normals(
        &mut self,
        archive: &Archive,
        polygons: &Polygons,
        normals: &Values,
        only_first: bool,
    ) -> Read<()> {
        archive.charge(normals.sample_bytes(12)?, 2)?;
        let (mut table, mut read) = (Vec::new(), Vec::new());
        normals.read(0, normal, &mut table, &mut read)?;
        let spread = polygons.spread(normals.scope, &read);
        // Normals per point cannot differ among its corners.
        let differ = normals.scope == Scope::Corner && !only_first;
        if differ && !normals.times.is_empty() {
            self.classes = vec![0; spread.len()];
            let samples = normals.times.len();
            let compared = COMPARED_FRAMES.min(samples - 1);
            for i in 1..=compared {
                normals.read(i * (samples - 1) / compared, normal, &mut table, &mut read)?;
                let mut class_of = HashMap::new();
                for (class, normal) in self.classes.iter_mut().zip(&read) {
                    let next = class_of.len() as u32;
                    let key = (*class, bits(normal.to_array()));
                    *class = *class_of.entry(key).or_insert(next);
                }
            }
        }
        self.normals = spread;
        Ok(())
    }
}

/// Bits of numbers, without a sign of zero.
fn bits<const N: usize>(numbers: [f32; N]) -> [u32; N] {
    numbers.map(|number| (number + 0.0).to_bits())
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
        let face_of_corner: Vec<u32> = match scope {
            Scope::Face => {
                let faces = self.polygons.faces().zip(0..);
                faces.flat_map(|(face, i)| face.map(move |_| i)).collect()
            }
            _ => Vec::new(),
        };
        let element = |&(point, corner): &(u32, Option<u32>)| match (scope, corner) {
            (Scope::Point, _) => point,
            (Scope::Corner, Some(corner)) => corner,
            (Scope::Face, Some(corner)) => face_of_corner[corner as usize],
            // A point without a face is not drawn.
            _ => 0,
        };
        self.split.vertices.iter().map(element).collect()
    }
}
