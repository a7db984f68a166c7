//! Composition of pictures: sheets of panels, captions, a legend.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster};

use crate::{Picture, ramp};

/// Gap between panels in pixels.
pub const GAP: u32 = 4;
const GAP_COLOR: [u8; 3] = [255; 3];
const BACKGROUND: [u8; 3] = [18, 22, 28];
const BACKGROUND_ALPHA: f32 = 0.78;
const WHITE: [u8; 3] = [255; 3];
const PALE: [u8; 3] = [205, 212, 220];

/// One line of a caption.
#[derive(Debug, Clone, Copy)]
pub struct CaptionLine<'a> {
    /// Text; characters that the font lacks are drawn as `?`.
    pub text: &'a str,
    /// Title lines are bold and brighter.
    pub is_title: bool,
}

/// Columns and rows of a sheet.
fn division(panels: usize) -> [u32; 2] {
    match panels {
        0 | 1 => [1, 1],
        2 => [2, 1],
        3 => [3, 1],
        4 => [2, 2],
        5 | 6 => [3, 2],
        _ => [3, 3],
    }
}

/// Returns the `[width, height]` of each panel of a sheet in pixels. A sheet has up to nine panels.
pub fn panel_size([width, height]: [u32; 2], panels: usize) -> [u32; 2] {
    let [columns, rows] = division(panels);
    [
        ((width - GAP * (columns - 1)) / columns).max(1),
        ((height - GAP * (rows - 1)) / rows).max(1),
    ]
}

/// Arranges up to nine panels in a picture of `[width, height]` pixels.
pub fn sheet([width, height]: [u32; 2], panels: &[Picture]) -> Picture {
    let [columns, _] = division(panels.len());
    let mut sheet = Picture::filled(width, height, GAP_COLOR);
    for (index, panel) in (0..).zip(panels) {
        let (column, row) = (index % columns, index / columns);
        let left = column * (panel.width + GAP);
        let top = row * (panel.height + GAP);
        for y in 0..panel.height.min(height.saturating_sub(top)) {
            let bytes = 3 * panel.width.min(width.saturating_sub(left)) as usize;
            let from = 3 * (y * panel.width) as usize;
            let to = 3 * ((top + y) * width + left) as usize;
            sheet.rgb[to..to + bytes].copy_from_slice(&panel.rgb[from..from + bytes]);
        }
    }
    sheet
}

/// Sizes of the font, the largest first.
const FONT_SIZES: [RasterHeight; 4] = [
    RasterHeight::Size32,
    RasterHeight::Size24,
    RasterHeight::Size20,
    RasterHeight::Size16,
];

/// Largest font size for a picture of a width.
fn font_size(width: u32) -> RasterHeight {
    match width {
        0..=419 => RasterHeight::Size16,
        420..=799 => RasterHeight::Size20,
        800..=1399 => RasterHeight::Size24,
        _ => RasterHeight::Size32,
    }
}

/// Captions of panels of one width: bands above the pictures.
#[derive(Debug, Clone, Copy)]
pub struct Captions {
    font: RasterHeight,
}

impl Captions {
    /// Chooses the font: the largest for panels of a width in which these texts fit, else the smallest.
    pub fn fitting(width: u32, texts: &[impl AsRef<str>]) -> Self {
        let largest = font_size(width);
        let fits = |font: &RasterHeight| {
            let widths = texts.iter().map(|text| text_width(text.as_ref(), *font));
            widths.max().unwrap_or(0) + 2 * pad(*font) <= width
        };
        let mut fonts = FONT_SIZES.into_iter().filter(|f| f.val() <= largest.val());
        let font = fonts.find(fits).unwrap_or(RasterHeight::Size16);
        Self { font }
    }

    /// Height of the band of a caption, in pixels.
    pub fn height(&self, lines: u32) -> u32 {
        self.font.val() as u32 * lines + pad(self.font)
    }

