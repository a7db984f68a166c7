//! The `MOTION` section: one number per channel and frame, as the tracks of a clip.

use std::sync::Arc;

use glam::{Quat, Vec3};
use throng_rig::{Clip, Interpolation, JointTracks, Key, Track};

use super::channel::{self, Channel};
use super::hierarchy::{BvhJoint, Hierarchy};
use super::lexer::{Lexer, joint_object};
use crate::Warning;
use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::MAX_CLIP_SECS;

/// Frame time where that of the file is invalid, in seconds.
const FALLBACK_FRAME_SECS: f64 = 1.0 / 30.0;

/// Smallest valid frame time, in seconds.
const MIN_FRAME_SECS: f64 = 1e-6;

/// Number of frames and the time between them.
struct Header {
    frames: usize,
    frame_secs: f64,
}

/// Reads a section to the end of the file, as one clip. `None` if it has no frames.
pub(super) fn read(
    mut lexer: Lexer,
    hierarchy: &Hierarchy,
    metres_per_unit: f64,
    name: &str,
    warnings: &mut Vec<Warning>,
) -> Outcome<Option<Clip>> {
    let header = read_header(&mut lexer, warnings)?;
    let last_secs = header.frames.saturating_sub(1) as f64 * header.frame_secs;
    if last_secs > MAX_CLIP_SECS {
        let problem = format!("lasts {last_secs:e} s");
        return Err(Fault::limit(
            "MOTION",
            problem,
            "MAX_CLIP_SECS",
            MAX_CLIP_SECS,
        ));
    }
    // Each number takes at least a digit and a space, so memory is in proportion to the file whatever it declares.
    let capacity = header
        .frames
        .min(lexer.left() / (2 * hierarchy.channels.len().max(1)) + 1);
    let mut movers: Vec<Mover> = hierarchy
        .joints
        .iter()
        .enumerate()
        .filter(|(_, joint)| !joint.channels.is_empty())
        .map(|(index, joint)| Mover::new(index, joint, hierarchy, capacity))
        .collect();
    if movers.is_empty() {
        return Ok(None);
    }
    let mut values = vec![0.0; hierarchy.channels.len()];
    for frame in 0..header.frames {
        for index in 0..values.len() {
            let Some(number) = lexer.number() else {
                return Err(missing_number(&mut lexer, hierarchy, &header, frame, index));
            };
            values[index] = number;
        }
        for mover in &mut movers {
            mover.push(&values, metres_per_unit);
        }
    }
    report_trailing_words(lexer, &header, warnings);
    if header.frames == 0 {
        return Ok(None);
    }
    report_scale_channels(&hierarchy.channels, name, warnings);
    let times: Arc<[f64]> = (0..header.frames)
        .map(|frame| frame as f64 * header.frame_secs)
        .collect();
    let mut joints = Vec::with_capacity(movers.len());
    for mover in movers {
        joints.extend(mover.tracks(&times)?);
    }
    let clip = Clip::new(name.to_owned(), joints, Vec::new())
        .map_err(|error| Fault::data("MOTION", error))?;
    let spacing = (header.frames > 1).then_some(header.frame_secs);
    Ok(Some(clip.with_source_timing(0.0, last_secs, spacing)))
}

fn read_header(lexer: &mut Lexer, warnings: &mut Vec<Warning>) -> Outcome<Header> {
    if !lexer.take("MOTION") {
        return Err(lexer.unexpected(None, "ROOT or MOTION"));
    }
    if !lexer.take("Frames") {
        return Err(lexer.unexpected(None, "Frames:"));
    }
    lexer.take_colon();
    let Some(frames) = lexer.whole_number() else {
        return Err(lexer.unexpected(None, "a number of frames"));
    };
    if !lexer.take("Frame") || !lexer.take("Time") {
        return Err(lexer.unexpected(None, "Frame Time:"));
    }
    lexer.take_colon();
    let found = lexer.found();
    let word = String::from_utf8_lossy(lexer.peek());
    let Ok(frame_secs) = word.parse::<f64>() else {
        return Err(lexer.unexpected(None, "a frame time in seconds"));
    };
    lexer.word();
    let is_valid = frame_secs.is_finite() && frame_secs >= MIN_FRAME_SECS;
    if !is_valid {
        warnings.push(Warning::FrameTimeReplaced {
            found: found.trim_matches('\'').to_owned(),
            used_secs: FALLBACK_FRAME_SECS,
        });
    }
    Ok(Header {
        frames,
        frame_secs: match is_valid {
            true => frame_secs,
            false => FALLBACK_FRAME_SECS,
        },
    })
}

