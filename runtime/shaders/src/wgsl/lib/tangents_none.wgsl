// Tangents are compiled out.

const HAS_TANGENTS: bool = false;
