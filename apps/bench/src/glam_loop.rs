//! A straightforward skinning loop with glam: one vertex after the other, four influences each, matrices and dual
//! quaternions in SSE registers.

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A, Vec4};
use throng_rig::{Mesh, Method, Palette};
use throng_simd::{F32x8, Level, Task};

/// Size of a palette: every byte is a valid palette index, so that lookups need no bounds check.
type Table<T> = [T; 256];

/// [`Vec3`] for fewer bytes, [`Vec3A`] for fewer instructions.
pub trait Point: Copy + Default + Into<Vec3A> + From<Vec3A> + From<Vec3> {}

impl Point for Vec3 {}
impl Point for Vec3A {}

#[derive(Clone, Copy)]
struct Vertex<P> {
    position: P,
    normal: P,
    weights: [f32; 4],
    joints: [u8; 4],
}

#[derive(Clone, Copy, Default)]
struct SkinnedVertex<P> {
    position: P,
    normal: P,
}

/// Position and normal in registers.
type Moved = (Vec3A, Vec3A);

#[derive(Clone, Copy)]
struct DualQuat {
    real: Quat,
    dual: Quat,
}

/// A mesh with the four heaviest influences of each vertex.
pub struct GlamMesh<P> {
    vertices: Vec<Vertex<P>>,
    out: Vec<SkinnedVertex<P>>,
}

/// A pose as matrices and dual quaternions.
pub struct GlamPalette {
    matrices: Table<Affine3A>,
    rigid: Table<DualQuat>,
    aligned: Table<DualQuat>,
}

impl<P: Point> GlamMesh<P> {
    /// Takes positions, normals and influences.
    ///
    /// # Panics
    /// Panics if a palette index is above 255.
    pub fn new(mesh: &Mesh) -> Self {
        let vertices = (0..mesh.vertex_count()).map(|v| {
            let (all_joints, all_weights) = mesh.influences().run(v);
            let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
            for i in 0..all_joints.len().min(4) {
                joints[i] = u8::try_from(all_joints[i]).expect("at most 256 joints");
                weights[i] = all_weights[i];
            }
            Vertex {
                position: mesh.positions()[v].into(),
                normal: mesh.normals()[v].into(),
                weights,
                joints,
            }
        });
        Self {
            vertices: vertices.collect(),
            out: vec![SkinnedVertex::default(); mesh.vertex_count()],
        }
    }

    /// Skins into the mesh's buffer. Stretches are left out: the palettes here are rigid.
    ///
    /// # Panics
    /// If the method is `dqs-bulge-free`, `cor` or `sclerp`, which have no plain loop.
    pub fn skin(&mut self, method: Method, palette: &GlamPalette, level: Level) {
        level.run(SkinLoop {
            method,
            palette,
            mesh: &self.vertices,
            out: &mut self.out,
        });
    }

    /// Position and normal of a vertex after the last call of `skin`.
    pub fn vertex(&self, vertex: usize) -> (Vec3, Vec3) {
        let SkinnedVertex { position, normal } = self.out[vertex];
        let (position, normal): Moved = (position.into(), normal.into());
        (position.into(), normal.into())
    }
}

impl GlamPalette {
    /// Takes matrices and dual quaternions.
    pub fn new(palette: &Palette) -> Self {
        let dual_quat = |q: &throng_rig::DualQuat| DualQuat {
            real: q.real.as_quat(),
            dual: q.dual.as_quat(),
        };
        let matrix = |m: &glam::DAffine3| {
            Affine3A::from_mat3_translation(m.matrix3.as_mat3(), m.translation.as_vec3())
        };
        Self {
            matrices: table(palette.matrices(), matrix),
            rigid: table(palette.rigid(), dual_quat),
            aligned: table(palette.aligned(), dual_quat),
        }
    }
}

/// Fills the rest with the first entry.
fn table<A, B>(list: &[A], convert: impl Fn(&A) -> B) -> Table<B> {
    std::array::from_fn(|index| convert(list.get(index).unwrap_or(&list[0])))
}

/// The loop, compiled per level.
struct SkinLoop<'a, P> {
    method: Method,
    palette: &'a GlamPalette,
    mesh: &'a [Vertex<P>],
    out: &'a mut [SkinnedVertex<P>],
}

impl<P: Point> Task for SkinLoop<'_, P> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        skin_inline(self.method, self.palette, self.mesh, self.out);
    }
}

