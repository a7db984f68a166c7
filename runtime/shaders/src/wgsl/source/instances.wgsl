// The instances, six texels each: for passes that come before drawing, and for motion vectors. From
// `frame.previous_first` on, they are as they were in the frame before. Needs bits, tables, frame and instance.

@group(1) @binding(7) var instances: texture_2d<u32>;

fn instance_read(index: u32) -> Instance {
    let at = 6u * index;
    return instance_unpack(
        bits_get(instances, at),
        bits_get(instances, at + 1u),
        bits_get(instances, at + 2u),
        bits_get(instances, at + 3u),
        bits_get(instances, at + 4u),
        bits_get(instances, at + 5u),
        index,
        select(frame.now, frame.previous_now, index >= frame.previous_first),
    );
}
