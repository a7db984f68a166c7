//! The GLB container: a header, a JSON chunk and a binary chunk.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};
use std::ops::Range;

use serde::Deserialize;
use serde::de::IgnoredAny;
use thiserror::Error;

use super::document::{BufferLength, FallbackBuffer, MeshoptExtension};
use super::{ALIGNMENT, Buffer, Document, MESHOPT_EXTENSION, QUANTIZATION_EXTENSION};

const MAGIC: [u8; 4] = *b"glTF";
const VERSION: u32 = 2;
const JSON_CHUNK: [u8; 4] = *b"JSON";
const BINARY_CHUNK: [u8; 4] = *b"BIN\0";
/// Magic, version and length.
const HEADER_BYTES: usize = 12;
/// Length and kind.
const CHUNK_HEADER_BYTES: usize = 8;

/// Maximum number of bytes of JSON, about 300 000 joints. Reading needs at most about 100 bytes of memory per byte.
pub const MAX_JSON_BYTES: usize = 64 << 20;

/// A complete file, ready to be written.
pub struct Glb<'a> {
    /// Padded.
    json: Vec<u8>,
    buffer: Buffer<'a>,
    byte_length: u32,
}

/// A file larger than a GLB can be, or than this crate reads.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TooLarge {
    /// The file states its length in 32 bits.
    #[error("found {bytes} bytes, a GLB holds at most {}", u32::MAX)]
    File {
        /// Number of bytes.
        bytes: u64,
    },
    /// The JSON exceeds [`MAX_JSON_BYTES`].
    #[error("found {bytes} bytes of JSON, at most {MAX_JSON_BYTES} are supported")]
    Json {
        /// Number of bytes.
        bytes: usize,
    },
}

impl<'a> Glb<'a> {
    /// Adds the buffer's accessors and views to the document, and combines both into a file.
    pub fn new(mut document: Document, mut buffer: Buffer<'a>) -> Result<Self, TooLarge> {
        document.accessors = buffer.take_accessors();
        document.buffer_views = buffer.take_views();
        let binary = buffer.byte_length();
        if binary > 0 {
            document.buffers = vec![BufferLength {
                byte_length: binary,
                extensions: None,
            }];
        }
        if buffer.decoded_length() > 0 {
            document.buffers.push(fallback(buffer.decoded_length()));
        }
        for (extension, is_used) in [
            (MESHOPT_EXTENSION, buffer.decoded_length() > 0),
            (QUANTIZATION_EXTENSION, buffer.is_quantized()),
        ] {
            if is_used {
                document.extensions_used.push(extension.to_owned());
                document.extensions_required.push(extension.to_owned());
            }
        }
        let mut json = serde_json::to_vec(&document).expect("documents serialise to JSON");
        json.resize(json.len().next_multiple_of(ALIGNMENT as usize), b' ');
        if json.len() > MAX_JSON_BYTES {
            return Err(TooLarge::Json { bytes: json.len() });
        }
        Ok(Self {
            byte_length: total_length(json.len() as u64, binary)?,
            json,
            buffer,
        })
    }

    /// Writes the file from start to end, without copying the buffer.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&self.byte_length.to_le_bytes())?;
        chunk_header(out, JSON_CHUNK, self.json.len() as u64)?;
        out.write_all(&self.json)?;
        if self.buffer.byte_length() > 0 {
            chunk_header(out, BINARY_CHUNK, self.buffer.byte_length())?;
            self.buffer.write(out)?;
        }
        Ok(())
    }

    /// Bytes of the file.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.byte_length as usize);
        self.write(&mut out).expect("writing to memory succeeds");
        out
    }
}

/// The buffer that compressed views refer to.
fn fallback(byte_length: u64) -> BufferLength {
    BufferLength {
        byte_length,
        extensions: Some(MeshoptExtension {
            meshopt: FallbackBuffer { fallback: true },
        }),
    }
}

fn chunk_header(out: &mut impl Write, kind: [u8; 4], bytes: u64) -> io::Result<()> {
    // Fits in 32 bits, since the total length does.
    out.write_all(&(bytes as u32).to_le_bytes())?;
    out.write_all(&kind)
}

/// Length of a file with both chunks. An empty binary chunk is omitted.
fn total_length(json: u64, binary: u64) -> Result<u32, TooLarge> {
    let chunk = |bytes: u64| bytes.saturating_add(CHUNK_HEADER_BYTES as u64);
    let mut bytes = chunk(json).saturating_add(HEADER_BYTES as u64);
    if binary > 0 {
        bytes = bytes.saturating_add(chunk(binary));
    }
    u32::try_from(bytes).map_err(|_| TooLarge::File { bytes })
}

/// A parsed file.
pub struct ParsedGlb {
    /// The JSON. Its indices have not been checked.
    pub document: Document,
    /// Byte range of the binary chunk in the file; empty where there is none.
    pub binary: Range<usize>,
}

/// Bytes that are not a GLB as [`Glb`] writes it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{location}: {problem}")]
pub struct GlbError {
    /// Location in the file.
    pub location: String,
    /// Description of the problem.
    pub problem: String,
}

impl GlbError {
    fn new(location: impl Into<String>, problem: impl Display) -> Self {
        Self {
            location: location.into(),
            problem: problem.to_string(),
        }
    }
}

