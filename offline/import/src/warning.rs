//! What was changed or left out on the way in.

use std::fmt;

use serde::Serialize;

/// Something that was changed or left out, and where. Objects are named as in
/// [`crate::ImportError::object`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Warning {
    /// Weights did not sum to one and were scaled.
    WeightsRenormalised {
        /// The mesh.
        mesh: String,
        /// How many vertices.
        vertices: usize,
        /// The sum that was farthest from one.
        worst_sum: f64,
    },
    /// Negative, infinite or NaN weights were taken as zero.
    WeightsInvalid {
        /// The mesh.
        mesh: String,
        /// How many vertices.
        vertices: usize,
    },
    /// Weights for vertices that the mesh does not have were left out.
    WeightsWithoutVertex {
        /// The mesh.
        mesh: String,
        /// How many weights.
        weights: usize,
    },
    /// Vertices without any weight were bound to the skin's first joint.
    VerticesUnweighted {
        /// The mesh.
        mesh: String,
        /// How many vertices.
        vertices: usize,
    },
    /// Influences past the limit that was asked for were dropped, the smallest first.
    InfluencesLimited {
        /// The mesh.
        mesh: String,
        /// How many vertices.
        vertices: usize,
        /// The limit.
        limit: usize,
        /// The largest sum of weights that a vertex lost.
        worst_lost: f64,
    },
    /// Influences below the threshold that was asked for were dropped.
    SmallWeightsDropped {
        /// The mesh.
        mesh: String,
        /// How many influences.
        influences: usize,
        /// The threshold.
        threshold: f64,
    },
    /// Normals were missing or unusable and were computed.
    NormalsComputed {
        /// The mesh.
        mesh: String,
        /// How many vertices.
        vertices: usize,
    },
    /// Texture coordinates, colours or tangents were unusable and were left out.
    AttributeDropped {
        /// The mesh.
        mesh: String,
        /// The attribute.
        attribute: String,
        /// Why.
        reason: String,
    },
    /// A primitive cannot be drawn as triangles and was left out.
    PrimitiveSkipped {
        /// The mesh.
        mesh: String,
        /// Why.
        reason: String,
    },
    /// The last one or two indices did not make a triangle.
    IndicesLeftOver {
        /// The mesh.
        mesh: String,
        /// How many.
        indices: usize,
    },
    /// A node names a skin, but its mesh has no weights: the mesh follows the node.
    SkinWithoutWeights {
        /// The node.
        node: String,
    },
    /// The bottom row of inverse bind matrices was not 0 0 0 1 and was taken as that.
    BindMatrixNotAffine {
        /// The skin.
        skin: String,
        /// How many matrices.
        matrices: usize,
    },
    /// An inverse bind matrix flattens everything.
    BindMatrixSingular {
        /// The skin.
        skin: String,
        /// How many matrices.
        matrices: usize,
    },
    /// A node's rotation was zero and was taken as none.
    ZeroRotation {
        /// The node.
        node: String,
    },
    /// Rotation keys of length zero took the value of the key before.
    ZeroRotationKeys {
        /// The clip.
        clip: String,
        /// The node.
        node: String,
        /// How many keys.
        keys: usize,
    },
    /// Of keys at the same time only the last was kept.
    KeysAtSameTime {
        /// The clip.
        clip: String,
        /// The node.
        node: String,
        /// How many keys were dropped.
        keys: usize,
    },
    /// Two channels move the same thing; the first was used.
    ChannelDuplicate {
        /// The clip.
        clip: String,
        /// The node.
        node: String,
        /// The property.
        path: String,
    },
    /// A channel moves something that is not played.
    ChannelIgnored {
        /// The clip.
        clip: String,
        /// What and why.
        reason: String,
    },
    /// A clip has nothing that moves.
    ClipEmpty {
        /// The clip.
        clip: String,
    },
    /// Default morph weights were missing or too many.
    MorphWeightsAdjusted {
        /// The node.
        node: String,
        /// How many there were.
        weights: usize,
        /// How many morph targets there are.
        targets: usize,
    },
    /// A node's matrix shears; it became two joints.
    NodeSheared {
        /// The node.
        node: String,
    },
    /// End joints were added to bones that had none.
    LeafJointsAdded {
        /// How many.
        joints: usize,
    },
    /// A picture could not be read; the material goes without.
    ImageDropped {
        /// The image.
        image: String,
        /// Why.
        reason: String,
    },
    /// Something in the file is not used.
    Unused {
        /// What and why.
        what: String,
    },
    /// The file's outer shape was off, but all of it could be read.
    ContainerRepaired {
        /// What was off.
        problem: String,
    },
}

