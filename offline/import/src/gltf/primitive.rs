//! Attributes and triangles of one primitive, from accessors or from Draco.

use glam::Vec3;

use super::document::Document;
use super::draco::DracoMesh;
use super::schema;
use crate::Warning;
use crate::error::{Fault, Outcome};

/// Reader of a primitive that can be drawn as triangles.
pub(super) struct PrimitiveReader<'d, 'a> {
    document: &'d Document<'a>,
    primitive: &'d schema::Primitive,
    draco: Option<DracoMesh<'d>>,
    object: &'d str,
    pub vertex_count: usize,
}

/// Four palette indices and weights per vertex: `JOINTS_n` and `WEIGHTS_n`.
pub(super) struct JointSet {
    pub joints: Vec<[u32; 4]>,
    pub weights: Vec<[f32; 4]>,
}

const TRIANGLES: u32 = 4;
const TRIANGLE_STRIP: u32 = 5;
const TRIANGLE_FAN: u32 = 6;

impl<'d, 'a> PrimitiveReader<'d, 'a> {
    /// Opens a primitive. Returns `None`, with a warning, if it cannot be drawn as triangles.
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
            0 => return skip("points are not supported"),
            1..=3 => return skip("lines are not supported"),
            mode => {
                return Err(Fault::data(
                    object,
                    format_args!("invalid mode {mode}; expected 0 to 6"),
                ));
            }
        }
        let Some(&positions) = primitive.attributes.get("POSITION") else {
            return skip("it has no POSITION attribute");
        };
        let draco = match &primitive.extensions.draco {
            Some(compression) => Some(DracoMesh::decode(document, compression, object)?),
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

    /// Reads an attribute of `N` numbers per vertex; `None` if the primitive does not have it.
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
                    *value = component.normalize(*value);
                }
            }
            return Ok(Some(values));
        }
        self.check_count(accessor, &object)?;
        self.document.read_f32(accessor, &object).map(Some)
    }

    /// Reads colours of three or four components. Three components are opaque.
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

    /// Reads every `JOINTS_n` with its `WEIGHTS_n`.
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
                    format_args!("has no matching {weights_name}"),
                ));
            };
            let from_draco = match &self.draco {
                Some(draco) => draco.read::<4>(self.document, name, self.object)?,
                None => None,
            };
            let joints = match from_draco {
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

    /// Returns true if a primitive has a `JOINTS_n` attribute.
    pub(super) fn has_joints(primitive: &schema::Primitive) -> bool {
        primitive
            .attributes
            .keys()
            .any(|name| name.starts_with("JOINTS_"))
    }

    /// Reads the offsets of a morph target for an attribute; `None` if it has none.
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

    /// Returns one zero vector per vertex. Charged to the budget, because a few bytes of a file can ask for
    /// many.
    pub(super) fn zeros(&self) -> Outcome<Vec<Vec3>> {
        self.document
            .charge(self.vertex_count as u64, 12, self.object)?;
        Ok(vec![Vec3::ZERO; self.vertex_count])
    }

    fn check_count(&self, accessor: usize, object: &str) -> Outcome<()> {
        let count = self.document.element_count(accessor, object)?;
        if count == self.vertex_count {
            return Ok(());
        }
        Err(Fault::data(
            object,
            format_args!("has {count} elements for {} vertices", self.vertex_count),
        ))
    }

    /// Reads the triangles. Strips and fans are converted to triangles.
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
            (Some(draco), _) => draco.indices(self.document, self.object)?,
            (None, Some(accessor)) => {
                let object = format!("{}, indices", self.object);
                let values = self.document.read_u32::<1>(accessor, &object)?;
                values.into_iter().map(|[index]| index).collect()
            }
            (None, None) => {
                self.document
                    .charge(self.vertex_count as u64, 4, self.object)?;
                (0..self.vertex_count as u32).collect()
            }
        };
        let out_of_range = |&index: &u32| index as usize >= self.vertex_count;
        if let Some(at) = indices.iter().position(out_of_range) {
            return Err(Fault::data(
                format!("{}, indices", self.object),
                format_args!(
                    "index {at} is {}, but the primitive has {} vertices",
                    indices[at], self.vertex_count
                ),
            ));
        }
        Ok(indices)
    }
}
