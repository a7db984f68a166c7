//! Capture: vertices are drawn as points, one texel each, and read back.

use glam::{Vec2, Vec3};

use crate::instance::Ticks;
use crate::material::MaterialBuffers;
use crate::read_back::ReadBack;
use crate::target::WordTarget;
use crate::{Crowd, GpuError};

/// Vertices of one instance, read back from the device. Parts are consecutive, in the order of the model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Captured {
    /// Positions in world space.
    pub positions: Vec<Vec3>,
    /// Normals in world space, of unit length.
    pub normals: Vec<Vec3>,
    /// Tangents in world space, of unit length and 16 bits; empty if there are none, zero for parts without.
    pub tangents: Vec<Vec3>,
}

/// Vertices on their way back from the device.
#[derive(Debug)]
pub struct PendingCapture {
    positions: ReadBack,
    normals: ReadBack,
    vertices: usize,
    instances: usize,
    has_tangents: bool,
}

impl Crowd {
    /// Draws all vertices at a time, into textures that are then read back.
    ///
    /// This is a frame as [`Self::prepare`] makes it. It is submitted here.
    pub fn capture(&mut self, now: Ticks) -> Result<PendingCapture, GpuError> {
        let data = self.model().data.clone();
        let gpu = &data.gpu;
        let target = || WordTarget::new(gpu, "vertices", data.mesh.vertex_count, self.len());
        let [positions, normals] = [target()?, target()?];
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.prepare(&mut encoder, now)?;
        self.capture_rows().write(gpu, &positions);
        let has_tangents = data.mesh.tangents.is_some();
        let buffers = MaterialBuffers {
            tangents: has_tangents.then_some(3),
            previous: None,
            indices: None,
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("capture"),
            color_attachments: &[positions.attachment(), normals.attachment()],
            ..Default::default()
        });
        self.bind(&mut pass, 0, buffers);
        let (_, deform_of_part) = data.drawn_deforms();
        for (index, part) in data.mesh.parts.iter().enumerate() {
            pass.set_pipeline(&data.capture_pipelines()[deform_of_part(index)]);
            let range = part.first_vertex..part.first_vertex + part.vertices;
            self.draw_each(&mut pass, buffers, |pass, instances| {
                pass.draw(range.clone(), instances);
            });
        }
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        Ok(PendingCapture {
            positions: ReadBack::of_texture(gpu, &positions.texture),
            normals: ReadBack::of_texture(gpu, &normals.texture),
            vertices: data.mesh.vertex_count as usize,
            instances: self.len(),
            has_tangents,
        })
    }
}

impl PendingCapture {
    /// Returns the vertices of every instance once the device is done, and `None` before. Does not wait: call it again
    /// later, in a browser from another task.
    pub fn try_read(&self) -> Result<Option<Vec<Captured>>, GpuError> {
        if !(self.positions.is_ready()? && self.normals.is_ready()?) {
            return Ok(None);
        }
        let captured = self.captured(&self.positions.bytes()?, &self.normals.bytes()?);
        Ok(Some(captured))
    }

    /// Blocks until the device is done, and returns the vertices of every instance.
    #[cfg(feature = "headless")]
    pub fn wait(self) -> Result<Vec<Captured>, GpuError> {
        self.positions.wait()?;
        self.normals.wait()?;
        Ok(self.captured(&self.positions.bytes()?, &self.normals.bytes()?))
    }

    fn captured(&self, positions: &[u8], normals: &[u8]) -> Vec<Captured> {
        let texels = |bytes| bytemuck::pod_collect_to_vec::<u8, [u32; 4]>(bytes);
        let (positions, normals) = (texels(positions), texels(normals));
        let vector =
            |texel: &[u32; 4]| Vec3::from_array([0, 1, 2].map(|k| f32::from_bits(texel[k])));
        let instances = (0..self.instances).map(|instance| {
            let range = instance * self.vertices..(instance + 1) * self.vertices;
            let of = |texels: &[[u32; 4]]| texels[range.clone()].iter().map(vector).collect();
            let tangents = positions[range.clone()].iter();
            Captured {
                positions: of(&positions),
                normals: of(&normals),
                tangents: match self.has_tangents {
                    true => tangents.map(|texel| tangent_unpack(texel[3])).collect(),
                    false => Vec::new(),
                },
            }
        });
        instances.collect()
    }
}

/// CPU twin of the shader function.
pub(crate) fn tangent_unpack(word: u32) -> Vec3 {
    if word == 0x8000_8000 {
        return Vec3::ZERO;
    }
    let number = |bits: u32| (f32::from(bits as u16 as i16) / 32767.0).max(-1.0);
    let p = Vec2::new(number(word), number(word >> 16));
    let z = 1.0 - p.x.abs() - p.y.abs();
    let fold = (-z).max(0.0);
    let folded = |x: f32| x - if x < 0.0 { -fold } else { fold };
    Vec3::new(folded(p.x), folded(p.y), z).normalize_or_zero()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_are_unpacked_from_both_halves_of_the_octahedron() {
        let word = |x: i16, y: i16| u32::from(x as u16) | u32::from(y as u16) << 16;
        assert_eq!(tangent_unpack(word(32767, 0)), Vec3::X);
        assert_eq!(tangent_unpack(word(0, -32767)), Vec3::NEG_Y);
        assert_eq!(tangent_unpack(word(0, 0)), Vec3::Z);
        assert!(tangent_unpack(word(32767, 32767)).distance(Vec3::NEG_Z) < 1e-4);
        assert_eq!(tangent_unpack(word(i16::MIN, i16::MIN)), Vec3::ZERO);
    }
}
