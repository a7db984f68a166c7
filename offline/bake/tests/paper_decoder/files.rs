//! Files of a set, read without the code that wrote them: PNG, GLB and the JSON of the manifest.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use glam::{DAffine3, DMat3, DVec3, DVec4};
use serde_json::Value;

/// A texture file.
pub struct Sampler {
    width: usize,
    channels: usize,
    bytes: Vec<u8>,
}

impl Sampler {
    pub fn open(path: &Path) -> Self {
        let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap()))
            .read_info()
            .unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.bit_depth, png::BitDepth::Eight);
        assert!(info.width.is_power_of_two() && info.height.is_power_of_two());
        Self {
            width: info.width as usize,
            channels: info.color_type.samples(),
            bytes,
        }
    }

    /// `texelFetch(sampler, ivec2(x, y), 0)`.
    pub fn texel_fetch(&self, x: usize, y: usize) -> DVec4 {
        let mut texel = [0.0, 0.0, 0.0, 1.0];
        for (channel, value) in texel.iter_mut().enumerate().take(self.channels) {
            *value = self.byte(x, y, channel) / 255.0;
        }
        DVec4::from_array(texel)
    }

    /// A channel as a byte.
    pub fn byte(&self, x: usize, y: usize, channel: usize) -> f64 {
        f64::from(self.bytes[(y * self.width + x) * self.channels + channel])
    }

    /// Consecutive bytes of the first column from a row on.
    pub fn column(&self, row: usize, count: usize) -> Vec<f64> {
        let at = |index: usize| self.byte(0, row + index / self.channels, index % self.channels);
        (0..count).map(at).collect()
    }
}

/// The folder of a set.
pub struct Folder<'a> {
    path: &'a Path,
    pub manifest: Value,
    gltf: Value,
    buffer: Vec<u8>,
}

impl<'a> Folder<'a> {
    pub fn open(path: &'a Path) -> Self {
        let manifest = std::fs::read(path.join("manifest.json")).unwrap();
        let glb = std::fs::read(path.join("mesh.glb")).unwrap();
        let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
        let json = &glb[20..20 + word(12)];
        Self {
            path,
            manifest: serde_json::from_slice(&manifest).unwrap(),
            gltf: serde_json::from_slice(json).unwrap(),
            buffer: glb[20 + word(12) + 8..].to_vec(),
        }
    }

    /// The texture file of a page: a clip, or a mesh of a clip.
    pub fn sampler(&self, texture: usize, page: usize) -> Sampler {
        let file = &self.manifest["textures"][texture]["files"][page];
        Sampler::open(&self.path.join(file.as_str().unwrap()))
    }

    /// Number of metres per unit of length of the textures.
    pub fn unit(&self) -> f64 {
        self.manifest["axes"]["metres_per_unit"].as_f64().unwrap()
    }

    pub fn parts(&self) -> usize {
        self.manifest["parts"].as_array().unwrap().len()
    }

    /// Index of a part's skin.
    pub fn skin(&self, part: usize) -> usize {
        index(&self.manifest["parts"][part]["skin"])
    }

    /// A vertex attribute of a part's mesh, as numbers.
    pub fn attribute(&self, part: usize, name: &str) -> Vec<Vec<f64>> {
        let node = self.manifest["joints"].as_array().unwrap().len() + part;
        let mesh = index(&self.gltf["nodes"][node]["mesh"]);
        let attributes = &self.gltf["meshes"][mesh]["primitives"][0]["attributes"];
        let accessor = &self.gltf["accessors"][index(&attributes[name])];
        let view = &self.gltf["bufferViews"][index(&accessor["bufferView"])];
        let first = view["byteOffset"].as_u64().unwrap_or(0) as usize;
        let components = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let size = match index(&accessor["componentType"]) {
            5121 => 1,
            5123 => 2,
            _ => 4,
        };
        let number = |at: usize| {
            let bytes = &self.buffer[first + at * size..][..size];
            match size {
                1 => f64::from(bytes[0]),
                2 => f64::from(u16::from_le_bytes(bytes.try_into().unwrap())),
                _ => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
            }
        };
        let vertex = |v: usize| {
            (0..components)
                .map(|k| number(v * components + k))
                .collect()
        };
        (0..index(&accessor["count"])).map(vertex).collect()
    }

    pub fn vectors(&self, part: usize, name: &str) -> Vec<DVec3> {
        let numbers = self.attribute(part, name);
        numbers
            .iter()
            .map(|v| DVec3::new(v[0], v[1], v[2]))
            .collect()
    }

    /// Bones in the order of the texture's rows: the joint and the scale that the texels leave out.
    pub fn bones(&self) -> Vec<(usize, f64)> {
        let bones = self.manifest["layout"]["bones"]["bones"]
            .as_array()
            .unwrap();
        let bone = |bone: &Value| (index(&bone["joint"]), bone["scale"].as_f64().unwrap());
        bones.iter().map(bone).collect()
    }

    /// Bone of each palette index of a skin.
    pub fn palette(&self, skin: usize) -> Vec<Option<usize>> {
        let bones = self.bones();
        let joints = self.manifest["skins"][skin]["joints"].as_array().unwrap();
        let of = |joint: &Value| bones.iter().position(|bone| bone.0 == index(joint));
        joints.iter().map(of).collect()
    }

    /// Inverse bind matrices of a skin, with the scale of its bones, in the unit of the textures.
    pub fn inverse_bind_matrices(&self, skin: usize) -> Vec<DAffine3> {
        let bones = self.bones();
        let accessor = &self.gltf["skins"][skin]["inverseBindMatrices"];
        let view = &self.gltf["accessors"][index(accessor)]["bufferView"];
        let first = index(&self.gltf["bufferViews"][index(view)]["byteOffset"]);
        let matrix = |palette_index: usize| -> [f64; 16] {
            let bytes = &self.buffer[first + 64 * palette_index..][..64];
            let (words, _) = bytes.as_chunks::<4>();
            std::array::from_fn(|i| f32::from_le_bytes(words[i]).into())
        };
        let mut out = vec![DAffine3::IDENTITY; bones.len()];
        for (palette_index, bone) in self.palette(skin).into_iter().enumerate() {
            let Some(bone) = bone else { continue };
            let m = matrix(palette_index);
            let columns = [0, 1, 2].map(|c| DVec3::new(m[4 * c], m[4 * c + 1], m[4 * c + 2]));
            let linear = DMat3::from_cols(columns[0], columns[1], columns[2]);
            let translation = DVec3::new(m[12], m[13], m[14]) / self.unit();
            out[bone] = DAffine3 {
                matrix3: linear * bones[bone].1,
                translation: translation * bones[bone].1,
            };
        }
        out
    }
}

pub fn index(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("{value}")) as usize
}

pub fn numbers(value: &Value) -> Vec<f64> {
    let values = value.as_array().unwrap().iter();
    values.map(|value| value.as_f64().unwrap()).collect()
}
