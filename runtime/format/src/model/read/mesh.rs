//! Reads meshes.

use glam::{Vec2, Vec3, Vec4};
use throng_rig::{Influences, Mesh, MorphTarget, UniqueVertices};

use super::super::error::At;
use super::super::{MAX_EXACT_INTEGER, ModelError, compact};
use super::arrays::Arrays;
use crate::glb::{self, Attributes, LodInfo, MeshInfo, PositionGrid, Target};

/// A mesh and the vertex attributes that are not part of it.
pub(super) struct ReadMesh {
    pub mesh: Mesh,
    /// One per vertex, or none.
    pub second_uvs: Vec<Vec2>,
    /// One per vertex, or none.
    pub bone_colors: Vec<[u8; 4]>,
    /// Rest positions and rest normals, one per vertex.
    pub rest: Option<[Vec<Vec3>; 2]>,
    /// Triangles of each level of detail.
    pub lods: Vec<Vec<[u32; 3]>>,
}

/// Reads a mesh. Unknown attributes are ignored.
pub(super) fn read(
    index: usize,
    mesh: glb::Mesh,
    arrays: &mut Arrays<'_>,
) -> Result<ReadMesh, ModelError> {
    let location = || format!("mesh {index}");
    let extras = mesh
        .extras
        .ok_or("expected extras, found none")
        .at(location)?;
    let [primitive] = <[_; 1]>::try_from(mesh.primitives)
        .map_err(|list| format!("expected one primitive, found {}", list.len()))
        .at(location)?;
    if extras.target_names.len() != primitive.targets.len() {
        return Err(format!(
            "expected {} names of morph targets, found {}",
            primitive.targets.len(),
            extras.target_names.len()
        ))
        .at(location);
    }
    let info = extras.throng;
    let mut reader = Reader {
        location: format!("mesh {index}"),
        attributes: primitive.attributes,
        vertices: info.vertices,
        arrays,
    };
    let positions = reader.positions(info.quantization)?;
    let triangles = reader.triangles(primitive.indices, info.triangles)?;
    let influences = reader.influences()?;
    let mut mesh = Mesh::new(positions, triangles, influences).at(location)?;
    let bone_colors = reader.bone_colors()?;
    let own_colors = match bone_colors.is_some() {
        true => "COLOR_1",
        false => "COLOR_0",
    };
    reader.attributes_of(&mut mesh, own_colors, &info)?;
    let second_uvs = reader.optional("TEXCOORD_1")?.unwrap_or_default();
    let lods = info.lods.iter().enumerate();
    let lods = lods.map(|(level, lod)| reader.level(level, lod));
    let lods = lods.collect::<Result<_, _>>()?;
    let rest = match reader.optional("_REST_POSITION")? {
        Some(positions) => Some([positions, reader.vectors("_REST_NORMAL")?]),
        None => None,
    };
    for (name, target) in extras.target_names.into_iter().zip(&primitive.targets) {
        let target = reader.target(name, target, info.quantization)?;
        mesh.add_morph_target(target).at(location)?;
    }
    // Last, since it is checked against all other attributes, or follows from them.
    if reader.has_unique_vertices() {
        let positions = reader.vertex_indices("_UNIQUE_POSITION")?;
        let normals = reader.vertex_indices("_UNIQUE_NORMAL")?;
        let unique = UniqueVertices::from_indices(positions, normals).at(location)?;
        mesh.set_unique(unique).at(location)?;
    } else {
        mesh.share_positions();
    }
    Ok(ReadMesh {
        mesh,
        second_uvs,
        bone_colors: bone_colors.unwrap_or_default(),
        rest,
        lods,
    })
}

/// A primitive and its unread attributes.
struct Reader<'r, 'a> {
    location: String,
    attributes: Attributes,
    vertices: usize,
    arrays: &'r mut Arrays<'a>,
}

impl Reader<'_, '_> {
    /// Number of elements of an array: at least one, since glTF has no empty arrays.
    fn count(&self) -> usize {
        self.vertices.max(1)
    }

