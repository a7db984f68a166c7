//! CPU skinning of animated meshes: linear blend skinning (LBS), dual-quaternion skinning (DQS), blends of both, optimised
//! centres of rotation, bulge-free dual quaternions and screw-linear blending.
//!
//! A [`throng_rig::Mesh`] and a [`throng_rig::Palette`] go in, positions and normals in model space come out, by one of
//! the methods of [`throng_rig::Method`]:
//!
//! - [`reference`](mod@reference) is float64 and written for clarity: everything else in Throng is measured against it.
//!   [`reference::skin`] skins one mesh, [`reference::skin_part`] a part of a posed character.
//! - [`fast`] is float32 SIMD and written for speed: a [`fast::FastMesh`] is laid out once, a [`fast::FastPalette`] is
//!   converted once per pose.
//! - [`artefacts`] measures what a method does to a limb: lost volume, pinching and bulging per joint.
//! - [`prepare()`] gives a character what some methods need beside weights: blend factors that [`blend_factors`] chooses from
//!   its clips, and [`rotation_centers`].
//!
//! Buffers belong to the caller and are reused from frame to frame.
//!
//! # Example
//!
//! A wrist between a forearm at rest and a hand that is twisted by 120°. LBS halves its radius ("candy wrapper"), DQS
//! rotates it by 60°:
//!
//! ```
//! use glam::{DAffine3, DVec3, Vec3};
//! use throng_rig::{Influences, Mesh, Method, Palette};
//! use throng_skin::fast::{self, FastMesh, FastOptions, FastPalette, FastSkinned};
//! use throng_skin::reference::{self, Skinned};
//!
//! let twist = 120f64.to_radians();
//! let joints = [DAffine3::IDENTITY, DAffine3::from_rotation_x(twist)];
//! let palette = Palette::from_nodes(&joints, &[DVec3::ZERO; 2]);
//!
//! // A ring of three vertices about the X axis; each joint has half the weight of each vertex.
//! let ring = vec![Vec3::Y, Vec3::Z, Vec3::NEG_Y];
//! let influences = Influences::new([[(0, 0.5), (1, 0.5)]; 3])?;
//! let mesh = Mesh::new(ring, vec![[0, 1, 2]], influences)?;
//!
//! let mut skinned = Skinned::default();
//! reference::skin(Method::Lbs, &mesh, &[], &palette, &mut skinned);
//! assert!((skinned.positions[0].length() - 0.5).abs() < 1e-14);
//!
//! reference::skin(Method::Dqs, &mesh, &[], &palette, &mut skinned);
//! let (sin, cos) = 60f64.to_radians().sin_cos();
//! assert!(skinned.positions[0].abs_diff_eq(DVec3::new(0.0, cos, sin), 1e-14));
//!
//! // The same in float32, with the widest instructions of this machine.
//! let fast_mesh = FastMesh::new(&mesh);
//! let fast_palette = FastPalette::new(Method::Dqs, &palette);
//! let mut fast_skinned = FastSkinned::default();
//! fast::skin(&fast_mesh, &fast_palette, FastOptions::default(), &mut fast_skinned);
//! let first = fast_skinned.position(fast_mesh.slot_of()[0] as usize);
//! assert!(first.abs_diff_eq(skinned.positions[0].as_vec3(), 2e-6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod artefacts;
mod auto_blend;
mod bounds;
mod centers;
pub mod fast;
mod prepare;
pub mod reference;
mod rest;

pub use auto_blend::blend_factors;
pub use bounds::{posed_bounds, rest_size};
pub use centers::rotation_centers;
pub use prepare::{is_prepared, prepare, prepare_source};
pub use rest::rest_vertices;

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