    /// Returns a picture with a caption above it. Lines that are too long end in `…`.
    pub fn above(&self, picture: &Picture, lines: &[CaptionLine<'_>]) -> Picture {
        let band = self.height(lines.len() as u32);
        let mut out = Picture::filled(picture.width, picture.height + band, BACKGROUND);
        let first = 3 * (band * picture.width) as usize;
        out.rgb[first..].copy_from_slice(&picture.rgb);
        let (step, pad) = (self.font.val() as u32, pad(self.font));
        for (row, line) in (0..).zip(lines) {
            let at = [pad, pad / 2 + row * step];
            let (weight, color) = match line.is_title {
                true => (FontWeight::Bold, WHITE),
                false => (FontWeight::Regular, PALE),
            };
            let room = picture.width.saturating_sub(2 * pad);
            let shown = shortened(line.text, self.font, room);
            text(&mut out, at, &shown, self.font, weight, color);
        }
        out
    }
}

/// Space between a text and the edge of its background.
fn pad(font: RasterHeight) -> u32 {
    font.val() as u32 / 2
}

/// Returns the text, or its beginning and `…` where it is wider than `room`.
fn shortened(text: &str, font: RasterHeight, room: u32) -> String {
    if text_width(text, font) <= room {
        return text.to_owned();
    }
    let mut shown = text.to_owned();
    while shown.pop().is_some() {
        let with_dots = format!("{shown}…");
        if text_width(&with_dots, font) <= room {
            return with_dots;
        }
    }
    shown
}

/// Draws the legend of an error map in the lower right corner, from 0 to `full_mm`, in the colours of [`ramp`].
pub fn legend(picture: &mut Picture, full_mm: f32) {
    let height = font_size(picture.width / 2);
    let step = height.val() as u32;
    let pad = pad(height);
    let title = "error";
    let full = format!("{} mm", format_mm(full_mm));
    let width = 8 * step;
    let size = [width + 2 * pad, 2 * step + 2 * pad + step / 2];
    let left = picture.width.saturating_sub(size[0] + pad);
    let top = picture.height.saturating_sub(size[1] + pad);
    background(picture, [left, top], size);
    let (x, y) = (left + pad, top + pad / 2);
    text(picture, [x, y], title, height, FontWeight::Regular, PALE);
    let bar_top = y + step + step / 4;
    for column in 0..width {
        let color = srgb(ramp(column as f32 / width.max(1) as f32));
        for row in 0..step / 2 {
            blend(picture, x + column, bar_top + row, color, 1.0);
        }
    }
    let under = bar_top + step / 2 + step / 8;
    text(picture, [x, under], "0", height, FontWeight::Regular, WHITE);
    let at = [x + width - text_width(&full, height), under];
    text(picture, at, &full, height, FontWeight::Bold, WHITE);
}

/// Formats millimetres with two to three significant digits; values below a micrometre are `<0.001`.
pub fn format_mm(mm: f32) -> String {
    match mm {
        mm if mm >= 99.5 => format!("{mm:.0}"),
        mm if mm >= 9.95 => format!("{mm:.1}"),
        mm if mm >= 0.0995 => format!("{mm:.2}"),
        mm if mm >= 0.001 => format!("{mm:.3}"),
        mm if mm > 0.0 => "<0.001".into(),
        _ => "0".into(),
    }
}

fn text_width(text: &str, height: RasterHeight) -> u32 {
    let widths = text
        .chars()
        .map(|c| glyph(c, FontWeight::Bold, height).width());
    widths.sum::<usize>() as u32
}

/// Returns the raster of a character, or of `?` if the font lacks it.
fn glyph(
    c: char,
    weight: FontWeight,
    height: RasterHeight,
) -> noto_sans_mono_bitmap::RasterizedChar {
    get_raster(c, weight, height)
        .or_else(|| get_raster('?', weight, height))
        .expect("the font contains a question mark")
}

fn text(
    picture: &mut Picture,
    [left, top]: [u32; 2],
    text: &str,
    height: RasterHeight,
    weight: FontWeight,
    color: [u8; 3],
) {
    let mut x = left;
    for c in text.chars() {
        let glyph = glyph(c, weight, height);
        for (row, pixels) in (0..).zip(glyph.rows()) {
            for (column, &opacity) in (0..).zip(pixels) {
                if opacity > 0 {
                    let alpha = f32::from(opacity) / 255.0;
                    blend(picture, x + column, top + row, color, alpha);
                }
            }
        }
        x += glyph.width() as u32;
    }
}

/// Draws the dark background of a text, with round corners.
fn background(picture: &mut Picture, [left, top]: [u32; 2], [width, height]: [u32; 2]) {
    let radius = 6.0_f32.min(width.min(height) as f32 * 0.5);
    for y in 0..height {
        for x in 0..width {
            // Distance of the pixel's centre from the straight part of the edge.
            let past = |at: u32, size: u32| {
                let (at, size) = (at as f32 + 0.5, size as f32);
                (radius - at).max(at - (size - radius)).max(0.0)
            };
            let outside = past(x, width).hypot(past(y, height)) - radius;
            let alpha = BACKGROUND_ALPHA * (0.5 - outside).clamp(0.0, 1.0);
            blend(picture, left + x, top + y, BACKGROUND, alpha);
        }
    }
}

/// Blends a colour over a pixel; pixels outside of the picture are ignored.
fn blend(picture: &mut Picture, x: u32, y: u32, color: [u8; 3], alpha: f32) {
    if x >= picture.width || y >= picture.height {
        return;
    }
    let at = 3 * (y as usize * picture.width as usize + x as usize);
    for (to, from) in picture.rgb[at..at + 3].iter_mut().zip(color) {
        let mixed = f32::from(*to) * (1.0 - alpha) + f32::from(from) * alpha;
        *to = mixed.round() as u8;
    }
}

fn srgb(linear: [f32; 4]) -> [u8; 3] {
    let channel = |light: f32| {
        let channel = if light <= 0.003_130_8 {
            light * 12.92
        } else {
            1.055 * light.powf(1.0 / 2.4) - 0.055
        };
        (channel * 255.0).round() as u8
    };
    [channel(linear[0]), channel(linear[1]), channel(linear[2])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_fill_a_sheet_except_the_gap() {
        let size = [100, 60];
        let [width, height] = panel_size(size, 4);
        assert_eq!([2 * width + GAP, 2 * height + GAP], size);
        let colors = [[1; 3], [2; 3], [3; 3], [4; 3]];
        let panels = colors.map(|color| Picture::filled(width, height, color));
        let sheet = sheet(size, &panels);
        assert_eq!(sheet.pixel(0, 0), [1; 3]);
        assert_eq!(sheet.pixel(99, 0), [2; 3]);
        assert_eq!(sheet.pixel(0, 59), [3; 3]);
        assert_eq!(sheet.pixel(99, 59), [4; 3]);
        assert_eq!(sheet.pixel(width, 30), GAP_COLOR);
    }

    #[test]
    fn nine_panels_fill_a_sheet() {
        let size = [1280, 720];
        let [width, height] = panel_size(size, 9);
        let panels: Vec<Picture> = (1..=9)
            .map(|shade| Picture::filled(width, height, [shade; 3]))
            .collect();
        let sheet = sheet(size, &panels);
        for (index, shade) in (1..=9).enumerate() {
            let (column, row) = (index as u32 % 3, index as u32 / 3);
            let at = [column * (width + GAP) + 1, row * (height + GAP) + 1];
            assert_eq!(sheet.pixel(at[0], at[1]), [shade; 3]);
        }
    }

    #[test]
    fn captions_stand_above_the_picture_and_fit_its_width() {
        let picture = Picture::filled(200, 50, [128; 3]);
        let long = "a caption that is much wider than the picture ± ∞";
        let captions = Captions::fitting(picture.width, &[long]);
        let line = CaptionLine {
            text: long,
            is_title: true,
        };
        let out = captions.above(&picture, &[line, line]);
        let band = captions.height(2);
        assert_eq!((out.width, out.height), (200, 50 + band));
        assert_eq!(out.pixel(100, band), [128; 3]);
        let lit = |x: u32| (0..band).any(|y| out.pixel(x, y)[0] > 128);
        assert!((0..200).any(lit));
        assert!(!(195..200).any(lit), "the text reaches the edge");
    }

    #[test]
    fn legend_is_clipped_to_the_picture() {
        let mut small = Picture::filled(40, 20, [128; 3]);
        legend(&mut small, 0.5);
        assert!(small.rgb.iter().any(|&channel| channel > 200));
    }

    #[test]
    fn format_mm_has_two_to_three_digits() {
        let shown = [0.0, 1.2e-5, 0.0123, 0.4923, 12.34, 123.4].map(format_mm);
        assert_eq!(shown, ["0", "<0.001", "0.012", "0.49", "12.3", "123"]);
    }
}
