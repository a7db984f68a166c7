//! Checks of everything that decoding relies on: decoding a set that passes never reads out of bounds.

mod curves;
mod layout;
mod lods;
mod metadata;
mod virtual_bones;

use throng_rig::{Bounds, Character, RestVertices};

use crate::file::ExpectedTexture;
use crate::{
    ClipEntry, FORMAT, Manifest, MotionReference, PartEntry, SetError, SetMesh, TexelFormat,
    Texture,
};

/// Checks a manifest against textures and meshes.
pub(crate) fn check(
    manifest: &Manifest,
    textures: &[Texture],
    mesh: &SetMesh,
) -> Result<(), SetError> {
    check_declared(manifest, mesh)?;
    check_textures(manifest, textures)?;
    layout::check_curves(manifest, textures, &mesh.character)?;
    metadata::check_metadata(manifest, textures)
}

/// Checks a manifest against meshes: everything that needs no texels. Returns the textures that it declares.
pub(crate) fn check_declared(
    manifest: &Manifest,
    mesh: &SetMesh,
) -> Result<Vec<ExpectedTexture>, SetError> {
    let model = &mesh.character;
    check_head(manifest)?;
    check_clips(manifest)?;
    check_joints(manifest, model)?;
    check_skins(manifest, model)?;
    check_parts(manifest, model)?;
    check_extras(manifest)?;
    lods::check_lods(manifest, mesh)?;
    check_rest(manifest, &mesh.rest)?;
    let textures = declared_textures(manifest)?;
    layout::check_layout(manifest, &textures, mesh)?;
    layout::check_morphs(manifest, &textures, model)?;
    Ok(textures)
}

fn declared_textures(manifest: &Manifest) -> Result<Vec<ExpectedTexture>, SetError> {
    let entries = manifest.textures.iter().enumerate();
    let textures = entries.map(|(index, entry)| {
        let size = [entry.width, entry.height, entry.layers];
        ExpectedTexture::new(entry.texels, size)
            .map_err(|error| SetError::new(format!("textures[{index}]"), error.to_string()))
    });
    textures.collect()
}

const NOT_FINITE: &str = "expected finite values, found NaN or infinity";

/// Returns an error unless a condition holds.
fn ensure(
    holds: bool,
    location: impl FnOnce() -> String,
    problem: impl FnOnce() -> String,
) -> Result<(), SetError> {
    if holds {
        return Ok(());
    }
    Err(SetError::new(location(), problem()))
}

/// Returns an error where two counts differ. `of` names the thing that has the expected count.
fn ensure_count(location: &str, count: usize, expected: usize, of: &str) -> Result<(), SetError> {
    ensure(
        count == expected,
        || location.into(),
        || format!("expected {expected} as in {of}, found {count}"),
    )
}

fn ensure_finite(location: impl FnOnce() -> String, values: &[f64]) -> Result<(), SetError> {
    let finite = values.iter().all(|x| x.is_finite());
    ensure(finite, location, || NOT_FINITE.into())
}

fn check_head(manifest: &Manifest) -> Result<(), SetError> {
    ensure(
        manifest.format == FORMAT,
        || "format".into(),
        || format!("expected '{FORMAT}', found '{}'", manifest.format),
    )?;
    let version = manifest.required_version();
    ensure(
        manifest.version == version,
        || "version".into(),
        || format!("expected {version}, found {}", manifest.version),
    )?;
    if let Some(motion) = &manifest.motion {
        check_shared(manifest, motion)?;
    }
    let unit = manifest.axes.metres_per_unit;
    ensure(
        unit.is_finite() && unit > 0.0,
        || "axes.metres_per_unit".into(),
        || format!("expected a positive length, found {unit}"),
    )?;
    ensure(
        manifest.size.is_finite() && manifest.size >= 0.0,
        || "size".into(),
        || format!("expected a length, found {}", manifest.size),
    )?;
    check_bounds("bounds", &manifest.bounds)
}

