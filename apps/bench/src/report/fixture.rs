//! A report as a real run would write it, for tests and for looking at the page.
//!
//! `THRONG_EXAMPLE_REPORT=folder cargo test -p throng-bench --lib report::fixture` writes the page and the files.

use crate::random::Random;
use crate::record::{
    Answer, Body, Cell, Contest, Curve, Entrant, FORMAT, Machine, Point, Ratio, Report, Round, Row,
    RunState, Section, Settings, Status, Subject, Table, ThresholdUnit, Turn, X,
};
use crate::stats::{Verdict, paired_ratio};

/// Options of the example.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    pub seed: u64,
    /// Factor of the frame times of `bone-qt unorm16`.
    pub slowdown: f64,
    /// Models of P0.
    pub models: usize,
    pub rounds: usize,
    /// True to make the A/A pair differ.
    pub has_bad_pair: bool,
}

/// Name, skinning method and microseconds per instance.
const TECHNIQUES: [(&str, &str, f64); 9] = [
    ("static", "", 1.0),
    ("static (again)", "", 1.0),
    ("vertex rgba16", "", 1.012),
    ("bone-matrix float32", "lbs", 1.9),
    ("bone-qt unorm16", "lbs", 1.6),
    ("bone-dq float32", "dqs", 1.5),
    ("bone-local (compressed)", "lbs", 3.1),
    ("palette per instance, LBS", "lbs", 14.0),
    ("palette per instance, DQS", "dqs", 9.0),
];
const BONE_QT: usize = 4;
const MODELS: [&str; 6] = ["box", "vampire", "x bot", "y bot", "humanoid", "dragon"];

/// Builds reports.
struct Builder {
    example: Example,
    random: Random,
}

impl Example {
    pub const DEFAULT: Self = Self {
        seed: 1,
        slowdown: 1.0,
        models: 2,
        rounds: 24,
        has_bad_pair: false,
    };

    /// A report with curves, contests, tables and series.
    pub fn report(self) -> Report {
        let mut builder = Builder {
            example: self,
            random: Random::new(self.seed),
        };
        let mut sections = Vec::new();
        for model in MODELS.iter().cycle().take(self.models).enumerate() {
            sections.extend(builder.model(model));
        }
        sections.push(break_points());
        sections.extend([986, 3938, 15_746, 62_978].map(|vertices| builder.vertices(vertices)));
        Report {
            format: FORMAT,
            suite: "p0".into(),
            started_unix_secs: 1_794_942_300,
            elapsed_secs: 4384.0,
            state: RunState::Complete,
            machine: machine(),
            settings: settings(),
            answers: answers(),
            sections,
        }
    }
}

