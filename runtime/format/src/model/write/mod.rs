//! Writes models.

mod mesh;
mod nodes;

use std::io::Write;

use glam::{DAffine3, DMat4, Vec3};
use serde_json::{Map, Value};
use throng_rig::{AlphaMode, Character, RestVertices};

use super::compact::PositionGrids;
use super::{
    BUFFER_VIEW_DIGESTS, BUFFER_VIEWS, Extension, MAX_SKIN_STEPS, ModelError, ModelExtras,
    skin_steps,
};
use crate::MeshStorage;
use crate::digest::digest;
use crate::glb::{
    Buffer, CharacterExtras, Document, F32, Glb, ImageExtras, MaterialExtras, MaterialTable,
    MorphSetExtras, Scene, Skin, SkinExtras, ThrongExtras,
};
use nodes::Nodes;

/// Writes a character without its clips, and the extras.
///
/// Blobs and images are written without a copy. All other data is assembled first, in about as much memory as the
/// character's meshes take.
pub fn write_model(
    character: &Character,
    extras: ModelExtras<'_>,
    out: &mut impl Write,
) -> Result<(), ModelError> {
    let skeleton = character.skeleton();
    let joints_of_skins = character.skins().iter().map(throng_rig::Skin::len);
    let steps = skin_steps(joints_of_skins, skeleton.len());
    if steps > MAX_SKIN_STEPS {
        return Err(ModelError::TooManySkins { steps });
    }
    let rest = match extras.rest {
        Some(rest) => rest_per_mesh(character, rest)?,
        None => Vec::new(),
    };
    let (mut buffer, grids) = match extras.storage {
        MeshStorage::Exact => (Buffer::default(), PositionGrids::none(character)),
        MeshStorage::Compact => (Buffer::compressed(), PositionGrids::new(character)),
    };
    let mut table = MaterialTable::default();
    let mut meshes = Vec::new();
    let (extras_storage, level_extras) = (extras.storage, extras.lods);
    for (index, mesh) in character.meshes().iter().enumerate() {
        let material = table.material_of(character, mesh);
        let second_uvs = extras.second_uvs.get(index).map_or(&[][..], Vec::as_slice);
        let rest = rest.get(index).map_or(&[][..], Vec::as_slice);
        let bone_colors = extras.bone_colors.get(index);
        let extras = mesh::VertexExtras {
            second_uvs,
            bone_colors: bone_colors.map_or(&[], |colors| colors),
            rest,
            storage: extras_storage,
            lods: level_extras,
            grid: grids.of_mesh[index],
        };
        meshes.push(mesh::write(index, mesh, extras, material, &mut buffer)?);
    }
    let mut nodes = Nodes::new(character)?;
    let skins = skins(character, &grids, &mut nodes, &mut buffer)?;
    let (nodes, roots) = nodes.finish(skeleton);
    let images = images(character, &mut buffer);
    let views: Vec<Option<usize>> = images.iter().map(|image| image.view).collect();
    let mut document = Document {
        scenes: [Scene { nodes: roots }],
        nodes,
        meshes,
        skins,
        // Used images start like a PNG or a JPEG, so that they have a view.
        images: table.images(character, |index| views[index].unwrap_or_default()),
        materials: table.materials,
        textures: table.textures,
        samplers: table.samplers,
        extras: Some(ThrongExtras {
            throng: CharacterExtras {
                version: CharacterExtras::VERSION,
                name: character.name.clone(),
                morph_sets: morph_sets(character)?,
                materials: materials(character)?,
                images,
            },
        }),
        ..Document::default()
    };
    if let Some(extension) = extras.extension {
        let name = extension.name.to_owned();
        let json = extension_json(extension, &mut buffer)?;
        document.extensions_used = vec![name.clone()];
        document.extensions = Map::from_iter([(name, json)]);
    }
    Glb::new(document, buffer)?.write(out)?;
    Ok(())
}

/// Position and normal of each vertex of each mesh in the rest pose.
fn rest_per_mesh(
    character: &Character,
    rest: &RestVertices,
) -> Result<Vec<Vec<[Vec3; 2]>>, ModelError> {
    let mut meshes: Vec<Vec<[Vec3; 2]>> = vec![Vec::new(); character.meshes().len()];
    let mut used = vec![false; meshes.len()];
    let (mut first_position, mut first_normal) = (0, 0);
    for part in character.parts() {
        if std::mem::replace(&mut used[part.mesh], true) {
            return Err(ModelError::SharedMesh { mesh: part.mesh });
        }
        let unique = character.mesh_of(part).unique();
        let vertices = unique.position_of().iter().zip(unique.normal_of());
        let vertices = vertices.map(|(&position, &normal)| {
            let position = rest.positions.get(first_position + position as usize)?;
            let normal = rest.normals.get(first_normal + normal as usize)?;
            Some([*position, *normal])
        });
        let vertices: Option<Vec<_>> = vertices.collect();
        meshes[part.mesh] = vertices.ok_or(ModelError::RestCount { mesh: part.mesh })?;
        first_position += unique.position_count();
        first_normal += unique.normal_count();
    }
    Ok(meshes)
}

