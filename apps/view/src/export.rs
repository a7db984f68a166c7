//! Exports: the bake, its shader, a picture or animation, the posed mesh.

use throng_rig::Skinning;

use crate::command_line::bake_arguments;
use crate::state::State;

/// Kind of export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportKind {
    /// The texture set of the focused viewport.
    Bake,
    /// The shaders that decode it.
    Shader,
    /// A picture of the focused viewport.
    Picture,
    /// One loop of the clip in the focused viewport.
    Animation,
    /// The mesh in the pose that is shown.
    Mesh,
}

/// Shading languages.
pub const LANGUAGES: [&str; 4] = ["wgsl", "glsl", "hlsl", "msl"];

/// Dialog of an export.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportDialog {
    /// Kind of export.
    pub kind: ExportKind,
    /// File or folder to write.
    pub path: String,
    /// Language of shaders.
    pub language: &'static str,
    /// Frames per second of animations.
    pub fps: u32,
}

impl ExportKind {
    /// All kinds, in the order of the menu.
    pub const ALL: [Self; 5] = [
        Self::Bake,
        Self::Shader,
        Self::Picture,
        Self::Animation,
        Self::Mesh,
    ];

    /// Entry of the menu.
    pub fn title(self) -> &'static str {
        match self {
            Self::Bake => "Bake…",
            Self::Shader => "Shader…",
            Self::Picture => "Picture…",
            Self::Animation => "Animation…",
            Self::Mesh => "Posed mesh…",
        }
    }

    /// One line about the file.
    pub fn about(self) -> &'static str {
        match self {
            Self::Bake => "A folder of textures, or one file that ends in .glb",
            Self::Shader => "A file with all stages that draw the set",
            Self::Picture => "A .png file",
            Self::Animation => "A .png (APNG) or .gif file",
            Self::Mesh => "A .glb, .obj, .ply or .json file",
        }
    }

    /// True if it needs a texture set in the focused viewport.
    pub fn needs_set(self) -> bool {
        matches!(self, Self::Bake | Self::Shader)
    }
}

impl ExportDialog {
    /// A dialog with a path that suits the document.
    pub fn new(kind: ExportKind, state: &State) -> Self {
        let document = state.document.as_ref();
        let title = document.map_or("character", |document| document.title());
        let stem = title.rsplit(':').next().unwrap_or(title);
        let stem = stem.split('.').next().unwrap_or(stem);
        let path = match kind {
            ExportKind::Bake => format!("{stem}.throng"),
            ExportKind::Shader => format!("{stem}.wgsl"),
            ExportKind::Picture | ExportKind::Animation => format!("{stem}.png"),
            ExportKind::Mesh => format!("{stem}-posed.glb"),
        };
        Self {
            kind,
            path,
            language: LANGUAGES[0],
            fps: 30,
        }
    }

    /// Arguments of the command that does the same; `None` where there is none, or nothing to export.
    pub fn arguments(&self, state: &State) -> Option<Vec<String>> {
        let document = state.document.as_ref()?;
        match self.kind {
            ExportKind::Bake => {
                if !document.is_file {
                    return None;
                }
                let key = state.bake_key(state.focus)?;
                Some(bake_arguments(
                    &document.source,
                    state.sharing,
                    &key,
                    &self.path,
                ))
            }
            ExportKind::Shader => {
                let baked = state.set_of(state.focus)?;
                let manifest = baked.set.manifest();
                let mut arguments = vec!["shader".to_owned()];
                let mut add = |name: &str, value: String| arguments.extend([name.into(), value]);
                add("--encoding", manifest.encoding.to_string());
                match manifest.storage().precision() {
                    Some(precision) => add("--precision", precision.to_string()),
                    None => add("--layout", "compressed".into()),
                }
                if manifest.method != Skinning::AsAuthored && !manifest.encoding.is_vertex() {
                    add("--method", manifest.method.to_string());
                }
                add("--lang", self.language.into());
                Some(arguments)
            }
            ExportKind::Picture | ExportKind::Animation | ExportKind::Mesh => None,
        }
    }
}
