//! The command that does what the viewer shows, so that it can be copied into a script, and that exports run.

use throng_format::Storage;

use crate::choice::{Budget, EffortChoice, RateChoice, VertexSharing};
use crate::state::BakeKey;

/// Arguments of `throng bake` for a bake of the viewer.
pub fn bake_arguments(
    source: &str,
    sharing: VertexSharing,
    key: &BakeKey,
    output: &str,
) -> Vec<String> {
    let choice = &key.choice;
    let mut arguments = vec!["bake".to_owned(), source.to_owned()];
    let mut add = |name: &str, value: String| arguments.extend([name.to_owned(), value]);
    add("-o", output.to_owned());
    if let Some(encoding) = choice.encoding {
        add("--encoding", encoding.to_string());
    }
    match choice.storage {
        Some(Storage::Compressed) => add("--layout", "compressed".into()),
        Some(Storage::Frames(precision)) => add("--precision", precision.to_string()),
        None => {}
    }
    match choice.rate {
        RateChoice::Native => {}
        RateChoice::Auto => add("--rate", "auto".into()),
        RateChoice::Hz(hz) => add("--rate", hz.to_string()),
    }
    match choice.budget {
        Budget::Default => {}
        Budget::ErrorMm(mm) => add("--max-error", format!("{mm}mm")),
        Budget::KiB(kib) => add("--max-bytes", format!("{kib}k")),
    }
    match choice.effort {
        EffortChoice::Fast => add("--effort", "fast".into()),
        EffortChoice::Normal => {}
        EffortChoice::Best => add("--effort", "best".into()),
    }
    if let Some(count) = choice.influences {
        add("--max-influences", count.to_string());
    }
    if let Some(skinning) = key.skinning {
        add("--method", skinning.to_string());
    }
    if sharing == VertexSharing::Split {
        add("--positions", "split".into());
    }
    arguments
}

/// Returns a command for a shell, with quotes where they are needed.
pub fn shell_command(arguments: &[String]) -> String {
    let quoted = arguments.iter().map(|argument| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+,%@".contains(c);
        match !argument.is_empty() && argument.chars().all(is_plain) {
            true => argument.clone(),
            false => format!("'{}'", argument.replace('\'', r"'\''")),
        }
    });
    let words: Vec<String> = std::iter::once("throng".to_owned()).chain(quoted).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use throng_format::{Encoding, Precision};

    use super::*;
    use crate::choice::BakeChoice;

    #[test]
    fn default_bake_has_no_options_but_its_effort() {
        let key = BakeKey {
            choice: BakeChoice::default(),
            skinning: None,
        };
        let arguments = bake_arguments("knight.glb", VertexSharing::Shared, &key, "knight.throng");
        assert_eq!(
            shell_command(&arguments),
            "throng bake knight.glb -o knight.throng --effort fast"
        );
    }

    #[test]
    fn every_parameter_is_an_option() {
        let key = BakeKey {
            choice: BakeChoice {
                encoding: Some(Encoding::BoneQt),
                storage: Some(Storage::Frames(Precision::Unorm8)),
                rate: RateChoice::Hz(24.0),
                influences: Some(2),
                budget: Budget::ErrorMm(1.5),
                effort: EffortChoice::Best,
            },
            skinning: Some(throng_rig::Method::Dqs.into()),
        };
        let arguments = bake_arguments("it's me.fbx", VertexSharing::Split, &key, "out");
        assert_eq!(
            shell_command(&arguments),
            "throng bake 'it'\\''s me.fbx' -o out --encoding bone-qt --precision unorm8 --rate 24 --max-error 1.5mm \
             --effort best --max-influences 2 --method dqs --positions split"
        );
    }
}
