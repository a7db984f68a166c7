//! Requests on threads of their own.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use throng_bake::Progress;

use super::{Event, Outcome, Request, RequestId, bake, bench, compare, load, mesh, run_command};

/// Smallest time between two messages of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// The same for benchmarks, which a window that draws would disturb.
const BENCH_INTERVAL: Duration = Duration::from_millis(1000);

/// Runs each request on a thread.
pub struct Threads {
    next: u64,
    sender: Sender<Event>,
    receiver: Receiver<Event>,
    /// Flags of requests that run; set to stop them.
    stops: HashMap<RequestId, Arc<AtomicBool>>,
    /// Called after every message, so that a sleeping window wakes up.
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl Threads {
    /// A worker that calls `wake` after every message.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        let (sender, receiver) = channel();
        Self {
            next: 0,
            sender,
            receiver,
            stops: HashMap::new(),
            wake: Arc::new(wake),
        }
    }

    /// Starts a request.
    pub fn send(&mut self, request: Request) -> RequestId {
        let id = RequestId(self.next);
        self.next += 1;
        let stop = Arc::new(AtomicBool::new(false));
        self.stops.insert(id, stop.clone());
        let monitor = Monitor {
            id,
            sender: self.sender.clone(),
            wake: self.wake.clone(),
            stop,
            interval: match request {
                Request::Bench(_) => BENCH_INTERVAL,
                _ => PROGRESS_INTERVAL,
            },
            last: Mutex::new((Instant::now(), String::new())),
        };
        let run = move || {
            let outcome = catch_unwind(AssertUnwindSafe(|| run(request, &monitor)));
            let outcome = match outcome {
                Ok(outcome) => outcome,
                Err(payload) if payload.is::<Stopped>() => return,
                Err(payload) => Err(panic_message(&*payload)),
            };
            // A viewer that is closing receives nothing.
            let _ = monitor.sender.send(Event::Finished { id, outcome });
            (monitor.wake)();
        };
        let thread = std::thread::Builder::new().name("throng-view worker".into());
        if let Err(error) = thread.spawn(run) {
            let outcome = Err(format!("cannot start a thread: {error}"));
            let _ = self.sender.send(Event::Finished { id, outcome });
        }
        id
    }

    /// Stops a request as soon as it reports progress. It sends no more messages.
    pub fn stop(&mut self, id: RequestId) {
        if let Some(stop) = self.stops.remove(&id) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the next message of a request that was not stopped.
    pub fn receive(&mut self) -> Option<Event> {
        loop {
            let event = self.receiver.try_recv().ok()?;
            let is_known = self.stops.contains_key(&event.id());
            if let Event::Finished { id, .. } = &event {
                self.stops.remove(id);
            }
            if is_known {
                return Some(event);
            }
        }
    }

    /// True while requests run.
    #[cfg(test)]
    pub fn is_busy(&self) -> bool {
        !self.stops.is_empty()
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        for stop in self.stops.values() {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

fn run(request: Request, monitor: &Monitor) -> Result<Outcome, String> {
    match request {
        Request::Open { source, sharing } => {
            let document = load::open(&source, sharing, monitor)?;
            Ok(Outcome::Opened(Box::new(document)))
        }
        Request::Bake(request) => bake::bake(&request, monitor).map(Outcome::Baked),
        Request::Curve(request) => Ok(Outcome::Curve(compare::curve(&request, monitor))),
        Request::Command { arguments, output } => {
            run_command::run(&arguments, output.as_deref(), monitor).map(Outcome::Written)
        }
        Request::Bench(request) => {
            let show = |curves| {
                let id = monitor.id;
                let _ = monitor.sender.send(Event::Curves { id, curves });
            };
            let (answers, page) = bench::run(&request, monitor, &show)?;
            Ok(Outcome::Benchmarked(answers, page))
        }
        Request::PoseClip(request) => {
            let extended = load::with_pose_clip(&request, monitor)?;
            Ok(Outcome::Extended(Box::new(extended)))
        }
        Request::Mesh(request) => mesh::write(
            &request.character,
            &request.pose,
            request.skinning,
            &request.path,
        )
        .map(Outcome::Written),
    }
}

/// Payload of the unwinding that ends a request which was stopped.
struct Stopped;

/// Sends progress, and ends the request when it was stopped.
pub(super) struct Monitor {
    id: RequestId,
    sender: Sender<Event>,
    wake: Arc<dyn Fn() + Send + Sync>,
    stop: Arc<AtomicBool>,
    interval: Duration,
    last: Mutex<(Instant, String)>,
}

impl Monitor {
    fn report(&self, stage: Option<&str>, done: Option<f32>) {
        // Work keeps nothing beyond its request, so that unwinding leaves nothing half done.
        if self.stop.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Stopped));
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if stage.is_none() && last.0.elapsed() < self.interval {
            return;
        }
        last.0 = Instant::now();
        if let Some(stage) = stage {
            last.1 = stage.to_owned();
        }
        let stage = last.1.clone();
        let id = self.id;
        let _ = self.sender.send(Event::Progress { id, stage, done });
        (self.wake)();
    }
}

impl Progress for Monitor {
    fn step(&self, done: usize, total: usize) {
        self.report(None, Some(done as f32 / total.max(1) as f32));
    }

    fn stage(&self, name: &str) {
        self.report(Some(name), None);
    }
}

/// Message of a panic: a defect of the program, which must not close the window.
fn panic_message(payload: &(dyn Any + Send)) -> String {
    let message = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    format!(
        "internal error: {}; please report it with the file",
        message.unwrap_or("unknown")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::VertexSharing;

    fn open(source: &str) -> Request {
        Request::Open {
            source: source.into(),
            sharing: VertexSharing::Shared,
        }
    }

    fn wait(worker: &mut Threads) -> (RequestId, Result<Outcome, String>) {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(60) {
            match worker.receive() {
                Some(Event::Finished { id, outcome }) => return (id, outcome),
                Some(Event::Progress { .. } | Event::Curves { .. }) => {}
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        }
        panic!("the worker sent nothing");
    }

    #[test]
    fn opens_characters_and_reports_failures() {
        let mut worker = Threads::new(|| {});
        let id = worker.send(open("builtin:bar"));
        let (found, outcome) = wait(&mut worker);
        assert_eq!(found, id);
        let Ok(Outcome::Opened(document)) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(document.title(), "builtin:bar");
        assert!(document.has_motion && !document.clips.is_empty());
        worker.send(open("no/such/file.glb"));
        let (_, outcome) = wait(&mut worker);
        let message = outcome.err().unwrap();
        assert!(message.contains("no/such/file.glb"), "{message}");
        assert!(!worker.is_busy());
    }

    #[test]
    fn stopped_requests_send_nothing() {
        let mut worker = Threads::new(|| {});
        let stopped = worker.send(open("builtin:humanoid"));
        worker.stop(stopped);
        let id = worker.send(open("builtin:bar"));
        let (found, _) = wait(&mut worker);
        assert_eq!(found, id);
        std::thread::sleep(Duration::from_millis(200));
        assert!(worker.receive().is_none());
    }
}
