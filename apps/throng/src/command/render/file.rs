//! Pictures as files: PNG, animated PNG, GIF.

use std::path::Path;

use throng_wgpu::scene::Picture;

use crate::command::CommandError;

/// What a file's name asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    Png,
    Gif,
}

impl PictureFormat {
    pub fn from_path(path: &Path) -> Result<Self, CommandError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        match extension.to_lowercase().as_str() {
            "png" | "apng" => Ok(Self::Png),
            "gif" => Ok(Self::Gif),
            _ => Err(CommandError::Usage(format!(
                "cannot tell a format from the name {}: end it in .png or .gif",
                path.display()
            ))),
        }
    }
}

/// A file that grows frame by frame.
pub enum PictureFile {
    Png(Box<PngFile>),
    Gif(gif::Encoder<Vec<u8>>, u32),
}

/// A PNG, and the last frame, of which the next is a part.
pub struct PngFile {
    writer: png::Writer<Shared>,
    bytes: Shared,
    last: Option<Picture>,
}

/// Bytes that are read when the writer is gone.
#[derive(Debug, Clone, Default)]
struct Shared(std::rc::Rc<std::cell::RefCell<Vec<u8>>>);

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl PictureFile {
    /// `fps` of an animated file.
    pub fn begin(
        format: PictureFormat,
        [width, height]: [u32; 2],
        frames: u32,
        fps: Option<u32>,
    ) -> Result<Self, String> {
        match format {
            PictureFormat::Png => {
                let bytes = Shared::default();
                let mut encoder = png::Encoder::new(bytes.clone(), width, height);
                encoder.set_color(png::ColorType::Rgb);
                encoder.set_depth(png::BitDepth::Eight);
                encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
                encoder.set_compression(match fps {
                    None => png::Compression::High,
                    Some(_) => png::Compression::Balanced,
                });
                let set_up = |encoder: &mut png::Encoder<'_, Shared>| {
                    if let Some(fps) = fps {
                        encoder.set_animated(frames, 0)?;
                        encoder.set_frame_delay(1, fps as u16)?;
                        encoder.set_dispose_op(png::DisposeOp::None)?;
                        encoder.set_blend_op(png::BlendOp::Source)?;
                    }
                    Ok::<_, png::EncodingError>(())
                };
                set_up(&mut encoder).map_err(|error| error.to_string())?;
                let writer = encoder.write_header().map_err(|error| error.to_string())?;
                Ok(Self::Png(Box::new(PngFile {
                    writer,
                    bytes,
                    last: None,
                })))
            }
            PictureFormat::Gif => {
                let begin = || {
                    let sides = (width as u16, height as u16);
                    let mut encoder = gif::Encoder::new(Vec::new(), sides.0, sides.1, &[])?;
                    encoder.set_repeat(gif::Repeat::Infinite)?;
                    Ok::<_, gif::EncodingError>(encoder)
                };
                let encoder = begin().map_err(|error| error.to_string())?;
                Ok(Self::Gif(encoder, fps.unwrap_or(1)))
            }
        }
    }

    pub fn add(&mut self, picture: Picture) -> Result<(), String> {
        match self {
            Self::Png(file) => file.add(picture).map_err(|error| error.to_string()),
            Self::Gif(encoder, fps) => {
                let (width, height) = (picture.width as u16, picture.height as u16);
                // 10 is as fine as the eye asks for at a tenth of the time.
                let mut frame = gif::Frame::from_rgb_speed(width, height, &picture.rgb, 10);
                // Browsers slow down what is shorter than 0.02 s.
                frame.delay = (100.0 / *fps as f32).round().max(2.0) as u16;
                encoder
                    .write_frame(&frame)
                    .map_err(|error| error.to_string())
            }
        }
    }

    /// The whole file.
    pub fn finish(self) -> Result<Vec<u8>, String> {
        match self {
            Self::Png(file) => {
                file.writer.finish().map_err(|error| error.to_string())?;
                Ok(file.bytes.0.take())
            }
            Self::Gif(encoder, _) => encoder.into_inner().map_err(|error| error.to_string()),
        }
    }
}

impl PngFile {
    /// Of a frame that follows another, only the rectangle that changed.
    fn add(&mut self, picture: Picture) -> Result<(), png::EncodingError> {
        let Some(last) = &self.last else {
            self.writer.write_image_data(&picture.rgb)?;
            self.last = Some(picture);
            return Ok(());
        };
        let [left, top, right, bottom] = changed(last, &picture);
        let (width, height) = (right - left, bottom - top);
        let rows = (top..bottom).flat_map(|y| {
            let first = 3 * (y * picture.width + left) as usize;
            &picture.rgb[first..first + 3 * width as usize]
        });
        let part: Vec<u8> = rows.copied().collect();
        self.writer.reset_frame_position()?;
        self.writer.set_frame_dimension(width, height)?;
        self.writer.set_frame_position(left, top)?;
        self.writer.write_image_data(&part)?;
        self.last = Some(picture);
        Ok(())
    }
}

/// Left, top, right and bottom of what is not the same; one texel where everything is.
fn changed(last: &Picture, next: &Picture) -> [u32; 4] {
    let [mut left, mut top, mut right, mut bottom] = [next.width, next.height, 0, 0];
    for y in 0..next.height {
        for x in 0..next.width {
            if last.texel(x, y) != next.texel(x, y) {
                left = left.min(x);
                right = right.max(x + 1);
                top = top.min(y);
                bottom = bottom.max(y + 1);
            }
        }
    }
    if right == 0 {
        return [0, 0, 1, 1];
    }
    [left, top, right, bottom]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_what_changed() {
        let one = Picture::filled(8, 6, [5; 3]);
        let mut two = one.clone();
        assert_eq!(changed(&one, &two), [0, 0, 1, 1]);
        two.rgb[3 * (2 * 8 + 3)] = 9;
        two.rgb[3 * (4 * 8 + 6)] = 9;
        assert_eq!(changed(&one, &two), [3, 2, 7, 5]);
    }
}
