//! Boxes in which positions are quantised.

use glam::DVec3;
use throng_format::{BoneCode, Encoding, Layout, Range, TextureSet};
use throng_rig::{Bounds, UniqueVertices};

/// Box in model space that holds every position that the texels of a joint or a vertex can have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuantisationBox {
    /// The box, in metres.
    pub bounds: Bounds,
    /// Distance between neighbouring levels along each axis, in metres; `None` where levels are not on a lattice.
    pub step_m: Option<DVec3>,
}

/// Returns the box of what the texels of a set hold: a vertex, by its unique position, or a joint.
pub fn of_selection(set: &TextureSet, joint: usize, position: usize) -> Option<QuantisationBox> {
    match set.manifest().encoding.is_vertex() {
        true => of_vertex(set, position),
        false => of_joint(set, joint),
    }
}

/// Returns the box of a joint's positions. `None` for sets that store vertices, floats, dual quaternions or curves, and for
/// joints without texels.
pub fn of_joint(set: &TextureSet, joint: usize) -> Option<QuantisationBox> {
    let Layout::Bones(layout) = &set.manifest().layout else {
        return None;
    };
    if layout.code == BoneCode::DualQuaternion {
        return None;
    }
    let bone = layout.bones.iter().position(|bone| bone.joint == joint)?;
    let range = match layout.ranges.as_slice() {
        [of_all] => of_all,
        ranges => ranges.get(bone)?,
    };
    let texture = layout.positions.as_ref().unwrap_or(&layout.grid).texture;
    in_range(set, range, texture, DVec3::ZERO)
}

/// Returns the box of a vertex, by the index of its unique position among those of all parts. `None` for sets that store
/// bones or floats.
pub fn of_vertex(set: &TextureSet, position: usize) -> Option<QuantisationBox> {
    let rest = set.rest().positions.get(position)?.as_dvec3();
    match &set.manifest().layout {
        Layout::Vertices(layout) => {
            let range = layout.range.as_ref()?;
            let of_rest = in_range(set, range, layout.positions.texture, rest)?;
            // Rays have levels of direction and of length.
            let is_ray = set.manifest().encoding == Encoding::VertexRay;
            Some(QuantisationBox {
                step_m: of_rest.step_m.filter(|_| !is_ray),
                ..of_rest
            })
        }
        Layout::VertexCurves(layout) => {
            let center = rest + DVec3::from(layout.center.map(f64::from));
            let half = DVec3::splat(f64::from(layout.scale));
            Some(QuantisationBox {
                bounds: bounds(center, half),
                step_m: None,
            })
        }
        Layout::Bones(_) | Layout::JointCurves(_) => None,
    }
}

/// Returns the index of the unique position of a vertex of a part among those of all parts.
pub fn position_of(set: &TextureSet, [part, vertex]: [usize; 2]) -> Option<usize> {
    let entry = set.manifest().parts.get(part)?;
    let unique = *unique_of(set, part)?.position_of().get(vertex)?;
    Some(entry.first_position as usize + unique as usize)
}

/// Returns the part and the first vertex of a unique position: the inverse of [`position_of`].
pub fn vertex_at(set: &TextureSet, position: usize) -> Option<[usize; 2]> {
    let parts = &set.manifest().parts;
    let part = parts
        .iter()
        .rposition(|part| part.first_position as usize <= position)?;
    let unique = position - parts[part].first_position as usize;
    let vertex = *unique_of(set, part)?.first_of_position().get(unique)?;
    Some([part, vertex as usize])
}

fn unique_of(set: &TextureSet, part: usize) -> Option<&UniqueVertices> {
    let part = set.model().parts().get(part)?;
    Some(set.model().mesh_of(part).unique())
}