/// Returns the fault of a frame that ends too early, or has something else than a number.
fn missing_number(
    lexer: &mut Lexer,
    hierarchy: &Hierarchy,
    header: &Header,
    frame: usize,
    index: usize,
) -> Fault {
    let channels = hierarchy.channels.len();
    let found = lexer.found();
    if lexer.left() == 0 {
        let problem = format!(
            "Frames declares {}, but the file ends after {frame} frames and {index} of {channels} numbers",
            header.frames
        );
        return Fault::new(ErrorKind::Container, lexer.line_object(lexer.at()), problem)
            .remedy("the file is truncated: copy or export it again, or correct Frames");
    }
    let joint = hierarchy
        .joints
        .iter()
        .find(|j| j.channels.contains(&index));
    let object = format!(
        "{}, frame {frame}, {}",
        lexer.line_object(lexer.at()),
        joint_object(joint.map_or("", |joint| &joint.name))
    );
    let remedy = match found.contains(',') {
        true => "export with a decimal point instead of a comma",
        false => "correct the line or export the file again",
    };
    Fault::data(
        object,
        format_args!("found {found}, expected a finite number"),
    )
    .remedy(remedy)
}

fn report_trailing_words(mut lexer: Lexer, header: &Header, warnings: &mut Vec<Warning>) {
    if lexer.peek().is_empty() {
        return;
    }
    let line = lexer.line_object(lexer.at());
    let words = crate::warning::count(lexer.count_words(), "word", "words");
    let frames = crate::warning::count(header.frames, "frame", "frames");
    warnings.push(Warning::Unused {
        what: format!("{line}: ignored {words} after the last of {frames}"),
    });
}

fn report_scale_channels(channels: &[Channel], name: &str, warnings: &mut Vec<Warning>) {
    let scales = channels.iter().filter(|c| matches!(c, Channel::Scale(_)));
    let scales = scales.count();
    if scales > 0 {
        warnings.push(Warning::ChannelIgnored {
            clip: format!("clip '{}'", name.escape_debug()),
            reason: format!(
                "ignored {}",
                crate::warning::count(scales, "scale channel", "scale channels")
            ),
        });
    }
}

/// A joint with channels, and its keys so far.
struct Mover<'a> {
    index: usize,
    joint: &'a BvhJoint,
    channels: &'a [Channel],
    positions: Option<Keys<Vec3>>,
    rotations: Option<Keys<Quat>>,
}

impl<'a> Mover<'a> {
    fn new(index: usize, joint: &'a BvhJoint, hierarchy: &'a Hierarchy, capacity: usize) -> Self {
        let channels = &hierarchy.channels[joint.channels.clone()];
        let has = |fits: fn(&Channel) -> bool| channels.iter().any(fits);
        Self {
            index,
            joint,
            channels,
            positions: has(|c| matches!(c, Channel::Position(_))).then(|| Keys::new(capacity)),
            rotations: has(|c| matches!(c, Channel::Rotation(_))).then(|| Keys::new(capacity)),
        }
    }

    /// Adds the key of a frame; `values` has those of all joints.
    fn push(&mut self, values: &[f64], metres_per_unit: f64) {
        let values = &values[self.joint.channels.clone()];
        if let Some(keys) = &mut self.positions {
            let position = channel::position(self.joint.offset, self.channels, values);
            keys.push((position * metres_per_unit).as_vec3());
        }
        if let Some(keys) = &mut self.rotations {
            let rotation = channel::rotation(self.channels, values).as_quat();
            let turned = keys.last().is_some_and(|last| last.dot(rotation) < 0.0);
            keys.push(if turned { -rotation } else { rotation });
        }
    }

    /// Returns the tracks; `None` if all channels were ignored.
    fn tracks(self, times: &Arc<[f64]>) -> Outcome<Option<JointTracks>> {
        if self.positions.is_none() && self.rotations.is_none() {
            return Ok(None);
        }
        let name = &self.joint.name;
        let mut tracks = JointTracks::new(self.index);
        tracks.translation = self.positions.map(|k| k.track(times, name)).transpose()?;
        tracks.rotation = self.rotations.map(|k| k.track(times, name)).transpose()?;
        Ok(Some(tracks))
    }
}

