//! Reads models as `write_model` writes them.

mod arrays;
mod mesh;
mod nodes;

use glam::{DAffine3, DMat4, DVec4, Vec3};
use serde_json::Value;
use throng_rig::{Character, CharacterParts, Image, RestVertices, Skin};

use super::error::At;
use super::{
    BUFFER_VIEW_DIGESTS, BUFFER_VIEWS, MAX_SKIN_STEPS, Model, ModelError, ReadExtension, skin_steps,
};
use crate::glb::{self, CharacterExtras, Document, ImageExtras, PositionGrid};
use crate::{LodTriangles, MeshStorage};
use arrays::Arrays;
use mesh::ReadMesh;
use nodes::Nodes;

/// Reads a model that [`super::write_model`] wrote.
///
/// Everything is checked, as for an imported character. Memory is proportional to the size of the file: every array is
/// read once, and arrays do not overlap.
pub fn read_model(bytes: &[u8]) -> Result<Model, ModelError> {
    let parsed = glb::parse_glb(bytes)?;
    let mut document = parsed.document;
    let extras = document.extras.take();
    let extras = extras
        .ok_or("the field is missing")
        .at(|| "extras.throng".to_owned())?;
    let extras = extras.throng;
    if extras.version != CharacterExtras::VERSION {
        return Err(ModelError::OtherVersion {
            version: extras.version,
            expected: CharacterExtras::VERSION,
        });
    }
    let mut arrays = Arrays::new(&mut document, bytes, parsed.binary)?;
    let storage = match arrays.has_compressed_views() {
        true => MeshStorage::Compact,
        false => MeshStorage::Exact,
    };
    for extension in document.extensions.values_mut() {
        let digests = extension.as_object_mut();
        if let Some(digests) = digests.and_then(|json| json.remove(BUFFER_VIEW_DIGESTS)) {
            arrays.check_digests(digests)?;
        }
    }
    let nodes = Nodes::read(std::mem::take(&mut document.nodes), &extras.morph_sets)?;
    let grids = grids_of_skins(&document, &nodes);
    let skins = skins(&document, &grids, &nodes, &mut arrays)?;
    let meshes = document.meshes.into_iter().enumerate();
    let meshes = meshes.map(|(index, mesh)| mesh::read(index, mesh, &mut arrays));
    let read = meshes.collect::<Result<Vec<_>, _>>()?;
    let (mut meshes, mut rest) = (Vec::new(), Vec::new());
    let (mut second_uvs, mut bone_colors) = (Vec::new(), Vec::new());
    let mut lods = levels(&read)?;
    for mesh in read {
        meshes.push(mesh.mesh);
        second_uvs.push(mesh.second_uvs);
        bone_colors.push(mesh.bone_colors);
        rest.push(mesh.rest);
        for (lod, triangles) in lods.iter_mut().zip(mesh.lods) {
            lod.meshes.push(triangles);
        }
    }
    let images = extras.images.into_iter().enumerate();
    let images = images.map(|(index, image)| read_image(index, image, &mut arrays));
    let images = images.collect::<Result<_, _>>()?;
    let extension = extension(document.extensions, &mut arrays)?;
    let sets = extras.morph_sets.into_iter();
    let weights = |weights: Vec<glb::F32>| weights.into_iter().map(|w| w.0).collect();
    let character = Character::new(CharacterParts {
        name: extras.name,
        skeleton: nodes.skeleton,
        skins,
        meshes,
        parts: nodes.parts,
        morph_sets: sets.map(|set| (set.name, weights(set.weights))).collect(),
        clips: Vec::new(),
        materials: extras.materials.into_iter().map(Into::into).collect(),
        images,
    });
    let character = character.at(|| "character".to_owned())?;
    Ok(Model {
        rest: rest_vertices(&character, &rest)?,
        character,
        second_uvs,
        bone_colors,
        extension,
        storage,
        lods,
    })
}

/// Empty levels of detail, as many as every mesh has.
fn levels(meshes: &[ReadMesh]) -> Result<Vec<LodTriangles>, ModelError> {
    let count = meshes.first().map_or(0, |mesh| mesh.lods.len());
    match meshes.iter().position(|mesh| mesh.lods.len() != count) {
        Some(mesh) => {
            let found = meshes[mesh].lods.len();
            let problem = format!("expected {count} levels of detail as in mesh 0, found {found}");
            Err(problem).at(|| format!("mesh {mesh}"))
        }
        None => Ok(vec![LodTriangles::default(); count]),
    }
}

