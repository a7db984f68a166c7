//! Features that shaders are compiled with.

use throng_shaders::{ColumnReader, CurveTexture, SetInfo, Shader, with_set_info};

use crate::bindings::Resource;
use crate::{Fades, GpuError, Step, Switches};

/// Features that shaders are compiled with. Unused ones are left out, because some devices run both sides of every
/// branch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ShaderFeatures {
    pub fades: Fades,
    pub max_influences: usize,
    pub info: SetInfo,
    pub tables: TableStorage,
    /// Reader of metadata in the texels; `None` if tables hold it.
    pub column: Option<ColumnReader>,
    pub switches: Switches,
    /// Texture of compressed curves.
    pub curves: Option<CurveTexture>,
}

/// Storage of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableStorage {
    /// A uniform block, for small tables.
    Uniform,
    /// A texture.
    Texture,
}

impl ShaderFeatures {
    /// All features that a set may use. `resources` tell where the tables are.
    pub fn of(info: SetInfo, resources: &[(u32, Resource)]) -> Self {
        let is_block = |(binding, resource): &(u32, Resource)| {
            *binding == 1 && matches!(resource, Resource::Uniform(_))
        };
        let tables = match resources.iter().any(is_block) {
            true => TableStorage::Uniform,
            false => TableStorage::Texture,
        };
        Self {
            fades: Fades::Possible,
            max_influences: usize::MAX,
            info,
            tables,
            column: None,
            switches: Switches::default(),
            curves: None,
        }
    }

    /// Reduces a shader to these features and compiles the set's metadata in: for passes of every frame.
    pub fn specialize(&self, shader: Shader) -> Result<Shader, GpuError> {
        let mut shader = self.reduce(shader);
        if let Some(curves) = &self.curves {
            shader = shader.with_curve_texture(curves);
        }
        Ok(with_set_info(&shader, &self.info)?)
    }

    /// Reduces a shader to these features, with the set's metadata bound, so that devices compile it once for all sets:
    /// for occasional passes.
    pub fn reduce(&self, shader: Shader) -> Shader {
        let mut shader = match self.switches.influences.max() {
            None => shader.with_max_influences(self.max_influences),
            Some(limit) => shader
                .with_max_influences(limit.min(self.max_influences))
                .with_influence_limit(limit),
        };
        if self.fades == Fades::None {
            shader = shader.without_fades();
        }
        if self.tables == TableStorage::Uniform {
            shader = shader.with_uniform_tables();
        }
        if let Some(column) = &self.column {
            shader = shader.with_column(column);
        }
        if self.switches.skinning == Step::Off {
            shader = shader.without_skinning();
        }
        if self.switches.interpolation == Step::Off {
            shader = shader.without_interpolation();
        }
        shader
    }
}
