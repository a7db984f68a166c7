//! A surface that touches itself is taken apart.
//!
//! The grid gives each cell one vertex, and so joins sheets of skin that pass through the same cell: two
//! fingers near each other, or one limb whose side runs along the grid's diagonals. Each sheet is to
//! have vertices of its own.

use std::collections::HashSet;

use glam::DVec3;

use super::field::{Field, Places};
use super::half::Half;

/// Triangles that share an edge but are not of one sheet, the lower index first.
type Apart = HashSet<(usize, usize)>;

/// Parting an edge can leave sheets that meet at its ends only: those are found the next time.
const ROUNDS: usize = 4;

/// Which of the triangles about a shared edge are taken to be of one sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Between {
    /// Those with the body between them: what touches is parted.
    Body,
    /// Those with the outside between them: what touches is joined.
    Outside,
}

/// Gives each sheet that passes through a vertex a vertex of its own, in the middle of what it has there.
pub(super) fn part_sheets(half: &mut Half, field: &Field) {
    for round in 0..ROUNDS {
        // Where parting is of no use, as in a narrow bridge, joining is.
        let between = match round % 2 {
            0 => Between::Body,
            _ => Between::Outside,
        };
        let apart = apart(half, between);
        let before = half.positions.len();
        part_once(half, field, &apart);
        if apart.is_empty() && half.positions.len() == before {
            break;
        }
    }
}

fn part_once(half: &mut Half, field: &Field, apart: &Apart) {
    let mut places = Places::new(field);
    let mut around = vec![Vec::new(); half.positions.len()];
    for (index, triangle) in half.triangles.iter().enumerate() {
        for &vertex in triangle {
            around[vertex as usize].push(index);
        }
    }
    for (vertex, around) in around.into_iter().enumerate() {
        let vertex = vertex as u32;
        let sheets = sheets(half, apart, vertex, around);
        if sheets.len() < 2 {
            continue;
        }
        let on_plane = half.on_plane(vertex);
        for (copy, sheet) in sheets.into_iter().enumerate() {
            let corners = sheet.iter().flat_map(|&t| half.triangles[t]);
            let sum: DVec3 = corners.map(|v| half.positions[v as usize]).sum();
            let middle = sum / (3 * sheet.len()) as f64;
            let mut position = places.near(middle).onto_surface(middle);
            if on_plane {
                position.x = 0.0;
            }
            if copy == 0 {
                half.positions[vertex as usize] = position;
                continue;
            }
            let new = half.positions.len() as u32;
            half.positions.push(position);
            for t in sheet {
                let corners = half.triangles[t].iter_mut();
                corners.filter(|v| **v == vertex).for_each(|v| *v = new);
            }
        }
    }
}

/// The triangles about a vertex, sheet by sheet: each goes on over the edges at the vertex.
fn sheets(half: &Half, apart: &Apart, vertex: u32, mut around: Vec<usize>) -> Vec<Vec<usize>> {
    let mut sheets = Vec::new();
    while let Some(first) = around.pop() {
        let mut sheet = vec![first];
        let mut next = 0;
        while let Some(&t) = sheet.get(next) {
            next += 1;
            let goes_on = |other: usize| {
                let shared = |v: &u32| *v != vertex && half.triangles[t].contains(v);
                half.triangles[other].iter().any(shared)
                    && !apart.contains(&(t.min(other), t.max(other)))
            };
            sheet.extend(around.extract_if(.., |other| goes_on(*other)));
        }
        sheets.push(sheet);
    }
    sheets
}

/// Where four triangles share an edge, two by two are of one sheet.
fn apart(half: &Half, between: Between) -> Apart {
    // Each edge of each triangle, from its lower end; then whether the triangle runs that way.
    let mut edges: Vec<(u32, u32, bool, usize)> = Vec::with_capacity(3 * half.triangles.len());
    for (t, &[a, b, c]) in half.triangles.iter().enumerate() {
        let runs = [(a, b), (b, c), (c, a)].into_iter();
        edges.extend(runs.map(|(from, to)| (from.min(to), from.max(to), from < to, t)));
    }
    edges.sort_unstable();
    let mut apart = Apart::new();
    for shared in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let &[back, other_back, forth, other_forth] = shared else {
            continue;
        };
        let [low, high] = [back.0, back.1].map(|v| half.positions[v as usize]);
        let along = (high - low).normalize_or(DVec3::Y);
        let side = |t: usize| {
            let corners = half.triangles[t].iter();
            let tip = corners.copied().find(|&v| v != back.0 && v != back.1);
            let tip = half.positions[tip.unwrap_or(back.0) as usize];
            (tip - low).reject_from_normalized(along)
        };
        // The body lies from a triangle that runs back, round the edge, to one that runs forth.
        let angle = |from: usize, to: usize| {
            let (from, to) = (side(from), side(to));
            let angle = from.cross(to).dot(along).atan2(from.dot(to));
            angle.rem_euclid(std::f64::consts::TAU)
        };
        let near = angle(back.3, forth.3) < angle(back.3, other_forth.3);
        let straight = near == (between == Between::Body);
        let crossed = [(back.3, other_forth.3), (other_back.3, forth.3)];
        let strangers = match straight {
            true => crossed,
            false => [(back.3, forth.3), (other_back.3, other_forth.3)],
        };
        let same_way = [(back.3, other_back.3), (forth.3, other_forth.3)];
        let pairs = strangers.into_iter().chain(same_way);
        apart.extend(pairs.map(|(a, b)| (a.min(b), a.max(b))));
    }
    apart
}
