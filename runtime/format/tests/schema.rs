//! `docs/manifest.schema.json` says what `Manifest` is: every field, every name, and nothing else.

use std::collections::BTreeSet;

use glam::DVec3;
use serde_json::{Map, Value, json};
use throng_format::{
    Axes, BoneCode, BoneEntry, BoneLayout, CacheSource, ClipEntry, Encoding, Event, FORMAT,
    FileEntry, FrameInterpolation, FrameOrder, Grid, InterpolatedValues, JointCurveLayout,
    JointEntry, JointRotation, Keyframe, Layout, Lod, Manifest, Metadata, MorphLayout,
    MotionReference, MotionSource, NormalCode, Pages, PartEntry, PoseEdits, Precision, Range,
    RootMotion, SHARED_VERSION, SkinEntry, Socket, Source, TexelFormat, TextureEntry, VERSION,
    VertexCurveLayout, VertexLayout, WeightLayout,
};
use throng_rig::{Bounds, LoopPolicy, METHOD_NAMES, Method};

fn schema() -> Value {
    serde_json::from_str(include_str!("../../../docs/manifest.schema.json")).unwrap()
}

/// As much of JSON Schema as the schema uses; `pattern` is left to [`methods_are_those_that_skin`].
struct Validator(Value);

fn validator() -> Validator {
    Validator(schema())
}

impl Validator {
    fn is_valid(&self, value: &Value) -> bool {
        self.fault(&self.0, value, "").is_none()
    }

    /// The first place that is not as a schema says.
    fn fault(&self, schema: &Value, value: &Value, place: &str) -> Option<String> {
        let rules = schema.as_object().expect("a schema is an object");
        rules.iter().find_map(|(rule, wanted)| {
            self.fault_of_rule(rule, wanted, value, place)
                .map(|fault| match fault.is_empty() {
                    true => format!("'{place}': {rule} {wanted}"),
                    false => fault,
                })
        })
    }

    /// Empty where the rule says it all.
    fn fault_of_rule(
        &self,
        rule: &str,
        wanted: &Value,
        value: &Value,
        place: &str,
    ) -> Option<String> {
        let unless = |holds: bool| (!holds).then(String::new);
        let passes = |schema: &&Value| self.fault(schema, value, place).is_none();
        let compare = |holds: fn(f64, f64) -> bool| {
            let numbers = value.as_f64().zip(wanted.as_f64());
            unless(numbers.is_none_or(|(number, limit)| holds(number, limit)))
        };
        let count = |length: Option<usize>, holds: fn(&u64, &u64) -> bool| {
            let limit = wanted.as_u64().expect("a count");
            unless(length.is_none_or(|length| holds(&(length as u64), &limit)))
        };
        match rule {
            "$schema" | "$defs" | "title" | "description" | "pattern" => None,
            "$ref" => {
                let pointer = wanted.as_str()?.strip_prefix('#').expect("in this file");
                let target = self.0.pointer(pointer).expect("a definition");
                self.fault(target, value, place)
            }
            "type" => unless(match wanted.as_str().expect("one type") {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "number" => value.is_number(),
                "integer" => value.is_u64(),
                "boolean" => value.is_boolean(),
                "null" => value.is_null(),
                other => panic!("type {other}"),
            }),
            "const" => unless(value == wanted),
            "enum" => unless(wanted.as_array()?.contains(value)),
            "minimum" => compare(|number, limit| number >= limit),
            "maximum" => compare(|number, limit| number <= limit),
            "exclusiveMinimum" => compare(|number, limit| number > limit),
            "minLength" => count(value.as_str().map(str::len), u64::ge),
            "minItems" => count(value.as_array().map(Vec::len), u64::ge),
            "maxItems" => count(value.as_array().map(Vec::len), u64::le),
            "items" => value
                .as_array()?
                .iter()
                .enumerate()
                .find_map(|(index, item)| self.fault(wanted, item, &format!("{place}/{index}"))),
            "required" => {
                let fields = value.as_object()?;
                let missing = |name: &&Value| !fields.contains_key(name.as_str().unwrap_or(""));
                let name = wanted.as_array()?.iter().find(missing)?;
                Some(format!("'{place}' has no {name}"))
            }
            "properties" => wanted.as_object()?.iter().find_map(|(name, schema)| {
                let field = value.get(name)?;
                self.fault(schema, field, &format!("{place}/{name}"))
            }),
            "allOf" => {
                let schemas = wanted.as_array()?;
                schemas
                    .iter()
                    .find_map(|schema| self.fault(schema, value, place))
            }
            // Of maps with any keys, which list no properties.
            "additionalProperties" => value
                .as_object()?
                .iter()
                .find_map(|(name, field)| self.fault(wanted, field, &format!("{place}/{name}"))),
            "anyOf" => unless(wanted.as_array()?.iter().any(|schema| passes(&schema))),
            "oneOf" => unless(wanted.as_array()?.iter().filter(passes).count() == 1),
            other => panic!("the schema uses {other}, which is not known here"),
        }
    }
}

