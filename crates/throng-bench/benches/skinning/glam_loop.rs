//! What a good programmer writes with glam: one vertex after the other, four influences each, matrices
//! and dual quaternions in SSE registers.
#![allow(unsafe_code)] // One call into the copy that is compiled for AVX2 and FMA.

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A, Vec4};
use throng_rig::{Mesh, Palette};
use throng_skin::Method;
use throng_skin::fast::Level;

#[derive(Clone, Copy)]
pub struct Vertex {
    position: Vec3,
    normal: Vec3,
    joints: [u16; 4],
    weights: [f32; 4],
}

#[derive(Clone, Copy)]
pub struct SkinnedVertex {
    position: Vec3,
    normal: Vec3,
}

#[derive(Clone, Copy)]
struct DualQuat {
    real: Quat,
    dual: Quat,
}

/// A mesh as such a loop wants it: the four heaviest influences of each vertex.
pub struct GlamMesh {
    vertices: Vec<Vertex>,
    out: Vec<SkinnedVertex>,
}

pub struct GlamPalette {
    matrices: Vec<Affine3A>,
    rigid: Vec<DualQuat>,
    aligned: Vec<DualQuat>,
}

impl GlamMesh {
    pub fn new(mesh: &Mesh) -> Self {
        let vertices = (0..mesh.vertex_count()).map(|v| {
            let (all_joints, all_weights) = mesh.influences().run(v);
            let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
            for i in 0..all_joints.len().min(4) {
                joints[i] = all_joints[i] as u16;
                weights[i] = all_weights[i];
            }
            Vertex {
                position: mesh.positions()[v],
                normal: mesh.normals()[v],
                joints,
                weights,
            }
        });
        let still = SkinnedVertex {
            position: Vec3::ZERO,
            normal: Vec3::ZERO,
        };
        Self {
            vertices: vertices.collect(),
            out: vec![still; mesh.vertex_count()],
        }
    }

    /// Skins into the mesh's own buffer. Stretches are left out: the palettes here are rigid.
    pub fn skin(&mut self, method: Method, palette: &GlamPalette, level: Level) {
        let Self { vertices, out } = self;
        match level {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the bench asks for levels that the machine has.
            Level::Avx2 => unsafe { skin_avx2(method, palette, vertices, out) },
            _ => skin(method, palette, vertices, out),
        }
    }

    pub fn position(&self, vertex: usize) -> Vec3 {
        self.out[vertex].position
    }
}

