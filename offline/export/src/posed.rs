//! A character and its skinned parts.

use glam::{DVec3, Vec3, Vec4};
use throng_rig::{Character, Mesh, Part};
use throng_skin::reference::Skinned;

use super::ExportError;

/// A skinned character in one pose.
pub struct Posed<'a> {
    /// The character.
    pub character: &'a Character,
    /// One per part of the character, in order.
    pub parts: &'a [Skinned],
}

/// One part of a posed character.
pub(crate) struct PosedPart<'a> {
    /// Index into the character's parts.
    pub index: usize,
    /// The part.
    pub part: &'a Part,
    /// Its mesh, in bind space.
    pub mesh: &'a Mesh,
    skinned: &'a Skinned,
}

impl<'a> Posed<'a> {
    /// Returns all parts; fails if a position or normal is not finite.
    pub(crate) fn parts(&self) -> Result<Vec<PosedPart<'a>>, ExportError> {
        let parts = self.character.parts();
        assert_eq!(parts.len(), self.parts.len(), "one skinned mesh per part");
        let pairs = parts.iter().zip(self.parts).enumerate();
        pairs
            .map(|(index, (part, skinned))| {
                let mesh = self.character.mesh_of(part);
                PosedPart::new(index, part, mesh, skinned)
            })
            .collect()
    }

    /// Returns the parts with triangles; fails if there are none.
    pub(crate) fn drawn_parts(&self) -> Result<Vec<PosedPart<'a>>, ExportError> {
        let mut parts = self.parts()?;
        parts.retain(|part| !part.mesh.triangles().is_empty());
        if parts.is_empty() {
            let name = self.character.name.clone();
            return Err(ExportError::NothingToDraw { name });
        }
        Ok(parts)
    }
}

impl<'a> PosedPart<'a> {
    fn new(
        index: usize,
        part: &'a Part,
        mesh: &'a Mesh,
        skinned: &'a Skinned,
    ) -> Result<Self, ExportError> {
        let vertices = mesh.vertex_count();
        assert_eq!(skinned.positions.len(), vertices, "one position per vertex");
        assert_eq!(skinned.normals.len(), vertices, "one normal per vertex");
        let tangents = skinned.tangents.len();
        assert!(
            tangents == 0 || tangents == vertices,
            "one tangent per vertex, or none"
        );
        let mut vectors = skinned.positions.iter().zip(&skinned.normals);
        match vectors.position(|(p, n)| !(p.is_finite() && n.is_finite())) {
            Some(vertex) => Err(ExportError::NotFinite {
                part: index,
                node_name: part.node_name.clone(),
                vertex,
            }),
            None => Ok(Self {
                index,
                part,
                mesh,
                skinned,
            }),
        }
    }

    /// Positions in model space, in metres.
    pub fn positions(&self) -> &'a [DVec3] {
        &self.skinned.positions
    }

    /// Normals in model space, not normalised.
    pub fn normals(&self) -> &'a [DVec3] {
        &self.skinned.normals
    }

    /// Returns positions rounded to float32; fails if one is not finite.
    pub fn positions_f32(&self) -> Result<Vec<Vec3>, ExportError> {
        let positions = self.positions();
        let rounded: Vec<Vec3> = positions.iter().map(|p| p.as_vec3()).collect();
        match rounded.iter().position(|p| !p.is_finite()) {
            Some(vertex) => Err(ExportError::TooFar {
                part: self.index,
                node_name: self.part.node_name.clone(),
                vertex,
            }),
            None => Ok(rounded),
        }
    }

    /// Returns unit normals in float32; +Y for a normal of zero length.
    pub fn normals_f32(&self) -> impl ExactSizeIterator<Item = Vec3> + 'a {
        self.normals()
            .iter()
            .map(|&normal| unit_or(normal, Vec3::Y))
    }

    /// Returns unit tangents in float32, orthogonal to the normal for a tangent of zero length. The fourth component
    /// is 1 or −1. Empty if the mesh has no tangents.
    pub fn tangents_f32(&self) -> impl ExactSizeIterator<Item = Vec4> + 'a {
        let pairs = self.skinned.tangents.iter().zip(self.normals_f32());
        pairs.map(|(tangent, normal)| {
            let sign = if tangent.w < 0.0 { -1.0 } else { 1.0 };
            unit_or(tangent.truncate(), normal.any_orthonormal_vector()).extend(sign)
        })
    }
}

fn unit_or(vector: DVec3, fallback: Vec3) -> Vec3 {
    match vector.try_normalize() {
        Some(unit) => unit.as_vec3().normalize(),
        None => fallback,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{character, skinned};
    use glam::DVec4;

    #[test]
    fn normals_and_tangents_have_unit_length_for_any_input() {
        let character = character();
        let mut parts = skinned(&character);
        parts[0].normals[0] = DVec3::ZERO;
        parts[0].normals[1] = DVec3::splat(1e-60);
        parts[0].tangents[0] = DVec4::new(0.0, 0.0, 0.0, -0.3);
        parts[0].tangents[1] = DVec4::NAN;
        let posed = Posed {
            character: &character,
            parts: &parts,
        };
        let part = &posed.parts().unwrap()[0];
        assert!(part.normals_f32().all(Vec3::is_normalized));
        assert_eq!(part.normals_f32().next(), Some(Vec3::Y));
        let tangents: Vec<Vec4> = part.tangents_f32().collect();
        assert_eq!(tangents.len(), part.mesh.vertex_count());
        assert!(tangents.iter().all(|t| t.truncate().is_normalized()));
        assert_eq!([tangents[0].w, tangents[1].w], [-1.0, 1.0]);
    }
}
