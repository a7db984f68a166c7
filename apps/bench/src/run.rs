//! A run: experiments one after the other, within a time, saved as they go.

use std::cell::Cell;
use std::sync::Arc;

use throng_bake::Progress;
use throng_rig::Character;

use crate::BenchError;
use crate::arena::{Arena, TurnLength, take_turn};
use crate::contest::{ContestRules, Pair, equalize, instances_within, run_contest};
use crate::cpu_arena::{CPU_TURN, CpuArena};
use crate::curves::climb;
use crate::entrant::{Made, Sets, make};
use crate::experiment::{Experiment, Kind};
use crate::gpu_arena::{GpuArena, Ground};
use crate::ladder::{LadderRules, instances_at};
use crate::pace::{Clock, Pace, Stop};
use crate::picture::check_picture;
use crate::random::Random;
use crate::record::{
    Body, Contest, Curve, Entrant, Point, Report, RunState, Section, Settings, Status, Subject,
};
use crate::stage::Stage;

/// Fewest instances of the control in the shortest frame budget. On slower devices budgets are scaled up.
const USEFUL_INSTANCES: u32 = 4;

/// Instances of the control that make a difference of one instance small.
const MANY_INSTANCES: u32 = 16;

/// Longest of the shortest budgets that is accepted for [`MANY_INSTANCES`], in milliseconds.
const LONG_FRAME_MS: f64 = 60.0;

/// Part of an experiment's time that curves may take; contests take the rest.
const CURVES_OF_TIME: f64 = 0.35;

/// Sees the contestants of an experiment and their curves so far.
pub type Observer<'a> = dyn Fn(&[Entrant], &[Curve]) + 'a;

/// A run in progress.
pub struct Run<'a> {
    /// Device and target.
    pub stage: &'a Stage,
    /// Results so far.
    pub report: Report,
    /// Sees the curves of an experiment as they grow.
    pub observe: Option<&'a Observer<'a>>,
    clock: RunClock<'a>,
    save: &'a mut dyn FnMut(&Report) -> Result<(), BenchError>,
    random: Random,
    /// Weights of the work that time was reserved for, and of the part that was begun.
    weights: [f64; 2],
    /// Seconds of earlier sessions of a resumed run.
    before_secs: f64,
}

/// The clock of a run, which reports progress whenever it is read for interruptions: before every turn.
struct RunClock<'a> {
    clock: &'a dyn Clock,
    progress: &'a dyn Progress,
    /// Start and deadline of the current experiment, and the parts of the run that are done at both.
    span: Cell<[f64; 4]>,
}

impl Clock for RunClock<'_> {
    fn secs(&self) -> f64 {
        self.clock.secs()
    }

    fn is_interrupted(&self) -> bool {
        let [start, deadline, first, last] = self.span.get();
        let part = ((self.secs() - start) / (deadline - start).max(1e-9)).clamp(0.0, 1.0);
        let done = first + part * (last - first);
        self.progress.step((1e6 * done) as usize, 1_000_000);
        self.clock.is_interrupted()
    }
}

impl<'a> Run<'a> {
    /// Begins a run, or continues one: `report` has the sections that were measured before.
    pub fn new(
        stage: &'a Stage,
        report: Report,
        clock: &'a dyn Clock,
        progress: &'a dyn Progress,
        save: &'a mut dyn FnMut(&Report) -> Result<(), BenchError>,
    ) -> Self {
        Self {
            stage,
            clock: RunClock {
                clock,
                progress,
                span: Cell::new([0.0, 1.0, 0.0, 0.0]),
            },
            save,
            // Rounds that are added to a resumed run have another order than the first.
            random: Random::new(report.settings.seed ^ report.elapsed_secs.to_bits()),
            weights: [0.0; 2],
            before_secs: report.elapsed_secs,
            observe: None,
            report,
        }
    }

