//! URIs of buffers and images: data URIs, and side files inside the asset's folder.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use crate::error::{ErrorKind, Fault, Outcome};
use crate::side_file;

/// Base64 with optional padding: both occur in practice.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Target of a URI.
pub(super) enum UriTarget {
    /// Decoded contents of a data URI.
    Data(Vec<u8>),
    /// Path of a side file inside the asset's folder.
    SideFile(PathBuf),
}

/// Resolves a URI. `folder` is the asset's folder; without one, side files are an error.
pub(super) fn resolve(uri: &str, folder: Option<&Path>, object: &str) -> Outcome<UriTarget> {
    match uri.strip_prefix("data:") {
        Some(data) => read_data(data, object).map(UriTarget::Data),
        None => side_file(uri, folder, object).map(UriTarget::SideFile),
    }
}

fn read_data(data: &str, object: &str) -> Outcome<Vec<u8>> {
    let fault = |problem: String| Fault::data(object, problem);
    let (header, body) = data
        .split_once(',')
        .ok_or_else(|| fault("the data URI has no comma".into()))?;
    if header.ends_with(";base64") {
        BASE64
            .decode(body)
            .map_err(|error| fault(format!("the data URI is not valid base64: {error}")))
    } else {
        Ok(percent_decode_str(body).collect())
    }
}

fn side_file(uri: &str, folder: Option<&Path>, object: &str) -> Outcome<PathBuf> {
    let decoded = percent_decode_str(uri).decode_utf8().map_err(|_| {
        Fault::new(
            ErrorKind::Path,
            object,
            format_args!("URI '{uri}' is not valid UTF-8"),
        )
    })?;
    side_file::locate(&decoded, uri, folder, object)
}
