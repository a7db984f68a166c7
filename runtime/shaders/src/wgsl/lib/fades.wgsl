// Instances may cross-fade between two clips.

const HAS_FADES: bool = true;
