//! Conversion of primitives to meshes.

use glam::{Vec2, Vec3, Vec4};
use throng_rig::{AuthoredMethod, Influences, Mesh, MorphTarget};

use super::document::Document;
use super::materials::{UvUse, uv_use};
use super::primitive::{JointSet, PrimitiveReader};
use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::VERTEX_BYTES;
use crate::{ImportOptions, PositionSharing, Warning, weights};

/// Binding of a primitive. A primitive with several bindings becomes several meshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Binding {
    /// Bound to skins. `joints` is the number of joints of the smallest.
    Skinned { joints: usize },
    /// Bound to its node.
    Rigid,
    /// Bound to a node that mirrors. The winding is reversed to compensate.
    RigidMirrored,
}

/// Reads a primitive; `None` if it cannot be drawn as triangles.
pub(super) fn build(
    document: &Document,
    mesh: usize,
    primitive: usize,
    binding: Binding,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<Option<Mesh>> {
    let object = document.primitive_name(mesh, primitive);
    let source = &document.root.meshes[mesh].primitives[primitive];
    let Some(reader) = PrimitiveReader::open(document, source, &object, warnings)? else {
        return Ok(None);
    };
    let fault = |error: throng_rig::MeshError| Fault::data(object.as_str(), error);
    document.charge(reader.vertex_count as u64, VERTEX_BYTES, &object)?;

    let positions = reader.read::<3>("POSITION")?.unwrap_or_default();
    let positions = positions.into_iter().map(Vec3::from_array).collect();
    let triangles = reader.triangles(warnings)?;
    let influences = match binding {
        Binding::Skinned { joints } => {
            read_influences(&reader, joints, &object, options, warnings)?
        }
        Binding::Rigid | Binding::RigidMirrored => Influences::rigid(reader.vertex_count),
    };
    let mut out = Mesh::new(positions, triangles, influences).map_err(fault)?;
    out.material = source.material;
    if !matches!(binding, Binding::Skinned { .. }) {
        out.authored_method = AuthoredMethod::Rigid;
    }

    let has_normals = set_normals(&reader, &mut out, &object, warnings)?;
    if has_normals {
        set_tangents(&reader, &mut out, &object, warnings)?;
    }
    let uv_use = match source.material {
        Some(index) => {
            uv_use(document.get(&document.root.materials, "material", index, &object)?)
        }
        None => UvUse::DEFAULT,
    };
    if let Some(uvs) = reader.read::<2>(&format!("TEXCOORD_{}", uv_use.set))? {
        let uvs = uvs.into_iter().map(|uv| uv_use.apply(Vec2::from_array(uv)));
        drop_if_invalid(out.set_uvs(uvs.collect()), "TEXCOORD", &object, warnings);
    }
    if let Some(colors) = reader.read_color("COLOR_0")? {
        drop_if_invalid(out.set_colors(colors), "COLOR_0", &object, warnings);
    }
    for target in 0..source.targets.len() {
        let name = document.root.meshes[mesh].target_name(target);
        let target = read_target(&reader, target, name)?;
        out.add_morph_target(target).map_err(fault)?;
    }
    if binding == Binding::RigidMirrored {
        out.reverse();
    }
    match options.positions {
        PositionSharing::Shared => out.share_positions(),
        PositionSharing::Split => {}
        PositionSharing::Corners => {
            let corners = 3 * out.triangles().len() as u64;
            document.charge(corners, corner_bytes(&out), &object)?;
            out = out.split_corners();
        }
    }
    Ok(Some(out))
}

/// Returns the memory of a vertex with all its attributes, in bytes.
fn corner_bytes(mesh: &Mesh) -> u64 {
    const ATTRIBUTES: usize = 3 * size_of::<Vec4>() + size_of::<Vec3>() + size_of::<Vec2>();
    let influence = size_of::<u32>() + size_of::<f32>();
    let influences = influence * mesh.influences().max_per_vertex();
    let morphs = 3 * size_of::<Vec3>() * mesh.morph_targets().len();
    VERTEX_BYTES + (ATTRIBUTES + influences + morphs) as u64
}

fn read_influences(
    reader: &PrimitiveReader,
    joints: usize,
    object: &str,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<Influences> {
    let sets = reader.read_joint_sets()?;
    let vertex = |v: usize| {
        let pairs =
            move |set: &JointSet| set.joints[v].into_iter().zip(set.weights[v].map(f64::from));
        sets.iter().flat_map(pairs)
    };
    for v in 0..reader.vertex_count {
        // Unweighted slots with an invalid joint occur in practice and are harmless.
        let invalid = |&(joint, weight): &(u32, f64)| joint as usize >= joints && weight > 0.0;
        if let Some((joint, _)) = vertex(v).find(invalid) {
            return Err(Fault::new(
                ErrorKind::Reference,
                object,
                format_args!("vertex {v} uses joint {joint}, but the skin has {joints} joints"),
            )
            .remedy("re-export the skin"));
        }
    }
    let vertices = (0..reader.vertex_count).map(vertex);
    weights::influences(object, vertices, options, warnings)
        .map_err(|error| Fault::data(object, error))
}

/// Sets the normals of the file where they are valid, and keeps the computed ones elsewhere. Returns false
/// if the file has none.
fn set_normals(
    reader: &PrimitiveReader,
    out: &mut Mesh,
    object: &str,
    warnings: &mut Vec<Warning>,
) -> Outcome<bool> {
    let given = reader.read::<3>("NORMAL")?;
    let mut computed = 0;
    let mut normals = out.normals().to_vec();
    match &given {
        None => computed = normals.len(),
        Some(given) => {
            for (normal, &given) in normals.iter_mut().zip(given) {
                match Vec3::from_array(given).as_dvec3().try_normalize() {
                    Some(unit) => *normal = unit.as_vec3(),
                    None => computed += 1,
                }
            }
        }
    }
    if computed > 0 {
        warnings.push(Warning::NormalsComputed {
            mesh: object.to_owned(),
            vertices: computed,
        });
    }
    drop_if_invalid(out.set_normals(normals), "NORMAL", object, warnings);
    Ok(given.is_some())
}

fn set_tangents(
    reader: &PrimitiveReader,
    out: &mut Mesh,
    object: &str,
    warnings: &mut Vec<Warning>,
) -> Outcome<()> {
    let Some(tangents) = reader.read::<4>("TANGENT")? else {
        return Ok(());
    };
    let sign = |w: f32| if w < 0.0 { -1.0 } else { 1.0 };
    let tangents = tangents
        .into_iter()
        .map(|[x, y, z, w]| Vec4::new(x, y, z, sign(w)));
    drop_if_invalid(
        out.set_tangents(tangents.collect()),
        "TANGENT",
        object,
        warnings,
    );
    Ok(())
}

fn read_target(reader: &PrimitiveReader, target: usize, name: String) -> Outcome<MorphTarget> {
    let read = |attribute| -> Outcome<Option<Vec<Vec3>>> {
        let deltas = reader.read_delta(target, attribute)?;
        Ok(deltas.map(|d| d.into_iter().map(Vec3::from_array).collect()))
    };
    let positions = match read("POSITION")? {
        Some(positions) => positions,
        None => reader.zeros()?,
    };
    Ok(MorphTarget {
        name,
        positions,
        normals: read("NORMAL")?.unwrap_or_default(),
        tangents: read("TANGENT")?.unwrap_or_default(),
    })
}

/// Reports an invalid attribute as a warning. Attributes that only affect shading are ignored if invalid.
fn drop_if_invalid(
    result: Result<(), throng_rig::MeshError>,
    attribute: &str,
    object: &str,
    warnings: &mut Vec<Warning>,
) {
    if let Err(error) = result {
        warnings.push(Warning::AttributeDropped {
            mesh: object.to_owned(),
            attribute: attribute.to_owned(),
            reason: error.to_string(),
        });
    }
}
