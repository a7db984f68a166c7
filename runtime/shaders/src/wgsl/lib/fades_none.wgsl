// No instance fades. Some devices run both sides of every branch: what is never needed is left out.

const HAS_FADES: bool = false;
