//! Import warnings.

use std::fmt;

use serde::Serialize;

/// A repair or omission during import. Objects are named as in [`crate::ImportError::object`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Warning {
    /// Weights did not sum to one and were renormalised.
    WeightsRenormalised {
        /// The mesh.
        mesh: String,
        /// Number of vertices.
        vertices: usize,
        /// Sum of weights that was farthest from one.
        worst_sum: f64,
    },
    /// Negative, infinite or NaN weights were treated as zero.
    WeightsInvalid {
        /// The mesh.
        mesh: String,
        /// Number of vertices.
        vertices: usize,
    },
    /// Weights for vertices that the mesh does not have were ignored.
    WeightsWithoutVertex {
        /// The mesh.
        mesh: String,
        /// Number of weights.
        weights: usize,
    },
    /// Vertices without any weight were bound to the first joint of the skin.
    VerticesUnweighted {
        /// The mesh.
        mesh: String,
        /// Number of vertices.
        vertices: usize,
    },
    /// Influences over [`crate::ImportOptions::max_influences`] were dropped, the smallest first.
    InfluencesLimited {
        /// The mesh.
        mesh: String,
        /// Number of vertices.
        vertices: usize,
        /// Maximum number of influences per vertex.
        limit: usize,
        /// Largest sum of weights that a vertex lost.
        worst_lost: f64,
    },
    /// Influences below [`crate::ImportOptions::min_weight`] were dropped.
    SmallWeightsDropped {
        /// The mesh.
        mesh: String,
        /// Number of influences.
        influences: usize,
        /// Minimum weight.
        threshold: f64,
    },
    /// Normals were missing or invalid and were computed.
    NormalsComputed {
        /// The mesh.
        mesh: String,
        /// Number of vertices.
        vertices: usize,
    },
    /// Texture coordinates, colours or tangents were invalid and were ignored.
    AttributeDropped {
        /// The mesh.
        mesh: String,
        /// The attribute.
        attribute: String,
        /// Reason.
        reason: String,
    },
    /// A primitive cannot be drawn as triangles and was skipped.
    PrimitiveSkipped {
        /// The mesh.
        mesh: String,
        /// Reason.
        reason: String,
    },
    /// The last one or two indices do not form a triangle and were ignored.
    IndicesLeftOver {
        /// The mesh.
        mesh: String,
        /// Number of indices.
        indices: usize,
    },
    /// A node has a skin, but its mesh has no weights: the mesh follows the node.
    SkinWithoutWeights {
        /// The node.
        node: String,
    },
    /// The bottom row of inverse bind matrices was not 0 0 0 1 and was treated as such.
    BindMatrixNotAffine {
        /// The skin.
        skin: String,
        /// Number of matrices.
        matrices: usize,
    },
    /// Inverse bind matrices are singular: vertices bound to them collapse.
    BindMatrixSingular {
        /// The skin.
        skin: String,
        /// Number of matrices.
        matrices: usize,
    },
    /// A node's rotation quaternion had length zero and was treated as no rotation.
    ZeroRotation {
        /// The node.
        node: String,
    },
    /// Rotation keys of length zero were replaced by the previous key.
    ZeroRotationKeys {
        /// The clip.
        clip: String,
        /// The node.
        node: String,
        /// Number of keys.
        keys: usize,
    },
    /// Several keys had the same time; only the last was kept.
    KeysAtSameTime {
        /// The clip.
        clip: String,
        /// The node.
        node: String,
        /// Number of dropped keys.
        keys: usize,
    },
    /// Two channels animate the same property; only the first is used.
    ChannelDuplicate {
        /// The clip.
        clip: String,
        /// The node.
        node: String,
        /// The property.
        path: String,
    },
    /// A channel was ignored.
    ChannelIgnored {
        /// The clip.
        clip: String,
        /// Channel and reason.
        reason: String,
    },
    /// A clip animates nothing.
    ClipEmpty {
        /// The clip.
        clip: String,
    },
    /// Morph tracks were dropped, because motion for another character has none.
    MorphTracksDropped {
        /// Number of tracks.
        tracks: usize,
    },
    /// The points of a vertex cache were matched with the different positions of a mesh, in the order of the file, because
    /// the mesh has another number of vertices.
    CachePointsMatched {
        /// The node of the mesh.
        mesh: String,
        /// Number of points.
        points: usize,
    },
    /// Bytes after the last frame of a vertex cache were ignored.
    CacheBytesIgnored {
        /// The cache file.
        file: String,
        /// Number of bytes.
        bytes: u64,
    },
    /// The number of default morph weights differs from the number of morph targets.
    MorphWeightsAdjusted {
        /// The node.
        node: String,
        /// Number of weights in the file.
        weights: usize,
        /// Number of morph targets.
        targets: usize,
    },
    /// A node's matrix contains shear; the node became two joints.
    NodeSheared {
        /// The node.
        node: String,
    },
    /// Leaf joints were added to bones without an end.
    LeafJointsAdded {
        /// Number of joints.
        joints: usize,
    },
    /// The unit of a BVH file, which the format does not state, was guessed from the size of the skeleton.
    BvhUnit {
        /// Metres per unit of the file.
        metres_per_unit: f64,
    },
    /// Joints share a name. All were kept.
    JointNamesDuplicate {
        /// First such name.
        name: String,
        /// Number of joints whose name another joint has.
        joints: usize,
    },
    /// The frame time of a BVH file is not a finite number of at least 1 µs and was replaced.
    FrameTimeReplaced {
        /// Frame time as in the file.
        found: String,
        /// Frame time that was used, in seconds.
        used_secs: f64,
    },
    /// An image could not be read; the material has no texture.
    ImageDropped {
        /// The image.
        image: String,
        /// Reason.
        reason: String,
    },
    /// A part of the file was ignored.
    Unused {
        /// Object and reason.
        what: String,
    },
    /// The container violates its format, but all of it could be read.
    ContainerRepaired {
        /// Violation.
        problem: String,
    },
}

