// Threads of a workgroup that poses an instance.

const JOINTS_AT_ONCE: u32 = 32u;
