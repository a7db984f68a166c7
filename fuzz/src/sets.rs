//! Texture sets: manifests, folders, single files and compressed curves.

use std::path::Path;
use std::sync::OnceLock;

use tempfile::TempDir;
use throng_format::decode::{
    BonePose, VertexPose, bones, fade_bones, fade_vertices, frame_bones, vertices,
};
use throng_format::{Layout, Texture, TextureSet, disk};

use crate::archive;
use crate::memory::within_memory;
use crate::seeds::sets::{SetSeed, member_manifest, set_seeds};

/// Reads a manifest in the folder of a valid set of the same encoding, with a motion set beside it, and decodes the set.
pub fn manifest(data: &[u8]) {
    static FOLDERS: OnceLock<Vec<(String, TempDir)>> = OnceLock::new();
    let folders = FOLDERS.get_or_init(|| {
        let folder_of = |seed: &SetSeed| {
            let home = tempfile::tempdir().expect("a temporary folder");
            member_manifest(home.path());
            let folder = home.path().join(SET);
            std::fs::create_dir(&folder).expect("a folder");
            for (name, content) in &seed.files {
                std::fs::write(folder.join(name), content).expect("a file");
            }
            let manifest = seed.set.manifest();
            (format!("\"{}\"", manifest.encoding), home)
        };
        set_seeds().iter().map(folder_of).collect()
    });
    let named = |(encoding, _): &&(String, TempDir)| {
        let mut windows = data.windows(encoding.len());
        windows.any(|window| window == encoding.as_bytes())
    };
    let (_, home) = folders.iter().find(named).unwrap_or(&folders[0]);
    let folder = home.path().join(SET);
    std::fs::write(folder.join(disk::MANIFEST), data).expect("a file");
    read_set(&folder);
}

/// Folder name of a set beside a motion set.
const SET: &str = "set.throng";

/// Reads a set that is a folder, given as an archive, and decodes it.
pub fn set_folder(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, content) in archive::split(data) {
        std::fs::write(folder.path().join(name), content).expect("a file");
    }
    read_set(folder.path());
}

/// Reads a set that is one GLB, and decodes it.
pub fn set_file(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("set.glb");
    std::fs::write(&path, data).expect("a file");
    read_set(&path);
}

/// Decodes sets of compressed curves. The first byte chooses a valid set, the others replace its words from the first on.
pub fn curves(data: &[u8]) {
    let sets = curve_sets();
    let Some((&choice, words)) = data.split_first() else {
        return;
    };
    let set = sets[usize::from(choice) % sets.len()];
    within_memory(|| {
        let mut textures = set.textures().to_vec();
        let texture = &textures[0];
        let mut bytes = texture.bytes().to_vec();
        let replaced = bytes.len().min(words.len());
        bytes[..replaced].copy_from_slice(&words[..replaced]);
        textures[0] = Texture::new(texture.format(), texture.size(), bytes).expect("same size");
        let changed = TextureSet::new(set.manifest().clone(), textures, set.mesh().clone());
        if let Ok(set) = changed {
            decode(&set);
        }
    });
}

/// Sets of compressed curves among the seeds.
pub(crate) fn curve_sets() -> Vec<&'static TextureSet> {
    let sets = set_seeds().iter().map(|seed| &seed.set);
    sets.filter(|set| {
        matches!(
            set.manifest().layout,
            Layout::JointCurves(_) | Layout::VertexCurves(_)
        )
    })
    .collect()
}

fn read_set(path: &Path) {
    within_memory(|| {
        if let Ok(set) = disk::read(path) {
            decode(&set);
        }
    });
}

/// Decodes the first clips at their start, in the middle, at their end and outside, and fades between them.
fn decode(set: &TextureSet) {
    let layout = &set.manifest().layout;
    let is_vertices = matches!(layout, Layout::Vertices(_) | Layout::VertexCurves(_));
    let mut bone_pose = BonePose::rest(set.model());
    let mut vertex_pose = VertexPose::default();
    let clips = set.manifest().clips.iter().take(2).enumerate();
    for (clip, entry) in clips {
        let duration_secs = entry.duration_secs;
        for time_secs in [-1.0, 0.0, 0.4 * duration_secs, duration_secs, f64::MAX] {
            let times = [(0, time_secs), (clip, 0.5 * time_secs)];
            if is_vertices {
                vertices(set, clip, time_secs, &mut vertex_pose);
                fade_vertices(set, times, 0.5, &mut vertex_pose);
            } else {
                bones(set, clip, time_secs, &mut bone_pose);
                fade_bones(set, times, 0.5, &mut bone_pose);
            }
        }
        if let Layout::Bones(layout) = layout {
            let last = entry.first_frame + entry.frames - 1;
            frame_bones(set, layout, last, &mut bone_pose.model_from_joint);
        }
    }
    set.second_uvs();
    set.gpu_bytes();
}
