//! Loading of a scene with `ufbx`, its options and its errors.

use std::collections::BTreeMap;

use glam::DVec3;
use ufbx::{
    AllocatorOpts, CoordinateAxes, CoordinateAxis, ErrorType, FileFormat, InheritModeHandling,
    LoadOpts, Scene, SceneRoot, SpaceConversion,
};

use super::{affine, vec3};
use crate::Warning;
use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::{FBX_BASE_BYTES, FBX_BYTES_PER_FILE_BYTE, MAX_NODES};

/// Axes of glTF: X right, Y up, Z front.
const AXES: CoordinateAxes = CoordinateAxes {
    right: CoordinateAxis::PositiveX,
    up: CoordinateAxis::PositiveY,
    front: CoordinateAxis::PositiveZ,
};

pub(super) fn load(file: &[u8], warnings: &mut Vec<Warning>) -> Outcome<SceneRoot> {
    checked(load_with(file, LoadOpts::default())?, warnings)
}

/// Loads the scene of an OBJ file: a mesh per object, which groups do not split.
pub(super) fn load_obj(file: &[u8], warnings: &mut Vec<Warning>) -> Outcome<SceneRoot> {
    let options = LoadOpts {
        file_format: FileFormat::Obj,
        obj_merge_groups: true,
        ..LoadOpts::default()
    };
    checked(load_with(file, options)?, warnings)
}

/// Checks the number of nodes, and adds the warnings of `ufbx`.
fn checked(scene: SceneRoot, warnings: &mut Vec<Warning>) -> Outcome<SceneRoot> {
    if scene.nodes.len() > MAX_NODES {
        let problem = format!("has {} nodes", scene.nodes.len());
        return Err(Fault::limit("", problem, "MAX_NODES", MAX_NODES));
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for warning in &scene.metadata.warnings {
        *counts.entry(&warning.description).or_default() += warning.count.max(1);
    }
    for (description, count) in counts {
        warnings.push(Warning::ContainerRepaired {
            problem: format!(
                "{description} ({})",
                crate::warning::count(count, "time", "times")
            ),
        });
    }
    Ok(scene)
}

/// Loads the materials and textures of a file without its geometry and animation.
pub(super) fn load_materials(file: &[u8]) -> Outcome<SceneRoot> {
    load_with(
        file,
        LoadOpts {
            ignore_geometry: true,
            ignore_animation: true,
            ..LoadOpts::default()
        },
    )
}

fn load_with(file: &[u8], options: LoadOpts) -> Outcome<SceneRoot> {
    let limit = FBX_BASE_BYTES + FBX_BYTES_PER_FILE_BYTE * file.len() as u64;
    let allocator = |memory_limit: u64| AllocatorOpts {
        memory_limit: memory_limit as usize,
        ..AllocatorOpts::default()
    };
    let options = LoadOpts {
        temp_allocator: allocator(limit / 2),
        result_allocator: allocator(limit),
        load_external_files: false,
        generate_missing_normals: true,
        inherit_mode_handling: InheritModeHandling::HelperNodes,
        space_conversion: SpaceConversion::ModifyGeometry,
        target_axes: AXES,
        target_unit_meters: 1.0,
        ..options
    };
    let format = match options.file_format {
        FileFormat::Obj => "OBJ",
        _ => "FBX",
    };
    ufbx::load_memory(file, options).map_err(|error| fault(&error, format))
}

fn fault(error: &ufbx::Error, format: &str) -> Fault {
    let detail = error.info();
    let problem = if detail.is_empty() {
        error.description.to_string()
    } else {
        format!("{}: {detail}", error.description)
    };
    match error.type_ {
        ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
            Fault::limit(
                "",
                problem,
                "FBX_BASE_BYTES + FBX_BYTES_PER_FILE_BYTE × file size",
                format_args!("{FBX_BASE_BYTES} + {FBX_BYTES_PER_FILE_BYTE} × file size"),
            )
        }
        ErrorType::UnsupportedVersion => Fault::new(ErrorKind::Unsupported, "", problem)
            .remedy("export as FBX 2013 or newer (7.x)"),
        ErrorType::UnrecognizedFileFormat => {
            Fault::new(ErrorKind::Container, "", problem).remedy("check that this is an FBX file")
        }
        _ => Fault::new(
            ErrorKind::Container,
            "",
            format_args!("invalid {format}: {problem}"),
        )
        .remedy("the file is damaged: download or export it again"),
    }
}

/// Returns the largest extent of the bounding box of all meshes and their bones in world space, in metres;
/// 1 if there are none.
pub(super) fn rest_size(scene: &Scene) -> f64 {
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for node in &scene.nodes {
        let Some(mesh) = &node.mesh else { continue };
        let world_from_geometry = affine(&node.geometry_to_world);
        for &vertex in &mesh.vertices {
            let position = world_from_geometry.transform_point3(vec3(vertex));
            if position.is_finite() {
                min = min.min(position);
                max = max.max(position);
            }
        }
        // If a mesh is bound in other units than it is posed in, bones show the size better.
        for cluster in mesh.skin_deformers.iter().flat_map(|skin| &skin.clusters) {
            if let Some(bone) = &cluster.bone_node {
                let position = affine(&bone.node_to_world).translation;
                min = min.min(position);
                max = max.max(position);
            }
        }
    }
    let size = (max - min).max_element();
    if size.is_finite() && size > 0.0 {
        size
    } else {
        1.0
    }
}
