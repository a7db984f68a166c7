//! No field of an imported character is infinite or NaN, whatever the numbers of its file are.

mod common;

use common::{assert_fields_finite, assert_finite, fbx_text};
use throng_import::{ErrorKind, Import, ImportError, ImportOptions, import_bytes};
use throng_testkit::{Random, cases, shared_assets};

/// Numbers that are not finite, or not finite once converted to float32 or multiplied.
const EXTREMES: [&str; 7] = ["nan", "inf", "-inf", "1e999", "1e300", "-1e39", "1e-300"];

fn import(text: &str) -> Result<Import, ImportError> {
    import_bytes("test.fbx", text.as_bytes(), None, &ImportOptions::default())
}

/// Returns the byte ranges of the numbers of a text, outside of quotes.
fn numbers(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut quoted = false;
    let mut start = None;
    for (at, c) in text.char_indices() {
        quoted ^= c == '"';
        let inside = !quoted && (c.is_ascii_digit() || "+-.e".contains(c));
        match (start, inside) {
            (None, true) if c != 'e' && text[..at].ends_with([' ', ',', '\n']) => start = Some(at),
            (Some(from), false) => {
                found.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Imports a text with a number replaced, and checks all fields if it loads. Returns whether it does.
fn loads_finite(text: &str, range: &std::ops::Range<usize>, extreme: &str) -> bool {
    let changed = [&text[..range.start], extreme, &text[range.end..]].concat();
    let Ok(import) = import(&changed) else {
        return false;
    };
    let line = text[..range.start].lines().count();
    let what = format!("line {line}, {} -> {extreme}", &text[range.clone()]);
    assert_fields_finite(&import.character, &what);
    assert_finite(&import.character, 1, &what);
    true
}

#[test]
fn the_test_file_has_everything() {
    let import = import(&fbx_text()).unwrap_or_else(|error| panic!("{error}"));
    let character = &import.character;
    assert_fields_finite(character, "the test file");
    let mesh = &character.meshes()[0];
    assert_eq!(mesh.vertex_count(), 3);
    assert_eq!(mesh.morph_targets().len(), 1);
    assert!(!mesh.uvs().is_empty() && !mesh.colors().is_empty());
    assert!(!mesh.blend_factors().is_empty());
    assert_eq!(character.morph_sets()[0].rest_weights(), [0.5]);
    assert_eq!(character.materials().len(), 1);
    let clip = &character.clips()[0];
    assert_eq!(clip.joints().len(), 1);
    assert_eq!(clip.morphs().len(), 1);
}

#[test]
fn rejects_a_deform_percent_that_is_not_finite() {
    for extreme in ["-inf", "inf", "nan", "1e300"] {
        let text = fbx_text().replace("DeformPercent: 50", &format!("DeformPercent: {extreme}"));
        let error = import(&text).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Data, "{error}");
        assert!(error.to_string().contains("mesh 'body'"), "{error}");
        assert!(error.problem.contains("DeformPercent"), "{error}");
    }
}

#[test]
fn no_field_is_infinite_or_nan_for_any_number_of_an_fbx() {
    let text = fbx_text();
    let mut loaded = 0;
    for range in numbers(&text) {
        for extreme in EXTREMES {
            loaded += usize::from(loads_finite(&text, &range, extreme));
        }
    }
    assert!(loaded > 100, "only {loaded} load");
}

#[test]
fn no_field_is_infinite_or_nan_in_files_of_other_programs() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let mut random = Random::new(7);
    for name in [
        "maya_game_sausage_7500_ascii_wiggle",
        "maya_dual_quaternion_7500_ascii",
    ] {
        let path = assets.join(format!("fbx/ufbx/{name}.fbx"));
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        let ranges = numbers(&text);
        for _ in 0..cases(200) {
            loads_finite(&text, &random.pick(&ranges), random.pick(&EXTREMES));
        }
    }
}
