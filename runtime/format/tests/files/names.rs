//! Names of files and formats.

use throng_format::TexelFormat;
use throng_format::file::{FileFormat, file_names};

#[test]
fn png_and_exr_have_a_file_per_layer_and_ktx2_has_one() {
    assert_eq!(file_names(FileFormat::Png, "a.b", 1), ["a.b.png"]);
    assert_eq!(
        file_names(FileFormat::Exr, "positions", 3),
        ["positions.0.exr", "positions.1.exr", "positions.2.exr"]
    );
    assert_eq!(file_names(FileFormat::Ktx2, "bones", 3), ["bones.ktx2"]);
    assert_eq!(file_names(FileFormat::Ktx2, "bones", 1), ["bones.ktx2"]);
}

#[test]
fn file_format_names_round_trip() {
    for format in FileFormat::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
        assert_eq!(
            serde_json::to_value(format).unwrap(),
            format.extension(),
            "manifests and commands use one name"
        );
    }
    let error = "PNG\n".parse::<FileFormat>().unwrap_err().to_string();
    assert_eq!(
        error,
        "unsupported texture file format 'PNG\\n'; expected png, exr or ktx2"
    );
}

#[test]
fn texel_formats_display_their_manifest_names() {
    for texels in TexelFormat::ALL {
        assert_eq!(serde_json::to_value(texels).unwrap(), texels.to_string());
    }
    assert_eq!(TexelFormat::Rgba16Unorm.to_string(), "rgba16-unorm");
}

#[test]
fn file_formats_support_the_documented_texels() {
    let held = |format: FileFormat| TexelFormat::ALL.map(|texels| format.can_hold(texels));
    assert_eq!(
        held(FileFormat::Png),
        [true, true, true, true, true, false, false, false, true]
    );
    assert_eq!(
        held(FileFormat::Exr),
        [false, false, false, false, false, true, true, true, true]
    );
    assert_eq!(held(FileFormat::Ktx2), [true; 9]);
}
