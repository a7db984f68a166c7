//! The simulation: all agents, one step at a time, on all cores.
//!
//! Every stage reads the state of the stage before and writes its own, agent by agent, so that the result does not depend on
//! the number of threads. Nothing allocates after the first step.

use glam::Vec2;
use rayon::prelude::*;

use super::agent::{Agent, Purpose, RADIUS};
use super::avoidance::avoid;
use super::flow_field::{FlowField, Goal};
use super::gaits::Gaits;
use super::map::Map;
use super::neighbours::{Body, Neighbours, SIGHT};
use crate::Random;

/// Most neighbours that an agent may touch in a step.
const MAX_CONTACTS: usize = 14;
/// Distance of middles up to which two agents may touch within a step, in metres.
const CONTACT_SIGHT: f32 = 0.85;
/// Rounds in which overlapping agents push each other apart.
const SEPARATION_ROUNDS: usize = 6;
/// Agents per task.
const PER_TASK: usize = 256;
/// Range of the cost of the way at which agents have arrived, in metres.
const ARRIVAL: [f32; 2] = [1.0, 14.0];

/// Agents that an agent may touch.
#[derive(Debug, Clone, Copy, Default)]
struct Contacts {
    len: u8,
    indices: [u32; MAX_CONTACTS],
}

impl Contacts {
    fn push(&mut self, index: u32) {
        if let Some(place) = self.indices.get_mut(usize::from(self.len)) {
            *place = index;
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        let used = &self.indices[..usize::from(self.len)];
        used.iter().map(|&index| index as usize)
    }
}

/// Pairs of agents that are closer than two radii.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Overlaps {
    /// Number of pairs.
    pub pairs: usize,
    /// Depth of the deepest overlap, in millimetres.
    pub deepest_mm: f32,
}

/// Agents on a map.
#[derive(Debug, Clone)]
pub struct Simulation {
    map: Map,
    goals: usize,
    fields: Vec<FlowField>,
    gaits: Gaits,
    seed: u64,
    agents: Vec<Agent>,
    next: Vec<Agent>,
    neighbours: Neighbours,
    contacts: Vec<Contacts>,
    planned: Vec<Vec2>,
    /// Positions before and after a round of separation.
    places: [Vec<Vec2>; 2],
}

impl Simulation {
    /// Makes a simulation. Agents choose goals by the seed.
    pub fn new(map: Map, goals: &[Goal], gaits: Gaits, agents: Vec<Agent>, seed: u64) -> Self {
        let fields = goals.par_iter().map(|goal| FlowField::new(&map, goal));
        Self {
            fields: fields.collect(),
            goals: goals.len(),
            neighbours: Neighbours::new(map.min, map.max),
            contacts: vec![Contacts::default(); agents.len()],
            planned: vec![Vec2::ZERO; agents.len()],
            places: [(); 2].map(|()| vec![Vec2::ZERO; agents.len()]),
            next: agents.clone(),
            map,
            gaits,
            seed,
            agents,
        }
    }

