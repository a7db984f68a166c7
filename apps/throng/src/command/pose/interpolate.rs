//! Interpolation of skinned vertices.

use throng_skin::reference::Skinned;

/// Interpolates skinned vertices between the rest pose (0) and the pose (1), along straight lines.
pub fn interpolate_vertices(rest: &[Skinned], fraction: f64, parts: &mut [Skinned]) {
    for (part, rest) in parts.iter_mut().zip(rest) {
        for (position, rest) in part.positions.iter_mut().zip(&rest.positions) {
            *position = rest.lerp(*position, fraction);
        }
        for (normal, rest) in part.normals.iter_mut().zip(&rest.normals) {
            *normal = rest
                .lerp(*normal, fraction)
                .try_normalize()
                .unwrap_or(*rest);
        }
        for (tangent, rest) in part.tangents.iter_mut().zip(&rest.tangents) {
            let direction = rest.truncate().lerp(tangent.truncate(), fraction);
            let unit = direction.try_normalize().unwrap_or(rest.truncate());
            *tangent = unit.extend(rest.w);
        }
    }
}
