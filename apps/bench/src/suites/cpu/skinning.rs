//! Contests of skinning: one method on one scene, by our kernels, by plain glam loops where the method has them, and by a
//! kernel that only moves the same bytes.

use std::cell::RefCell;
use std::hint::black_box;

use glam::{Vec3, Vec3A};
use throng_rig::Method;
use throng_simd::Level;
use throng_skin::fast::{
    Cores, FastMesh, FastOptions, FastPalette, FastSkinned, StoreMode, move_bytes, skin,
};
use throng_skin::reference::{BoundVertex, motion};

use super::check::{checked, largest, unchecked};
use super::scene::Scene;
use crate::contest::Pair;
use crate::cpu_arena::CpuArena;
use crate::glam_loop::{GlamMesh, GlamPalette};
use crate::record::Entrant;

/// Skinning methods, in the order of the table.
pub const METHODS: [Method; 10] = [
    Method::Lbs,
    Method::Dqs,
    Method::DqsPlain,
    Method::DqsDirect,
    Method::DqsSum,
    Method::Blend(0.5),
    Method::BlendPositions(0.5),
    Method::Cor,
    Method::DqsBulgeFree,
    Method::Sclerp,
];

/// Methods of the plain loops.
const GLAM_METHODS: [Method; 7] = {
    let [a, b, c, d, e, f, g, ..] = METHODS;
    [a, b, c, d, e, f, g]
};

/// Most vertices that are compared with the reference; of larger meshes, every n-th.
const CHECKED_VERTICES: usize = 100_000;

/// A contestant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contestant {
    /// Plain loop, one core.
    Glam {
        /// Vectors of 16 bytes instead of 12.
        is_aligned: bool,
        /// Instructions that it is compiled for.
        level: Level,
    },
    /// Our kernel, in the order of batches.
    Ours(Cores),
    /// Our kernel on one core, then a copy in the vertex order of the mesh.
    InMeshOrder,
    /// Reads and writes the bytes of our kernel without arithmetic: the memory ceiling.
    MoveBytes(Cores),
}

impl Contestant {
    /// The plain loops: unaligned or aligned vectors, the flags of the build or AVX2 with FMA.
    pub fn glam() -> Vec<Self> {
        let mut levels = vec![Level::Portable, Level::detect().min(Level::Avx2)];
        levels.dedup();
        let of_level = |level| [false, true].map(|is_aligned| Self::Glam { is_aligned, level });
        levels.into_iter().flat_map(of_level).collect()
    }

    /// All contestants of a method: plain loops, where it has any, and ours. The second is the same as the first.
    fn all(method: Method) -> Vec<Self> {
        let mut all = match GLAM_METHODS.contains(&method) {
            true => Self::glam(),
            false => Vec::new(),
        };
        all.extend([
            Self::Ours(Cores::One),
            Self::Ours(Cores::All),
            Self::MoveBytes(Cores::One),
            Self::MoveBytes(Cores::All),
            Self::InMeshOrder,
        ]);
        all.insert(0, all[0]);
        all
    }

    /// Name within a section.
    pub fn name(self) -> String {
        let on = |cores| match cores {
            Cores::One => "one core",
            Cores::All => "all cores",
        };
        match self {
            Self::Glam { is_aligned, level } => {
                let vector = if is_aligned { "Vec3A" } else { "Vec3" };
                format!("glam loop, {vector}, {level}")
            }
            Self::Ours(cores) => format!("throng, {}", on(cores)),
            Self::InMeshOrder => "throng, one core, in mesh order".into(),
            Self::MoveBytes(cores) => format!("moving the bytes, {}", on(cores)),
        }
    }

    /// True if normals are those of the reference. Plain loops transform normals by the matrix of positions, as most do, which
    /// is the same for rigid motions only.
    fn has_exact_normals(self, method: Method) -> bool {
        let is_rigid = matches!(method, Method::Dqs | Method::DqsPlain | Method::DqsDirect);
        is_rigid || !matches!(self, Self::Glam { .. })
    }
}

/// A scene in the layouts of all contestants, and their buffers.
pub struct Workload<'a> {
    scene: &'a Scene,
    mesh: FastMesh,
    out: RefCell<FastSkinned>,
    /// Positions and normals in the vertex order of the mesh.
    in_mesh_order: RefCell<[Vec<Vec3>; 2]>,
    glam_palette: GlamPalette,
    packed: RefCell<GlamMesh<Vec3>>,
    aligned: RefCell<GlamMesh<Vec3A>>,
}