/// Checks a set that uses the textures of a motion set: where that may be, and that the set has a mesh and no textures of
/// its own.
fn check_shared(manifest: &Manifest, motion: &MotionReference) -> Result<(), SetError> {
    ensure(
        motion.name().is_some(),
        || "motion.path".into(),
        || {
            let path = motion.path.escape_debug();
            format!("expected '../' and the name of a folder beside the set's, found '{path}'")
        },
    )?;
    ensure(
        !manifest.is_motion(),
        || "motion".into(),
        || "a set without a mesh cannot use another motion set".into(),
    )?;
    let own = manifest.textures.iter().position(|t| !t.files.is_empty());
    ensure(
        own.is_none(),
        || format!("textures[{}].files", own.unwrap_or_default()),
        || "expected no files, as the textures are those of the motion set".into(),
    )
}

fn check_bounds(location: &str, bounds: &Bounds) -> Result<(), SetError> {
    ensure(
        bounds.min.is_finite() && bounds.max.is_finite() && bounds.min.cmple(bounds.max).all(),
        || location.into(),
        || {
            format!(
                "expected finite min <= max, found {} and {}",
                bounds.min, bounds.max
            )
        },
    )
}

fn check_clips(manifest: &Manifest) -> Result<(), SetError> {
    ensure(
        !manifest.clips.is_empty(),
        || "clips".into(),
        || "expected at least one clip, found none".into(),
    )?;
    let mut first_frame = 0u64;
    for (index, clip) in manifest.clips.iter().enumerate() {
        let location = format!("clips[{index}]");
        ensure(
            u64::from(clip.first_frame) == first_frame && clip.frames > 0,
            || location.clone(),
            || {
                format!(
                    "expected frames from {first_frame} on, found {} frames from {} on",
                    clip.frames, clip.first_frame
                )
            },
        )?;
        first_frame += u64::from(clip.frames);
        check_clip(&location, clip, manifest.joints.len())?;
    }
    ensure(
        u32::try_from(first_frame).is_ok(),
        || "clips".into(),
        || format!("expected at most {} frames, found {first_frame}", u32::MAX),
    )
}

fn check_clip(location: &str, clip: &ClipEntry, joints: usize) -> Result<(), SetError> {
    let times = [clip.rate_hz, clip.start_secs, clip.duration_secs];
    ensure_finite(|| location.into(), &times)?;
    ensure(
        clip.rate_hz >= 0.0 && clip.duration_secs >= 0.0,
        || location.into(),
        || "expected a rate and a duration that are not negative".into(),
    )?;
    let frames = clip.rate_hz * clip.duration_secs;
    ensure(
        (frames - f64::from(clip.frames - 1)).abs() <= 1e-3,
        || location.into(),
        || {
            format!(
                "expected {} frames from duration and rate, found {}",
                frames + 1.0,
                clip.frames
            )
        },
    )?;
    check_bounds(&format!("{location}.bounds"), &clip.bounds)?;
    if let Some(root) = &clip.root_motion {
        let location = || format!("{location}.root_motion");
        ensure(root.joint < joints, location, || {
            format!("joint {} is out of range, the set has {joints}", root.joint)
        })?;
        ensure_finite(location, &root.translation)?;
        ensure_finite(location, &root.rotation)?;
    }
    for event in &clip.events {
        ensure_finite(|| format!("{location}.events"), &[event.time_secs])?;
    }
    Ok(())
}

fn check_joints(manifest: &Manifest, model: &Character) -> Result<(), SetError> {
    let skeleton = model.skeleton().joints();
    ensure_count("joints", manifest.joints.len(), skeleton.len(), "the mesh")?;
    for (index, (joint, model_joint)) in manifest.joints.iter().zip(skeleton).enumerate() {
        let location = || format!("joints[{index}]");
        ensure(joint.parent == model_joint.parent, location, || {
            format!(
                "expected parent {:?} as in the mesh, found {:?}",
                model_joint.parent, joint.parent
            )
        })?;
    }
    Ok(())
}

fn check_skins(manifest: &Manifest, model: &Character) -> Result<(), SetError> {
    ensure_count(
        "skins",
        manifest.skins.len(),
        model.skins().len(),
        "the mesh",
    )?;
    for (index, (skin, model_skin)) in manifest.skins.iter().zip(model.skins()).enumerate() {
        let location = || format!("skins[{index}]");
        ensure(skin.joints == model_skin.joints(), location, || {
            "expected the same joints as in the mesh, found others".into()
        })?;
        let duals = &skin.inverse_bind_dual_quaternions;
        if !duals.is_empty() {
            ensure_count(
                &format!("skins[{index}].inverse_bind_dual_quaternions"),
                duals.len(),
                skin.joints.len(),
                "the skin's joints",
            )?;
            ensure_finite(location, duals.as_flattened())?;
        }
    }
    Ok(())
}

