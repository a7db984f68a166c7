//! Temporary sketch.
use glam::DAffine3;
use std::time::Instant;
use throng_bake::joint_tracks::{PackSettings, pack};
use throng_format::decode::joint_tracks::{Moment, local_joint};
use throng_format::tracks::{JointRecord, Words};
use throng_rig::*;
use throng_skin::reference::{Skinned, skin_part_own};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let _seg: f64 = args[1].parse().unwrap();
    let rounds: usize = args[2].parse().unwrap();
    let full = args[3] == "full";
    let mut all = vec![];
    for source in &args[4..] {
        let Ok(import) = throng_import::import(source, &Default::default()) else {
            continue;
        };
        let c = import.character;
        let secs: f64 = c
            .clips()
            .iter()
            .map(|c| c.duration_secs().max(1.0 / 30.0))
            .sum();
        let mut moving = std::collections::BTreeSet::new();
        let mut verts = 0;
        for p in c.parts() {
            let m = c.mesh_of(p);
            verts += m.vertex_count();
            for v in 0..m.vertex_count() {
                for (e, w) in m.influences().of(v) {
                    if w > 0.0 {
                        moving.insert(c.skin_of(p).joints()[e]);
                    }
                }
            }
        }
        if moving.len() < 10 || c.clips().iter().map(|c| c.duration_secs()).sum::<f64>() < 0.5 {
            continue;
        }
        let size = throng_skin::rest_size(&c);
        let e = size * 0.00028;
        let clips: Vec<&Clip> = c.clips().iter().collect();
        let t = Instant::now();
        let settings = PackSettings {
            max_error: e,
            max_rate_hz: 240.0,
            rounds,
            max_side: 2048,
            power_of_two: false,
        };
        let (texture, layout) = pack(&c, &clips, &settings).unwrap();
        let took = t.elapsed().as_secs_f64();
        let bytes = texture.gpu_bytes() as f64;
        let bjf = bytes / (moving.len() as f64 * secs * 30.0);
        let mut worst: f64 = 0.0;
        let mut where_ = (0, 0.0, 0);
        if full {
            let words = Words::of(&texture);
            let mut a = CharacterPose::rest(&c);
            let mut b = CharacterPose::rest(&c);
            let (mut sa, mut sb) = (Skinned::default(), Skinned::default());
            for (ci, clip) in c.clips().iter().enumerate() {
                let sp = clip
                    .finest_spacing_secs()
                    .unwrap_or(1.0 / 30.0)
                    .clamp(1.0 / 240.0, 1.0 / 30.0);
                let n = ((clip.duration_secs() / sp).ceil() as usize) * 4;
                for i in 0..=n {
                    let t = clip.duration_secs() * i as f64 / n.max(1) as f64;
                    a.sample(&c, clip, clip.start_secs() + t);
                    let m =
                        Moment::find(words, layout.clip_table, layout.tracks, ci as u32, t as f32);
                    b.local.morph_weights = a.local.morph_weights.clone();
                    for (r, &j) in layout.bones.iter().enumerate() {
                        let rec = JointRecord::read(
                            words,
                            layout.joint_table,
                            layout.record_words,
                            r as u32,
                        );
                        let l = local_joint(words, &rec, m);
                        let l = DAffine3::from_scale_rotation_translation(
                            l.scale.as_dvec3(),
                            l.rotation.as_dquat(),
                            l.translation.as_dvec3(),
                        );
                        let l = match rec.parent {
                            Some(p) => b.model.model_from_joint[layout.bones[p as usize]] * l,
                            None => l,
                        };
                        b.model.model_from_joint[j] = l;
                    }
                    for (p, s) in b.palettes.iter_mut().zip(c.skins()) {
                        p.update(s, &b.model);
                    }
                    for p in c.parts() {
                        skin_part_own(&c, p, &a, &mut sa);
                        skin_part_own(&c, p, &b, &mut sb);
                        for (k, (x, y)) in sa.positions.iter().zip(&sb.positions).enumerate() {
                            let d = x.distance(*y);
                            if d > worst {
                                worst = d;
                                where_ = (ci, t, k);
                            }
                        }
                    }
                }
            }
        }
        println!(
            "{:40} joints {:4}/{:4} clips {:3} secs {:7.2} tracks {:4} verts {:6} B {:8} bjf {:6.2} err/E {:.3} {:?} {:.1}s table {:.2} rows {:.2}",
            source.rsplit('/').next().unwrap(),
            moving.len(),
            layout.bones.len(),
            c.clips().len(),
            secs,
            layout.tracks,
            verts,
            bytes,
            bjf,
            worst / e,
            where_,
            took,
            layout.bones.len() as f64 * layout.record_words as f64 * 4.0
                / (moving.len() as f64 * secs * 30.0),
            0.0
        );
        all.push(bjf);
    }
    all.sort_by(f64::total_cmp);
    if !all.is_empty() {
        println!(
            "n {} median {:.2} p90 {:.2} worst {:.2}",
            all.len(),
            all[all.len() / 2],
            all[(all.len() * 9) / 10],
            all.last().unwrap()
        );
    }
}