fn grid(order: FrameOrder) -> Grid {
    Grid {
        texture: 0,
        order,
        items: 3,
        first_column: 1,
        first_row: 1,
        columns: 3,
        rows_per_frame: 1,
        clip_starts: vec![1],
        pages: (order == FrameOrder::Columns).then(|| Pages {
            frame_starts: vec![0],
            item_starts: vec![0, 2],
            rows: 4,
        }),
    }
}

fn range(components: usize) -> Range {
    Range {
        center: vec![-0.5; components],
        half_extent: vec![0.25; components],
    }
}

fn bones(code: BoneCode) -> Layout {
    Layout::Bones(BoneLayout {
        code,
        grid: grid(FrameOrder::Rows),
        positions: (code == BoneCode::AxisPlanes).then(|| grid(FrameOrder::Rows)),
        bones: vec![BoneEntry {
            joint: 1,
            first_value: 0,
            scale: -1.0,
            rotation: [0.0, 0.6, 0.0, 0.8],
            has_scale: true,
        }],
        ranges: vec![range(3)],
        scale_range: Some(range(3)),
        rest_row: true,
        color_bones: 4,
        weights: Some(WeightLayout {
            texture: 1,
            side: 2,
        }),
    })
}

fn vertices(normal_code: NormalCode) -> Layout {
    Layout::Vertices(VertexLayout {
        positions: grid(FrameOrder::Columns),
        normals: grid(FrameOrder::Rows),
        range: Some(range(3)),
        normal_code,
    })
}

fn joint_tracks() -> Layout {
    Layout::JointCurves(JointCurveLayout {
        texture: 0,
        bones: vec![0, 1],
        clip_table: 8,
        joint_table: 12,
        record_words: 12,
        curves: 6,
    })
}

fn vertex_tracks() -> Layout {
    Layout::VertexCurves(VertexCurveLayout {
        texture: 0,
        clip_table: 8,
        positions: 3,
        normals: 4,
        center: [0.5, 0.1, -0.25],
        scale: 0.125,
    })
}

/// Every way of encoding that goes with its layout.
fn layouts() -> Vec<(Encoding, Option<Precision>, FrameInterpolation, Layout)> {
    use {BoneCode as Code, Encoding as E, Precision as P};
    vec![
        (
            E::Vertex,
            Some(P::Unorm8),
            FrameInterpolation::Linear,
            vertices(NormalCode::Xyz),
        ),
        (
            E::VertexRay,
            Some(P::F16),
            FrameInterpolation::Linear,
            vertices(NormalCode::Octahedral),
        ),
        (E::Vertex, None, FrameInterpolation::Linear, vertex_tracks()),
        (
            E::BoneLocal,
            None,
            FrameInterpolation::Slerp,
            joint_tracks(),
        ),
        (
            E::BoneMatrix,
            Some(P::F32),
            FrameInterpolation::Slerp,
            bones(Code::MatrixRows),
        ),
        (
            E::BoneMatrix,
            Some(P::Unorm8),
            FrameInterpolation::Linear,
            bones(Code::MatrixColumns),
        ),
        (
            E::BoneDq,
            Some(P::Unorm16),
            FrameInterpolation::Nlerp,
            bones(Code::DualQuaternion),
        ),
        (
            E::BoneQt,
            Some(P::Unorm16),
            FrameInterpolation::Nlerp,
            bones(Code::RotationPosition),
        ),
        (
            E::VirtualBones,
            Some(P::F32),
            FrameInterpolation::Linear,
            bones(Code::Axes),
        ),
        (
            E::BoneMatrix,
            Some(P::Unorm8),
            FrameInterpolation::SlerpVertices,
            bones(Code::MatrixColumns),
        ),
    ]
}

