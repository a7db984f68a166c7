// Cross-fades are compiled out: some devices run both sides of every branch.

const HAS_FADES: bool = false;
