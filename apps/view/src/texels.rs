//! Textures as pictures, and the meaning of their texels.

use throng_format::curves::{ClipRecord, Words, mask_words, row_words};
use throng_format::decode::{Frame, vertex_offset, vertex_ray};
use throng_format::{
    BoneCode, BoneLayout, ChannelKind, Channels, Encoding, FrameOrder, Grid, Layout, Texture,
    TextureSet,
};

/// A layer of a texture as RGBA.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerImage {
    /// Width and height in texels.
    pub size: [usize; 2],
    /// Four bytes per texel.
    pub rgba: Vec<u8>,
}

/// Returns a layer as a picture: normalised integers as they are, floats from their smallest to their largest value, words
/// by their bytes.
pub fn layer_image(texture: &Texture, layer: u32) -> LayerImage {
    let [width, height, _] = texture.size();
    let texels = (width * height) as usize;
    let first = layer as usize * texels;
    let channels = texture.format().channels();
    let mut rgba = Vec::with_capacity(4 * texels);
    if texture.format().channel_kind() == ChannelKind::Uint32 {
        for texel in first..first + texels {
            let bytes = texture.texel(texel);
            rgba.extend([bytes[0], bytes[1], bytes[2], 255]);
        }
    } else {
        let values = Channels::of(texture);
        let is_float = texture.format().is_float();
        let (mut low, mut high) = (0.0, 1.0);
        if is_float {
            (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
            for texel in first..first + texels {
                for channel in 0..channels {
                    let value = values.get(texel, channel);
                    (low, high) = (value.min(low), value.max(high));
                }
            }
        }
        let scale = 255.0 / (high - low).max(f64::MIN_POSITIVE);
        for texel in first..first + texels {
            let byte = |channel: usize| match channel < channels {
                true => ((values.get(texel, channel) - low) * scale) as u8,
                false => 0,
            };
            // A fourth channel is data, too, and would be seen as transparency.
            rgba.extend([byte(0), byte(1), byte(2), 255]);
        }
    }
    LayerImage {
        size: [width as usize, height as usize],
        rgba,
    }
}

/// Meaning of a texel.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Meaning {
    /// Role: a joint, a vertex, a table.
    pub role: String,
    /// Clip and frame, or segment.
    pub time: String,
    /// Channels: name, stored value, decoded value.
    pub channels: Vec<[String; 3]>,
}

/// Returns the meaning of a texel; `x` and `y` are within a layer.
pub fn meaning(set: &TextureSet, texture: usize, layer: u32, [x, y]: [u32; 2]) -> Meaning {
    let manifest = set.manifest();
    let [_, height, _] = set.textures()[texture].size();
    let row = layer * height + y;
    match &manifest.layout {
        Layout::JointCurves(layout) if layout.texture == texture => {
            let of_curve = layout.curves / layout.bones.len().max(1) as u32;
            let curve_name = |curve: u32| {
                let kind =
                    ["rotation", "translation", "scale"][(curve % of_curve.max(1)) as usize % 3];
                let bone = layout.bones.get((curve / of_curve.max(1)) as usize);
                let joint = bone.and_then(|&joint| manifest.joints.get(joint));
                format!(
                    "{kind} of joint '{}'",
                    joint.map_or("", |joint| &joint.name)
                )
            };
            let tables = [
                (layout.clip_table, "clip table"),
                (layout.joint_table, "joint table"),
            ];
            word_meaning(
                set,
                texture,
                [x, row],
                &tables,
                layout.clip_table,
                layout.curves,
                &curve_name,
            )
        }
        Layout::VertexCurves(layout) if layout.texture == texture => {
            let curve_name = |curve: u32| match curve.checked_sub(layout.positions) {
                None => format!("unique position {curve}"),
                Some(normal) => format!("unique normal {normal}"),
            };
            let tables = [(layout.clip_table, "clip table")];
            let curves = layout.positions + layout.normals;
            word_meaning(
                set,
                texture,
                [x, row],
                &tables,
                layout.clip_table,
                curves,
                &curve_name,
            )
        }
        Layout::Vertices(layout) => {
            let of = |grid: &Grid| locate(grid, set, texture, [x, row]);
            if let Some((frame, item)) = of(&layout.positions) {
                let reader = Frame::new(&set.textures()[texture], &layout.positions, frame);
                let decoded = match manifest.encoding {
                    Encoding::VertexRay => vertex_ray(&reader, item, layout.range.as_ref()),
                    _ => vertex_offset(&reader, item, layout.range.as_ref()),
                };
                let decoded = decoded
                    .to_array()
                    .map(|value| format!("{:.3} mm", 1e3 * value));
                return Meaning {
                    role: vertex_role(set, "position", item),
                    time: frame_name(set, frame),
                    channels: channels(&reader, set, texture, item, &["x", "y", "z"], &decoded),
                };
            }
            if let Some((frame, item)) = of(&layout.normals) {
                let reader = Frame::new(&set.textures()[texture], &layout.normals, frame);
                return Meaning {
                    role: vertex_role(set, "normal", item),
                    time: frame_name(set, frame),
                    channels: channels(&reader, set, texture, item, &["n0", "n1", "n2"], &[]),
                };
            }
            metadata(set, texture, [x, row])
        }
        Layout::Bones(layout) => match locate(&layout.grid, set, texture, [x, row]) {
            Some((frame, item)) => bone_meaning(set, layout, texture, frame, item),
            None => metadata(set, texture, [x, row]),
        },
        _ => metadata(set, texture, [x, row]),
    }
}

