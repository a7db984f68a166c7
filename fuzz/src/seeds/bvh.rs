//! BVH seeds.

use super::Seed;

/// A built-in character has no BVH file, so these are written by hand: a chain with all kinds of channels, in several
/// layouts.
pub(super) fn bvh_seeds() -> Vec<Seed> {
    let plain = "HIERARCHY
ROOT Hips
{
	OFFSET 0.0 90.0 0.0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
	JOINT Left Leg
	{
		OFFSET 10.0 -40.0 0.0
		CHANNELS 3 Zrotation Xrotation Yrotation
		End Site
		{
			OFFSET 0.0 -45.0 5.0
		}
	}
	JOINT Chest
	{
		OFFSET 0.0 50.0 0.0
		CHANNELS 0
	}
}
MOTION
Frames: 3
Frame Time: 0.0333333
0 90 0 0 0 0 0 0 0
1.5 91 2e0 10 20 30 40 50 60
2 -92 4 190 -40 60 80 100 -120
";
    let odd = "hierarchy # comment
root{offset 0 0 0 channels 4 Xscale Yrotation Yrotation Zposition joint a{offset 0 1.7 0 channels 1 Xrotation}}
root b { offset 1 0 0 } // comment
motion frames:2 frame time:0 1 2 3 4 5 6 7 8 9 10 left over";
    vec![
        ("plain".into(), plain.into()),
        ("odd".into(), odd.into()),
        (
            "windows".into(),
            format!("\u{feff}{}", plain.replace('\n', "\r\n")).into(),
        ),
    ]
}
