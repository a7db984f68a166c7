//! Builder of small Alembic files. Properties are values, so that objects may share them.

/// Marks an offset of data.
const DATA_BIT: u64 = 1 << 63;

/// Time samplings of every file, by index: none, 24 and 12 samples per second.
const SECS_PER_SAMPLE: [f64; 3] = [1.0, 1.0 / 24.0, 1.0 / 12.0];

/// Type of the numbers of a property, as in its header.
#[derive(Clone, Copy)]
pub enum Pod {
    U8 = 1,
    I8 = 2,
    U32 = 5,
    I32 = 6,
    F32 = 10,
    F64 = 11,
    Text = 12,
}

/// Schema of an object, as in its metadata.
pub const XFORM: &str = "schema=AbcGeom_Xform_v3;schemaObjTitle=AbcGeom_Xform_v3:.xform";
pub const POLY_MESH: &str = "schema=AbcGeom_PolyMesh_v1;schemaBaseType=AbcGeom_GeomBase_v1;\
                             schemaObjTitle=AbcGeom_PolyMesh_v1:.geom";
const POLY_MESH_PROPERTY: &str = "schema=AbcGeom_PolyMesh_v1;schemaBaseType=AbcGeom_GeomBase_v1";

/// A property that was written.
#[derive(Clone)]
pub struct Property {
    header: Vec<u8>,
    group: u64,
}

/// An object that was written, with its name and metadata.
#[derive(Clone)]
pub struct Object {
    name: String,
    metadata: String,
    group: u64,
}

/// A file that is being written.
pub struct AbcFile {
    out: Vec<u8>,
}

/// Samples of an array property.
pub struct Array<'a> {
    pub name: &'a str,
    pub metadata: &'a str,
    pub pod: Pod,
    /// Numbers per item.
    pub extent: u8,
    /// Index in [`SECS_PER_SAMPLE`].
    pub sampling: u32,
}

impl Default for AbcFile {
    fn default() -> Self {
        let mut out = b"Ogawa\xff\0\x01".to_vec();
        out.extend([0; 8]);
        Self { out }
    }
}

impl AbcFile {
    /// Writes data and returns its offset.
    pub fn data(&mut self, bytes: &[u8]) -> u64 {
        let offset = self.out.len() as u64;
        self.out.extend((bytes.len() as u64).to_le_bytes());
        self.out.extend(bytes);
        offset | DATA_BIT
    }

    /// Writes a sample: a digest, which nothing reads, and numbers.
    pub fn sample(&mut self, numbers: &[u8]) -> u64 {
        self.data(&[&[0; 16], numbers].concat())
    }

    fn group(&mut self, children: &[u64]) -> u64 {
        let offset = self.out.len() as u64;
        self.out.extend((children.len() as u64).to_le_bytes());
        self.out
            .extend(children.iter().flat_map(|c| c.to_le_bytes()));
        offset
    }

    /// Writes an array of samples that [`Self::sample`] wrote.
    pub fn array_of(&mut self, array: &Array, samples: &[u64]) -> Property {
        self.repeated(array, samples, samples.len() as u32)
    }

    /// Writes an array of `count` samples, of which those after the given ones repeat the last.
    pub fn repeated(&mut self, array: &Array, samples: &[u64], count: u32) -> Property {
        let children: Vec<u64> = samples.iter().flat_map(|&s| [s, DATA_BIT]).collect();
        let group = self.group(&children);
        let words = match samples.len() as u32 {
            1 => vec![count],
            changed => vec![count, 1, changed - 1, array.sampling],
        };
        let flags = if words.len() == 1 { 0x800 } else { 0x300 };
        let header = header(2 | flags, array, &words);
        Property { header, group }
    }

    /// Writes an array.
    pub fn array(&mut self, array: &Array, samples: &[Vec<u8>]) -> Property {
        let samples: Vec<u64> = samples.iter().map(|s| self.sample(s)).collect();
        self.array_of(array, &samples)
    }

    /// Writes a scalar property.
    pub fn scalar(&mut self, array: &Array, samples: &[Vec<u8>]) -> Property {
        let children: Vec<u64> = samples.iter().map(|s| self.sample(s)).collect();
        let group = self.group(&children);
        let words = match samples.len() as u32 {
            1 => vec![1],
            count => vec![count, 1, count - 1, array.sampling],
        };
        let flags = if words.len() == 1 { 0x800 } else { 0x300 };
        let header = header(1 | flags, array, &words);
        Property { header, group }
    }

    /// Writes a compound property.
    pub fn compound(&mut self, name: &str, metadata: &str, properties: &[Property]) -> Property {
        let array = Array {
            name,
            metadata,
            pod: Pod::U8,
            extent: 0,
            sampling: 0,
        };
        Property {
            header: header(0, &array, &[]),
            group: self.properties(properties),
        }
    }

    fn properties(&mut self, properties: &[Property]) -> u64 {
        let headers: Vec<u8> = properties.iter().flat_map(|p| p.header.clone()).collect();
        let mut children: Vec<u64> = properties.iter().map(|p| p.group).collect();
        children.push(self.data(&headers));
        self.group(&children)
    }

    /// Writes an object.
    pub fn object(
        &mut self,
        name: &str,
        metadata: &str,
        properties: &[Property],
        objects: &[Object],
    ) -> Object {
        let mut children = vec![self.properties(properties)];
        children.extend(objects.iter().map(|object| object.group));
        let mut headers = Vec::new();
        for Object { name, metadata, .. } in objects {
            headers.extend((name.len() as u32).to_le_bytes());
            headers.extend(name.as_bytes());
            headers.push(0xff);
            headers.extend((metadata.len() as u32).to_le_bytes());
            headers.extend(metadata.as_bytes());
        }
        headers.extend([0; 32]);
        children.push(self.data(&headers));
        Object {
            name: name.to_owned(),
            metadata: metadata.to_owned(),
            group: self.group(&children),
        }
    }