/// Keys of one property. Equal keys at the start are stored once, because most channels never change.
struct Keys<K> {
    values: Vec<K>,
    frames: usize,
    capacity: usize,
}

impl<K: Key + Copy + PartialEq> Keys<K> {
    fn new(capacity: usize) -> Self {
        Self {
            values: Vec::new(),
            frames: 0,
            capacity,
        }
    }

    fn last(&self) -> Option<K> {
        self.values.last().copied()
    }

    fn push(&mut self, value: K) {
        self.frames += 1;
        match self.values.as_slice() {
            [first] if *first == value => {}
            &[first] => {
                self.values.reserve_exact(self.capacity.saturating_sub(1));
                self.values.resize(self.frames - 1, first);
                self.values.push(value);
            }
            _ => self.values.push(value),
        }
    }

    fn track(self, times: &Arc<[f64]>, name: &str) -> Outcome<Track<K>> {
        let times = match self.values.len() {
            1 => times[..1].into(),
            _ => times.clone(),
        };
        Track::new(times, self.values, Interpolation::Linear)
            .map_err(|error| Fault::data(joint_object(name), error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::hierarchy;

    const JOINTS: &str = "HIERARCHY\nROOT a { OFFSET 0 1 0 CHANNELS 2 Xposition Zrotation }\n";

    fn read_text(motion: &str) -> Outcome<(Option<Clip>, Vec<Warning>)> {
        let text = format!("{JOINTS}{motion}");
        let mut warnings = Vec::new();
        let mut lexer = Lexer::new(text.as_bytes());
        let hierarchy = hierarchy::read(&mut lexer, &mut warnings)?;
        let clip = read(lexer, &hierarchy, 0.5, "walk", &mut warnings)?;
        Ok((clip, warnings))
    }

    fn error_of(motion: &str) -> String {
        match read_text(motion) {
            Ok(_) => panic!("{motion} was read"),
            Err(fault) => fault.in_file("a.bvh").to_string(),
        }
    }

    #[test]
    fn frames_are_a_stream_of_numbers() {
        let (clip, warnings) =
            read_text("MOTION Frames:3 Frame Time:.5 0 0 2\n90 4\r\n180").unwrap();
        let clip = clip.unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(clip.name, "walk");
        assert_eq!((clip.start_secs(), clip.end_secs()), (0.0, 1.0));
        assert_eq!(clip.finest_spacing_secs(), Some(0.5));
        let tracks = &clip.joints()[0];
        let positions = tracks.translation.as_ref().unwrap();
        assert_eq!(positions.times(), [0.0, 0.5, 1.0]);
        let expected = [0.0, 1.0, 2.0].map(|x| Vec3::new(x, 0.5, 0.0));
        assert_eq!(positions.values(), expected);
        let rotations = tracks.rotation.as_ref().unwrap().values();
        assert!(
            (rotations[1].z - 0.5f32.sqrt()).abs() < 1e-7,
            "{}",
            rotations[1]
        );
        assert_eq!(rotations[2].z, 1.0);
    }

    #[test]
    fn channels_that_never_change_have_one_key() {
        let (clip, _) = read_text("MOTION Frames: 4 Frame Time: 0.1 5 1 5 1 5 2 5 3").unwrap();
        let clip = clip.unwrap();
        assert_eq!(
            clip.joints()[0].translation.as_ref().unwrap().times(),
            [0.0]
        );
        let rotations = clip.joints()[0].rotation.as_ref().unwrap().values();
        assert_eq!(rotations.len(), 4);
        assert_eq!(rotations[0], rotations[1]);
        assert_ne!(rotations[1], rotations[2]);
        assert!((clip.duration_secs() - 0.3).abs() < 1e-12);
    }

    #[test]
    fn successive_rotations_are_on_one_hemisphere() {
        let (clip, _) = read_text("MOTION Frames: 4 Frame Time: 1 0 0 0 170 0 190 0 -10").unwrap();
        let clip = clip.unwrap();
        let rotations = clip.joints()[0].rotation.as_ref().unwrap().values();
        assert!(rotations.windows(2).all(|pair| pair[0].dot(pair[1]) >= 0.0));
    }

    #[test]
    fn files_of_no_frames_have_no_clip_and_of_one_have_a_pose() {
        assert!(
            read_text("MOTION Frames: 0 Frame Time: 1")
                .unwrap()
                .0
                .is_none()
        );
        let clip = read_text("MOTION Frames: 1 Frame Time: 1 1 2")
            .unwrap()
            .0
            .unwrap();
        assert_eq!(clip.duration_secs(), 0.0);
        assert_eq!(clip.finest_spacing_secs(), None);
    }

    #[test]
    fn rejects_fewer_frames_than_declared() {
        assert_eq!(
            error_of("MOTION\nFrames: 3\nFrame Time: 1\n1 2\n3"),
            "a.bvh: line 7: Frames declares 3, but the file ends after 1 frames and 1 of 2 numbers; the file is truncated: copy or export it again, or correct Frames"
        );
        let many = error_of("MOTION Frames: 80000 Frame Time: 1 1 2");
        assert!(many.contains("Frames declares 80000"), "{many}");
        let most = error_of(&format!("MOTION Frames: {} Frame Time: 1", usize::MAX));
        assert!(most.contains("MAX_CLIP_SECS"), "{most}");
    }

    #[test]
    fn rejects_numbers_that_are_not_finite() {
        for bad in ["nan", "-inf", "1e999", "x", "}"] {
            let error = error_of(&format!("MOTION\nFrames: 2\nFrame Time: 1\n1 2\n3 {bad}\n"));
            let expected =
                format!("line 7, frame 1, joint 'a': found '{bad}', expected a finite number");
            assert!(error.contains(&expected), "{error}");
        }
        let error = error_of("MOTION Frames: 1 Frame Time: 1 0,5 1");
        assert!(
            error.contains("export with a decimal point instead of a comma"),
            "{error}"
        );
    }

    #[test]
    fn rejects_numbers_beyond_float32() {
        let error = error_of("MOTION Frames: 1 Frame Time: 1 1e300 0");
        assert!(
            error.contains("joint 'a': value 0 is not finite"),
            "{error}"
        );
    }

    #[test]
    fn rejects_invalid_headers() {
        for (motion, expected) in [
            ("", "found the end of the file, expected ROOT or MOTION"),
            ("}", "line 3: found '}', expected ROOT or MOTION"),
            ("MOTION", "expected Frames:"),
            (
                "MOTION Frames: -1",
                "found '-1', expected a number of frames",
            ),
            (
                "MOTION Frames: 1.5",
                "found '1.5', expected a number of frames",
            ),
            ("MOTION Frames: 1 0 0", "found '0', expected Frame Time:"),
            (
                "MOTION Frames: 1 Frame Rate: 3",
                "found 'Rate:', expected Frame Time:",
            ),
            (
                "MOTION Frames: 1 Frame Time: x",
                "found 'x', expected a frame time in seconds",
            ),
        ] {
            let error = error_of(motion);
            assert!(error.contains(expected), "{error}");
        }
        let long = error_of("MOTION Frames: 2 Frame Time: 1e9 0 0 0 0");
        assert!(long.contains("MAX_CLIP_SECS"), "{long}");
    }

    #[test]
    fn invalid_frame_times_are_replaced_and_reported() {
        for invalid in ["0", "-0.5", "nan", "inf", "1e-300"] {
            let text = format!("MOTION Frames: 2 Frame Time: {invalid} 0 0 1 1");
            let (clip, warnings) = read_text(&text).unwrap();
            assert_eq!(clip.unwrap().end_secs(), 1.0 / 30.0);
            let expected = Warning::FrameTimeReplaced {
                found: invalid.into(),
                used_secs: 1.0 / 30.0,
            };
            assert_eq!(warnings, [expected]);
        }
    }

    #[test]
    fn text_after_the_last_frame_is_reported() {
        let (_, warnings) = read_text("MOTION Frames: 1 Frame Time: 1 0 0\n\n1 2 3\n").unwrap();
        let expected = Warning::Unused {
            what: "line 5: ignored 3 words after the last of 1 frame".into(),
        };
        assert_eq!(warnings, [expected]);
    }
}
