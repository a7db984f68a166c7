//! Rows: a grid, and rows that widen with the view.

use glam::Vec3;

use super::{Activity, Place, Variation};

/// Most instances in the first row of a scattered crowd.
const FIRST_ROW: f32 = 6.0;
/// Variation of a scattered crowd.
const SCATTERED: Variation = Variation {
    offset: 0.24,
    heading_rad: 0.6,
    is_sized: true,
};

/// Returns places in rows of one length, the first in front.
pub(super) fn grid(count: u32) -> Vec<Place> {
    let columns = (f64::from(count) * 0.5).sqrt().ceil().max(1.0) as u32;
    let places = (0..count).map(|index| {
        let (row, column) = (index / columns, index % columns);
        Place {
            position: Vec3::new(
                column as f32 - (columns as f32 - 1.0) * 0.5,
                0.0,
                -(row as f32),
            ),
            heading_rad: 0.0,
            activity: Activity::Any,
            variation: Variation::default(),
        }
    });
    places.collect()
}

/// Returns places in rows as wide as the view at their depth, each filled alike.
pub(super) fn wedge(count: u32, slope: f32) -> Vec<Place> {
    let first = (0.45 * (count as f32).sqrt())
        .round()
        .clamp(count.min(3) as f32, FIRST_ROW);
    let width = |row: usize| (first + 2.0 * slope * row as f32).max(1.0);
    let mut rows = 0;
    let mut room = 0.0;
    while room < count as f32 {
        room += width(rows).floor();
        rows += 1;
    }
    let fill = count as f32 / (0..rows).map(width).sum::<f32>();
    let mut places = Vec::with_capacity(count as usize);
    let mut until = 0.0;
    for row in 0..rows {
        let wide = width(row);
        until += fill * wide;
        let end = match row + 1 == rows {
            true => count as usize,
            false => (until.round() as usize).min(count as usize),
        };
        let instances = (end - places.len()).min(wide.ceil() as usize);
        let step = wide / instances.max(1) as f32;
        // Every second row stands in the gaps of the row before.
        let shift = if row % 2 == 0 { -0.125 } else { 0.125 } * step;
        places.extend((0..instances).map(|column| Place {
            position: Vec3::new(
                (column as f32 + 0.5) * step - 0.5 * wide + shift,
                0.0,
                -(row as f32),
            ),
            heading_rad: 0.0,
            activity: Activity::Any,
            variation: SCATTERED,
        }));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(places: &[Place], row: f32) -> Vec<f32> {
        let row = places.iter().filter(|place| place.position.z == row);
        row.map(|place| place.position.x).collect()
    }

    #[test]
    fn rows_widen_with_the_view() {
        let places = wedge(2000, 0.5);
        let widest = |at: f32| row(&places, at).into_iter().fold(0.0, f32::max);
        assert!((widest(-20.0) - widest(0.0) - 10.0).abs() < 1.0);
    }

    #[test]
    fn no_row_has_a_gap() {
        for count in [2, 5, 20, 23, 100, 2000] {
            let places = wedge(count, 0.51);
            let mut z = 0.0;
            while z >= places.last().unwrap().position.z {
                let row = row(&places, z);
                let gaps = row.windows(2).map(|pair| pair[1] - pair[0]);
                let widest = gaps.fold(0.0, f32::max);
                assert!(widest < 1.6, "{count}, row {z}: {widest}");
                z -= 1.0;
            }
        }
    }
}