fn clip(bounds: Bounds) -> ClipEntry {
    ClipEntry {
        name: "Walk".into(),
        first_frame: 0,
        frames: 31,
        rate_hz: 30.0,
        start_secs: -0.5,
        duration_secs: 1.0,
        looping: LoopPolicy::Wrap,
        bounds,
        root_motion: Some(RootMotion {
            joint: 0,
            translation: [0.0, 0.0, 1.5],
            rotation: [0.0, 0.0, 0.0, 1.0],
        }),
        events: vec![Event {
            name: "step".into(),
            time_secs: 0.5,
        }],
        content_digest: Some(format!("sha256:{}", "1bc2".repeat(16))),
    }
}

fn pose_edits() -> PoseEdits {
    PoseEdits {
        clip: Some("walk".into()),
        time_secs: Some(0.5),
        rotate: vec![JointRotation {
            joint: "hips".into(),
            degrees: [0.0, 90.0, -45.5],
        }],
        keyframe: Some(Keyframe {
            fraction: 0.5,
            by: InterpolatedValues::Positions,
        }),
    }
}

/// A manifest that uses every field.
fn manifest(
    (encoding, precision, interpolation, layout): (
        Encoding,
        Option<Precision>,
        FrameInterpolation,
        Layout,
    ),
) -> Manifest {
    let bounds = Bounds {
        min: DVec3::new(-0.5, 0.0, -0.25),
        max: DVec3::new(0.5, 1.8, 0.25),
    };
    let digest = format!("sha256:{}", "0af9".repeat(16));
    Manifest {
        format: FORMAT.into(),
        version: VERSION,
        generator: "throng 0.1.0".into(),
        name: "Fox".into(),
        source: Source {
            path: "builtin:humanoid".into(),
            digest: digest.clone(),
            settings: digest,
            max_influences: Some(4),
            min_weight: 0.01,
            shared_positions: true,
            corner_vertices: true,
            pose: Some(pose_edits()),
            motion: vec![MotionSource {
                path: "../clips/walk.bvh".into(),
                digest: format!("sha256:{}", "77be".repeat(16)),
            }],
            lenders: vec![MotionSource {
                path: "../knight.glb".into(),
                digest: format!("sha256:{}", "19c4".repeat(16)),
            }],
            joint_pairs: [("tail", Some("rope")), ("ear", None)]
                .map(|(target, source)| (target.into(), source.map(str::to_owned)))
                .into(),
            caches: vec![CacheSource {
                path: "../flag.pc2".into(),
                digest: format!("sha256:{}", "5d02".repeat(16)),
                mesh: Some("Flag".into()),
                frames_per_sec: 24.0,
            }],
        },
        encoding,
        precision,
        method: Method::Blend(0.25).into(),
        interpolation,
        metadata: Metadata::Manifest,
        axes: Axes::metres(),
        size: 1.8,
        bounds,
        clips: vec![clip(bounds)],
        joints: vec![JointEntry {
            name: "hips".into(),
            parent: Some(0),
        }],
        skins: vec![SkinEntry {
            name: String::new(),
            joints: vec![0],
            inverse_bind_dual_quaternions: vec![[0.0, 0.0, 0.0, 1.0, 0.0, -0.5, 0.0, 0.0]],
        }],
        parts: vec![PartEntry {
            name: "body".into(),
            skin: 0,
            vertices: 24,
            first_position: 0,
            positions: 8,
            first_normal: 0,
            normals: 24,
        }],
        layout,
        morphs: Some(MorphLayout {
            grid: grid(FrameOrder::Rows),
            weights: 5,
            range: Some(range(5)),
        }),
        textures: vec![TextureEntry {
            name: "bones".into(),
            texels: TexelFormat::Rgba16Unorm,
            width: 16,
            height: 16,
            layers: 2,
            calibration: true,
            files: vec!["bones.0.png".into(), "bones.1.png".into()],
        }],
        mesh: "mesh.glb".into(),
        sockets: vec![Socket {
            name: "hand".into(),
            joint: 0,
            translation: [0.0, 0.1, 0.0],
            rotation: [0.0, 0.0, 0.0, 1.0],
            first_position: Some(8),
        }],
        lods: vec![Lod {
            triangles: 200,
            max_influences: 2,
            max_error_of_size: 0.004,
        }],
        files: vec![FileEntry {
            name: "mesh.glb".into(),
            digest: format!("sha256:{}", "0".repeat(64)),
        }],
        max_error_of_size: Some(0.0003),
        motion: None,
        base_digest: Some(format!("sha256:{}", "2cd3".repeat(16))),
    }
}

