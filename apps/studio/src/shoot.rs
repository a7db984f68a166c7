//! Pictures read back from the device. Everything here blocks, so it cannot be used in browsers.

use throng_wgpu::Gpu;

use crate::{Cast, Picture, Scene, Shot, StudioError, Subject};

impl Scene {
    /// Draws a subject and reads the picture back. Blocks.
    pub fn shoot(&mut self, subject: &mut Subject, shot: &Shot) -> Result<Picture, StudioError> {
        self.shoot_all(std::slice::from_mut(subject), shot)
    }

    /// Draws several subjects in one picture, such as the characters of a party, and reads it back. Blocks.
    pub fn shoot_all(
        &mut self,
        subjects: &mut [Subject],
        shot: &Shot,
    ) -> Result<Picture, StudioError> {
        let mut cast = Cast {
            subjects,
            ..Cast::default()
        };
        self.shoot_cast(&mut cast, shot)
    }

    /// Draws everything of a cast and reads the picture back. Blocks.
    pub fn shoot_cast(&mut self, cast: &mut Cast<'_>, shot: &Shot) -> Result<Picture, StudioError> {
        let gpu = Gpu::new(&self.device, &self.queue);
        gpu.checked(|| {
            let mut encoder = gpu.device().create_command_encoder(&Default::default());
            self.draw(&mut encoder, cast, shot)?;
            gpu.queue().submit([encoder.finish()]);
            Ok::<_, StudioError>(())
        })??;
        let [width, height] = self.size();
        let rgba = gpu.read_texture(self.picture())?;
        Ok(Picture::from_rgba(width, height, &rgba))
    }
}
