//! Skins: joints and their inverse bind matrices.

use glam::{DAffine3, DMat4};
use throng_rig::Skin;

use super::document::{Document, label};
use super::skeleton::Joints;
use crate::Warning;
use crate::error::{ErrorKind, Fault, Outcome};
use crate::warning::count;

pub(super) fn name(document: &Document, index: usize) -> String {
    let name = document.root.skins.get(index).map_or("", |skin| &skin.name);
    label("skin", index, name)
}

/// Returns the joint nodes of a skin, with checked indices.
pub(super) fn joint_nodes<'r>(document: &'r Document, index: usize) -> Outcome<&'r [usize]> {
    let object = name(document, index);
    let skin = document.get(&document.root.skins, "skin", index, &object)?;
    if skin.joints.is_empty() {
        return Err(Fault::data(object, "has no joints"));
    }
    for &node in &skin.joints {
        document.get(&document.root.nodes, "node", node, &object)?;
    }
    Ok(&skin.joints)
}

pub(super) fn build(
    document: &Document,
    joints: &Joints,
    index: usize,
    warnings: &mut Vec<Warning>,
) -> Outcome<Skin> {
    let object = name(document, index);
    let nodes = joint_nodes(document, index)?;
    let matrices = match document.root.skins[index].inverse_bind_matrices {
        Some(accessor) => inverse_binds(document, accessor, nodes.len(), &object, warnings)?,
        None => vec![DAffine3::IDENTITY; nodes.len()],
    };
    let joint_of = |&node: &usize| {
        joints.of_node[node].ok_or_else(|| {
            Fault::new(
                ErrorKind::Reference,
                object.as_str(),
                format_args!("refers to node {node}, which is not in the skeleton"),
            )
        })
    };
    let list: Vec<usize> = nodes.iter().map(joint_of).collect::<Outcome<_>>()?;
    let skin_name = document.root.skins[index].name.clone();
    Skin::new(skin_name, &joints.skeleton, list, matrices)
        .map_err(|error| Fault::data(object, error))
}

fn inverse_binds(
    document: &Document,
    accessor: usize,
    joints: usize,
    object: &str,
    warnings: &mut Vec<Warning>,
) -> Outcome<Vec<DAffine3>> {
    let values = document.read_f32::<16>(accessor, object)?;
    if values.len() < joints {
        return Err(Fault::data(
            object,
            format_args!(
                "has {} for {}",
                count(values.len(), "inverse bind matrix", "inverse bind matrices"),
                count(joints, "joint", "joints")
            ),
        ));
    }
    let matrices: Vec<DMat4> = values[..joints]
        .iter()
        .map(|m| DMat4::from_cols_array(&m.map(f64::from)))
        .collect();
    if let Some(index) = matrices.iter().position(|m| !m.is_finite()) {
        return Err(Fault::data(
            object,
            format_args!("inverse bind matrix {index} is not finite"),
        ));
    }
    let is_not_affine = |m: &&DMat4| !m.row(3).abs_diff_eq(glam::DVec4::W, 1e-6);
    let not_affine = matrices.iter().filter(is_not_affine).count();
    if not_affine > 0 {
        warnings.push(Warning::BindMatrixNotAffine {
            skin: object.to_owned(),
            matrices: not_affine,
        });
    }
    let affine: Vec<DAffine3> = matrices.iter().map(|m| DAffine3::from_mat4(*m)).collect();
    let singular = affine.iter().filter(|m| m.matrix3.determinant() == 0.0);
    let singular = singular.count();
    if singular > 0 {
        warnings.push(Warning::BindMatrixSingular {
            skin: object.to_owned(),
            matrices: singular,
        });
    }
    Ok(affine)
}
