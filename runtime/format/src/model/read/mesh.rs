//! Meshes.

use glam::{Vec2, Vec3, Vec4};
use throng_rig::{Influences, Mesh, MorphTarget, UniqueVertices};

use super::super::error::At;
use super::super::{MAX_EXACT, ModelError};
use super::arrays::Arrays;
use crate::glb::{self, Attributes, MeshOwn, Target};

/// A mesh and the vertex attributes that are not part of it.
pub(super) struct ReadMesh {
    pub mesh: Mesh,
    /// One per vertex, or none.
    pub second_uvs: Vec<Vec2>,
    /// Rest positions and rest normals, one per vertex.
    pub rest: Option<[Vec<Vec3>; 2]>,
}

/// Reads a mesh. Unknown attributes are ignored.
pub(super) fn read(
    index: usize,
    mesh: glb::Mesh,
    arrays: &mut Arrays<'_>,
) -> Result<ReadMesh, ModelError> {
    let place = || format!("mesh {index}");
    let extras = mesh.extras.ok_or("has no extras").at(place)?;
    let [primitive] = <[_; 1]>::try_from(mesh.primitives)
        .map_err(|list| format!("has {} primitives, expected one", list.len()))
        .at(place)?;
    if extras.target_names.len() != primitive.targets.len() {
        return Err("has not one name for each morph target").at(place);
    }
    let own = extras.throng;
    let mut reader = Reader {
        place: format!("mesh {index}"),
        attributes: primitive.attributes,
        vertices: own.vertices,
        arrays,
    };
    let positions = reader.vectors("POSITION")?;
    let triangles = reader.triangles(primitive.indices, own.triangles)?;
    let influences = reader.influences()?;
    let mut mesh = Mesh::new(positions, triangles, influences).at(place)?;
    reader.attributes_of(&mut mesh, &own)?;
    let second_uvs = reader.optional("TEXCOORD_1")?.unwrap_or_default();
    let rest = match reader.optional("_REST_POSITION")? {
        Some(positions) => Some([positions, reader.vectors("_REST_NORMAL")?]),
        None => None,
    };
    for (name, target) in extras.target_names.into_iter().zip(&primitive.targets) {
        let target = reader.target(name, target)?;
        mesh.add_morph_target(target).at(place)?;
    }
    // Last, for it is checked against all else.
    let positions = reader.whole_numbers("_UNIQUE_POSITION")?;
    let normals = reader.whole_numbers("_UNIQUE_NORMAL")?;
    let unique = UniqueVertices::from_indices(positions, normals).at(place)?;
    mesh.set_unique(unique).at(place)?;
    Ok(ReadMesh {
        mesh,
        second_uvs,
        rest,
    })
}

/// A primitive, and the attributes of it that are still to be read.
struct Reader<'r, 'a> {
    place: String,
    attributes: Attributes,
    vertices: usize,
    arrays: &'r mut Arrays<'a>,
}

impl Reader<'_, '_> {
    /// How many elements an array has: at least one, for glTF has no empty ones.
    fn count(&self) -> usize {
        self.vertices.max(1)
    }

    /// One vector a vertex, none where there is no such attribute.
    fn optional<const N: usize, T: From<[f32; N]>>(
        &mut self,
        name: &str,
    ) -> Result<Option<Vec<T>>, ModelError> {
        match self.attributes.remove(name) {
            Some(accessor) => self.read(accessor, name).map(Some),
            None => Ok(None),
        }
    }

    fn read<const N: usize, T: From<[f32; N]>>(
        &mut self,
        accessor: usize,
        name: &str,
    ) -> Result<Vec<T>, ModelError> {
        let values = self.arrays.floats::<N>(accessor, self.count());
        let values = values.at(|| format!("{}, {name}", self.place))?;
        let vertices = values.into_iter().take(self.vertices);
        Ok(vertices.map(T::from).collect())
    }

    fn vectors<const N: usize, T: From<[f32; N]>>(
        &mut self,
        name: &str,
    ) -> Result<Vec<T>, ModelError> {
        let values = self.optional(name)?;
        values
            .ok_or("is missing")
            .at(|| format!("{}, {name}", self.place))
    }

    /// The mesh's own where glTF would not allow it.
    fn own_or_allowed<const N: usize, T: From<[f32; N]>>(
        &mut self,
        name: &str,
    ) -> Result<Option<Vec<T>>, ModelError> {
        match self.optional(&format!("_SOURCE_{name}"))? {
            Some(own) => {
                self.attributes.remove(name);
                Ok(Some(own))
            }
            None => self.optional(name),
        }
    }

