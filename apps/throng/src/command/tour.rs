//! The tour that `throng` prints without arguments.

use std::io::Write;

use throng_import::builtin::BUILTINS;

use super::CommandError;
use crate::cli::DEFAULT_SOURCE;

/// Prints what Throng does, and commands to try.
pub fn tour(out: &mut impl Write) -> Result<(), CommandError> {
    writeln!(
        out,
        "\
Throng bakes skeletal animation into animation textures (VAT and bone textures)
for GPU crowds, and reports the exact error against float64 skinning.

Inspect a character:
  throng inspect                      the built-in {DEFAULT_SOURCE}
  throng inspect knight.glb           parts, joints, clips, warnings of a file
  throng inspect --json knight.glb    the same as JSON

Bake a texture set, and verify what is on disk:
  throng bake                         the smallest set within 0.028 % of size
  throng bake knight.glb -o knight --max-bytes 64k
  throng verify humanoid.throng --max-error 0.028%

Bake a folder of characters; unchanged files are skipped:
  throng bake characters/ -o library

Print the shader that decodes an encoding:
  throng shader --encoding bone-qt --lang glsl --stage vertex

Draw a character or a crowd:
  throng render -o humanoid.png
  throng render --instances 30 --frames 4 --size 160x90 -o crowd.png

Measure techniques against each other, with a report to open in a browser:
  throng bench --max-time 10s         the built-in humanoid; minutes by default
  throng bench knight.glb --techniques bone-local,vertex,palette-matrix -o bench

Pose a character, and open the mesh in any viewer:
  throng pose --clip walk --time 0.4 --method blend:0.5 -o walk.glb
  throng pose builtin:cylinder --clip twist --time 1 --method lbs -o lbs.glb
  throng pose builtin:cylinder --clip twist --time 1 --method dqs -o dqs.glb
  throng pose knight.glb --clip Walk --time 0.4 --method blend:0.5 -o knight.obj

Built-in characters:"
    )?;
    for (name, description) in BUILTINS {
        writeln!(out, "  builtin:{name:<10} {description}")?;
    }
    writeln!(out, "\n`throng help COMMAND` lists all options.")?;
    Ok(())
}
