//! The outer shape of a GLB: a header, a chunk of JSON and a chunk of bytes.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};
use std::ops::Range;

use serde::Deserialize;
use serde::de::IgnoredAny;
use thiserror::Error;

use super::document::BufferLength;
use super::{ALIGNMENT, Buffer, Document};

const MAGIC: [u8; 4] = *b"glTF";
const VERSION: u32 = 2;
const JSON_CHUNK: [u8; 4] = *b"JSON";
const BINARY_CHUNK: [u8; 4] = *b"BIN\0";
/// Magic, version and length.
const HEADER_BYTES: usize = 12;
/// Length and kind.
const CHUNK_HEADER_BYTES: usize = 8;

/// The most JSON that is written and read: some 300 000 joints. Reading takes at most about a hundred
/// bytes of memory for each.
pub const MAX_JSON_BYTES: usize = 64 << 20;

/// A whole file that is ready to be written.
pub struct Glb<'a> {
    /// Padded.
    json: Vec<u8>,
    buffer: Buffer<'a>,
    byte_length: u32,
}

/// More than a GLB can hold, or than is read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TooLarge {
    /// The file states its length in 32 bits.
    #[error("{bytes} bytes, a GLB holds {}", u32::MAX)]
    File {
        /// How many there are.
        bytes: u64,
    },
    /// See [`MAX_JSON_BYTES`].
    #[error("{bytes} bytes of JSON, at most {MAX_JSON_BYTES} are read")]
    Json {
        /// How many there are.
        bytes: usize,
    },
}

impl<'a> Glb<'a> {
    /// Puts the buffer's arrays into the document, and both into a container.
    pub fn new(mut document: Document, mut buffer: Buffer<'a>) -> Result<Self, TooLarge> {
        document.accessors = buffer.take_accessors();
        document.buffer_views = buffer.take_views();
        let binary = buffer.byte_length();
        if binary > 0 {
            document.buffers = vec![BufferLength {
                byte_length: binary,
            }];
        }
        let mut json = serde_json::to_vec(&document).expect("plain numbers and names");
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

    /// Writes it from front to end; no byte of the buffer is copied on the way.
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

    /// The bytes of the file.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.byte_length as usize);
        self.write(&mut out).expect("memory takes everything");
        out
    }
}

fn chunk_header(out: &mut impl Write, kind: [u8; 4], bytes: u64) -> io::Result<()> {
    // Fits: it is a part of the total.
    out.write_all(&(bytes as u32).to_le_bytes())?;
    out.write_all(&kind)
}

/// The length of a file with both chunks; the binary one is left out where it is empty.
fn total_length(json: u64, binary: u64) -> Result<u32, TooLarge> {
    let chunk = |bytes: u64| bytes.saturating_add(CHUNK_HEADER_BYTES as u64);
    let mut bytes = chunk(json).saturating_add(HEADER_BYTES as u64);
    if binary > 0 {
        bytes = bytes.saturating_add(chunk(binary));
    }
    u32::try_from(bytes).map_err(|_| TooLarge::File { bytes })
}

/// A file that was taken apart.
pub struct Opened {
    /// The JSON. No index in it is checked yet.
    pub document: Document,
    /// Where the binary chunk is in the file; empty where there is none.
    pub binary: Range<usize>,
}

/// Why bytes are not a GLB as it is written here.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: {problem}")]
pub struct OpenError {
    /// Where in the file.
    pub place: String,
    /// What is wrong there.
    pub problem: String,
}

impl OpenError {
    fn new(place: impl Into<String>, problem: impl Display) -> Self {
        Self {
            place: place.into(),
            problem: problem.to_string(),
        }
    }
}

