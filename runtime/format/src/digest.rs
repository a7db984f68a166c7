//! SHA-256 digests of files and buffer views.

use std::fmt::Write as _;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// Digest of bytes: `sha256:` and 64 hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    text(Sha256::new_with_prefix(bytes))
}

/// Digest of everything that a reader returns.
pub(crate) fn digest_of(mut input: impl Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return Ok(text(hash)),
            Ok(bytes) => hash.update(&buffer[..bytes]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// `sha256:` and the hexadecimal digits of a hash.
pub(crate) fn text(hash: Sha256) -> String {
    let mut text = String::from("sha256:");
    for byte in hash.finalize() {
        write!(text, "{byte:02x}").expect("strings can be written to");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_is_that_of_sha256() {
        let abc = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest(b"abc"), abc);
        assert_eq!(digest_of(&b"abc"[..]).unwrap(), abc);
        let long = vec![7; 200_000];
        assert_eq!(digest_of(&long[..]).unwrap(), digest(&long));
    }
}
