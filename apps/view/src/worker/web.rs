//! Requests in a browser: texture sets in one file; importers and bakes are not part of this build.

use std::collections::VecDeque;

use super::{Event, Request, RequestId};

/// Answers requests at once.
pub struct Web {
    next: u64,
    events: VecDeque<Event>,
}

impl Web {
    /// A worker. Nothing needs to be woken up.
    pub fn new(_wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            next: 0,
            events: VecDeque::new(),
        }
    }

    /// Answers a request.
    pub fn send(&mut self, request: Request) -> RequestId {
        let id = RequestId(self.next);
        self.next += 1;
        let what = match request {
            Request::Open { source, .. } => source,
            Request::Bake(request) => request.source,
            Request::Curve(_) => "this comparison".into(),
            Request::Command { .. } | Request::Mesh(_) => "this export".into(),
            Request::Bench(request) => request.source,
            Request::PoseClip(request) => request.document.source.clone(),
        };
        let outcome = Err(format!(
            "{what}: the browser build has no importer and no bake: use the viewer of the desktop"
        ));
        self.events.push_back(Event::Finished { id, outcome });
        id
    }

    /// Drops the answer of a request.
    pub fn stop(&mut self, id: RequestId) {
        self.events.retain(|event| event.id() != id);
    }

    /// Returns the next message.
    pub fn receive(&mut self) -> Option<Event> {
        self.events.pop_front()
    }
}