impl Warning {
    /// Adds [`Self::MorphTracksDropped`] unless there are none.
    pub(crate) fn report_dropped_morphs(tracks: usize, warnings: &mut Vec<Self>) {
        if tracks > 0 {
            warnings.push(Self::MorphTracksDropped { tracks });
        }
    }

    /// Returns true for a note: a change that takes nothing away from the character.
    pub fn is_note(&self) -> bool {
        matches!(
            self,
            Self::NormalsComputed { .. }
                | Self::NodeSheared { .. }
                | Self::LeafJointsAdded { .. }
                | Self::SmallWeightsDropped { .. }
                | Self::BvhUnit { .. }
        )
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WeightsRenormalised {
                mesh,
                vertices,
                worst_sum,
            } => write!(
                f,
                "{mesh}: weights of {} did not sum to 1 (worst sum {worst_sum:.3}); renormalised",
                count(*vertices, "vertex", "vertices")
            ),
            Self::WeightsInvalid { mesh, vertices } => write!(
                f,
                "{mesh}: {} had a negative or non-finite weight; treated as 0",
                count(*vertices, "vertex", "vertices")
            ),
            Self::WeightsWithoutVertex { mesh, weights } => write!(
                f,
                "{mesh}: ignored {} for vertices that do not exist",
                count(*weights, "weight", "weights")
            ),
            Self::VerticesUnweighted { mesh, vertices } => write!(
                f,
                "{mesh}: bound {} without any weight to the first joint of the skin",
                count(*vertices, "vertex", "vertices")
            ),
            Self::InfluencesLimited {
                mesh,
                vertices,
                limit,
                worst_lost,
            } => write!(
                f,
                "{mesh}: {} had more than {limit} influences; dropped the smallest (at most {:.1} % of the weight of a vertex)",
                count(*vertices, "vertex", "vertices"),
                100.0 * worst_lost
            ),
            Self::SmallWeightsDropped {
                mesh,
                influences,
                threshold,
            } => write!(
                f,
                "{mesh}: dropped {} with a weight below {threshold}",
                count(*influences, "influence", "influences")
            ),
            Self::NormalsComputed { mesh, vertices } => write!(
                f,
                "{mesh}: normals of {} were missing or invalid; computed from the triangles",
                count(*vertices, "vertex", "vertices")
            ),
            Self::AttributeDropped {
                mesh,
                attribute,
                reason,
            } => write!(f, "{mesh}: ignored {attribute}: {reason}"),
            Self::PrimitiveSkipped { mesh, reason } => write!(f, "{mesh}: skipped: {reason}"),
            Self::IndicesLeftOver { mesh, indices } => write!(
                f,
                "{mesh}: ignored the last {}: a triangle needs 3",
                count(*indices, "index", "indices")
            ),
            Self::SkinWithoutWeights { node } => write!(
                f,
                "{node}: has a skin, but its mesh has no JOINTS and WEIGHTS; the mesh follows the node"
            ),
            Self::BindMatrixNotAffine { skin, matrices } => write!(
                f,
                "{skin}: the bottom row of {} was not 0 0 0 1; treated as 0 0 0 1",
                count(*matrices, "inverse bind matrix", "inverse bind matrices")
            ),
            Self::BindMatrixSingular { skin, matrices } => write!(
                f,
                "{skin}: found {}; vertices bound to it collapse",
                count(
                    *matrices,
                    "singular inverse bind matrix",
                    "singular inverse bind matrices"
                )
            ),
            Self::ZeroRotation { node } => write!(
                f,
                "{node}: the rotation quaternion has length zero; treated as no rotation"
            ),
            Self::ZeroRotationKeys { clip, node, keys } => write!(
                f,
                "{clip}: {node}: replaced {} of length zero by the previous key",
                count(*keys, "rotation key", "rotation keys")
            ),
            Self::KeysAtSameTime { clip, node, keys } => write!(
                f,
                "{clip}: {node}: dropped {} at the same time as the next key",
                count(*keys, "key", "keys")
            ),
            Self::ChannelDuplicate { clip, node, path } => write!(
                f,
                "{clip}: two channels animate the {path} of {node}; only the first is used"
            ),
            Self::ChannelIgnored { clip, reason } => write!(f, "{clip}: {reason}"),
            Self::ClipEmpty { clip } => write!(f, "{clip}: animates nothing"),
            Self::MorphTracksDropped { tracks } => write!(
                f,
                "dropped {}: motion for another character has none",
                count(*tracks, "morph track", "morph tracks")
            ),
            Self::CachePointsMatched { mesh, points } => write!(
                f,
                "mesh '{mesh}': vertices are split at seams; matched {points} points of the cache with its different \
                 positions, in the order of the file"
            ),
            Self::CacheBytesIgnored { file, bytes } => write!(
                f,
                "{file}: ignored {bytes} bytes after the last frame of the vertex cache"
            ),
            Self::MorphWeightsAdjusted {
                node,
                weights,
                targets,
            } => write!(
                f,
                "{node}: found {weights} morph weights, expected {targets}; missing weights are 0, extra weights are ignored"
            ),
            Self::NodeSheared { node } => {
                write!(
                    f,
                    "{node}: its matrix contains shear; split into two joints"
                )
            }
            Self::LeafJointsAdded { joints } => write!(
                f,
                "added {}, so that every bone has an end",
                count(*joints, "leaf joint", "leaf joints")
            ),
            Self::BvhUnit { metres_per_unit } => write!(
                f,
                "BVH states no unit; took 1 unit as {metres_per_unit:.4} m, from the size of the skeleton"
            ),
            Self::JointNamesDuplicate { name, joints } => write!(
                f,
                "{} share their name with another, such as '{}'; kept",
                count(*joints, "joint", "joints"),
                name.escape_debug()
            ),
            Self::FrameTimeReplaced { found, used_secs } => write!(
                f,
                "found a frame time of '{found}', expected a positive number of seconds; used {used_secs:.4} s"
            ),
            Self::ImageDropped { image, reason } => write!(f, "{image}: ignored: {reason}"),
            Self::Unused { what } => f.write_str(what),
            Self::ContainerRepaired { problem } => f.write_str(problem),
        }
    }
}

/// Formats a count with its noun in the singular or the plural.
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