    /// Writes an instance of the object at a path.
    pub fn instance(&mut self, name: &str, path: &str) -> Object {
        let source = self.instance_source(path);
        self.object(name, "", &[source], &[])
    }

    /// Writes the property of an instance.
    pub fn instance_source(&mut self, path: &str) -> Property {
        let array = Array {
            name: ".instanceSource",
            metadata: "",
            pod: Pod::Text,
            extent: 1,
            sampling: 0,
        };
        self.scalar(&array, &[[path.as_bytes(), &[0]].concat()])
    }

    /// Writes a transform of one matrix, for row vectors.
    pub fn xform(&mut self, name: &str, matrix: [f64; 16], objects: &[Object]) -> Object {
        let ops = Array {
            name: ".ops",
            metadata: "",
            pod: Pod::U8,
            extent: 1,
            sampling: 0,
        };
        let ops = self.scalar(&ops, &[vec![3 << 4]]);
        let values = Array {
            name: ".vals",
            metadata: "",
            pod: Pod::F64,
            extent: 16,
            sampling: 0,
        };
        let numbers = matrix.iter().flat_map(|n| n.to_le_bytes()).collect();
        let values = self.scalar(&values, &[numbers]);
        let xform = self.compound(".xform", "schema=AbcGeom_Xform_v3", &[ops, values]);
        self.object(name, XFORM, &[xform], objects)
    }

    /// Writes the schema of a mesh.
    pub fn geometry(
        &mut self,
        points: &[Vec<[f32; 3]>],
        counts: &[i32],
        indices: &[i32],
        more: &[Property],
    ) -> Property {
        let samples: Vec<u64> = points.iter().map(|p| self.sample(&floats(p))).collect();
        let points = self.array_of(&points_array(), &samples);
        self.geometry_of(points, counts, indices, more)
    }

    /// Writes the schema of a mesh whose points are written already. Its bounds, which the library wants, are zero.
    pub fn geometry_of(
        &mut self,
        points: Property,
        counts: &[i32],
        indices: &[i32],
        more: &[Property],
    ) -> Property {
        let bounds = Array {
            name: ".selfBnds",
            metadata: "interpretation=box",
            pod: Pod::F64,
            extent: 6,
            sampling: 0,
        };
        let bounds = self.scalar(&bounds, &[vec![0; 48]]);
        let faces = self.faces(counts, indices);
        let properties = [&[bounds, points], &faces[..], more].concat();
        self.compound(".geom", POLY_MESH_PROPERTY, &properties)
    }

    fn faces(&mut self, counts: &[i32], indices: &[i32]) -> [Property; 2] {
        let mut ints = |name, numbers: &[i32]| {
            let array = Array {
                name,
                metadata: "",
                pod: Pod::I32,
                extent: 1,
                sampling: 0,
            };
            let bytes = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
            self.array(&array, &[bytes])
        };
        [ints(".faceIndices", indices), ints(".faceCounts", counts)]
    }

    /// Writes normals of a scope: `fvr`, `uni`, `vtx`, `var` or `con`.
    pub fn normals(&mut self, scope: &str, sampling: u32, samples: &[Vec<[f32; 3]>]) -> Property {
        let array = Array {
            name: "N",
            metadata: &format!("geoScope={scope};interpretation=normal;isGeomParam=true"),
            pod: Pod::F32,
            extent: 3,
            sampling,
        };
        let samples: Vec<Vec<u8>> = samples.iter().map(|s| floats(s)).collect();
        self.array(&array, &samples)
    }

    /// Writes the archive of the top objects.
    pub fn finish(mut self, objects: &[Object]) -> Vec<u8> {
        let top = self.object("", "", &[], objects);
        let mut samplings = Vec::new();
        for secs in SECS_PER_SAMPLE {
            samplings.extend((1u32 << 20).to_le_bytes());
            samplings.extend(secs.to_le_bytes());
            samplings.extend(1u32.to_le_bytes());
            samplings.extend(0f64.to_le_bytes());
        }
        let root = [
            self.data(&0i32.to_le_bytes()),
            self.data(&10800i32.to_le_bytes()),
            top.group,
            self.data(b""),
            self.data(&samplings),
            self.data(b""),
        ];
        let root = self.group(&root);
        self.out[8..16].copy_from_slice(&root.to_le_bytes());
        self.out
    }
}

/// Array `P` of moving points.
pub fn points_array() -> Array<'static> {
    Array {
        name: "P",
        metadata: "geoScope=vtx;interpretation=point",
        pod: Pod::F32,
        extent: 3,
        sampling: 1,
    }
}

/// Header of a property with numbers of four bytes.
fn header(kind_and_flags: u32, array: &Array, words: &[u32]) -> Vec<u8> {
    let pod = array.pod as u32;
    let extent = u32::from(array.extent);
    let info = kind_and_flags | 2 << 2 | pod << 4 | extent << 12 | 0xff << 20;
    let mut out = info.to_le_bytes().to_vec();
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    for text in [array.name, array.metadata] {
        out.extend((text.len() as u32).to_le_bytes());
        out.extend(text.as_bytes());
    }
    out
}

/// Bytes of vectors.
pub fn floats<const N: usize>(rows: &[[f32; N]]) -> Vec<u8> {
    rows.iter()
        .flatten()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}
