//! The library of the format, by the Python package `alembic3d`, finds the same transforms, points, normals and texture
//! coordinates in every sample.

mod common;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{AbcFile, POLY_MESH};
use glam::{DMat4, DVec3, Vec2, Vec3};
use serde::Deserialize;
use throng_import::{ErrorKind, ImportOptions, import_file, import_motion_file};
use throng_rig::{CacheCursor, Character, CharacterPose, Mesh, Part, VertexCache};
use throng_testkit::{files_below, path_or_skip, program_or_skip, shared_assets, workspace_root};

/// Largest difference of a matrix, relative to its largest number. Tracks are float32.
const MATRIX_TOLERANCE: f64 = 3e-6;

/// Largest difference of a unit normal: float32 against float32.
const NORMAL_TOLERANCE: f32 = 1e-6;

/// Output of `tools/alembic-reference/read.py`.
#[derive(Deserialize)]
struct Expected {
    xforms: Vec<ExpectedXform>,
    meshes: Vec<ExpectedMesh>,
}

#[derive(Deserialize)]
struct ExpectedXform {
    path: String,
    times: Vec<f64>,
    /// Matrices for row vectors, which are the columns of matrices for column vectors.
    world: Vec<[f64; 16]>,
}

#[derive(Deserialize)]
struct ExpectedMesh {
    path: String,
    times: Vec<f64>,
    points: Vec<Vec<[f32; 3]>>,
    counts: Vec<usize>,
    indices: Vec<usize>,
    /// Faces that are not drawn.
    holes: Vec<usize>,
    uvs: Option<ExpectedValues<2>>,
    normals: Option<ExpectedValues<3>>,
}

#[derive(Deserialize)]
struct ExpectedValues<const N: usize> {
    scope: String,
    times: Vec<f64>,
    #[serde(with = "rows")]
    samples: Vec<Vec<[f32; N]>>,
}

/// Arrays whose length is a parameter, which serde does not read by itself.
mod rows {
    use serde::{Deserialize, Deserializer, de::Error};

    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        from: D,
    ) -> Result<Vec<Vec<[f32; N]>>, D::Error> {
        let samples = Vec::<Vec<Vec<f32>>>::deserialize(from)?;
        let row = |row: Vec<f32>| row.try_into().map_err(|_| D::Error::custom("row"));
        let samples = samples.into_iter();
        let samples = samples.map(|rows| rows.into_iter().map(row).collect());
        samples.collect()
    }
}

/// Folder of the reference; `None` where it is not installed.
fn tool() -> Option<PathBuf> {
    let tool = workspace_root().join("tools/alembic-reference");
    program_or_skip("python3", "python3")?;
    path_or_skip(
        tool.join("python_modules/imath.so"),
        "alembic3d (pip install, see tools/alembic-reference/README.md)",
    )?;
    Some(tool)
}

