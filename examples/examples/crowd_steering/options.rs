//! Arguments of the command line.

use std::path::PathBuf;
use std::str::FromStr;

const USAGE: &str = "usage: [--headless FILE.png] [--agents N] [--secs S] [--seed N] [--size WxH]";

/// Arguments of the command line.
#[derive(Debug)]
pub struct Options {
    /// File of the picture; `None` opens a window.
    pub headless: Option<PathBuf>,
    /// Number of agents.
    pub agents: usize,
    /// Simulated seconds before the picture.
    pub secs: f64,
    /// Seed of places, goals and speeds.
    pub seed: u64,
    /// Width and height of the picture in pixels.
    pub size: [u32; 2],
}

impl Options {
    /// Parses arguments.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            headless: None,
            agents: 20_000,
            secs: 20.0,
            seed: 1,
            size: [1920, 1080],
        };
        while let Some(option) = arguments.next() {
            let value = arguments.next();
            let value = value.ok_or_else(|| format!("'{option}' needs a value; {USAGE}"))?;
            match option.as_str() {
                "--headless" => options.headless = Some(value.into()),
                "--agents" => options.agents = number(&option, &value)?,
                "--secs" => options.secs = number(&option, &value)?,
                "--seed" => options.seed = number(&option, &value)?,
                "--size" => options.size = size(&value)?,
                _ => return Err(format!("unknown option '{option}'; {USAGE}")),
            }
        }
        Ok(options)
    }
}

fn number<T: FromStr>(option: &str, value: &str) -> Result<T, String> {
    let number = value.parse();
    number.map_err(|_| format!("{option}: expected a number, found '{value}'"))
}

fn size(value: &str) -> Result<[u32; 2], String> {
    let sides = value.split_once('x').map(|(width, height)| [width, height]);
    let sides = sides.ok_or(format!("--size: expected WxH, found '{value}'"))?;
    match sides.map(str::parse::<u32>) {
        [Ok(width @ 1..=8192), Ok(height @ 1..=8192)] => Ok([width, height]),
        _ => Err(format!(
            "--size: expected two numbers from 1 to 8192, found '{value}'"
        )),
    }
}