#[inline(always)]
fn skin_inline<P: Point>(
    method: Method,
    palette: &GlamPalette,
    mesh: &[Vertex<P>],
    out: &mut [SkinnedVertex<P>],
) {
    let pairs = mesh.iter().zip(out);
    match method {
        Method::Lbs => {
            for (vertex, out) in pairs {
                *out = pack(by_matrix(
                    &blend_matrices(&palette.matrices, vertex),
                    vertex,
                ));
            }
        }
        Method::Dqs => {
            for (vertex, out) in pairs {
                *out = pack(by_dual_quat(blend_pivoting(&palette.rigid, vertex), vertex));
            }
        }
        Method::DqsPlain => {
            for (vertex, out) in pairs {
                *out = pack(by_dual_quat(blend_plain(&palette.rigid, vertex), vertex));
            }
        }
        Method::DqsDirect => {
            for (vertex, out) in pairs {
                *out = pack(by_dual_quat(blend_plain(&palette.aligned, vertex), vertex));
            }
        }
        Method::DqsSum => {
            for (vertex, out) in pairs {
                *out = pack(sum_of_moved(&palette.rigid, vertex));
            }
        }
        Method::DqsBulgeFree | Method::Cor | Method::Sclerp => {
            panic!("there is no plain loop for {method}");
        }
        Method::Blend(f) => {
            for (vertex, out) in pairs {
                let linear = blend_matrices(&palette.matrices, vertex);
                let rigid = to_affine(blend_pivoting(&palette.rigid, vertex));
                *out = pack(by_matrix(&mix(&linear, &rigid, f as f32), vertex));
            }
        }
        Method::BlendPositions(f) => {
            for (vertex, out) in pairs {
                let linear = by_matrix(&blend_matrices(&palette.matrices, vertex), vertex);
                let rigid = by_dual_quat(blend_pivoting(&palette.rigid, vertex), vertex);
                *out = pack((
                    linear.0.lerp(rigid.0, f as f32),
                    linear.1.lerp(rigid.1, f as f32).normalize(),
                ));
            }
        }
    }
}

#[inline(always)]
fn pack<P: Point>((position, normal): Moved) -> SkinnedVertex<P> {
    SkinnedVertex {
        position: position.into(),
        normal: normal.into(),
    }
}

#[inline(always)]
fn blend_matrices<P: Point>(list: &Table<Affine3A>, vertex: &Vertex<P>) -> Affine3A {
    let [a, b, c, d] = vertex.joints.map(|joint| &list[usize::from(joint)]);
    let w = vertex.weights;
    Affine3A {
        matrix3: a.matrix3 * w[0] + b.matrix3 * w[1] + c.matrix3 * w[2] + d.matrix3 * w[3],
        translation: a.translation * w[0]
            + b.translation * w[1]
            + c.translation * w[2]
            + d.translation * w[3],
    }
}

/// Transforms normals by the 3×3 matrix, as most loops do.
#[inline(always)]
fn by_matrix<P: Point>(matrix: &Affine3A, vertex: &Vertex<P>) -> Moved {
    (
        matrix.transform_point3a(vertex.position.into()),
        (matrix.matrix3 * vertex.normal.into()).normalize(),
    )
}

#[inline(always)]
fn blend_pivoting<P: Point>(list: &Table<DualQuat>, vertex: &Vertex<P>) -> DualQuat {
    let [a, b, c, d] = vertex.joints.map(|joint| &list[usize::from(joint)]);
    let signed = |term: &DualQuat, weight: f32| {
        if term.real.dot(a.real) < 0.0 {
            -weight
        } else {
            weight
        }
    };
    let w = vertex.weights;
    blend(
        [a, b, c, d],
        [w[0], signed(b, w[1]), signed(c, w[2]), signed(d, w[3])],
    )
}

#[inline(always)]
fn blend_plain<P: Point>(list: &Table<DualQuat>, vertex: &Vertex<P>) -> DualQuat {
    let terms = vertex.joints.map(|joint| &list[usize::from(joint)]);
    blend(terms, vertex.weights)
}

#[inline(always)]
fn blend([a, b, c, d]: [&DualQuat; 4], w: [f32; 4]) -> DualQuat {
    let real = a.real * w[0] + b.real * w[1] + c.real * w[2] + d.real * w[3];
    let dual = a.dual * w[0] + b.dual * w[1] + c.dual * w[2] + d.dual * w[3];
    let inverse = real.length_recip();
    DualQuat {
        real: real * inverse,
        dual: dual * inverse,
    }
}

#[inline(always)]
fn translation(q: DualQuat) -> Vec3A {
    let real = Vec3A::from_vec4(Vec4::from(q.real));
    let dual = Vec3A::from_vec4(Vec4::from(q.dual));
    2.0 * (q.real.w * dual - q.dual.w * real + real.cross(dual))
}

#[inline(always)]
fn by_dual_quat<P: Point>(q: DualQuat, vertex: &Vertex<P>) -> Moved {
    (
        q.real * vertex.position.into() + translation(q),
        q.real * vertex.normal.into(),
    )
}

#[inline(always)]
fn sum_of_moved<P: Point>(list: &Table<DualQuat>, vertex: &Vertex<P>) -> Moved {
    let (mut position, mut normal) = (Vec3A::ZERO, Vec3A::ZERO);
    for (joint, weight) in vertex.joints.into_iter().zip(vertex.weights) {
        let moved = by_dual_quat(list[usize::from(joint)], vertex);
        position += moved.0 * weight;
        normal += moved.1 * weight;
    }
    (position, normal.normalize())
}

#[inline(always)]
fn to_affine(q: DualQuat) -> Affine3A {
    Affine3A {
        matrix3: Mat3A::from_quat(q.real),
        translation: translation(q),
    }
}

#[inline(always)]
fn mix(a: &Affine3A, b: &Affine3A, f: f32) -> Affine3A {
    Affine3A {
        matrix3: a.matrix3 * (1.0 - f) + b.matrix3 * f,
        translation: a.translation.lerp(b.translation, f),
    }
}