fn run(script: &Path, argument: &Path) -> Vec<u8> {
    let mut command = Command::new("python3");
    let output = command.arg("-B").arg(script).arg(argument).output();
    let output = output.expect("python3 runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    output.stdout
}

/// Files that the reference writes.
struct Written {
    tool: PathBuf,
    folder: tempfile::TempDir,
}

impl Written {
    fn new() -> Option<Self> {
        let tool = tool()?;
        let folder = tempfile::tempdir().unwrap();
        run(&tool.join("write.py"), folder.path());
        Some(Self { tool, folder })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn expected(tool: &Path, file: &Path) -> Expected {
    serde_json::from_slice(&run(&tool.join("read.py"), file)).expect("JSON")
}

/// Last name of a path.
fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Asserts that a file has the transforms and meshes of the reference. Returns how many samples were compared.
fn assert_agrees(tool: &Path, file: &Path) -> usize {
    let expected = expected(tool, file);
    let import = import_file(file, &ImportOptions::default()).unwrap();
    let character = &import.character;
    let mut compared = 0;
    for xform in &expected.xforms {
        compared += assert_xform(character, xform, &file.display().to_string());
    }
    assert_eq!(character.parts().len(), expected.meshes.len());
    for mesh in &expected.meshes {
        let mut parts = character.parts().iter();
        let part = parts.find(|part| part.node_name == name_of(&mesh.path));
        let part = part.unwrap_or_else(|| panic!("no part '{}'", mesh.path));
        compared += MeshCheck::new(character, part, mesh).run();
    }
    compared
}

fn assert_xform(character: &Character, expected: &ExpectedXform, file: &str) -> usize {
    let joints = character.skeleton().joints();
    let found = joints
        .iter()
        .position(|joint| joint.name == name_of(&expected.path));
    // Transforms of cameras are left out.
    let Some(joint) = found else {
        assert!(["front", "persp", "side", "top"].contains(&name_of(&expected.path)));
        return 0;
    };
    let mut pose = CharacterPose::rest(character);
    for (&time, world) in expected.times.iter().zip(&expected.world) {
        if let Some(clip) = character.clips().first() {
            pose.sample(character, clip, time);
        }
        let world = DMat4::from_cols_array(world);
        let size = world
            .to_cols_array()
            .iter()
            .fold(1.0f64, |a, b| a.max(b.abs()));
        let found = DMat4::from(pose.model.model_from_joint[joint]);
        assert!(
            found.abs_diff_eq(world, MATRIX_TOLERANCE * size),
            "{file}: '{}' at {time} s: found {found}, expected {world}",
            expected.path
        );
    }
    expected.world.len()
}

/// A mesh and what the reference finds.
struct MeshCheck<'a> {
    mesh: &'a Mesh,
    points: &'a [u32],
    /// Factor of normals, and true if triangles wind as in the file: the part is mirrored.
    is_mirrored: bool,
    expected: &'a ExpectedMesh,
}

impl<'a> MeshCheck<'a> {
    fn new(character: &'a Character, part: &Part, expected: &'a ExpectedMesh) -> Self {
        let mesh = character.mesh_of(part);
        Self {
            mesh,
            points: &mesh.control_points().expect("points").of_vertex,
            is_mirrored: expected.path.contains("mirrored"),
            expected,
        }
    }

    /// Returns how many samples were compared.
    fn run(&self) -> usize {
        let triangles = self.faces().map(|(_, corners)| corners.len() - 2);
        assert_eq!(self.mesh.triangles().len(), triangles.sum::<usize>());
        self.assert_winding();
        self.assert_uvs();
        let position = |vertex: usize| self.mesh.positions()[vertex];
        self.assert_points(0, position);
        let normal = |vertex: usize| self.mesh.normals()[vertex];
        self.assert_normals(0, normal);
        let first = &self.expected.points[0];
        let Some(cache) = self.mesh.vertex_cache() else {
            assert!(self.expected.points.iter().all(|points| points == first));
            return 1;
        };
        self.assert_frames(cache);
        self.expected.points.len()
    }

    /// Every frame of the cache is that of the reference, in any order of reading.
    fn assert_frames(&self, cache: &VertexCache) {
        assert_eq!(cache.frames().times_secs(), self.expected.times);
        assert_eq!(cache.frames().point_count(), self.expected.points[0].len());
        let mut cursor = CacheCursor::default();
        let frames = self.expected.points.len();
        for frame in (0..frames).chain((0..frames).rev()) {
            cursor.seek_with_normals(cache, frame as f64);
            let position = |v: usize| cursor.position(self.mesh, cache, v).as_vec3();
            self.assert_points(frame, position);
            let normal = |v: usize| cursor.normal(self.mesh, cache, v).as_vec3();
            self.assert_normals(frame, normal);
        }
        assert_eq!(cache.failure(), None);
    }

    fn assert_points(&self, frame: usize, position: impl Fn(usize) -> Vec3) {
        let points = &self.expected.points[frame];
        for (vertex, &point) in self.points.iter().enumerate() {
            let expected = Vec3::from_array(points[point as usize]);
            assert_eq!(position(vertex), expected, "frame {frame}, point {point}");
        }
    }

    /// Returns the faces that are drawn, and their corners.
    fn faces(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let counts = self.expected.counts.iter();
        let corners = counts.scan(0, |next, count| {
            *next += count;
            Some(*next - count..*next)
        });
        let faces = corners.enumerate();
        faces.filter(|(face, _)| !self.expected.holes.contains(face))
    }

    /// Calls `check` with each vertex of a face and its corner, in the order of the file.
    fn corners(&self, mut check: impl FnMut(usize, usize, usize)) {
        let mut triangles = self.mesh.triangles().iter();
        for (face, corners) in self.faces() {
            for vertex in triangles.by_ref().take(corners.len() - 2).flatten() {
                let vertex = *vertex as usize;
                let point = self.points[vertex] as usize;
                let mut found = corners
                    .clone()
                    .filter(|&c| self.expected.indices[c] == point);
                check(vertex, found.next().expect("a corner of the face"), face);
            }
        }
    }

    fn assert_uvs(&self) {
        let Some(uvs) = &self.expected.uvs else {
            assert!(self.mesh.uvs().is_empty());
            return;
        };
        self.corners(|vertex, corner, face| {
            let [u, v] = uvs.samples[0][self.element(&uvs.scope, corner, face)];
            assert_eq!(
                self.mesh.uvs()[vertex],
                Vec2::new(u, 1.0 - v),
                "corner {corner}"
            );
        });
    }

    fn assert_normals(&self, frame: usize, normal: impl Fn(usize) -> Vec3) {
        let Some(normals) = &self.expected.normals else {
            return;
        };
        let time = self.expected.times[frame];
        let is_before = |sample: &&usize| normals.times[**sample] <= time + 1e-9;
        let samples: Vec<usize> = (0..normals.samples.len()).collect();
        // The last sample that is not after the frame, and the next.
        let from = samples.iter().filter(is_before).count().max(1) - 1;
        let to = (from + 1).min(samples.len() - 1);
        let span = normals.times[to] - normals.times[from];
        let fraction = match span > 0.0 {
            true => ((time - normals.times[from]) / span).clamp(0.0, 1.0) as f32,
            false => 0.0,
        };
        let expected_normal = |element: usize| {
            let [from, to] = [from, to].map(|s| Vec3::from_array(normals.samples[s][element]));
            from.lerp(to, fraction).normalize()
        };
        let sign = if self.is_mirrored { -1.0 } else { 1.0 };
        self.corners(|vertex, corner, face| {
            let element = self.element(&normals.scope, corner, face);
            let expected = sign * expected_normal(element);
            let found = normal(vertex);
            assert!(
                found.abs_diff_eq(expected, NORMAL_TOLERANCE),
                "frame {frame}, corner {corner}: found {found}, expected {expected}"
            );
        });
    }

    fn element(&self, scope: &str, corner: usize, face: usize) -> usize {
        match scope {
            "kFacevaryingScope" => corner,
            "kVertexScope" | "kVaryingScope" => self.expected.indices[corner],
            "kUniformScope" => face,
            "kConstantScope" => 0,
            other => panic!("scope {other}"),
        }
    }

    /// The triangles of a face have its area, on the other side: faces wind clockwise in the file.
    fn assert_winding(&self) {
        let mut triangles = self.mesh.triangles().iter();
        let at = |point: usize| Vec3::from_array(self.expected.points[0][point]).as_dvec3();
        for (_, corners) in self.faces() {
            let corners = corners.map(|corner| at(self.expected.indices[corner]));
            let corners: Vec<DVec3> = corners.collect();
            let next = corners.iter().cycle().skip(1);
            let area: DVec3 = corners.iter().zip(next).map(|(a, b)| a.cross(*b)).sum();
            let found: DVec3 = triangles
                .by_ref()
                .take(corners.len() - 2)
                .map(|triangle| {
                    let [a, b, c] = triangle.map(|v| at(self.points[v as usize] as usize));
                    (b - a).cross(c - a)
                })
                .sum();
            let expected = if self.is_mirrored { area } else { -area };
            assert!(
                found.abs_diff_eq(expected, 1e-6),
                "{found}, expected {expected}"
            );
        }
    }
}

#[test]
fn files_of_other_programs_agree_with_the_reference() {
    let (Some(assets), Some(tool)) = (shared_assets(), tool()) else {
        return;
    };
    let files = files_below(&assets.join("alembic"), &["abc"]);
    assert!(files.len() >= 4);
    let compared: usize = files.iter().map(|file| assert_agrees(&tool, file)).sum();
    // 10 transforms and 10 frames, 24 transforms, and what stands still.
    assert!(compared >= 44, "{compared}");
}

#[test]
fn uniform_cyclic_and_acyclic_samples_agree_with_the_reference() {
    let Some(written) = Written::new() else {
        return;
    };
    for (name, samples) in [("uniform", 15), ("cyclic", 14), ("acyclic", 16)] {
        let file = written.file(&format!("{name}.abc"));
        assert_eq!(assert_agrees(&written.tool, &file), samples, "{name}");
    }
}

#[test]
fn transforms_that_do_not_inherit_shear_or_mirror_agree_with_the_reference() {
    let Some(written) = Written::new() else {
        return;
    };
    let file = written.file("not_inheriting.abc");
    assert_eq!(assert_agrees(&written.tool, &file), 3 * 4 + 1 + 2 + 2);
}

#[test]
fn every_scope_and_indices_that_change_agree_with_the_reference() {
    let Some(written) = Written::new() else {
        return;
    };
    let file = written.file("scopes.abc");
    let scopes: Vec<String> = expected(&written.tool, &file)
        .meshes
        .into_iter()
        .map(|mesh| mesh.normals.expect("normals").scope)
        .collect();
    let names = [
        "kUniformScope",
        "kVaryingScope",
        "kConstantScope",
        "kFacevaryingScope",
    ];
    assert_eq!(scopes, names);
    assert_eq!(assert_agrees(&written.tool, &file), 1 + 4 * 3);
}

#[test]
fn holes_of_subdivision_surfaces_agree_with_the_reference() {
    let Some(written) = Written::new() else {
        return;
    };
    let file = written.file("holes.abc");
    assert_eq!(expected(&written.tool, &file).meshes[0].holes, [1]);
    assert_eq!(assert_agrees(&written.tool, &file), 1 + 2);
}

#[test]
fn normals_with_other_times_than_points_agree_with_the_reference() {
    let Some(tool) = tool() else {
        return;
    };
    let mut file = AbcFile::default();
    // Points at 24 samples per second, normals at 12.
    let points = |i: u16| vec![[0.0, 0.0, f32::from(i)], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let points: Vec<_> = (0..6).map(points).collect();
    let normal = |i: u16| {
        vec![
            [f32::from(i), 1.0, 0.0],
            [0.0, f32::from(i), 1.0],
            [1.0, 0.0, 0.0],
        ]
    };
    let normals: Vec<_> = (0..3).map(normal).collect();
    let normals = file.normals("fvr", 2, &normals);
    let geometry = file.geometry(&points, &[3], &[0, 1, 2], &[normals]);
    let mesh = file.object("mesh", POLY_MESH, &[geometry], &[]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.abc");
    std::fs::write(&path, file.finish(&[mesh])).unwrap();
    let found = expected(&tool, &path);
    let normals = found.meshes[0].normals.as_ref().expect("normals");
    assert_eq!(normals.times, [0.0, 1.0 / 12.0, 2.0 / 12.0]);
    assert_eq!(assert_agrees(&tool, &path), 6);
}

#[test]
fn motion_of_transforms_agrees_with_the_reference() {
    let Some(written) = Written::new() else {
        return;
    };
    let file = written.file("uniform.abc");
    let motion = import_motion_file(&file, &ImportOptions::default()).unwrap();
    for xform in &expected(&written.tool, &file).xforms {
        assert_eq!(assert_xform(&motion.character, xform, "motion"), 5);
    }
}

#[test]
fn rejects_topology_that_varies() {
    let Some(written) = Written::new() else {
        return;
    };
    for (name, problem) in [
        ("varying_points.abc", "frame 1 has 3 points, frame 0 has 4"),
        (
            "varying_faces.abc",
            "'.faceIndices' of frame 1 differs from frame 0",
        ),
    ] {
        let error = import_file(&written.file(name), &ImportOptions::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unsupported);
        let text = error.to_string();
        assert!(text.contains("object '/splash'"), "{text}");
        assert!(text.contains(problem), "{text}");
        assert!(
            text.contains("same points and faces in every frame"),
            "{text}"
        );
    }
}

#[test]
fn instances_share_a_mesh_and_move_with_their_own_parents() {
    let Some(written) = Written::new() else {
        return;
    };
    let file = written.file("instances.abc");
    let import = import_file(&file, &ImportOptions::default()).unwrap();
    let character = &import.character;
    assert_eq!((character.meshes().len(), character.parts().len()), (1, 2));
    let joints = character.skeleton().joints();
    let joint = |name: &str| joints.iter().position(|j| j.name == name).unwrap();
    let mut pose = CharacterPose::rest(character);
    for time in [0.5, 0.5 + 2.0 / 24.0] {
        pose.sample(character, &character.clips()[0], time);
        let [source, copy] = ["source", "copy"].map(|n| pose.model.model_from_joint[joint(n)]);
        let moved = DVec3::new(5.0, 0.0, 0.0) + source.translation;
        assert!(copy.translation.abs_diff_eq(moved, 1e-6));
        assert!(copy.matrix3.abs_diff_eq(source.matrix3, 1e-6));
    }
}