/// As files hold them.
fn manifests() -> Vec<Value> {
    let written = |layout| serde_json::to_value(manifest(layout)).unwrap();
    layouts().into_iter().map(written).collect()
}

/// The pointer of every object inside a value, itself among them.
fn objects(value: &Value, pointer: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            // Keys of this map are names of joints, not fields.
            if pointer.ends_with("/joint_pairs") {
                return;
            }
            out.push(pointer.to_owned());
            for (name, field) in fields {
                objects(field, &format!("{pointer}/{name}"), out);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                objects(item, &format!("{pointer}/{index}"), out);
            }
        }
        _ => {}
    }
}

fn fields_mut<'v>(value: &'v mut Value, pointer: &str) -> &'v mut Map<String, Value> {
    let object = value.pointer_mut(pointer).unwrap();
    object.as_object_mut().unwrap()
}

#[test]
fn what_is_written_is_valid() {
    let validator = validator();
    for value in manifests() {
        let fault = validator.fault(&validator.0, &value, "");
        assert_eq!(fault, None, "{value:#}");
    }
}

#[test]
fn what_is_optional_may_be_null() {
    let validator = validator();
    for mut value in manifests() {
        let vertices = value["layout"].get("vertices").is_some();
        let bones = value["layout"].get("bones").is_some();
        for (pointer, is_there) in [
            ("/morphs", true),
            ("/max_error_of_size", true),
            ("/source/max_influences", true),
            ("/source/pose", true),
            ("/clips/0/root_motion", true),
            ("/joints/0/parent", true),
            ("/sockets/0/first_position", true),
            ("/layout/vertices/range", vertices),
            ("/layout/bones/scale_range", bones),
            ("/layout/bones/weights", bones),
        ] {
            if is_there {
                *value.pointer_mut(pointer).unwrap() = Value::Null;
            }
        }
        assert!(validator.is_valid(&value), "{value:#}");
        serde_json::from_value::<Manifest>(value).unwrap();
    }
}

#[test]
fn unknown_fields_are_ignored() {
    let validator = validator();
    for value in manifests() {
        let known: Manifest = serde_json::from_value(value.clone()).unwrap();
        let mut places = Vec::new();
        objects(&value, "", &mut places);
        // The layout is an enum: its one key is not an optional field.
        for place in places.iter().filter(|place| *place != "/layout") {
            let mut more = value.clone();
            fields_mut(&mut more, place).insert("more".into(), json!(1));
            assert_eq!(
                validator.fault(&validator.0, &more, ""),
                None,
                "one more in '{place}'"
            );
            let read: Manifest = serde_json::from_value(more).unwrap();
            assert_eq!(read, known, "one more in '{place}'");
        }
    }
}

#[test]
fn every_written_field_is_required_and_listed() {
    let validator = validator();
    for value in manifests() {
        let mut places = Vec::new();
        objects(&value, "", &mut places);
        for place in &places {
            let names: Vec<String> = fields_mut(&mut value.clone(), place)
                .keys()
                .cloned()
                .collect();
            for name in names {
                let mut less = value.clone();
                fields_mut(&mut less, place).remove(&name);
                let is_optional = is_optional(place, &name);
                let is_valid = validator.is_valid(&less);
                assert_eq!(is_valid, is_optional, "no '{name}' in '{place}'");
                let read = serde_json::from_value::<Manifest>(less);
                assert!(read.is_ok() || !is_optional, "no '{name}' in '{place}'");
            }
        }
    }
}

