//! Texture files are written and read without a second copy, and damaged files need no more memory than valid ones.
//!
//! A counting allocator measures the peak of live bytes. It does not see allocations of Zstandard, which the window
//! limits.

#[allow(dead_code, reason = "the tests of files use all of it")]
#[path = "files/common.rs"]
mod common;

use std::io::{self, Cursor, Seek, SeekFrom, Write};

use common::{storages, texture, write_files};
use throng_format::TexelFormat;
use throng_format::file::{self, ExpectedTexture, FileFormat};
use throng_testkit::{CountingAllocator, Random, peak_of_process};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// A writer that discards all bytes.
struct Nowhere(u64);

impl Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Nowhere {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(at) => self.0 = at,
            other => assert_eq!(other, SeekFrom::Current(0)),
        }
        Ok(self.0)
    }
}

/// Limit of the libraries' buffers, independent of the texture's size.
const BUFFERS: usize = 1 << 20;

/// A single test, since allocations of concurrent tests would be counted too.
#[test]
fn memory_stays_within_limits() {
    for texels in TexelFormat::ALL {
        let texture = texture(texels, [512, 1024, 2], 2);
        for storage in storages(texels) {
            let files = write_files(&texture, storage);
            for index in 0..files.len() as u32 {
                let (result, peak) = peak_of_process(|| {
                    file::write(&texture, index, storage.0, storage.1, &mut Nowhere(0))
                });
                result.unwrap();
                println!("{texels} as {storage:?}: {peak} bytes to write");
                assert!(
                    peak < BUFFERS,
                    "{texels} as {storage:?}: {peak} bytes to write"
                );
            }
            let expected = ExpectedTexture::new(texels, texture.size()).unwrap();
            let (read, peak) = peak_of_process(|| {
                let mut bytes = Vec::new();
                for file in &files {
                    file::read(storage.0, &expected, &mut Cursor::new(file), &mut bytes).unwrap();
                }
                bytes
            });
            let extra = peak - read.len();
            println!("{texels} as {storage:?}: {extra} bytes to read");
            assert!(
                extra < BUFFERS,
                "{texels} as {storage:?}: {extra} bytes to read"
            );
        }
    }
    for bomb in png_bombs() {
        let expected = ExpectedTexture::new(TexelFormat::Rgb8Unorm, [3, 3, 1]).unwrap();
        let mut input = Cursor::new(&bomb);
        let (_, peak) =
            peak_of_process(|| file::read(FileFormat::Png, &expected, &mut input, &mut Vec::new()));
        println!("a bomb of {} bytes: {peak} bytes to read", bomb.len());
        assert!(peak < 2 * BUFFERS, "{peak} bytes to read");
    }
    check_damaged_files();
}

/// Headers with extreme lengths and counts.
fn check_damaged_files() {
    let mut random = Random::new(1);
    for texels in TexelFormat::ALL {
        let texture = texture(texels, [7, 21, 1], 2);
        for storage in storages(texels) {
            let valid = write_files(&texture, storage).remove(0);
            let expected = ExpectedTexture::new(texels, texture.size()).unwrap();
            let mut worst = 0;
            for _ in 0..2000 {
                let mut file = valid.clone();
                let at = random.below(file.len().min(400) - 4);
                let length = 1 + random.below(4);
                let byte = [0xff, 0x7f, 0x40, 0x0f][random.below(4)];
                file[at..at + length].fill(byte);
                let mut input = Cursor::new(&file);
                let (_, peak) = peak_of_process(|| {
                    file::read(storage.0, &expected, &mut input, &mut Vec::new())
                });
                worst = worst.max(peak);
            }
            println!("{texels} as {storage:?}: {worst} bytes to read the worst");
            assert!(worst < BUFFERS, "{texels} as {storage:?}: {worst} bytes");
        }
    }
}

/// Valid PNGs with an additional chunk of 16 MB, uncompressed or compressed.
fn png_bombs() -> Vec<Vec<u8>> {
    let long = "n".repeat(16 << 20);
    let make = |add: &dyn Fn(&mut png::Encoder<'_, &mut Vec<u8>>)| {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, 3, 3);
        encoder.set_color(png::ColorType::Rgb);
        add(&mut encoder);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&[0; 27]).unwrap();
        writer.finish().unwrap();
        out
    };
    let key = || "Comment".to_owned();
    vec![
        make(&|encoder| encoder.add_text_chunk(key(), long.clone()).unwrap()),
        make(&|encoder| encoder.add_ztxt_chunk(key(), long.clone()).unwrap()),
        make(&|encoder| encoder.add_itxt_chunk(key(), long.clone()).unwrap()),
    ]
}
