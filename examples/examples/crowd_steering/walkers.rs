//! Walkers: agents of the simulation as instances of a crowd.

use glam::{Affine3A, Quat, Vec3};
use rayon::prelude::*;
use throng_examples::steering::{Agent, Gaits, Simulation};
use throng_wgpu::{Crowd, GpuError, Instance, Ticks};

/// sRGB colours of shirts.
const SHIRTS: [[u8; 3]; 20] = [
    [214, 210, 202],
    [134, 52, 46],
    [46, 66, 108],
    [44, 44, 48],
    [196, 158, 86],
    [62, 96, 76],
    [122, 124, 128],
    [172, 98, 66],
    [112, 142, 170],
    [96, 62, 84],
    [222, 214, 194],
    [86, 90, 66],
    [58, 108, 114],
    [146, 118, 90],
    [186, 130, 132],
    [52, 56, 74],
    [160, 168, 172],
    [178, 60, 50],
    [72, 118, 168],
    [226, 200, 120],
];

/// Agents and the instances that show them.
pub struct Walkers {
    simulation: Simulation,
    instances: Vec<Instance>,
    now: Ticks,
}

impl Walkers {
    /// Shows the agents of a simulation.
    pub fn new(simulation: Simulation) -> Self {
        let mut walkers = Self {
            instances: vec![Instance::default(); simulation.agents().len()],
            simulation,
            now: Ticks(0),
        };
        for (index, instance) in walkers.instances.iter_mut().enumerate() {
            let random = scrambled(index as u32);
            let [red, green, blue] = SHIRTS[random as usize % SHIRTS.len()];
            instance.tint = [red, green, blue, 255];
            instance.user = random >> 4;
        }
        walkers.show();
        walkers
    }

    /// The simulation.
    pub fn simulation(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// The gaits.
    pub fn gaits(&self) -> &Gaits {
        self.simulation.gaits()
    }

    /// The instances as of the last step.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// Time of the last step.
    pub fn now(&self) -> Ticks {
        self.now
    }

    /// Advances the simulation by a time step, and the instances with it.
    pub fn step(&mut self, step: Ticks) {
        self.simulation.step(step.secs() as f32);
        self.now = Ticks(self.now.0.wrapping_add(step.0));
        self.show();
    }

    /// Writes places and playback of all agents into the instances.
    fn show(&mut self) {
        let (gaits, agents) = (self.simulation.gaits(), self.simulation.agents());
        let now = self.now;
        let shown = self.instances.par_iter_mut().zip(agents).with_min_len(512);
        shown.for_each(|(instance, agent)| {
            let idle_start = Ticks(instance.user.wrapping_mul(977));
            instance.world_from_model = place(agent);
            (instance.play, instance.fade) = gaits.play(&agent.gait, idle_start, now);
        });
    }

    /// Changes all instances of a crowd at once.
    pub fn write(&self, crowd: &mut Crowd) -> Result<(), GpuError> {
        let mut instances = self.instances.iter();
        crowd.update_all(|_, instance| {
            if let Some(next) = instances.next() {
                *instance = *next;
            }
        })
    }
}

fn place(agent: &Agent) -> Affine3A {
    Affine3A::from_scale_rotation_translation(
        Vec3::splat(agent.size),
        Quat::from_rotation_y(agent.heading_rad),
        Vec3::new(agent.position.x, 0.0, agent.position.y),
    )
}

/// Mixes the bits of an index.
fn scrambled(index: u32) -> u32 {
    let mut x = index.wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995;
    x = (x ^ (x >> 15)).wrapping_mul(0x2c1b_3c6d);
    x = (x ^ (x >> 12)).wrapping_mul(0x297a_2d39);
    x ^ (x >> 15)
}
