//! Writes meshes: vertex arrays, and placeholders where glTF does not allow the values of the source.

use glam::{DVec3, Vec2, Vec3, Vec4};
use throng_rig::{Influences, Mesh, MorphTarget};

use super::super::{MAX_EXACT_INTEGER, ModelError, UNIT_TOLERANCE, compact};
use crate::glb::{
    self, Attributes, Buffer, Component, LodInfo, MeshExtras, MeshInfo, PositionGrid, Primitive,
    Target,
};
use crate::{LodTriangles, MeshStorage};

/// Vertex attributes that are not part of the mesh; each empty, or one per vertex.
#[derive(Clone, Copy)]
pub(super) struct VertexExtras<'a> {
    pub second_uvs: &'a [Vec2],
    /// `COLOR_0`; the colours of the mesh are then `COLOR_1`.
    pub bone_colors: &'a [[u8; 4]],
    /// Position and normal in the rest pose.
    pub rest: &'a [[Vec3; 2]],
    pub storage: MeshStorage,
    /// Levels of detail of all meshes.
    pub lods: &'a [LodTriangles],
    /// Grid that has all positions and their morph offsets.
    pub grid: Option<PositionGrid>,
}

/// Adds a mesh to the buffer.
pub(super) fn write(
    index: usize,
    mesh: &Mesh,
    extras: VertexExtras<'_>,
    material: usize,
    buffer: &mut Buffer<'_>,
) -> Result<glb::Mesh, ModelError> {
    let VertexExtras {
        second_uvs,
        bone_colors,
        rest,
        storage,
        lods,
        grid,
    } = extras;
    check(index, mesh)?;
    check_bone_colors(index, mesh.vertex_count(), bone_colors)?;
    check_second_uvs(index, mesh.vertex_count(), second_uvs)?;
    if !rest.as_flattened().iter().all(|vector| vector.is_finite()) {
        let location = format!("the rest pose of mesh {index}");
        return Err(ModelError::NotFinite { location });
    }
    let targets = mesh.morph_targets();
    let mut info = MeshInfo {
        vertices: mesh.vertex_count(),
        triangles: mesh.triangles().len(),
        material: mesh.material,
        authored_method: mesh.authored_method,
        stand_in_tangents: false,
        stand_in_uvs: false,
        quantization: grid.filter(|_| mesh.vertex_count() > 0),
        lods: Vec::new(),
    };
    let stand_in;
    let mesh = if info.vertices == 0 {
        stand_in = one_vertex(targets.len());
        &stand_in
    } else {
        mesh
    };
    let mut arrays = Arrays {
        attributes: Attributes::new(),
        is_compact: storage == MeshStorage::Compact,
        buffer,
    };
    arrays.positions(mesh, info.quantization);
    arrays.colors(mesh.colors(), bone_colors);
    arrays.uvs(mesh.uvs(), second_uvs, &mut info);
    arrays.directions(mesh, &mut info);
    arrays.influences(mesh.influences());
    // Vertex sets address texels with unique vertices.
    arrays.sharing(mesh, rest.is_empty());
    arrays.rest(rest);
    let triangles = match mesh.triangles() {
        [] => &[[0; 3]],
        triangles => triangles,
    };
    let primitive = Primitive {
        attributes: arrays.attributes,
        indices: buffer.indices(triangles, mesh.vertex_count()),
        material,
        targets: mesh
            .morph_targets()
            .iter()
            .map(|t| target(t, info.quantization, buffer))
            .collect(),
    };
    info.lods = levels(index, info.vertices, lods, buffer)?;
    Ok(glb::Mesh {
        primitives: vec![primitive],
        extras: Some(MeshExtras {
            target_names: targets.iter().map(|target| target.name.clone()).collect(),
            throng: info,
        }),
    })
}

/// Adds the triangles of a mesh in each level of detail.
fn levels(
    mesh: usize,
    vertices: usize,
    lods: &[LodTriangles],
    buffer: &mut Buffer<'_>,
) -> Result<Vec<LodInfo>, ModelError> {
    let levels = lods.iter().enumerate();
    levels
        .map(|(level, lod)| {
            let triangles = lod.meshes.get(mesh).map_or(&[][..], Vec::as_slice);
            let largest = triangles.as_flattened().iter().max();
            if let Some(&vertex) = largest.filter(|&&vertex| vertex as usize >= vertices) {
                return Err(ModelError::LodIndex {
                    mesh,
                    level,
                    vertex,
                    vertices,
                });
            }
            Ok(LodInfo {
                triangles: triangles.len(),
                indices: largest.map(|_| buffer.indices(triangles, vertices)),
            })
        })
        .collect()
}

