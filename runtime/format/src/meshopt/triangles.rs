//! Triangles, mode `TRIANGLES`: a code per triangle that refers to recent edges and vertices.
//!
//! The order of triangles is kept. The corners of a triangle may be rotated, so that its first edge is a recent one;
//! [`canonical_triangles`] rotates them in advance.

use super::MeshoptError;
use super::bytes::{Cursor, after_header, push_index};

/// First byte of a stream.
const HEADER: u8 = 0xe1;
/// Codes of a recent vertex are below this; the two codes above it are neighbours of the last explicit index.
const VERTEX_CODES: u32 = 13;
/// Code of a new vertex: the next index that was not used.
const NEW: u32 = 0;
/// Code of an explicit index.
const EXPLICIT: u32 = 15;
/// Codes of triangles without a recent edge are from this on.
const NO_EDGE: u8 = 0xf0;
/// Pairs of vertex codes that have a short code. The last two are unused.
const PAIRS: [u8; 16] = [
    0x00, 0x76, 0x87, 0x56, 0x67, 0x78, 0xa9, 0x86, 0x65, 0x89, 0x68, 0x98, 0x01, 0x69, 0, 0,
];
/// Number of short codes.
const SHORT_CODES: usize = 14;

/// The 16 values that were pushed last.
#[derive(Clone, Copy)]
struct Recent<T> {
    values: [T; 16],
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn new(none: T) -> Self {
        Self {
            values: [none; 16],
            next: 0,
        }
    }

    fn push(&mut self, value: T) {
        self.values[self.next] = value;
        self.next = (self.next + 1) & 15;
    }

    /// The value that was pushed `age` pushes before the last.
    fn get(&self, age: u32) -> T {
        self.values[self.next.wrapping_sub(1 + age as usize) & 15]
    }

    fn find(&self, is_wanted: impl Fn(T) -> bool) -> Option<u32> {
        (0..16).find(|&age| is_wanted(self.get(age)))
    }
}

/// State that encoder and decoder share.
struct State {
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// Next index that was not used.
    next: u32,
    /// Last explicit index.
    last: u32,
}

impl State {
    fn new() -> Self {
        Self {
            edges: Recent::new([u32::MAX; 2]),
            vertices: Recent::new(u32::MAX),
            next: 0,
            last: 0,
        }
    }

    fn take_next(&mut self) -> u32 {
        let index = self.next;
        self.next = index.wrapping_add(1);
        index
    }

    /// Adds the edges of a triangle whose first edge was recent.
    fn push_two_edges(&mut self, [a, b, c]: [u32; 3]) {
        self.edges.push([c, b]);
        self.edges.push([a, c]);
    }

    fn push_three_edges(&mut self, [a, b, c]: [u32; 3]) {
        self.edges.push([b, a]);
        self.push_two_edges([a, b, c]);
    }
}

/// Encodes triangles.
pub fn encode_triangles(triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut codes = vec![HEADER];
    let mut data = Vec::new();
    let mut state = State::new();
    for &triangle in triangles {
        codes.push(encode_triangle(triangle, &mut state, &mut data));
    }
    codes.extend(data);
    codes.extend(PAIRS);
    codes
}

fn encode_triangle(triangle: [u32; 3], state: &mut State, data: &mut Vec<u8>) -> u8 {
    match recent_edge(triangle, &state.edges) {
        Some((edge, triangle)) => encode_at_edge(edge, triangle, state, data),
        None => encode_without_edge(triangle, state, data),
    }
}

/// Age of the latest edge of a triangle, and the triangle rotated so that it starts with that edge.
fn recent_edge([a, b, c]: [u32; 3], edges: &Recent<[u32; 2]>) -> Option<(u32, [u32; 3])> {
    let rotations = [[a, b, c], [b, c, a], [c, a, b]];
    (0..15).find_map(|age| {
        let edge = edges.get(age);
        let rotated = rotations.into_iter().find(|&[x, y, _]| edge == [x, y])?;
        Some((age, rotated))
    })
}

fn encode_at_edge(edge: u32, triangle: [u32; 3], state: &mut State, data: &mut Vec<u8>) -> u8 {
    let c = triangle[2];
    let recent = state.vertices.find(|vertex| vertex == c);
    let recent = recent.filter(|age| (1..VERTEX_CODES).contains(age));
    let code = match recent {
        Some(age) => age,
        None if c == state.next => {
            state.take_next();
            NEW
        }
        None => {
            let code = match c.wrapping_sub(state.last) as i32 {
                -1 => VERTEX_CODES,
                1 => VERTEX_CODES + 1,
                _ => {
                    push_index(data, c, state.last);
                    EXPLICIT
                }
            };
            state.last = c;
            code
        }
    };
    if recent.is_none() {
        state.vertices.push(c);
    }
    state.push_two_edges(triangle);
    ((edge << 4) | code) as u8
}

