//! Steering of a crowd on the CPU: agents that follow flow fields, avoid each other, and walk without sliding.
//!
//! One [`Simulation::step`] sorts the agents into a grid ([`neighbours`]), sums the forces of those around each
//! ([`avoidance`]), turns the way to the goal ([`flow_field`]) and the forces into a heading and a speed ([`agent`]), pushes
//! apart agents that overlap, and moves the phase of each stride by the distance walked ([`gaits`], [`stride`]). The run time
//! then plays the clips at that phase ([`playback`]). [`foot_slide`] measures how far planted feet slide, from the texture set.

pub mod agent;
pub mod avoidance;
pub mod flow_field;
pub mod foot_slide;
pub mod gaits;
pub mod map;
pub mod neighbours;
pub mod playback;
pub mod simulation;
pub mod street;
pub mod stride;

pub use agent::{Agent, Purpose};
pub use flow_field::{FlowField, Goal};
pub use foot_slide::FootSlide;
pub use gaits::{Gait, Gaits};
pub use map::{Map, Obstacle};
pub use simulation::{Overlaps, Simulation};
pub use street::Street;
