//! Parsed file with its buffers. All indices of the file are resolved here.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Deref;
use std::path::PathBuf;
use std::rc::Rc;

use super::container::Container;
use super::schema::Root;
use super::uri::UriTarget;
use super::{meshopt, uri};
use crate::asset_files::AssetFiles;
use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::{
    Budget, DECODED_BASE_BYTES, DECODED_BYTES_PER_FILE_BYTE, JSON_BASE_BYTES, JSON_BYTES_PER_BYTE,
    MAX_NAME_BYTES, json_memory,
};

pub(super) struct Document<'a> {
    pub root: Root,
    files: &'a AssetFiles,
    bin: Option<&'a [u8]>,
    /// Buffers by index, loaded on first use. A buffer may be a placeholder for compressed data.
    buffers: RefCell<HashMap<usize, Shared<'a>>>,
    /// Side files by canonical path, so that each is read and counted once.
    side_files: RefCell<HashMap<PathBuf, Shared<'a>>>,
    /// Decompressed buffer views by index.
    decompressed_views: RefCell<HashMap<usize, Rc<Vec<u8>>>>,
    /// Decoded Draco meshes by buffer view, because several primitives may share one.
    pub draco_meshes: RefCell<HashMap<usize, Rc<draco_core::Mesh>>>,
    pub budget: Budget,
}

/// Shared bytes.
type Shared<'a> = Rc<Cow<'a, [u8]>>;

/// Range of a buffer, or a decompressed buffer view.
pub(super) enum Bytes<'a> {
    Buffer(Shared<'a>, std::ops::Range<usize>),
    Decompressed(Rc<Vec<u8>>),
}

impl Deref for Bytes<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Buffer(buffer, range) => &buffer[range.clone()],
            Self::Decompressed(bytes) => bytes,
        }
    }
}

/// Extensions that a file may require, besides `KHR_materials_*`, which affect only material properties
/// that are not imported.
const SUPPORTED: [&str; 8] = [
    "KHR_mesh_quantization",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_draco_mesh_compression",
    "KHR_texture_transform",
    "KHR_texture_basisu",
    "EXT_texture_webp",
    "KHR_lights_punctual",
];

impl<'a> Document<'a> {
    pub(super) fn parse(
        container: &Container<'a>,
        files: &'a AssetFiles,
        budget: Budget,
    ) -> Outcome<Self> {
        check_json_memory(container.json)?;
        let mut json = serde_json::Deserializer::from_slice(container.json);
        let root: Root = serde_path_to_error::deserialize(&mut json).map_err(|error| {
            let path = error.path().to_string();
            let object = if path == "." { String::new() } else { path };
            Fault::new(
                ErrorKind::Container,
                object,
                format_args!("invalid glTF JSON: {}", error.inner()),
            )
            .remedy("check that this is a glTF 2.0 file")
        })?;
        let document = Self {
            root,
            files,
            bin: container.bin,
            buffers: RefCell::default(),
            side_files: RefCell::default(),
            decompressed_views: RefCell::default(),
            draco_meshes: RefCell::default(),
            budget,
        };
        document.check_version()?;
        document.check_extensions()?;
        document.check_names()?;
        Ok(document)
    }

    fn check_version(&self) -> Outcome<()> {
        let asset = &self.root.asset;
        let version = asset.min_version.as_ref().unwrap_or(&asset.version);
        if version.split('.').next() == Some("2") {
            return Ok(());
        }
        Err(Fault::new(
            ErrorKind::Unsupported,
            "asset",
            format_args!("unsupported version '{version}', expected 2.0"),
        )
        .remedy("convert the file to glTF 2.0"))
    }

    fn check_extensions(&self) -> Outcome<()> {
        let unknown = self.root.extensions_required.iter().find(|name| {
            !SUPPORTED.contains(&name.as_str()) && !name.starts_with("KHR_materials_")
        });
        match unknown {
            None => Ok(()),
            Some(name) => Err(Fault::new(
                ErrorKind::Unsupported,
                "extensionsRequired",
                format_args!("unsupported extension '{name}'"),
            )
            .remedy(format!(
                "export without it; supported extensions are KHR_materials_* and {}",
                SUPPORTED.join(", ")
            ))),
        }
    }

    fn check_names(&self) -> Outcome<()> {
        match self.root.names().find(|name| name.len() > MAX_NAME_BYTES) {
            None => Ok(()),
            Some(name) => Err(Fault::limit(
                "",
                format_args!("has a name of {} bytes", name.len()),
                "MAX_NAME_BYTES",
                MAX_NAME_BYTES,
            )),
        }
    }

