//! Metadata of objects and properties: `key=value` pairs, separated by semicolons.

use std::sync::Arc;

/// Metadata as written in the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Metadata(Arc<str>);

impl Metadata {
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        Self(String::from_utf8_lossy(bytes).into())
    }

    /// Returns the value of a key. The last pair of a key counts, as in the library.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        let pairs = self.0.rsplit(';');
        let mut pairs = pairs.filter_map(|pair| pair.split_once('='));
        pairs.find(|(k, _)| *k == key).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_whole_keys() {
        let metadata = Metadata::from_bytes(b"schema=A;schemaBase=B;x=1=2;x=3;;odd");
        assert_eq!(metadata.get("schema"), Some("A"));
        assert_eq!(metadata.get("schemaBase"), Some("B"));
        assert_eq!(metadata.get("x"), Some("3"));
        assert_eq!(metadata.get("odd"), None);
        assert_eq!(Metadata::default().get(""), None);
    }
}