impl Builder {
    /// About normal, with a standard deviation of one.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.random.unit()).sum::<f64>() - 6.0
    }

    fn turn(&mut self, instances: u32, ms: f64, frames: usize) -> Turn {
        let frames_ms = (0..frames)
            .map(|_| ms * (0.02 * self.normal()).exp())
            .collect();
        Turn {
            instances,
            frames_ms,
            cpu_ms: 0.08 + 0.0001 * f64::from(instances),
            gpu_ms: Some(0.93 * ms),
        }
    }

    fn model(&mut self, (index, name): (usize, &&str)) -> [Section; 3] {
        let scale = 0.002 * (1 + index) as f64;
        let group = match index < MODELS.len() {
            true => format!("p0/{name}/corners"),
            false => format!("p0/{name} {index}/corners"),
        };
        let subject = Subject {
            name: (*name).into(),
            source: format!("builtin:{name}"),
            meshes: 1 + index,
            vertices: 24 * (1 + 180 * index),
            triangles: 12 * (1 + 350 * index),
            joints: 2 + 33 * index,
            influences: 4,
            size_m: 1.8,
            clip_secs: 2.375,
        };
        let mut entrants: Vec<Entrant> = TECHNIQUES.iter().map(entrant).collect();
        let mut refused = entrant(&("vertex rgba8", "", 0.0));
        refused.status = Status::Refused {
            reason: "max error of 14.2 mm is above the tolerance of 1 mm".into(),
        };
        entrants.push(refused);
        let mut wrong = entrant(&("bone-dq unorm16", "dqs", 0.0));
        wrong.status = Status::WrongPicture {
            reason: "3.1 mm from float64 skinning, tolerance 0.5 mm".into(),
        };
        entrants.push(wrong);
        let section = |kind: &str, title: String, about: &str, body| Section {
            id: format!("{group}/{kind}"),
            group: group.clone(),
            title,
            about: about.into(),
            x: None,
            subject: Some(subject.clone()),
            entrants: entrants.clone(),
            body,
            notes: Vec::new(),
            is_complete: true,
        };
        let curves = self.curves(scale);
        let contests = [(60.0, 16.667), (30.0, 33.333)];
        let [a, b] =
            contests.map(|(fps, budget_ms)| (fps, self.contest(scale, Some((fps, budget_ms)))));
        let mut curves = section(
            "curves",
            format!("Frame rate against instances: {name}"),
            "Instances are added until a frame takes longer than 50 ms. All instances face the corners of the picture.",
            Body::Curves { curves },
        );
        curves.notes.push(
            "The palette techniques stop at 4 096 instances: uniform buffers hold no more.".into(),
        );
        let of_contest = |(fps, contest): (f64, Contest)| {
            section(
                &format!("{fps}fps"),
                format!("At {fps} frames per second: {name}"),
                "Every contestant draws as many instances as it can within the frame time; the ratio is that of instances \
                 per second.",
                Body::Contest(contest),
            )
        };
        let [a, b] = [a, b].map(of_contest);
        [curves, a, b]
    }

    fn curves(&mut self, scale: f64) -> Vec<Curve> {
        let mut curves = Vec::new();
        for (entrant, (_, _, cost)) in TECHNIQUES.iter().enumerate() {
            if entrant == 1 {
                continue;
            }
            let mut points = Vec::new();
            let mut instances = 16.0;
            let ms = |instances: f64| 0.4 + scale * cost * instances;
            while ms(instances) < 50.0 {
                let noise = (0.01 * self.normal()).exp();
                let turn = self.turn(instances as u32, noise * ms(instances), 40);
                points.push(Point {
                    is_kept: points.len() % 5 != 3,
                    turn,
                });
                instances *= 1.3;
            }
            curves.push(Curve {
                entrant,
                points,
                is_complete: true,
            });
        }
        curves
    }

    fn contest(&mut self, scale: f64, budget: Option<(f64, f64)>) -> Contest {
        let cost = |entrant: usize| match entrant {
            BONE_QT => self.example.slowdown * TECHNIQUES[entrant].2,
            1 if self.example.has_bad_pair => 1.06,
            _ => TECHNIQUES[entrant].2,
        };
        let costs: Vec<f64> = (0..TECHNIQUES.len()).map(cost).collect();
        let instances: Vec<u32> = match budget {
            Some((_, ms)) => TECHNIQUES
                .iter()
                .map(|(_, _, cost)| (ms / (scale * cost)) as u32)
                .collect(),
            None => vec![1000; costs.len()],
        };
        let mut rounds = Vec::new();
        for _ in 0..self.example.rounds {
            let drift = 1.0 + 0.1 * self.random.unit();
            let mut order: Vec<usize> = (0..costs.len()).collect();
            self.random.shuffle(&mut order);
            let mut turns = Vec::new();
            for (cost, instances) in costs.iter().zip(&instances) {
                let noise = (0.02 * self.normal()).exp();
                let ms = noise * drift * scale * cost * f64::from(*instances);
                turns.push(Some(self.turn(*instances, ms, 12)));
            }
            // Those that were refused.
            turns.extend([None, None]);
            rounds.push(Round { order, turns });
        }
        let mut pairs: Vec<(usize, usize)> = (1..costs.len()).map(|entrant| (entrant, 0)).collect();
        pairs.push((5, 3));
        let mut ratios: Vec<Ratio> = pairs.into_iter().map(|pair| ratio(&rounds, pair)).collect();
        ratios[0].is_same = true;
        Contest {
            budget_ms: budget.map(|(_, ms)| ms),
            fps: budget.map(|(fps, _)| fps),
            instances,
            rounds,
            ratios,
        }
    }

    /// A section of P4: software against hardware skinning over the number of vertices.
    fn vertices(&mut self, vertices: u32) -> Section {
        let names = [
            ("software", 60.0),
            ("hardware", 2.0),
            ("hardware, virtual bones", 2.6),
        ];
        let entrants: Vec<Entrant> = names
            .iter()
            .map(|(name, _)| entrant(&(name, "lbs", 0.0)))
            .collect();
        let mut rounds = Vec::new();
        for _ in 0..self.example.rounds.min(8) {
            let mut turns = Vec::new();
            for (name, cost) in names {
                let ms = 0.3 + 1e-5 * cost * f64::from(vertices) * (0.2 * self.normal()).exp();
                let mut turn = self.turn(25, ms, 8);
                turn.cpu_ms = if name == "software" { 0.8 * ms } else { 0.12 };
                turn.gpu_ms = Some(if name == "software" {
                    0.2 * ms
                } else {
                    0.9 * ms
                });
                turns.push(Some(turn));
            }
            rounds.push(Round {
                order: vec![2, 0, 1],
                turns,
            });
        }
        let ratios = vec![ratio(&rounds, (1, 0)), ratio(&rounds, (2, 0))];
        Section {
            id: format!("p4/vertices/{vertices}"),
            group: "p4/vertices".into(),
            title: format!("{vertices} vertices"),
            about: "25 instances of one character, subdivided. Software skins on the CPU and uploads the vertices.".into(),
            x: Some(X { label: "vertices".into(), value: f64::from(vertices) }),
            subject: None,
            entrants,
            body: Body::Contest(Contest { budget_ms: None, fps: None, instances: vec![25; 3], rounds, ratios }),
            notes: Vec::new(),
            is_complete: true,
        }
    }
}

