//! Component types of arrays.

/// A component type, stored little-endian.
pub trait Component: Copy {
    /// `componentType` of glTF.
    const TYPE: u32;
    /// Size in bytes.
    const BYTES: usize;

    /// Appends the value.
    fn put(self, bytes: &mut Vec<u8>);

    /// Reads a value from the first [`Self::BYTES`] bytes; zero where there are fewer.
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
    i8, 5120;
    u8, 5121;
    i16, 5122;
    u16, 5123;
    u32, 5125;
    f32, 5126;
}