    /// Reads one vector per vertex; `None` where the attribute is missing.
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
        let is_direction = name == "NORMAL" || name == "TANGENT";
        let values = match is_direction && self.arrays.holds::<i8>(accessor) {
            true => self
                .arrays
                .array::<i8, N>(accessor, self.count())
                .map(|values| values.into_iter().map(direction).collect()),
            false => self.arrays.values::<N>(accessor, self.count()),
        };
        let values = values.at(|| format!("{}, {name}", self.location))?;
        let vertices = values.into_iter().take(self.vertices);
        Ok(vertices.map(T::from).collect())
    }

    fn vectors<const N: usize, T: From<[f32; N]>>(
        &mut self,
        name: &str,
    ) -> Result<Vec<T>, ModelError> {
        let values = self.optional(name)?;
        values
            .ok_or("the attribute is missing")
            .at(|| format!("{}, {name}", self.location))
    }

    /// Reads `_SOURCE_…`, which holds values that glTF does not allow, or else the attribute itself.
    fn source_or_allowed<const N: usize, T: From<[f32; N]>>(
        &mut self,
        name: &str,
    ) -> Result<Option<Vec<T>>, ModelError> {
        match self.optional(&format!("_SOURCE_{name}"))? {
            Some(source) => {
                self.attributes.remove(name);
                Ok(Some(source))
            }
            None => self.optional(name),
        }
    }

    /// Reads positions in metres.
    fn positions(&mut self, grid: Option<PositionGrid>) -> Result<Vec<Vec3>, ModelError> {
        let Some(grid) = grid else {
            return self.vectors("POSITION");
        };
        let location = || format!("{}, POSITION", self.location);
        let accessor = self.attributes.remove("POSITION");
        let accessor = accessor.ok_or("the attribute is missing").at(location)?;
        let stored = self.arrays.array::<u16, 3>(accessor, self.vertices);
        let stored = stored.at(location)?.into_iter();
        all_finite(stored.map(|stored| grid.position(stored))).at(location)
    }

    fn triangles(&mut self, accessor: usize, count: usize) -> Result<Vec<[u32; 3]>, ModelError> {
        let location = || format!("{}, indices", self.location);
        let corners = count
            .max(1)
            .checked_mul(3)
            .ok_or("too many triangles")
            .at(location)?;
        let indices = self.arrays.narrow_or_wide::<u16, u32, 1>(accessor, corners);
        let indices = indices.at(location)?;
        let (triangles, _) = indices.as_flattened().as_chunks::<3>();
        Ok(triangles[..count].to_vec())
    }

    /// Reads the triangles of a level of detail.
    fn level(&mut self, level: usize, lod: &LodInfo) -> Result<Vec<[u32; 3]>, ModelError> {
        let location = format!("{}, level of detail {level}", self.location);
        let accessor = match (lod.triangles, lod.indices) {
            (0, None) => return Ok(Vec::new()),
            (1.., Some(accessor)) => accessor,
            (triangles, _) => {
                let problem = format!("expected indices of {triangles} triangles");
                return Err(problem).at(|| location);
            }
        };
        let triangles = self.triangles(accessor, lod.triangles)?;
        let mut indices = triangles.as_flattened().iter();
        match indices.find(|&&index| index as usize >= self.vertices) {
            Some(index) => {
                let problem = format!(
                    "vertex {index} is out of range, the mesh has {}",
                    self.vertices
                );
                Err(problem).at(|| location)
            }
            None => Ok(triangles),
        }
    }

    /// Reads influences. Pairs after the last influence of a vertex must be zeros.
    fn influences(&mut self) -> Result<Influences, ModelError> {
        let mut sets = Vec::new();
        while let Some(joints) = self.attributes.remove(&format!("JOINTS_{}", sets.len())) {
            let location = || format!("{}, JOINTS_{}", self.location, sets.len());
            let count = self.count();
            let joints = self.arrays.narrow_or_wide::<u8, u16, 4>(joints, count);
            let joints = joints.at(location)?;
            let weights: Vec<[f32; 4]> = self.vectors(&format!("WEIGHTS_{}", sets.len()))?;
            sets.push((joints, weights));
        }
        let pairs = |v: usize| {
            let of_set = move |(joints, weights): &(Vec<[u32; 4]>, Vec<[f32; 4]>)| {
                joints[v].into_iter().zip(weights[v])
            };
            sets.iter().flat_map(of_set)
        };
        let location = || format!("{}, influences", self.location);
        for v in 0..self.vertices {
            let mut rest = pairs(v).skip_while(|&(_, weight)| weight != 0.0);
            if rest.any(|pair| pair != (0, 0.0)) {
                return Err(format!(
                    "vertex {v}: expected zeros after its last influence"
                ))
                .at(location);
            }
        }
        let runs = (0..self.vertices).map(|v| pairs(v).take_while(|&(_, weight)| weight != 0.0));
        Influences::from_runs(runs).at(location)
    }

    /// Reads `COLOR_0` where it holds bytes; `None` where it holds floats or is missing.
    fn bone_colors(&mut self) -> Result<Option<Vec<[u8; 4]>>, ModelError> {
        let Some(&accessor) = self.attributes.get("COLOR_0") else {
            return Ok(None);
        };
        if !self.arrays.holds::<u8>(accessor) {
            return Ok(None);
        }
        self.attributes.remove("COLOR_0");
        let colors = self.arrays.normalized_bytes(accessor, self.count());
        let mut colors = colors.at(|| format!("{}, COLOR_0", self.location))?;
        colors.truncate(self.vertices);
        Ok(Some(colors))
    }

    /// Reads the attributes of a mesh; `own_colors` is the name of its colours.
    fn attributes_of(
        &mut self,
        mesh: &mut Mesh,
        own_colors: &str,
        info: &MeshInfo,
    ) -> Result<(), ModelError> {
        let object = self.location.clone();
        let location = || object.clone();
        mesh.material = info.material;
        mesh.authored_method = info.authored_method;
        let normals: Option<Vec<Vec3>> = self.source_or_allowed("NORMAL")?;
        let normals = normals
            .ok_or("the attribute NORMAL is missing")
            .at(location)?;
        mesh.set_normals(normals).at(location)?;
        let tangents: Option<Vec<Vec4>> = self.source_or_allowed("TANGENT")?;
        if let Some(tangents) = tangents.filter(|_| !info.stand_in_tangents) {
            mesh.set_tangents(tangents).at(location)?;
        }
        let uvs: Option<Vec<Vec2>> = self.optional("TEXCOORD_0")?;
        if let Some(uvs) = uvs.filter(|_| !info.stand_in_uvs) {
            mesh.set_uvs(uvs).at(location)?;
        }
        if let Some(colors) = self.source_or_allowed(own_colors)? {
            mesh.set_colors(colors).at(location)?;
        }
        let factors: Option<Vec<[f32; 1]>> = self.optional("_BLEND_FACTOR")?;
        if let Some(factors) = factors {
            mesh.set_blend_factors(factors.into_iter().map(|[x]| x).collect())
                .at(location)?;
        }
        if let Some(centers) = self.optional("_ROTATION_CENTER")? {
            mesh.set_rotation_centers(centers).at(location)?;
        }
        Ok(())
    }

    fn target(
        &mut self,
        name: String,
        target: &Target,
        grid: Option<PositionGrid>,
    ) -> Result<MorphTarget, ModelError> {
        let deltas = match grid {
            Some(grid) => {
                let location = || format!("{}, morph POSITION", self.location);
                let stored = self.arrays.array::<i16, 3>(target.position, self.vertices);
                let stored = stored.at(location)?.into_iter();
                Some(all_finite(stored.map(|stored| grid.delta(stored))).at(location)?)
            }
            None => None,
        };
        let mut optional = |accessor: Option<usize>, name: &str| match accessor {
            Some(accessor) => self.read(accessor, name),
            None => Ok(Vec::new()),
        };
        Ok(MorphTarget {
            positions: match deltas {
                Some(deltas) => deltas,
                None => optional(Some(target.position), "morph POSITION")?,
            },
            normals: optional(target.normal, "morph NORMAL")?,
            tangents: optional(target.tangent, "morph TANGENT")?,
            name,
        })
    }

    /// False where unique vertices follow from the vertices.
    fn has_unique_vertices(&self) -> bool {
        let names = ["_UNIQUE_POSITION", "_UNIQUE_NORMAL"];
        names.iter().any(|&name| self.attributes.contains_key(name))
    }

    /// Reads indices of unique vertices: integers below the number of vertices.
    fn vertex_indices(&mut self, name: &str) -> Result<Vec<u32>, ModelError> {
        if let Some(&accessor) = self.attributes.get(name)
            && self.arrays.holds::<u16>(accessor)
        {
            let indices = self.arrays.array::<u16, 1>(accessor, self.count());
            let indices = indices.at(|| format!("{}, {name}", self.location))?;
            let vertices = indices.into_iter().take(self.vertices);
            return Ok(vertices.map(|[index]| index.into()).collect());
        }
        let values: Vec<[f32; 1]> = self.vectors(name)?;
        let end = self.vertices.min(MAX_EXACT_INTEGER) as f32;
        let index = |[x]: [f32; 1]| (x >= 0.0 && x < end && x.fract() == 0.0).then_some(x as u32);
        let indices: Option<Vec<u32>> = values.into_iter().map(index).collect();
        let indices = indices.ok_or_else(|| format!("expected integers below {end}"));
        indices.at(|| format!("{}, {name}", self.location))
    }
}

/// Unit vector of a stored direction; a fourth component is a sign.
fn direction<const N: usize>(stored: [i8; N]) -> [f32; N] {
    let unit = compact::direction(std::array::from_fn(|axis| stored[axis]));
    let sign = stored
        .get(3)
        .map_or(0.0, |&w| if w < 0 { -1.0 } else { 1.0 });
    let values = unit.extend(sign).to_array();
    std::array::from_fn(|i| values[i])
}

fn all_finite(vectors: impl Iterator<Item = Vec3>) -> Result<Vec<Vec3>, &'static str> {
    let vectors: Vec<Vec3> = vectors.collect();
    match vectors.iter().all(|vector| vector.is_finite()) {
        true => Ok(vectors),
        false => Err("expected finite values, found a step that is too large"),
    }
}
