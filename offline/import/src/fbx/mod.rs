//! FBX import, versions 5000 to 7700, ASCII and binary, with `ufbx`; and OBJ, which it reads into the same scene.
//!
//! `ufbx` converts units and axes. Where a node does not inherit the scale of its parent, it adds helper
//! nodes, so that every node is translation, rotation and scale in its parent. FBX curves are splines of
//! Euler angles; [`sampling`] converts them to linear keys within a tolerance.
//!
//! An OBJ file has a mesh per object, whose control points are its vertices in the order of the file. It has no unit and no
//! axes: lengths are metres, and Y is up. Material files are reported, and not read.

mod clips;
mod materials;
mod meshes;
mod motion;
mod sampling;
mod scene;
mod skeleton;

use throng_rig::{Character, CharacterParts, Skin};
use ufbx::{MirrorAxis, Scene};

use crate::assemble::{assemble, check_part_vertices};
use crate::asset_files::{AssetFiles, FileTypes, read_asset};
use crate::error::Outcome;
use crate::limits::MAX_NAME_BYTES;
use crate::{ImportOptions, Warning};
use clips::KeyBudget;
use meshes::Geometry;
pub(crate) use motion::read_motion;
use skeleton::Joints;

/// Reads a character and the name of the generator from the bytes of a file. Textures are read from
/// the folder of the file.
pub(crate) fn read(
    name: &str,
    file: &[u8],
    files: &AssetFiles,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<(Character, Option<String>)> {
    let scene = scene::load(file, warnings)?;
    build(name, file, &scene, files, options, warnings)
}

/// Reads the meshes of an OBJ file, as [`read`] does.
pub(crate) fn read_obj(
    name: &str,
    file: &[u8],
    files: &AssetFiles,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<(Character, Option<String>)> {
    let scene = scene::load_obj(file, warnings)?;
    report_material_files(file, warnings);
    build(name, file, &scene, files, options, warnings)
}

/// Reports the material files of an OBJ file, which are not read.
fn report_material_files(file: &[u8], warnings: &mut Vec<Warning>) {
    let lines = file.split(|byte| matches!(byte, b'\n' | b'\r'));
    let mut files = lines.filter_map(|line| {
        let name = line.trim_ascii().strip_prefix(b"mtllib")?;
        let is_word = name.first().is_some_and(u8::is_ascii_whitespace);
        is_word.then(|| name.trim_ascii())
    });
    if let Some(first) = files.next() {
        let name = String::from_utf8_lossy(&first[..first.len().min(MAX_NAME_BYTES)]);
        let more = match files.count() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let name = label("file", &name);
        warnings.push(Warning::Unused {
            what: format!("ignored the materials of {name}{more}: those of OBJ are not read"),
        });
    }
}

fn build(
    name: &str,
    file: &[u8],
    scene: &Scene,
    files: &AssetFiles,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<(Character, Option<String>)> {
    let joints = Joints::new(scene)?;
    let materials = materials::build(scene, files, warnings);
    let mut skins: Vec<Skin> = Vec::new();
    let mut geometry = Geometry::default();
    for node in &scene.nodes {
        if let Some(mesh) = &node.mesh {
            geometry.add_node(node, mesh, &joints, &mut skins, options, warnings)?;
        }
    }
    check_part_vertices(&geometry.meshes, &geometry.parts, file.len() as u64)?;
    let size = scene::rest_size(scene);
    let keys = KeyBudget::for_file(file.len() as u64);
    let channels = &geometry.morph_channels;
    let clips = clips::build(scene, &joints, channels, size, &keys, warnings)?;
    let Geometry {
        meshes,
        parts,
        morph_sets,
        ..
    } = geometry;
    let pieces = CharacterParts {
        name: name.to_owned(),
        skeleton: joints.skeleton,
        skins,
        meshes,
        parts,
        morph_sets,
        clips,
        materials: materials.materials,
        images: materials.images,
    };
    let character = assemble(pieces, options, warnings)?;
    let generator = scene.metadata.creator.to_string();
    Ok((character, (!generator.is_empty()).then_some(generator)))
}

/// Returns the names of the side files that an import may read: the textures that are not embedded. Empty if the file
/// is invalid.
pub(crate) fn side_file_names(file: &[u8]) -> Vec<String> {
    let Ok(scene) = scene::load_materials(file) else {
        return Vec::new();
    };
    let outside = scene.textures.iter().filter(|t| t.content.is_empty());
    outside
        .flat_map(|t| materials::side_file_names(t))
        .collect()
}

/// Returns the factors of the axes by which an import multiplies control points: the file's unit in metres, and −1 for an
/// axis that it mirrors. One for files of other types.
pub(crate) fn geometry_scale(path: &std::path::Path) -> Outcome<glam::Vec3> {
    let extension = path.extension().unwrap_or_default();
    if !extension.eq_ignore_ascii_case("fbx") {
        return Ok(glam::Vec3::ONE);
    }
    let scene = scene::load_materials(&read_asset(path, FileTypes::Characters)?)?;
    let axes = match scene.metadata.mirror_axis {
        MirrorAxis::X => glam::DVec3::new(-1.0, 1.0, 1.0),
        MirrorAxis::Y => glam::DVec3::new(1.0, -1.0, 1.0),
        MirrorAxis::Z => glam::DVec3::new(1.0, 1.0, -1.0),
        _ => glam::DVec3::ONE,
    };
    Ok((axes * scene.metadata.geometry_scale).as_vec3())
}

/// Formats the name of an object for errors and warnings: `mesh 'Body'`.
fn label(kind: &str, name: &str) -> String {
    format!("{kind} '{}'", name.escape_debug())
}

fn vec3(v: ufbx::Vec3) -> glam::DVec3 {
    glam::DVec3::new(v.x, v.y, v.z)
}

fn affine(m: &ufbx::Matrix) -> glam::DAffine3 {
    glam::DAffine3::from_cols_array(&[
        m.m00, m.m10, m.m20, m.m01, m.m11, m.m21, m.m02, m.m12, m.m22, m.m03, m.m13, m.m23,
    ])
}

fn transform(t: &ufbx::Transform) -> throng_rig::Transform {
    let rotation = glam::DQuat::from_xyzw(t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w);
    throng_rig::Transform {
        translation: vec3(t.translation),
        rotation: if rotation.length_squared() > 0.0 {
            rotation.normalize()
        } else {
            glam::DQuat::IDENTITY
        },
        scale: vec3(t.scale),
    }
}