fn check_parts(manifest: &Manifest, model: &Character) -> Result<(), SetError> {
    ensure_count(
        "parts",
        manifest.parts.len(),
        model.parts().len(),
        "the mesh",
    )?;
    let (mut first_position, mut first_normal) = (0, 0);
    for (index, (part, model_part)) in manifest.parts.iter().zip(model.parts()).enumerate() {
        let mesh = model.mesh_of(model_part);
        let unique = mesh.unique();
        let location = || format!("parts[{index}]");
        ensure(part.skin == model_part.skin, location, || {
            format!(
                "expected skin {} as in the mesh, found {}",
                model_part.skin, part.skin
            )
        })?;
        for (field, count, expected) in [
            ("vertices", part.vertices, mesh.vertex_count()),
            ("positions", part.positions, unique.position_count()),
            ("normals", part.normals, unique.normal_count()),
        ] {
            let location = format!("parts[{index}].{field}");
            ensure_count(&location, count as usize, expected, "the mesh")?;
        }
        let starts = (part.first_position as usize, part.first_normal as usize);
        ensure(starts == (first_position, first_normal), location, || {
            format!(
                "expected first position {first_position} and first normal {first_normal}, found {} and {}",
                starts.0, starts.1
            )
        })?;
        first_position += unique.position_count();
        first_normal += unique.normal_count();
    }
    Ok(())
}

fn check_textures(manifest: &Manifest, textures: &[Texture]) -> Result<(), SetError> {
    ensure_count(
        "textures",
        manifest.textures.len(),
        textures.len(),
        "the set",
    )?;
    ensure(
        !textures.is_empty(),
        || "textures".into(),
        || "expected at least one texture, found none".into(),
    )?;
    for (index, (entry, texture)) in manifest.textures.iter().zip(textures).enumerate() {
        let expected = (entry.texels, [entry.width, entry.height, entry.layers]);
        let found = (texture.format(), texture.size());
        ensure(
            expected == found,
            || format!("textures[{index}]"),
            || {
                let text = |(format, [width, height, layers]): (TexelFormat, [u32; 3])| {
                    format!("{width} × {height} × {layers} {format}")
                };
                format!(
                    "'{}': expected {} texels, found {}",
                    entry.name,
                    text(expected),
                    text(found)
                )
            },
        )?;
    }
    Ok(())
}

/// Vertex sets have one rest position per unique position and one rest normal per unique normal; bone sets have none.
fn check_rest(manifest: &Manifest, rest: &RestVertices) -> Result<(), SetError> {
    let sum = |of: fn(&PartEntry) -> u32| -> usize {
        let counts = manifest.parts.iter().map(|part| of(part) as usize);
        match manifest.encoding.is_vertex() {
            true => counts.sum(),
            false => 0,
        }
    };
    let of = "the manifest's parts";
    ensure_count(
        "rest positions",
        rest.positions.len(),
        sum(|part| part.positions),
        of,
    )?;
    ensure_count(
        "rest normals",
        rest.normals.len(),
        sum(|part| part.normals),
        of,
    )?;
    let vectors = rest.positions.iter().chain(&rest.normals);
    ensure(
        vectors.into_iter().all(|vector| vector.is_finite()),
        || "rest vertices".into(),
        || NOT_FINITE.into(),
    )
}

fn check_extras(manifest: &Manifest) -> Result<(), SetError> {
    for (index, socket) in manifest.sockets.iter().enumerate() {
        let location = || format!("sockets[{index}]");
        ensure(socket.joint < manifest.joints.len(), location, || {
            format!(
                "joint {} is out of range, the set has {}",
                socket.joint,
                manifest.joints.len()
            )
        })?;
        ensure_finite(location, &socket.translation)?;
        ensure_finite(location, &socket.rotation)?;
    }
    Ok(())
}
