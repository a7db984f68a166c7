//! Runs jobs side by side, and prints the output of each when it ends.

use std::io::{Read, Write};
use std::process::{Command, ExitStatus};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// Commands that run one after another, up to the first that fails.
pub struct Job {
    pub name: String,
    pub commands: Vec<Command>,
    /// Whether the commands are test programs, which print `test result:` lines.
    pub tests: bool,
}

/// Outcome of a job.
pub struct Finished {
    pub name: String,
    pub tests: bool,
    /// Standard output and standard error, in the order in which they were written.
    pub output: String,
    pub success: bool,
    pub duration: Duration,
}

/// Number of jobs that run at once: a test program is multithreaded itself, but seldom keeps all cores busy.
pub fn slots() -> usize {
    let cores = thread::available_parallelism().map_or(2, usize::from);
    (cores / 2).clamp(2, 8)
}

/// Runs jobs in order, `slots` at once. `print` sees each as it ends, one at a time.
pub fn run(jobs: Vec<Job>, slots: usize, print: impl Fn(&Finished) + Sync) -> Vec<Finished> {
    let waiting = Mutex::new(jobs.into_iter());
    let finished = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..slots {
            scope.spawn(|| {
                loop {
                    // A statement of its own, so that the lock is released before the job runs.
                    let job = waiting.lock().expect("no job panics").next();
                    let Some(job) = job else { break };
                    let done = run_one(job);
                    let mut finished = finished.lock().expect("no job panics");
                    print(&done);
                    finished.push(done);
                }
            });
        }
    });
    finished.into_inner().expect("no job panics")
}

fn run_one(job: Job) -> Finished {
    let start = Instant::now();
    let mut output = Vec::new();
    let mut success = true;
    for command in job.commands {
        match capture(command, &mut output) {
            Ok(status) if status.success() => {}
            Ok(status) => {
                success = false;
                // Failing tests exit with 101. Anything else, a signal above all, is worth a line.
                if status.code() != Some(101) {
                    let _ = writeln!(output, "{}: {status}", job.name);
                }
                break;
            }
            Err(error) => {
                success = false;
                let _ = writeln!(output, "{}: cannot be run: {error}", job.name);
                break;
            }
        }
    }
    Finished {
        name: job.name,
        tests: job.tests,
        output: String::from_utf8_lossy(&output).into_owned(),
        success,
        duration: start.elapsed(),
    }
}

/// Runs a command and appends all it writes.
fn capture(mut command: Command, output: &mut Vec<u8>) -> std::io::Result<ExitStatus> {
    let (mut reader, writer) = std::io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn()?;
    // The command holds the writing ends; reading ends when the child's are the last and close.
    drop(command);
    reader.read_to_end(output)?;
    child.wait()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn job(name: &str, scripts: &[&str]) -> Job {
        let shell = |script: &&str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        };
        Job {
            name: name.into(),
            commands: scripts.iter().map(shell).collect(),
            tests: true,
        }
    }

    fn run_all(jobs: Vec<Job>) -> Vec<Finished> {
        let mut finished = run(jobs, 2, |_| ());
        finished.sort_by(|a, b| a.name.cmp(&b.name));
        finished
    }

    #[test]
    fn collects_output_and_status_of_every_job() {
        let finished = run_all(vec![
            job("a", &["echo out; echo err >&2", "echo more"]),
            job("b", &["echo first; exit 101", "echo never"]),
            job("c", &["kill -9 $$"]),
        ]);
        assert_eq!(finished.len(), 3);
        assert_eq!(finished[0].output, "out\nerr\nmore\n");
        assert!(finished[0].success);
        assert_eq!(finished[1].output, "first\n");
        assert!(!finished[1].success);
        assert!(
            finished[2].output.contains("signal: 9"),
            "{}",
            finished[2].output
        );
        assert!(!finished[2].success);
    }

    #[test]
    fn a_program_that_is_missing_is_a_failure() {
        let missing = Job {
            name: "x".into(),
            commands: vec![Command::new("/no/such/program")],
            tests: true,
        };
        let finished = run_all(vec![missing]);
        assert!(!finished[0].success);
        assert!(finished[0].output.starts_with("x: cannot be run: "));
    }
}