/// A set that uses a motion set, and a motion set.
fn shared_manifests() -> [Manifest; 2] {
    let layout = (
        Encoding::BoneLocal,
        None,
        FrameInterpolation::Slerp,
        joint_tracks(),
    );
    let mut member = manifest(layout);
    member.version = SHARED_VERSION;
    member.textures[0].files.clear();
    let mut motion = member.clone();
    member.motion = Some(MotionReference {
        path: "../motion.throng".into(),
        digest: format!("sha256:{}", "0af9".repeat(16)),
    });
    motion.parts.clear();
    motion.textures[0].files.push("curves.ktx2".into());
    [member, motion]
}

#[test]
fn sets_that_share_textures_are_of_version_4() {
    let validator = validator();
    let [member, motion] = shared_manifests().map(|set| serde_json::to_value(set).unwrap());
    for value in [&member, &motion] {
        assert_eq!(validator.fault(&validator.0, value, ""), None, "{value:#}");
        let mut old = value.clone();
        old["version"] = json!(VERSION);
        assert!(!validator.is_valid(&old), "{old:#}");
        let read: Manifest = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(read.required_version(), SHARED_VERSION);
    }
    for (pointer, wrong) in [
        ("/motion", Value::Null),
        ("/parts", json!([])),
        ("/textures/0/files", json!(["curves.ktx2"])),
        ("/motion", json!({ "path": "../motion.throng" })),
    ] {
        let mut value = member.clone();
        *value.pointer_mut(pointer).unwrap() = wrong;
        assert!(!validator.is_valid(&value), "{pointer}");
    }
    let mut whole = manifests().remove(0);
    assert!(validator.is_valid(&whole));
    whole["version"] = json!(SHARED_VERSION);
    assert!(!validator.is_valid(&whole));
}

#[test]
fn skinning_names_round_trip() {
    let validator = validator();
    for name in [
        "as-authored",
        "blend:auto",
        "cor",
        "dqs-bulge-free",
        "sclerp",
        "blend:0.25",
    ] {
        let mut value = manifests().remove(0);
        value["method"] = json!(name);
        assert!(validator.is_valid(&value), "{name}");
        let manifest: Manifest = serde_json::from_value(value).unwrap();
        assert_eq!(serde_json::to_value(manifest).unwrap()["method"], name);
    }
}

#[test]
fn rejects_unknown_skinning_method() {
    let mut value = manifests().remove(0);
    value["method"] = json!("magic");
    let error = serde_json::from_value::<Manifest>(value).unwrap_err();
    assert!(error.to_string().contains("'magic'"), "{error}");
}

/// Fields that may be left out, and the end of the name of their object. The root has no name.
const OPTIONAL: [(&str, &str); 10] = [
    ("", "files"),
    ("", "max_error_of_size"),
    ("", "motion"),
    ("", "base_digest"),
    ("source", "corner_vertices"),
    ("source", "pose"),
    ("source", "motion"),
    ("source", "joint_pairs"),
    ("source", "lenders"),
    ("source", "caches"),
];

/// Fields of grids and skins that only sets of P0 have, and of clips that clips can be added to.
const OPTIONAL_WITHIN: [&str; 3] = ["pages", "inverse_bind_dual_quaternions", "content_digest"];

/// Returns whether a field may be left out of the object at a pointer into a manifest or the schema.
fn is_optional(place: &str, name: &str) -> bool {
    let object = place.rsplit('/').next().unwrap_or("");
    let is_within = !place.is_empty() && OPTIONAL_WITHIN.contains(&name);
    is_within || OPTIONAL.contains(&(object, name))
}

/// Every listed field is required, so that nothing is listed that is never written.
#[test]
fn all_that_is_listed_is_required() {
    let schema = schema();
    let mut places = Vec::new();
    objects(&schema, "", &mut places);
    for place in places {
        let object = schema.pointer(&place).unwrap();
        let is_map = object.get("properties").is_none();
        if object.get("type") != Some(&json!("object")) || is_map {
            continue;
        }
        assert_eq!(object.get("additionalProperties"), None, "'{place}'");
        let listed = object["properties"].as_object().unwrap().keys();
        let required = object["required"].as_array().unwrap().iter();
        let listed = listed.map(String::as_str);
        let listed: BTreeSet<&str> = listed.filter(|name| !is_optional(&place, name)).collect();
        let required: BTreeSet<&str> = required.filter_map(Value::as_str).collect();
        assert_eq!(listed, required, "'{place}'");
    }
}

