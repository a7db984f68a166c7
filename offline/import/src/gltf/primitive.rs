//! One primitive of a mesh, wherever its numbers are kept.

use glam::Vec3;

use super::document::Document;
use super::draco::DracoMesh;
use super::schema;
use crate::Warning;
use crate::error::{Fault, Outcome};

/// Reads attributes and triangles, from accessors or from Draco.
pub(super) struct PrimitiveReader<'d, 'a> {
    document: &'d Document<'a>,
    primitive: &'d schema::Primitive,
    draco: Option<DracoMesh<'d>>,
    object: &'d str,
    pub vertex_count: usize,
}

/// Four joints and weights a vertex.
pub(super) struct JointSet {
    pub joints: Vec<[u32; 4]>,
    pub weights: Vec<[f32; 4]>,
}

const TRIANGLES: u32 = 4;
const TRIANGLE_STRIP: u32 = 5;
const TRIANGLE_FAN: u32 = 6;

impl<'d, 'a> PrimitiveReader<'d, 'a> {
    /// `None`, and a warning, for a primitive that cannot be drawn as triangles.
    pub(super) fn open(
        document: &'d Document<'a>,
        primitive: &'d schema::Primitive,
        object: &'d str,
        warnings: &mut Vec<Warning>,
    ) -> Outcome<Option<Self>> {
        let mut skip = |reason: &str| {
            warnings.push(Warning::PrimitiveSkipped {
                mesh: object.to_owned(),
                reason: reason.to_owned(),
            });
            Ok(None)
        };
        match primitive.mode.unwrap_or(TRIANGLES) {
            TRIANGLES | TRIANGLE_STRIP | TRIANGLE_FAN => {}
            0 => return skip("it is made of points"),
            1..=3 => return skip("it is made of lines"),
            mode => {
                return Err(Fault::data(
                    object,
                    format_args!("mode {mode} is none of glTF's"),
                ));
            }
        }
        let Some(&positions) = primitive.attributes.get("POSITION") else {
            return skip("it has no positions");
        };
        let draco = match &primitive.extensions.draco {
            Some(packed) => Some(DracoMesh::unpack(document, packed, object)?),
            None => None,
        };
        let vertex_count = match &draco {
            Some(mesh) => mesh.vertex_count(),
            None => document.element_count(positions, object)?,
        };
        if vertex_count == 0 {
            return skip("it has no vertices");
        }
        Ok(Some(Self {
            document,
            primitive,
            draco,
            object,
            vertex_count,
        }))
    }

    /// An attribute of `N` numbers, one a vertex; `None` where the primitive has none.
    pub(super) fn read<const N: usize>(&self, attribute: &str) -> Outcome<Option<Vec<[f32; N]>>> {
        let Some(&accessor) = self.primitive.attributes.get(attribute) else {
            return Ok(None);
        };
        let object = format!("{}, {attribute}", self.object);
        if let Some(draco) = &self.draco
            && let Some(mut values) = draco.read::<N>(self.document, attribute, self.object)?
        {
            let component = self.document.component(accessor, &object)?;
            if self.document.root.accessors[accessor].normalized {
                for value in values.iter_mut().flatten() {
                    *value = component.normalise(*value);
                }
            }
            return Ok(Some(values));
        }
        self.check_count(accessor, &object)?;
        self.document.read_f32(accessor, &object).map(Some)
    }

    /// Colours of three or four components; three are opaque.
    pub(super) fn read_color(&self, attribute: &str) -> Outcome<Option<Vec<[f32; 4]>>> {
        let Some(&accessor) = self.primitive.attributes.get(attribute) else {
            return Ok(None);
        };
        let object = format!("{}, {attribute}", self.object);
        if self.document.components(accessor, &object)? == 3 {
            let opaque = |rgb: Vec<[f32; 3]>| rgb.iter().map(|&[r, g, b]| [r, g, b, 1.0]).collect();
            return Ok(self.read::<3>(attribute)?.map(opaque));
        }
        self.read::<4>(attribute)
    }

