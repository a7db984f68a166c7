//! What files are called.

use throng_format::TexelFormat;
use throng_format::file::{FileFormat, file_names};

#[test]
fn a_layer_takes_a_file_but_in_ktx2() {
    assert_eq!(file_names(FileFormat::Png, "a.b", 1), ["a.b.png"]);
    assert_eq!(
        file_names(FileFormat::Exr, "positions", 3),
        ["positions.0.exr", "positions.1.exr", "positions.2.exr"]
    );
    assert_eq!(file_names(FileFormat::Ktx2, "bones", 3), ["bones.ktx2"]);
    assert_eq!(file_names(FileFormat::Ktx2, "bones", 1), ["bones.ktx2"]);
}

#[test]
fn formats_are_told_from_their_names() {
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
        "no texture file format is called 'PNG\\n': choose png, exr or ktx2"
    );
}

#[test]
fn texels_show_the_name_that_manifests_use() {
    for texels in TexelFormat::ALL {
        assert_eq!(serde_json::to_value(texels).unwrap(), texels.to_string());
    }
    assert_eq!(TexelFormat::Rgba16Unorm.to_string(), "rgba16-unorm");
}

#[test]
fn each_format_holds_what_the_table_says() {
    let held = |format: FileFormat| TexelFormat::ALL.map(|texels| format.can_hold(texels));
    assert_eq!(
        held(FileFormat::Png),
        [true, true, true, true, false, false, true]
    );
    assert_eq!(
        held(FileFormat::Exr),
        [false, false, false, false, true, true, true]
    );
    assert_eq!(held(FileFormat::Ktx2), [true; 7]);
}
