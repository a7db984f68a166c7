//! Puts a shader together from its files.

/// Files by name, read when this crate is compiled.
macro_rules! files {
    ($($folder:ident { $($name:ident)* })*) => {
        const FILES: &[(&str, &str)] = &[$($((
            concat!(stringify!($folder), "/", stringify!($name)),
            include_str!(concat!("wgsl/", stringify!($folder), "/", stringify!($name), ".wgsl")),
        ),)*)*];
    };
}

files! {
    lib {
        affine arc bits bones_axes bones_columns bones_dual bones_rotation bones_rows bones_scaled codec curves divide dual_quat
        fades fades_none frame grid instance joint joints_at_once material max_influences method_blend
        method_blend_positions method_dqs method_dqs_direct method_dqs_sum method_lbs mix_matrices mix_rotations morph
        octahedron quat scene set_info skin_dual skin_lbs skin_sum stretch_none stretch_palette tables texel texel_pairs time
        vertex words
    }
    source {
        deform_arc deform_copied deform_skinned deform_static deform_vertex_curves deform_vertices frame influences
        instances joints_bones joints_dual_palette joints_palette joints_stretch_palette joints_curves material
        morph_deltas morph_none morph_palette morph_rest morph_set scene set set_info tables_constant
        tables_texture tables_uniform target vertex_in
    }
    entry { backdrop bare blur_contact capture draw fill_palette plain pose_joints shadow skin_once }
}

/// Constants and aliases first, then each file once.
///
/// # Panics
/// Where a file is not there: names are this crate's own, and a test makes every shader.
pub(crate) fn compose(prelude: &str, names: &[&str]) -> String {
    let mut source = prelude.to_owned();
    for name in names {
        let text = text_of(name);
        if !source.is_empty() {
            source.push('\n');
        }
        source.push_str(text);
    }
    source
}

/// A file's text.
///
/// # Panics
/// As [`compose`].
pub(crate) fn text_of(name: &str) -> &'static str {
    let found = FILES.iter().find(|(known, _)| *known == name);
    let (_, text) = found.unwrap_or_else(|| panic!("there is no shader file '{name}'"));
    text
}

/// Names of all files, for the test that none is forgotten.
pub fn file_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}
