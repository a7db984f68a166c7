//! The command `throng`: inspects, poses, bakes, verifies and draws skinned characters.
//!
//! [`cli`] parses the arguments, [`command`] does the work. Results go to standard output; warnings, errors and
//! progress go to standard error. Exit codes: 0 done, 1 the work failed or a limit was not met, 2 wrong usage, 3 an
//! input cannot be read, 130 interrupted.

mod cli;
mod command;
mod interrupt;
mod text;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};
use command::CommandError;

fn main() -> ExitCode {
    throng_studio::silence_device_select_layer();
    let cli = Cli::parse();
    interrupt::handle_signals();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let result = match &cli.command {
        None => command::tour(&mut out),
        Some(Command::Inspect(args)) => command::inspect(args, &mut out),
        Some(Command::Pose(args)) => command::pose(args, &mut out),
        Some(Command::Bake(args)) => command::bake(args, &mut out),
        Some(Command::Verify(args)) => command::verify(args, &mut out),
        Some(Command::Shader(args)) => command::shader(args, &mut out),
        Some(Command::Render(args)) => command::render(args, &mut out),
        Some(Command::Bench(args)) => command::bench(args, &mut out),
        Some(Command::View(args)) => command::view(args),
    };
    match result.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of a pipe may close it early.
        Err(CommandError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(CommandError::Interrupted) => ExitCode::from(interrupt::INTERRUPTED),
        Err(error) => {
            text::print_error(&error);
            ExitCode::from(error.exit_code())
        }
    }
}
