//! Texture coordinates and normals of corners, and the corners of a point that are one vertex.

use std::collections::HashMap;

use glam::{Vec2, Vec3};

use super::archive::Archive;
use super::frames::normal;
use super::meshes::Polygons;
use super::ogawa::Read;
use super::scope::{Scope, Values};

/// Values of corners, each empty if the mesh has none.
#[derive(Default)]
pub(super) struct CornerValues {
    pub uvs: Vec<Vec2>,
    /// Normals of the first sample.
    pub normals: Vec<Vec3>,
    /// First corner of the same point with the same normal in every sample.
    normal_class: Vec<u32>,
}

/// Identity of a vertex: a point, the bits of texture coordinates and normal, and the class of the normal; or a corner.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum VertexKey {
    Values(u32, [u32; 2], [u32; 3], u32),
    Corner(u32),
}

impl CornerValues {
    /// Returns the identity of the vertex at a corner of a point.
    pub(super) fn key(&self, point: u32, corner: usize) -> VertexKey {
        let uv = self.uvs.get(corner).copied().unwrap_or_default();
        let normal = self.normals.get(corner).copied().unwrap_or_default();
        let class = self.normal_class.get(corner).copied().unwrap_or_default();
        VertexKey::Values(point, bits(uv.to_array()), bits(normal.to_array()), class)
    }

    /// Reads the texture coordinates of the first sample.
    pub(super) fn read_uvs(
        &mut self,
        archive: &Archive,
        polygons: &Polygons,
        uvs: &Values,
    ) -> Read<()> {
        archive.charge(uvs.sample_bytes(8), 1)?;
        // V points up in Alembic and down in a mesh.
        let convert = |[u, v]: [f64; 2]| {
            let uv = Vec2::new(u as f32, 1.0 - v as f32);
            if uv.is_finite() { uv } else { Vec2::ZERO }
        };
        let (mut table, mut read) = (Vec::new(), Vec::new());
        uvs.read(0, convert, &mut table, &mut read)?;
        self.uvs = polygons.spread(uvs.scope, &read);
        Ok(())
    }

    /// Reads the normals of the first sample.
    pub(super) fn read_normals(
        &mut self,
        archive: &Archive,
        polygons: &Polygons,
        normals: &Values,
    ) -> Read<()> {
        archive.charge(normals.sample_bytes(12), 2)?;
        let (mut table, mut read) = (Vec::new(), Vec::new());
        normals.read(0, normal, &mut table, &mut read)?;
        self.normals = polygons.spread(normals.scope, &read);
        Ok(())
    }

    /// Forgets normals that turned out invalid.
    pub(super) fn drop_normals(&mut self) {
        self.normals.clear();
        self.normal_class.clear();
    }

    /// Tells corners of a point apart whose normals differ in any sample. Reads one sample at a time.
    ///
    /// Returns false, and tells all corners apart, if reading takes more than half of the work that is left.
    pub(super) fn compare_normals(
        &mut self,
        archive: &Archive,
        polygons: &Polygons,
        normals: &Values,
    ) -> Read<bool> {
        // Normals per point cannot differ among its corners.
        let can_differ = matches!(normals.scope, Scope::Corner | Scope::Face);
        if !can_differ || normals.times.is_empty() {
            return Ok(true);
        }
        let mut first_of = HashMap::new();
        let corners = polygons.corners.iter().zip(&self.normals).zip(0..);
        let first = corners.map(|((&point, normal), corner): (_, u32)| {
            let key = (point, bits(normal.to_array()));
            *first_of.entry(key).or_insert(corner)
        });
        self.normal_class = first.collect();
        drop(first_of);
        let different = normals.different_samples(archive)?;
        if different.work > archive.container.work_left() / 2 {
            self.normal_class = (0..self.normals.len() as u32).collect();
            return Ok(false);
        }
        let element_of_corner = polygons.element_of_corner(normals.scope);
        let (mut table, mut read) = (Vec::new(), Vec::new());
        for sample in different.samples {
            normals.read(sample as usize, normal, &mut table, &mut read)?;
            split_classes(&mut self.normal_class, |corner| {
                read[element_of_corner[corner as usize] as usize]
            });
        }
        Ok(true)
    }
}

/// Splits classes of corners by their normals. The class of a corner is the first corner in it.
fn split_classes(class_of: &mut [u32], normal: impl Fn(u32) -> Vec3) {
    let mut first_of: HashMap<(u32, [u32; 3]), u32> = HashMap::new();
    for (class, corner) in class_of.iter_mut().zip(0..) {
        let own = normal(corner);
        // The first corner of a class stays in it, and comes before the others.
        if own != normal(*class) {
            let key = (*class, bits(own.to_array()));
            *class = *first_of.entry(key).or_insert(corner);
        }
    }
}

/// Bits of numbers, without a sign of zero.
fn bits<const N: usize>(numbers: [f32; N]) -> [u32; N] {
    numbers.map(|number| (number + 0.0).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_with_different_normals_in_any_sample_are_told_apart() {
        let samples = [[0.0, 0.0, 1.0, 1.0, 1.0], [0.0, 0.0, 2.0, 2.0, -0.0]];
        let mut classes = vec![0, 0, 0, 0, 0];
        for sample in samples {
            split_classes(&mut classes, |corner| Vec3::X * sample[corner as usize]);
        }
        assert_eq!(classes, [0, 0, 2, 2, 4]);
    }
}
