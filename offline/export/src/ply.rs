//! Binary PLY: one list of vertices and one of faces for all parts.

use glam::Vec4;
use throng_rig::{AlphaMode, Material};

use super::posed::PosedPart;
use super::{ExportError, GENERATOR, Posed};

/// Corners of a face.
const CORNERS: u8 = 3;

/// Writes a position, a normal and a colour per vertex; white without colours. Textures are left out.
pub(crate) fn encode(posed: &Posed) -> Result<Vec<u8>, ExportError> {
    let parts = posed.drawn_parts()?;
    let vertices = parts.iter().map(|part| part.mesh.vertex_count()).sum();
    let faces = parts.iter().map(|part| part.mesh.triangles().len()).sum();
    check_vertex_count(vertices)?;
    let mut out = header(vertices, faces).into_bytes();
    for part in &parts {
        let colors = Colors::new(posed.character.materials(), part);
        let pairs = part.positions_f32()?.into_iter().zip(part.normals_f32());
        for (vertex, (position, normal)) in pairs.enumerate() {
            for x in position.to_array().into_iter().chain(normal.to_array()) {
                out.extend(x.to_le_bytes());
            }
            out.extend(colors.of(vertex));
        }
    }
    let mut first = 0;
    for part in &parts {
        for triangle in part.mesh.triangles() {
            out.push(CORNERS);
            for corner in triangle {
                out.extend((first + corner).to_le_bytes());
            }
        }
        // No overflow: `check_vertex_count` has passed.
        first += part.mesh.vertex_count() as u32;
    }
    Ok(out)
}

/// Fails if signed 32-bit indices cannot address all vertices.
fn check_vertex_count(vertices: usize) -> Result<(), ExportError> {
    if i32::try_from(vertices).is_err() {
        return Err(ExportError::TooManyVertices { vertices });
    }
    Ok(())
}

fn header(vertices: usize, faces: usize) -> String {
    format!(
        "ply\n\
         format binary_little_endian 1.0\n\
         comment {GENERATOR}\n\
         element vertex {vertices}\n\
         property float x\n\
         property float y\n\
         property float z\n\
         property float nx\n\
         property float ny\n\
         property float nz\n\
         property uchar red\n\
         property uchar green\n\
         property uchar blue\n\
         property uchar alpha\n\
         element face {faces}\n\
         property list uchar int vertex_indices\n\
         end_header\n"
    )
}

/// Vertex colours multiplied by the base colour of the material, linear.
struct Colors<'a> {
    of_vertices: &'a [[f32; 4]],
    base: Vec4,
    is_opaque: bool,
}

impl<'a> Colors<'a> {
    fn new(materials: &[Material], part: &PosedPart<'a>) -> Self {
        let material = part.mesh.material.map(|index| &materials[index]);
        Self {
            of_vertices: part.mesh.colors(),
            base: material.map_or(Vec4::ONE, |m| m.base_color.into()),
            is_opaque: material.is_none_or(|m| m.alpha == AlphaMode::Opaque),
        }
    }

    /// Returns the colour of a vertex in sRGB with straight alpha.
    fn of(&self, vertex: usize) -> [u8; 4] {
        let color = self
            .of_vertices
            .get(vertex)
            .map_or(Vec4::ONE, |&c| c.into());
        let [red, green, blue, alpha] = (self.base * color).to_array();
        let alpha = if self.is_opaque { 1.0 } else { alpha };
        [
            unorm8(srgb_from_linear(red)),
            unorm8(srgb_from_linear(green)),
            unorm8(srgb_from_linear(blue)),
            unorm8(alpha),
        ]
    }
}

/// Transfer function of IEC 61966-2-1.
fn srgb_from_linear(linear: f32) -> f32 {
    if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}

/// Quantises to 0..=255; the cast saturates.
fn unorm8(value: f32) -> u8 {
    (value * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{character, skinned};

    /// Six floats and four bytes.
    const VERTEX_BYTES: usize = 28;
    /// A count and three integers.
    const FACE_BYTES: usize = 13;

    #[test]
    fn faces_index_the_vertices_of_their_parts() {
        let character = character();
        let parts = skinned(&character);
        let posed = Posed {
            character: &character,
            parts: &parts,
        };
        let bytes = encode(&posed).unwrap();
        let end = b"end_header\n";
        let body = bytes.windows(end.len()).position(|w| w == end).unwrap() + end.len();
        let header = std::str::from_utf8(&bytes[..body]).unwrap();
        assert!(header.starts_with("ply\nformat binary_little_endian 1.0\n"));
        let count = |element: &str| {
            let line = header.lines().find_map(|line| line.strip_prefix(element));
            line.unwrap().parse::<usize>().unwrap()
        };
        let (vertices, faces) = bytes[body..].split_at(count("element vertex ") * VERTEX_BYTES);
        assert_eq!(faces.len(), count("element face ") * FACE_BYTES);
        let vertices: Vec<&[u8]> = vertices.chunks(VERTEX_BYTES).collect();
        let mut faces = faces.chunks(FACE_BYTES);

        let number = |bytes: &[u8], at: usize| bytes[at..at + 4].try_into().unwrap();
        for part in posed.drawn_parts().unwrap() {
            let positions = part.positions_f32().unwrap();
            for triangle in part.mesh.triangles() {
                let face = faces.next().unwrap();
                assert_eq!(face[0], 3);
                for (corner, &expected) in triangle.iter().enumerate() {
                    let index = i32::from_le_bytes(number(face, 1 + 4 * corner));
                    let vertex = vertices[usize::try_from(index).unwrap()];
                    let x = |i: usize| f32::from_le_bytes(number(vertex, 4 * i));
                    assert_eq!([x(0), x(1), x(2)], positions[expected as usize].to_array());
                    let length = x(3).hypot(x(4)).hypot(x(5));
                    assert!((length - 1.0).abs() < 1e-6); // unit length, except for rounding
                }
            }
        }
        assert_eq!(faces.next(), None);
        // The first part: 0.5 · 0.25, 2.0 · 1.5 and −0.5 clamped to 0..1, and an alpha of 0.5.
        assert_eq!(vertices[0][24..], [99, 255, 0, 128]);
        // The third part has neither colours nor a material.
        assert_eq!(vertices[7][24..], [255; 4]);
    }

    #[test]
    fn rejects_more_vertices_than_a_face_can_index() {
        let max = i32::MAX as usize;
        assert!(check_vertex_count(max).is_ok());
        assert!(matches!(
            check_vertex_count(max + 1),
            Err(ExportError::TooManyVertices { .. })
        ));
    }

    #[test]
    fn colours_are_encoded_and_clamped() {
        let encode = |linear| unorm8(srgb_from_linear(linear));
        assert_eq!(encode(0.0), 0);
        assert_eq!(encode(1.0), 255);
        assert_eq!(encode(0.214_041_14), 128); // middle grey of sRGB
        assert_eq!(encode(-1.0), 0);
        assert_eq!(encode(9.0), 255);
        assert_eq!(encode(f32::NAN), 0);
    }
}
