//! Pieces of HTML that experiments are made of.

use super::text::{count, escape, number};
use crate::record::{Section, Subject};

/// An experiment with its heading. Sections link to `id`.
pub fn article(id: &str, heading: Option<&str>, sections: &[&Section], body: &str) -> String {
    let heading = heading.map(|title| format!("<h4>{}</h4>\n", escape(title)));
    let state = match sections.iter().all(|section| section.is_complete) {
        true => "",
        false => "<p class=\"warn\">Not finished: the run was interrupted here.</p>\n",
    };
    let id = match id {
        "" => String::new(),
        _ => format!(" id=\"{id}\""),
    };
    format!(
        "<article{id}>{}{state}{body}</article>\n",
        heading.unwrap_or_default()
    )
}

/// Text and remarks of a section.
pub fn prose(section: &Section) -> String {
    format!("<p>{}</p>\n{}", escape(&section.about), notes(section))
}

/// Remarks of a section.
pub fn notes(section: &Section) -> String {
    let notes = section.notes.iter();
    let notes: String = notes
        .map(|note| format!("<li>{}</li>", escape(note)))
        .collect();
    match notes.as_str() {
        "" => notes,
        _ => format!("<ul class=\"notes\">{notes}</ul>\n"),
    }
}

/// A plot, with text beside it, or several with text above.
pub fn figure(plots: &[String], text: &str) -> String {
    let pictures = format!("<div class=\"pictures\">{}</div>", plots.concat());
    let caption = format!("<figcaption>{text}</figcaption>");
    match plots.len() {
        1 => format!("<figure class=\"plots1\">{pictures}{caption}</figure>\n"),
        count => format!("<figure class=\"plots{count}\">{caption}{pictures}</figure>\n"),
    }
}

/// Content that is shown on demand.
pub fn details(id: &str, summary: &str, content: &str) -> String {
    let id = match id {
        "" => String::new(),
        _ => format!(" id=\"{id}\""),
    };
    format!(
        "<details{id}><summary>{}</summary>{content}</details>\n",
        escape(summary)
    )
}

/// Numbers of a character, in one line.
pub fn subject_line(subject: &Subject) -> String {
    let parts = [
        count(subject.vertices, "vertex"),
        count(subject.triangles, "triangle"),
        count(subject.meshes, "mesh"),
        count(subject.joints, "joint"),
        format!(
            "up to {} per vertex",
            count(subject.influences, "influence")
        ),
        format!("{}\u{a0}m", number(subject.size_m, 3)),
        format!("{}\u{a0}s of clips", number(subject.clip_secs, 3)),
    ];
    format!(
        "<b>{}</b> <code>{}</code>: {}",
        escape(&subject.name),
        escape(&subject.source),
        parts.join(", ")
    )
}
