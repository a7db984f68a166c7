//! Limits that protect against files that ask for more than they hold. Each is named in the error that
//! it causes.

use std::cell::Cell;

/// The largest file, side file or embedded buffer that is read.
pub const MAX_FILE_BYTES: u64 = 2 << 30;

/// What a file may unpack to, whatever its size.
pub const DECODED_BASE_BYTES: u64 = 64 << 20;

/// What a file may unpack to, on top, for each of its own bytes. Compressed meshes reach about 20.
pub const DECODED_BYTES_PER_FILE_BYTE: u64 = 64;

/// The longest name, in bytes. Names are copied wherever an object is used.
pub const MAX_NAME_BYTES: usize = 1024;

/// The most nodes in a file.
pub const MAX_NODES: usize = 1_000_000;

/// The most pairs of a node and a primitive of its mesh.
pub const MAX_PARTS: usize = 1 << 18;

/// The most vertices over all parts, where many nodes share a mesh.
pub const MAX_PART_VERTICES: u64 = 1 << 23;

/// On top of [`MAX_PART_VERTICES`], for each byte of the file: a mesh that is in the file is never too
/// large to be drawn once.
pub const PART_VERTICES_PER_FILE_BYTE: u64 = 1;

/// The most skins times joints of the skeleton.
pub const MAX_SKIN_STEPS: u64 = 1 << 28;

/// The longest clip: a day. Longer ones are broken key times.
pub const MAX_CLIP_SECS: f64 = 86_400.0;

/// The most keys that the curves of one take are sampled into.
pub const MAX_SAMPLED_KEYS: usize = 1 << 23;

/// How far from the origin a joint may come, in metres, and how much it may scale, so that no pose
/// overflows.
pub const MAX_REACH: f64 = 1e60;

/// What may still be unpacked. Every array that is read is paid for here before it is allocated.
#[derive(Debug)]
pub(crate) struct Budget {
    file_bytes: Cell<u64>,
    spent: Cell<u64>,
}

/// More would be unpacked than the file's size allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OverBudget {
    pub wanted: u64,
    pub total: u64,
}

impl Budget {
    pub(crate) fn for_file(bytes: u64) -> Self {
        Self {
            file_bytes: Cell::new(bytes),
            spent: Cell::new(0),
        }
    }

    /// A side file is part of the file.
    pub(crate) fn add_side_file(&self, bytes: u64) {
        self.file_bytes.set(self.file_bytes().saturating_add(bytes));
    }

    /// The bytes of the file and of the side files that were read.
    pub(crate) fn file_bytes(&self) -> u64 {
        self.file_bytes.get()
    }

    fn total(&self) -> u64 {
        DECODED_BASE_BYTES
            .saturating_add(DECODED_BYTES_PER_FILE_BYTE.saturating_mul(self.file_bytes()))
            .min(2 * MAX_FILE_BYTES)
    }

    /// Pays for `count` elements of `size` bytes.
    pub(crate) fn pay(&self, count: u64, size: u64) -> Result<(), OverBudget> {
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
    fn what_is_spent_is_gone_and_nothing_overflows() {
        let budget = Budget::for_file(0);
        assert!(budget.pay(DECODED_BASE_BYTES / 4, 4).is_ok());
        assert!(budget.pay(1, 1).is_err());
        assert!(Budget::for_file(u64::MAX).pay(u64::MAX, u64::MAX).is_err());
    }

    #[test]
    fn side_files_count_as_the_file() {
        let budget = Budget::for_file(0);
        assert!(budget.pay(DECODED_BASE_BYTES + 1, 1).is_err());
        budget.add_side_file(1);
        assert!(budget.pay(DECODED_BASE_BYTES + 1, 1).is_ok());
        assert_eq!(budget.left(), DECODED_BYTES_PER_FILE_BYTE - 1);
    }
}
