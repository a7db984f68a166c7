//! Sizes of P0's textures: one per clip, and one per mesh of vertices.

use crate::plan::BakePlan;
use crate::{BakeError, BakeSettings, Preset};

/// Largest rate that P0's bytes hold.
const MAX_RATE_HZ: f64 = 255.0;

/// Items that share a page.
#[derive(Debug, Clone)]
pub(crate) struct ItemPage {
    /// Index of the first item.
    pub first: u32,
    /// Number of items.
    pub count: u32,
    /// Noun phrase for errors: "mesh 'body' has 9000 unique positions".
    pub description: String,
}

/// Finds sides, as powers of two.
pub(crate) struct PageFit<'a> {
    pub preset: Preset,
    pub settings: &'a BakeSettings,
    pub plan: &'a BakePlan,
}

impl PageFit<'_> {
    /// Width: the frames of the longest clip and the metadata.
    pub fn width(&self) -> Result<u32, BakeError> {
        for clip in &self.plan.clips {
            if clip.rate_hz() > MAX_RATE_HZ {
                return Err(BakeError::PresetRate {
                    preset: self.preset.name(),
                    duration_secs: clip.duration_secs,
                    rate_hz: clip.rate_hz(),
                });
            }
        }
        let frames = self.plan.clips.iter().map(|clip| clip.frames).max();
        let frames = frames.unwrap_or(0);
        self.side(u64::from(frames) + 1, || {
            let what = format!("a clip has {frames} frames, which are columns of one texture");
            (what, "choose a lower --rate".into())
        })
    }

    /// Height: the items of the largest page, or the metadata.
    pub fn height(&self, pages: &[ItemPage], metadata_rows: usize) -> Result<u32, BakeError> {
        let largest = pages.iter().max_by_key(|page| page.count);
        let items = largest.map_or(0, |page| u64::from(page.count));
        self.side(items.max(metadata_rows as u64), || {
            let what = largest.map_or_else(String::new, |page| page.description.clone());
            let encoding = self.preset.encoding();
            (
                what,
                format!("use --encoding {encoding}, which continues in further rows"),
            )
        })
    }

    /// The next power of two, where it is allowed.
    fn side(&self, texels: u64, reason: impl Fn() -> (String, String)) -> Result<u32, BakeError> {
        let side = texels.next_power_of_two();
        let max_side = self.settings.max_side;
        if side <= u64::from(max_side) {
            return Ok(side as u32);
        }
        let (what, other) = reason();
        Err(BakeError::PresetDoesNotFit {
            preset: self.preset.name(),
            what,
            side,
            max_side,
            remedy: format!("raise --max-side to {side} where devices support it, or {other}"),
        })
    }
}
