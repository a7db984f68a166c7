// The frame of functions for engines: times are arguments, vertices have the deform factor, and no frame came before.

const frame: Frame = Frame(0u, 0u, 0xffffffffu, 0u, 1.0, 0xffffffffu);