/// Frame and item of a texel of a grid.
fn locate(grid: &Grid, set: &TextureSet, texture: usize, [x, row]: [u32; 2]) -> Option<(u32, u32)> {
    if grid.texture != texture {
        return None;
    }
    let column = x.checked_sub(grid.first_column)?;
    let (frame, item) = match (grid.order, &grid.pages) {
        (FrameOrder::Rows, _) => {
            let row = row.checked_sub(grid.first_row)?;
            let in_frame = row % grid.rows_per_frame.max(1);
            if column >= grid.columns {
                return None;
            }
            (
                row / grid.rows_per_frame.max(1),
                in_frame * grid.columns + column,
            )
        }
        (FrameOrder::Columns, None) => (column, row.checked_sub(grid.first_row)?),
        (FrameOrder::Columns, Some(pages)) => {
            let meshes = pages.item_starts.len().max(1) as u32;
            let page = row / pages.rows.max(1);
            let item = (row % pages.rows.max(1)).checked_sub(grid.first_row)?;
            let start = *pages.frame_starts.get((page / meshes) as usize)?;
            let first = *pages.item_starts.get((page % meshes) as usize)?;
            (start + column, first + item)
        }
    };
    let is_inside = item < grid.items && frame < set.frames();
    // Pages overlap where clips or meshes are shorter: the way back must agree.
    let [width, ..] = set.textures()[texture].size();
    let same = || grid.texel(width, frame, item) == row as usize * width as usize + x as usize;
    (is_inside && same()).then_some((frame, item))
}

/// Rows of the texture that hold a frame, or columns where frames are columns; counted across layers.
pub fn frame_rows(grid: &Grid, frame: u32) -> std::ops::Range<u32> {
    let first = grid.first_row + frame * grid.rows_per_frame.max(1);
    first..first + grid.rows_per_frame.max(1)
}

fn frame_name(set: &TextureSet, frame: u32) -> String {
    let mut clips = set.manifest().clips.iter();
    match clips.find(|clip| (clip.first_frame..clip.first_frame + clip.frames).contains(&frame)) {
        Some(clip) => {
            let number = frame - clip.first_frame;
            let secs = match clip.rate_hz > 0.0 {
                true => f64::from(number) / clip.rate_hz,
                false => 0.0,
            };
            format!("clip '{}', frame {number} ({secs:.3} s)", clip.name)
        }
        None => format!("frame {frame}"),
    }
}

fn vertex_role(set: &TextureSet, what: &str, item: u32) -> String {
    let mut parts = set.manifest().parts.iter();
    let first = |part: &throng_format::PartEntry| match what {
        "position" => part.first_position..part.first_position + part.positions,
        _ => part.first_normal..part.first_normal + part.normals,
    };
    match parts.find(|part| first(part).contains(&item)) {
        Some(part) => format!("unique {what} {item} of part '{}'", part.name),
        None => format!("unique {what} {item}"),
    }
}

