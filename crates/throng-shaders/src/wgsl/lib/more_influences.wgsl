// Vertices may have more than four influences.

const HAS_MORE_INFLUENCES: bool = true;
