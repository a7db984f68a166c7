//! Measures of skinning artefacts: lost or gained volume, pinched or bulged limbs.
//!
//! Each joint has a region: the vertices whose heaviest influence it is, and those that it shares with the bone
//! above. Three measures of a region are compared with the rest pose, skinned by the same method: the volume
//! between the surface and the joint, the distances of vertices from the bones that meet at the joint, and
//! their distances from the joint. A ratio of one means unchanged.

mod region;

use glam::DVec3;
use throng_rig::{Character, CharacterPose, Part};

use crate::reference::Skinned;
use region::tetrahedron_volume;
pub(crate) use region::{Region, RegionVertex, RestMeasures, Surface, regions};

/// Artefacts around one joint.
#[derive(Debug, Clone, PartialEq)]
pub struct JointArtefacts {
    /// Index into the skeleton.
    pub joint: usize,
    /// Number of vertices of the region.
    pub vertices: usize,
    /// Ratio of the volume between the region's surface and the joint; `None` if the joint is in the surface, so
    /// that there is almost no volume.
    pub volume_ratio: Option<f64>,
    /// Smallest ratio of a vertex's distance from the bones: pinched below one.
    pub min_radius_ratio: f64,
    /// Largest ratio of a vertex's distance from the bones: bulged above one.
    pub max_radius_ratio: f64,
    /// Smallest ratio of a vertex's distance from the joint.
    pub min_distance_ratio: f64,
    /// Largest ratio of a vertex's distance from the joint.
    pub max_distance_ratio: f64,
}

impl JointArtefacts {
    /// Returns the largest difference of any ratio from one.
    pub fn worst_change(&self) -> f64 {
        self.changes().into_iter().fold(0.0, f64::max)
    }

    /// Returns the sum of the differences of all ratios from one: what `blend:auto` makes small.
    pub fn total_change(&self) -> f64 {
        self.changes().into_iter().sum()
    }

    fn changes(&self) -> [f64; 5] {
        [
            self.volume_ratio.unwrap_or(1.0),
            self.min_radius_ratio,
            self.max_radius_ratio,
            self.min_distance_ratio,
            self.max_distance_ratio,
        ]
        .map(|ratio| (ratio - 1.0).abs())
    }
}

/// Artefacts of a character.
#[derive(Debug, Clone, PartialEq)]
pub struct Artefacts {
    /// Ratio of the volume that all parts enclose; meaningful for closed surfaces.
    pub volume_ratio: f64,
    /// Joints with a region, in the order of the skeleton.
    pub joints: Vec<JointArtefacts>,
}

/// A character in one pose, skinned.
#[derive(Debug, Clone, Copy)]
pub struct PosedSurface<'a> {
    /// Pose of the joints.
    pub pose: &'a CharacterPose,
    /// One per part of the character, in order.
    pub parts: &'a [Skinned],
}

/// Compares a pose with the rest pose, both skinned by the same method.
///
/// # Panics
/// If the surfaces are not those of the character.
pub fn measure(
    character: &Character,
    rest: PosedSurface<'_>,
    posed: PosedSurface<'_>,
) -> Artefacts {
    let regions = regions(character);
    let compare = |region: &Region| region.compare(&region.at_rest(&rest), &posed);
    let joints = regions.iter().map(compare).collect();
    let total = |surface: PosedSurface<'_>| -> f64 {
        let parts = character.parts().iter().zip(surface.parts);
        let volume = |(part, skinned): (&Part, &Skinned)| -> f64 {
            let triangles = character.mesh_of(part).triangles().iter();
            let corners = triangles.map(|t| t.map(|v| skinned.positions[v as usize]));
            corners.map(tetrahedron_volume).sum()
        };
        parts.map(volume).sum()
    };
    Artefacts {
        volume_ratio: ratio(total(posed), total(rest)),
        joints,
    }
}

impl Surface for PosedSurface<'_> {
    fn vertex(&self, vertex: RegionVertex) -> DVec3 {
        self.parts[vertex.part as usize].positions[vertex.vertex as usize]
    }

    fn joint(&self, joint: usize) -> DVec3 {
        self.pose.model.model_from_joint[joint].translation
    }
}

fn ratio(posed: f64, rest: f64) -> f64 {
    if rest == 0.0 { 1.0 } else { posed / rest }
}
