//! Malformed files of the test assets are rejected with the right kind of error, or load with a warning and
//! pose to finite numbers.

mod common;

use std::collections::BTreeSet;

use common::{assert_finite, has_warning};
use throng_import::{ErrorKind, ImportOptions, Warning, import_file};
use throng_testkit::{files_below, shared_assets};

enum Expect {
    Error(ErrorKind),
    /// Loads with a warning that this accepts.
    Loads(fn(&Warning) -> bool),
    /// Loads; the file is valid.
    LoadsQuietly,
}

use Expect::{Error, Loads, LoadsQuietly};

#[rustfmt::skip]
const TABLE: &[(&str, Expect)] = &[
    ("crafted/00_valid_base.glb", LoadsQuietly),
    ("crafted/01_truncated_header.glb", Error(ErrorKind::Container)),
    ("crafted/02_truncated_bin_chunk.glb", Error(ErrorKind::Container)),
    ("crafted/03_claimed_length_2gb.glb", Error(ErrorKind::Container)),
    ("crafted/04_accessor_count_huge.glb", Error(ErrorKind::Limit)),
    ("crafted/05_accessor_exceeds_bufferview.glb", Error(ErrorKind::Data)),
    ("crafted/06_joint_index_out_of_range.glb", Error(ErrorKind::Reference)),
    ("crafted/07_nan_weights.glb", Loads(|w| matches!(w, Warning::WeightsInvalid { vertices: 1, .. }))),
    ("crafted/08_weights_all_zero.glb", Loads(|w| matches!(w, Warning::VerticesUnweighted { vertices: 10, .. }))),
    ("crafted/09_weights_not_normalised.glb", Loads(|w| matches!(w, Warning::WeightsRenormalised { vertices: 2, worst_sum: 3.0, .. }))),
    ("crafted/10_negative_weight.glb", Loads(|w| matches!(w, Warning::WeightsInvalid { vertices: 1, .. }))),
    ("crafted/11_node_cycle.gltf", Error(ErrorKind::Hierarchy)),
    ("crafted/12_node_own_child.gltf", Error(ErrorKind::Hierarchy)),
    ("crafted/13_node_two_parents.gltf", Error(ErrorKind::Hierarchy)),
    ("crafted/14_zero_joints.gltf", Error(ErrorKind::Data)),
    ("crafted/15_skin_joint_node_missing.gltf", Error(ErrorKind::Reference)),
    ("crafted/16_too_few_inverse_bind_matrices.glb", Error(ErrorKind::Data)),
    ("crafted/17_nan_inverse_bind_matrix.glb", Error(ErrorKind::Data)),
    ("crafted/18_zero_length_clip.glb", LoadsQuietly),
    ("crafted/19_empty_animation.gltf", Loads(|w| matches!(w, Warning::ClipEmpty { .. }))),
    ("crafted/20_times_not_increasing.glb", Error(ErrorKind::Data)),
    ("crafted/21_nan_key_time.glb", Error(ErrorKind::Data)),
    ("crafted/22_output_count_mismatch.glb", Error(ErrorKind::Data)),
    ("crafted/23_cubicspline_without_tangents.glb", Error(ErrorKind::Data)),
    ("crafted/24_zero_quaternion.glb", Loads(|w| matches!(w, Warning::ZeroRotationKeys { keys: 1, .. }))),
    ("crafted/25_missing_buffer_file.gltf", Error(ErrorKind::Io)),
    ("crafted/26_path_traversal_uri.gltf", Error(ErrorKind::Path)),
    ("crafted/27_file_scheme_uri.gltf", Error(ErrorKind::Path)),
    ("crafted/28_bad_base64.gltf", Error(ErrorKind::Data)),
    ("crafted/29_index_out_of_range.glb", Error(ErrorKind::Data)),
    ("crafted/30_duration_1e30.glb", Error(ErrorKind::Limit)),
    ("crafted/31_deep_hierarchy_30000.gltf", LoadsQuietly),
    ("crafted/32_json_nesting_bomb.gltf", LoadsQuietly),
    ("crafted/33_unknown_required_extension.glb", Error(ErrorKind::Unsupported)),
    ("crafted/34_duplicate_channel_target.glb", Loads(|w| matches!(w, Warning::ChannelDuplicate { .. }))),
    ("crafted/35_sparse_index_out_of_range.glb", Error(ErrorKind::Data)),
    ("crafted/36_primitive_without_position.glb", Loads(|w| matches!(w, Warning::PrimitiveSkipped { .. }))),
    ("crafted/37_joints_without_weights.glb", Error(ErrorKind::Data)),
    ("crafted/38_float_joint_indices.glb", Error(ErrorKind::Data)),
    ("public/assimp/RecursiveNodes/RecursiveNodes.gltf", Error(ErrorKind::Hierarchy)),
    ("public/glTF-Validator/animation/sampler_output_count_invalid.gltf", Error(ErrorKind::Data)),
    ("public/glTF-Validator/animation/sampler_too_few_cubic_frames.gltf", Loads(|w| matches!(w, Warning::ZeroRotationKeys { keys: 1, .. }))),
    ("public/glTF-Validator/glb/chunk_too_big.glb", Error(ErrorKind::Container)),
    ("public/glTF-Validator/glb/empty_file.glb", Error(ErrorKind::Container)),
    ("public/glTF-Validator/glb/length_mismatch.glb", Error(ErrorKind::Container)),
    ("public/glTF-Validator/glb/misplaced_bin_chunk.glb", Loads(|w| matches!(w, Warning::ContainerRepaired { .. }))),
    ("public/glTF-Validator/glb/truncated_chunk_data.glb", Error(ErrorKind::Container)),
    ("public/glTF-Validator/glb/unaligned_chunk.glb", Loads(|w| matches!(w, Warning::ContainerRepaired { .. }))),
    ("public/glTF-Validator/mesh_data/index_buffer_oob.gltf", Loads(|w| matches!(w, Warning::Unused { .. }))),
    ("public/glTF-Validator/mesh_data/joints_weights_complex.gltf", Loads(|w| matches!(w, Warning::PrimitiveSkipped { .. }))),
    ("public/glTF-Validator/node/infinite_transform.gltf", Error(ErrorKind::Container)),
    ("public/glTF-Validator/node/node_loop.gltf", Error(ErrorKind::Hierarchy)),
    ("public/glTF-Validator/skin/unresolved_joint.gltf", Error(ErrorKind::Reference)),
    ("public/glTF-Validator/skin_data/invalid_ibm.gltf", Loads(|w| matches!(w, Warning::BindMatrixNotAffine { matrices: 1, .. }))),
    ("public/tinygltf/BoundsChecking/integer-out-of-bounds.gltf", Error(ErrorKind::Container)),
    ("public/tinygltf/BoundsChecking/invalid-buffer-index.gltf", Error(ErrorKind::Reference)),
    ("public/tinygltf/BoundsChecking/invalid-buffer-view-index.gltf", Error(ErrorKind::Reference)),
    ("public/tinygltf/BoundsChecking/invalid-primitive-indices.gltf", Error(ErrorKind::Reference)),
];