fn check(index: usize, mesh: &Mesh) -> Result<(), ModelError> {
    check_limits(index, mesh.vertex_count(), mesh.influences().max_joint())?;
    let result = mesh.check_unique();
    result.map_err(|error| ModelError::UniqueMismatch { mesh: index, error })
}

fn check_limits(mesh: usize, vertices: usize, joint: usize) -> Result<(), ModelError> {
    if vertices > MAX_EXACT_INTEGER {
        return Err(ModelError::TooManyVertices { mesh, vertices });
    }
    if joint > usize::from(u16::MAX) {
        return Err(ModelError::JointTooHigh { mesh, joint });
    }
    Ok(())
}

fn check_bone_colors(mesh: usize, vertices: usize, colors: &[[u8; 4]]) -> Result<(), ModelError> {
    let colors = colors.len();
    if colors == 0 || colors == vertices {
        return Ok(());
    }
    Err(ModelError::BoneColors {
        mesh,
        colors,
        vertices,
    })
}

fn check_second_uvs(mesh: usize, vertices: usize, uvs: &[Vec2]) -> Result<(), ModelError> {
    if !uvs.is_empty() && uvs.len() != vertices {
        let uvs = uvs.len();
        return Err(ModelError::SecondUvs {
            mesh,
            uvs,
            vertices,
        });
    }
    match uvs.iter().position(|uv| !uv.is_finite()) {
        Some(vertex) => Err(ModelError::NotFinite {
            location: format!("second texture coordinate {vertex} of mesh {mesh}"),
        }),
        None => Ok(()),
    }
}

/// Placeholder for a mesh without vertices.
fn one_vertex(targets: usize) -> Mesh {
    let mut mesh = Mesh::new(vec![Vec3::ZERO], Vec::new(), Influences::rigid(1))
        .expect("a mesh of one point is valid");
    for _ in 0..targets {
        let target = MorphTarget {
            name: String::new(),
            positions: vec![Vec3::ZERO],
            normals: Vec::new(),
            tangents: Vec::new(),
        };
        mesh.add_morph_target(target)
            .expect("the target has one delta per vertex");
    }
    mesh
}

fn target(target: &MorphTarget, grid: Option<PositionGrid>, buffer: &mut Buffer<'_>) -> Target {
    let (normals, tangents) = (target.normals.iter(), target.tangents.iter());
    let stored = grid.and_then(|grid| {
        let deltas = target.positions.iter();
        deltas
            .map(|&delta| grid.stored_delta(delta))
            .collect::<Option<Vec<_>>>()
    });
    Target {
        position: match stored {
            Some(stored) => buffer.quantized_positions(stored.into_iter()),
            None => buffer.positions(&target.positions),
        },
        normal: buffer.optional_attribute(normals.map(Vec3::to_array)),
        tangent: buffer.optional_attribute(tangents.map(Vec3::to_array)),
    }
}

/// The arrays of one mesh.
struct Arrays<'b, 'a> {
    attributes: Attributes,
    is_compact: bool,
    buffer: &'b mut Buffer<'a>,
}

impl Arrays<'_, '_> {
    fn put<T: Component, const N: usize>(
        &mut self,
        name: impl Into<String>,
        values: impl ExactSizeIterator<Item = [T; N]>,
    ) {
        if let Some(accessor) = self.buffer.optional_attribute(values) {
            self.attributes.insert(name.into(), accessor);
        }
    }

    /// Adds an attribute with the values that glTF allows, and the values of the source as `_SOURCE_…` where they differ.
    fn put_allowed<const N: usize>(
        &mut self,
        name: &str,
        values: impl ExactSizeIterator<Item = [f32; N]> + Clone,
        allowed: impl Fn([f32; N]) -> [f32; N] + Clone,
    ) {
        let bits = |value: [f32; N]| value.map(f32::to_bits);
        if values
            .clone()
            .any(|value| bits(allowed(value)) != bits(value))
        {
            self.put(format!("_SOURCE_{name}"), values.clone());
        }
        self.put_floats(name, values.map(allowed));
    }

