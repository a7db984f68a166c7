//! Unique vertices of a part, paired.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

use glam::DVec3;
use throng_rig::{Mesh, UniqueVertices};

use super::lane_pose::Slots;

/// Vertices of one part in both playbacks, each different pair once.
pub struct LinearPart {
    /// Index of the part.
    pub part: usize,
    /// Pairs of unique positions; those with the same influences side by side.
    pub points: Vec<PointPair>,
    /// Pairs of unique normals, those of each point side by side.
    pub normals: Vec<NormalPair>,
    pub influences: Vec<Influence>,
    pub offsets: Vec<MorphOffset>,
    /// Point of each vertex.
    pub point_of: Vec<u32>,
}

/// A position in the reference and in the tested playback.
pub struct PointPair {
    pub sides: [Point; 2],
    /// Number of vertices.
    pub count: u32,
    /// First vertex.
    pub vertex: u32,
    /// True if the point before has the same influences in both playbacks.
    pub moves_as_last: bool,
    pub normals: Range<u32>,
}

/// A position in one playback.
pub struct Point {
    pub position: DVec3,
    /// Indices into [`LinearPart::influences`].
    pub influences: Range<u32>,
    /// Indices into [`LinearPart::offsets`].
    pub offsets: Range<u32>,
}

/// A normal in the reference and in the tested playback.
pub struct NormalPair {
    pub sides: [Normal; 2],
    /// Number of vertices.
    pub count: u32,
}

/// A normal in one playback.
pub struct Normal {
    /// As stored; of any length.
    pub normal: DVec3,
    /// Indices into [`LinearPart::offsets`].
    pub offsets: Range<u32>,
}

/// A palette matrix and its weight.
pub struct Influence {
    /// Index into [`super::LanePose::palette`].
    pub slot: u32,
    /// Index in the palette of the part's skin.
    pub palette_index: u32,
    pub weight: f64,
}

/// A morph target's offset of a position or a normal.
pub struct MorphOffset {
    /// Index into [`super::LanePose::morph_weights`].
    pub weight: u32,
    pub offset: DVec3,
}

/// A mesh in one playback, with its skin and the first weight of its morph targets.
#[derive(Clone, Copy)]
pub struct MeshSide<'a> {
    /// 0 for the reference, 1 for the tested playback.
    pub playback: usize,
    pub mesh: &'a Mesh,
    pub skin: usize,
    pub first_morph_weight: usize,
}

