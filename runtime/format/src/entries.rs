//! Entries of a manifest that follow from the model.

use throng_rig::Character;

use crate::{JointEntry, PartEntry, SkinEntry};

impl JointEntry {
    /// Entries of all joints of a model.
    pub fn of_model(model: &Character) -> Vec<Self> {
        let joints = model.skeleton().joints().iter();
        joints
            .map(|joint| Self {
                name: joint.name.clone(),
                parent: joint.parent,
            })
            .collect()
    }
}

impl SkinEntry {
    /// Entries of all skins of a model, without dual quaternions.
    pub fn of_model(model: &Character) -> Vec<Self> {
        let skins = model.skins().iter();
        skins
            .map(|skin| Self {
                name: skin.name.clone(),
                joints: skin.joints().to_vec(),
                inverse_bind_dual_quaternions: Vec::new(),
            })
            .collect()
    }
}

impl PartEntry {
    /// Entries of all parts of a model.
    pub fn of_model(model: &Character) -> Vec<Self> {
        let (mut first_position, mut first_normal) = (0, 0);
        let parts = model.parts().iter();
        parts
            .map(|part| {
                let mesh = model.mesh_of(part);
                let entry = Self {
                    name: part.node_name.clone(),
                    skin: part.skin,
                    vertices: mesh.vertex_count() as u32,
                    first_position,
                    positions: mesh.unique().position_count() as u32,
                    first_normal,
                    normals: mesh.unique().normal_count() as u32,
                };
                first_position += entry.positions;
                first_normal += entry.normals;
                entry
            })
            .collect()
    }
}
