//! What a new user sees first.

use std::io::Write;

use throng_import::builtin::BUILTINS;

use super::CommandError;
use crate::cli::DEFAULT_SOURCE;

/// A short tour: what Throng is, what to run next.
pub fn tour(out: &mut impl Write) -> Result<(), CommandError> {
    writeln!(
        out,
        "\
Throng brings skinned characters in, bakes their clips into textures, and
proves what was lost.

Look at one:
  throng inspect                      a built-in one, {DEFAULT_SOURCE}
  throng inspect knight.glb           parts, joints, clips, warnings of a file
  throng inspect --json knight.glb    the same for programs

Bake one, and measure what is on disk:
  throng bake                         the smallest set within 0.028 % of size
  throng bake knight.glb -o knight --max-bytes 64k
  throng verify humanoid.throng --max-error 0.028%

Print what decodes it, for an engine:
  throng shader --encoding bone-qt --lang glsl --stage vertex

Draw one, or a crowd:
  throng render -o humanoid.png
  throng render --instances 30 --frames 4 --size 160x90 -o crowd.png

Pose one and open the result in any viewer:
  throng pose --clip walk --time 0.4 --method blend:0.5 -o walk.glb
  throng pose builtin:cylinder --clip twist --time 1 --method lbs -o lbs.glb
  throng pose builtin:cylinder --clip twist --time 1 --method dqs -o dqs.glb
  throng pose knight.glb --clip Walk --time 0.4 --method blend:0.5 -o knight.obj

Built-in characters need no file:"
    )?;
    for (name, what) in BUILTINS {
        writeln!(out, "  builtin:{name:<10} {what}")?;
    }
    writeln!(out, "\n`throng help COMMAND` tells every option.")?;
    Ok(())
}
