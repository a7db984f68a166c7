//! Writes posed characters: static meshes as GLB, OBJ, PLY and JSON.
//!
//! [`Format::encode`] turns a [`Posed`] into the bytes of a file, and [`write_file`] writes them. Vertices are
//! skinned already.
//!
//! ```
//! use throng_export::{Format, Posed};
//! use throng_rig::{CharacterPose, Skinning};
//! use throng_skin::reference::{Skinned, skin_part};
//!
//! let bar = throng_import::builtin::builtin("bar:100")?;
//! let mut pose = CharacterPose::rest(&bar);
//! pose.sample(&bar, &bar.clips()[0], 0.5);
//! let mut parts = vec![Skinned::default(); bar.parts().len()];
//! for (part, skinned) in bar.parts().iter().zip(&mut parts) {
//!     skin_part(&bar, part, &pose, Skinning::AsAuthored, skinned);
//! }
//! let glb = Format::Glb.encode(&Posed { character: &bar, parts: &parts })?;
//! assert!(glb.starts_with(b"glTF"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! GLB, OBJ and PLY hold the parts with triangles, rounded to float32. JSON holds every part in float64, for
//! comparison.

mod error;
#[cfg(test)]
mod fixture;
mod glb;
mod json;
mod obj;
mod ply;
mod posed;

use std::path::Path;

pub use error::ExportError;
pub use posed::Posed;
pub use throng_format::atomic::write_file;

/// Generator named in the files.
const GENERATOR: &str = throng_format::glb::GENERATOR;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Binary glTF 2.0: a static mesh with its materials and images.
    Glb,
    /// Wavefront OBJ, without materials.
    Obj,
    /// Binary PLY with vertex colours.
    Ply,
    /// Positions and normals in float64.
    Json,
}

impl Format {
    /// All formats with their file extensions.
    const EXTENSIONS: [(&str, Self); 4] = [
        ("glb", Self::Glb),
        ("obj", Self::Obj),
        ("ply", Self::Ply),
        ("json", Self::Json),
    ];

    /// Returns the format of a file extension, in upper or lower case.
    pub fn from_path(path: &Path) -> Result<Self, ExportError> {
        let extension = path.extension().unwrap_or_default();
        Self::EXTENSIONS
            .into_iter()
            .find(|(known, _)| extension.eq_ignore_ascii_case(known))
            .map(|(_, format)| format)
            .ok_or_else(|| ExportError::UnknownExtension { path: path.into() })
    }

    /// Returns the bytes of the file.
    ///
    /// # Panics
    /// If the skinned parts are not those of the character; see [`Posed`].
    pub fn encode(self, posed: &Posed) -> Result<Vec<u8>, ExportError> {
        match self {
            Self::Glb => glb::encode(posed),
            Self::Obj => obj::encode(posed),
            Self::Ply => ply::encode(posed),
            Self::Json => json::encode(posed),
        }
    }
}

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;
    use fixture::{character, skinned};

    #[test]
    fn extension_selects_the_format_in_any_case() {
        let of = |path: &str| Format::from_path(Path::new(path)).ok();
        assert_eq!(of("a/b.glb"), Some(Format::Glb));
        assert_eq!(of("b.tar.OBJ"), Some(Format::Obj));
        assert_eq!(of("b.Ply"), Some(Format::Ply));
        assert_eq!(of("b.JSON"), Some(Format::Json));
        assert_eq!(of("glb"), None);
        assert_eq!(of(""), None);
    }

    #[test]
    fn unsupported_extension_error_lists_the_supported() {
        let error = Format::from_path(Path::new("out.fbx")).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("out.fbx"), "{message}");
        for (extension, _) in Format::EXTENSIONS {
            assert!(message.contains(&format!(".{extension}")), "{message}");
        }
    }

    #[test]
    fn rejects_positions_out_of_range() {
        let character = character();
        let encode = |x: f64, format: Format| {
            let mut parts = skinned(&character);
            parts[1].positions[2].x = x;
            format.encode(&Posed {
                character: &character,
                parts: &parts,
            })
        };
        for (_, format) in Format::EXTENSIONS {
            assert!(encode(f64::from(f32::MAX), format).is_ok(), "{format:?}");
            for x in [f64::NAN, f64::INFINITY] {
                assert!(
                    matches!(
                        encode(x, format),
                        Err(ExportError::NotFinite {
                            part: 1,
                            vertex: 2,
                            ..
                        })
                    ),
                    "{format:?}"
                );
            }
        }
        for format in [Format::Glb, Format::Obj, Format::Ply] {
            let error = encode(1e39, format).unwrap_err();
            assert!(
                matches!(
                    error,
                    ExportError::TooFar {
                        part: 1,
                        vertex: 2,
                        ..
                    }
                ),
                "{error}"
            );
        }
        assert!(encode(1e39, Format::Json).is_ok());
    }

    #[test]
    fn rejects_a_character_without_triangles_except_as_json() {
        let character = fixture::character_without_triangles();
        let parts = skinned(&character);
        let posed = Posed {
            character: &character,
            parts: &parts,
        };
        for format in [Format::Glb, Format::Obj, Format::Ply] {
            assert!(matches!(
                format.encode(&posed),
                Err(ExportError::NothingToDraw { .. })
            ));
        }
        assert!(Format::Json.encode(&posed).is_ok());
    }

    #[test]
    #[should_panic(expected = "one skinned mesh per part")]
    fn panics_on_parts_of_another_character() {
        let character = character();
        let _ = Format::Json.encode(&Posed {
            character: &character,
            parts: &[],
        });
    }
}
