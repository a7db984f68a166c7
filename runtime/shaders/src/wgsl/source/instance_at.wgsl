// Instances at a time that is an argument. Needs instances.

fn instance_at(index: u32, now: u32) -> Instance {
    var instance = instance_read(index);
    instance.now = now;
    return instance;
}
