//! Pictures of the documentation, each with the command that draws it.

use crate::metadata::{cargo, workspace_root};
use crate::program::succeed;

/// A picture of docs/images, and the arguments of `throng render` that draw it.
struct Image {
    file: &'static str,
    args: &'static str,
}

/// All pictures that `throng render` draws.
const IMAGES: [Image; 14] = [
    Image {
        file: "crowd.png",
        args: "--instances 600 --camera street --light evening --size 1120x630",
    },
    Image {
        file: "scatter.png",
        args: "--instances 2000 --technique bone-qt --size 880x495",
    },
    Image {
        file: "ring.png",
        args: "--instances 300 --arrangement ring --size 960x540",
    },
    Image {
        file: "stadium.png",
        args: "--instances 100000 --lod auto --camera stadium --size 960x540",
    },
    Image {
        file: "humanoid.png",
        args: "--placements docs/images/humanoid.csv --outfits one --tint none --size 1200x480",
    },
    Image {
        file: "hero.png",
        args: "",
    },
    Image {
        file: "compare.png",
        args: "--compare cpu,palette-dq,bone-dq,vertex --clip dance --time 1.2 --show-error",
    },
    Image {
        file: "heat.png",
        args: "--compare bone-local,bone-qt,vertex --clip run --time 0.1953125 --show-error --size 1280x640",
    },
    Image {
        file: "twist.png",
        args: "builtin:cylinder --clip twist --time 1 \
               --compare palette-matrix:lbs,palette-dq:dqs,bone-dq:dqs,palette-dq:blend:0.5",
    },
    Image {
        file: "methods.png",
        args: "builtin:cylinder --rotate 2=0,0,120 \
               --compare palette-matrix:lbs,palette-dq:blend:0.5,palette-dq:dqs --size 1280x480",
    },
    Image {
        file: "methods-twist.png",
        args: "builtin:cylinder --clip twist --size 1080x608 \
               --methods lbs,dqs,blend:auto,cor,dqs-bulge-free,sclerp",
    },
    Image {
        file: "methods-bend.png",
        args: "builtin:cylinder --clip bend --size 1080x608 \
               --methods lbs,dqs,blend:auto,cor,dqs-bulge-free,sclerp",
    },
    Image {
        file: "methods-shoulder.png",
        args: "--clip wave --focus right_upper_arm --size 1080x608 \
               --methods lbs,dqs,blend:auto,cor,dqs-bulge-free,sclerp",
    },
    Image {
        file: "methods-wrist.png",
        args: "builtin:humanoid:30000 --rotate right_hand=0,120,0 --focus right_hand --size 1080x608 \
               --methods lbs,dqs,blend:auto,cor,dqs-bulge-free,sclerp",
    },
];

/// Draws the pictures with these file names, or all.
pub fn run(files: &[String]) -> Result<(), String> {
    let known = |file: &String| IMAGES.iter().any(|image| image.file == file);
    if let Some(unknown) = files.iter().find(|file| !known(file)) {
        let names = IMAGES.map(|image| image.file).join(", ");
        return Err(format!(
            "unknown picture '{unknown}'; expected one of {names}"
        ));
    }
    let folder = workspace_root().join("docs/images");
    let is_wanted = |image: &&Image| files.is_empty() || files.iter().any(|f| f == image.file);
    for Image { file, args } in IMAGES.iter().filter(is_wanted) {
        println!("throng render {args} -o docs/images/{file}");
        let mut render = cargo();
        render
            .args(["run", "--quiet", "--locked", "--package", "throng", "--"])
            .arg("render")
            .args(args.split_whitespace())
            .arg("-o")
            .arg(folder.join(file));
        succeed(&mut render, "throng render")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_picture_is_in_the_documentation() {
        let read = |path: &str| std::fs::read_to_string(workspace_root().join(path)).unwrap();
        let pages = ["README.md", "docs/methods.md"].map(read).concat();
        for image in &IMAGES {
            assert!(pages.contains(image.file), "{}", image.file);
        }
    }

    #[test]
    fn unknown_pictures_are_rejected() {
        let error = run(&["crowds.png".to_owned()]).unwrap_err();
        assert!(
            error.contains("crowds.png") && error.contains("hero.png"),
            "{error}"
        );
    }
}