    fn triangles(&mut self, accessor: usize, count: usize) -> Result<Vec<[u32; 3]>, ModelError> {
        let place = || format!("{}, indices", self.place);
        let corners = count
            .max(1)
            .checked_mul(3)
            .ok_or("too many triangles")
            .at(place)?;
        let indices = self.arrays.narrow_or_wide::<u16, u32, 1>(accessor, corners);
        let indices = indices.at(place)?;
        let (triangles, _) = indices.as_flattened().as_chunks::<3>();
        Ok(triangles[..count].to_vec())
    }

    /// Runs as they were, and nothing but zeros after their ends.
    fn influences(&mut self) -> Result<Influences, ModelError> {
        let mut sets = Vec::new();
        while let Some(joints) = self.attributes.remove(&format!("JOINTS_{}", sets.len())) {
            let place = || format!("{}, JOINTS_{}", self.place, sets.len());
            let count = self.count();
            let joints = self.arrays.narrow_or_wide::<u8, u16, 4>(joints, count);
            let joints = joints.at(place)?;
            let weights: Vec<[f32; 4]> = self.vectors(&format!("WEIGHTS_{}", sets.len()))?;
            sets.push((joints, weights));
        }
        let pairs = |v: usize| {
            let of_set = move |(joints, weights): &(Vec<[u32; 4]>, Vec<[f32; 4]>)| {
                joints[v].into_iter().zip(weights[v])
            };
            sets.iter().flat_map(of_set)
        };
        let place = || format!("{}, influences", self.place);
        for v in 0..self.vertices {
            let mut rest = pairs(v).skip_while(|&(_, weight)| weight != 0.0);
            if rest.any(|pair| pair != (0, 0.0)) {
                return Err(format!("those of vertex {v} go on after their end")).at(place);
            }
        }
        let runs = (0..self.vertices).map(|v| pairs(v).take_while(|&(_, weight)| weight != 0.0));
        Influences::from_runs(runs).at(place)
    }

    fn attributes_of(&mut self, mesh: &mut Mesh, own: &MeshOwn) -> Result<(), ModelError> {
        let object = self.place.clone();
        let place = || object.clone();
        mesh.material = own.material;
        mesh.authored_method = own.authored_method;
        let normals: Option<Vec<Vec3>> = self.own_or_allowed("NORMAL")?;
        let normals = normals.ok_or("has no NORMAL").at(place)?;
        mesh.set_normals(normals).at(place)?;
        let tangents: Option<Vec<Vec4>> = self.own_or_allowed("TANGENT")?;
        if let Some(tangents) = tangents.filter(|_| !own.stand_in_tangents) {
            mesh.set_tangents(tangents).at(place)?;
        }
        let uvs: Option<Vec<Vec2>> = self.optional("TEXCOORD_0")?;
        if let Some(uvs) = uvs.filter(|_| !own.stand_in_uvs) {
            mesh.set_uvs(uvs).at(place)?;
        }
        if let Some(colors) = self.own_or_allowed("COLOR_0")? {
            mesh.set_colors(colors).at(place)?;
        }
        let factors: Option<Vec<[f32; 1]>> = self.optional("_BLEND_FACTOR")?;
        if let Some(factors) = factors {
            mesh.set_blend_factors(factors.into_iter().map(|[x]| x).collect())
                .at(place)?;
        }
        Ok(())
    }

    fn target(&mut self, name: String, target: &Target) -> Result<MorphTarget, ModelError> {
        let mut optional = |accessor: Option<usize>, name: &str| match accessor {
            Some(accessor) => self.read(accessor, name),
            None => Ok(Vec::new()),
        };
        Ok(MorphTarget {
            positions: optional(Some(target.position), "morph POSITION")?,
            normals: optional(target.normal, "morph NORMAL")?,
            tangents: optional(target.tangent, "morph TANGENT")?,
            name,
        })
    }

    /// Numbers below that of the vertices.
    fn whole_numbers(&mut self, name: &str) -> Result<Vec<u32>, ModelError> {
        let values: Vec<[f32; 1]> = self.vectors(name)?;
        let end = self.vertices.min(MAX_EXACT) as f32;
        let whole = |[x]: [f32; 1]| (x >= 0.0 && x < end && x.fract() == 0.0).then_some(x as u32);
        let numbers: Option<Vec<u32>> = values.into_iter().map(whole).collect();
        let numbers = numbers.ok_or("one is no number of a vertex");
        numbers.at(|| format!("{}, {name}", self.place))
    }
}
