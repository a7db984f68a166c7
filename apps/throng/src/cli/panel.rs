//! Panels of an image: a technique, a preset or a texture set, and its skinning method.

use std::path::{Path, PathBuf};

use throng_bake::Preset;
use throng_rig::Skinning;
use throng_wgpu::Technique;

/// Contents of a panel and its skinning method: `technique[:method]`.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelChoice {
    pub content: PanelContent,
    /// Skinning method; `None` for that of `--method`, else the default of the technique.
    pub method: Option<Skinning>,
}

/// Contents of a panel.
#[derive(Debug, Clone, PartialEq)]
pub enum PanelContent {
    /// A technique chosen by what the character needs.
    Auto,
    /// A technique; an encoding is baked first.
    Technique(Technique),
    /// A layout of a paper, which is baked first.
    Preset(Preset),
    /// A texture set on disk.
    Set(PathBuf),
}

impl PanelContent {
    const AUTO: &'static str = "auto";

    /// Name on the command line.
    pub fn name(&self) -> String {
        match self {
            Self::Auto => Self::AUTO.into(),
            Self::Technique(technique) => technique.to_string(),
            Self::Preset(preset) => preset.name().into(),
            Self::Set(path) => path.display().to_string(),
        }
    }

    /// Returns the technique or preset of a name.
    fn named(name: &str) -> Option<Self> {
        if name == Self::AUTO {
            return Some(Self::Auto);
        }
        if let Ok(technique) = name.parse() {
            return Some(Self::Technique(technique));
        }
        let preset = Preset::ALL.into_iter().find(|preset| preset.name() == name);
        preset.map(Self::Preset)
    }
}

/// Parses a technique or preset without a method.
pub fn parse_technique(text: &str) -> Result<PanelContent, String> {
    PanelContent::named(text).ok_or_else(|| {
        let names = names();
        format!("unknown technique '{text}'; expected one of {names}")
    })
}

/// Parses `technique[:method]`, or the path of a set with an optional method.
pub fn parse_panel(text: &str) -> Result<PanelChoice, String> {
    let (name, method) = match text.split_once(':') {
        Some((name, method)) => (name, Some(method)),
        None => (text, None),
    };
    if let Some(content) = PanelContent::named(name) {
        let method = method.map(str::parse).transpose();
        return Ok(PanelChoice {
            content,
            method: method.map_err(|error| format!("{name}: {error}"))?,
        });
    }
    if Path::new(text).exists() {
        return Ok(set(text, None));
    }
    // Paths may contain colons, too.
    for (at, _) in text.match_indices(':') {
        let (path, method) = (&text[..at], &text[at + 1..]);
        if let Ok(method) = method.parse()
            && Path::new(path).exists()
        {
            return Ok(set(path, Some(method)));
        }
    }
    let names = names();
    Err(format!(
        "'{text}' is neither a technique nor a texture set on disk; expected one of {names}, or the path of a set, \
         each with an optional method, as in palette-dq:dqs or bone-local:blend:0.5"
    ))
}

fn set(path: &str, method: Option<Skinning>) -> PanelChoice {
    PanelChoice {
        content: PanelContent::Set(path.into()),
        method,
    }
}

fn names() -> String {
    let techniques = Technique::all().map(Technique::name);
    let presets = Preset::ALL.into_iter().map(Preset::name);
    let names = [PanelContent::AUTO]
        .into_iter()
        .chain(techniques)
        .chain(presets);
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_rig::Method;

    #[test]
    fn parses_techniques_with_methods() {
        let panel = parse_panel("palette-dq:blend:0.5").unwrap();
        assert_eq!(panel.content, PanelContent::Technique(Technique::PaletteDq));
        assert_eq!(panel.method, Some(Method::Blend(0.5).into()));
        let panel = parse_panel("p0-dq8").unwrap();
        assert_eq!(panel.content, PanelContent::Preset(Preset::P0Dq8));
        assert_eq!(panel.method, None);
        assert_eq!(parse_panel("auto:lbs").unwrap().content, PanelContent::Auto);
        for bad in ["", "cpu:", "cpu:fast", "nothing/here:dqs", ":lbs"] {
            assert!(parse_panel(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_path_may_contain_colons() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a:dqs");
        std::fs::create_dir(&path).unwrap();
        let path = path.to_str().unwrap();
        assert_eq!(parse_panel(path).unwrap(), set(path, None));
        let dqs = Some(Method::Dqs.into());
        let with_method = parse_panel(&format!("{path}:dqs")).unwrap();
        assert_eq!(with_method, set(path, dqs));
    }
}