/// Parses a file: the header, one JSON chunk, at most one binary chunk, and nothing after them.
pub fn parse_glb(bytes: &[u8]) -> Result<ParsedGlb, GlbError> {
    let header = |problem: &str| GlbError::new("GLB header", problem);
    if !bytes.starts_with(&MAGIC) {
        return Err(header("expected a GLB, found another file"));
    }
    let (Some(version), Some(length)) = (u32_at(bytes, 4), u32_at(bytes, 8)) else {
        return Err(header("unexpected end of the file"));
    };
    if version != VERSION {
        return Err(header(&format!(
            "expected version {VERSION}, found {version}"
        )));
    }
    if length as usize != bytes.len() {
        let problem = format!("expected {length} bytes, found {}", bytes.len());
        return Err(header(&problem));
    }
    let json = chunk(bytes, HEADER_BYTES, JSON_CHUNK, "JSON chunk")?;
    let binary = if json.end == bytes.len() {
        json.end..json.end
    } else {
        chunk(bytes, json.end, BINARY_CHUNK, "BIN chunk")?
    };
    if binary.end != bytes.len() {
        let problem = format!(
            "expected the end of the file, found {} more bytes",
            bytes.len() - binary.end
        );
        return Err(GlbError::new("BIN chunk", problem));
    }
    let document = parse(&bytes[json])?;
    let mut buffers = document.buffers.iter();
    let is_stated = match (buffers.next(), binary.len() as u64) {
        (None, length) => length == 0,
        (Some(first), length) => first.byte_length == length && first.extensions.is_none(),
    };
    let is_fallback =
        |buffer: &BufferLength| matches!(&buffer.extensions, Some(e) if e.meshopt.fallback);
    if !is_stated || buffers.len() > 1 || !buffers.all(is_fallback) {
        let problem = format!(
            "expected one buffer of {} bytes, as the BIN chunk has, and at most one for compressed views",
            binary.len()
        );
        return Err(GlbError::new("JSON, buffers", problem));
    }
    Ok(ParsedGlb { document, binary })
}

/// True for a GLB of any program that does not have the named extension.
pub fn lacks_extension(bytes: &[u8], name: &str) -> bool {
    #[derive(Deserialize)]
    struct Extensions {
        #[serde(default)]
        extensions: BTreeMap<String, IgnoredAny>,
    }
    let json = chunk(bytes, HEADER_BYTES, JSON_CHUNK, "JSON chunk")
        .ok()
        .filter(|json| bytes.starts_with(&MAGIC) && json.len() <= MAX_JSON_BYTES);
    json.and_then(|json| serde_json::from_slice::<Extensions>(&bytes[json]).ok())
        .is_some_and(|found| !found.extensions.contains_key(name))
}

/// Byte range of the content of the chunk that starts at an offset.
fn chunk(
    bytes: &[u8],
    start: usize,
    kind: [u8; 4],
    location: &'static str,
) -> Result<Range<usize>, GlbError> {
    let error = |problem: String| GlbError::new(location, problem);
    let (Some(length), Some(found)) = (u32_at(bytes, start), u32_at(bytes, start + 4)) else {
        return Err(error("unexpected end of the file".to_owned()));
    };
    if found != u32::from_le_bytes(kind) {
        return Err(error(format!(
            "expected type {:#010x}, found {found:#010x}",
            u32::from_le_bytes(kind)
        )));
    }
    let start = start + CHUNK_HEADER_BYTES;
    let (length, left) = (length as usize, bytes.len() - start);
    if length > left || !length.is_multiple_of(ALIGNMENT as usize) {
        let problem =
            format!("expected a length that is a multiple of 4 up to {left}, found {length}");
        return Err(error(problem));
    }
    Ok(start..start + length)
}

fn parse(json: &[u8]) -> Result<Document, GlbError> {
    if json.len() > MAX_JSON_BYTES {
        let problem = TooLarge::Json { bytes: json.len() };
        return Err(GlbError::new("JSON chunk", problem));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut deserializer, &mut track);
    let result = Document::deserialize(tracked);
    let location = || format!("JSON, {}", track.path());
    let document = result.map_err(|error| GlbError::new(location(), error))?;
    let rest = deserializer.end();
    rest.map_err(|error| GlbError::new("JSON", error))?;
    Ok(document)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_files_longer_than_32_bits_can_state() {
        let most = u64::from(u32::MAX) - (HEADER_BYTES + 2 * CHUNK_HEADER_BYTES) as u64;
        assert_eq!(total_length(0, most), Ok(u32::MAX));
        let bytes = 1 + u64::from(u32::MAX);
        assert_eq!(total_length(1, most), Err(TooLarge::File { bytes }));
        assert!(total_length(u64::MAX, u64::MAX).is_err());
    }

    #[test]
    fn file_without_arrays_has_no_binary_chunk() {
        let glb = Glb::new(Document::default(), Buffer::default()).unwrap();
        let bytes = glb.to_vec();
        assert!(parse_glb(&bytes).unwrap().binary.is_empty());
        let json = std::str::from_utf8(&bytes[20..]).unwrap().trim_end();
        let expected = format!(
            r#"{{"asset":{{"version":"2.0","generator":"{}"}},"scene":0,"scenes":[{{}}]}}"#,
            crate::glb::GENERATOR
        );
        assert_eq!(json, expected);
    }
}
