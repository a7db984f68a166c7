//! Alembic import: caches of moving points, transforms and polygon meshes in an Ogawa container.
//!
//! [`ogawa`] reads groups and data of the container, [`archive`] the headers of objects and properties, [`property`]
//! samples, and [`time_sampling`] their times. [`objects`] lists the tree, [`xform`] and [`joints`] convert transforms,
//! [`meshes`] converts polygons, and [`frames`] reads moving points when they are asked for. A file is never read as
//! a whole: opening one takes memory for its headers and one frame of each mesh.
//!
//! The format is defined by the library that writes it. The conventions here:
//!
//! - Alembic states no unit. One unit is a metre; scale the file or its top transform otherwise. Y is up.
//! - Each transform with a mesh below is a joint, and each mesh a rigid part of the transform above. The rest pose is the
//!   first sample. Points that change over time are a vertex cache. All that moves is one clip, with the name of the file.
//! - Transforms, points and normals keep the times of their own samples. Between two samples, translations, rotations and
//!   scales are interpolated, not matrices.
//! - Faces wind clockwise as seen from outside, and are reversed. V of texture coordinates points up, and is reversed.
//! - Points and faces must be the same in every frame. A file may have several equal samples of faces.
//! - Normals change over time as in the file. Corners of a point share a vertex if their normals are equal in the first
//!   frame and in eight others. Texture coordinates are those of the first sample.
//! - Subdivision surfaces are read as their cage, without faces that are holes. Visibility, colours, velocities, bounds
//!   and user properties are ignored. Objects of other schemas are ignored and reported.
//! - Instances stand for their source and all below it. Parts of instances share meshes.
//!
//! Files in the older HDF5 container are rejected.

mod archive;
mod bytes;
mod frames;
mod joints;
mod meshes;
mod metadata;
mod objects;
mod ogawa;
mod polygons;
mod property;
mod scope;
mod time_sampling;
mod xform;

use std::collections::HashMap;
use std::sync::Arc;

use throng_rig::{Character, CharacterParts, Clip, Mesh, MorphTrack, Part, Skeleton, Skin};

use crate::assemble::{assemble, assemble_motion, check_part_vertices, check_skin_joints};
use crate::error::{Fault, Outcome};
use crate::limits::{MAX_CLIP_SECS, MAX_PARTS};
use crate::{ImportOptions, Warning};
use archive::Archive;
pub(crate) use bytes::{ByteSource, FileBytes};
use joints::Joints;
use meshes::PolyMesh;
use objects::{Objects, Schema, Use};

