//! The command `throng` as a person or a script runs it.

mod by_hand;
mod clips;
mod exit_codes;
mod fbx;
mod formats;
mod gpu;
mod help;
mod inspect;
mod piping;
mod pose;
mod references;
mod render;
mod run;
mod sets;
mod shader;
mod validator;
mod writing;
