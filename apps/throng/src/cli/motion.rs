//! Arguments of motion from other files.

use std::path::PathBuf;

use clap::Args;

use super::source_parser;

/// Motion from other files.
#[derive(Debug, Args)]
pub struct MotionArgs {
    /// Files with motion for the character: .bvh, .fbx, .glb, .gltf or .abc files, folders of them,
    /// or builtin:NAME. Their clips are put on it by joint name, before its own. May be repeated
    #[arg(long, value_name = "FILE", value_parser = source_parser(), help_heading = "Motion")]
    pub motion: Vec<String>,

    /// JSON file that pairs joints of the character with joints of the motion, where their names
    /// do not: {"LeftHand": "hand.l", "Tail": null}; null leaves a joint at rest
    #[arg(
        long,
        value_name = "FILE",
        requires = "motion",
        help_heading = "Motion"
    )]
    pub joint_map: Option<PathBuf>,
}
