//! BVH import: motion capture as text, a skeleton and one clip without a mesh.
//!
//! [`lexer`] splits the file into words, [`hierarchy`] reads joints and channels, [`motion`] reads frames into tracks,
//! [`channel`] converts the numbers of a frame, and [`unit`] guesses the unit.
//!
//! The format was never specified beyond examples. The conventions here:
//!
//! - The rest pose has the offsets of the file and no rotation. Y is up, as in nearly all files; axes are not changed.
//! - Rotations are in degrees, and multiply in the order of their channels: `Zrotation Xrotation Yrotation` is the matrix
//!   Rz · Rx · Ry on column vectors. Any number of rotations in any order is valid, also about the same axis twice.
//! - A position channel replaces its component of the joint's offset, of roots and of other joints alike. Blender and
//!   `bvhio` do the same; a reader that adds both counts the rest pose twice. Where two channels have the same
//!   component, the last counts.
//! - Scale channels are not standard; they are ignored and reported.
//! - An End Site is a joint without children, named after its parent with `_end` appended.
//! - Frame *k* is at *k* times the frame time, with linear interpolation between frames. Rotations of successive frames
//!   are on one hemisphere. An invalid frame time is replaced by 30 Hz and reported.
//! - Lengths have no unit. It is guessed from the size of the skeleton and reported ([`Warning::BvhUnit`]).
//!
//! Keywords and channel names may be in upper or lower case. Frames are a stream of numbers, whatever their lines. Memory
//! is in proportion to the file, whatever it declares, and deep hierarchies do not recurse.

mod channel;
mod hierarchy;
mod lexer;
mod motion;
mod unit;

use throng_rig::{Character, Joint, JointKind, Skeleton, Transform};

use crate::assemble::assemble_motion;
use crate::asset_files::AssetFiles;
use crate::error::{Fault, Outcome};
use crate::{ImportOptions, Warning};
use hierarchy::BvhJoint;
use lexer::Lexer;

/// Reads the skeleton and the clip of a file. The clip has the name of the file. BVH files name no generator.
pub(crate) fn read_motion(
    name: &str,
    file: &[u8],
    _files: &AssetFiles,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<(Character, Option<String>)> {
    let mut lexer = Lexer::new(file);
    let hierarchy = hierarchy::read(&mut lexer, warnings)?;
    let metres_per_unit = unit::metres_per_unit(&hierarchy.joints);
    warnings.push(Warning::BvhUnit { metres_per_unit });
    let clip = motion::read(lexer, &hierarchy, metres_per_unit, name, warnings)?;
    let skeleton = skeleton(hierarchy.joints, metres_per_unit)?;
    let clips = clip.into_iter().collect();
    let character = assemble_motion(name, skeleton, clips, options, warnings)?;
    Ok((character, None))
}

fn skeleton(joints: Vec<BvhJoint>, metres_per_unit: f64) -> Outcome<Skeleton> {
    let joints = joints.into_iter().map(|joint| Joint {
        name: joint.name,
        parent: joint.parent,
        parent_from_joint: Transform::from_translation(joint.offset * metres_per_unit),
        kind: JointKind::Bone,
    });
    Skeleton::new(joints.collect()).map_err(|error| Fault::data("", error))
}
