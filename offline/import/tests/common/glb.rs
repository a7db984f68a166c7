//! A builder of small GLB files: JSON and one binary buffer.

use std::path::Path;

use glam::DMat4;
use serde_json::{Value, json};
use throng_import::{Import, ImportError, ImportOptions, import_bytes};

/// A file in the making. Lists grow by [`Glb::push`]; anything else is set in `json`.
#[derive(Debug, Clone)]
pub struct Glb {
    pub json: Value,
    pub bin: Vec<u8>,
}

/// How numbers are stored.
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
    /// glTF's number for it.
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

    /// The bytes of numbers, as they are: normalising is the reader's.
    pub fn pack(self, numbers: &[f64]) -> Vec<u8> {
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

    /// What a stored number counts when it is normalised, as the specification says.
    pub fn normalised(self, stored: f64) -> f64 {
        match self {
            Self::I8 => (stored / 127.0).max(-1.0),
            Self::U8 => stored / 255.0,
            Self::I16 => (stored / 32767.0).max(-1.0),
            Self::U16 => stored / 65535.0,
            Self::U32 | Self::F32 => stored,
        }
    }
}

/// Corners of a triangle that no axis or sign change maps to itself.
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

    /// Adds to a list of the root; gives the index.
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

    /// Puts bytes into the buffer, at a multiple of 4.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        self.push(
            "bufferViews",
            json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }),
        )
    }

    /// Numbers as they are stored, tightly packed.
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
        let view = self.view(&component.pack(numbers));
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

    /// Vectors of floats.
    pub fn floats<const N: usize>(&mut self, vectors: &[[f32; N]]) -> usize {
        let shape = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        let numbers: Vec<f64> = vectors.iter().flatten().map(|&x| f64::from(x)).collect();
        self.numbers(Component::F32, shape, &numbers, false)
    }

    /// Vectors of 16-bit unsigned integers.
    pub fn shorts<const N: usize>(&mut self, vectors: &[[u16; N]]) -> usize {
        let shape = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        let numbers: Vec<f64> = vectors.iter().flatten().map(|&x| f64::from(x)).collect();
        self.numbers(Component::U16, shape, &numbers, false)
    }

    /// A mesh of one primitive.
    pub fn mesh(&mut self, primitive: Value) -> usize {
        let primitives = Value::Array(vec![primitive]);
        self.push("meshes", json!({ "primitives": primitives }))
    }

    /// A mesh of one triangle.
    pub fn triangle_mesh(&mut self) -> usize {
        let positions = self.floats(&triangle());
        self.mesh(json!({ "attributes": { "POSITION": positions } }))
    }

    /// Attributes of a primitive whose vertices have up to four influences each.
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

    /// A skin over nodes, with inverse bind matrices as float32.
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

    /// An animation without channels.
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

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if json["buffers"].is_null() && !self.bin.is_empty() {
            json["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        }
        glb_bytes(&serde_json::to_vec(&json).expect("JSON"), &self.bin)
    }

    /// A `.gltf` file beside `buffer.bin`, in a folder.
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

    /// Why the file is refused.
    #[track_caller]
    pub fn refused(&self) -> ImportError {
        match self.try_import(&ImportOptions::default()) {
            Ok(_) => panic!("the file loads"),
            Err(error) => error,
        }
    }
}

/// A GLB of a JSON and a BIN chunk.
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
