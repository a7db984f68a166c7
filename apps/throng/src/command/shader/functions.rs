//! Functions for engines.

use throng_shaders::translate::translate_functions;
use throng_shaders::{EngineFunctions, palette_functions, vertex_functions};
use throng_wgpu::SetShaders;

use super::{Choice, SourceFile, with_metadata};
use crate::cli::{ShaderArgs, StageChoice};
use crate::command::CommandError;

/// Returns one file per technique; parts of a set may differ in theirs.
pub(super) fn source_files(
    args: &ShaderArgs,
    stage: StageChoice,
    choice: &Choice,
    set: Option<&SetShaders>,
) -> Result<Vec<SourceFile>, CommandError> {
    let functions: Vec<EngineFunctions> = match stage {
        StageChoice::PaletteFunctions => {
            choice.palette.map(palette_functions).into_iter().collect()
        }
        _ => {
            let of_deform = |&deform| {
                let functions = vertex_functions(deform);
                functions.ok_or_else(|| {
                    CommandError::Usage(
                        "functions for engines do not have this skinning method: choose --method dqs, or --encoding vertex"
                            .into(),
                    )
                })
            };
            let functions = choice.deforms.iter().map(of_deform);
            functions.collect::<Result<_, _>>()?
        }
    };
    if functions.is_empty() {
        return Err(CommandError::Usage(
            "this encoding fills no palette: choose --encoding bone-local, add --decode pass, or choose --stage functions"
                .into(),
        ));
    }
    let files = functions.into_iter().map(|functions| {
        let functions = EngineFunctions {
            shader: with_metadata(&functions.shader, args, set)?,
            ..functions
        };
        let names: Vec<_> = functions
            .functions
            .iter()
            .map(|function| function.name)
            .collect();
        Ok(SourceFile {
            name: names.join(", "),
            text: translate_functions(&functions, args.lang)?,
        })
    });
    files.collect()
}
