//! Random textures of compressed `bone-local` curves.

use glam::Vec3;
use throng_format::curves::{
    BLOCK_CURVES, CLIP_WORDS, ClipRecord, CurveHeader, HEADER_WORDS, JointRecord, MAX_KEY_BITS,
    REFERENCE_BITS, RecordForm, row_words,
};
use throng_format::{JointCurveLayout, TexelFormat, Texture};

/// SplitMix64: the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 32) as u32
    }

    /// Integer from `first` to `last`, inclusive.
    pub fn integer(&mut self, first: u32, last: u32) -> u32 {
        first + self.word() % (last - first + 1)
    }

    pub fn unit(&mut self) -> f32 {
        (self.word() >> 8) as f32 / (1 << 24) as f32
    }

    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0
    }
}

/// Parameters of random compressed curves.
#[derive(Debug, Clone)]
pub struct Shape {
    pub seed: u64,
    pub joints: u32,
    pub clips: Vec<ClipShape>,
    pub parents: Parents,
    /// Probability that rotation, translation and scale are curves.
    pub curves: [f32; 3],
    pub has_scale: bool,
    /// Largest degree of a curve.
    pub max_degree: u32,
    pub max_spans: u32,
    /// Width and height of the texture; the number of layers follows.
    pub sides: [u32; 2],
}

#[derive(Debug, Clone, Copy)]
pub enum Parents {
    /// All joints are roots.
    None,
    /// Probability that a joint's parent is the joint before it; else it is a root or has another parent.
    Mixed { chain: f32 },
}

#[derive(Debug, Clone, Copy)]
pub struct ClipShape {
    pub segments: u32,
    pub duration_secs: f32,
}

/// A texture of compressed curves and its layout.
pub struct CompressedCurves {
    pub texture: Texture,
    pub layout: JointCurveLayout,
    pub clips: Vec<ClipShape>,
}

impl CompressedCurves {
    pub fn random(shape: &Shape) -> Self {
        let mut random = Random(shape.seed);
        let form = RecordForm {
            is_exact: shape.seed.is_multiple_of(3),
            has_scale: shape.has_scale,
        };
        let curves = shape.joints * form.channels();
        let joint_records: Vec<_> = (0..shape.joints)
            .map(|joint| joint_record(&mut random, joint, shape))
            .collect();
        // Words before the tables, such as a calibration strip.
        let mut words: Vec<u32> = (0..random.integer(0, 9)).map(|_| random.word()).collect();
        let clip_table = words.len() as u32;
        words.resize(words.len() + shape.clips.len() * CLIP_WORDS as usize, 0);
        let joint_table = words.len() as u32;
        words.extend(joint_records.iter().flat_map(|r| r.pack(form)));
        for (clip, clip_shape) in shape.clips.iter().enumerate() {
            let first_word = words.len() as u32;
            let mut present = 0;
            for first in (0..curves).step_by(BLOCK_CURVES as usize) {
                let mut mask = 0;
                for curve in first..curves.min(first + BLOCK_CURVES) {
                    let chance = shape.curves[(curve % form.channels()) as usize];
                    mask |= u32::from(random.chance(chance)) << (curve - first);
                }
                words.extend([mask, present]);
                present += mask.count_ones();
            }
            let record = ClipRecord {
                first_word,
                segments: clip_shape.segments,
                segments_per_sec: clip_shape.segments as f32 / clip_shape.duration_secs.max(0.1),
                duration_secs: clip_shape.duration_secs,
                present,
            };
            let at = (clip_table + clip as u32 * CLIP_WORDS) as usize;
            words[at..at + CLIP_WORDS as usize].copy_from_slice(&record.pack());
            let rows = clip_shape.segments * row_words(present);
            words.resize(words.len() + rows as usize, 0);
            for segment in 0..clip_shape.segments {
                let row = record.row(curves, segment);
                write_segment(&mut random, &mut words, row as usize, present, shape);
            }
        }
        words.extend([0; 2]);
        Self {
            texture: texture(words, shape.sides),
            layout: JointCurveLayout {
                texture: 0,
                bones: (0..shape.joints as usize).collect(),
                clip_table,
                joint_table,
                record_words: form.words(),
                curves,
            },
            clips: shape.clips.clone(),
        }
    }
}

fn joint_record(random: &mut Random, joint: u32, shape: &Shape) -> JointRecord {
    let parent = match (shape.parents, joint.checked_sub(1)) {
        (Parents::Mixed { chain }, Some(last)) if random.chance(chain) => Some(last),
        (Parents::Mixed { .. }, Some(last)) if random.chance(0.8) => Some(random.integer(0, last)),
        _ => None,
    };
    JointRecord {
        parent,
        translation: random.vector(),
        translation_exponent: random.integer(0, 8) as i32 - 8,
        rotation: 0.9 * random.vector(),
        scale: Vec3::ONE + 0.25 * random.vector(),
        scale_exponent: random.integer(0, 4) as i32 - 7,
    }
}

/// Writes headers into the segment's row, and appends the keys.
fn write_segment(
    random: &mut Random,
    words: &mut Vec<u32>,
    row: usize,
    present: u32,
    shape: &Shape,
) {
    let mut at = row;
    for first in (0..present).step_by(BLOCK_CURVES as usize) {
        words[at] = words.len() as u32;
        at += 1;
        let mut keys = Bits::default();
        for _ in first..present.min(first + BLOCK_CURVES) {
            let mut widths = || {
                let widths = [0; 3].map(|_| random.integer(0, 24));
                let fits = widths.iter().sum::<u32>() <= MAX_KEY_BITS;
                if fits { widths } else { [21, 20, 23] }
            };
            let (widths, residual_widths) = (widths(), widths());
            let widest = widths.into_iter().chain(residual_widths).max().unwrap();
            let header = CurveHeader {
                widths,
                residual_widths,
                // Curves need not be adjacent.
                offset: keys.skip(random.integer(0, 2)),
                spans: random.integer(1, shape.max_spans),
                degree: random.integer(0, shape.max_degree),
                // Small curves: interpolated rotations must not be opposite.
                step: random.integer(4 * widest.saturating_sub(3), 127),
                has_reference: random.chance(0.4),
            };
            words[at..at + HEADER_WORDS as usize].copy_from_slice(&header.pack());
            at += HEADER_WORDS as usize;
            if header.has_reference {
                keys.push(random.word(), REFERENCE_BITS);
            }
            for key in 0..header.keys() {
                let stored = match header.place(key).is_residual {
                    true => residual_widths,
                    false => widths,
                };
                for width in stored {
                    keys.push(random.word(), width);
                }
            }
        }
        words.extend(keys.words);
    }
}

/// Bit writer, lowest bit first.
#[derive(Default)]
struct Bits {
    words: Vec<u32>,
    len: u32,
}

impl Bits {
    fn push(&mut self, value: u32, width: u32) {
        for bit in 0..width {
            if self.len.is_multiple_of(32) {
                self.words.push(0);
            }
            *self.words.last_mut().unwrap() |= (value >> bit & 1) << (self.len % 32);
            self.len += 1;
        }
    }

    fn skip(&mut self, width: u32) -> u32 {
        self.push(u32::MAX, width);
        self.len
    }
}

/// Makes a texture of words; unused texels are filled with ones.
pub fn texture(mut words: Vec<u32>, [width, height]: [u32; 2]) -> Texture {
    let layer = (width * height) as usize;
    let layers = words.len().div_ceil(layer);
    words.resize(layers * layer, u32::MAX);
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Texture::new(TexelFormat::R32Uint, [width, height, layers as u32], bytes).unwrap()
}
