//! Culling on the CPU, eight instances per vector: the twin of the compute passes, for devices without them.

use throng_format::ClipTiming;
use throng_shaders::{CullView, InstanceBlock};
use throng_simd::{F32x8, LANES, Lanes, Level, Task};

use super::twin::{LEVEL, NO_LEVEL, ROUNDING, VISIBLE, cull_box, cull_level, cull_scale};
use super::{CullModel, ViewCamera};
use crate::instance::{Instance, Ticks};

/// Culls instances on the CPU and chooses their levels of detail: twin of the compute passes of
/// [`crate::Crowd::cull`], which needs no device.
#[derive(Debug)]
pub struct CpuCulling {
    model: CullModel,
    /// Eight instances each.
    lanes: Vec<BoxLanes>,
    records: Vec<InstanceBlock>,
    /// Instances with a cross-fade, whose box depends on the time.
    fading: Vec<(u32, Instance)>,
    states: Vec<u32>,
    depths: Vec<Lanes>,
    visible: Visible,
}

/// Visible instances, level by level, in the order of all instances.
#[derive(Debug, Clone, Default)]
pub struct Visible {
    /// Records of the visible instances.
    pub(crate) records: Vec<InstanceBlock>,
    /// Index of each visible instance among all.
    pub indices: Vec<u32>,
    /// Number of visible instances of each level.
    pub counts: Vec<u32>,
}

/// Boxes of eight instances in world space.
#[derive(Debug, Clone, Copy, Default)]
struct BoxLanes {
    center: [Lanes; 3],
    /// Half axes of the boxes.
    axes: [[Lanes; 3]; 3],
    /// 1 where the instance stays in its box, else 0.
    is_certain: Lanes,
    /// Scale of the instance.
    scale: Lanes,
}

impl CpuCulling {
    /// Makes a culling without instances.
    pub fn new(model: CullModel) -> Self {
        Self {
            model,
            lanes: Vec::new(),
            records: Vec::new(),
            fading: Vec::new(),
            states: Vec::new(),
            depths: Vec::new(),
            visible: Visible::default(),
        }
    }

    /// Replaces the instances. Those that stay at an index keep their level.
    pub fn set_instances(&mut self, instances: &[Instance], clips: &[ClipTiming]) {
        self.records.clear();
        let records = instances.iter().map(|instance| instance.to_block(clips));
        self.records.extend(records);
        self.states.resize(instances.len(), NO_LEVEL);
        self.lanes.clear();
        self.lanes
            .resize(instances.len().div_ceil(LANES), BoxLanes::default());
        self.depths.resize(self.lanes.len(), Lanes::ZERO);
        self.fading.clear();
        for (index, instance) in instances.iter().enumerate() {
            match instance.fade {
                None => self.place(index, instance, 0.0),
                Some(_) => self.fading.push((index as u32, *instance)),
            }
        }
    }

    /// Puts the box of an instance into its lane.
    fn place(&mut self, index: usize, instance: &Instance, fade: f32) {
        let box_of = |clip: u32| self.model.boxes[1 + clip as usize];
        let mut clips = instance.clips().map(box_of);
        let first = clips.next().unwrap_or(self.model.boxes[0]);
        let second = clips.next().unwrap_or(first);
        let bounds = cull_box(self.model.boxes[0], first, second, fade, instance.fraction);
        let [center, x, y, z] = bounds.transformed(&instance.world_from_model);
        let lanes = &mut self.lanes[index / LANES];
        let lane = index % LANES;
        for axis in 0..3 {
            lanes.center[axis].0[lane] = center[axis];
            for (half_axis, of) in lanes.axes.iter_mut().zip([x, y, z]) {
                half_axis[axis].0[lane] = of[axis];
            }
        }
        lanes.is_certain.0[lane] = if bounds.is_certain { 1.0 } else { 0.0 };
        lanes.scale.0[lane] = cull_scale(&instance.world_from_model.matrix3);
    }

    /// Finds the visible instances and their levels.
    pub fn cull(&mut self, camera: &ViewCamera, now: Ticks) -> &Visible {
        let view = self.model.view(camera);
        let fading = std::mem::take(&mut self.fading);
        for (index, instance) in &fading {
            let fade = instance.fade.map_or(0.0, |fade| fade.weight(now) as f32);
            self.place(*index as usize, instance, fade);
        }
        self.fading = fading;
        Level::detect().run(FindDepths {
            view: &view,
            lanes: &self.lanes,
            depths: &mut self.depths,
        });
        self.compact(&view);
        &self.visible
    }

