//! glTF and GLB seeds.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use throng_import::builtin::builtin;

use super::Seed;

/// `componentType` of float32, and of unsigned 8 and 16 bits.
const F32: u32 = 5126;
const U8: u32 = 5121;
const U16: u32 = 5123;

/// Files with their buffer in a data URI.
pub fn gltf_seeds() -> Vec<Seed> {
    files()
        .into_iter()
        .map(|(name, mut file)| {
            let data = STANDARD.encode(&file.bin);
            let uri = format!("data:application/octet-stream;base64,{data}");
            file.json["buffers"][0]["uri"] = json!(uri);
            (name.into(), file.json.to_string().into_bytes())
        })
        .collect()
}

/// The same files as GLB.
pub fn glb_seeds() -> Vec<Seed> {
    let files = files().into_iter();
    files
        .map(|(name, file)| (name.into(), file.glb()))
        .collect()
}

fn files() -> Vec<(&'static str, File)> {
    vec![("everything", everything()), ("meshopt", compressed())]
}

/// JSON of a file, and its buffer.
#[derive(Default)]
struct File {
    json: Value,
    bin: Vec<u8>,
}

impl File {
    fn new() -> Self {
        Self {
            json: json!({ "asset": { "version": "2.0" } }),
            bin: Vec::new(),
        }
    }

    /// Adds an object to a list of the file, and returns its index.
    fn push(&mut self, list: &str, object: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().expect("a list");
        list.push(object);
        list.len() - 1
    }

    /// Adds a buffer view, at a multiple of 4.
    fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend(bytes);
        self.json["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        self.push("bufferViews", view)
    }

    fn accessor(&mut self, view: usize, component: u32, shape: &str, count: usize) -> usize {
        let normalized = component == U16 && shape == "VEC2";
        self.push(
            "accessors",
            json!({
                "bufferView": view, "componentType": component, "type": shape, "count": count,
                "normalized": normalized,
            }),
        )
    }

    fn floats<const N: usize>(&mut self, shape: &str, vectors: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = vectors
            .as_flattened()
            .iter()
            .copied()
            .flat_map(f32::to_le_bytes)
            .collect();
        let view = self.view(&bytes);
        self.accessor(view, F32, shape, vectors.len())
    }

    fn bytes(&mut self, shape: &str, bytes: &[u8], count: usize) -> usize {
        let view = self.view(bytes);
        self.accessor(view, U8, shape, count)
    }

    /// Adds a sampler and a channel to the first animation.
    fn channel(
        &mut self,
        (node, path): (usize, &str),
        interpolation: &str,
        times: &[[f32; 1]],
        output: usize,
    ) {
        let input = self.floats("SCALAR", times);
        let animation = &mut self.json["animations"][0];
        let samplers = animation["samplers"].as_array_mut().expect("a list");
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        let sampler = samplers.len() - 1;
        let channels = animation["channels"].as_array_mut().expect("a list");
        channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    fn glb(&self) -> Vec<u8> {
        let mut json = self.json.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut bin = self.bin.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        let mut glb = b"glTF".to_vec();
        let total = 12 + 8 + json.len() + 8 + bin.len();
        for word in [2, total, json.len()] {
            glb.extend((word as u32).to_le_bytes());
        }
        glb.extend(b"JSON");
        glb.extend(json);
        glb.extend((bin.len() as u32).to_le_bytes());
        glb.extend(b"BIN\0");
        glb.extend(bin);
        glb
    }
}

const TRIANGLE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [0.25, 2.0, -1.0]];