impl<'a> Workload<'a> {
    /// Lays out a scene.
    pub fn new(scene: &'a Scene) -> Self {
        let zeros = || vec![Vec3::ZERO; scene.mesh.vertex_count()];
        Self {
            scene,
            mesh: FastMesh::new(&scene.mesh),
            out: RefCell::default(),
            in_mesh_order: RefCell::new([zeros(), zeros()]),
            glam_palette: GlamPalette::new(&scene.palette),
            packed: RefCell::new(GlamMesh::new(&scene.mesh)),
            aligned: RefCell::new(GlamMesh::new(&scene.mesh)),
        }
    }

    /// Describes the mesh and its layout in one sentence.
    pub fn describe(&self) -> String {
        let vertices = self.scene.mesh.vertex_count() as f64;
        let [one, two, three, four, more] = self.scene.influence_counts();
        format!(
            "{} joints; {one}, {two}, {three}, {four} and {more} vertices have 1, 2, 3, 4 and more influences; {} runs of \
             batches, {:.1} % padding, {:.1} bytes read per vertex.",
            self.scene.palette.len(),
            self.mesh.run_count(),
            100.0 * (self.mesh.source_of().len() as f64 / vertices - 1.0),
            self.mesh.read_bytes() as f64 / vertices,
        )
    }

    /// Contestants of a method, each checked once, and the pairs that are compared.
    pub fn contest<'b>(
        &'b self,
        method: Method,
        palette: &'b FastPalette,
    ) -> (Vec<Entrant>, CpuArena<'b>, Vec<Pair>) {
        let all = Contestant::all(method);
        let vertices = self.scene.mesh.vertex_count() as u32;
        let mut arena = CpuArena::default();
        let mut entrants = Vec::new();
        for (at, &contestant) in all.iter().enumerate() {
            arena.add(vertices, move || self.run(contestant, method, palette));
            let mut entrant = self.check(contestant, method, palette);
            if at == 1 {
                entrant.name += " again";
            }
            entrants.push(entrant);
        }
        (entrants, arena, pairs(&all))
    }

    /// Skins once.
    fn run(&self, contestant: Contestant, method: Method, palette: &FastPalette) {
        let out = &mut *self.out.borrow_mut();
        match contestant {
            Contestant::Glam { is_aligned, level } => match is_aligned {
                false => {
                    let mut mesh = self.packed.borrow_mut();
                    mesh.skin(method, &self.glam_palette, level);
                }
                true => {
                    let mut mesh = self.aligned.borrow_mut();
                    mesh.skin(method, &self.glam_palette, level);
                }
            },
            Contestant::Ours(cores) => skin(&self.mesh, palette, options(cores), out),
            Contestant::InMeshOrder => {
                skin(&self.mesh, palette, options(Cores::One), out);
                let [positions, normals] = &mut *self.in_mesh_order.borrow_mut();
                out.copy_in_mesh_order(&self.mesh, positions, normals);
            }
            Contestant::MoveBytes(cores) => move_bytes(&self.mesh, palette, options(cores), out),
        }
        black_box(out);
    }

    /// Skins once and compares the result with float64 skinning.
    fn check(&self, contestant: Contestant, method: Method, palette: &FastPalette) -> Entrant {
        let name = contestant.name();
        if let Contestant::MoveBytes(_) = contestant {
            return unchecked(name, "");
        }
        self.run(contestant, method, palette);
        let mesh = &self.scene.mesh;
        let step = mesh.vertex_count().div_ceil(CHECKED_VERTICES).max(1);
        let distances = (0..mesh.vertex_count()).step_by(step).map(|vertex| {
            let bound = BoundVertex::of(mesh, &[], vertex);
            let motion = motion(method, &self.scene.palette, &bound);
            let (position, normal) = self.result(contestant, vertex);
            let expected = motion.position(mesh.positions()[vertex].as_dvec3());
            let expected_normal = motion.normal(mesh.normals()[vertex].as_dvec3());
            [
                position.as_dvec3().distance(expected),
                normal.as_dvec3().distance(expected_normal),
            ]
        });
        let distances: Vec<[f64; 2]> = distances.collect();
        let [error_m, normal_error] =
            [0, 1].map(|which| largest(distances.iter().map(|distance| distance[which])));
        let normal_error = contestant.has_exact_normals(method).then_some(normal_error);
        checked(name, method.to_string(), error_m, normal_error)
    }

    /// Position and normal of a vertex after the last run of a contestant.
    fn result(&self, contestant: Contestant, vertex: usize) -> (Vec3, Vec3) {
        match contestant {
            Contestant::Glam { is_aligned, .. } => match is_aligned {
                false => self.packed.borrow().vertex(vertex),
                true => self.aligned.borrow().vertex(vertex),
            },
            Contestant::InMeshOrder => {
                let [positions, normals] = &*self.in_mesh_order.borrow();
                (positions[vertex], normals[vertex])
            }
            Contestant::Ours(_) | Contestant::MoveBytes(_) => {
                let slot = self.mesh.slot_of()[vertex] as usize;
                let out = self.out.borrow();
                (out.position(slot), out.normal(slot))
            }
        }
    }
}