    /// Sorts the visible instances by level.
    fn compact(&mut self, view: &CullView) {
        let levels = view.levels as usize;
        let visible = &mut self.visible;
        visible.counts.clear();
        visible.counts.resize(levels, 0);
        let depths = self.depths.iter().flat_map(|lanes| &lanes.0);
        for (state, &depth) in self.states.iter_mut().zip(depths) {
            let before = *state & LEVEL;
            *state = before;
            if depth >= 0.0 {
                let level = cull_level(view, depth, before);
                *state = level | VISIBLE;
                visible.counts[level as usize] += 1;
            }
        }
        let mut next = vec![0; levels];
        let mut total = 0;
        for (next, count) in next.iter_mut().zip(&visible.counts) {
            *next = total as usize;
            total += count;
        }
        visible.indices.resize(total as usize, 0);
        let blank: InstanceBlock = bytemuck::Zeroable::zeroed();
        visible.records.resize(total as usize, blank);
        for (index, &state) in self.states.iter().enumerate() {
            if state & VISIBLE != 0 {
                let next = &mut next[(state & LEVEL) as usize];
                visible.records[*next] = self.records[index];
                visible.indices[*next] = index as u32;
                *next += 1;
            }
        }
    }
}

/// Finds the depth of each instance, divided by its scale; -1 where it is culled.
struct FindDepths<'a> {
    view: &'a CullView,
    lanes: &'a [BoxLanes],
    depths: &'a mut [Lanes],
}

impl Task for FindDepths<'_> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        let zero = V::splat(0.0);
        for (boxes, out) in self.lanes.iter().zip(self.depths) {
            let mut is_inside = V::splat(1.0);
            for plane in &self.view.planes {
                let [distance, extent, terms] = along::<V>(boxes, plane);
                let nearest = distance + extent + V::splat(ROUNDING) * (terms + extent);
                is_inside = nearest.select_non_negative(is_inside, zero);
            }
            let uncertain = V::splat(1.0) - V::load(&boxes.is_certain);
            let is_visible = is_inside + uncertain;
            let [distance, extent, _] = along::<V>(boxes, &self.view.depth);
            let depth = (distance - extent).max(zero) / V::load(&boxes.scale);
            is_visible.select_positive(depth, V::splat(-1.0)).store(out);
        }
    }
}

/// Distance of the boxes' centres from a plane, their half extents along its normal, and the sum of the absolute terms of
/// the distance.
#[inline(always)]
fn along<V: F32x8>(boxes: &BoxLanes, plane: &[f32; 4]) -> [V; 3] {
    let [nx, ny, nz, w] = [
        V::splat(plane[0]),
        V::splat(plane[1]),
        V::splat(plane[2]),
        V::splat(plane[3]),
    ];
    let [x, y, z] = [
        nx * V::load(&boxes.center[0]),
        ny * V::load(&boxes.center[1]),
        nz * V::load(&boxes.center[2]),
    ];
    let mut extent = V::splat(0.0);
    for axis in &boxes.axes {
        let along = nx * V::load(&axis[0]) + ny * V::load(&axis[1]) + nz * V::load(&axis[2]);
        extent = extent + along.abs();
    }
    [x + y + z + w, extent, x.abs() + y.abs() + z.abs() + w.abs()]
}

#[cfg(test)]
mod tests {
    use glam::camera::rh::proj::directx::perspective;
    use glam::camera::rh::view::look_at_mat4;
    use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
    use proptest::prelude::*;
    use throng_rig::{Bounds, LoopPolicy};

    use super::super::twin::{cull_depth, cull_is_outside};
    use super::*;
    use crate::instance::{Fade, Play};

    fn vector(half: f32) -> impl Strategy<Value = Vec3> {
        [-half..half, -half..half, -half..half].prop_map(Vec3::from_array)
    }

    prop_compose! {
        fn instance()(
            place in vector(60.0),
            axis in vector(1.0),
            scale in 0.2f32..3.0,
            shear in -0.3f32..0.3,
            clip in 0u32..2,
            fade in prop::option::of(0.0f32..=1.0),
            fraction in prop_oneof![3 => Just(1.0f32), 1 => -0.5f32..1.5],
        ) -> Instance {
            let rotation = Quat::from_scaled_axis(3.0 * axis);
            let mut world_from_model =
                Affine3A::from_scale_rotation_translation(Vec3::splat(scale), rotation, place);
            let lean = Mat3A::from_cols(Vec3A::X, Vec3A::new(shear, 1.0, 0.0), Vec3A::Z);
            world_from_model.matrix3 *= lean;
            Instance {
                fade: fade.map(|weight| Fade::held(Play::new(1 - clip), weight)),
                fraction,
                ..Instance::at(world_from_model).playing(Play::new(clip))
            }
        }
    }

