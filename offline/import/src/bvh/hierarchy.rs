//! The `HIERARCHY` section: joints, their offsets and their channels.

use std::collections::HashMap;
use std::ops::Range;

use glam::DVec3;

use super::channel::{Channel, EXPECTED};
use super::lexer::Lexer;
use crate::Warning;
use crate::error::{Fault, Outcome};
use crate::limits::MAX_NODES;

/// A joint or an End Site.
pub(super) struct BvhJoint {
    pub name: String,
    pub parent: Option<usize>,
    /// Position in the parent in the rest pose, in units of the file.
    pub offset: DVec3,
    /// Range in [`Hierarchy::channels`].
    pub channels: Range<usize>,
}

/// Joints, parents before children, and the channels of all joints in the order of the file.
pub(super) struct Hierarchy {
    pub joints: Vec<BvhJoint>,
    pub channels: Vec<Channel>,
}

/// A joint whose closing brace is not read yet.
struct Open {
    joint: usize,
    /// Offset of its first byte in the file.
    at: usize,
    is_end: bool,
    has_offset: bool,
    has_channels: bool,
}

/// Reads a section, up to but without `MOTION`. Depth is limited by [`MAX_NODES`] only: nothing recurses.
pub(super) fn read(lexer: &mut Lexer, warnings: &mut Vec<Warning>) -> Outcome<Hierarchy> {
    if !lexer.take("HIERARCHY") {
        let fault = lexer.unexpected(None, "HIERARCHY");
        return Err(fault.remedy("check that this is a BVH file"));
    }
    let mut hierarchy = Hierarchy {
        joints: Vec::new(),
        channels: Vec::new(),
    };
    let mut open: Vec<Open> = Vec::new();
    loop {
        match open.last() {
            None if lexer.take("ROOT") => open.push(hierarchy.open(lexer, None, false)?),
            None => break,
            Some(_) => hierarchy.read_member(lexer, &mut open)?,
        }
    }
    if hierarchy.joints.is_empty() {
        return Err(lexer.unexpected(None, "ROOT"));
    }
    report_duplicate_names(&hierarchy.joints, warnings);
    Ok(hierarchy)
}

impl Hierarchy {
    /// Reads the name and the opening brace of a joint, and adds it.
    fn open(&mut self, lexer: &mut Lexer, parent: Option<usize>, is_end: bool) -> Outcome<Open> {
        let at = lexer.at();
        let mut name = lexer.name()?.into_owned();
        if let Some(parent) = parent.filter(|_| is_end) {
            name = format!("{}_end", self.joints[parent].name);
        }
        if lexer.peek() != b"{" {
            return Err(lexer.unexpected(Some(&name), "'{'"));
        }
        lexer.word();
        if self.joints.len() == MAX_NODES {
            let problem = format!("has more than {MAX_NODES} joints");
            return Err(Fault::limit("", problem, "MAX_NODES", MAX_NODES));
        }
        let first = self.channels.len();
        self.joints.push(BvhJoint {
            name,
            parent,
            offset: DVec3::ZERO,
            channels: first..first,
        });
        Ok(Open {
            joint: self.joints.len() - 1,
            at,
            is_end,
            has_offset: false,
            has_channels: false,
        })
    }

    /// Reads a statement in the innermost open joint, or its end.
    fn read_member(&mut self, lexer: &mut Lexer, open: &mut Vec<Open>) -> Outcome<()> {
        let Some(inner) = open.last_mut() else {
            return Ok(());
        };
        let joint = inner.joint;
        if !inner.has_offset && lexer.take("OFFSET") {
            inner.has_offset = true;
            self.read_offset(lexer, joint)
        } else if !inner.has_channels && lexer.take("CHANNELS") {
            inner.has_channels = true;
            self.read_channels(lexer, joint)
        } else if !inner.is_end && lexer.take("JOINT") {
            open.push(self.open(lexer, Some(joint), false)?);
            Ok(())
        } else if !inner.is_end && lexer.take("End") {
            open.push(self.open(lexer, Some(joint), true)?);
            Ok(())
        } else if lexer.peek() == b"}" {
            if !inner.has_offset {
                return Err(lexer.unexpected(Some(&self.joints[joint].name), "OFFSET"));
            }
            lexer.word();
            open.pop();
            Ok(())
        } else {
            Err(self.unexpected_member(lexer, inner))
        }
    }

