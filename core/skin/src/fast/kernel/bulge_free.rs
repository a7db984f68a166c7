//! Dual-quaternion skinning whose bulges are pulled back to the bones. Twin of [`crate::reference`]'s `bulge_free`.

use throng_simd::Wide;

use super::rows::Rows;
use super::sums::{RigidSum, StretchSum};
use super::vec3::WideVec3;
use super::{BatchPair, Kernel, Out, Prepared, Scratch};
use crate::fast::palette::{FastPalette, Signs};

pub(in crate::fast) struct BulgeFreeKernel<const STRETCHED: bool>;

impl<const STRETCHED: bool> Kernel for BulgeFreeKernel<STRETCHED> {
    type Of<'a, const N: usize> = BulgeFree<'a, N, STRETCHED>;
}

pub(in crate::fast) struct BulgeFree<'a, const N: usize, const STRETCHED: bool> {
    rigid: RigidSum<'a, N>,
    stretches: StretchSum<'a, N, STRETCHED>,
    /// See [`crate::fast::palette::BoneRow`].
    bones: Rows<'a, 14, N>,
}

impl<'a, const N: usize, const STRETCHED: bool> Prepared<'a> for BulgeFree<'a, N, STRETCHED> {
    #[inline(always)]
    fn new(palette: &'a FastPalette, joints: &'a [u32], scratch: &mut Scratch) -> Self {
        Self {
            rigid: RigidSum::new(Signs::Pivot, palette, joints, scratch),
            stretches: StretchSum::new(palette, joints),
            bones: Rows::new(&palette.bones, joints),
        }
    }

    #[inline(always)]
    fn skin<V: Wide>(&self, pair: &BatchPair<'_>, scratch: &mut Scratch, out: &mut Out<'_>) {
        let (stretched, mut normal) = self.stretches.stretched::<V>(pair);
        let rigid = self.rigid.sum::<V>(pair, scratch);
        let scale = rigid.scale();
        let moved = rigid.point(scale, stretched);
        out.positions(self.pulled(pair, stretched, moved));
        normal = rigid.vector(scale, normal);
        if STRETCHED {
            normal = normal.unit_or(pair.normal());
        }
        out.normals(normal);
    }
}

impl<const N: usize, const STRETCHED: bool> BulgeFree<'_, N, STRETCHED> {
    /// Takes skinned vertices back to their distances from bones. `stretched` is in bind space, after the stretch.
    #[inline(always)]
    fn pulled<V: Wide>(
        &self,
        pair: &BatchPair<'_>,
        stretched: WideVec3<V>,
        moved: WideVec3<V>,
    ) -> WideVec3<V> {
        let zero = V::splat(0.0);
        let mut offset = WideVec3::new(zero, zero, zero);
        let mut total = zero;
        let [first, second] = pair.weights();
        for i in 0..self.bones.count() {
            let weight = V::load_pair(&first[i], &second[i]);
            let square = weight * weight;
            total = total + square;
            let bone = self.bones.get(i).each_ref().map(V::splat_lanes);
            let to_rest = to_nearest(&bone[..7], stretched);
            let to_posed = to_nearest(&bone[7..], moved);
            let at_rest = to_rest.dot(to_rest);
            let now = to_posed.dot(to_posed);
            let ratio = at_rest / now;
            let limit = f32::MIN_POSITIVE;
            let root = ratio.select_below(limit, zero, ratio * ratio.fast_inverse_sqrt());
            // Also zero where the vertex is on the bone, and the quotient not a number.
            let share = (V::splat(1.0) - root) * square;
            let share = (now - at_rest).select_below(limit, zero, share);
            offset = to_posed.mul_add(share, offset);
        }
        offset.mul_add(V::splat(1.0) / total, moved)
    }
}

/// Returns the vector to the nearest point of a bone: its head, the vector to its tail, and one over the square of its
/// length, or 0.
#[inline(always)]
fn to_nearest<V: Wide>(bone: &[V], point: WideVec3<V>) -> WideVec3<V> {
    let (zero, one) = (V::splat(0.0), V::splat(1.0));
    let head = WideVec3::new(bone[0], bone[1], bone[2]);
    let along = WideVec3::new(bone[3], bone[4], bone[5]);
    let from_head = point.minus(head);
    let t = from_head.dot(along) * bone[6];
    let t = t.select_below(0.0, zero, t);
    let t = (one - t).select_below(0.0, one, t);
    along.mul_add(t, head.minus(point))
}
