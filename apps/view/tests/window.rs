//! The real window, on a virtual X server: the timeline is scrubbed, pictures are taken, a file is dropped on it.
#![cfg(target_os = "linux")]

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use throng_testkit::program_or_skip;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, ImageFormat, PropMode,
    SelectionNotifyEvent, Window, WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Width and height of the screen.
const SCREEN: [u16; 2] = [1280, 800];

/// Longest time for anything to happen.
const PATIENCE: Duration = Duration::from_secs(90);

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn window_opens_takes_a_file_and_scrubs() -> Outcome<()> {
    let Some(server) = program_or_skip("Xvfb", "xvfb") else {
        return Ok(());
    };
    let (_server, display) = start_server(&server)?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("dropped.glb");
    let character = throng_import::builtin::builtin("box")?;
    let mut bytes = Vec::new();
    let extras = throng_format::ModelExtras::default();
    throng_format::write_model(&character, extras, &mut bytes)?;
    std::fs::write(&file, bytes)?;

    let viewer = Command::new(env!("CARGO_BIN_EXE_throng-view"))
        .arg("builtin:bar")
        .env("DISPLAY", &display)
        .env_remove("WAYLAND_DISPLAY")
        .env("HOME", folder.path())
        .env("XDG_DATA_HOME", folder.path())
        .env("XDG_RUNTIME_DIR", folder.path())
        .stderr(Stdio::inherit())
        .spawn()?;
    let mut viewer = Running(viewer);
    let (connection, screen) = RustConnection::connect(Some(&display))?;
    let root = connection.setup().roots[screen].root;
    let window = wait(
        || find_window(&connection, root, "builtin:bar"),
        "the window",
    )?;

    let shown = || {
        let pixels = picture(&connection, root)?;
        Ok(has_many_colors(&pixels).then_some(pixels))
    };
    wait(shown, "a picture in the window")?;
    // Two pictures, a moment apart: true if the clip plays.
    let is_moving = || -> Outcome<bool> {
        let first = picture(&connection, root)?;
        std::thread::sleep(Duration::from_millis(400));
        Ok(differ(&first, &picture(&connection, root)?))
    };
    wait(|| Ok(is_moving()?.then_some(())), "the clip to play")?;
    // Dragging along the timeline, at the bottom of the window, stops the clip and scrubs.
    let [x, y] = origin(&connection, root, window)?;
    let size = connection.get_geometry(window)?.reply()?;
    let (width, height) = (size.width as i16, size.height as i16);
    let line = y + height - 25;
    press(&connection, root, [x + width / 5, line], true)?;
    for step in 1..=10 {
        move_to(&connection, root, [x + width / 5 + step * width / 20, line])?;
        std::thread::sleep(Duration::from_millis(30));
    }
    press(&connection, root, [x + width * 7 / 10, line], false)?;
    wait(|| Ok((!is_moving()?).then_some(())), "the clip to stop")?;
    assert!(has_many_colors(&picture(&connection, root)?));
    drop_file(&connection, root, window, &file)?;
    wait(
        || find_window(&connection, root, "dropped.glb"),
        "the dropped file",
    )?;
    assert!(viewer.0.try_wait()?.is_none(), "the viewer has ended");
    close(&connection, window)?;
    let status = wait(|| Ok(viewer.0.try_wait()?), "the end of the viewer")?;
    assert!(status.success(), "the viewer ended with {status}");
    Ok(())
}

fn atom(connection: &RustConnection, name: &str) -> Outcome<u32> {
    Ok(connection
        .intern_atom(false, name.as_bytes())?
        .reply()?
        .atom)
}

/// Closes a window as a window manager does.
fn close(connection: &RustConnection, window: Window) -> Outcome<()> {
    let atom = |name: &str| atom(connection, name);
    let data = [atom("WM_DELETE_WINDOW")?, x11rb::CURRENT_TIME, 0, 0, 0];
    let event = ClientMessageEvent::new(32, window, atom("WM_PROTOCOLS")?, data);
    connection.send_event(false, window, EventMask::NO_EVENT, event)?;
    connection.flush()?;
    Ok(())
}

/// Starts a virtual X server on a free display.
fn start_server(program: &Path) -> Outcome<(Running, String)> {
    let screen = format!("{}x{}x24", SCREEN[0], SCREEN[1]);
    let child = Command::new(program)
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            &screen,
            "-nolisten",
            "tcp",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut server = Running(child);
    let stdout = server.0.stdout.take().ok_or("no output")?;
    let mut number = String::new();
    BufReader::new(stdout).read_line(&mut number)?;
    Ok((server, format!(":{}", number.trim())))
}

/// Waits until something is there.
fn wait<T>(mut find: impl FnMut() -> Outcome<Option<T>>, what: &str) -> Outcome<T> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(found) = find()? {
            return Ok(found);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(format!("waited too long for {what}").into())
}

