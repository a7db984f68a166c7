//! Builder of small GLB files: JSON and one binary buffer.

use std::path::Path;

use glam::DMat4;
use serde_json::{Value, json};
use throng_import::{Import, ImportError, ImportOptions, import_bytes};

/// Builder of a file. [`Glb::push`] adds to lists; everything else is set in `json`.
#[derive(Debug, Clone)]
pub struct Glb {
    pub json: Value,
    pub bin: Vec<u8>,
}

/// Component type of an accessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

pub const ALL_COMPONENTS: [Component; 6] = [
    Component::I8,
    Component::U8,
    Component::I16,
    Component::U16,
    Component::U32,
    Component::F32,
];

impl Component {
    /// Returns the `componentType` of glTF.
    pub fn code(self) -> u32 {
        match self {
            Self::I8 => 5120,
            Self::U8 => 5121,
            Self::I16 => 5122,
            Self::U16 => 5123,
            Self::U32 => 5125,
            Self::F32 => 5126,
        }
    }

    /// Converts numbers to bytes, without normalising.
    pub fn to_bytes(self, numbers: &[f64]) -> Vec<u8> {
        numbers
            .iter()
            .flat_map(|&n| match self {
                Self::I8 => (n as i8).to_le_bytes().to_vec(),
                Self::U8 => (n as u8).to_le_bytes().to_vec(),
                Self::I16 => (n as i16).to_le_bytes().to_vec(),
                Self::U16 => (n as u16).to_le_bytes().to_vec(),
                Self::U32 => (n as u32).to_le_bytes().to_vec(),
                Self::F32 => (n as f32).to_le_bytes().to_vec(),
            })
            .collect()
    }

    /// Maps a stored number to its normalised value, as specified.
    pub fn normalized(self, stored: f64) -> f64 {
        match self {
            Self::I8 => (stored / 127.0).max(-1.0),
            Self::U8 => stored / 255.0,
            Self::I16 => (stored / 32767.0).max(-1.0),
            Self::U16 => stored / 65535.0,
            Self::U32 | Self::F32 => stored,
        }
    }
}

/// Returns the corners of a triangle that no axis swap or sign change maps to itself.
pub fn triangle() -> [[f32; 3]; 3] {
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [0.25, 2.0, -1.0]]
}

impl Glb {
    pub fn new() -> Self {
        Self {
            json: json!({ "asset": { "version": "2.0" } }),
            bin: Vec::new(),
        }
    }

    /// Adds a value to a list of the root, and returns its index.
    pub fn push(&mut self, list: &str, value: Value) -> usize {
        let list = &mut self.json[list];
        if list.is_null() {
            *list = json!([]);
        }
        let list = list.as_array_mut().expect("a list");
        list.push(value);
        list.len() - 1
    }

    pub fn node(&mut self, node: Value) -> usize {
        self.push("nodes", node)
    }

