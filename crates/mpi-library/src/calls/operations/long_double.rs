//! Numbers of C's `long double` on x86-64: 80 bits in 16 bytes, which only the x87 unit computes with.

use std::arch::asm;
use std::cmp::Ordering;

/// A number, in the lower 10 of its bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(1))]
pub(super) struct LongDouble(pub [u8; 16]);

macro_rules! computed {
    ($($(#[$doc:meta])* $name:ident $instruction:literal;)*) => {$(
        $(#[$doc])*
        pub fn $name(self, right: Self) -> Self {
            let mut result = self;
            // SAFETY: it reads two numbers, writes one, and leaves the registers of the unit empty.
            unsafe {
                asm!(
                    "fld tbyte ptr [{left}]",
                    "fld tbyte ptr [{right}]",
                    $instruction,
                    "fstp tbyte ptr [{left}]",
                    left = in(reg) &raw mut result.0,
                    right = in(reg) &raw const right.0,
                    out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                    out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                    options(nostack),
                );
            }
            result
        }
    )*};
}

impl LongDouble {
    computed! {
        /// The sum.
        add "faddp st(1), st";
        /// The difference.
        sub "fsubp st(1), st";
        /// The product.
        mul "fmulp st(1), st";
    }

    /// Whether it is no number.
    pub fn is_nan(self) -> bool {
        self.partial_cmp(&self).is_none()
    }
}

impl PartialEq for LongDouble {
    fn eq(&self, right: &Self) -> bool {
        self.partial_cmp(right) == Some(Ordering::Equal)
    }
}

impl PartialOrd for LongDouble {
    fn partial_cmp(&self, right: &Self) -> Option<Ordering> {
        let (above, below, unordered): (u8, u8, u8);
        // SAFETY: it reads two numbers, and leaves the registers of the unit empty.
        unsafe {
            asm!(
                "fld tbyte ptr [{right}]",
                "fld tbyte ptr [{left}]",
                "fucomip st, st(1)",
                "seta {above}",
                "setb {below}",
                "setp {unordered}",
                "fstp st(0)",
                left = in(reg) &raw const self.0,
                right = in(reg) &raw const right.0,
                above = out(reg_byte) above,
                below = out(reg_byte) below,
                unordered = out(reg_byte) unordered,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
        match (unordered, above, below) {
            (0, 1, _) => Some(Ordering::Greater),
            (0, _, 1) => Some(Ordering::Less),
            (0, ..) => Some(Ordering::Equal),
            _ => None,
        }
    }
}
