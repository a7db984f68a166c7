//! A decoder of P3's files, written from the paper. It uses nothing of ours: `mesh.glb` is JSON and bytes, textures are
//! KTX2 files read by offset.

use std::path::Path;

use glam::{DMat3, DVec3};
use serde_json::Value;

/// Texels as floats, in rows.
pub struct Image {
    pub width: usize,
    pub height: usize,
    pub vk_format: u32,
    pub texels: Vec<[f64; 3]>,
}

impl Image {
    /// Reads a KTX2 file of one level without supercompression.
    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(word(44), 0, "supercompression");
        let level = u64::from_le_bytes(bytes[80..88].try_into().unwrap()) as usize;
        let vk_format = word(12);
        let number: fn(&[u8]) -> f64 = match vk_format {
            // R32G32B32_SFLOAT.
            106 => |bytes| f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
            // R16G16B16_UNORM, for -1 to 1.
            84 => |bytes| f64::from(u16::from_le_bytes(bytes.try_into().unwrap())) / 32767.5 - 1.0,
            other => panic!("vkFormat {other}"),
        };
        let size = if vk_format == 106 { 4 } else { 2 };
        let texels = bytes[level..].chunks_exact(3 * size).map(|texel| {
            let channel = |k: usize| number(&texel[k * size..(k + 1) * size]);
            [0, 1, 2].map(channel)
        });
        Self {
            width: word(20) as usize,
            height: word(24) as usize,
            vk_format,
            texels: texels.collect(),
        }
    }

    fn at(&self, column: usize, row: usize) -> DVec3 {
        DVec3::from_array(self.texels[row * self.width + column])
    }
}

/// Rest mesh of a part.
pub struct RestMesh {
    pub positions: Vec<DVec3>,
    pub normals: Vec<DVec3>,
    /// `COLOR_0`: bytes.
    pub colors: Vec<[u8; 4]>,
    /// `COLOR_1`, where the mesh has colours of its own.
    pub own_colors: Option<Vec<[f32; 4]>>,
    /// `TEXCOORD_1`, where there are weights.
    pub uv2: Option<Vec<[f32; 2]>>,
}

/// Files of a set.
pub struct Files {
    pub manifest: Value,
    pub meshes: Vec<RestMesh>,
    /// θ, φ and, unless there is a texture of translations, positions.
    pub bones: Image,
    pub translations: Option<Image>,
    pub weights: Option<Image>,
}

impl Files {
    pub fn read(folder: &Path) -> Self {
        let manifest = std::fs::read(folder.join("manifest.json")).unwrap();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap();
        let image = |name: &str| {
            let path = folder.join(format!("{name}.ktx2"));
            path.is_file().then(|| Image::read(&path))
        };
        let translations = image("translations");
        Self {
            meshes: read_meshes(&folder.join("mesh.glb")),
            bones: image(if translations.is_some() {
                "rotations"
            } else {
                "bones"
            })
            .unwrap(),
            translations,
            weights: image("weights"),
            manifest,
        }
    }

    /// Number of bones, P3's n.
    pub fn bones(&self) -> usize {
        self.manifest["layout"]["bones"]["bones"]
            .as_array()
            .unwrap()
            .len()
    }

    /// Equations 4 to 6: rotation and position of a bone in a row. Row 0 is the rest pose.
    pub fn transform(&self, bone: usize, row: usize) -> (DMat3, DVec3) {
        let n = self.bones();
        let theta = self.bones.at(bone, row);
        let phi = self.bones.at(bone + n, row);
        let position = match &self.translations {
            Some(translations) => translations.at(bone, row),
            None => self.bones.at(bone + 2 * n, row),
        };
        (DMat3::from_cols(theta, phi, theta.cross(phi)), position)
    }

    /// Weights of a vertex: three from the texture at its second texture coordinate, and the last implied; or all on the
    /// first bone.
    fn weights(&self, mesh: &RestMesh, vertex: usize) -> [f64; 4] {
        let (Some(image), Some(uv)) = (&self.weights, &mesh.uv2) else {
            return [1.0, 0.0, 0.0, 0.0];
        };
        let [u, v] = uv[vertex].map(f64::from);
        let column = (u * image.width as f64).floor() as usize;
        let row = (v * image.height as f64).floor() as usize;
        let [a, b, c] = image.at(column, row).to_array();
        [a, b, c, 1.0 - (a + b + c)]
    }

    /// Equations 2 and 3: position and normal of a vertex in a row. P3 writes vectors as rows, so that its product with
    /// the inverse is the rotation from rest pose to pose; the translation added last is that of the pose.
    pub fn vertex(&self, mesh: &RestMesh, vertex: usize, row: usize) -> (DVec3, DVec3) {
        let (mut position, mut normal) = (DVec3::ZERO, DVec3::ZERO);
        let bones = mesh.colors[vertex].into_iter();
        for (bone, weight) in bones.zip(self.weights(mesh, vertex)) {
            let (rest_rotation, rest_position) = self.transform(usize::from(bone), 0);
            let (rotation, translation) = self.transform(usize::from(bone), row);
            let turn = rotation * rest_rotation.transpose();
            position += weight * (turn * (mesh.positions[vertex] - rest_position) + translation);
            normal += weight * (turn * mesh.normals[vertex]);
        }
        (position, normal.normalize())
    }
}

/// Meshes of the nodes that have one, in the order of the nodes.
fn read_meshes(path: &Path) -> Vec<RestMesh> {
    let bytes = std::fs::read(path).unwrap();
    let json_bytes = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + json_bytes]).unwrap();
    let binary = &bytes[28 + json_bytes..];
    let nodes = json["nodes"].as_array().unwrap().iter();
    let meshes = nodes.filter_map(|node| node["mesh"].as_u64());
    let meshes = meshes.map(|mesh| {
        let attributes = &json["meshes"][mesh as usize]["primitives"][0]["attributes"];
        let accessor = |name: &str| {
            let index = attributes[name].as_u64()?;
            let accessor = &json["accessors"][index as usize];
            let view = &json["bufferViews"][accessor["bufferView"].as_u64()? as usize];
            let first = view["byteOffset"].as_u64()? as usize;
            let length = view["byteLength"].as_u64()? as usize;
            Some((accessor, &binary[first..first + length]))
        };
        let colors = {
            let (accessor, bytes) = accessor("COLOR_0").unwrap();
            assert_eq!(accessor["componentType"], 5121, "bytes");
            assert_eq!(accessor["normalized"], true);
            assert_eq!(accessor["type"], "VEC4");
            bytes
                .chunks_exact(4)
                .map(|c| c.try_into().unwrap())
                .collect()
        };
        let vectors = |name: &str| {
            let vectors = floats::<3>(accessor(name).unwrap()).into_iter();
            vectors
                .map(|v| DVec3::from_array(v.map(f64::from)))
                .collect()
        };
        RestMesh {
            positions: vectors("POSITION"),
            normals: vectors("NORMAL"),
            colors,
            own_colors: accessor("COLOR_1").map(floats::<4>),
            uv2: accessor("TEXCOORD_1").map(floats::<2>),
        }
    });
    meshes.collect()
}

fn floats<const N: usize>((accessor, bytes): (&Value, &[u8])) -> Vec<[f32; N]> {
    assert_eq!(accessor["componentType"], 5126, "floats");
    let vectors = bytes.chunks_exact(4 * N);
    let number = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
    vectors
        .map(|vector| std::array::from_fn(|k| number(&vector[4 * k..4 * k + 4])))
        .collect()
}
