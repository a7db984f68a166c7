//! Curves of frame times against numbers of instances, of all contestants in turns.

use crate::BenchError;
use crate::arena::{Arena, TurnLength, take_turn};
use crate::ladder::{Ladder, LadderRules};
use crate::pace::{Pace, Stop};
use crate::random::Random;
use crate::record::{Curve, Point};

/// Contestants that the device limited, each with the message.
pub type Limited = Vec<(usize, String)>;

/// Climbs the ladders of all curves that are not complete: in each pass every contestant takes one step, in random order.
/// Curves with points are continued, and `observe` sees them after every point. Returns the reason of stopping early, and the
/// contestants that the device limited.
pub fn climb(
    arena: &mut dyn Arena,
    curves: &mut [Curve],
    rules: LadderRules,
    length: TurnLength,
    pace: Pace<'_>,
    random: &mut Random,
    observe: &dyn Fn(&[Curve]),
) -> Result<(Option<Stop>, Limited), BenchError> {
    let mut ladders: Vec<Ladder> = curves
        .iter()
        .map(|curve| Ladder::after(rules, &curve.points))
        .collect();
    let mut limited = Vec::new();
    loop {
        let mut order: Vec<usize> = (0..curves.len())
            .filter(|&at| !curves[at].is_complete)
            .collect();
        if order.is_empty() {
            return Ok((None, limited));
        }
        random.shuffle(&mut order);
        for at in order {
            if let Some(stop) = pace.stop() {
                return Ok((Some(stop), limited));
            }
            let (curve, ladder) = (&mut curves[at], &mut ladders[at]);
            let Some(instances) = ladder.next() else {
                curve.is_complete = true;
                continue;
            };
            match take_turn(arena, curve.entrant, instances, length) {
                Ok(turn) => {
                    let is_kept = ladder.record(instances, turn.mean_ms());
                    curve.points.push(Point { is_kept, turn });
                }
                Err(BenchError::TooMany(reason)) => {
                    limited.push((curve.entrant, reason));
                    ladder.end();
                }
                Err(error) => return Err(error),
            }
            curve.is_complete = ladder.next().is_none();
            observe(curves);
        }
    }
}