fn channels(
    reader: &Frame<'_>,
    set: &TextureSet,
    texture: usize,
    item: u32,
    names: &[&str],
    decoded: &[String],
) -> Vec<[String; 3]> {
    let count = set.textures()[texture].format().channels();
    let channel = |index: usize| {
        let name = names.get(index).copied().unwrap_or("unused");
        let stored = format!("{:.6}", reader.channel(item, index));
        let decoded = decoded.get(index).cloned();
        let decoded = decoded.unwrap_or_else(|| format!("{:.5}", reader.signed(item, index)));
        [name.to_owned(), stored, decoded]
    };
    (0..count).map(channel).collect()
}

/// Names of a bone's values.
fn value_names(code: BoneCode) -> &'static [&'static str] {
    match code {
        BoneCode::MatrixRows => &[
            "m00",
            "m01",
            "m02",
            "position x",
            "m10",
            "m11",
            "m12",
            "position y",
            "m20",
            "m21",
            "m22",
            "position z",
        ],
        BoneCode::MatrixColumns => &[
            "m00",
            "m10",
            "m20",
            "position x",
            "m01",
            "m11",
            "m21",
            "position y",
            "m02",
            "m12",
            "m22",
            "position z",
        ],
        BoneCode::DualQuaternion => &[
            "real x", "real y", "real z", "real w", "dual x", "dual y", "dual z", "dual w",
        ],
        BoneCode::RotationPosition => &[
            "rotation x",
            "rotation y",
            "rotation z",
            "position x",
            "position y",
            "position z",
            "scale x",
            "scale y",
            "scale z",
        ],
        BoneCode::Axes | BoneCode::AxisPlanes => &["x", "y", "z", "unused"],
    }
}

fn bone_meaning(
    set: &TextureSet,
    layout: &BoneLayout,
    texture: usize,
    frame: u32,
    item: u32,
) -> Meaning {
    let manifest = set.manifest();
    let reader = Frame::new(&set.textures()[texture], &layout.grid, frame);
    let per_texel = set.textures()[texture].format().channels() as u32;
    let bones = layout.bones.len() as u32;
    let joint_name = |bone: usize| {
        let joint = layout.bones.get(bone).map_or(0, |bone| bone.joint);
        manifest
            .joints
            .get(joint)
            .map_or("", |joint| &joint.name)
            .to_owned()
    };
    let names = value_names(layout.code);
    let mut roles: Vec<String> = Vec::new();
    let channel = |channel: u32| -> Option<(usize, String, Option<usize>)> {
        if layout.code == BoneCode::AxisPlanes {
            let bone = (item % bones.max(1)) as usize;
            let plane =
                ["first axis", "second axis", "position"][(item / bones.max(1)) as usize % 3];
            let component = (plane == "position").then_some(channel as usize);
            return Some((
                bone,
                format!("{plane} {}", names[channel as usize % 4]),
                component,
            ));
        }
        let value = per_texel * item + channel;
        let bone = layout
            .bones
            .partition_point(|bone| bone.first_value <= value)
            .checked_sub(1)?;
        let within = (value - layout.bones[bone].first_value) as usize;
        if layout.code == BoneCode::Axes {
            let texel = ["first axis", "second axis", "position"][within / 4 % 3];
            let component = (texel == "position" && within % 4 < 3).then_some(within % 4);
            return Some((bone, format!("{texel} {}", names[within % 4]), component));
        }
        let name = names.get(within)?;
        let component = match layout.code {
            BoneCode::MatrixRows | BoneCode::MatrixColumns => {
                (within % 4 == 3).then_some(within / 4)
            }
            BoneCode::DualQuaternion => within.checked_sub(4),
            BoneCode::RotationPosition => (3..6).contains(&within).then(|| within - 3),
            _ => None,
        };
        Some((bone, (*name).to_owned(), component))
    };
    let mut rows = Vec::new();
    for index in 0..per_texel {
        let stored = format!("{:.6}", reader.channel(item, index as usize));
        let unit = reader.signed(item, index as usize);
        let Some((bone, name, component)) = channel(index) else {
            rows.push(["unused".into(), stored, String::new()]);
            continue;
        };
        let joint = joint_name(bone);
        if !roles.contains(&joint) {
            roles.push(joint.clone());
        }
        let range = match layout.ranges.len() {
            0 => None,
            1 => layout.ranges.first(),
            _ => layout.ranges.get(bone),
        };
        let decoded = match (component, range) {
            (Some(component), Some(range)) if component < range.center.len() => {
                range.center[component] + range.half_extent[component] * unit
            }
            _ => unit,
        };
        rows.push([format!("{joint}: {name}"), stored, format!("{decoded:.5}")]);
    }
    Meaning {
        role: format!("joint {}", roles.join(", ")),
        time: frame_name(set, frame),
        channels: rows,
    }
}

