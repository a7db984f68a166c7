//! Agents of `throng_examples::steering`: the same on any number of threads, out of walls and of each other, and at their goals.

use std::sync::LazyLock;

use glam::{Affine3A, Quat, Vec2, Vec3};
use throng_bake::{BakeSettings, bake};
use throng_examples::steering::agent::RADIUS;
use throng_examples::steering::{
    Agent, FootSlide, Gaits, Goal, Map, Obstacle, Purpose, Simulation, Street,
};
use throng_format::{Source, TextureSet};
use throng_wgpu::{Instance, Ticks};

/// Time step in seconds.
const STEP: f32 = 1.0 / 32.0;

fn gaits() -> Gaits {
    let character = throng_import::builtin::builtin("humanoid:500").unwrap();
    Gaits::measure(&character).unwrap()
}

fn goal(x: f32, z: f32) -> Goal {
    let middle = Vec2::new(x, z);
    Goal {
        min: middle - 1.0,
        max: middle + 1.0,
    }
}

fn travelling(position: Vec2, goal: u32) -> Agent {
    let to = -position;
    let purpose = Purpose::Travel { goal, arrival: 2.0 };
    Agent::new(position, to.x.atan2(to.y), purpose)
}

/// A street with agents, after some seconds.
fn street(agents: usize, secs: f32, seed: u64) -> Simulation {
    let street = Street::new();
    let placed = street.agents(agents, seed).unwrap();
    let mut simulation = Simulation::new(street.map, &street.goals, gaits(), placed, seed);
    (0..(secs / STEP) as u32).for_each(|_| simulation.step(STEP));
    simulation
}

#[test]
fn agents_are_the_same_on_any_number_of_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build()
            .unwrap()
            .install(|| street(3000, 4.0, 7).agents().to_vec())
    };
    let one = on(1);
    assert_eq!(one, on(3));
    let others = street(3000, 4.0, 8);
    assert_ne!(one[0].position, others.agents()[0].position, "seeds differ");
}

#[test]
fn no_agent_is_inside_an_obstacle() {
    let mut simulation = street(6000, 2.0, 3);
    for _ in 0..160 {
        simulation.step(STEP);
        for agent in simulation.agents() {
            let distance = simulation.map().clearance(agent.position).distance;
            // Contacts of the last round may push a little.
            assert!(
                distance > RADIUS - 0.002,
                "{distance} m at {}",
                agent.position
            );
        }
    }
}

#[test]
fn agents_reach_their_goals_on_an_empty_map() {
    let map = Map::new(Vec2::splat(-30.0), Vec2::splat(30.0), Vec::new());
    let goals = [goal(25.0, 0.0), goal(-25.0, 0.0)];
    let agents: Vec<Agent> = (0..20)
        .map(|k| travelling(Vec2::new(-24.0, 2.4 * k as f32 - 23.0), 0))
        .collect();
    let speed = agents[0].preferred_speed;
    let mut simulation = Simulation::new(map, &goals, gaits(), agents, 1);
    let mut arrived_secs = [None; 20];
    for step in 0..2400 {
        simulation.step(STEP);
        for (agent, secs) in simulation.agents().iter().zip(&mut arrived_secs) {
            if agent.arrivals > 0 {
                secs.get_or_insert(step as f32 * STEP);
            }
        }
    }
    for (k, secs) in arrived_secs.into_iter().enumerate() {
        let secs = secs.unwrap_or_else(|| panic!("agent {k} did not arrive"));
        let straight = Vec2::new(48.0, 2.4 * k as f32 - 23.0).length() / speed;
        // They speed up, and the last metres are crowded.
        assert!(
            secs < 1.3 * straight + 4.0,
            "agent {k}: {secs} s, straight {straight} s"
        );
    }
}

#[test]
fn two_who_meet_pass_without_touching() {
    for offset in [0.0, 0.1, 0.25, -0.1, -0.3] {
        let map = Map::new(Vec2::splat(-20.0), Vec2::splat(20.0), Vec::new());
        let goals = [goal(0.0, 18.0), goal(0.0, -18.0)];
        let agents = vec![
            travelling(Vec2::new(offset, -8.0), 0),
            travelling(Vec2::new(0.0, 8.0), 1),
        ];
        let mut simulation = Simulation::new(map, &goals, gaits(), agents, 1);
        let mut closest = f32::INFINITY;
        for _ in 0..400 {
            simulation.step(STEP);
            let [a, b] = [0, 1].map(|k| simulation.agents()[k].position);
            closest = closest.min(a.distance(b));
        }
        println!("offset {offset} m: closest {closest} m");
        assert!(closest > 2.0 * RADIUS, "{closest}");
        assert!((0..2).all(|k| simulation.agents()[k].velocity.length() > 0.0));
        let [a, b] = [0, 1].map(|k| simulation.agents()[k].position.y);
        assert!(a > 2.0 && b < -2.0, "they passed: {a}, {b}");
    }
}

