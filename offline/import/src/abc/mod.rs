//! Alembic import: caches of moving points, transforms and polygon meshes in an Ogawa container.
//!
//! [`ogawa`] reads groups and data of the container, [`archive`] the headers of objects and properties, [`property`]
//! samples, and [`time_sampling`] their times. [`objects`] lists the tree, [`xform`] and [`joints`] convert transforms,
//! [`meshes`] and [`corners`] convert polygons, and [`frames`] reads moving points when they are asked for. [`report`] sums
//! up warnings. A file is never in memory as a whole: opening one takes memory for its headers and one frame of each mesh.
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
//! - Normals change over time as in the file. Corners of a point share a vertex if their normals are equal in every
//!   sample. Opening a file therefore reads all samples of normals per corner and per face, one at a time. Where that is
//!   too much work, because samples are shared by many meshes, every corner is a vertex, which is reported. Texture
//!   coordinates are those of the first sample.
//! - Subdivision surfaces are read as their cage, without faces that are holes. Velocities, bounds and user properties are
//!   ignored. Visibility, colours, further texture coordinates and objects of other schemas are ignored and reported.
//! - Instances stand for their source and all below it. Parts of instances share meshes.
//!
//! Files in the older HDF5 container are rejected.

mod archive;
mod bytes;
mod corners;
mod frames;
mod joints;
mod meshes;
mod metadata;
mod objects;
mod ogawa;
mod polygons;
mod property;
mod report;
mod scope;
mod time_sampling;
mod xform;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use throng_rig::{Character, CharacterParts, Clip, Mesh, MorphTrack, Part, Skeleton, Skin};

use crate::assemble::{assemble, assemble_motion, check_part_vertices, check_skin_joints};
use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::{MAX_CLIP_SECS, MAX_PARTS};
use crate::{ImportOptions, Warning};
use archive::Archive;
pub(crate) use bytes::{ByteSource, FileBytes};
use joints::Joints;
use meshes::PolyMesh;
use objects::{Objects, Schema, Use};
use report::{Notice, Report};

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
    let mut report = Report::default();
    let joints = Joints::build(&archive, &objects, &uses, &wanted, &mut report, warnings)?;
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
        hidden: HashSet::new(),
        report,
    };
    for (index, used) in uses.iter().enumerate() {
        if has_mesh[index] {
            assembly.add_mesh(index, used)?;
        }
    }
    let character = assembly.finish(name, warnings)?;
    Ok((character, archive.application))
}

