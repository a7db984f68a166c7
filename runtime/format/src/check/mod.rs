//! Everything that decoding relies on: whoever decodes a set that passed reads inside it.

mod curves;
mod layout;
mod metadata;

use throng_rig::{Bounds, Character, RestVertices};

use crate::{ClipEntry, FORMAT, Manifest, PartEntry, SetError, Texture, VERSION};

/// Checks a manifest against textures and model.
pub(crate) fn check(
    manifest: &Manifest,
    textures: &[Texture],
    model: &Character,
    rest: &RestVertices,
) -> Result<(), SetError> {
    check_head(manifest)?;
    check_clips(manifest)?;
    check_joints(manifest, model)?;
    check_skins(manifest, model)?;
    check_parts(manifest, model)?;
    check_textures(manifest, textures)?;
    check_extras(manifest)?;
    check_rest(manifest, rest)?;
    layout::check_layout(manifest, textures, model)?;
    layout::check_morphs(manifest, textures, model)?;
    metadata::check_metadata(manifest, textures)
}

/// A fault where something is not so.
fn ensure(
    holds: bool,
    place: impl FnOnce() -> String,
    fault: impl FnOnce() -> String,
) -> Result<(), SetError> {
    if holds {
        return Ok(());
    }
    Err(SetError::new(place(), fault()))
}

/// A fault where two counts differ.
fn ensure_count(place: &str, count: usize, expected: usize, of: &str) -> Result<(), SetError> {
    ensure(
        count == expected,
        || place.into(),
        || format!("{count}, {of} has {expected}"),
    )
}

fn ensure_finite(place: impl FnOnce() -> String, numbers: &[f64]) -> Result<(), SetError> {
    let finite = numbers.iter().all(|x| x.is_finite());
    ensure(finite, place, || "a number is not finite".into())
}

fn check_head(manifest: &Manifest) -> Result<(), SetError> {
    ensure(
        manifest.format == FORMAT,
        || "format".into(),
        || format!("'{}' is not '{FORMAT}'", manifest.format),
    )?;
    ensure(
        manifest.version == VERSION,
        || "version".into(),
        || format!("expected {VERSION}, found {}", manifest.version),
    )?;
    let unit = manifest.axes.metres_per_unit;
    ensure(
        unit.is_finite() && unit > 0.0,
        || "axes.metres_per_unit".into(),
        || format!("{unit} is not a length"),
    )?;
    ensure(
        manifest.size.is_finite() && manifest.size >= 0.0,
        || "size".into(),
        || format!("{} is not a length", manifest.size),
    )?;
    check_bounds("bounds", &manifest.bounds)
}

fn check_bounds(place: &str, bounds: &Bounds) -> Result<(), SetError> {
    ensure(
        bounds.min.is_finite() && bounds.max.is_finite() && bounds.min.cmple(bounds.max).all(),
        || place.into(),
        || "is not a box".into(),
    )
}

fn check_clips(manifest: &Manifest) -> Result<(), SetError> {
    ensure(
        !manifest.clips.is_empty(),
        || "clips".into(),
        || "there are none".into(),
    )?;
    let mut first_frame = 0u64;
    for (index, clip) in manifest.clips.iter().enumerate() {
        let place = format!("clips[{index}]");
        ensure(
            u64::from(clip.first_frame) == first_frame && clip.frames > 0,
            || place.clone(),
            || {
                format!(
                    "frames {} to {}, where frame {first_frame} is next",
                    clip.first_frame,
                    u64::from(clip.first_frame) + u64::from(clip.frames)
                )
            },
        )?;
        first_frame += u64::from(clip.frames);
        check_clip(&place, clip, manifest.joints.len())?;
    }
    ensure(
        u32::try_from(first_frame).is_ok(),
        || "clips".into(),
        || format!("{first_frame} frames are more than can be counted"),
    )
}