impl GlamPalette {
    pub fn new(palette: &Palette) -> Self {
        let dual_quat = |q: &throng_rig::DualQuat| DualQuat {
            real: q.real.as_quat(),
            dual: q.dual.as_quat(),
        };
        let matrices = palette
            .matrices()
            .iter()
            .map(|m| Affine3A::from_mat3_translation(m.matrix3.as_mat3(), m.translation.as_vec3()));
        Self {
            matrices: matrices.collect(),
            rigid: palette.rigid().iter().map(dual_quat).collect(),
            aligned: palette.aligned().iter().map(dual_quat).collect(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn skin_avx2(method: Method, palette: &GlamPalette, mesh: &[Vertex], out: &mut [SkinnedVertex]) {
    skin_inline(method, palette, mesh, out);
}

fn skin(method: Method, palette: &GlamPalette, mesh: &[Vertex], out: &mut [SkinnedVertex]) {
    skin_inline(method, palette, mesh, out);
}

#[inline(always)]
fn skin_inline(method: Method, palette: &GlamPalette, mesh: &[Vertex], out: &mut [SkinnedVertex]) {
    let pairs = mesh.iter().zip(out);
    match method {
        Method::Lbs => {
            for (vertex, out) in pairs {
                *out = by_matrix(&blend_matrices(&palette.matrices, vertex), vertex);
            }
        }
        Method::Dqs => {
            for (vertex, out) in pairs {
                *out = by_dual_quat(blend_pivoting(&palette.rigid, vertex), vertex);
            }
        }
        Method::DqsPlain => {
            for (vertex, out) in pairs {
                *out = by_dual_quat(blend_plain(&palette.rigid, vertex), vertex);
            }
        }
        Method::DqsDirect => {
            for (vertex, out) in pairs {
                *out = by_dual_quat(blend_plain(&palette.aligned, vertex), vertex);
            }
        }
        Method::DqsSum => {
            for (vertex, out) in pairs {
                *out = sum_of_moved(&palette.rigid, vertex);
            }
        }
        Method::Blend(f) => {
            for (vertex, out) in pairs {
                let linear = blend_matrices(&palette.matrices, vertex);
                let rigid = to_affine(blend_pivoting(&palette.rigid, vertex));
                *out = by_matrix(&mix(&linear, &rigid, f as f32), vertex);
            }
        }
        Method::BlendPositions(f) => {
            for (vertex, out) in pairs {
                let linear = by_matrix(&blend_matrices(&palette.matrices, vertex), vertex);
                let rigid = by_dual_quat(blend_pivoting(&palette.rigid, vertex), vertex);
                *out = SkinnedVertex {
                    position: linear.position.lerp(rigid.position, f as f32),
                    normal: linear.normal.lerp(rigid.normal, f as f32).normalize(),
                };
            }
        }
    }
}

#[inline(always)]
fn blend_matrices(matrices: &[Affine3A], vertex: &Vertex) -> Affine3A {
    let mut columns = [Vec3A::ZERO; 4];
    for (&joint, &weight) in vertex.joints.iter().zip(&vertex.weights) {
        let matrix = &matrices[joint as usize];
        columns[0] += matrix.matrix3.x_axis * weight;
        columns[1] += matrix.matrix3.y_axis * weight;
        columns[2] += matrix.matrix3.z_axis * weight;
        columns[3] += matrix.translation * weight;
    }
    Affine3A {
        matrix3: Mat3A::from_cols(columns[0], columns[1], columns[2]),
        translation: columns[3],
    }
}

/// Most loops turn normals by the 3×3 itself.
#[inline(always)]
fn by_matrix(matrix: &Affine3A, vertex: &Vertex) -> SkinnedVertex {
    SkinnedVertex {
        position: matrix.transform_point3a(vertex.position.into()).into(),
        normal: (matrix.matrix3 * Vec3A::from(vertex.normal))
            .normalize()
            .into(),
    }
}

#[inline(always)]
fn blend_pivoting(list: &[DualQuat], vertex: &Vertex) -> DualQuat {
    let pivot = list[vertex.joints[0] as usize].real;
    let mut sum = DualQuat {
        real: Quat::from_vec4(Vec4::ZERO),
        dual: Quat::from_vec4(Vec4::ZERO),
    };
    for (&joint, &weight) in vertex.joints.iter().zip(&vertex.weights) {
        let term = &list[joint as usize];
        let weight = if term.real.dot(pivot) < 0.0 {
            -weight
        } else {
            weight
        };
        sum.real = sum.real + term.real * weight;
        sum.dual = sum.dual + term.dual * weight;
    }
    normalized(sum)
}

#[inline(always)]
fn blend_plain(list: &[DualQuat], vertex: &Vertex) -> DualQuat {
    let mut sum = DualQuat {
        real: Quat::from_vec4(Vec4::ZERO),
        dual: Quat::from_vec4(Vec4::ZERO),
    };
    for (&joint, &weight) in vertex.joints.iter().zip(&vertex.weights) {
        let term = &list[joint as usize];
        sum.real = sum.real + term.real * weight;
        sum.dual = sum.dual + term.dual * weight;
    }
    normalized(sum)
}

#[inline(always)]
fn normalized(sum: DualQuat) -> DualQuat {
    let inverse = sum.real.length_recip();
    DualQuat {
        real: sum.real * inverse,
        dual: sum.dual * inverse,
    }
}

#[inline(always)]
fn translation(q: DualQuat) -> Vec3A {
    let real = Vec3A::from_vec4(q.real.into());
    let dual = Vec3A::from_vec4(q.dual.into());
    2.0 * (q.real.w * dual - q.dual.w * real + real.cross(dual))
}

#[inline(always)]
fn by_dual_quat(q: DualQuat, vertex: &Vertex) -> SkinnedVertex {
    let position = q.real * Vec3A::from(vertex.position) + translation(q);
    SkinnedVertex {
        position: position.into(),
        normal: (q.real * Vec3A::from(vertex.normal)).into(),
    }
}

#[inline(always)]
fn sum_of_moved(list: &[DualQuat], vertex: &Vertex) -> SkinnedVertex {
    let (mut position, mut normal) = (Vec3A::ZERO, Vec3A::ZERO);
    for (&joint, &weight) in vertex.joints.iter().zip(&vertex.weights) {
        let moved = by_dual_quat(list[joint as usize], vertex);
        position += Vec3A::from(moved.position) * weight;
        normal += Vec3A::from(moved.normal) * weight;
    }
    SkinnedVertex {
        position: position.into(),
        normal: normal.normalize().into(),
    }
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
