//! Comparison of captured vertices with the CPU.

use glam::{DVec3, Vec3};
use throng_rig::Character;
use throng_skin::reference::Skinned;
use throng_wgpu::Captured;

/// Largest errors of a pose.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Worst {
    pub mm: f64,
    pub vertex: usize,
    pub degrees: f64,
    pub tangent_degrees: f64,
}

/// Returns true if a vertex of a part has a tangent. Some files have tangents along the normal, which have no direction.
pub fn has_tangent(model: &Character, part: usize, vertex: usize) -> bool {
    let mesh = model.mesh_of(&model.parts()[part]);
    let tangent = mesh.tangents().get(vertex);
    tangent.is_some_and(|t| mesh.normals()[vertex].cross(t.truncate()).length() > 1e-3)
}

/// Compares all parts, vertex by vertex, and tangents where there are any. NaN counts as infinite.
pub fn compare(
    captured: &Captured,
    expected: &[Skinned],
    has_tangent: impl Fn(usize, usize) -> bool,
) -> Worst {
    let mut worst = Worst::default();
    let positions = expected.iter().flat_map(|part| &part.positions);
    let normals = expected.iter().flat_map(|part| &part.normals);
    let count = expected
        .iter()
        .map(|part| part.positions.len())
        .sum::<usize>();
    assert_eq!(captured.positions.len(), count, "vertices");
    for (vertex, (actual, reference)) in captured.positions.iter().zip(positions).enumerate() {
        let mm = finite(1e3 * actual.as_dvec3().distance(*reference));
        if mm > worst.mm {
            worst.mm = mm;
            worst.vertex = vertex;
        }
    }
    for (actual, reference) in captured.normals.iter().zip(normals) {
        worst.degrees = worst
            .degrees
            .max(finite(angle_degrees(*actual, *reference)));
    }
    // Captured tangents have 16 bits. Parts without tangents have zeros, which the reference leaves out.
    let mut first = 0;
    for (index, part) in expected.iter().enumerate() {
        let captured = captured.tangents.get(first..).unwrap_or_default();
        let pairs = captured.iter().zip(&part.tangents).enumerate();
        for (_, (actual, reference)) in pairs.filter(|(vertex, _)| has_tangent(index, *vertex)) {
            let degrees = angle_degrees(*actual, reference.truncate());
            worst.tangent_degrees = worst.tangent_degrees.max(finite(degrees));
        }
        first += part.positions.len();
    }
    worst
}

/// Angle between unit vectors; accurate for small angles.
fn angle_degrees(a: Vec3, b: DVec3) -> f64 {
    let a = a.as_dvec3();
    (2.0 * (a - b).length().atan2((a + b).length())).to_degrees()
}

fn finite(value: f64) -> f64 {
    if value.is_finite() {
        value
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparison_detects_one_moved_vertex() {
        let points: Vec<Vec3> = (0..50).map(|k| Vec3::new(k as f32, 0.5, -2.0)).collect();
        let mut captured = Captured {
            positions: points.clone(),
            normals: vec![Vec3::Y; points.len()],
            tangents: Vec::new(),
        };
        let (mut first, mut second) = (Skinned::default(), Skinned::default());
        for (index, point) in points.iter().enumerate() {
            let part = if index < 20 { &mut first } else { &mut second };
            part.positions.push(point.as_dvec3());
            part.normals.push(DVec3::Y);
        }
        let expected = [first, second];
        let compare =
            |captured: &Captured, expected: &[Skinned]| compare(captured, expected, |_, _| false);
        assert_eq!(compare(&captured, &expected), Worst::default());
        captured.positions[33].y += 0.25;
        let worst = compare(&captured, &expected);
        assert_eq!((worst.vertex, worst.mm), (33, 250.0));
        captured.normals[7] = Vec3::X;
        assert!((compare(&captured, &expected).degrees - 90.0).abs() < 1e-9);
        captured.positions[2].x = f32::NAN;
        assert_eq!(compare(&captured, &expected).mm, f64::INFINITY);
    }
}