fn ratio(rounds: &[Round], (entrant, against): (usize, usize)) -> Ratio {
    let ratings = |index: usize| -> Vec<f64> {
        let turns = rounds
            .iter()
            .filter_map(|round| round.turns[index].as_ref());
        turns.map(Turn::rating).collect()
    };
    let estimate = paired_ratio(&ratings(entrant), &ratings(against), 1);
    Ratio {
        entrant,
        against,
        ratio: estimate.value,
        low: estimate.interval[0],
        high: estimate.interval[1],
        verdict: Verdict::of(estimate.interval, settings().margin),
        is_same: false,
    }
}

fn entrant((name, skinning, _): &(&str, &str, f64)) -> Entrant {
    let has_textures = name.contains("bone-") || name.contains("vertex ");
    Entrant {
        name: (*name).into(),
        skinning: (*skinning).into(),
        status: Status::Measured,
        gpu_bytes: has_textures.then_some(12_345 * name.len() as u64),
        max_error_mm: has_textures.then_some(0.0123 * name.len() as f64),
        picture_error_mm: Some(0.02),
    }
}

/// P0's table 9 beside ours.
fn break_points() -> Section {
    let row = |name: &str, paper: f64, ours: f64| Row {
        name: name.into(),
        cells: vec![
            Cell::number(paper, format!("{:.0} %", 100.0 * paper)),
            Cell::number(ours, format!("{:.0} %", 100.0 * ours))
                .with_interval(ours - 0.012, ours + 0.012),
            Cell::text(if paper > 1.0 {
                "not reproduced"
            } else {
                "same order"
            }),
        ],
    };
    Section {
        id: "p0/table-9".into(),
        group: "p0/table-9".into(),
        title: "Instances at 60 frames per second, relative to a static crowd (P0, table 9)".into(),
        about: "The paper measured a GeForce GTX 1060; ours is this machine. Only the order is comparable.".into(),
        x: None,
        subject: None,
        entrants: Vec::new(),
        body: Body::Table(Table {
            columns: ["technique", "paper, box", "ours, box", "remark"].map(String::from).to_vec(),
            rows: vec![
                row("GPU DQ", 0.045, 0.11),
                row("GPU matrix", 0.021, 0.071),
                row("DQ texture", 0.63, 0.67),
                row("Vertex texture", 1.13, 0.98),
            ],
        }),
        notes: vec!["The paper interpolates between points, which puts the vertex texture above the control.".into()],
        is_complete: true,
    }
}

