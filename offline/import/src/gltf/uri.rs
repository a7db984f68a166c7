//! URIs of buffers and images: data URIs, and side files inside the asset's folder.

use std::borrow::Cow;
use std::path::PathBuf;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use crate::asset_files::AssetFiles;
use crate::error::{ErrorKind, Fault, Outcome};

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

/// Resolves a URI.
pub(super) fn resolve(uri: &str, files: &AssetFiles, object: &str) -> Outcome<UriTarget> {
    if let Some(data) = uri.strip_prefix("data:") {
        return read_data(data, object).map(UriTarget::Data);
    }
    let path = decoded(uri).ok_or_else(|| {
        Fault::new(
            ErrorKind::Path,
            object,
            format_args!("URI '{uri}' is not valid UTF-8"),
        )
    })?;
    files.locate(&path, uri, object).map(UriTarget::SideFile)
}

/// Returns the relative path of the side file that a URI names; `None` for a data URI.
pub(super) fn side_file_name(uri: &str) -> Option<String> {
    let is_data = uri.starts_with("data:");
    decoded(uri).filter(|_| !is_data).map(Cow::into_owned)
}

/// Returns the path of a URI without percent-encoding, if it is UTF-8.
fn decoded(uri: &str) -> Option<Cow<'_, str>> {
    percent_decode_str(uri).decode_utf8().ok()
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
