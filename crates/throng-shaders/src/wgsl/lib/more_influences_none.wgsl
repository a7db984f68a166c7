// No vertex has more than four influences.

const HAS_MORE_INFLUENCES: bool = false;