fn in_range(
    set: &TextureSet,
    range: &Range,
    texture: usize,
    around: DVec3,
) -> Option<QuantisationBox> {
    let vector = |values: &[f64]| Some(DVec3::from_slice(values.get(..3)?));
    let metres = set.manifest().axes.metres_per_unit;
    let half = metres * vector(&range.half_extent)?;
    let texels = set.manifest().textures.get(texture)?.texels;
    let levels = 2_f64.powi(8 * texels.channel_kind().bytes() as i32) - 1.0;
    Some(QuantisationBox {
        bounds: bounds(around + metres * vector(&range.center)?, half),
        step_m: Some(2.0 * half / levels),
    })
}

fn bounds(center: DVec3, half: DVec3) -> Bounds {
    Bounds {
        min: center - half,
        max: center + half,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_bake::{BakeSettings, bake};
    use throng_format::decode::{BonePose, VertexPose, bones, vertices};
    use throng_format::{Precision, Source, Storage};
    use throng_import::builtin::builtin;

    fn set_of(encoding: Encoding, storage: Storage) -> TextureSet {
        let character = builtin("bar").unwrap();
        let settings = BakeSettings {
            encoding,
            storage,
            ..BakeSettings::default()
        };
        let source = Source::in_memory("builtin:bar");
        bake(&character, &settings, &source, &()).unwrap().set
    }

    fn contains(outer: &QuantisationBox, point: DVec3) -> bool {
        let slack = DVec3::splat(1e-6);
        (outer.bounds.min - slack).cmple(point).all()
            && (outer.bounds.max + slack).cmpge(point).all()
    }

    #[test]
    fn decoded_joints_are_in_their_boxes() {
        for encoding in [Encoding::BoneQt, Encoding::BoneMatrix] {
            let set = set_of(encoding, Storage::Frames(Precision::Unorm16));
            let mut pose = BonePose::rest(set.model());
            let mut found = 0;
            for joint in 0..pose.model_from_joint.len() {
                let Some(of_joint) = of_joint(&set, joint) else {
                    continue;
                };
                found += 1;
                assert!(of_joint.step_m.unwrap().max_element() < 1e-3);
                for tenth in 0..10 {
                    bones(&set, 0, 0.1 * f64::from(tenth), &mut pose);
                    let position = pose.model_from_joint[joint].translation;
                    assert!(contains(&of_joint, position), "{encoding}: joint {joint}");
                }
            }
            assert!(found > 0, "{encoding}");
        }
    }

    #[test]
    fn decoded_vertices_are_in_their_boxes() {
        let frames = Storage::Frames(Precision::Unorm16);
        let cases = [
            (Encoding::Vertex, frames),
            (Encoding::VertexRay, frames),
            (Encoding::Vertex, Storage::Compressed),
        ];
        for (encoding, storage) in cases {
            let set = set_of(encoding, storage);
            let mut pose = VertexPose::default();
            for tenth in 0..10 {
                vertices(&set, 0, 0.1 * f64::from(tenth), &mut pose);
                for (index, offset) in pose.offsets.iter().enumerate() {
                    let of_vertex = of_vertex(&set, index).unwrap();
                    let position = set.rest().positions[index].as_dvec3() + *offset;
                    assert!(contains(&of_vertex, position), "{encoding}: vertex {index}");
                }
            }
        }
    }

    #[test]
    fn positions_and_vertices_are_inverse() {
        let set = set_of(Encoding::Vertex, Storage::Frames(Precision::Unorm16));
        let count = set.rest().positions.len();
        for position in 0..count {
            let vertex = vertex_at(&set, position).unwrap();
            assert_eq!(position_of(&set, vertex), Some(position));
        }
        assert_eq!(vertex_at(&set, count), None);
    }

    #[test]
    fn dual_quaternions_and_floats_have_no_box() {
        let set = set_of(Encoding::BoneDq, Storage::Frames(Precision::Unorm16));
        assert_eq!(of_joint(&set, 0), None);
        let set = set_of(Encoding::Vertex, Storage::Frames(Precision::F32));
        assert_eq!(of_vertex(&set, 0), None);
        assert_eq!(of_joint(&set, 0), None);
    }
}