fn encode_without_edge(triangle: [u32; 3], state: &mut State, data: &mut Vec<u8>) -> u8 {
    let triangle = next_first(triangle, state.next);
    let is_reset = triangle == [0, 1, 2] && state.next > 0;
    if is_reset {
        state.next = 0;
        state.vertices = Recent::new(u32::MAX);
    }
    let [a, b, c] = triangle;
    let recent = [b, c].map(|index| {
        let age = state.vertices.find(|vertex| vertex == index);
        age.filter(|&age| age < 14)
    });
    let is_new = a == state.next;
    if is_new {
        state.take_next();
    }
    let codes = std::array::from_fn(|i| match recent[i] {
        Some(age) => age + 1,
        None if [b, c][i] == state.next => {
            state.take_next();
            NEW
        }
        None => EXPLICIT,
    });
    let [code_b, code_c]: [u32; 2] = codes;
    let pair = ((code_b << 4) | code_c) as u8;
    let short = PAIRS[..SHORT_CODES].iter().position(|&p| p == pair);
    let code = match short.filter(|_| is_new && !is_reset) {
        Some(short) => NO_EDGE | short as u8,
        None => {
            data.push(pair);
            if is_new { 0xfe } else { 0xff }
        }
    };
    let code_a = if is_new { NEW } else { EXPLICIT };
    let corners = [(a, code_a), (b, code_b), (c, code_c)];
    for (index, code) in corners {
        if code == EXPLICIT {
            push_index(data, index, state.last);
            state.last = index;
        }
    }
    for (index, code) in corners {
        if code == NEW || code == EXPLICIT {
            state.vertices.push(index);
        }
    }
    state.push_three_edges(triangle);
    code
}

/// The triangle rotated so that it starts with the next new vertex, where it has it.
fn next_first([a, b, c]: [u32; 3], next: u32) -> [u32; 3] {
    match next {
        _ if b == next => [b, c, a],
        _ if c == next => [c, a, b],
        _ => [a, b, c],
    }
}

/// Decodes `count` triangles.
pub fn decode_triangles(stream: &[u8], count: usize) -> Result<Vec<[u32; 3]>, MeshoptError> {
    let stream = after_header(stream, HEADER)?;
    let (codes, rest) = stream
        .split_at_checked(count)
        .ok_or(MeshoptError::Truncated)?;
    let (data, pairs) = rest
        .split_last_chunk::<16>()
        .ok_or(MeshoptError::Truncated)?;
    let mut data = Cursor::new(data);
    let mut state = State::new();
    let mut triangles = Vec::with_capacity(count);
    for &code in codes {
        triangles.push(match code {
            ..NO_EDGE => decode_at_edge(code, &mut state, &mut data)?,
            _ => decode_without_edge(code, pairs, &mut state, &mut data)?,
        });
    }
    data.finish()?;
    Ok(triangles)
}

fn decode_at_edge(
    code: u8,
    state: &mut State,
    data: &mut Cursor<'_>,
) -> Result<[u32; 3], MeshoptError> {
    let [a, b] = state.edges.get(u32::from(code >> 4));
    let code = u32::from(code & 15);
    let c = match code {
        NEW => state.take_next(),
        1..VERTEX_CODES => state.vertices.get(code),
        _ => {
            state.last = match code {
                EXPLICIT => data.index(state.last)?,
                VERTEX_CODES => state.last.wrapping_sub(1),
                _ => state.last.wrapping_add(1),
            };
            state.last
        }
    };
    if !(1..VERTEX_CODES).contains(&code) {
        state.vertices.push(c);
    }
    state.push_two_edges([a, b, c]);
    Ok([a, b, c])
}

fn decode_without_edge(
    code: u8,
    pairs: &[u8; 16],
    state: &mut State,
    data: &mut Cursor<'_>,
) -> Result<[u32; 3], MeshoptError> {
    let pair = match code {
        ..0xfe => pairs[usize::from(code & 15)],
        _ => {
            let pair = data.byte()?;
            if pair == 0 {
                state.next = 0;
            }
            pair
        }
    };
    let code_a = if code == 0xff { EXPLICIT } else { NEW };
    let codes = [code_a, u32::from(pair >> 4), u32::from(pair & 15)];
    let mut triangle = codes.map(|code| match code {
        NEW => state.take_next(),
        EXPLICIT => 0,
        age => state.vertices.get(age - 1),
    });
    for (index, code) in triangle.iter_mut().zip(codes) {
        if code == EXPLICIT {
            state.last = data.index(state.last)?;
            *index = state.last;
        }
    }
    for (index, code) in triangle.iter().zip(codes) {
        if code == NEW || code == EXPLICIT {
            state.vertices.push(*index);
        }
    }
    state.push_three_edges(triangle);
    Ok(triangle)
}

/// Rotates the corners of triangles, such that [`encode_triangles`] stores them exactly. Winding, the order of triangles
/// and the order in which vertices are first used are kept.
pub fn canonical_triangles(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut rotated = triangles.to_vec();
    // One round is enough but where an edge occurs twice among the recent ones.
    for _ in 0..4 {
        let stream = encode_triangles(&rotated);
        let again = decode_triangles(&stream, rotated.len());
        let again = again.expect("an encoded stream is valid");
        if again == rotated {
            break;
        }
        rotated = again;
    }
    rotated
}
