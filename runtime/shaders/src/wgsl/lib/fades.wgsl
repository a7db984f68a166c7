// Instances may fade from one clip to another.

const HAS_FADES: bool = true;