impl Warning {
    /// True for what is worth knowing but takes nothing away from the character.
    pub fn is_note(&self) -> bool {
        matches!(
            self,
            Self::NormalsComputed { .. }
                | Self::NodeSheared { .. }
                | Self::LeafJointsAdded { .. }
                | Self::SmallWeightsDropped { .. }
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
                "{mesh}: weights of {} did not sum to 1 (worst {worst_sum:.3}) and were scaled",
                count(*vertices, "vertex", "vertices")
            ),
            Self::WeightsInvalid { mesh, vertices } => write!(
                f,
                "{mesh}: {} had a weight that was negative or not a number; taken as 0",
                count(*vertices, "vertex", "vertices")
            ),
            Self::WeightsWithoutVertex { mesh, weights } => write!(
                f,
                "{mesh}: {} for vertices that are not there left out",
                count(*weights, "weight", "weights")
            ),
            Self::VerticesUnweighted { mesh, vertices } => write!(
                f,
                "{mesh}: {} without any weight bound to the skin's first joint",
                count(*vertices, "vertex", "vertices")
            ),
            Self::InfluencesLimited {
                mesh,
                vertices,
                limit,
                worst_lost,
            } => write!(
                f,
                "{mesh}: {} had more than {limit} influences; the smallest were dropped (at most {:.1} % of a vertex)",
                count(*vertices, "vertex", "vertices"),
                100.0 * worst_lost
            ),
            Self::SmallWeightsDropped {
                mesh,
                influences,
                threshold,
            } => write!(
                f,
                "{mesh}: {} below {threshold} dropped",
                count(*influences, "influence", "influences")
            ),
            Self::NormalsComputed { mesh, vertices } => write!(
                f,
                "{mesh}: normals of {} were missing and were computed",
                count(*vertices, "vertex", "vertices")
            ),
            Self::AttributeDropped {
                mesh,
                attribute,
                reason,
            } => write!(f, "{mesh}: {attribute} left out: {reason}"),
            Self::PrimitiveSkipped { mesh, reason } => write!(f, "{mesh}: left out: {reason}"),
            Self::IndicesLeftOver { mesh, indices } => write!(
                f,
                "{mesh}: the last {} made no triangle",
                count(*indices, "index", "indices")
            ),
            Self::SkinWithoutWeights { node } => write!(
                f,
                "{node}: has a skin, but its mesh has no weights; the mesh follows the node"
            ),
            Self::BindMatrixNotAffine { skin, matrices } => write!(
                f,
                "{skin}: the bottom row of {} was not 0 0 0 1; taken as that",
                count(*matrices, "inverse bind matrix", "inverse bind matrices")
            ),
            Self::BindMatrixSingular { skin, matrices } => write!(
                f,
                "{skin}: {} flatten what they bind",
                count(*matrices, "inverse bind matrix", "inverse bind matrices")
            ),
            Self::ZeroRotation { node } => {
                write!(f, "{node}: a rotation of length zero was taken as none")
            }
            Self::ZeroRotationKeys { clip, node, keys } => write!(
                f,
                "{clip}: {node}: {} of length zero took the value before",
                count(*keys, "rotation key", "rotation keys")
            ),
            Self::KeysAtSameTime { clip, node, keys } => write!(
                f,
                "{clip}: {node}: {} at the time of another dropped",
                count(*keys, "key", "keys")
            ),
            Self::ChannelDuplicate { clip, node, path } => write!(
                f,
                "{clip}: two channels move the {path} of {node}; the first was used"
            ),
            Self::ChannelIgnored { clip, reason } => write!(f, "{clip}: {reason}"),
            Self::ClipEmpty { clip } => write!(f, "{clip}: moves nothing"),
            Self::MorphWeightsAdjusted {
                node,
                weights,
                targets,
            } => write!(
                f,
                "{node}: {weights} morph weights for {targets} targets; the rest are 0"
            ),
            Self::NodeSheared { node } => {
                write!(f, "{node}: its matrix shears; it became two joints")
            }
            Self::LeafJointsAdded { joints } => write!(
                f,
                "{} added, so that every bone has an end",
                count(*joints, "leaf joint", "leaf joints")
            ),
            Self::ImageDropped { image, reason } => write!(f, "{image}: left out: {reason}"),
            Self::Unused { what } => f.write_str(what),
            Self::ContainerRepaired { problem } => f.write_str(problem),
        }
    }
}

pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