fn skins(
    character: &Character,
    grids: &PositionGrids,
    nodes: &mut Nodes,
    buffer: &mut Buffer<'_>,
) -> Result<Vec<Skin>, ModelError> {
    let mut skins = Vec::new();
    for (index, skin) in character.skins().iter().enumerate() {
        let mut matrices = Vec::with_capacity(skin.len());
        for (palette_index, matrix) in skin.joint_from_bind().iter().enumerate() {
            let location = || format!("the inverse bind matrix {palette_index} of skin {index}");
            columns(matrix, location)?;
            matrices.push(matrix.as_affine3().as_daffine3());
        }
        let mut write = |matrices: &[DAffine3]| {
            let matrices = matrices.iter().map(|&m| DMat4::from(m).as_mat4());
            buffer.matrices(matrices.map(|matrix| matrix.to_cols_array()))
        };
        let (inverse_bind_matrices, extras) = match grids.of_skin[index] {
            Some(grid) => {
                let folded = matrices.iter().map(|matrix| grid.fold(matrix));
                let folded: Vec<_> = folded.map(|m| m.as_affine3().as_daffine3()).collect();
                let mut pairs = matrices.iter().zip(&folded);
                let is_derived =
                    pairs.all(|(matrix, folded)| same_bits(matrix, &grid.unfold(folded)));
                let throng = (!is_derived).then(|| SkinExtras {
                    inverse_bind_matrices: write(&matrices),
                });
                (write(&folded), throng.map(|throng| ThrongExtras { throng }))
            }
            None => (write(&matrices), None),
        };
        skins.push(Skin {
            name: skin.name.clone(),
            joints: nodes.of_skin(skin),
            inverse_bind_matrices,
            extras,
        });
    }
    Ok(skins)
}

fn same_bits(a: &DAffine3, b: &DAffine3) -> bool {
    a.to_cols_array().map(f64::to_bits) == b.to_cols_array().map(f64::to_bits)
}

/// Matrix in column-major order. Its last row is exactly 0 0 0 1, as glTF requires.
fn columns(matrix: &DAffine3, location: impl FnOnce() -> String) -> Result<[f32; 16], ModelError> {
    let columns = DMat4::from(*matrix).as_mat4().to_cols_array();
    if columns.iter().all(|x| x.is_finite()) {
        Ok(columns)
    } else {
        Err(ModelError::NotFinite {
            location: location(),
        })
    }
}

fn morph_sets(character: &Character) -> Result<Vec<MorphSetExtras>, ModelError> {
    let sets = character.morph_sets().iter().enumerate();
    sets.map(|(index, set)| {
        let weights = set.rest_weights();
        if let Some(weight) = weights.iter().position(|w| !w.is_finite()) {
            let location = format!("weight {weight} of morph set {index}");
            return Err(ModelError::NotFinite { location });
        }
        Ok(MorphSetExtras {
            name: set.name.clone(),
            weights: weights.iter().copied().map(F32).collect(),
        })
    })
    .collect()
}

fn materials(character: &Character) -> Result<Vec<MaterialExtras>, ModelError> {
    let materials = character.materials().iter().enumerate();
    materials
        .map(|(index, material)| {
            let cutoff = match material.alpha {
                AlphaMode::Mask { cutoff } => cutoff,
                AlphaMode::Opaque | AlphaMode::Blend => 0.0,
            };
            let colors = material.base_color.iter();
            if !colors.chain([&cutoff]).all(|x| x.is_finite()) {
                let location = format!("material {index} '{}'", material.name.escape_debug());
                return Err(ModelError::NotFinite { location });
            }
            Ok(MaterialExtras::from(material))
        })
        .collect()
}

/// All images, also those that no mesh uses.
fn images<'a>(character: &'a Character, buffer: &mut Buffer<'a>) -> Vec<ImageExtras> {
    let images = character.images().iter();
    images
        .map(|image| ImageExtras {
            name: image.name.clone(),
            format: image.format,
            view: (!image.bytes.is_empty()).then(|| buffer.bytes(&image.bytes)),
        })
        .collect()
}

/// Adds the blobs to the buffer and their views to the JSON.
fn extension_json<'a>(
    extension: Extension<'a>,
    buffer: &mut Buffer<'a>,
) -> Result<Value, ModelError> {
    let bad = |problem: String| ModelError::BadExtension {
        name: extension.name,
        problem,
    };
    let Value::Object(mut json) = extension.json else {
        return Err(bad(
            "expected a JSON object: wrap the value in one".to_owned()
        ));
    };
    if let Some(blob) = extension.blobs.iter().position(|blob| blob.is_empty()) {
        return Err(bad(format!("blob {blob} is empty: leave it out")));
    }
    let views = extension.blobs.iter().map(|blob| buffer.bytes(blob));
    let views: Value = views.collect();
    let digests: Value = buffer.view_bytes().map(digest).collect();
    for (field, value) in [(BUFFER_VIEWS, views), (BUFFER_VIEW_DIGESTS, digests)] {
        if json.insert(field.to_owned(), value).is_some() {
            return Err(bad(format!("the field {field} is reserved: rename it")));
        }
    }
    Ok(json.into())
}
