//! Composes a shader from its files.

/// Declares the files by folder and name; their text is read when this crate is compiled.
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
        accumulate_centre accumulate_method accumulate_stretch affine arc axes bits blend_dual_quats bones_axes bones_columns
        bones_dual bones_rotation bones_rows bones_scaled codec cull curves divide dual_quat fades fades_none frame grid
        influences influences_screws instance joint joints_at_once max_influences method_blend method_blend_positions method_cor method_dqs
        method_dqs_direct method_dqs_sum method_lbs mix_matrices mix_rotations morph octahedron quat read_short_vector screws set_info
        stretch_none sum_both sum_dual_quats sum_matrices sum_rigid sum_rigid_both tables tangents tangents_none texel texel_pairs time vertex words words_sized
    }
    source {
        bind_attributes bind_bones bones_planes bones_planes_split bones_texture clip_records_tables deform_arc deform_copied
        deform_skinned deform_static deform_vertex_curves deform_vertices frame frame_constant instance_at instances
        inverse_binds joints_curves joints_dual_palette joints_palette joints_stretch_palette metadata_p0
        metadata_tables metadata_values more_influences morph_deltas morph_none morph_palette morph_rest morph_set palette_joint palette_row
        pose_bones previous previous_static rest_row rotation_center set set_info tables_constant tables_texture tables_uniform
        tangent_in tangent_none tangent_words target vertex_arguments vertex_arguments_bones vertex_in weights_one weights_texture words_attributes
        words_bones
    }
    entry { capture cull draw fill_palette pose_joints skin_once }
    function { clip_record_read options options_constant palette read_vector vertex vertex_at words_get }
    switch {
        bind_pose bind_pose_arc one_frame_arc one_frame_axes one_frame_dual one_frame_matrices one_frame_morph
        one_frame_normal one_frame_offset one_frame_planes one_frame_rotation one_frame_scaled
    }
}

/// Joins the prelude, which holds constants and aliases, and the files.
///
/// # Panics
/// If a file does not exist. Names come from this crate only, and a test composes every shader.
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

/// Text of a file.
///
/// # Panics
/// As [`compose`].
pub(crate) fn text_of(name: &str) -> &'static str {
    let found = FILES.iter().find(|(known, _)| *known == name);
    let (_, text) = found.unwrap_or_else(|| panic!("there is no shader file '{name}'"));
    text
}

/// Names of all files, for the test that checks them against the folder.
pub fn file_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}