/// Reads a character and the name of the generator from a file.
pub(crate) fn read(
    name: &str,
    file: Arc<dyn ByteSource>,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<(Character, Option<String>)> {
    let (archive, objects, uses) = open(file, warnings)?;
    let has_mesh: Vec<bool> = uses.iter().map(|used| is_mesh(&objects, used)).collect();
    // A file of transforms alone: they are the character.
    let wanted = match has_mesh.contains(&true) {
        true => has_mesh.clone(),
        false => vec![true; uses.len()],
    };
    let joints = Joints::build(&archive, &objects, &uses, &wanted, warnings)?;
    let mut assembly = Assembly {
        archive: &archive,
        objects: &objects,
        options,
        mirrored: mirrored(&joints),
        joints,
        parts: Vec::new(),
        meshes: Vec::new(),
        mesh_of: HashMap::new(),
        joint_of_part: Vec::new(),
        morph_sets: Vec::new(),
        morphs: Vec::new(),
    };
    for (index, used) in uses.iter().enumerate() {
        if has_mesh[index] {
            assembly.add_mesh(index, used, warnings)?;
        }
    }
    let character = assembly.finish(name, warnings)?;
    Ok((character, archive.application))
}

/// Reads the transforms of a file as a skeleton and a clip, without meshes.
pub(crate) fn read_motion(
    name: &str,
    file: Arc<dyn ByteSource>,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<(Character, Option<String>)> {
    let (archive, objects, uses) = open(file, warnings)?;
    let wanted = vec![true; uses.len()];
    let joints = Joints::build(&archive, &objects, &uses, &wanted, warnings)?;
    let skeleton = Skeleton::new(joints.joints).map_err(|error| Fault::data("", error))?;
    let clips = clip(name, joints.tracks, Vec::new())?.into_iter().collect();
    let character = assemble_motion(name, skeleton, clips, options, warnings)?;
    Ok((character, archive.application))
}

fn open(
    file: Arc<dyn ByteSource>,
    warnings: &mut Vec<Warning>,
) -> Outcome<(Archive, Objects, Vec<Use>)> {
    let archive = Archive::open(file).map_err(|error| error.of(""))?;
    let objects = Objects::read(&archive, warnings)?;
    let uses = objects.uses(&archive, warnings)?;
    Ok((archive, objects, uses))
}

fn is_mesh(objects: &Objects, used: &Use) -> bool {
    let schema = objects.list[used.object].schema;
    matches!(schema, Schema::PolyMesh | Schema::SubD)
}

/// Returns, per joint, true if its model transform mirrors in the rest pose.
fn mirrored(joints: &Joints) -> Vec<bool> {
    let mut mirrored: Vec<bool> = Vec::with_capacity(joints.joints.len());
    for joint in &joints.joints {
        let above = joint.parent.is_some_and(|parent| mirrored[parent]);
        let mirrors = joint.parent_from_joint.scale.element_product() < 0.0;
        mirrored.push(above ^ mirrors);
    }
    mirrored
}

/// Makes the clip of all that moves; `None` if nothing does.
fn clip(
    name: &str,
    joints: Vec<throng_rig::JointTracks>,
    morphs: Vec<MorphTrack>,
) -> Outcome<Option<Clip>> {
    if joints.is_empty() && morphs.is_empty() {
        return Ok(None);
    }
    let clip =
        Clip::new(name.to_owned(), joints, morphs).map_err(|error| Fault::data("", error))?;
    if clip.duration_secs() > MAX_CLIP_SECS {
        let problem = format!("lasts {:e} s", clip.duration_secs());
        return Err(Fault::limit("", problem, "MAX_CLIP_SECS", MAX_CLIP_SECS));
    }
    Ok(Some(clip))
}

/// Index of a mesh, and the times of its cache.
type ReadMesh = (usize, Arc<[f64]>);

/// Meshes and parts of a character. Each mesh of the file is read once, however often it is used.
struct Assembly<'a> {
    archive: &'a Archive,
    objects: &'a Objects,
    options: &'a ImportOptions,
    joints: Joints,
    /// Per joint of a transform, true if it mirrors.
    mirrored: Vec<bool>,
    meshes: Vec<Mesh>,
    /// Index in `meshes` and times of the cache, by object and whether it is mirrored; `None` if it cannot be drawn.
    mesh_of: HashMap<(usize, bool), Option<ReadMesh>>,
    parts: Vec<Part>,
    joint_of_part: Vec<usize>,
    morph_sets: Vec<(String, Vec<f32>)>,
    morphs: Vec<MorphTrack>,
}

impl Assembly<'_> {
    /// Adds the part of a mesh where it is used.
    fn add_mesh(&mut self, index: usize, used: &Use, warnings: &mut Vec<Warning>) -> Outcome<()> {
        let is_mirrored = self.joints.of_use[index].is_some_and(|joint| self.mirrored[joint]);
        let Some((mesh, times)) = self.mesh(used.object, is_mirrored, warnings)? else {
            return Ok(());
        };
        let joint = match self.joints.of_use[index] {
            Some(joint) => joint,
            None => self.joints.add_still(used.name.clone()),
        };
        let morph_set = match times.is_empty() {
            true => None,
            false => {
                let set = self.morph_sets.len();
                // Position -1 is the mesh as it stands, which is the first frame.
                self.morph_sets.push((used.name.clone(), vec![-1.0]));
                let track = MorphTrack::of_frames(set, times)
                    .map_err(|error| Fault::data(self.objects.label(used.object), error))?;
                self.morphs.push(track);
                Some(set)
            }
        };
        if self.parts.len() >= MAX_PARTS {
            let problem = format!("has more than {MAX_PARTS} meshes, instances included");
            return Err(Fault::limit("", problem, "MAX_PARTS", MAX_PARTS));
        }
        self.parts.push(Part {
            node: index,
            node_name: used.name.clone(),
            primitive: 0,
            mesh,
            skin: self.parts.len(),
            morph_set,
        });
        self.joint_of_part.push(joint);
        Ok(())
    }

    /// Reads a mesh, or finds it among those that were read.
    fn mesh(
        &mut self,
        object: usize,
        is_mirrored: bool,
        warnings: &mut Vec<Warning>,
    ) -> Outcome<Option<ReadMesh>> {
        if let Some(known) = self.mesh_of.get(&(object, is_mirrored)) {
            return Ok(known.clone());
        }
        let label = self.objects.label(object);
        let properties = self
            .objects
            .compound(self.archive, object, ".geom")
            .map_err(|error| error.of(label.as_str()))?;
        if self.objects.list[object].schema == Schema::SubD {
            warnings.push(Warning::Unused {
                what: format!("{label}: is a subdivision surface; used its cage, not subdivided"),
            });
        }
        let read = PolyMesh::read(self.archive, &properties, &label, self.options, warnings)?;
        let found = read.map(|mut read| {
            if is_mirrored {
                read.mesh.reverse();
            }
            self.meshes.push(read.mesh);
            (self.meshes.len() - 1, read.times)
        });
        self.mesh_of.insert((object, is_mirrored), found.clone());
        Ok(found)
    }

    fn finish(self, name: &str, warnings: &mut Vec<Warning>) -> Outcome<Character> {
        check_part_vertices(&self.meshes, &self.parts, self.archive.container.len())?;
        check_skin_joints(self.parts.len())?;
        let clips = clip(name, self.joints.tracks, self.morphs)?;
        let joints = self.joints.joints;
        let skeleton = Skeleton::new(joints).map_err(|error| Fault::data("", error))?;
        let skins = self
            .parts
            .iter()
            .zip(&self.joint_of_part)
            .map(|(part, &joint)| {
                Skin::rigid(part.node_name.clone(), &skeleton, joint)
                    .map_err(|error| Fault::data("", error))
            });
        let skins = skins.collect::<Outcome<Vec<Skin>>>()?;
        let pieces = CharacterParts {
            name: name.to_owned(),
            skeleton,
            skins,
            meshes: self.meshes,
            parts: self.parts,
            morph_sets: self.morph_sets,
            clips: clips.into_iter().collect(),
            materials: Vec::new(),
            images: Vec::new(),
        };
        assemble(pieces, self.options, warnings)
    }
}