    /// Adds floats, in compact storage as directions of 8 bits or values from 0 to 1 of 16 bits where these are exact.
    fn put_floats<const N: usize>(
        &mut self,
        name: impl Into<String>,
        values: impl ExactSizeIterator<Item = [f32; N]> + Clone,
    ) {
        if !self.is_compact || values.len() == 0 {
            return self.put(name, values);
        }
        let name = name.into();
        let accessor = if name == "NORMAL" || name == "TANGENT" {
            let stored = values.clone().map(stored_direction);
            let stored: Option<Vec<[i8; N]>> = stored.collect();
            stored.map(|stored| self.buffer.quantized_directions(stored.into_iter()))
        } else {
            let stored: Option<Vec<[u16; N]>> = values.clone().map(stored_unorm16s).collect();
            stored.map(|stored| self.buffer.normalized_attribute(stored.into_iter()))
        };
        match accessor {
            Some(accessor) => {
                self.attributes.insert(name, accessor);
            }
            None => self.put(name, values),
        }
    }

    fn positions(&mut self, mesh: &Mesh, grid: Option<PositionGrid>) {
        let stored = grid.and_then(|grid| {
            let positions = mesh.positions().iter();
            positions
                .map(|&position| grid.stored(position))
                .collect::<Option<Vec<_>>>()
        });
        let positions = match stored {
            Some(stored) => self.buffer.quantized_positions(stored.into_iter()),
            None => self.buffer.positions(mesh.positions()),
        };
        self.attributes.insert("POSITION".to_owned(), positions);
        let factors = mesh.blend_factors().iter();
        self.put_floats("_BLEND_FACTOR", factors.map(|&factor| [factor]));
        let centers = mesh.rotation_centers().iter();
        self.put("_ROTATION_CENTER", centers.map(Vec3::to_array));
    }

    fn colors(&mut self, colors: &[[f32; 4]], bone_colors: &[[u8; 4]]) {
        let name = match bone_colors.is_empty() {
            true => "COLOR_0",
            false => {
                let accessor = self
                    .buffer
                    .normalized_attribute(bone_colors.iter().copied());
                self.attributes.insert("COLOR_0".to_owned(), accessor);
                "COLOR_1"
            }
        };
        let colors = colors.iter().copied();
        self.put_allowed(name, colors, |color| color.map(|x| x.clamp(0.0, 1.0)));
    }

    fn uvs(&mut self, first: &[Vec2], second: &[Vec2], info: &mut MeshInfo) {
        self.put_floats("TEXCOORD_0", first.iter().map(Vec2::to_array));
        if first.is_empty() && !second.is_empty() {
            info.stand_in_uvs = true;
            self.put(
                "TEXCOORD_0",
                std::iter::repeat_n([0.0_f32; 2], second.len()),
            );
        }
        self.put_floats("TEXCOORD_1", second.iter().map(Vec2::to_array));
    }

    fn directions(&mut self, mesh: &Mesh, info: &mut MeshInfo) {
        let normals = mesh.normals().iter().map(Vec3::to_array);
        self.put_allowed("NORMAL", normals, |normal| {
            unit_or(normal.into(), Vec3::Y).into()
        });
        let tangents = mesh.tangents().iter().map(Vec4::to_array);
        self.put_allowed("TANGENT", tangents, |[x, y, z, w]| {
            let sign = if w < 0.0 { -1.0 } else { 1.0 };
            unit_or(Vec3::new(x, y, z), Vec3::X).extend(sign).into()
        });
        let mut targets = mesh.morph_targets().iter();
        if mesh.tangents().is_empty() && targets.any(|target| !target.tangents.is_empty()) {
            info.stand_in_tangents = true;
            let tangents = std::iter::repeat_n([1.0, 0.0, 0.0, 1.0_f32], mesh.vertex_count());
            self.put("TANGENT", tangents);
        }
    }

    fn influences(&mut self, influences: &Influences) {
        let is_narrow = influences.max_joint() <= usize::from(u8::MAX);
        let has_short_weights = self.is_compact && sums_are_exact(influences);
        for set in 0..influences.max_per_vertex().div_ceil(4) {
            let vertices = 0..influences.vertex_count();
            let joints = vertices.clone().map(|v| four(influences.run(v).0, set));
            let name = format!("JOINTS_{set}");
            if is_narrow {
                self.put(name, joints.map(|joints| joints.map(|j| j as u8)));
            } else {
                self.put(name, joints.map(|joints| joints.map(|j| j as u16)));
            }
            let weights = vertices.map(|v| four(influences.run(v).1, set));
            let name = format!("WEIGHTS_{set}");
            match has_short_weights {
                true => self.put_floats(name, weights),
                false => self.put(name, weights),
            }
        }
    }

