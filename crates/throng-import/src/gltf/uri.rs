//! Where buffers and images come from: data URIs, and side files inside the asset's folder.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::MAX_FILE_BYTES;

/// Files in the wild come with and without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Where a URI leads.
pub(super) enum Source {
    /// To bytes of its own.
    Data(Vec<u8>),
    /// To a side file that may be read.
    SideFile(PathBuf),
}

/// Follows a URI. `folder` is the asset's; without one, side files are refused.
pub(super) fn locate(uri: &str, folder: Option<&Path>, object: &str) -> Outcome<Source> {
    match uri.strip_prefix("data:") {
        Some(data) => read_data(data, object).map(Source::Data),
        None => side_file(uri, folder, object).map(Source::SideFile),
    }
}

fn read_data(data: &str, object: &str) -> Outcome<Vec<u8>> {
    let bad = |problem: String| Fault::data(object, problem);
    let (header, body) = data
        .split_once(',')
        .ok_or_else(|| bad("a data URI without a comma".into()))?;
    if header.ends_with(";base64") {
        BASE64
            .decode(body)
            .map_err(|error| bad(format!("a data URI is not valid base64: {error}")))
    } else {
        Ok(percent_decode_str(body).collect())
    }
}

/// Reads a side file that [`locate`] found.
pub(super) fn read_side_file(path: &Path, uri: &str, object: &str) -> Outcome<Vec<u8>> {
    let io = |error: std::io::Error| {
        Fault::new(
            ErrorKind::Io,
            object,
            format_args!("cannot read '{uri}': {error}"),
        )
        .remedy("put the side file beside the asset")
    };
    let size = std::fs::metadata(path).map_err(io)?.len();
    if size > MAX_FILE_BYTES {
        let problem = format!("'{uri}' has {size} bytes");
        return Err(Fault::limit(
            object,
            problem,
            "MAX_FILE_BYTES",
            MAX_FILE_BYTES,
        ));
    }
    std::fs::read(path).map_err(io)
}

/// The path of a side file: below the asset's folder, links followed, and nowhere else.
fn side_file(uri: &str, folder: Option<&Path>, object: &str) -> Outcome<PathBuf> {
    let refuse = |problem: String| {
        Fault::new(ErrorKind::Path, object, problem)
            .remedy("side files are read from the asset's own folder only")
    };
    let folder = folder.ok_or_else(|| {
        refuse(format!(
            "'{uri}' is a side file, and the asset has no folder"
        ))
    })?;
    let decoded = percent_decode_str(uri)
        .decode_utf8()
        .map_err(|_| refuse(format!("'{uri}' is not UTF-8")))?;
    let plain = Path::new(&*decoded).components().all(|c| {
        matches!(
            c,
            std::path::Component::Normal(_) | std::path::Component::CurDir
        )
    });
    // A colon is a scheme or a drive, a backslash another system's separator.
    if decoded.is_empty() || !plain || decoded.contains([':', '\\', '\0']) {
        return Err(refuse(format!(
            "'{uri}' does not lie inside the asset's folder"
        )));
    }
    let path = folder.join(&*decoded);
    let io = |error: std::io::Error| {
        Fault::new(
            ErrorKind::Io,
            object,
            format_args!("cannot read '{uri}': {error}"),
        )
        .remedy("put the side file beside the asset")
    };
    let real = path.canonicalize().map_err(io)?;
    let home = folder.canonicalize().map_err(io)?;
    if !real.starts_with(&home) {
        return Err(refuse(format!("'{uri}' leads outside the asset's folder")));
    }
    if !real.is_file() {
        return Err(refuse(format!("'{uri}' is not a file")));
    }
    Ok(real)
}
