// Largest number of influences of a vertex: 1 to 4, or 5 for any number. Code for further influences is compiled out:
// some devices run both sides of every branch.

const MAX_INFLUENCES: u32 = 5u;
