//! Runs the command `throng` as a process.

mod bench;
mod clips;
mod exit_codes;
mod fbx;
mod formats;
mod gpu;
mod help;
mod inspect;
mod piping;
mod pose;
mod pose_edits;
mod references;
mod render;
mod render_compare;
mod render_crowds;
mod render_levels;
mod run;
mod sets;
mod shader;
mod validator;
mod writing;
