//! Wavefront OBJ: one object per part, with positions, UVs and normals.

use std::io::Write;

use super::posed::PosedPart;
use super::{ExportError, GENERATOR, Posed};

/// Writes float32 numbers with the fewest digits that parse back exactly. Materials and colours are left out.
pub(crate) fn encode(posed: &Posed) -> Result<Vec<u8>, ExportError> {
    let mut out = Vec::new();
    line(&mut out, format_args!("# {GENERATOR}"));
    // Indices in OBJ start at one and continue over all objects.
    let (mut first_vertex, mut first_uv) = (1, 1);
    for part in posed.drawn_parts()? {
        write_part(&mut out, &part, first_vertex, first_uv)?;
        first_vertex += part.mesh.vertex_count();
        first_uv += part.mesh.uvs().len();
    }
    Ok(out)
}

fn write_part(
    out: &mut Vec<u8>,
    part: &PosedPart<'_>,
    first_vertex: usize,
    first_uv: usize,
) -> Result<(), ExportError> {
    line(out, format_args!("o {}", object_name(part)));
    for p in part.positions_f32()? {
        line(out, format_args!("v {} {} {}", p.x, p.y, p.z));
    }
    // V points down in a mesh and up in OBJ.
    for uv in part.mesh.uvs() {
        line(out, format_args!("vt {} {}", uv.x, 1.0 - uv.y));
    }
    for n in part.normals_f32() {
        line(out, format_args!("vn {} {} {}", n.x, n.y, n.z));
    }
    let has_uvs = !part.mesh.uvs().is_empty();
    for triangle in part.mesh.triangles() {
        let [a, b, c] = triangle.map(|corner| {
            let vertex = first_vertex + corner as usize;
            if has_uvs {
                format!("{vertex}/{}/{vertex}", first_uv + corner as usize)
            } else {
                format!("{vertex}//{vertex}")
            }
        });
        line(out, format_args!("f {a} {b} {c}"));
    }
    Ok(())
}

fn line(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a Vec does not fail");
}

/// Returns a unique name: that of the node with special characters replaced, and the index of the part.
fn object_name(part: &PosedPart<'_>) -> String {
    let is_safe = |c: char| c.is_alphanumeric() || "_-.:".contains(c);
    let name: String = part
        .part
        .node_name
        .chars()
        .map(|c| if is_safe(c) { c } else { '_' })
        .collect();
    let name = if name.is_empty() { "part" } else { &name };
    format!("{name}.{}", part.index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{character, skinned};
    use glam::{Vec2, Vec3};

    /// A parsed OBJ file.
    #[derive(Default)]
    struct Read {
        objects: Vec<String>,
        positions: Vec<Vec3>,
        uvs: Vec<Vec2>,
        normals: Vec<Vec3>,
        /// Indices of position, UV and normal, from zero.
        corners: Vec<(usize, Option<usize>, usize)>,
    }

    fn read(bytes: &[u8]) -> Read {
        let mut read = Read::default();
        for line in std::str::from_utf8(bytes).unwrap().lines() {
            let (kind, rest) = line.split_once(' ').unwrap();
            let words: Vec<&str> = rest.split(' ').collect();
            let number = |i: usize| words[i].parse::<f32>().unwrap();
            let vector = || Vec3::new(number(0), number(1), number(2));
            match kind {
                "#" => {}
                "o" => read.objects.push(rest.to_owned()),
                "v" => read.positions.push(vector()),
                "vn" => read.normals.push(vector()),
                "vt" => read.uvs.push(Vec2::new(number(0), number(1))),
                "f" => {
                    assert_eq!(words.len(), 3);
                    for word in words {
                        let mut indices = word.split('/').map(|i| i.parse::<usize>().ok());
                        let mut next = || indices.next().unwrap().map(|i| i - 1);
                        let (position, uv, normal) = (next(), next(), next());
                        read.corners.push((position.unwrap(), uv, normal.unwrap()));
                    }
                }
                _ => panic!("unknown line: {line}"),
            }
        }
        read
    }

    #[test]
    fn corners_index_the_vertices_of_their_parts() {
        let character = character();
        let parts = skinned(&character);
        let posed = Posed {
            character: &character,
            parts: &parts,
        };
        let bytes = encode(&posed).unwrap();
        assert!(bytes.starts_with(format!("# {GENERATOR}\n").as_bytes()));
        let read = read(&bytes);
        let mut corners = read.corners.iter();
        let drawn = posed.drawn_parts().unwrap();
        for part in &drawn {
            let (positions, uvs) = (part.positions_f32().unwrap(), part.mesh.uvs());
            let normals: Vec<Vec3> = part.normals_f32().collect();
            for &corner in part.mesh.triangles().as_flattened() {
                let corner = corner as usize;
                let &(position, uv, normal) = corners.next().unwrap();
                assert_eq!(read.positions[position], positions[corner]);
                assert_eq!(read.normals[normal], normals[corner]);
                let expected = uvs.get(corner).map(|uv| Vec2::new(uv.x, 1.0 - uv.y));
                assert_eq!(uv.map(|uv| read.uvs[uv]), expected);
            }
        }
        assert_eq!(corners.next(), None);
        let vertices: usize = drawn.iter().map(|part| part.mesh.vertex_count()).sum();
        assert_eq!(read.positions.len(), vertices);
    }

    #[test]
    fn escapes_names_and_makes_them_unique() {
        let character = character();
        let posed = Posed {
            character: &character,
            parts: &skinned(&character),
        };
        let objects = read(&encode(&posed).unwrap()).objects;
        assert_eq!(
            objects,
            ["Bödy_o_evil_v_1__.0", "Bödy_o_evil_v_1__.1", "part.2"]
        );
    }
}