    /// Every `JOINTS_n` with its `WEIGHTS_n`.
    pub(super) fn read_joint_sets(&self) -> Outcome<Vec<JointSet>> {
        let mut sets = Vec::new();
        for (name, &accessor) in &self.primitive.attributes {
            let Some(number) = name.strip_prefix("JOINTS_") else {
                continue;
            };
            let object = format!("{}, {name}", self.object);
            let weights_name = format!("WEIGHTS_{number}");
            let Some(weights) = self.read::<4>(&weights_name)? else {
                return Err(Fault::data(
                    object,
                    format_args!("comes without {weights_name}"),
                ));
            };
            let packed = match &self.draco {
                Some(draco) => draco.read::<4>(self.document, name, self.object)?,
                None => None,
            };
            let joints = match packed {
                Some(values) => values.iter().map(|j| j.map(|x| x as u32)).collect(),
                None => {
                    self.check_count(accessor, &object)?;
                    self.document.read_u32(accessor, &object)?
                }
            };
            sets.push(JointSet { joints, weights });
        }
        Ok(sets)
    }

    /// True when there is a `JOINTS_n`.
    pub(super) fn has_joints(primitive: &schema::Primitive) -> bool {
        primitive
            .attributes
            .keys()
            .any(|name| name.starts_with("JOINTS_"))
    }

    /// What a morph target adds to an attribute; `None` where it adds nothing.
    pub(super) fn read_delta(
        &self,
        target: usize,
        attribute: &str,
    ) -> Outcome<Option<Vec<[f32; 3]>>> {
        let Some(&accessor) = self.primitive.targets[target].get(attribute) else {
            return Ok(None);
        };
        let object = format!("{}, morph target {target} {attribute}", self.object);
        self.check_count(accessor, &object)?;
        self.document.read_f32(accessor, &object).map(Some)
    }

    /// A zero vector a vertex. Paid for, for a file can ask for many with few bytes.
    pub(super) fn zeros(&self) -> Outcome<Vec<Vec3>> {
        self.document
            .pay(self.vertex_count as u64, 12, self.object)?;
        Ok(vec![Vec3::ZERO; self.vertex_count])
    }

    fn check_count(&self, accessor: usize, object: &str) -> Outcome<()> {
        let count = self.document.element_count(accessor, object)?;
        if count == self.vertex_count {
            return Ok(());
        }
        Err(Fault::data(
            object,
            format_args!("{count} elements for {} vertices", self.vertex_count),
        ))
    }

    /// Triangles, strips and fans as triangles.
    pub(super) fn triangles(&self, warnings: &mut Vec<Warning>) -> Outcome<Vec<[u32; 3]>> {
        let indices = self.indices()?;
        let mode = match self.draco {
            Some(_) => TRIANGLES,
            None => self.primitive.mode.unwrap_or(TRIANGLES),
        };
        Ok(match mode {
            TRIANGLE_STRIP => indices
                .windows(3)
                .enumerate()
                .map(|(i, w)| {
                    if i % 2 == 0 {
                        [w[0], w[1], w[2]]
                    } else {
                        [w[0], w[2], w[1]]
                    }
                })
                .collect(),
            TRIANGLE_FAN => indices
                .get(1..)
                .unwrap_or_default()
                .windows(2)
                .map(|w| [w[0], w[1], indices[0]])
                .collect(),
            _ => {
                let (triangles, rest) = indices.as_chunks::<3>();
                if !rest.is_empty() {
                    warnings.push(Warning::IndicesLeftOver {
                        mesh: self.object.to_owned(),
                        indices: rest.len(),
                    });
                }
                triangles.to_vec()
            }
        })
    }

    fn indices(&self) -> Outcome<Vec<u32>> {
        let indices: Vec<u32> = match (&self.draco, self.primitive.indices) {
            (Some(draco), _) => draco.indices(),
            (None, Some(accessor)) => {
                let object = format!("{}, indices", self.object);
                let values = self.document.read_u32::<1>(accessor, &object)?;
                values.into_iter().map(|[index]| index).collect()
            }
            (None, None) => {
                self.document
                    .pay(self.vertex_count as u64, 4, self.object)?;
                (0..self.vertex_count as u32).collect()
            }
        };
        let past = |&index: &u32| index as usize >= self.vertex_count;
        if let Some(at) = indices.iter().position(past) {
            return Err(Fault::data(
                format!("{}, indices", self.object),
                format_args!(
                    "index {at} is {}, there are {} vertices",
                    indices[at], self.vertex_count
                ),
            ));
        }
        Ok(indices)
    }
}