fn check_clip(place: &str, clip: &ClipEntry, joints: usize) -> Result<(), SetError> {
    let times = [clip.rate_hz, clip.start_secs, clip.duration_secs];
    ensure_finite(|| place.into(), &times)?;
    ensure(
        clip.rate_hz >= 0.0 && clip.duration_secs >= 0.0,
        || place.into(),
        || "time runs backwards".into(),
    )?;
    let frames = clip.rate_hz * clip.duration_secs;
    ensure(
        (frames - f64::from(clip.frames - 1)).abs() <= 1e-3,
        || place.into(),
        || {
            format!(
                "{} frames, its length and rate make {}",
                clip.frames,
                frames + 1.0
            )
        },
    )?;
    check_bounds(&format!("{place}.bounds"), &clip.bounds)?;
    if let Some(root) = &clip.root_motion {
        let place = || format!("{place}.root_motion");
        ensure(root.joint < joints, place, || {
            format!("there is no joint {}", root.joint)
        })?;
        ensure_finite(place, &root.translation)?;
        ensure_finite(place, &root.rotation)?;
    }
    for event in &clip.events {
        ensure_finite(|| format!("{place}.events"), &[event.time_secs])?;
    }
    Ok(())
}

fn check_joints(manifest: &Manifest, model: &Character) -> Result<(), SetError> {
    let skeleton = model.skeleton().joints();
    ensure_count("joints", manifest.joints.len(), skeleton.len(), "the mesh")?;
    for (index, (joint, own)) in manifest.joints.iter().zip(skeleton).enumerate() {
        let place = || format!("joints[{index}]");
        ensure(joint.parent == own.parent, place, || {
            format!(
                "its parent is {:?}, the mesh says {:?}",
                joint.parent, own.parent
            )
        })?;
        ensure_finite(place, &joint.translation)?;
        ensure_finite(place, &joint.rotation)?;
        ensure_finite(place, &joint.scale)?;
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
    for (index, (skin, own)) in manifest.skins.iter().zip(model.skins()).enumerate() {
        let place = || format!("skins[{index}]");
        ensure(skin.joints == own.joints(), place, || {
            "its joints are not those of the mesh".into()
        })?;
        ensure_count(
            &place(),
            skin.inverse_bind_matrices.len(),
            skin.joints.len(),
            "its list of joints",
        )?;
        ensure_finite(place, skin.inverse_bind_matrices.as_flattened())?;
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
    for (index, (part, own)) in manifest.parts.iter().zip(model.parts()).enumerate() {
        let mesh = model.mesh_of(own);
        let unique = mesh.unique();
        let place = || format!("parts[{index}]");
        ensure(part.skin == own.skin, place, || {
            format!("its skin is {}, the mesh says {}", part.skin, own.skin)
        })?;
        let place = place();
        ensure_count(
            &place,
            part.vertices as usize,
            mesh.vertex_count(),
            "the mesh",
        )?;
        ensure_count(
            &place,
            part.positions as usize,
            unique.position_count(),
            "the mesh",
        )?;
        ensure_count(
            &place,
            part.normals as usize,
            unique.normal_count(),
            "the mesh",
        )?;
        let starts = (part.first_position as usize, part.first_normal as usize);
        ensure(
            starts == (first_position, first_normal),
            || place.clone(),
            || "does not begin where the part before it ends".into(),
        )?;
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
        || "there are none".into(),
    )?;
    for (index, (entry, texture)) in manifest.textures.iter().zip(textures).enumerate() {
        let told = (entry.texels, [entry.width, entry.height, entry.layers]);
        let found = (texture.format(), texture.size());
        ensure(
            told == found,
            || format!("textures[{index}]"),
            || format!("'{}' is {found:?}, not {told:?}", entry.name),
        )?;
    }
    Ok(())
}

/// Vertex sets carry one rest position per unique position and one rest normal per unique normal.
fn check_rest(manifest: &Manifest, rest: &RestVertices) -> Result<(), SetError> {
    let sum = |of: fn(&PartEntry) -> u32| -> usize {
        let counts = manifest.parts.iter().map(|part| of(part) as usize);
        match manifest.encoding.is_vertex() {
            true => counts.sum(),
            false => 0,
        }
    };
    let of = "the list of parts";
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
        || "a number is not finite".into(),
    )
}

fn check_extras(manifest: &Manifest) -> Result<(), SetError> {
    for (index, socket) in manifest.sockets.iter().enumerate() {
        let place = || format!("sockets[{index}]");
        ensure(socket.joint < manifest.joints.len(), place, || {
            format!("there is no joint {}", socket.joint)
        })?;
        ensure_finite(place, &socket.translation)?;
        ensure_finite(place, &socket.rotation)?;
    }
    for (index, lod) in manifest.lods.iter().enumerate() {
        ensure_finite(|| format!("lods[{index}]"), &[lod.screen_height])?;
    }
    Ok(())
}
