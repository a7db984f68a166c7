//! A folder of files as one input.
//!
//! Files are separated by lines that name them. There are no lengths, so that a fuzzer may insert and remove bytes
//! anywhere without damaging the files that follow.

/// Start of the line that begins a file; the rest of the line is its name.
const MARK: &[u8] = b"\n#file ";

/// Joins files to an archive.
pub fn join<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, content) in files {
        archive.extend(MARK);
        archive.extend(name.as_bytes());
        archive.push(b'\n');
        archive.extend(content);
    }
    archive
}

/// Splits any bytes into files. Files without a plain name are left out.
pub fn split(archive: &[u8]) -> Vec<(&str, &[u8])> {
    let mut files = Vec::new();
    let mut rest = match find(archive, MARK) {
        Some(at) => &archive[at + MARK.len()..],
        None => return files,
    };
    loop {
        let next = find(rest, MARK);
        let file = &rest[..next.unwrap_or(rest.len())];
        if let Some(line) = file.iter().position(|&byte| byte == b'\n')
            && let Ok(name) = std::str::from_utf8(&file[..line])
            && is_plain(name)
        {
            files.push((name, &file[line + 1..]));
        }
        match next {
            Some(at) => rest = &rest[at + MARK.len()..],
            None => return files,
        }
    }
}

/// Whether a name is that of a file in the folder itself.
fn is_plain(name: &str) -> bool {
    let mut letters = name.bytes();
    (1..=64).contains(&name.len())
        && letters.all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        && !name.starts_with('.')
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_round_trip() {
        let files = [("a.json", &b"{}\n"[..]), ("b.ktx2", b""), ("c", b"\n\n")];
        assert_eq!(split(&join(files)), files);
    }

    #[test]
    fn leaves_out_names_that_are_paths() {
        let files = [("../a", &b"1"[..]), ("", b"2"), (".x", b"3"), ("b", b"4")];
        assert_eq!(split(&join(files)), [("b", &b"4"[..])]);
        assert!(split(b"no file").is_empty());
    }
}
