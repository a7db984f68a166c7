//! The numbers that arrays are made of.

/// A number as it lies in a buffer: little-endian.
pub trait Component: Copy {
    /// The code of glTF.
    const TYPE: u32;
    /// How long it is.
    const BYTES: usize;

    /// Puts it at the end.
    fn put(self, bytes: &mut Vec<u8>);

    /// Reads the first [`Self::BYTES`] bytes; zero where there are fewer.
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! component {
    ($($number:ty, $code:literal;)*) => {$(
        impl Component for $number {
            const TYPE: u32 = $code;
            const BYTES: usize = size_of::<$number>();

            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }

            fn get(bytes: &[u8]) -> Self {
                let first = bytes.first_chunk().copied().unwrap_or_default();
                Self::from_le_bytes(first)
            }
        }
    )*};
}

component! {
    u8, 5121;
    u16, 5123;
    u32, 5125;
    f32, 5126;
}
