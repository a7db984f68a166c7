//! The four formats of posed meshes hold the same surface, and a GLB is imported unchanged.

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{asset, count, list, object, run, vector};

/// Surface read from a file, all parts concatenated.
#[derive(Debug, Default, PartialEq)]
struct Surface {
    positions: Vec<[f32; 3]>,
    triangles: Vec<[usize; 3]>,
}

fn obj(text: &str) -> Surface {
    let mut surface = Surface::default();
    for line in text.lines() {
        let mut words = line.split(' ');
        let kind = words.next().unwrap();
        let words: Vec<&str> = words.collect();
        if kind == "v" {
            let numbers = words.iter().map(|word| word.parse().unwrap());
            let position = numbers.collect::<Vec<f32>>().try_into().unwrap();
            surface.positions.push(position);
        } else if kind == "f" {
            let corner = |word: &str| word.split('/').next().unwrap().parse::<usize>().unwrap() - 1;
            let corners = words.iter().map(|word| corner(word));
            let triangle = corners.collect::<Vec<usize>>().try_into().unwrap();
            surface.triangles.push(triangle);
        }
    }
    surface
}

fn float(bytes: &[u8]) -> f32 {
    f32::from_le_bytes(bytes[..4].try_into().unwrap())
}

fn word(bytes: &[u8]) -> usize {
    u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize
}

fn floats(bytes: &[u8]) -> [f32; 3] {
    [float(bytes), float(&bytes[4..]), float(&bytes[8..])]
}

fn ply(bytes: &[u8]) -> Surface {
    let end = b"end_header\n";
    let body = bytes.windows(end.len()).position(|w| w == end).unwrap() + end.len();
    let header = std::str::from_utf8(&bytes[..body]).unwrap();
    let count = |element: &str| -> usize {
        let mut lines = header.lines();
        let count = lines.find_map(|line| line.strip_prefix(element)).unwrap();
        count.parse().unwrap()
    };
    // Six floats and four bytes per vertex; a byte and three integers per face.
    let (vertices, faces) = bytes[body..].split_at(28 * count("element vertex "));
    assert_eq!(faces.len(), 13 * count("element face "));
    let corners = |face: &[u8]| [1, 5, 9].map(|at| word(&face[at..]));
    Surface {
        positions: vertices.chunks(28).map(floats).collect(),
        triangles: faces.chunks(13).map(corners).collect(),
    }
}

fn glb(bytes: &[u8]) -> Surface {
    let json_length = word(&bytes[12..]);
    let json: Value = serde_json::from_slice(&bytes[20..20 + json_length]).unwrap();
    let binary = &bytes[28 + json_length..];
    let accessor = |index: &Value| {
        let accessor = &json["accessors"][count(index)];
        let view = &json["bufferViews"][count(&accessor["bufferView"])];
        let offset = count(&view["byteOffset"]);
        let is_short = accessor["componentType"] == 5123;
        (
            &binary[offset..offset + count(&view["byteLength"])],
            is_short,
        )
    };
    let mut surface = Surface::default();
    let meshes = list(&json["meshes"]).iter();
    for primitive in meshes.flat_map(|mesh| list(&mesh["primitives"])) {
        let first = surface.positions.len();
        let (positions, _) = accessor(&primitive["attributes"]["POSITION"]);
        surface.positions.extend(positions.chunks(12).map(floats));
        let (indices, is_short) = accessor(&primitive["indices"]);
        let short = |b: &[u8]| usize::from(u16::from_le_bytes(b.try_into().unwrap()));
        let indices: Vec<usize> = if is_short {
            indices.chunks(2).map(short).collect()
        } else {
            indices.chunks(4).map(word).collect()
        };
        let corners = indices.chunks(3).map(|c| [c[0], c[1], c[2]]);
        let triangles = corners.map(|c| c.map(|corner| first + corner));
        surface.triangles.extend(triangles);
    }
    surface
}

/// Returns the positions rounded to float32, as in the other formats.
fn json(text: &str) -> Vec<[f32; 3]> {
    let posed: Value = serde_json::from_str(text).unwrap();
    let meshes = list(&posed["meshes"]).iter();
    let positions = meshes.flat_map(|mesh| list(&mesh["positions"]));
    positions.map(|p| vector(p).map(|x| x as f32)).collect()
}

/// Characters whose parts all have triangles. One has more vertices than 16-bit indices can address.
fn sources() -> Vec<String> {
    let builtins = ["builtin:humanoid", "builtin:cylinder", "builtin:bar"].map(str::to_owned);
    let files = [
        "gltf/kaykit/Knight.glb",
        "gltf/khronos/Fox.glb",
        "gltf/khronos/MorphStressTest.glb",
        "gltf/khronos/RiggedFigure_draco/RiggedFigure.gltf",
        "gltf/crafted_valid/verts_70225_u32.glb",
        "gltf/three/RobotExpressive.glb",
    ];
    let files = files.iter().filter_map(|file| asset(file));
    let files = files.map(|path| path.to_str().unwrap().to_owned());
    builtins.into_iter().chain(files).collect()
}

/// Poses a character into a file; returns its bytes.
fn pose(source: &str, folder: &TempDir, name: &str) -> Vec<u8> {
    let path = folder.path().join(name);
    let at = ["--time", "0.3", "--method", "dqs", "-o"];
    run([&["pose", source], &at[..], &[path.to_str().unwrap()]].concat()).ok();
    std::fs::read(path).unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn all_formats_hold_the_same_surface() {
    for source in sources() {
        let folder = tempfile::tempdir().unwrap();
        let from_glb = glb(&pose(&source, &folder, "out.glb"));
        assert!(!from_glb.triangles.is_empty());
        let from_obj = obj(&text(pose(&source, &folder, "out.obj")));
        assert!(from_obj == from_glb, "{source}: OBJ and GLB");
        let from_ply = ply(&pose(&source, &folder, "out.ply"));
        assert!(from_ply == from_glb, "{source}: PLY and GLB");
        let from_json = json(&text(pose(&source, &folder, "out.json")));
        assert!(from_json == from_glb.positions, "{source}: JSON and GLB");
    }
}

#[test]
fn posed_glb_is_imported_unchanged() {
    for source in sources() {
        let folder = tempfile::tempdir().unwrap();
        pose(&source, &folder, "out.glb");
        let posed = json(&text(pose(&source, &folder, "posed.json")));
        let path = folder.path().join("out.glb");
        let back = path.to_str().unwrap();

        let inspected = |source: &str| object(&run(["inspect", "--json", source]).quiet());
        let (before, after) = (inspected(&source), inspected(back));
        let shape = |report: &Value| -> Vec<(usize, usize)> {
            let parts = list(&report["parts"]).iter();
            let counts = parts.map(|p| (count(&p["vertices"]), count(&p["triangles"])));
            counts.filter(|(_, triangles)| *triangles > 0).collect()
        };
        assert_eq!(shape(&after), shape(&before), "{source}");
        assert!(list(&after["warnings"]).is_empty(), "{}", after["warnings"]);
        assert!(list(&after["clips"]).is_empty());

        let rest = folder.path().join("rest.json");
        run(["pose", back, "-o", rest.to_str().unwrap()]).quiet();
        let rest = json(&std::fs::read_to_string(rest).unwrap());
        assert!(rest == posed, "{source}: positions");
    }
}