/// The A/A pair; ours against every plain loop and against the ceiling; the plain loops against the ceiling; all cores
/// against one.
fn pairs(all: &[Contestant]) -> Vec<Pair> {
    let index = |wanted: Contestant| {
        let found = all.iter().position(|&one| one == wanted);
        found.expect("a contestant of the list")
    };
    let [ours, ceiling] = [
        Contestant::Ours as fn(Cores) -> Contestant,
        Contestant::MoveBytes,
    ]
    .map(|of| [Cores::One, Cores::All].map(|cores| index(of(cores))));
    let mut pairs = vec![Pair::same(1, 0)];
    let has_loop = |glam: &Contestant| all.contains(glam);
    for glam in Contestant::glam().into_iter().filter(has_loop) {
        pairs.push(Pair::of(ours[0], index(glam)));
        pairs.push(Pair::of(index(glam), ceiling[0]));
    }
    pairs.push(Pair::of(ours[0], ceiling[0]));
    pairs.push(Pair::of(ours[1], ours[0]));
    pairs.push(Pair::of(ceiling[1], ceiling[0]));
    pairs.push(Pair::of(index(Contestant::InMeshOrder), ours[0]));
    pairs
}

fn options(cores: Cores) -> FastOptions {
    FastOptions {
        level: Level::detect(),
        store_mode: StoreMode::BySize,
        cores,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Status;
    use crate::suites::cpu::scene::SceneSpec;

    #[test]
    fn all_contestants_compute_the_reference() {
        for spec in [SceneSpec::Body(10_000), SceneSpec::Humanoid(5_000)] {
            let scene = spec.make().unwrap();
            let workload = Workload::new(&scene);
            for method in METHODS {
                let palette = FastPalette::new(method, &scene.palette);
                let (entrants, arena, pairs) = workload.contest(method, &palette);
                assert_eq!(entrants.len(), arena.len());
                assert!(pairs.iter().all(|pair| pair.entrant < arena.len()));
                for entrant in entrants {
                    assert_eq!(
                        entrant.status,
                        Status::Measured,
                        "{}, {method}, {}",
                        spec.title(),
                        entrant.name
                    );
                    let is_checked = entrant.picture_error_mm.is_some();
                    assert_eq!(is_checked, !entrant.name.starts_with("moving"));
                }
            }
        }
    }

    #[test]
    fn a_kernel_of_another_method_is_a_wrong_picture() {
        let scene = SceneSpec::Body(1_000).make().unwrap();
        let workload = Workload::new(&scene);
        let lbs = FastPalette::new(Method::Lbs, &scene.palette);
        let (entrants, ..) = workload.contest(Method::Dqs, &lbs);
        for entrant in entrants {
            let is_wrong = matches!(entrant.status, Status::WrongPicture { .. });
            assert_eq!(is_wrong, entrant.name.starts_with("throng"), "{entrant:?}");
        }
    }

    #[test]
    fn names_are_unique() {
        let names: Vec<String> = Contestant::all(Method::Lbs)[1..]
            .iter()
            .map(|one| one.name())
            .collect();
        let unique: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!(unique.len(), names.len());
    }
}