/// Reads the transforms of a file as a skeleton and a clip, without meshes. Reports the number of vertex caches.
pub(crate) fn read_motion(
    name: &str,
    file: Arc<dyn ByteSource>,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<(Character, Option<String>)> {
    let (archive, objects, uses) = open(file, warnings)?;
    let wanted = vec![true; uses.len()];
    let mut report = Report::default();
    let joints = Joints::build(&archive, &objects, &uses, &wanted, &mut report, warnings)?;
    report.finish(warnings);
    let caches = moving_meshes(&archive, &objects, &uses)?;
    Warning::report_dropped_morphs(caches, warnings);
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

/// Returns the number of meshes whose points change over time. Meshes that are invalid do not count.
fn moving_meshes(archive: &Archive, objects: &Objects, uses: &[Use]) -> Outcome<usize> {
    let meshes = uses.iter().filter(|used| is_mesh(objects, used));
    let meshes: BTreeSet<usize> = meshes.map(|used| used.object).collect();
    let mut moving = 0;
    for object in meshes {
        let points = objects
            .compound(archive, object, ".geom")
            .and_then(|properties| archive.samples(&properties, "P"));
        match points {
            Ok(points) => moving += usize::from(points.is_some_and(|p| !p.is_constant())),
            Err(error) if error.kind == ErrorKind::Limit => {
                return Err(error.of(objects.label(object)));
            }
            Err(_) => {}
        }
    }
    Ok(moving)
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

/// A mesh that was read, and the morph set that plays its cache.
#[derive(Clone, Copy)]
struct ReadMesh {
    mesh: usize,
    morph_set: Option<usize>,
}

/// Meshes and parts of a character. Each mesh of the file is read once, however often it is used.
struct Assembly<'a> {
    archive: &'a Archive,
    objects: &'a Objects,
    options: &'a ImportOptions,
    joints: Joints,
    /// Per joint of a transform, true if it mirrors.
    mirrored: Vec<bool>,
    meshes: Vec<Mesh>,
    /// Meshes by object and whether they are mirrored; `None` if it cannot be drawn.
    mesh_of: HashMap<(usize, bool), Option<ReadMesh>>,
    parts: Vec<Part>,
    joint_of_part: Vec<usize>,
    morph_sets: Vec<(String, Vec<f32>)>,
    morphs: Vec<MorphTrack>,
    /// Objects that were reported as hidden.
    hidden: HashSet<usize>,
    report: Report,
}

impl Assembly<'_> {
    /// Adds the part of a mesh where it is used.
    fn add_mesh(&mut self, index: usize, used: &Use) -> Outcome<()> {
        if self.parts.len() >= MAX_PARTS {
            let problem = format!("has more than {MAX_PARTS} meshes, instances included");
            return Err(Fault::limit("", problem, "MAX_PARTS", MAX_PARTS));
        }
        let is_mirrored = self.joints.of_use[index].is_some_and(|joint| self.mirrored[joint]);
        let Some(ReadMesh { mesh, morph_set }) = self.mesh(used, is_mirrored)? else {
            return Ok(());
        };
        if used.is_hidden && self.hidden.insert(used.object) {
            self.report
                .add(Notice::Hidden, &self.objects.label(used.object));
        }
        let joint = match self.joints.of_use[index] {
            Some(joint) => joint,
            None => self.joints.add_still(used.name.clone()),
        };
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
    fn mesh(&mut self, used: &Use, is_mirrored: bool) -> Outcome<Option<ReadMesh>> {
        let object = used.object;
        if let Some(&known) = self.mesh_of.get(&(object, is_mirrored)) {
            return Ok(known);
        }
        let label = self.objects.label(object);
        let properties = self
            .objects
            .compound(self.archive, object, ".geom")
            .map_err(|error| error.of(label.as_str()))?;
        // A mesh that is read a second time, mirrored, has been reported.
        let is_known = self.mesh_of.contains_key(&(object, !is_mirrored));
        let mut ignored = Report::default();
        let report = match is_known {
            true => &mut ignored,
            false => &mut self.report,
        };
        if self.objects.list[object].schema == Schema::SubD {
            report.add(Notice::Cage, &label);
        }
        let read = PolyMesh::read(self.archive, &properties, &label, self.options, report)?;
        let found = match read {
            None => None,
            Some(mut read) => {
                if is_mirrored {
                    read.mesh.reverse();
                }
                self.meshes.push(read.mesh);
                Some(ReadMesh {
                    mesh: self.meshes.len() - 1,
                    morph_set: self.add_cache(&used.name, &label, read.times)?,
                })
            }
        };
        self.mesh_of.insert((object, is_mirrored), found);
        Ok(found)
    }

    /// Adds the morph set and the track that play a cache, for all parts of its mesh; `None` without times.
    fn add_cache(&mut self, name: &str, label: &str, times: Arc<[f64]>) -> Outcome<Option<usize>> {
        if times.is_empty() {
            return Ok(None);
        }
        // The track has a position per frame.
        self.archive
            .charge(times.len() as u64, size_of::<f32>() as u64)
            .map_err(|error| error.of(label))?;
        let set = self.morph_sets.len();
        // Position −1 is the rest pose, which is the first frame.
        self.morph_sets.push((name.to_owned(), vec![-1.0]));
        let track = MorphTrack::of_frames(set, times).map_err(|error| Fault::data(label, error))?;
        self.morphs.push(track);
        Ok(Some(set))
    }

    fn finish(self, name: &str, warnings: &mut Vec<Warning>) -> Outcome<Character> {
        self.report.finish(warnings);
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