    /// Returns the element at an index of the file; an index out of range is an error.
    pub(super) fn get<'r, T>(
        &self,
        list: &'r [T],
        what: &str,
        index: usize,
        object: &str,
    ) -> Outcome<&'r T> {
        list.get(index).ok_or_else(|| {
            Fault::new(
                ErrorKind::Reference,
                object,
                format_args!(
                    "refers to {what} {index}, which does not exist (count: {})",
                    list.len()
                ),
            )
        })
    }

    /// Charges an array to the memory budget before it is allocated.
    pub(super) fn charge(&self, count: u64, size: u64, object: &str) -> Outcome<()> {
        self.budget.charge(count, size).map_err(|over| {
            Fault::limit(
                object,
                format_args!(
                    "needs {} bytes, but a file of this size may decode to {} in total",
                    over.wanted, over.total
                ),
                "DECODED_BASE_BYTES + DECODED_BYTES_PER_FILE_BYTE × file size",
                format_args!("{DECODED_BASE_BYTES} + {DECODED_BYTES_PER_FILE_BYTE} × file size"),
            )
        })
    }

    /// Returns the bytes of a buffer.
    fn buffer(&self, index: usize, object: &str) -> Outcome<Shared<'a>> {
        let buffer = self.get(&self.root.buffers, "buffer", index, object)?;
        if let Some(loaded) = self.buffers.borrow().get(&index) {
            return Ok(loaded.clone());
        }
        let name = format!("buffer {index}");
        let bytes = match (&buffer.uri, self.bin) {
            (Some(uri), _) => self.resource(uri, &name)?,
            (None, Some(bin)) if index == 0 => Rc::new(bin.into()),
            (None, _) => {
                return Err(Fault::data(
                    name,
                    "has no URI, and the file has no BIN chunk for it",
                ));
            }
        };
        if (bytes.len() as u64) < buffer.byte_length {
            return Err(Fault::data(
                name,
                format_args!(
                    "declares {} bytes, but only {} exist",
                    buffer.byte_length,
                    bytes.len()
                ),
            ));
        }
        self.buffers.borrow_mut().insert(index, bytes.clone());
        Ok(bytes)
    }

    /// Returns the bytes that a URI refers to.
    fn resource(&self, uri: &str, object: &str) -> Outcome<Shared<'a>> {
        let path = match uri::resolve(uri, self.files, object)? {
            UriTarget::SideFile(path) => path,
            UriTarget::Data(bytes) => {
                self.charge(bytes.len() as u64, 1, object)?;
                return Ok(Rc::new(bytes.into()));
            }
        };
        if let Some(known) = self.side_files.borrow().get(&path) {
            return Ok(known.clone());
        }
        let bytes: Shared = Rc::new(self.files.read(&path, object)?.into());
        self.budget.add_side_file(bytes.len() as u64);
        self.side_files.borrow_mut().insert(path, bytes.clone());
        Ok(bytes)
    }

    /// Returns a range of a buffer.
    pub(super) fn slice(
        &self,
        buffer: usize,
        offset: u64,
        length: u64,
        object: &str,
    ) -> Outcome<Bytes<'a>> {
        let bytes = self.buffer(buffer, object)?;
        let end = offset
            .checked_add(length)
            .filter(|&end| end <= bytes.len() as u64);
        match end {
            Some(end) => Ok(Bytes::Buffer(bytes, offset as usize..end as usize)),
            None => Err(Fault::data(
                object,
                format_args!(
                    "needs bytes {offset} to {} of buffer {buffer}, which has {} bytes",
                    offset.saturating_add(length),
                    bytes.len()
                ),
            )),
        }
    }

    /// Returns the bytes of a buffer view, decompressed if necessary.
    pub(super) fn view(&self, index: usize, object: &str) -> Outcome<Bytes<'a>> {
        let view = self.get(&self.root.buffer_views, "buffer view", index, object)?;
        let name = format!("buffer view {index}");
        let Some(compression) = view.extensions.meshopt() else {
            return self.slice(view.buffer, view.byte_offset, view.byte_length, &name);
        };
        if let Some(bytes) = self.decompressed_views.borrow().get(&index) {
            return Ok(Bytes::Decompressed(bytes.clone()));
        }
        self.charge(compression.count, compression.byte_stride, &name)?;
        let source = self.slice(
            compression.buffer,
            compression.byte_offset,
            compression.byte_length,
            &name,
        )?;
        let bytes = Rc::new(meshopt::decompress(compression, &source, &name)?);
        self.decompressed_views
            .borrow_mut()
            .insert(index, bytes.clone());
        Ok(Bytes::Decompressed(bytes))
    }

    /// Returns the bytes of an image.
    pub(super) fn image(&self, index: usize) -> Outcome<Vec<u8>> {
        let name = self.image_name(index);
        let image = self.get(&self.root.images, "image", index, &name)?;
        let bytes = match (image.buffer_view, &image.uri) {
            (Some(view), _) => self.view(view, &name)?.to_vec(),
            (None, Some(uri)) => self.resource(uri, &name)?.to_vec(),
            (None, None) => return Err(Fault::data(name, "has neither a URI nor a buffer view")),
        };
        self.charge(bytes.len() as u64, 1, &name)?;
        Ok(bytes)
    }

    pub(super) fn image_name(&self, index: usize) -> String {
        let name = self.root.images.get(index).map_or("", |image| &image.name);
        label("image", index, name)
    }

    pub(super) fn node_name(&self, index: usize) -> String {
        let name = self.root.nodes.get(index).map_or("", |node| &node.name);
        label("node", index, name)
    }

    pub(super) fn mesh_name(&self, index: usize) -> String {
        let name = self.root.meshes.get(index).map_or("", |mesh| &mesh.name);
        label("mesh", index, name)
    }

    pub(super) fn primitive_name(&self, mesh: usize, primitive: usize) -> String {
        format!("{} primitive {primitive}", self.mesh_name(mesh))
    }
}

/// Checks the memory that JSON needs once parsed: `{},` is three bytes of text, but a hundred of memory.
fn check_json_memory(json: &[u8]) -> Outcome<()> {
    let needed = json_memory(json);
    let limit = JSON_BASE_BYTES + JSON_BYTES_PER_BYTE * json.len() as u64;
    if needed <= limit {
        return Ok(());
    }
    Err(Fault::limit(
        "JSON",
        format_args!(
            "needs about {needed} bytes of memory for {} bytes of text",
            json.len()
        ),
        "JSON_BASE_BYTES + JSON_BYTES_PER_BYTE × text size",
        limit,
    ))
}

/// Formats the name of an object for errors and warnings: `mesh 2 'Body'`.
pub(super) fn label(kind: &str, index: usize, name: &str) -> String {
    if name.is_empty() {
        format!("{kind} {index}")
    } else {
        format!("{kind} {index} '{}'", name.escape_debug())
    }
}