#[test]
fn streams_pass_a_gap_in_both_directions_without_piling_up() {
    let wall = |x: f32| Obstacle::Rectangle {
        center: Vec2::new(x, 0.0),
        half: Vec2::new(8.0, 0.5),
    };
    let map = Map::new(
        Vec2::splat(-12.0),
        Vec2::splat(12.0),
        vec![wall(-10.5), wall(10.5)],
    );
    let goals = [9.0, -11.0].map(|z| Goal {
        min: Vec2::new(-11.0, z),
        max: Vec2::new(11.0, z + 2.0),
    });
    let agents: Vec<Agent> = (0..60)
        .map(|k| {
            let side = if k % 2 == 0 { -1.0 } else { 1.0 };
            let at = Vec2::new(
                (k / 2 % 10) as f32 * 0.9 - 4.0,
                side * (4.0 + (k / 20) as f32),
            );
            travelling(at, (k % 2) as u32)
        })
        .collect();
    let mut simulation = Simulation::new(map, &goals, gaits(), agents, 1);
    for _ in 0..1600 {
        simulation.step(STEP);
        let overlaps = simulation.overlaps();
        assert!(overlaps.deepest_mm < 60.0, "{overlaps:?}");
    }
    let arrived = simulation
        .agents()
        .iter()
        .filter(|agent| agent.arrivals > 0)
        .count();
    assert!(arrived > 54, "{arrived} of 60 arrived");
}

#[test]
fn a_full_street_keeps_moving_and_its_density_stays_sane() {
    let mut simulation = street(20_000, 12.0, 1);
    let travels = |agent: &&Agent| matches!(agent.purpose, Purpose::Travel { .. });
    let travellers = simulation.agents().iter().filter(travels);
    let (count, sum) = travellers.fold((0, 0.0), |(count, sum), agent| {
        (
            count + 1,
            sum + agent.velocity.length() / agent.preferred_speed,
        )
    });
    let share = sum / count as f32;
    let mut people = std::collections::HashMap::new();
    for agent in simulation.agents() {
        let cell = (agent.position / 4.0).floor().as_ivec2();
        *people.entry(cell).or_insert(0) += 1;
    }
    let densest = people.values().max().copied().unwrap_or(0) as f32 / 16.0;
    let overlaps = simulation.overlaps();
    println!("{share:.2} of the preferred speed, densest {densest:.1}/m², {overlaps:?}");
    assert!(share > 0.5, "{share}");
    // Discs of 24 cm radius reach 5/m² when packed.
    assert!(densest < 4.2, "{densest}");
    assert!(overlaps.deepest_mm < 100.0, "{overlaps:?}");
}

/// Slide of one agent alone, in millimetres per step, on a way around a square of goals.
fn lone_slide(speed: f32, goals: &[Goal], secs: f32) -> Vec<f64> {
    static SET: LazyLock<TextureSet> = LazyLock::new(|| {
        let character = throng_import::builtin::builtin("humanoid:500").unwrap();
        let settings = BakeSettings {
            clips: vec![0, 1, 2],
            ..BakeSettings::default()
        };
        let source = Source::in_memory("builtin:humanoid:500");
        bake(&character, &settings, &source, &()).unwrap().set
    });
    let map = Map::new(Vec2::splat(-40.0), Vec2::splat(40.0), Vec::new());
    let agent = Agent {
        preferred_speed: speed,
        ..travelling(Vec2::new(0.0, -30.0), 0)
    };
    let mut simulation = Simulation::new(map, goals, gaits(), vec![agent], 1);
    let mut feet = FootSlide::new(&SET, 1).unwrap();
    for step in 1..(secs / STEP) as u32 {
        simulation.step(STEP);
        let (agent, now) = (&simulation.agents()[0], Ticks(2048 * step));
        let (play, fade) = simulation.gaits().play(&agent.gait, Ticks(0), now);
        let at = Vec3::new(agent.position.x, 0.0, agent.position.y);
        let rotation = Quat::from_rotation_y(agent.heading_rad);
        let instance = Instance {
            fade,
            ..Instance::at(Affine3A::from_rotation_translation(rotation, at)).playing(play)
        };
        feet.observe(&[instance], [0, 1, 2], now);
    }
    feet.steps().iter().map(|step| step.slide_mm).collect()
}

#[test]
fn feet_of_a_lone_walker_slide_by_millimetres() {
    for speed in [0.4, 0.7, 1.0, 1.3, 1.7, 2.6, 3.3] {
        for (way, goals) in [
            ("straight", vec![goal(0.0, 38.0)]),
            ("turning", vec![goal(30.0, -10.0), goal(-20.0, -20.0)]),
        ] {
            let slides = lone_slide(speed, &goals, 30.0);
            let mean = slides.iter().sum::<f64>() / slides.len() as f64;
            let max = slides.iter().copied().fold(0.0, f64::max);
            println!("{way}, {speed} m/s: mean {mean:.1} mm, max {max:.1} mm");
            assert!(
                slides.len() > 12,
                "{way}, {speed} m/s: {} steps",
                slides.len()
            );
            assert!(mean < 4.0, "{way}, {speed} m/s: {mean} mm");
            // From a stand, or in a sharp turn.
            assert!(max < 40.0, "{way}, {speed} m/s: {max} mm");
        }
    }
}
