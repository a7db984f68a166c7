//! Contents of a character, as data.

use serde::Serialize;
use throng_import::{Import, Warning};
use throng_rig::{
    AuthoredMethod, Bounds, Character, CharacterPose, Clip, Interpolation, JointKind, Material,
    Method, Part,
};
use throng_skin::posed_bounds;

/// Contents of a character: the output of `--json`.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    pub source: &'a str,
    pub format: &'static str,
    pub generator: Option<&'a str>,
    /// Largest extent of the bounding box in the rest pose.
    pub size_m: f64,
    pub bounds: Option<Box3>,
    pub totals: Totals,
    pub parts: Vec<PartRow<'a>>,
    pub skins: Vec<SkinRow<'a>>,
    pub joints: Vec<JointRow<'a>>,
    pub clips: Vec<ClipRow<'a>>,
    pub materials: Vec<MaterialRow<'a>>,
    pub warnings: &'a [Warning],
}

#[derive(Debug, Serialize)]
pub struct Box3 {
    pub min: [f64; 3],
    pub max: [f64; 3],
}

impl Box3 {
    /// Returns `None` for empty bounds.
    pub fn of(bounds: &Bounds) -> Option<Self> {
        (!bounds.is_empty()).then(|| Self {
            min: bounds.min.to_array(),
            max: bounds.max.to_array(),
        })
    }
}

#[derive(Debug, Serialize)]
pub struct Totals {
    pub vertices: usize,
    pub unique_positions: usize,
    pub unique_normals: usize,
    pub triangles: usize,
    pub joints: usize,
    pub roots: usize,
    pub depth: usize,
    pub max_influences: usize,
}

#[derive(Debug, Serialize)]
pub struct PartRow<'a> {
    pub node: usize,
    pub node_name: &'a str,
    pub primitive: usize,
    pub vertices: usize,
    pub unique_positions: usize,
    pub unique_normals: usize,
    pub triangles: usize,
    pub max_influences: usize,
    pub authored_method: &'static str,
    pub skin: usize,
    pub morph_targets: usize,
    pub uvs: bool,
    pub colors: bool,
    pub tangents: bool,
    pub material: Option<usize>,
}

#[derive(Debug, Serialize)]
pub struct SkinRow<'a> {
    pub name: &'a str,
    pub joints: &'a [usize],
}

#[derive(Debug, Serialize)]
pub struct JointRow<'a> {
    pub name: &'a str,
    pub parent: Option<usize>,
    pub kind: &'static str,
    /// Number of clips that move it.
    pub clips: usize,
}

#[derive(Debug, Serialize)]
pub struct ClipRow<'a> {
    pub name: &'a str,
    pub start_secs: f64,
    pub end_secs: f64,
    pub duration_secs: f64,
    pub tracks: usize,
    pub keys: usize,
    pub finest_spacing_secs: Option<f64>,
    pub interpolations: Vec<&'static str>,
    pub morphs: bool,
}

#[derive(Debug, Serialize)]
pub struct MaterialRow<'a> {
    pub name: &'a str,
    pub base_color: [f32; 4],
    pub texture: Option<&'a str>,
    pub double_sided: bool,
}

fn kind_name(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Bone => "bone",
        JointKind::Node => "node",
        JointKind::Leaf => "leaf",
        JointKind::AddedLeaf => "added leaf",
        JointKind::Stretch => "stretch",
    }
}

fn interpolation_name(interpolation: Interpolation) -> &'static str {
    match interpolation {
        Interpolation::Step => "step",
        Interpolation::Linear => "linear",
        Interpolation::CubicSpline => "spline",
    }
}

impl<'a> Report<'a> {
    pub fn new(source: &'a str, import: &'a Import) -> Self {
        let character = &import.character;
        let rest = CharacterPose::rest(character);
        let bounds = posed_bounds(character, &rest, Method::Lbs);
        let parts = character.parts().iter();
        let parts: Vec<PartRow> = parts.map(|part| part_row(character, part)).collect();
        let sum = |value: fn(&PartRow) -> usize| parts.iter().map(value).sum();
        let skeleton = character.skeleton();
        Self {
            source,
            format: import.format.name(),
            generator: import.generator.as_deref(),
            size_m: bounds.extent().max_element(),
            bounds: Box3::of(&bounds),
            totals: Totals {
                vertices: sum(|p| p.vertices),
                unique_positions: sum(|p| p.unique_positions),
                unique_normals: sum(|p| p.unique_normals),
                triangles: sum(|p| p.triangles),
                joints: skeleton.len(),
                roots: skeleton.root_count(),
                depth: skeleton.depth(),
                max_influences: parts.iter().map(|p| p.max_influences).max().unwrap_or(0),
            },
            parts,
            skins: character
                .skins()
                .iter()
                .map(|skin| SkinRow {
                    name: &skin.name,
                    joints: skin.joints(),
                })
                .collect(),
            joints: joint_rows(character),
            clips: character.clips().iter().map(clip_row).collect(),
            materials: character
                .materials()
                .iter()
                .map(|material| material_row(character, material))
                .collect(),
            warnings: &import.warnings,
        }
    }
}

fn part_row<'a>(character: &'a Character, part: &'a Part) -> PartRow<'a> {
    let mesh = character.mesh_of(part);
    PartRow {
        node: part.node,
        node_name: &part.node_name,
        primitive: part.primitive,
        vertices: mesh.vertex_count(),
        unique_positions: mesh.unique().position_count(),
        unique_normals: mesh.unique().normal_count(),
        triangles: mesh.triangles().len(),
        max_influences: mesh.influences().max_per_vertex(),
        authored_method: match mesh.authored_method {
            AuthoredMethod::Linear => "linear",
            AuthoredMethod::Rigid => "rigid",
            AuthoredMethod::DualQuaternion => "dual quaternion",
            AuthoredMethod::Blended => "blended",
        },
        skin: part.skin,
        morph_targets: mesh.morph_targets().len(),
        uvs: !mesh.uvs().is_empty(),
        colors: !mesh.colors().is_empty(),
        tangents: !mesh.tangents().is_empty(),
        material: mesh.material,
    }
}

fn joint_rows(character: &Character) -> Vec<JointRow<'_>> {
    let joints = character.skeleton().joints().iter();
    let mut rows: Vec<JointRow> = joints
        .map(|joint| JointRow {
            name: &joint.name,
            parent: joint.parent,
            kind: kind_name(joint.kind),
            clips: 0,
        })
        .collect();
    for tracks in character.clips().iter().flat_map(Clip::joints) {
        rows[tracks.joint].clips += 1;
    }
    rows
}

fn clip_row(clip: &Clip) -> ClipRow<'_> {
    let interpolations = clip.interpolations().into_iter();
    ClipRow {
        name: &clip.name,
        start_secs: clip.start_secs(),
        end_secs: clip.end_secs(),
        duration_secs: clip.duration_secs(),
        tracks: clip.track_count(),
        keys: clip.key_count(),
        finest_spacing_secs: clip.finest_spacing_secs(),
        interpolations: interpolations.map(interpolation_name).collect(),
        morphs: !clip.morphs().is_empty(),
    }
}

fn material_row<'a>(character: &'a Character, material: &'a Material) -> MaterialRow<'a> {
    let image = material.texture.map(|t| &character.images()[t.image]);
    MaterialRow {
        name: &material.name,
        base_color: material.base_color,
        texture: image.map(|image| image.format.mime()),
        double_sided: material.double_sided,
    }
}
