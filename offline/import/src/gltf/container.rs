//! File container: plain JSON, or the chunks of a GLB.

use crate::Warning;
use crate::error::{ErrorKind, Fault, Outcome};

/// Contents of a file.
pub(super) struct Container<'a> {
    pub json: &'a [u8],
    /// The BIN chunk of a GLB.
    pub bin: Option<&'a [u8]>,
}

const MAGIC: &[u8; 4] = b"glTF";
const JSON_CHUNK: u32 = 0x4e4f_534a;
const BIN_CHUNK: u32 = 0x004e_4942;
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;

pub(super) fn open<'a>(file: &'a [u8], warnings: &mut Vec<Warning>) -> Outcome<Container<'a>> {
    if file.is_empty() {
        return Err(fault("the file is empty"));
    }
    if !file.starts_with(MAGIC) {
        return Ok(Container {
            json: file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file),
            bin: None,
        });
    }
    if file.len() < HEADER_BYTES {
        return Err(fault(format_args!(
            "the file has {} bytes, but a GLB header has {HEADER_BYTES}",
            file.len()
        )));
    }
    let version = u32_at(file, 4);
    if version != 2 {
        return Err(Fault::new(
            ErrorKind::Unsupported,
            "GLB header",
            format_args!("unsupported version {version}, expected 2"),
        )
        .remedy("convert the file to glTF 2.0"));
    }
    let length = u32_at(file, 8) as usize;
    if length > file.len() || length < HEADER_BYTES {
        return Err(fault(format_args!(
            "the GLB header declares {length} bytes, but the file has {}",
            file.len()
        )));
    }
    if length < file.len() {
        warnings.push(Warning::ContainerRepaired {
            problem: format!(
                "ignored {} bytes after the end of the GLB",
                file.len() - length
            ),
        });
    }
    let mut chunks = Chunks {
        rest: &file[HEADER_BYTES..length],
    };
    let Some((JSON_CHUNK, json)) = chunks.next()? else {
        return Err(fault("the first chunk of the GLB is not JSON"));
    };
    if json.len() % 4 != 0 {
        warnings.push(Warning::ContainerRepaired {
            problem: format!(
                "the JSON chunk of the GLB has {} bytes, expected a multiple of 4",
                json.len()
            ),
        });
    }
    let mut bin = None;
    let mut second = true;
    while let Some((kind, data)) = chunks.next()? {
        if kind == BIN_CHUNK && bin.is_none() {
            bin = Some(data);
            if !second {
                warnings.push(Warning::ContainerRepaired {
                    problem: "the BIN chunk is not the second chunk of the GLB".into(),
                });
            }
        }
        second = false;
    }
    Ok(Container { json, bin })
}

struct Chunks<'a> {
    rest: &'a [u8],
}

impl<'a> Chunks<'a> {
    fn next(&mut self) -> Outcome<Option<(u32, &'a [u8])>> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        if self.rest.len() < CHUNK_HEADER_BYTES {
            return Err(fault("the file ends inside a GLB chunk header"));
        }
        let length = u32_at(self.rest, 0) as usize;
        let kind = u32_at(self.rest, 4);
        let body = &self.rest[CHUNK_HEADER_BYTES..];
        if length > body.len() {
            return Err(fault(format_args!(
                "a GLB chunk declares {length} bytes, but only {} are left",
                body.len()
            )));
        }
        let (data, rest) = body.split_at(length);
        self.rest = rest;
        Ok(Some((kind, data)))
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn fault(problem: impl std::fmt::Display) -> Fault {
    Fault::new(ErrorKind::Container, "", problem)
        .remedy("the file is damaged: download or export it again")
}