    fn model() -> CullModel {
        let bounds = |low: [f64; 3], high: [f64; 3]| Bounds {
            min: low.into(),
            max: high.into(),
        };
        let clips = [
            bounds([-0.5, 0.0, -0.4], [0.6, 1.8, 0.3]),
            bounds([-1.0, 0.0, -0.2], [1.0, 1.6, 2.5]),
        ];
        CullModel::new([Vec3::splat(-0.3), Vec3::ONE], &clips, &[0.002, 0.01, 0.05])
    }

    fn camera() -> ViewCamera {
        let projection = perspective(0.9, 1.6, 0.1, 80.0);
        let view = look_at_mat4(Vec3::new(3.0, 8.0, 40.0), Vec3::ZERO, Vec3::Y);
        ViewCamera::new(projection * view).with_detail([1600.0, 1000.0])
    }

    fn timings() -> Vec<ClipTiming> {
        let timing = ClipTiming {
            first_frame: 0,
            frames: 2,
            rate_hz: 1.0,
            duration_secs: 1.0,
            looping: LoopPolicy::Wrap,
        };
        vec![timing; 2]
    }

    proptest! {
        /// Eight lanes find what single instances do, and every corner of a visible point is kept.
        #[test]
        fn lanes_equal_single_instances(instances in prop::collection::vec(instance(), 1..40)) {
            let mut culling = CpuCulling::new(model());
            culling.set_instances(&instances, &timings());
            let view = model().view(&camera());
            let visible = culling.cull(&camera(), Ticks(0)).clone();
            let mut expected: Vec<Vec<u32>> = vec![Vec::new(); 4];
            for (index, instance) in instances.iter().enumerate() {
                let boxes = model().boxes;
                let fade = instance.fade.map_or(0.0, |fade| fade.weight(Ticks(0)) as f32);
                let mut clips = instance.clips().map(|clip| boxes[1 + clip as usize]);
                let first = clips.next().unwrap();
                let second = clips.next().unwrap_or(first);
                let bounds = cull_box(boxes[0], first, second, fade, instance.fraction);
                let world_from_model = &instance.world_from_model;
                // A point of the box that is inside the frustum makes the instance visible.
                let corners = (0..27).map(|k| {
                    let offset = Vec3::new((k % 3) as f32, (k / 3 % 3) as f32, (k / 9) as f32) - 1.0;
                    world_from_model.transform_point3(bounds.center + offset * bounds.half_size)
                });
                let mut ndc = corners.map(|corner| camera().clip_from_world * corner.extend(1.0));
                let is_seen = ndc.any(|p| p.x.abs() <= p.w && p.y.abs() <= p.w && (0.0..=p.w).contains(&p.z));
                let is_outside = cull_is_outside(&view, world_from_model, &bounds);
                prop_assert!(!(is_seen && is_outside));
                if !is_outside {
                    let depth = cull_depth(&view, world_from_model, &bounds);
                    expected[cull_level(&view, depth, NO_LEVEL) as usize].push(index as u32);
                }
            }
            prop_assert_eq!(&visible.indices, &expected.concat());
            let counts: Vec<u32> = expected.iter().map(|level| level.len() as u32).collect();
            prop_assert_eq!(&visible.counts, &counts);
        }
    }

    #[test]
    fn levels_follow_the_distance_with_hysteresis() {
        let level_at = |culling: &mut CpuCulling, z: f32| {
            let instance = Instance::at(Affine3A::from_translation(Vec3::new(0.0, 0.0, z)));
            culling.set_instances(&[instance], &timings());
            let counts = &culling.cull(&camera(), Ticks(0)).counts;
            counts.iter().position(|count| *count == 1).unwrap()
        };
        let away: Vec<f32> = (0..300).map(|step| 25.0 - 0.2 * step as f32).collect();
        let mut culling = CpuCulling::new(model());
        let out: Vec<usize> = away.iter().map(|&z| level_at(&mut culling, z)).collect();
        let back: Vec<usize> = away
            .iter()
            .rev()
            .map(|&z| level_at(&mut culling, z))
            .collect();
        assert!(out.is_sorted(), "{out:?}");
        assert_eq!([out[0], *out.last().unwrap()], [1, 2]);
        // On the way back, coarser levels stay a little longer.
        let pairs = out.iter().zip(back.iter().rev());
        assert!(pairs.clone().all(|(out, back)| back >= out));
        assert!(pairs.filter(|(out, back)| back > out).count() > 10);
    }
}
