// Tangents are skinned with the vertices.

const HAS_TANGENTS: bool = true;
