// How many influences a vertex may have: 1 to 4, or 5 where there may be more. Some devices run both sides of every
// branch: what no vertex has is left out.

const MAX_INFLUENCES: u32 = 5u;