/// Meaning of a word of compressed curves.
fn word_meaning(
    set: &TextureSet,
    texture: usize,
    [x, row]: [u32; 2],
    tables: &[(u32, &str)],
    clip_table: u32,
    curves: u32,
    curve_name: &dyn Fn(u32) -> String,
) -> Meaning {
    let image = &set.textures()[texture];
    let words = Words::of(image);
    let word = row * image.size()[0] + x;
    let mut meaning = Meaning {
        role: "padding".into(),
        time: format!("word {word}"),
        channels: Vec::new(),
    };
    if word >= words.len() {
        return meaning;
    }
    let value = words.get(word);
    meaning
        .channels
        .push(["word".into(), format!("{value:#010x}"), format!("{value}")]);
    let clips = &set.manifest().clips;
    let records: Vec<ClipRecord> = (0..clips.len() as u32)
        .map(|clip| ClipRecord::read(words, clip_table, clip))
        .collect();
    let owner = records.iter().rposition(|record| record.first_word <= word);
    let first_clip = records.iter().map(|record| record.first_word).min();
    if first_clip.is_none_or(|first| word < first) {
        let table = tables
            .iter()
            .filter(|(start, _)| *start <= word)
            .max_by_key(|(start, _)| *start);
        meaning.role = table
            .map_or("calibration strip", |(_, name)| name)
            .to_owned();
        return meaning;
    }
    let Some(owner) = owner else {
        return meaning;
    };
    let record = &records[owner];
    let within = word - record.first_word;
    let masks = mask_words(curves);
    let row_length = row_words(record.present).max(1);
    let headers = record.segments * row_length;
    let secs = |segment: u32| segment as f32 / record.segments_per_sec.max(f32::MIN_POSITIVE);
    let clip = &clips[owner].name;
    if within < masks {
        meaning.role = format!("presence masks of clip '{clip}'");
    } else if within < masks + headers {
        let segment = (within - masks) / row_length;
        let at = (within - masks) % row_length;
        let block = 2 * 32 + 1;
        let rank =
            (at / block * 32 + (at % block).saturating_sub(1) / 2).min(record.present.max(1) - 1);
        let header = match at % block {
            0 => "first key word of a block of headers".to_owned(),
            _ => format!(
                "header of the {}",
                present_curve(words, record, curves, rank).map_or("curve".into(), curve_name)
            ),
        };
        meaning.role = header;
        meaning.time = format!(
            "clip '{clip}', segment {segment} (from {:.2} s)",
            secs(segment)
        );
    } else {
        meaning.role = "keys of curves".into();
        meaning.time = format!("clip '{clip}', word {word}");
    }
    meaning
}

/// Curve with a number among those that are present in a clip.
fn present_curve(words: Words<'_>, record: &ClipRecord, curves: u32, rank: u32) -> Option<u32> {
    let mut before = 0;
    for mask in 0..curves.div_ceil(32) {
        let bits = words.get(record.first_word + 2 * mask);
        for bit in 0..32 {
            if bits >> bit & 1 == 1 {
                if before == rank {
                    return Some(32 * mask + bit);
                }
                before += 1;
            }
        }
    }
    None
}

fn metadata(set: &TextureSet, texture: usize, [x, row]: [u32; 2]) -> Meaning {
    let image = &set.textures()[texture];
    let index = row as usize * image.size()[0] as usize + x as usize;
    let bytes = (index < image.texel_count()).then(|| image.texel(index));
    let hex = bytes.map_or(String::new(), |bytes| {
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        digits.join(" ")
    });
    Meaning {
        role: "metadata, other data or padding".into(),
        time: format!("column {x}, row {row}"),
        channels: vec![["bytes".into(), hex, String::new()]],
    }
}
