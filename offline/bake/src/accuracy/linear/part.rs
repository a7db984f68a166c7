//! Unique vertices of a part, paired.

use std::collections::HashMap;
use std::ops::Range;

use glam::DVec3;
use throng_rig::Mesh;

use super::lane_pose::Slots;

/// Vertices of one part in both playbacks, each different pair once.
pub struct LinearPart {
    /// Index of the part.
    pub part: usize,
    /// Pairs of unique positions, in the order of their first vertices.
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
        let positions_of = unique.map(|unique| unique.position_of());
        let (point_of, points) = number(vertices, |vertex| key(positions_of, vertex));
        let normals_of = unique.map(|unique| unique.normal_of());
        let (_, mut normals) = number(vertices, |vertex| key(normals_of, vertex));
        // A unique normal belongs to one unique position.
        normals.sort_by_key(|normal| point_of[normal.vertex as usize]);

        let mut out = Self {
            part,
            points: Vec::with_capacity(points.len()),
            normals: Vec::with_capacity(normals.len()),
            influences: Vec::new(),
            offsets: Vec::new(),
            point_of,
        };
        let mut normals = normals.into_iter().peekable();
        for (index, first) in points.into_iter().enumerate() {
            let start = out.normals.len() as u32;
            let is_of_point =
                |normal: &First, of: &[u32]| of[normal.vertex as usize] == index as u32;
            while let Some(normal) = normals.next_if(|n| is_of_point(n, &out.point_of)) {
                let sides = sides.map(|side| out.normal(side, normal.vertex as usize));
                let count = normal.count;
                out.normals.push(NormalPair { sides, count });
            }
            let point =
                |side: usize| out.point(sides[side], first.vertex as usize, &mut slots[side]);
            let [reference, tested] = [0, 1].map(point);
            out.points.push(PointPair {
                sides: [reference, tested],
                count: first.count,
                vertex: first.vertex,
                normals: start..out.normals.len() as u32,
            });
        }
        out
    }

    /// Pairs the vertices of a part with themselves, without normals.
    pub fn of_one(part: usize, side: MeshSide<'_>, slots: &mut Slots) -> Self {
        let unique = side.mesh.unique();
        let firsts = unique.first_of_position();
        let mut out = Self {
            part,
            points: Vec::with_capacity(firsts.len()),
            normals: Vec::new(),
            influences: Vec::new(),
            offsets: Vec::new(),
            point_of: unique.position_of().to_vec(),
        };
        for &vertex in firsts {
            let sides = [(); 2].map(|()| out.point(side, vertex as usize, slots));
            out.points.push(PointPair {
                sides,
                count: 1,
                vertex,
                normals: 0..0,
            });
        }
        out
    }

    /// Returns the influences of a point, heaviest first.
    #[inline(always)]
    pub fn influences_of(&self, point: &Point) -> &[Influence] {
        &self.influences[point.influences.start as usize..point.influences.end as usize]
    }

    fn point(&mut self, side: MeshSide<'_>, vertex: usize, slots: &mut Slots) -> Point {
        let start = self.influences.len() as u32;
        let influences = side.mesh.influences().of(vertex);
        self.influences
            .extend(influences.map(|(index, weight)| Influence {
                slot: slots.of(side.skin, index),
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

/// The first vertex of those with a key, and their number.
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