fn machine() -> Machine {
    Machine {
        adapter: "llvmpipe (LLVM 19.1.7, 256 bits)".into(),
        backend: "Vulkan".into(),
        driver: "llvmpipe Mesa 25.0.7".into(),
        device_type: "Cpu".into(),
        cpu: "AMD EPYC 7B13".into(),
        cores: 8,
        os: "linux x86_64".into(),
        throng: "0.1.0".into(),
        build: "release".into(),
        gpu_times: "timestamps".into(),
    }
}

fn settings() -> Settings {
    Settings {
        settle_ms: 500.0,
        sample_ms: 1000.0,
        threshold: [1.0, 2.0],
        threshold_unit: ThresholdUnit::Ms,
        fps: vec![120.0, 60.0, 30.0],
        margin: 0.02,
        rounds: [10, 60],
        max_secs: 7200.0,
        max_instances: 100_000,
        picture: [1280, 720],
        seed: 7,
    }
}

fn answers() -> Vec<Answer> {
    let answer = |heading: &str, text: &str| Answer {
        heading: heading.into(),
        text: text.into(),
    };
    vec![
        answer(
            "H1: dual quaternion skinning always outperforms matrix skinning",
            "Confirmed here: dual quaternions draw 1.27 times as many instances per second as matrices (95 % CI 1.25 to 1.29) \
             in both models.",
        ),
        answer(
            "H2: bone texture skinning always outperforms traditional GPU skinning",
            "Confirmed: 4.7 to 9.3 times the throughput of a palette per instance.",
        ),
        answer(
            "H3: vertex texture skinning always outperforms bone texture skinning",
            "Confirmed: vertex textures reach 98 to 100 % of a static crowd, bone textures at most 67 %.",
        ),
    ]
}

#[test]
fn writes_the_example() {
    let report = Example {
        has_bad_pair: std::env::var_os("THRONG_EXAMPLE_BAD").is_some(),
        ..Example::DEFAULT
    }
    .report();
    let mut files = super::csv(&report);
    files.push(("report.html", super::html(&report)));
    files.push((
        "report.json",
        serde_json::to_string_pretty(&report).unwrap(),
    ));
    let slower = Example {
        seed: 3,
        slowdown: 1.1,
        ..Example::DEFAULT
    };
    let runs = [
        ("a.json".to_owned(), report),
        ("b.json".to_owned(), slower.report()),
    ];
    files.push(("compare.txt", super::compare(&runs, 0.02).to_string()));
    for (name, contents) in files {
        assert!(!contents.is_empty(), "{name}");
        if let Some(folder) = std::env::var_os("THRONG_EXAMPLE_REPORT") {
            let folder = std::path::PathBuf::from(folder);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(name), contents).unwrap();
        }
    }
}

#[test]
fn reports_survive_json() {
    let mut report = Example::DEFAULT.report();
    let Body::Contest(contest) = &mut report.sections[1].body else {
        panic!("the second section is a contest");
    };
    // The interval of a single round.
    (contest.ratios[2].low, contest.ratios[2].high) = (0.0, f64::INFINITY);
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
}