/// Takes a file apart: the header, one chunk of JSON, at most one of bytes, and nothing after them.
pub fn open(bytes: &[u8]) -> Result<Opened, OpenError> {
    let header = |problem: &str| OpenError::new("GLB header", problem);
    if !bytes.starts_with(&MAGIC) {
        return Err(header("the file is not a GLB"));
    }
    let (Some(version), Some(length)) = (u32_at(bytes, 4), u32_at(bytes, 8)) else {
        return Err(header("the file ends in it"));
    };
    if version != VERSION {
        return Err(header(&format!("version {version}, expected {VERSION}")));
    }
    if length as usize != bytes.len() {
        let problem = format!("claims {length} bytes, the file has {}", bytes.len());
        return Err(header(&problem));
    }
    let json = chunk(bytes, HEADER_BYTES, JSON_CHUNK, "JSON chunk")?;
    let binary = if json.end == bytes.len() {
        json.end..json.end
    } else {
        chunk(bytes, json.end, BINARY_CHUNK, "BIN chunk")?
    };
    if binary.end != bytes.len() {
        let problem = format!("{} bytes come after it", bytes.len() - binary.end);
        return Err(OpenError::new("BIN chunk", problem));
    }
    let document = parse(&bytes[json])?;
    let stated = document.buffers.iter().map(|buffer| buffer.byte_length);
    if !stated.eq((!binary.is_empty()).then_some(binary.len() as u64)) {
        let problem = format!("is not one of the {} bytes of the BIN chunk", binary.len());
        return Err(OpenError::new("buffer", problem));
    }
    Ok(Opened { document, binary })
}

/// True of a GLB, by whomever it was written, that has no extension of this name.
pub fn is_without_extension(bytes: &[u8], name: &str) -> bool {
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

/// Where the contents of the chunk are that starts at a byte.
fn chunk(
    bytes: &[u8],
    start: usize,
    kind: [u8; 4],
    place: &'static str,
) -> Result<Range<usize>, OpenError> {
    let fault = |problem: String| OpenError::new(place, problem);
    let (Some(length), Some(found)) = (u32_at(bytes, start), u32_at(bytes, start + 4)) else {
        return Err(fault("the file ends in its header".to_owned()));
    };
    if found != u32::from_le_bytes(kind) {
        return Err(fault(format!("found a chunk of kind {found:#010x}")));
    }
    let start = start + CHUNK_HEADER_BYTES;
    let (length, left) = (length as usize, bytes.len() - start);
    if length > left || !length.is_multiple_of(ALIGNMENT as usize) {
        let problem = format!("claims {length} bytes, not a multiple of 4 up to {left}");
        return Err(fault(problem));
    }
    Ok(start..start + length)
}

fn parse(json: &[u8]) -> Result<Document, OpenError> {
    if json.len() > MAX_JSON_BYTES {
        let problem = TooLarge::Json { bytes: json.len() };
        return Err(OpenError::new("JSON chunk", problem));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut deserializer, &mut track);
    let result = Document::deserialize(tracked);
    let place = || format!("JSON, {}", track.path());
    let document = result.map_err(|error| OpenError::new(place(), error))?;
    let rest = deserializer.end();
    rest.map_err(|error| OpenError::new("JSON", error))?;
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
    fn more_bytes_than_the_header_can_state_are_refused() {
        let most = u64::from(u32::MAX) - (HEADER_BYTES + 2 * CHUNK_HEADER_BYTES) as u64;
        assert_eq!(total_length(0, most), Ok(u32::MAX));
        let bytes = 1 + u64::from(u32::MAX);
        assert_eq!(total_length(1, most), Err(TooLarge::File { bytes }));
        assert!(total_length(u64::MAX, u64::MAX).is_err());
    }

    #[test]
    fn a_file_without_arrays_has_no_binary_chunk() {
        let glb = Glb::new(Document::default(), Buffer::default()).unwrap();
        let bytes = glb.to_vec();
        assert!(open(&bytes).unwrap().binary.is_empty());
        let json = std::str::from_utf8(&bytes[20..]).unwrap().trim_end();
        let expected = format!(
            r#"{{"asset":{{"version":"2.0","generator":"{}"}},"scene":0,"scenes":[{{}}]}}"#,
            crate::glb::GENERATOR
        );
        assert_eq!(json, expected);
    }
}
