//! Where buffers and images come from: data URIs, and side files inside the asset's folder.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use crate::error::{ErrorKind, Fault, Outcome};
use crate::side_file;

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

fn side_file(uri: &str, folder: Option<&Path>, object: &str) -> Outcome<PathBuf> {
    let decoded = percent_decode_str(uri).decode_utf8().map_err(|_| {
        Fault::new(
            ErrorKind::Path,
            object,
            format_args!("'{uri}' is not UTF-8"),
        )
    })?;
    side_file::locate(&decoded, uri, folder, object)
}