    fn rest(&mut self, rest: &[[Vec3; 2]]) {
        let vectors = |which: usize| rest.iter().map(move |pair| pair[which].to_array());
        self.put("_REST_POSITION", vectors(0));
        self.put("_REST_NORMAL", vectors(1));
    }

    /// Adds unique vertices, unless they may be left out and follow from the vertices.
    fn sharing(&mut self, mesh: &Mesh, is_optional: bool) {
        let unique = mesh.unique();
        if self.is_compact && is_optional {
            let mut shared = mesh.clone();
            shared.share_positions();
            if shared.unique() == unique {
                return;
            }
        }
        for (name, indices) in [
            ("_UNIQUE_POSITION", unique.position_of()),
            ("_UNIQUE_NORMAL", unique.normal_of()),
        ] {
            match self.is_compact && indices.len() <= 1 << 16 {
                true => self.put(name, indices.iter().map(|&index| [index as u16])),
                false => self.put(name, indices.iter().map(|&index| [index as f32])),
            }
        }
    }
}

/// 16-bit integers that stand for exactly these values from 0 to 1.
fn stored_unorm16s<const N: usize>(values: [f32; N]) -> Option<[u16; N]> {
    let mut stored = [0; N];
    for (stored, value) in stored.iter_mut().zip(values) {
        *stored = compact::stored_unorm16(value)?;
    }
    Some(stored)
}

/// Stored direction of exactly this unit vector; a fourth component is a sign.
fn stored_direction<const N: usize>(values: [f32; N]) -> Option<[i8; N]> {
    let direction = compact::stored_direction(Vec3::from_slice(&values))?;
    let mut stored = [0; N];
    stored[..3].copy_from_slice(&direction);
    if let (Some(stored), Some(sign)) = (stored.get_mut(3), values.get(3)) {
        *stored = if *sign < 0.0 { -127 } else { 127 };
    }
    Some(stored)
}

/// True where the weights of every vertex, as 16-bit integers, sum to that of one.
fn sums_are_exact(influences: &Influences) -> bool {
    (0..influences.vertex_count()).all(|vertex| {
        let (_, weights) = influences.run(vertex);
        let stored = weights
            .iter()
            .map(|&weight| compact::stored_unorm16(weight));
        let sum = stored
            .map(|weight| weight.map(u32::from))
            .sum::<Option<u32>>();
        sum == Some(compact::WEIGHT_UNITS_16)
    })
}

/// Elements `4 * set` to `4 * set + 3` of a list, zeros after its end.
fn four<T: Copy + Default>(run: &[T], set: usize) -> [T; 4] {
    std::array::from_fn(|lane| run.get(4 * set + lane).copied().unwrap_or_default())
}

/// The vector itself where it is of unit length, else normalised, else the fallback.
fn unit_or(vector: Vec3, fallback: Vec3) -> Vec3 {
    let vector_f64 = vector.as_dvec3();
    if (vector_f64.length() - 1.0).abs() <= UNIT_TOLERANCE {
        return vector;
    }
    vector_f64.try_normalize().map_or(fallback, DVec3::as_vec3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_more_vertices_than_floats_can_index() {
        assert!(check_limits(0, MAX_EXACT_INTEGER, 65535).is_ok());
        let message = check_limits(3, MAX_EXACT_INTEGER + 1, 0)
            .unwrap_err()
            .to_string();
        assert_eq!(
            message,
            "mesh 3 has 16777217 vertices, a model holds at most 16777216: split the mesh"
        );
        assert!((MAX_EXACT_INTEGER as f32 - 1.0) < MAX_EXACT_INTEGER as f32);
        assert_eq!((MAX_EXACT_INTEGER + 1) as f32, MAX_EXACT_INTEGER as f32);
    }

    #[test]
    fn rejects_joints_above_16_bits() {
        assert!(matches!(
            check_limits(2, 1, 65536),
            Err(ModelError::JointTooHigh {
                mesh: 2,
                joint: 65536
            })
        ));
    }
}