    fn read_offset(&mut self, lexer: &mut Lexer, joint: usize) -> Outcome<()> {
        for component in 0..3 {
            let Some(number) = lexer.number() else {
                let expected = "three finite numbers after OFFSET";
                return Err(lexer.unexpected(Some(&self.joints[joint].name), expected));
            };
            self.joints[joint].offset[component] = number;
        }
        Ok(())
    }

    fn read_channels(&mut self, lexer: &mut Lexer, joint: usize) -> Outcome<()> {
        let name = self.joints[joint].name.as_str();
        let Some(count) = lexer.whole_number() else {
            return Err(lexer.unexpected(Some(name), "a number of channels"));
        };
        let first = self.channels.len();
        for number in 0..count {
            let word = lexer.peek();
            let Some(channel) = Channel::parse(word) else {
                let expected = match is_statement(word) {
                    true => format!("{count} channel names after CHANNELS, but there are {number}"),
                    false => format!("a channel name: {EXPECTED}"),
                };
                return Err(lexer.unexpected(Some(name), &expected));
            };
            lexer.word();
            self.channels.push(channel);
        }
        if Channel::parse(lexer.peek()).is_some() {
            let expected = format!("no more than {count} channel names, as CHANNELS declares");
            return Err(lexer.unexpected(Some(name), &expected));
        }
        self.joints[joint].channels = first..self.channels.len();
        Ok(())
    }

    fn unexpected_member(&self, lexer: &mut Lexer, inner: &Open) -> Fault {
        let word = lexer.peek();
        let ends = word.is_empty() || word.eq_ignore_ascii_case(b"MOTION");
        let expected = match inner.is_end {
            _ if ends => format!("'}}' for the joint of {}", lexer.line_object(inner.at)),
            true => "OFFSET or '}' in an End Site".to_owned(),
            false => "OFFSET and CHANNELS once each, JOINT, End Site or '}'".to_owned(),
        };
        lexer.unexpected(Some(&self.joints[inner.joint].name), &expected)
    }
}

/// Returns true for words that may follow channel names.
fn is_statement(word: &[u8]) -> bool {
    let words = ["", "{", "}", "OFFSET", "CHANNELS", "JOINT", "End", "MOTION"];
    words
        .iter()
        .any(|statement| word.eq_ignore_ascii_case(statement.as_bytes()))
}