impl LinearPart {
    /// Pairs the vertices of a part.
    ///
    /// # Panics
    /// If the meshes have different numbers of vertices.
    pub fn new(part: usize, sides: [MeshSide<'_>; 2], slots: &mut [Slots; 2]) -> Self {
        let vertices = sides[0].mesh.vertex_count();
        assert_eq!(
            vertices,
            sides[1].mesh.vertex_count(),
            "vertex counts differ"
        );
        let unique = sides.map(|side| side.mesh.unique());
        let key = |of: [&[u32]; 2], vertex: usize| of.map(|of| of[vertex]);
        let positions_of = unique.map(UniqueVertices::position_of);
        let (mut point_of, firsts) = number(vertices, |vertex| key(positions_of, vertex));
        let normals_of = unique.map(UniqueVertices::normal_of);
        let (_, mut normals) = number(vertices, |vertex| key(normals_of, vertex));

        let mut order: Vec<u32> = (0..firsts.len() as u32).collect();
        let compare = |&a: &u32, &b: &u32| {
            let [a, b] = [a, b].map(|point| firsts[point as usize].vertex as usize);
            let [reference, tested] = sides.map(|side| compare_influences(side.mesh, a, b));
            reference.then(tested)
        };
        order.sort_by(compare);
        let mut place_of = vec![0; order.len()];
        for (place, &point) in order.iter().enumerate() {
            place_of[point as usize] = place as u32;
        }
        for point in &mut point_of {
            *point = place_of[*point as usize];
        }
        // A unique normal belongs to one unique position.
        normals.sort_by_key(|normal| point_of[normal.vertex as usize]);

        let mut out = Self {
            part,
            points: Vec::with_capacity(order.len()),
            normals: Vec::with_capacity(normals.len()),
            influences: Vec::new(),
            offsets: Vec::new(),
            point_of,
        };
        let mut normals = normals.into_iter().peekable();
        for (place, &index) in order.iter().enumerate() {
            let start = out.normals.len() as u32;
            let point_of = |normal: &First, out: &Self| out.point_of[normal.vertex as usize];
            while let Some(normal) = normals.next_if(|n| point_of(n, &out) == place as u32) {
                let sides = sides.map(|side| out.normal(side, normal.vertex as usize));
                let count = normal.count;
                out.normals.push(NormalPair { sides, count });
            }
            let First { vertex, count } = firsts[index as usize];
            let last = place.checked_sub(1).map(|last| order[last]);
            let sides = sides.map(|side| out.point(side, vertex as usize, slots));
            out.points.push(PointPair {
                sides,
                count,
                vertex,
                moves_as_last: last.is_some_and(|last| compare(&last, &index).is_eq()),
                normals: start..out.normals.len() as u32,
            });
        }
        out
    }

    /// Leaves normals out.
    pub fn without_normals(mut self) -> Self {
        self.normals.clear();
        for point in &mut self.points {
            point.normals = 0..0;
        }
        self
    }

    /// Returns the influences of a point, heaviest first.
    #[inline(always)]
    pub fn influences_of(&self, point: &Point) -> &[Influence] {
        &self.influences[point.influences.start as usize..point.influences.end as usize]
    }

    fn point(&mut self, side: MeshSide<'_>, vertex: usize, slots: &mut [Slots; 2]) -> Point {
        let start = self.influences.len() as u32;
        let influences = side.mesh.influences().of(vertex);
        self.influences
            .extend(influences.map(|(index, weight)| Influence {
                slot: slots[side.playback].of(side.skin, index),
                palette_index: index as u32,
                weight,
            }));
        let targets = side.mesh.morph_targets().iter();
        let offsets = targets.map(|target| target.positions[vertex].as_dvec3());
        Point {
            position: side.mesh.positions()[vertex].as_dvec3(),
            influences: start..self.influences.len() as u32,
            offsets: self.push_offsets(side, offsets),
        }
    }

    fn normal(&mut self, side: MeshSide<'_>, vertex: usize) -> Normal {
        let targets = side.mesh.morph_targets().iter();
        let offsets = targets.map(|target| {
            let normal = target.normals.get(vertex);
            normal.map_or(DVec3::ZERO, |normal| normal.as_dvec3())
        });
        Normal {
            normal: side.mesh.normals()[vertex].as_dvec3(),
            offsets: self.push_offsets(side, offsets),
        }
    }

    /// Adds the offsets of all morph targets that are not zero.
    fn push_offsets(
        &mut self,
        side: MeshSide<'_>,
        offsets: impl Iterator<Item = DVec3>,
    ) -> Range<u32> {
        let start = self.offsets.len() as u32;
        let offsets = offsets.enumerate().map(|(target, offset)| MorphOffset {
            weight: (side.first_morph_weight + target) as u32,
            offset,
        });
        self.offsets
            .extend(offsets.filter(|morph| morph.offset != DVec3::ZERO));
        start..self.offsets.len() as u32
    }
}

/// Orders vertices by their influences.
fn compare_influences(mesh: &Mesh, a: usize, b: usize) -> Ordering {
    let [a, b] = [a, b].map(|vertex| mesh.influences().run(vertex));
    let bits = |weight: &f32| weight.to_bits();
    let weights = || a.1.iter().map(bits).cmp(b.1.iter().map(bits));
    a.0.cmp(b.0).then_with(weights)
}

/// The first vertex of those with a key, and their number.
#[derive(Clone, Copy)]
struct First {
    vertex: u32,
    count: u32,
}

/// Numbers different keys in the order of their first vertices. Returns the number of each vertex.
fn number(vertices: usize, key: impl Fn(usize) -> [u32; 2]) -> (Vec<u32>, Vec<First>) {
    // Most often, the first half of a key tells the second.
    let mut by_first_half: Vec<Option<(u32, u32)>> = Vec::new();
    let mut others = HashMap::new();
    let mut firsts: Vec<First> = Vec::new();
    let number_of = |vertex: usize| {
        let [first, second] = key(vertex);
        let next = firsts.len() as u32;
        if by_first_half.len() <= first as usize {
            by_first_half.resize(first as usize + 1, None);
        }
        let (usual, usual_number) = *by_first_half[first as usize].get_or_insert((second, next));
        let number = match usual == second {
            true => usual_number,
            false => *others.entry([first, second]).or_insert(next),
        };
        if number == next {
            let vertex = vertex as u32;
            firsts.push(First { vertex, count: 0 });
        }
        firsts[number as usize].count += 1;
        number
    };
    ((0..vertices).map(number_of).collect(), firsts)
}