/// Returns the deviation from the expected outcome; `None` if there is none.
fn fault(folder: &std::path::Path, name: &str, expect: &Expect) -> Option<String> {
    let import = import_file(&folder.join(name), &ImportOptions::default());
    match (import, expect) {
        (Err(error), Error(kind)) if error.kind == *kind => {
            println!("{error}");
            assert!(!error.problem.is_empty() && !error.remedy.is_empty());
            None
        }
        (Err(error), _) => Some(format!("{:?}: {error}", error.kind)),
        (Ok(_), Error(kind)) => Some(format!("{name}: loads where {kind:?} was expected")),
        (Ok(import), Loads(_) | LoadsQuietly) => {
            assert_finite(&import.character, usize::MAX, name);
            let worth_a_word: Vec<_> = import.warnings.iter().filter(|w| !w.is_note()).collect();
            let as_expected = match expect {
                Loads(fits) => has_warning(&import.warnings, fits),
                _ => worth_a_word.is_empty(),
            };
            (!as_expected).then(|| format!("{name}: {worth_a_word:?}"))
        }
    }
}

#[test]
fn malformed_files_fail_or_load_as_listed() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let folder = assets.join("malformed");
    let faults: Vec<String> = TABLE
        .iter()
        .filter_map(|(name, expect)| fault(&folder, name, expect))
        .collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn table_lists_every_file() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let folder = assets.join("malformed");
    let there: BTreeSet<String> = files_below(&folder, &["glb", "gltf"])
        .iter()
        .map(|file| {
            file.strip_prefix(&folder)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    let named: BTreeSet<String> = TABLE.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(there, named);
}
