//! Houses along a street: plain fronts with windows.

use glam::Vec3;

use crate::ground::GroundMesh;
use crate::random::Random;

/// Colours of fronts, linear.
const FRONTS: [Vec3; 6] = [
    Vec3::new(0.42, 0.34, 0.24),
    Vec3::new(0.36, 0.19, 0.13),
    Vec3::new(0.31, 0.33, 0.32),
    Vec3::new(0.46, 0.42, 0.35),
    Vec3::new(0.24, 0.29, 0.26),
    Vec3::new(0.38, 0.28, 0.26),
];
/// Colours of awnings, linear.
const AWNINGS: [Vec3; 4] = [
    Vec3::new(0.30, 0.06, 0.05),
    Vec3::new(0.05, 0.16, 0.15),
    Vec3::new(0.07, 0.11, 0.22),
    Vec3::new(0.50, 0.33, 0.09),
];
const GLASS: Vec3 = Vec3::new(0.085, 0.11, 0.14);
/// Height of a storey.
const STOREY: f32 = 3.1;
/// Distance between windows.
const BAY: f32 = 2.6;
/// Distance of windows in front of a wall.
const PROUD: f32 = 0.03;

/// A side of a street: its front at an x, facing along `side` on the X axis.
pub(super) struct Frontage {
    pub x: f32,
    pub side: f32,
    pub ground_y: f32,
}

impl Frontage {
    /// Adds houses from `near` to `far` along Z.
    pub fn houses(&self, ground: &mut GroundMesh, [near, far]: [f32; 2], random: &mut Random) {
        let mut z = near;
        while z > far {
            let bays = 3 + (random.unit() * 4.0) as u32;
            let storeys = 3 + (random.unit() * 3.0) as u32;
            let end = z - bays as f32 * BAY;
            let color = pick(&FRONTS, random);
            self.house(ground, [z, end], storeys, color);
            self.shop(ground, [z, end], pick(&AWNINGS, random));
            z = end;
        }
    }

    fn house(&self, ground: &mut GroundMesh, z: [f32; 2], storeys: u32, color: Vec3) {
        let top = self.ground_y + (storeys as f32 + 0.35) * STOREY;
        let low = self.ground_y + STOREY;
        ground.wall(self.x, z, [self.ground_y, top], self.side, color);
        // Sides and a ledge at the top.
        let depth = [self.x, self.x - 6.0 * self.side];
        for (at, normal) in [(z[0], Vec3::Z), (z[1], Vec3::NEG_Z)] {
            let corner = |x: f32, y: f32| Vec3::new(x, y, at);
            let corners = [
                corner(depth[0], self.ground_y),
                corner(depth[1], self.ground_y),
                corner(depth[1], top),
                corner(depth[0], top),
            ];
            ground.quad(corners, normal, [0.9 * color; 4]);
        }
        self.panel(ground, z, [top - 0.35, top], 1.25 * color, 3.0);
        for storey in 1..storeys {
            let sill = low + (storey - 1) as f32 * STOREY + 0.8;
            let mut at = z[0];
            while at - BAY >= z[1] - 0.01 {
                let window = [at - 0.32 * BAY, at - 0.68 * BAY];
                self.panel(ground, window, [sill - 0.12, sill], 1.3 * color, 3.0);
                self.panel(ground, window, [sill, sill + 1.6], GLASS, 1.0);
                at -= BAY;
            }
        }
    }

    fn shop(&self, ground: &mut GroundMesh, z: [f32; 2], color: Vec3) {
        let inner = [z[0] - 0.35, z[1] + 0.35];
        let y = self.ground_y;
        self.panel(ground, inner, [y + 0.5, y + 2.35], 1.2 * GLASS, 1.0);
        let out = self.x + 1.3 * self.side;
        let corners = [
            Vec3::new(self.x, y + 2.85, inner[0]),
            Vec3::new(self.x, y + 2.85, inner[1]),
            Vec3::new(out, y + 2.4, inner[1]),
            Vec3::new(out, y + 2.4, inner[0]),
        ];
        let normal = Vec3::new(0.33 * self.side, 0.94, 0.0);
        ground.quad(corners, normal, [color; 4]);
        ground.wall(out, inner, [y + 2.15, y + 2.4], self.side, 0.8 * color);
    }

    /// Adds a piece of wall in front of the front.
    fn panel(&self, ground: &mut GroundMesh, z: [f32; 2], y: [f32; 2], color: Vec3, proud: f32) {
        let x = self.x + proud * PROUD * self.side;
        ground.wall(x, z, y, self.side, color);
    }
}

fn pick<const N: usize>(colors: &[Vec3; N], random: &mut Random) -> Vec3 {
    colors[((random.unit() * N as f32) as usize).min(N - 1)]
}
