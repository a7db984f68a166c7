//! Panes: functions that draw one part of the state each.

mod benchmark;
mod crowd;
mod debug;
mod dialogs;
mod help;
mod icons;
mod menu;
mod parameters;
mod performance;
mod plot;
mod pose;
mod statistics;
mod texture;
mod timeline;
mod viewports;

use eframe::egui::{CentralPanel, Frame, Panel, ScrollArea, Ui, WidgetText};
use egui_tiles::{SimplificationOptions, TileId, Tiles, Tree, UiResponse};

use crate::gpu::Stage;
use crate::layout::Pane;
use crate::state::State;

/// State and viewports, which panes read and change.
pub struct PaneContext<'a> {
    /// State of the viewer.
    pub state: &'a mut State,
    /// Viewports; `None` without a device.
    pub stage: Option<&'a mut Stage>,
}

/// Shows everything.
pub fn show(ui: &mut Ui, context: &mut PaneContext<'_>, tree: &mut Tree<Pane>) {
    Panel::top("menu").show(ui, |ui| menu::show(ui, context, tree));
    Panel::bottom("timeline")
        .resizable(false)
        .show(ui, |ui| timeline::show(ui, context.state));
    CentralPanel::default()
        .frame(Frame::NONE)
        .show(ui, |ui| tree.ui(&mut Behavior { context }, ui));
    dialogs::show(ui.ctx(), context.state);
    help::show(ui.ctx(), context.state);
}

/// Panes in tabs.
struct Behavior<'a, 'b> {
    context: &'a mut PaneContext<'b>,
}

impl egui_tiles::Behavior<Pane> for Behavior<'_, '_> {
    fn pane_ui(&mut self, ui: &mut Ui, _tile: TileId, pane: &mut Pane) -> UiResponse {
        if *pane == Pane::Viewports {
            viewports::show(ui, self.context);
            return UiResponse::None;
        }
        let fill = ui.visuals().panel_fill;
        Frame::new().fill(fill).inner_margin(8).show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            let scrolls = !matches!(pane, Pane::Texture);
            let show = |ui: &mut Ui, context: &mut PaneContext<'_>| match pane {
                Pane::Viewports => {}
                Pane::Parameters => parameters::show(ui, context.state),
                Pane::Statistics => statistics::show(ui, context.state),
                Pane::Texture => texture::show(ui, context.state),
                Pane::Performance => performance::show(ui, context),
                Pane::Debug => debug::show(ui, context.state),
                Pane::Pose => pose::show(ui, context.state),
                Pane::Crowd => crowd::show(ui, context.state),
                Pane::Benchmark => benchmark::show(ui, context.state),
            };
            match scrolls {
                true => {
                    ScrollArea::vertical()
                        .auto_shrink(false)
                        .show(ui, |ui| show(ui, self.context));
                }
                false => show(ui, self.context),
            }
        });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        pane.title().into()
    }

    fn is_tab_closable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        tiles.get_pane(&tile) != Some(&Pane::Viewports)
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions {
            all_panes_must_have_tabs: false,
            ..Default::default()
        }
    }
}
