//! The skinning method to use: one for all meshes, or each mesh's authored method.

use std::fmt;
use std::str::FromStr;

use crate::{AuthoredMethod, Mesh, Method, ParseMethodError};

/// Skinning method of a character.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Skinning {
    /// Each mesh's [`AuthoredMethod`].
    #[default]
    AsAuthored,
    /// [`Method::Blend`] with the factor of each vertex: see [`Mesh::blend_factors`]. `throng_skin::prepare` chooses the
    /// factors from the character's own clips.
    BlendAuto,
    /// One method for all meshes.
    Method(Method),
}

impl Skinning {
    /// Name of [`Self::AsAuthored`] in manifests and on the command line.
    pub const AS_AUTHORED: &'static str = "as-authored";
    /// Name of [`Self::BlendAuto`] in manifests and on the command line.
    pub const BLEND_AUTO: &'static str = "blend:auto";

    /// Returns true if the method needs numbers of each vertex beside its weights, which `throng_skin::prepare` computes.
    pub fn needs_vertex_data(self) -> bool {
        matches!(self, Self::BlendAuto | Self::Method(Method::Cor))
    }

    /// Returns the method of one vertex.
    pub fn method_of(self, mesh: &Mesh, vertex: usize) -> Method {
        let by_vertex = || {
            let factor = mesh.blend_factors().get(vertex).copied();
            Method::Blend(f64::from(factor.unwrap_or(0.0)))
        };
        match self {
            Self::Method(method) => method,
            Self::BlendAuto => by_vertex(),
            Self::AsAuthored => match mesh.authored_method {
                AuthoredMethod::Linear | AuthoredMethod::Rigid => Method::Lbs,
                AuthoredMethod::DualQuaternion => Method::Dqs,
                AuthoredMethod::Blended => by_vertex(),
            },
        }
    }

    /// Returns the method that all vertices of a mesh share; `None` where it differs per vertex.
    pub fn method_of_mesh(self, mesh: &Mesh) -> Option<Method> {
        match (self, mesh.authored_method) {
            (Self::BlendAuto, _) | (Self::AsAuthored, AuthoredMethod::Blended) => None,
            _ => Some(self.method_of(mesh, 0)),
        }
    }
}

impl From<Method> for Skinning {
    fn from(method: Method) -> Self {
        Self::Method(method)
    }
}

impl FromStr for Skinning {
    type Err = ParseMethodError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            Self::AS_AUTHORED => Ok(Self::AsAuthored),
            Self::BLEND_AUTO => Ok(Self::BlendAuto),
            _ => Ok(Self::Method(name.parse()?)),
        }
    }
}

impl fmt::Display for Skinning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AsAuthored => f.write_str(Self::AS_AUTHORED),
            Self::BlendAuto => f.write_str(Self::BLEND_AUTO),
            Self::Method(method) => method.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for name in ["as-authored", "lbs", "blend:0.25", "blend:auto", "cor"] {
            assert_eq!(name.parse::<Skinning>().unwrap().to_string(), name);
        }
        assert!("own".parse::<Skinning>().is_err());
    }
}