/// A file that uses every feature that the importer reads, but compression.
fn everything() -> File {
    let mut file = File::new();
    let tip = file.push(
        "nodes",
        json!({ "name": "tip", "translation": [0, 1, 0], "scale": [1, 2, 1] }),
    );
    let sheared = [
        1., 0., 0., 0., 0.5, 1., 0., 0., 0., 0., -1., 0., 0., 0.5, 0., 1.,
    ];
    let bent = file.push("nodes", json!({ "matrix": sheared, "children": [tip] }));
    let root = file.push(
        "nodes",
        json!({ "rotation": [0.6, 0, 0, 0.8], "children": [bent] }),
    );
    let bind = [
        1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.,
    ];
    let bind = file.floats("MAT4", &[bind; 2]);
    let skin = json!({ "joints": [root, tip], "inverseBindMatrices": bind });
    file.push("skins", skin);
    let (indices, values) = (file.view(&[2]), file.view(&[0; 12]));
    let position = file.floats("VEC3", &TRIANGLE);
    file.json["accessors"][position]["sparse"] = json!({
        "count": 1,
        "indices": { "bufferView": indices, "componentType": U8 },
        "values": { "bufferView": values },
    });
    let uv = file.view(&[0, 0, 255, 255, 128, 0, 1, 0, 2, 0, 3, 0]);
    let attributes = json!({
        "POSITION": position,
        "NORMAL": file.floats("VEC3", &[[0., 0., 1.]; 3]),
        "TANGENT": file.floats("VEC4", &[[1., 0., 0., 1.]; 3]),
        "TEXCOORD_0": file.accessor(uv, U16, "VEC2", 3),
        "COLOR_0": file.floats("VEC4", &[[0.5; 4]; 3]),
        "JOINTS_0": file.bytes("VEC4", &[0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0], 3),
        "WEIGHTS_0": file.floats("VEC4", &[[0.5, 0.5, 0., 0.]; 3]),
    });
    let target = json!({ "POSITION": file.floats("VEC3", &TRIANGLE) });
    let indices = file.bytes("SCALAR", &[0, 1, 2], 3);
    let primitive = json!({
        "attributes": attributes, "indices": indices, "targets": [target], "material": 0, "mode": 5,
    });
    let extras = json!({ "targetNames": ["smile"] });
    file.push(
        "meshes",
        json!({ "primitives": [primitive], "weights": [0.5], "extras": extras }),
    );
    let drawn = file.push("nodes", json!({ "mesh": 0, "skin": 0 }));
    let rigid = file.push("nodes", json!({ "mesh": 0, "scale": [-1, 1, 1] }));
    file.json["scenes"] = json!([{ "nodes": [root, drawn, rigid] }]);
    file.json["scene"] = json!(0);
    animate(&mut file, [root, tip, drawn, rigid]);
    let image = file.view(b"\x89PNG\r\n\x1a\n");
    file.json["images"] = json!([{ "bufferView": image, "mimeType": "image/png" }]);
    file.json["samplers"] = json!([{ "wrapS": 33071 }]);
    file.json["textures"] = json!([{ "source": 0, "sampler": 0 }]);
    let transform = json!({ "offset": [0.5, 0], "rotation": 0.5, "scale": [2, 2] });
    file.json["materials"] = json!([{ "alphaMode": "MASK", "pbrMetallicRoughness": {
        "baseColorFactor": [1, 1, 1, 1],
        "baseColorTexture": { "index": 0, "extensions": { "KHR_texture_transform": transform } },
    } }]);
    file
}

/// Adds a clip with every path and interpolation.
fn animate(file: &mut File, [root, tip, drawn, rigid]: [usize; 4]) {
    file.push(
        "animations",
        json!({ "name": "all", "channels": [], "samplers": [] }),
    );
    let times = &[[0.0], [1.0]];
    let turns = [[0., 0., 0., 1.], [0.6, 0., 0., 0.8]].repeat(3);
    let turns = file.floats("VEC4", &turns);
    file.channel((tip, "rotation"), "CUBICSPLINE", times, turns);
    let moves = file.floats("VEC3", &[[0., 0., 1.], [1., 0., 0.]]);
    file.channel((root, "translation"), "LINEAR", times, moves);
    file.channel((rigid, "scale"), "STEP", times, moves);
    let weights = file.floats("SCALAR", &[[0.0], [1.0]]);
    file.channel((drawn, "weights"), "LINEAR", &[[0.5], [2.0]], weights);
}

/// The mesh of a built-in character, compressed by meshoptimizer.
fn compressed() -> File {
    let character = builtin("bar:24").expect("a built-in character");
    let mesh = &character.meshes()[0];
    let positions: Vec<[f32; 3]> = mesh.positions().iter().map(|p| [p.x, p.y, p.z]).collect();
    let triangles = mesh.triangles().as_flattened();
    let count = positions.len();
    let mut file = File::new();
    let mut view = |bytes: &[u8], count: usize, stride: usize, mode: &str, filter: &str| {
        let source = file.view(bytes);
        let view = &mut file.json["bufferViews"][source];
        let compression = json!({
            "buffer": 0, "byteOffset": view["byteOffset"], "byteLength": bytes.len(),
            "byteStride": stride, "count": count, "mode": mode, "filter": filter,
        });
        *view = json!({
            "buffer": 0, "byteLength": count * stride,
            "extensions": { "EXT_meshopt_compression": compression },
        });
        source
    };
    let encoded = meshopt::encode_vertex_buffer(&positions).expect("a stream");
    let position = view(&encoded, count, 12, "ATTRIBUTES", "NONE");
    let normals = meshopt::encode_vertex_buffer(&vec![[0u8, 0, 127, 0]; count]).expect("a stream");
    let normal = view(&normals, count, 4, "ATTRIBUTES", "OCTAHEDRAL");
    let indices = meshopt::encode_index_buffer(triangles, count).expect("a stream");
    let index = view(&indices, triangles.len(), 4, "TRIANGLES", "NONE");
    let position = file.accessor(position, F32, "VEC3", count);
    let normal = file.push("accessors", json!({
        "bufferView": normal, "componentType": 5120, "normalized": true, "type": "VEC3", "count": count,
    }));
    let index = file.accessor(index, 5125, "SCALAR", triangles.len());
    let attributes = json!({ "POSITION": position, "NORMAL": normal });
    let primitive = json!({ "attributes": attributes, "indices": index });
    file.push("meshes", json!({ "primitives": [primitive] }));
    file.push("nodes", json!({ "mesh": 0 }));
    let extensions = json!(["EXT_meshopt_compression", "KHR_mesh_quantization"]);
    file.json["extensionsUsed"] = extensions.clone();
    file.json["extensionsRequired"] = extensions;
    file
}