#[test]
fn names_are_the_same() {
    let schema = schema();
    let check = |pointer: &str, names: Value| {
        assert_eq!(schema.pointer(pointer), Some(&names), "{pointer}");
    };
    check("/properties/encoding/enum", json!(Encoding::ALL));
    check("/properties/precision/anyOf/0/enum", json!(Precision::ALL));
    check(
        "/properties/interpolation/enum",
        json!(FrameInterpolation::ALL),
    );
    check("/properties/metadata/enum", json!(Metadata::ALL));
    check("/$defs/clip/properties/loop/enum", json!(LoopPolicy::ALL));
    let texels = "/$defs/texture/properties/texels/enum";
    check(texels, json!(TexelFormat::ALL));
    let orders = json!([FrameOrder::Rows, FrameOrder::Columns]);
    check("/$defs/grid/properties/order/enum", orders);
    let codes = json!([NormalCode::Xyz, NormalCode::Octahedral]);
    check("/$defs/vertexLayout/properties/normal_code/enum", codes);
    let codes = json!([
        BoneCode::MatrixRows,
        BoneCode::MatrixColumns,
        BoneCode::DualQuaternion,
        BoneCode::RotationPosition,
        BoneCode::Axes,
        BoneCode::AxisPlanes
    ]);
    check("/$defs/boneLayout/properties/code/enum", codes);
}

#[test]
fn every_encoding_is_interpolated_as_the_library_says() {
    for form in schema()["oneOf"].as_array().unwrap() {
        let of = |name: &str| form["properties"][name].clone();
        let names = match (
            of("encoding")["const"].clone(),
            of("encoding")["enum"].clone(),
        ) {
            (Value::Null, Value::Array(names)) => names,
            (name, _) => vec![name],
        };
        for name in names {
            let encoding: Encoding = serde_json::from_value(name).unwrap();
            assert_eq!(
                of("interpolation")["enum"],
                json!(encoding.interpolations()),
                "{encoding}"
            );
        }
    }
}

/// The pattern is a list of words and one form with a number: the words are looked for in it.
#[test]
fn methods_are_those_that_skin() {
    let schema = schema();
    let pattern = schema["properties"]["method"]["pattern"].as_str().unwrap();
    let words = "^(as-authored|blend:auto|lbs|dqs|dqs-plain|dqs-direct|dqs-sum|dqs-bulge-free|cor|sclerp|\
                 (blend|blend-positions):(";
    let numbers = r"0(\.[0-9]+)?|1(\.0+)?))$";
    assert_eq!(pattern, format!("{words}{numbers}"));
    let plain = METHOD_NAMES.replace(" (F from 0 to 1)", "");
    let known: Vec<&str> = plain.split(", ").collect();
    assert_eq!(
        known,
        [
            "lbs",
            "dqs",
            "dqs-plain",
            "dqs-direct",
            "dqs-sum",
            "dqs-bulge-free",
            "cor",
            "sclerp",
            "blend:F",
            "blend-positions:F",
            "blend:auto"
        ]
    );
    for name in ["blend:0", "blend:0.125", "blend-positions:1.0"] {
        assert!(name.parse::<Method>().is_ok(), "{name}");
    }
}

#[test]
fn an_encoding_has_its_own_layout() {
    let validator = validator();
    let layouts = layouts();
    for (encoding, precision, interpolation, layout) in &layouts {
        for (other_encoding, .., other_layout) in &layouts {
            let mixed = (*encoding, *precision, *interpolation, other_layout.clone());
            let value = serde_json::to_value(manifest(mixed)).unwrap();
            let same_kind = match (layout, other_layout) {
                (Layout::Bones(_), Layout::Bones(_)) => encoding == other_encoding,
                _ => std::mem::discriminant(layout) == std::mem::discriminant(other_layout),
            };
            let message = format!("{encoding} at {precision:?} with {other_layout:?}");
            assert_eq!(validator.is_valid(&value), same_kind, "{message}");
        }
    }
}