fn report_duplicate_names(joints: &[BvhJoint], warnings: &mut Vec<Warning>) {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for joint in joints {
        *uses.entry(&joint.name).or_default() += 1;
    }
    let repeated = |joint: &&BvhJoint| uses[joint.name.as_str()] > 1;
    if let Some(first) = joints.iter().find(repeated) {
        warnings.push(Warning::JointNamesDuplicate {
            name: first.name.clone(),
            joints: joints.iter().filter(repeated).count(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Outcome<(Hierarchy, Vec<Warning>)> {
        let mut warnings = Vec::new();
        let hierarchy = read(&mut Lexer::new(text.as_bytes()), &mut warnings)?;
        Ok((hierarchy, warnings))
    }

    fn error_of(text: &str) -> String {
        match read_text(text) {
            Ok(_) => panic!("{text} was read"),
            Err(fault) => fault.in_file("a.bvh").to_string(),
        }
    }

    #[test]
    fn reads_joints_ends_and_channels_in_file_order() {
        let text = "hierarchy root Left Hip { offset 1 2 3 Channels 2 Zrotation Xposition\r
            JOINT a:b\t{ OFFSET -1 .5 1e1 CHANNELS 1 YROTATION end site { OFFSET 0 1 0 } }
            JOINT c { CHANNELS 0 OFFSET 0 0 0 } }
            ROOT second { OFFSET 0 0 0 }";
        let (hierarchy, warnings) = read_text(text).unwrap();
        let joints: Vec<_> = hierarchy
            .joints
            .iter()
            .map(|j| (j.name.as_str(), j.parent, j.channels.clone()))
            .collect();
        assert_eq!(
            joints,
            [
                ("Left Hip", None, 0..2),
                ("a:b", Some(0), 2..3),
                ("a:b_end", Some(1), 3..3),
                ("c", Some(0), 3..3),
                ("second", None, 3..3),
            ]
        );
        assert_eq!(hierarchy.joints[1].offset, DVec3::new(-1.0, 0.5, 10.0));
        assert!(warnings.is_empty());
    }

    #[test]
    fn rejects_files_of_another_format() {
        assert_eq!(
            error_of("glTF\u{2}"),
            "a.bvh: line 1: found 'glTF\\u{2}', expected HIERARCHY; check that this is a BVH file"
        );
        assert!(error_of("").contains("found the end of the file, expected HIERARCHY"));
    }

    #[test]
    fn rejects_an_empty_hierarchy() {
        let error = error_of("HIERARCHY\nMOTION");
        assert!(
            error.contains("line 2: found 'MOTION', expected ROOT"),
            "{error}"
        );
    }

    #[test]
    fn rejects_braces_that_are_not_closed() {
        let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nMOTION\n";
        assert_eq!(
            error_of(text),
            "a.bvh: line 5, joint 'a': found 'MOTION', expected '}' for the joint of line 2; correct the line or export the file again"
        );
        let truncated = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0";
        assert_eq!(
            error_of(truncated),
            "a.bvh: line 4, joint 'a': found the end of the file, expected '}' for the joint of line 2; the file is truncated: copy or export it again"
        );
        let error = error_of("HIERARCHY ROOT a OFFSET 0 0 0");
        assert!(error.contains("expected '{'"), "{error}");
    }

    #[test]
    fn rejects_offsets_that_are_not_three_finite_numbers() {
        for offset in ["OFFSET 0 0", "OFFSET 0 nan 0", "OFFSET 0 0 inf", "OFFSET x"] {
            let error = error_of(&format!("HIERARCHY ROOT a {{ {offset} }}"));
            assert!(
                error.contains("three finite numbers after OFFSET"),
                "{error}"
            );
        }
        let error = error_of("HIERARCHY ROOT a { OFFSET 0 0 0 0 }");
        assert!(
            error.contains("found '0', expected OFFSET and CHANNELS once"),
            "{error}"
        );
        let error = error_of("HIERARCHY ROOT a { CHANNELS 0 }");
        assert!(
            error.contains("joint 'a': found '}', expected OFFSET"),
            "{error}"
        );
        let error = error_of("HIERARCHY ROOT a { OFFSET 0 0 0 OFFSET 0 0 0 }");
        assert!(
            error.contains("found 'OFFSET', expected OFFSET and CHANNELS once"),
            "{error}"
        );
    }

    #[test]
    fn rejects_numbers_of_channels_that_do_not_match_the_names() {
        let error = |channels: &str| {
            error_of(&format!(
                "HIERARCHY ROOT a {{ OFFSET 0 0 0\nCHANNELS {channels} }}"
            ))
        };
        assert_eq!(
            error("3 Xrotation Yrotation"),
            "a.bvh: line 2, joint 'a': found '}', expected 3 channel names after CHANNELS, but there are 2; correct the line or export the file again"
        );
        let many = error("1000000000 Xrotation");
        assert!(many.contains("expected 1000000000 channel names"), "{many}");
        let more = error("1 Xrotation Yrotation");
        assert!(
            more.contains("found 'Yrotation', expected no more than 1 channel names"),
            "{more}"
        );
        for count in ["", "-1", "1.5", "x", "99999999999999999999999"] {
            let error = error(count);
            assert!(error.contains("expected a number of channels"), "{error}");
        }
    }

    #[test]
    fn rejects_unknown_channels() {
        let error = error_of("HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Wrotation }");
        assert!(
            error.contains("joint 'a': found 'Wrotation', expected a channel name: Xposition,"),
            "{error}"
        );
    }

    #[test]
    fn rejects_joints_in_end_sites() {
        let error = error_of("HIERARCHY ROOT a { OFFSET 0 0 0 End Site { JOINT b");
        assert!(
            error.contains("joint 'a_end': found 'JOINT', expected OFFSET or '}'"),
            "{error}"
        );
    }

    #[test]
    fn a_million_nested_joints_are_rejected_without_recursion() {
        let text = format!(
            "HIERARCHY ROOT a {{{}",
            "JOINT a {OFFSET 0 0 0 ".repeat(1_000_000)
        );
        let error = error_of(&text);
        assert!(error.contains("the limit MAX_NODES is"), "{error}");
    }

    #[test]
    fn duplicate_names_are_kept_and_reported() {
        let (hierarchy, warnings) = read_text(
            "HIERARCHY ROOT a { OFFSET 0 0 0 JOINT b { OFFSET 0 0 0 } JOINT b { OFFSET 0 0 0 } }",
        )
        .unwrap();
        assert_eq!(hierarchy.joints.len(), 3);
        let expected = Warning::JointNamesDuplicate {
            name: "b".into(),
            joints: 2,
        };
        assert_eq!(warnings, [expected]);
    }
}