/// Rest vertices of all parts; `None` where no mesh has any.
fn rest_vertices(
    character: &Character,
    rest: &[Option<[Vec<Vec3>; 2]>],
) -> Result<Option<RestVertices>, ModelError> {
    if rest.iter().all(Option::is_none) {
        return Ok(None);
    }
    let mut out = RestVertices::default();
    for part in character.parts() {
        let location = || format!("mesh {}", part.mesh);
        let unique = character.mesh_of(part).unique();
        let empty = [Vec::new(), Vec::new()];
        let [positions, normals] = match &rest[part.mesh] {
            Some(rest) => rest,
            None if unique.position_count() == 0 => &empty,
            None => return Err("the attribute _REST_POSITION is missing").at(location),
        };
        for (values, first_of, index_of, out) in [
            (
                positions,
                unique.first_of_position(),
                unique.position_of(),
                &mut out.positions,
            ),
            (
                normals,
                unique.first_of_normal(),
                unique.normal_of(),
                &mut out.normals,
            ),
        ] {
            let first = |index: u32| values[first_of[index as usize] as usize];
            let mut pairs = values.iter().zip(index_of);
            if let Some(vertex) = pairs.position(|(value, &index)| *value != first(index)) {
                let problem =
                    format!("vertex {vertex} shares a unique vertex, but has another rest pose");
                return Err(problem).at(location);
            }
            out.extend(first_of.iter().map(|&vertex| values[vertex as usize]));
        }
    }
    Ok(Some(out))
}

/// Grid of the positions that each skin moves: that of the first part with a quantised mesh.
fn grids_of_skins(document: &Document, nodes: &Nodes) -> Vec<Option<PositionGrid>> {
    let mut grids = vec![None; document.skins.len()];
    for part in &nodes.parts {
        let extras = document
            .meshes
            .get(part.mesh)
            .and_then(|mesh| mesh.extras.as_ref());
        let grid = extras.and_then(|extras| extras.throng.quantization);
        if let Some(of_skin @ None) = grids.get_mut(part.skin) {
            *of_skin = grid;
        }
    }
    grids
}

fn skins(
    document: &Document,
    grids: &[Option<PositionGrid>],
    nodes: &Nodes,
    arrays: &mut Arrays<'_>,
) -> Result<Vec<Skin>, ModelError> {
    let counts = document.skins.iter().map(|skin| skin.joints.len());
    let steps = skin_steps(counts, nodes.skeleton.len());
    if steps > MAX_SKIN_STEPS {
        return Err(ModelError::TooManySkins { steps });
    }
    let skins = document.skins.iter().enumerate();
    skins
        .map(|(index, skin)| {
            let result = read_skin(skin, grids[index], nodes, arrays);
            result.at(|| format!("skin {index} '{}'", skin.name.escape_debug()))
        })
        .collect()
}

fn read_skin(
    skin: &glb::Skin,
    mut grid: Option<PositionGrid>,
    nodes: &Nodes,
    arrays: &mut Arrays<'_>,
) -> Result<Skin, String> {
    let joint = |&node: &usize| {
        let joint = nodes.joint_of.get(node).copied().flatten();
        joint.ok_or_else(|| format!("expected joints, found node {node}"))
    };
    let joints = skin
        .joints
        .iter()
        .map(joint)
        .collect::<Result<Vec<_>, _>>()?;
    let mut accessor = skin.inverse_bind_matrices;
    if let Some(extras) = &skin.extras {
        // For quantised positions; checked as well, since other programs use them.
        arrays.floats::<16>(accessor, joints.len())?;
        accessor = extras.throng.inverse_bind_matrices;
        grid = None;
    }
    let matrices = arrays.floats::<16>(accessor, joints.len())?;
    let mut joint_from_bind = Vec::with_capacity(matrices.len());
    for (palette_index, matrix) in matrices.into_iter().enumerate() {
        let matrix = DMat4::from_cols_array(&matrix.map(f64::from));
        if matrix.row(3) != DVec4::W {
            return Err(format!("inverse bind matrix {palette_index} is not affine"));
        }
        let matrix = DAffine3::from_mat4(matrix);
        joint_from_bind.push(grid.map_or(matrix, |grid| grid.unfold(&matrix)));
    }
    let skin = Skin::new(skin.name.clone(), &nodes.skeleton, joints, joint_from_bind);
    skin.map_err(|error| error.to_string())
}

fn read_image(
    index: usize,
    image: ImageExtras,
    arrays: &mut Arrays<'_>,
) -> Result<Image, ModelError> {
    let bytes = match image.view {
        Some(view) => {
            let range = arrays.bytes(view).at(|| format!("image {index}"))?;
            arrays.file()[range].to_vec()
        }
        None => Vec::new(),
    };
    Ok(Image {
        name: image.name,
        format: image.format,
        bytes,
    })
}

fn extension(
    extensions: serde_json::Map<String, Value>,
    arrays: &mut Arrays<'_>,
) -> Result<Option<ReadExtension>, ModelError> {
    if extensions.len() > 1 {
        return Err(format!("expected at most one, found {}", extensions.len()))
            .at(|| "extensions".to_owned());
    }
    let Some((name, mut json)) = extensions.into_iter().next() else {
        return Ok(None);
    };
    let views = json
        .as_object_mut()
        .and_then(|json| json.remove(BUFFER_VIEWS));
    let views = views.ok_or_else(|| format!("the field {BUFFER_VIEWS} is missing"));
    let blobs = views.and_then(|views| {
        let views: Vec<usize> = serde_json::from_value(views).map_err(|error| error.to_string())?;
        views.into_iter().map(|view| arrays.bytes(view)).collect()
    });
    let blobs = blobs.at(|| format!("extension {}", name.escape_debug()))?;
    Ok(Some(ReadExtension { name, json, blobs }))
}
