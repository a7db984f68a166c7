//! Seeds of vertex caches and of the meshes beside them.

use super::Seed;

/// Three frames of two points, as PC2 and as MDD.
pub(super) fn cache_seeds() -> Vec<Seed> {
    let numbers = (0..18).map(|number| number as f32 * 0.25);
    let mut pc2 = b"POINTCACHE2\0".to_vec();
    pc2.extend([1, 2].into_iter().flat_map(i32::to_le_bytes));
    pc2.extend([0.0, 1.0].into_iter().flat_map(f32::to_le_bytes));
    pc2.extend(3_i32.to_le_bytes());
    pc2.extend(numbers.clone().flat_map(f32::to_le_bytes));
    let mut mdd: Vec<u8> = [3, 2].into_iter().flat_map(i32::to_be_bytes).collect();
    mdd.extend([0.0, 0.5, 2.0].into_iter().flat_map(f32::to_be_bytes));
    mdd.extend(numbers.flat_map(f32::to_be_bytes));
    vec![("pc2".into(), pc2), ("mdd".into(), mdd)]
}

/// Two objects with groups, polygons, indices from the end, and all attributes.
pub(super) fn obj_seeds() -> Vec<Seed> {
    let text = "# comment\nmtllib a.mtl\no Cloth\nv 0 0 0\nv 1 0 0 0.5 1 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 1\nvn 0 0 1\n\
        usemtl red\ns 1\ng front\nf 1/1/1 2/2/1 3/1/1 4/2/1\ng back\nf 4//1 3//1 \\\n1//1\no Sail\nv 2 0 1e-1\n\
        v -3.5 0 0\nv 2 2 2\nf -3 -2 -1\nl 1 2\n";
    vec![("two".into(), text.into())]
}
