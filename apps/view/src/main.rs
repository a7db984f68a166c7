//! `throng-view [FILE|SET]`: opens the viewer.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    use std::process::ExitCode;

    throng_studio::silence_device_select_layer();
    let mut arguments = std::env::args_os().skip(1);
    let source = arguments.next();
    let is_help = |word: &std::ffi::OsString| word == "--help" || word == "-h";
    if source.as_ref().is_some_and(is_help) || arguments.next().is_some() {
        eprintln!(
            "usage: throng-view [FILE|SET]\n\n\
             Opens a character (.glb, .gltf, .fbx, .abc, .obj or builtin:NAME) or a texture set; without one, builtin:humanoid."
        );
        return ExitCode::from(2);
    }
    let options = throng_view::Options {
        source: source.map(|source| source.to_string_lossy().into_owned()),
        ..Default::default()
    };
    match throng_view::run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {}
