//! Limits that bound memory and time on hostile or corrupt files. Errors name the limit that was
//! exceeded.

use std::cell::Cell;

/// Maximum size of a file together with its side files, in bytes.
pub const MAX_FILE_BYTES: u64 = 2 << 30;

/// Bytes that any file may decode to, whatever its size.
pub const DECODED_BASE_BYTES: u64 = 128 << 20;

/// Bytes that a file may decode to in addition, per byte of the file. Compressed meshes reach about 20.
pub const DECODED_BYTES_PER_FILE_BYTE: u64 = 64;

/// Maximum length of a name, in bytes. Names are copied for every use of an object.
pub const MAX_NAME_BYTES: usize = 1024;

/// Memory that the JSON of any glTF may take once parsed, in bytes, as estimated by [`JSON_OBJECT_BYTES`] and
/// [`JSON_ELEMENT_BYTES`].
pub const JSON_BASE_BYTES: u64 = 64 << 20;

/// Memory that parsed JSON may take in addition, per byte of its text. Real files need less than this alone.
pub const JSON_BYTES_PER_BYTE: u64 = 10;

/// Estimated memory of an object of the JSON.
pub const JSON_OBJECT_BYTES: u64 = 200;

/// Estimated memory of an element of a list or an object of the JSON.
pub const JSON_ELEMENT_BYTES: u64 = 40;

/// Maximum number of nodes in a file.
pub const MAX_NODES: usize = 1 << 17;

/// Maximum number of parts: pairs of a node and a primitive of its mesh.
pub const MAX_PARTS: usize = 1 << 16;

/// Maximum number of vertices over all parts. Many nodes may share a mesh.
pub const MAX_PART_VERTICES: u64 = 1 << 23;

/// Vertices allowed in addition to [`MAX_PART_VERTICES`], per byte of the file, so that any mesh in a file
/// can be drawn once.
pub const PART_VERTICES_PER_FILE_BYTE: u64 = 1;

/// Maximum of the number of skins times the number of joints of the skeleton.
pub const MAX_SKIN_STEPS: u64 = 1 << 28;

/// Maximum number of joints of all skins together. A rigid part has a skin of one joint.
pub const MAX_SKIN_JOINTS: usize = 1 << 18;

/// Memory that a vertex needs besides the attributes of the file, in bytes: normals, influences, and the search for
/// equal vertices.
pub const VERTEX_BYTES: u64 = 64;

/// Memory that decoding a point or a face of a Draco mesh needs, in bytes.
pub const DRACO_ELEMENT_BYTES: u64 = 64;

/// Maximum duration of a clip, in seconds: one day. Longer clips have corrupt key times.
pub const MAX_CLIP_SECS: f64 = 86_400.0;

/// Memory that any FBX file may take once parsed, in bytes. Half as much again is allowed while parsing.
pub const FBX_BASE_BYTES: u64 = 96 << 20;

/// Memory that a parsed FBX file may take in addition, per byte of the file. Real files need up to 5.
pub const FBX_BYTES_PER_FILE_BYTE: u64 = 10;

/// Maximum number of keys that the curves of all takes of an FBX file are sampled into.
pub const MAX_SAMPLED_KEYS: u64 = 1 << 20;

/// Sampled keys allowed in addition to [`MAX_SAMPLED_KEYS`], per byte of the file.
pub const SAMPLED_KEYS_PER_FILE_BYTE: u64 = 1;

/// Maximum number of frames of a vertex cache, and of samples of a transform beside it.
pub const MAX_CACHE_FRAMES: usize = 1 << 20;

/// Work of reading any Alembic file before frames are asked for, as [`ALEMBIC_READ_WORK`] and the bytes that are read.
pub const ALEMBIC_BASE_WORK: u64 = 1 << 30;

/// Work allowed in addition to [`ALEMBIC_BASE_WORK`], per byte of the file. Objects of a file may share their data, so
/// that reading all of them takes longer than the size of the file suggests.
pub const ALEMBIC_WORK_PER_FILE_BYTE: u64 = 32;

/// Cost of one read besides its bytes, in bytes. Also the cost of a name in the path of an instance.
pub const ALEMBIC_READ_WORK: u64 = 64;

/// Maximum distance of a joint from the origin, in metres, and maximum scale of a joint, so that no pose
/// overflows.
pub const MAX_REACH: f64 = 1e60;

/// Returns an estimate of the memory that JSON needs once parsed, in bytes, from its braces and commas.
pub(crate) fn json_memory(json: &[u8]) -> u64 {
    let bytes = json.iter().map(|byte| match byte {
        b'{' => JSON_OBJECT_BYTES,
        b',' => JSON_ELEMENT_BYTES,
        _ => 0,
    });
    bytes.sum()
}

/// Memory budget of an import. Every decoded array is charged here before it is allocated.
#[derive(Debug)]
pub(crate) struct Budget {
    file_bytes: Cell<u64>,
    spent: Cell<u64>,
}

/// An array would exceed the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OverBudget {
    /// Bytes of the array.
    pub wanted: u64,
    /// Bytes of the whole budget.
    pub total: u64,
}

impl Budget {
    pub(crate) fn for_file(bytes: u64) -> Self {
        Self {
            file_bytes: Cell::new(bytes),
            spent: Cell::new(0),
        }
    }

    /// Adds the size of a side file to the size of the file.
    pub(crate) fn add_side_file(&self, bytes: u64) {
        self.file_bytes.set(self.file_bytes().saturating_add(bytes));
    }

    /// Returns the size of the file and of the side files read so far, in bytes.
    pub(crate) fn file_bytes(&self) -> u64 {
        self.file_bytes.get()
    }

    fn total(&self) -> u64 {
        DECODED_BASE_BYTES
            .saturating_add(DECODED_BYTES_PER_FILE_BYTE.saturating_mul(self.file_bytes()))
            .min(2 * MAX_FILE_BYTES)
    }

    /// Charges `count` elements of `size` bytes.
    pub(crate) fn charge(&self, count: u64, size: u64) -> Result<(), OverBudget> {
        let wanted = count.saturating_mul(size);
        if wanted > self.left() {
            return Err(OverBudget {
                wanted,
                total: self.total(),
            });
        }
        self.spent.set(self.spent.get() + wanted);
        Ok(())
    }

    pub(crate) fn left(&self) -> u64 {
        self.total() - self.spent.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_is_used_up_and_does_not_overflow() {
        let budget = Budget::for_file(0);
        assert!(budget.charge(DECODED_BASE_BYTES / 4, 4).is_ok());
        assert!(budget.charge(1, 1).is_err());
        let largest = Budget::for_file(u64::MAX);
        assert!(largest.charge(u64::MAX, u64::MAX).is_err());
    }

    #[test]
    fn side_files_enlarge_the_budget() {
        let budget = Budget::for_file(0);
        assert!(budget.charge(DECODED_BASE_BYTES + 1, 1).is_err());
        budget.add_side_file(1);
        assert!(budget.charge(DECODED_BASE_BYTES + 1, 1).is_ok());
        assert_eq!(budget.left(), DECODED_BYTES_PER_FILE_BYTE - 1);
    }
}
