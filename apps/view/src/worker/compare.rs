//! Errors over the time of a clip.

use glam::DVec3;
use throng_bake::Progress;
use throng_bake::accuracy::{Playback, Played, SetPlayback, SourcePlayback};

use super::{CurveRequest, Side};

/// Returns the largest distance between two playbacks at times of equal distance, in millimetres.
pub fn curve(request: &CurveRequest, progress: &dyn Progress) -> Vec<f32> {
    progress.stage("comparing");
    let playbacks = request.sides.each_ref().map(playback);
    let [first, second] = &playbacks;
    let mut players = [first.player(), second.player()];
    let mut played = [Played::default(), Played::default()];
    let last = request.samples.max(2) - 1;
    let errors = (0..=last).map(|sample| {
        progress.step(sample, last);
        let time_secs = request.duration_secs * sample as f64 / last as f64;
        for ((player, out), clip) in players.iter_mut().zip(&mut played).zip(request.clips) {
            player.play(clip, time_secs, out);
        }
        let [a, b] = &played;
        let parts = a.parts.iter().zip(&b.parts);
        let distances = parts.map(|(a, b)| farthest(&a.positions, &b.positions));
        1e3 * distances.fold(0.0, f64::max) as f32
    });
    errors.collect()
}

fn playback(side: &Side) -> Box<dyn Playback + '_> {
    match side {
        Side::Source(character, skinning) => {
            let clips = (0..character.clips().len()).collect();
            Box::new(SourcePlayback::new(character, clips, *skinning))
        }
        Side::Set(baked) => Box::new(SetPlayback::new(&baked.set)),
    }
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    let distances = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b));
    distances.fold(0.0, f64::max).sqrt()
}
