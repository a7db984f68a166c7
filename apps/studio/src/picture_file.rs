//! Picture files: PNG, animated PNG, GIF.

use std::path::Path;

use thiserror::Error;

use crate::Picture;

/// Format of a picture file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    /// PNG, or APNG with more than one frame.
    Png,
    /// GIF.
    Gif,
}

impl PictureFormat {
    /// Returns the format that the extension of a path names, or `None` if it is neither `.png`, `.apng` nor `.gif`.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        match extension.to_lowercase().as_str() {
            "png" | "apng" => Some(Self::Png),
            "gif" => Some(Self::Gif),
            _ => None,
        }
    }
}

/// Reason why a picture could not be encoded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The PNG encoder failed.
    #[error("cannot encode the PNG: {0}")]
    Png(#[from] png::EncodingError),
    /// The GIF encoder failed.
    #[error("cannot encode the GIF: {0}")]
    Gif(#[from] gif::EncodingError),
    /// Memory for the GIF could not be written.
    #[error("cannot finish the GIF: {0}")]
    Io(#[from] std::io::Error),
}

/// Encoder of a picture file, frame by frame, in memory.
pub struct PictureFile(Encoder);

enum Encoder {
    Png(Box<PngEncoder>),
    Gif {
        encoder: gif::Encoder<Vec<u8>>,
        fps: u32,
    },
}

/// A PNG encoder, and the last frame: the next one stores only the rectangle that changed.
struct PngEncoder {
    writer: png::Writer<SharedBuffer>,
    bytes: SharedBuffer,
    last: Option<Picture>,
}

/// Buffer that outlives the PNG writer.
#[derive(Debug, Clone, Default)]
struct SharedBuffer(std::rc::Rc<std::cell::RefCell<Vec<u8>>>);

impl std::io::Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl PictureFile {
    /// Begins a file of `[width, height]` pixels. `fps` is the frame rate of an animated file, `None` for a still.
    pub fn begin(
        format: PictureFormat,
        [width, height]: [u32; 2],
        frames: u32,
        fps: Option<u32>,
    ) -> Result<Self, EncodeError> {
        let encoder = match format {
            PictureFormat::Png => {
                let bytes = SharedBuffer::default();
                let mut encoder = png::Encoder::new(bytes.clone(), width, height);
                encoder.set_color(png::ColorType::Rgb);
                encoder.set_depth(png::BitDepth::Eight);
                encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
                encoder.set_compression(match fps {
                    None => png::Compression::High,
                    Some(_) => png::Compression::Balanced,
                });
                if let Some(fps) = fps {
                    encoder.set_animated(frames, 0)?;
                    encoder.set_frame_delay(1, fps as u16)?;
                    encoder.set_dispose_op(png::DisposeOp::None)?;
                    encoder.set_blend_op(png::BlendOp::Source)?;
                }
                Encoder::Png(Box::new(PngEncoder {
                    writer: encoder.write_header()?,
                    bytes,
                    last: None,
                }))
            }
            PictureFormat::Gif => {
                let mut encoder = gif::Encoder::new(Vec::new(), width as u16, height as u16, &[])?;
                encoder.set_repeat(gif::Repeat::Infinite)?;
                Encoder::Gif {
                    encoder,
                    fps: fps.unwrap_or(1),
                }
            }
        };
        Ok(Self(encoder))
    }

    /// Adds a frame, which must have the size of the file.
    pub fn add(&mut self, picture: Picture) -> Result<(), EncodeError> {
        match &mut self.0 {
            Encoder::Png(encoder) => Ok(encoder.add(picture)?),
            Encoder::Gif { encoder, fps } => {
                let (width, height) = (picture.width as u16, picture.height as u16);
                // Speed 10 looks as good as speed 1 in a tenth of the time.
                let mut frame = gif::Frame::from_rgb_speed(width, height, &picture.rgb, 10);
                // Browsers slow down delays below 0.02 s.
                frame.delay = (100.0 / *fps as f32).round().max(2.0) as u16;
                Ok(encoder.write_frame(&frame)?)
            }
        }
    }

    /// Ends the file and returns its bytes.
    pub fn finish(self) -> Result<Vec<u8>, EncodeError> {
        match self.0 {
            Encoder::Png(encoder) => {
                encoder.writer.finish()?;
                Ok(encoder.bytes.0.take())
            }
            Encoder::Gif { encoder, .. } => Ok(encoder.into_inner()?),
        }
    }
}

impl PngEncoder {
    /// Writes the first frame whole, and of each later frame the rectangle that changed.
    fn add(&mut self, picture: Picture) -> Result<(), png::EncodingError> {
        let Some(last) = &self.last else {
            self.writer.write_image_data(&picture.rgb)?;
            self.last = Some(picture);
            return Ok(());
        };
        let [left, top, right, bottom] = changed_rectangle(last, &picture);
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

/// Returns left, top, right and bottom of the pixels that differ; one pixel if all are equal.
fn changed_rectangle(last: &Picture, next: &Picture) -> [u32; 4] {
    let [mut left, mut top, mut right, mut bottom] = [next.width, next.height, 0, 0];
    for y in 0..next.height {
        for x in 0..next.width {
            if last.pixel(x, y) != next.pixel(x, y) {
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
    fn changed_rectangle_encloses_all_differing_pixels() {
        let one = Picture::filled(8, 6, [5; 3]);
        let mut two = one.clone();
        assert_eq!(changed_rectangle(&one, &two), [0, 0, 1, 1]);
        two.rgb[3 * (2 * 8 + 3)] = 9;
        two.rgb[3 * (4 * 8 + 6)] = 9;
        assert_eq!(changed_rectangle(&one, &two), [3, 2, 7, 5]);
    }
}