    /// Receiver of progress.
    pub fn progress(&self) -> &'a dyn Progress {
        self.clock.progress
    }

    /// True after an interruption.
    pub fn is_interrupted(&self) -> bool {
        self.clock.clock.is_interrupted()
    }

    /// Runs experiments, each within its share of the time that is left. Sections that are complete are not measured again.
    /// Stops early after an interruption.
    pub fn run(&mut self, experiments: &[Experiment]) -> Result<(), BenchError> {
        self.reserve(experiments.iter().map(|one| one.weight).sum());
        for experiment in experiments {
            let deadline_secs = self.begin(experiment.weight);
            if self.is_complete(experiment) {
                continue;
            }
            self.experiment(experiment, deadline_secs)?;
            self.save()?;
            if self.is_interrupted() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Reserves time for contests of the CPU, whose weights add up to `weight`. Experiments and contests that begin later leave
    /// its share.
    pub fn reserve(&mut self, weight: f64) {
        self.weights[0] += weight;
    }

    /// Runs a contest of closures within its share of the time that was reserved, and saves the result. The contest of a
    /// section that is complete is not measured again; one that was interrupted keeps its rounds.
    ///
    /// Contestants of the section are those of the arena, in order; only those with [`Status::Measured`] take part.
    pub fn cpu_contest(
        &mut self,
        section: Section,
        arena: &mut CpuArena<'_>,
        pairs: &[Pair],
        weight: f64,
    ) -> Result<(), BenchError> {
        let deadline_secs = self.begin(weight);
        if self.is_measured(&section.id) {
            return Ok(());
        }
        let entrants = section.entrants.iter().enumerate();
        let instances = entrants.map(|(at, entrant)| match entrant.status {
            Status::Measured => arena.instances(at),
            _ => 0,
        });
        let contest = self.contest_of(&section, instances.collect());
        let rules = ContestRules {
            turn: CPU_TURN,
            ..ContestRules::of(&self.report.settings)
        };
        self.contest(arena, section, contest, pairs, rules, deadline_secs)?;
        self.save()
    }

    /// Leaves out a contest that is complete already, and gives its time to those that follow.
    pub fn skip(&mut self, weight: f64) {
        self.begin(weight);
    }

    /// True if a section is complete.
    pub fn is_measured(&self, id: &str) -> bool {
        self.report.section(id).is_some_and(|one| one.is_complete)
    }

    /// Begins work with a weight. Returns its deadline: its share of the time that is left.
    fn begin(&mut self, weight: f64) -> f64 {
        let max_secs = self.report.settings.max_secs - self.before_secs;
        let [all, begun] = self.weights;
        let now = self.clock.secs();
        let share = (weight / (all - begun).max(1e-9)).min(1.0);
        let deadline_secs = now + (max_secs - now).max(0.0) * share;
        let parts = [begun, begun + weight].map(|begun| begun / all.max(1e-9));
        self.clock
            .span
            .set([now, deadline_secs, parts[0], parts[1]]);
        self.weights[1] += weight;
        deadline_secs
    }

    /// Writes the results so far.
    pub fn save(&mut self) -> Result<(), BenchError> {
        self.report.elapsed_secs = self.before_secs + self.clock.secs();
        (self.save)(&self.report)
    }

    /// Ends the run, with its state.
    pub fn finish(mut self) -> Result<Report, BenchError> {
        self.report.state = match self.is_interrupted() {
            true => RunState::Interrupted,
            false => RunState::Complete,
        };
        self.save()?;
        Ok(self.report)
    }

    fn is_complete(&self, experiment: &Experiment) -> bool {
        let ids = section_ids(experiment, &self.report.settings);
        ids.iter().all(|id| self.is_measured(id))
    }

    /// Adds a section, or replaces the one of the same id.
    pub fn put(&mut self, section: Section) {
        let sections = &mut self.report.sections;
        match sections.iter_mut().find(|known| known.id == section.id) {
            Some(known) => *known = section,
            None => sections.push(section),
        }
    }

    fn experiment(
        &mut self,
        experiment: &Experiment,
        deadline_secs: f64,
    ) -> Result<(), BenchError> {
        let stage_name = match experiment.title.starts_with(&experiment.group) {
            true => experiment.title.clone(),
            false => format!("{}: {}", experiment.group, experiment.title),
        };
        self.progress().stage(&stage_name);
        let (character, subject) = experiment.subject.prepare()?;
        let (entrants, made) = self.entrants(experiment, &character, &subject)?;
        if self.is_interrupted() {
            return Ok(());
        }
        let section = Section {
            id: experiment.id.clone(),
            group: experiment.group.clone(),
            title: experiment.title.clone(),
            about: experiment.about.clone(),
            x: experiment.x.clone(),
            subject: Some(subject.clone()),
            entrants,
            body: Body::Curves {
                scale: 1.0,
                curves: Vec::new(),
            },
            notes: Vec::new(),
            is_complete: false,
        };
        // Characters reach beyond their rest pose.
        let spacing_m = self.report.settings.spacing_m;
        let spacing_m = spacing_m.unwrap_or(1.1 * subject.size_m);
        let ground = match &experiment.kind {
            Kind::Field { camera, .. } => Ground::Field(*camera),
            Kind::Curves { .. } | Kind::Fixed { .. } | Kind::AtBudget { .. } => Ground::Grid,
        };
        let mut arena = GpuArena::new(self.stage, made, spacing_m, ground)?;
        self.progress().stage(&stage_name);
        match &experiment.kind {
            Kind::Curves { pairs } => self.break_points(&mut arena, section, pairs, deadline_secs),
            Kind::Fixed {
                instances,
                pairs,
                frames,
            } => {
                let contest = self.contest_of(&section, each_measured(&section, *instances));
                let mut rules = ContestRules::of(&self.report.settings);
                if let Some(frames) = *frames {
                    rules.turn.max_frames = FRAMES_PER_TURN;
                    rules.turn.sample_ms = f64::INFINITY;
                    rules.rounds = [frames.div_ceil(FRAMES_PER_TURN as u32); 2];
                }
                self.contest(&mut arena, section, contest, pairs, rules, deadline_secs)
            }
            Kind::Field {
                instances, pairs, ..
            } => {
                let contest = self.contest_of(&section, each_measured(&section, *instances));
                let rules = ContestRules::of(&self.report.settings);
                self.contest(&mut arena, section, contest, pairs, rules, deadline_secs)
            }
            Kind::AtBudget { pairs } => {
                let settings = self.report.settings.clone();
                let length = TurnLength::of(&settings);
                let scale = scale(&mut arena, &settings, length)?;
                let budget_ms = scale * longest_budget_ms(&settings);
                let guess = f64::from(USEFUL_INSTANCES);
                let most = settings.max_instances;
                let instances = instances_within(&mut arena, 0, budget_ms, guess, most, length)?;
                let contest = self.contest_of(&section, each_measured(&section, instances));
                let rules = ContestRules::of(&settings);
                self.contest(&mut arena, section, contest, pairs, rules, deadline_secs)
            }
        }
    }

    /// Makes all contestants and checks their pictures. Stops early after an interruption.
    fn entrants(
        &self,
        experiment: &Experiment,
        character: &Arc<Character>,
        subject: &Subject,
    ) -> Result<(Vec<Entrant>, Vec<Option<Made>>), BenchError> {
        let gpu = self.stage.gpu();
        let mut sets = Sets::new(character, &experiment.subject.source, self.progress());
        let (mut entrants, mut all_made) = (Vec::new(), Vec::new());
        for spec in &experiment.entrants {
            // Bakes may take long.
            if self.is_interrupted() {
                break;
            }
            let (mut entrant, mut made) = make(gpu, character, &mut sets, spec);
            if let Some(made) = &mut made {
                check_picture(gpu, subject.size_m, spec, made, &mut entrant)?;
            }
            if entrant.status != Status::Measured {
                made = None;
            }
            entrants.push(entrant);
            all_made.push(made);
        }
        Ok((entrants, all_made))
    }

    /// The contest of a section: that of an earlier session, or one without rounds and with the given numbers of instances.
    fn contest_of(&self, section: &Section, instances: Vec<u32>) -> Contest {
        let known = self.report.section(&section.id);
        let is_same = |known: &&Section| {
            let names = |section: &Section| -> Vec<String> {
                section
                    .entrants
                    .iter()
                    .map(|one| one.name.clone())
                    .collect()
            };
            names(known) == names(section)
        };
        if let Some(Body::Contest(contest)) = known.filter(is_same).map(|known| &known.body) {
            return contest.clone();
        }
        Contest::of(instances)
    }

    fn contest(
        &mut self,
        arena: &mut dyn Arena,
        mut section: Section,
        mut contest: Contest,
        pairs: &[Pair],
        rules: ContestRules,
        deadline_secs: f64,
    ) -> Result<(), BenchError> {
        let takes_part = |entrant: usize| contest.instances[entrant] > 0;
        let pairs: Vec<Pair> = pairs
            .iter()
            .copied()
            .filter(|pair| takes_part(pair.entrant) && takes_part(pair.against))
            .collect();
        let pace = Pace {
            clock: &self.clock,
            deadline_secs,
        };
        let stop = run_contest(arena, &mut contest, &pairs, rules, pace, &mut self.random)?;
        if contest.rounds.len() < rules.rounds[0] as usize && stop == Some(Stop::OutOfTime) {
            section.notes.push(format!(
                "out of time after {} of {} rounds",
                contest.rounds.len(),
                rules.rounds[0]
            ));
        }
        section.is_complete = stop != Some(Stop::Interrupted);
        section.body = Body::Contest(contest);
        self.put(section);
        Ok(())
    }

    /// Curves of all contestants, then a contest at every break point.
    fn break_points(
        &mut self,
        arena: &mut dyn Arena,
        section: Section,
        pairs: &[Pair],
        deadline_secs: f64,
    ) -> Result<(), BenchError> {
        let settings = self.report.settings.clone();
        let length = TurnLength::of(&settings);
        let mut section = Section {
            id: format!("{}/curves", section.id),
            ..section
        };
        let is_measured = |entrant: &Entrant| entrant.status == Status::Measured;
        let (scale, mut curves) = match self.report.section(&section.id).map(|known| &known.body) {
            Some(Body::Curves { scale, curves }) => (*scale, curves.clone()),
            _ => {
                let measured =
                    (0..section.entrants.len()).filter(|&at| is_measured(&section.entrants[at]));
                let curves = measured.map(|entrant| Curve {
                    entrant,
                    points: Vec::new(),
                    is_complete: false,
                });
                (scale(arena, &settings, length)?, curves.collect())
            }
        };
        let rules = LadderRules {
            threshold: settings.threshold,
            unit: settings.threshold_unit,
            max_ms: scale * longest_budget_ms(&settings),
            max_instances: settings.max_instances,
        };
        let pace = Pace {
            clock: &self.clock,
            deadline_secs,
        };
        let pace = pace.part(CURVES_OF_TIME);
        let observe = |curves: &[Curve]| {
            if let Some(observe) = self.observe {
                observe(&section.entrants, curves);
            }
        };
        let random = &mut self.random;
        let (stop, limited) = climb(arena, &mut curves, rules, length, pace, random, &observe)?;
        for (entrant, reason) in limited {
            let name = &section.entrants[entrant].name;
            section.notes.push(format!("{name}: {reason}"));
        }
        if stop == Some(Stop::OutOfTime) {
            section.notes.push(
                "out of time before the curves reached the longest frame; break points beyond their ends are \
                 extrapolated"
                    .into(),
            );
        }
        section.is_complete = stop != Some(Stop::Interrupted);
        section.body = Body::Curves {
            scale,
            curves: curves.clone(),
        };
        self.put(section.clone());
        if !section.is_complete {
            return Ok(());
        }
        self.save()?;
        let group = section.id.trim_end_matches("/curves").to_owned();
        for (at, &fps) in settings.contest_fps.iter().enumerate() {
            let budget_ms = scale * 1e3 / fps;
            let section = Section {
                id: format!("{group}/at-{fps}"),
                title: match scale == 1.0 {
                    true => format!("At {fps} frames per second"),
                    false => format!("At {budget_ms:.0} ms per frame ({fps} fps × {scale})"),
                },
                about: "Each contestant draws as many instances as fit into the frame time. Ratios of throughput, \
                        which are ratios of instances."
                    .into(),
                notes: Vec::new(),
                is_complete: false,
                ..section.clone()
            };
            if self.is_measured(&section.id) {
                continue;
            }
            let mut contest = self.contest_of(&section, vec![0; section.entrants.len()]);
            if contest.rounds.is_empty() {
                contest.budget_ms = Some(budget_ms);
                contest.fps = Some(fps);
                for curve in &curves {
                    let guess = guess(&curve.points, budget_ms);
                    let most = settings.max_instances;
                    contest.instances[curve.entrant] = match guess {
                        Some(guess) => {
                            instances_within(arena, curve.entrant, budget_ms, guess, most, length)?
                        }
                        None => 0,
                    };
                }
                equalize(&mut contest.instances, pairs);
            }
            let left = (deadline_secs - self.clock.secs()).max(0.0);
            let deadline_secs = self.clock.secs() + left / (settings.contest_fps.len() - at) as f64;
            let rules = ContestRules::of(&settings);
            self.contest(arena, section, contest, pairs, rules, deadline_secs)?;
            if self.is_interrupted() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Frames per turn where a number of frames is asked for.
const FRAMES_PER_TURN: usize = 30;

/// Frame time of the lowest frame rate, before scaling.
fn longest_budget_ms(settings: &Settings) -> f64 {
    1e3 / settings.fps.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The same number of instances for all contestants that take part.
fn each_measured(section: &Section, instances: u32) -> Vec<u32> {
    let of = |entrant: &Entrant| match entrant.status {
        Status::Measured => instances,
        _ => 0,
    };
    section.entrants.iter().map(of).collect()
}

/// Ids of the sections of an experiment.
fn section_ids(experiment: &Experiment, settings: &Settings) -> Vec<String> {
    let id = &experiment.id;
    match experiment.kind {
        Kind::Curves { .. } => {
            let contests = settings.contest_fps.iter();
            let contests = contests.map(|fps| format!("{id}/at-{fps}"));
            contests.chain([format!("{id}/curves")]).collect()
        }
        Kind::Fixed { .. } | Kind::Field { .. } | Kind::AtBudget { .. } => vec![id.clone()],
    }
}

/// Factor of frame budgets with which the first contestant draws a useful number in the shortest: a power of two.
fn scale(
    arena: &mut dyn Arena,
    settings: &Settings,
    length: TurnLength,
) -> Result<f64, BenchError> {
    let shortest_ms = 1e3 / settings.fps.iter().copied().fold(0.0, f64::max);
    let ms = take_turn(arena, 0, USEFUL_INSTANCES, length)?.mean_ms();
    let power_of_two = |ms: f64| (ms / shortest_ms).log2().ceil().exp2().max(1.0);
    let many_ms = ms * f64::from(MANY_INSTANCES / USEFUL_INSTANCES);
    Ok(power_of_two(ms).max(power_of_two(many_ms.min(LONG_FRAME_MS))))
}

/// First guess of the number of instances in a frame budget; `None` if one instance takes longer.
fn guess(points: &[Point], budget_ms: f64) -> Option<f64> {
    match instances_at(points, budget_ms) {
        Some(instances) if instances < 1.0 => None,
        Some(instances) => Some(instances),
        None => {
            let last = points.iter().rev().find(|point| point.is_kept)?;
            let each_ms = last.turn.mean_ms() / f64::from(last.turn.instances);
            Some(budget_ms / each_ms)
        }
    }
}
