//! Images that are not read, and what to do about them.

/// Returns the name of a known image format that is not supported, by the first bytes of a file.
pub(crate) fn format_name(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some("WebP"),
        [0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, ..] => Some("KTX2"),
        [b'D', b'D', b'S', b' ', ..] => Some("DDS"),
        [b'I', b'I', b'*', 0, ..] | [b'M', b'M', 0, b'*', ..] => Some("TIFF"),
        [b'8', b'B', b'P', b'S', ..] => Some("PSD"),
        [b'G', b'I', b'F', b'8', ..] => Some("GIF"),
        [b'B', b'M', ..] => Some("BMP"),
        _ => None,
    }
}

/// Returns the reason for which an image is ignored, with the remedy.
pub(crate) fn unsupported(format: Option<&str>) -> String {
    let found = format.map_or(String::new(), |format| format!(" {format}"));
    format!(
        "unsupported image format{found}; convert it to PNG or JPEG, or the character is drawn without it"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_format_and_the_remedy() {
        assert_eq!(format_name(b"RIFF\0\0\0\0WEBPVP8 "), Some("WebP"));
        assert_eq!(format_name(b"\xabKTX 20\xbb\r\n"), Some("KTX2"));
        assert_eq!(format_name(b"RIFF"), None);
        let text = unsupported(Some("WebP"));
        assert!(
            text.contains("WebP") && text.contains("PNG or JPEG"),
            "{text}"
        );
    }
}