    /// Adds a buffer view of bytes, at a multiple of 4.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        self.push(
            "bufferViews",
            json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }),
        )
    }

    /// Adds an accessor of stored numbers, without padding.
    pub fn numbers(
        &mut self,
        component: Component,
        shape: &str,
        numbers: &[f64],
        normalized: bool,
    ) -> usize {
        let components = match shape {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            _ => panic!("{shape}"),
        };
        let view = self.view(&component.to_bytes(numbers));
        self.push(
            "accessors",
            json!({
                "bufferView": view,
                "componentType": component.code(),
                "normalized": normalized,
                "count": numbers.len() / components,
                "type": shape,
            }),
        )
    }

    /// Adds an accessor of float vectors.
    pub fn floats<const N: usize>(&mut self, vectors: &[[f32; N]]) -> usize {
        let shape = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        let numbers: Vec<f64> = vectors.iter().flatten().map(|&x| f64::from(x)).collect();
        self.numbers(Component::F32, shape, &numbers, false)
    }

    /// Adds an accessor of vectors of 16-bit unsigned integers.
    pub fn shorts<const N: usize>(&mut self, vectors: &[[u16; N]]) -> usize {
        let shape = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        let numbers: Vec<f64> = vectors.iter().flatten().map(|&x| f64::from(x)).collect();
        self.numbers(Component::U16, shape, &numbers, false)
    }

    /// Adds a mesh of one primitive.
    pub fn mesh(&mut self, primitive: Value) -> usize {
        let primitives = Value::Array(vec![primitive]);
        self.push("meshes", json!({ "primitives": primitives }))
    }

    /// Adds a mesh of one triangle.
    pub fn triangle_mesh(&mut self) -> usize {
        let positions = self.floats(&triangle());
        self.mesh(json!({ "attributes": { "POSITION": positions } }))
    }

    /// Adds attributes of a primitive with up to four influences per vertex.
    pub fn weighted(
        &mut self,
        positions: &[[f32; 3]],
        joints: &[[u16; 4]],
        weights: &[[f32; 4]],
    ) -> Value {
        json!({
            "POSITION": self.floats(positions),
            "JOINTS_0": self.shorts(joints),
            "WEIGHTS_0": self.floats(weights),
        })
    }

    /// Adds a skin of joint nodes, with inverse bind matrices in float32.
    pub fn skin(&mut self, joints: &[usize], joint_from_bind: &[DMat4]) -> usize {
        let numbers: Vec<f64> = joint_from_bind
            .iter()
            .flat_map(DMat4::to_cols_array)
            .collect();
        let matrices = self.numbers(Component::F32, "MAT4", &numbers, false);
        self.push(
            "skins",
            json!({ "joints": joints, "inverseBindMatrices": matrices }),
        )
    }

    /// Adds an animation without channels.
    pub fn clip(&mut self, name: &str) -> usize {
        self.push(
            "animations",
            json!({ "name": name, "channels": [], "samplers": [] }),
        )
    }

    /// Adds a channel to a clip; `output` is an accessor.
    pub fn channel(
        &mut self,
        clip: usize,
        (node, path): (usize, &str),
        interpolation: &str,
        times: &[f32],
        output: usize,
    ) {
        let times: Vec<[f32; 1]> = times.iter().map(|&t| [t]).collect();
        let input = self.floats(&times);
        let animation = &mut self.json["animations"][clip];
        let samplers = animation["samplers"].as_array_mut().expect("samplers");
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        let sampler = samplers.len() - 1;
        let channels = animation["channels"].as_array_mut().expect("channels");
        channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if json["buffers"].is_null() && !self.bin.is_empty() {
            json["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        }
        glb_bytes(&serde_json::to_vec(&json).expect("JSON"), &self.bin)
    }

    /// Writes a `.gltf` file to a folder, with its buffer at a URI.
    pub fn write(&self, folder: &Path, name: &str, buffer_uri: &str) {
        let mut json = self.json.clone();
        json["buffers"] = json!([{ "byteLength": self.bin.len(), "uri": buffer_uri }]);
        std::fs::write(folder.join(name), json.to_string()).expect("a file");
    }

    pub fn try_import(&self, options: &ImportOptions) -> Result<Import, ImportError> {
        import_bytes("test.glb", &self.bytes(), None, options)
    }

    #[track_caller]
    pub fn import(&self) -> Import {
        self.import_with(&ImportOptions::default())
    }

    #[track_caller]
    pub fn import_with(&self, options: &ImportOptions) -> Import {
        match self.try_import(options) {
            Ok(import) => import,
            Err(error) => panic!("{error}"),
        }
    }

    /// Returns the error of importing the file. Panics if it loads.
    #[track_caller]
    pub fn import_error(&self) -> ImportError {
        match self.try_import(&ImportOptions::default()) {
            Ok(_) => panic!("the file loads"),
            Err(error) => error,
        }
    }
}

/// Returns a GLB of a JSON chunk and a BIN chunk.
pub fn glb_bytes(json: &[u8], bin: &[u8]) -> Vec<u8> {
    let padded = |bytes: &[u8], with: u8| {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), with);
        bytes
    };
    let (json, bin) = (padded(json, b' '), padded(bin, 0));
    let mut out = b"glTF".to_vec();
    let length = 12 + 8 + json.len() + 8 + bin.len();
    for word in [2, length as u32, json.len() as u32, 0x4e4f_534a] {
        out.extend(word.to_le_bytes());
    }
    out.extend(json);
    for word in [bin.len() as u32, 0x004e_4942] {
        out.extend(word.to_le_bytes());
    }
    out.extend(bin);
    out
}
