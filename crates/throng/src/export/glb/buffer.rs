//! The one buffer of a GLB, and the accessors and views into it.

use glam::Vec3;

use super::document::{
    ARRAY_BUFFER, Accessor, BufferView, ELEMENT_ARRAY_BUFFER, FLOAT, UNSIGNED_INT, UNSIGNED_SHORT,
};

/// Views and chunks of a GLB start and end at multiples of this.
pub const ALIGNMENT: usize = 4;

/// How many vertices 16-bit indices can name: index 65535 is not allowed, it means a restart.
const MAX_SHORT_VERTICES: usize = 65535;

/// Grows as arrays are put into it.
#[derive(Default)]
pub struct Buffer {
    /// A multiple of [`ALIGNMENT`] long.
    pub bytes: Vec<u8>,
    /// One an array.
    pub views: Vec<BufferView>,
    /// One an array, but none for an image.
    pub accessors: Vec<Accessor>,
}

impl Buffer {
    /// Puts in positions and their box; gives the accessor.
    pub fn positions(&mut self, positions: &[Vec3]) -> usize {
        let min = positions.iter().copied().reduce(Vec3::min);
        let max = positions.iter().copied().reduce(Vec3::max);
        let accessor = self.attribute(positions.iter().map(Vec3::to_array));
        self.accessors[accessor].min = min.map(|v| v.as_dvec3().to_array());
        self.accessors[accessor].max = max.map(|v| v.as_dvec3().to_array());
        accessor
    }

    /// Puts in vectors, one a vertex; gives the accessor.
    pub fn attribute<const N: usize>(
        &mut self,
        vectors: impl ExactSizeIterator<Item = [f32; N]>,
    ) -> usize {
        let kind = const {
            match N {
                2 => "VEC2",
                3 => "VEC3",
                4 => "VEC4",
                _ => panic!("not a vector of glTF"),
            }
        };
        let count = vectors.len();
        let numbers = vectors.flatten().flat_map(f32::to_le_bytes);
        let view = self.view(numbers, Some(ARRAY_BUFFER));
        self.accessor(view, FLOAT, count, kind)
    }

    /// The same where there are vectors, none where there are none.
    pub fn optional_attribute<const N: usize>(
        &mut self,
        vectors: impl ExactSizeIterator<Item = [f32; N]>,
    ) -> Option<usize> {
        (vectors.len() > 0).then(|| self.attribute(vectors))
    }

    /// Puts in the corners of triangles, in 16 bits each where that is enough; gives the accessor.
    pub fn indices(&mut self, triangles: &[[u32; 3]], vertex_count: usize) -> usize {
        let corners = triangles.as_flattened();
        let target = Some(ELEMENT_ARRAY_BUFFER);
        let (view, component_type) = if vertex_count <= MAX_SHORT_VERTICES {
            let shorts = corners.iter().flat_map(|&i| (i as u16).to_le_bytes());
            (self.view(shorts, target), UNSIGNED_SHORT)
        } else {
            let ints = corners.iter().flat_map(|&i| i.to_le_bytes());
            (self.view(ints, target), UNSIGNED_INT)
        };
        self.accessor(view, component_type, corners.len(), "SCALAR")
    }

    /// Puts in an encoded image; gives the view.
    pub fn image(&mut self, bytes: &[u8]) -> usize {
        self.view(bytes.iter().copied(), None)
    }

    fn view(&mut self, bytes: impl Iterator<Item = u8>, target: Option<u32>) -> usize {
        let byte_offset = self.bytes.len();
        self.bytes.extend(bytes);
        self.views.push(BufferView {
            buffer: 0,
            byte_offset,
            byte_length: self.bytes.len() - byte_offset,
            target,
        });
        pad(&mut self.bytes, 0);
        self.views.len() - 1
    }

    fn accessor(
        &mut self,
        buffer_view: usize,
        component_type: u32,
        count: usize,
        kind: &'static str,
    ) -> usize {
        self.accessors.push(Accessor {
            buffer_view,
            component_type,
            count,
            kind,
            min: None,
            max: None,
        });
        self.accessors.len() - 1
    }
}

/// Fills up to a multiple of [`ALIGNMENT`].
pub fn pad(bytes: &mut Vec<u8>, filler: u8) {
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), filler);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_short_as_long_as_the_restart_value_is_not_among_them() {
        let mut buffer = Buffer::default();
        buffer.indices(&[[0, 1, 65534]], 65535);
        buffer.indices(&[[0, 1, 65535]], 65536);
        let types: Vec<u32> = buffer.accessors.iter().map(|a| a.component_type).collect();
        assert_eq!(types, [UNSIGNED_SHORT, UNSIGNED_INT]);
        assert_eq!(buffer.bytes[..8], [0, 0, 1, 0, 0xfe, 0xff, 0, 0]);
        assert_eq!(
            buffer.bytes[8..],
            [0, 0, 0, 0, 1, 0, 0, 0, 0xff, 0xff, 0, 0]
        );
    }
}
