//! What a set is to shaders, for those who bring their own device and engine.

use throng_format::{Layout, TextureSet};
use throng_shaders::{Deform, PaletteSource, SetInfo, SkinMethod};
use throng_skin::Method;

use crate::crowd::{check_methods, set_method};
use crate::mesh::skin_method;
use crate::{DecodePlace, GpuError, set_info};

/// Which shaders draw a set, and what they must know of it beside its texels. Takes no device.
#[derive(Debug, Clone, PartialEq)]
pub struct SetShaders {
    /// One for each way that its parts are moved.
    pub deforms: Vec<Deform>,
    /// What fills the palette before, where they read one.
    pub palette: Option<PaletteSource>,
    /// Group 1, binding 0.
    pub info: SetInfo,
    /// Group 1, binding 1.
    pub tables: Vec<[u32; 4]>,
}

impl SetShaders {
    /// As [`crate::Crowd::of_set`] draws it.
    pub fn of(set: &TextureSet, decode: DecodePlace) -> Result<Self, GpuError> {
        let method = set_method(set)?;
        let model = set.model();
        let is_vertices = matches!(
            set.manifest().layout,
            Layout::Vertices(_) | Layout::VertexTracks(_)
        );
        let is_dual = !is_vertices && check_methods(set, method)?;
        let tables = set_info::set_tables(set, is_dual)?;
        let mut out = Self {
            deforms: Vec::new(),
            palette: None,
            info: tables.info,
            tables: tables.tables,
        };
        for part in model.parts() {
            let mesh = model.mesh_of(part);
            out.info.vertices += mesh.vertex_count() as u32;
            let (deform, palette) = set_info::set_deform(set, skin_method(mesh, method), decode);
            out.palette = palette;
            if !out.deforms.contains(&deform) {
                out.deforms.push(deform);
            }
        }
        Ok(out)
    }
}

/// The shaders of a method: without its factor, which is the frame's.
pub fn method_kind(method: Method) -> SkinMethod {
    match method {
        Method::Lbs => SkinMethod::Lbs,
        Method::Dqs => SkinMethod::Dqs,
        Method::DqsPlain => SkinMethod::DqsPlain,
        Method::DqsDirect => SkinMethod::DqsDirect,
        Method::DqsSum => SkinMethod::DqsSum,
        Method::Blend(_) => SkinMethod::Blend,
        Method::BlendPositions(_) => SkinMethod::BlendPositions,
    }
}