    /// The agents.
    pub fn agents(&self) -> &[Agent] {
        &self.agents
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The gaits.
    pub fn gaits(&self) -> &Gaits {
        &self.gaits
    }

    /// Advances all agents by a time step, at most 1/20 s.
    pub fn step(&mut self, secs: f32) {
        self.sort();
        self.plan(secs);
        self.separate();
        self.finish(secs);
        std::mem::swap(&mut self.agents, &mut self.next);
    }

    fn sort(&mut self) {
        let body = |(index, agent): (usize, &Agent)| Body {
            position: agent.position,
            velocity: agent.velocity,
            index: index as u32,
        };
        self.neighbours
            .rebuild(self.agents.iter().enumerate().map(body));
    }

    /// Plans the step of every agent.
    fn plan(&mut self, secs: f32) {
        let (agents, neighbours) = (&self.agents, &self.neighbours);
        let world = (&self.map, &self.fields[..], &self.gaits);
        let stage = self.next.par_iter_mut().zip(&mut self.contacts);
        let stage = stage.zip(&mut self.planned).with_min_len(PER_TASK);
        stage
            .enumerate()
            .for_each(|(index, ((next, contacts), planned))| {
                *next = agents[index];
                *contacts = Contacts::default();
                let forces = forces(next, index, neighbours, contacts);
                *planned = next.plan(forces, world, secs);
            });
        self.places[0].copy_from_slice(&self.planned);
    }

    /// Pushes agents apart and out of walls.
    fn separate(&mut self) {
        let (contacts, map) = (&self.contacts, &self.map);
        for _ in 0..SEPARATION_ROUNDS {
            let [from, to] = &mut self.places;
            let stage = to.par_iter_mut().zip(contacts).with_min_len(PER_TASK);
            stage.enumerate().for_each(|(index, (to, contacts))| {
                *to = separated(from, index, contacts, map);
            });
            self.places.swap(0, 1);
        }
    }

    /// Moves every agent to its place, and gives new goals to agents that arrived.
    fn finish(&mut self, secs: f32) {
        let (planned, places) = (&self.planned, &self.places[0]);
        let (gaits, fields) = (&self.gaits, &self.fields);
        let (goals, seed) = (self.goals, self.seed);
        let stage = self.next.par_iter_mut().with_min_len(PER_TASK);
        stage.enumerate().for_each(|(index, agent)| {
            agent.finish(planned[index], places[index], gaits, secs);
            if let Purpose::Travel { goal, arrival } = agent.purpose
                && fields[goal as usize].cost(agent.position) < arrival
            {
                agent.arrivals += 1;
                let own = seed ^ ((index as u64) << 32 | u64::from(agent.arrivals));
                agent.purpose = travel(&mut Random(own), goals, Some(goal));
            }
        });
    }

    /// Counts the pairs of agents that overlap.
    pub fn overlaps(&mut self) -> Overlaps {
        self.sort();
        let depths = self.agents.iter().enumerate().flat_map(|(index, agent)| {
            let others = self.neighbours.around(agent.position);
            let later = others.filter(move |other| other.index as usize > index);
            later.map(|other| 2.0 * RADIUS - other.position.distance(agent.position))
        });
        let overlapping = depths.filter(|depth| *depth > 0.0);
        overlapping.fold(Overlaps::default(), |sum, depth| Overlaps {
            pairs: sum.pairs + 1,
            deepest_mm: sum.deepest_mm.max(1e3 * depth),
        })
    }
}

/// Chooses another goal than the last one, of at least one.
pub(super) fn travel(random: &mut Random, goals: usize, last: Option<u32>) -> Purpose {
    let [least, most] = ARRIVAL;
    let others = goals - usize::from(last.is_some() && goals > 1);
    let chosen = ((random.unit() * others as f32) as usize).min(others - 1) as u32;
    Purpose::Travel {
        goal: match last {
            Some(last) if goals > 1 && chosen >= last => chosen + 1,
            _ => chosen,
        },
        arrival: least + (most - least) * random.unit(),
    }
}

/// Sums the forces of all neighbours on an agent, and lists those that it may touch.
fn forces(agent: &Agent, index: usize, neighbours: &Neighbours, contacts: &mut Contacts) -> Vec2 {
    let facing = agent.facing();
    let mut sum = Vec2::ZERO;
    for other in neighbours.around(agent.position) {
        let offset = other.position - agent.position;
        let distance_squared = offset.length_squared();
        if distance_squared > SIGHT * SIGHT || other.index as usize == index {
            continue;
        }
        if distance_squared < CONTACT_SIGHT * CONTACT_SIGHT {
            contacts.push(other.index);
        }
        sum += avoid(offset, other.velocity - agent.velocity, facing);
    }
    sum
}

/// Returns the place of an agent after one round: halfway out of every overlap, and out of walls.
fn separated(places: &[Vec2], index: usize, contacts: &Contacts, map: &Map) -> Vec2 {
    let place = places[index];
    let mut push = Vec2::ZERO;
    let mut count = 0.0;
    for other in contacts.iter() {
        let from = place - places[other];
        let depth = 2.0 * RADIUS - from.length();
        if depth > 0.0 {
            // Agents at the same place part by their indices.
            let side = if index < other { Vec2::X } else { Vec2::NEG_X };
            push += 0.5 * depth * from.normalize_or(side);
            count += 1.0;
        }
    }
    // Pushes of several add up to more than is needed.
    let place = place + push * 1.6 / (1.0 + 0.6 * f32::max(count, 1.0));
    let wall = map.clearance(place);
    place + (RADIUS - wall.distance).max(0.0) * wall.away
}