/// Finds the window whose title contains a text.
fn find_window(connection: &RustConnection, root: Window, title: &str) -> Outcome<Option<Window>> {
    let name = atom(connection, "_NET_WM_NAME")?;
    let mut windows = vec![root];
    while let Some(window) = windows.pop() {
        let property = connection.get_property(false, window, name, AtomEnum::ANY, 0, 1024)?;
        // A window may be gone by now.
        let Ok(property) = property.reply() else {
            continue;
        };
        if String::from_utf8_lossy(&property.value).contains(title) {
            return Ok(Some(window));
        }
        if let Ok(tree) = connection.query_tree(window)?.reply() {
            windows.extend(tree.children);
        }
    }
    Ok(None)
}

/// Drops a file on a window, as the protocol XDND says.
fn drop_file(
    connection: &RustConnection,
    root: Window,
    target: Window,
    file: &Path,
) -> Outcome<()> {
    let atom = |name: &str| atom(connection, name);
    let (enter, position, dropped) = (atom("XdndEnter")?, atom("XdndPosition")?, atom("XdndDrop")?);
    let (status, finished) = (atom("XdndStatus")?, atom("XdndFinished")?);
    let (selection, uris, copy) = (
        atom("XdndSelection")?,
        atom("text/uri-list")?,
        atom("XdndActionCopy")?,
    );
    let source = connection.generate_id()?;
    connection.create_window(
        0,
        source,
        root,
        0,
        0,
        1,
        1,
        0,
        WindowClass::INPUT_ONLY,
        0,
        &CreateWindowAux::new(),
    )?;
    connection.set_selection_owner(source, selection, x11rb::CURRENT_TIME)?;
    let send = |kind: u32, data: [u32; 5]| -> Outcome<()> {
        let event = ClientMessageEvent::new(32, target, kind, data);
        connection.send_event(false, target, EventMask::NO_EVENT, event)?;
        connection.flush()?;
        Ok(())
    };
    let [x, y] = origin(connection, root, target)?;
    let at = (u32::from(x as u16) + 200) << 16 | (u32::from(y as u16) + 200);
    send(enter, [source, 5 << 24, uris, 0, 0])?;
    send(position, [source, 0, at, x11rb::CURRENT_TIME, copy])?;
    let uri = format!("file://{}\r\n", file.display());
    let start = Instant::now();
    let mut is_dropped = false;
    while start.elapsed() < PATIENCE {
        match connection.poll_for_event()? {
            Some(Event::SelectionRequest(request)) => {
                connection.change_property8(
                    PropMode::REPLACE,
                    request.requestor,
                    request.property,
                    request.target,
                    uri.as_bytes(),
                )?;
                let answer = SelectionNotifyEvent {
                    response_type: x11rb::protocol::xproto::SELECTION_NOTIFY_EVENT,
                    sequence: 0,
                    time: request.time,
                    requestor: request.requestor,
                    selection: request.selection,
                    target: request.target,
                    property: request.property,
                };
                connection.send_event(false, request.requestor, EventMask::NO_EVENT, answer)?;
                connection.flush()?;
            }
            Some(Event::ClientMessage(message)) if message.type_ == status && !is_dropped => {
                is_dropped = true;
                send(dropped, [source, 0, x11rb::CURRENT_TIME, 0, 0])?;
            }
            Some(Event::ClientMessage(message)) if message.type_ == finished => return Ok(()),
            Some(_) => {}
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    }
    Err("the window did not take the file".into())
}

/// Position of a window on the screen.
fn origin(connection: &RustConnection, root: Window, window: Window) -> Outcome<[i16; 2]> {
    let at = connection
        .translate_coordinates(window, root, 0, 0)?
        .reply()?;
    Ok([at.dst_x, at.dst_y])
}

fn move_to(connection: &RustConnection, root: Window, [x, y]: [i16; 2]) -> Outcome<()> {
    const MOTION: u8 = x11rb::protocol::xproto::MOTION_NOTIFY_EVENT;
    connection.xtest_fake_input(MOTION, 0, 0, root, x, y, 0)?;
    connection.flush()?;
    Ok(())
}

/// Presses or releases the left button.
fn press(connection: &RustConnection, root: Window, at: [i16; 2], is_down: bool) -> Outcome<()> {
    move_to(connection, root, at)?;
    std::thread::sleep(Duration::from_millis(60));
    let kind = match is_down {
        true => x11rb::protocol::xproto::BUTTON_PRESS_EVENT,
        false => x11rb::protocol::xproto::BUTTON_RELEASE_EVENT,
    };
    connection.xtest_fake_input(kind, 1, 0, root, 0, 0, 0)?;
    connection.flush()?;
    std::thread::sleep(Duration::from_millis(60));
    Ok(())
}

/// Pixels of the screen, four bytes each.
fn picture(connection: &RustConnection, root: Window) -> Outcome<Vec<u8>> {
    let [width, height] = SCREEN;
    let image = connection.get_image(ImageFormat::Z_PIXMAP, root, 0, 0, width, height, !0)?;
    Ok(image.reply()?.data)
}

fn has_many_colors(pixels: &[u8]) -> bool {
    let colors: std::collections::HashSet<&[u8]> = pixels.chunks_exact(4).collect();
    colors.len() > 200
}

/// True if more than one pixel of 500 differs.
fn differ(a: &[u8], b: &[u8]) -> bool {
    let pixels = a.chunks_exact(4).zip(b.chunks_exact(4));
    let other = pixels.filter(|(a, b)| a != b).count();
    other * 500 > a.len() / 4
}
