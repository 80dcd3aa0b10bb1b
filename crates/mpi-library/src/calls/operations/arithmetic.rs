//! Arithmetic of predefined operations: which are defined for which elements, and how they combine them.
//!
//! Of floating-point numbers, one that is no number is the result wherever it takes part, as in NumPy. The standard
//! leaves it open.

#[cfg(target_arch = "x86_64")]
use super::long_double::LongDouble;
use super::{Kernel, Predefined};
use crate::calls::datatypes::{Basic, Kind, Operand};

/// Combines numbers, which are not aligned.
#[inline(always)]
unsafe fn each<T: Copy>(right: *const u8, left: *mut u8, count: usize, combine: impl Fn(T, T) -> T) {
    let (right, left) = (right.cast::<T>(), left.cast::<T>());
    for place in 0..count {
        // SAFETY: the caller says so.
        unsafe {
            let at = left.add(place);
            at.write_unaligned(combine(at.read_unaligned(), right.add(place).read_unaligned()));
        }
    }
}

macro_rules! kernel {
    ($type:ty, $combine:expr) => {
        Some(
            (|right, left, count| {
                // SAFETY: whoever calls a kernel has such operands.
                unsafe { each::<$type>(right, left, count, $combine) }
            }) as Kernel,
        )
    };
}

/// Operations on integers.
macro_rules! integers {
    ($operation:ident $type:ty) => {
        match $operation {
            Predefined::Sum => kernel!($type, <$type>::wrapping_add),
            Predefined::Prod => kernel!($type, <$type>::wrapping_mul),
            Predefined::Min => kernel!($type, <$type>::min),
            Predefined::Max => kernel!($type, <$type>::max),
            Predefined::BitAnd => kernel!($type, |a, b| a & b),
            Predefined::BitOr => kernel!($type, |a, b| a | b),
            Predefined::BitXor => kernel!($type, |a, b| a ^ b),
            Predefined::And | Predefined::Or | Predefined::Xor => truths!($operation $type),
            Predefined::MinLoc | Predefined::MaxLoc | Predefined::Replace | Predefined::Nothing => None,
        }
    };
}

/// Operations on truth values, the result of which is 0 or 1.
macro_rules! truths {
    ($operation:ident $type:ty) => {
        match $operation {
            Predefined::And => kernel!($type, |a, b| <$type>::from(a != 0 && b != 0)),
            Predefined::Or => kernel!($type, |a, b| <$type>::from(a != 0 || b != 0)),
            Predefined::Xor => kernel!($type, |a, b| <$type>::from((a != 0) != (b != 0))),
            _ => None,
        }
    };
}

/// Operations on real numbers.
macro_rules! reals {
    ($operation:ident $type:ty, $add:expr, $mul:expr) => {
        match $operation {
            Predefined::Sum => kernel!($type, $add),
            Predefined::Prod => kernel!($type, $mul),
            Predefined::Min => kernel!($type, |a, b| if b < a || b.is_nan() { b } else { a }),
            Predefined::Max => kernel!($type, |a, b| if b > a || b.is_nan() { b } else { a }),
            _ => None,
        }
    };
}

/// Operations on complex numbers.
macro_rules! complex {
    ($operation:ident $type:ty, $add:expr, $sub:expr, $mul:expr) => {
        match $operation {
            Predefined::Sum => kernel!([$type; 2], |a, b| [$add(a[0], b[0]), $add(a[1], b[1])]),
            Predefined::Prod => kernel!([$type; 2], |a, b| [
                $sub($mul(a[0], b[0]), $mul(a[1], b[1])),
                $add($mul(a[0], b[1]), $mul(a[1], b[0])),
            ]),
            _ => None,
        }
    };
}

/// A number of 16 bits, as IEEE defines it. Sums and products of two are exact in 32 bits, or round as their own do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Half(pub u16);

impl Half {
    pub fn wide(self) -> f32 {
        let (sign, exponent, fraction) = (self.0 >> 15, self.0 >> 10 & 0x1f, self.0 & 0x3ff);
        let size = match exponent {
            0 => f32::from(fraction) * 2_f32.powi(-24),
            31 if fraction == 0 => f32::INFINITY,
            31 => f32::NAN,
            _ => f32::from(0x400 | fraction) * 2_f32.powi(i32::from(exponent) - 25),
        };
        if sign == 1 { -size } else { size }
    }

    /// The number that is nearest; of two, the one with an even fraction.
    pub fn of(number: f32) -> Self {
        let sign = if number.is_sign_negative() { 0x8000 } else { 0 };
        let size = number.abs();
        let magnitude = if number.is_nan() {
            0x7e00
        } else if size >= 65_520.0 {
            0x7c00
        } else if size < 2_f32.powi(-14) {
            // The unit of these numbers is 2^-24; the addition rounds to whole ones.
            (size * 2_f32.powi(24)).round_ties_even() as u16
        } else {
            let bits = size.to_bits() - (112 << 23);
            let is_up = bits & 0x1fff > 0x1000 || bits & 0x3fff == 0x3000;
            (bits >> 13) as u16 + u16::from(is_up)
        };
        Half(sign | magnitude)
    }

    fn is_nan(self) -> bool {
        self.wide().is_nan()
    }

    fn add(self, right: Self) -> Self {
        Self::of(self.wide() + right.wide())
    }

    fn sub(self, right: Self) -> Self {
        Self::of(self.wide() - right.wide())
    }

    fn mul(self, right: Self) -> Self {
        Self::of(self.wide() * right.wide())
    }
}

impl PartialOrd for Half {
    fn partial_cmp(&self, right: &Self) -> Option<std::cmp::Ordering> {
        self.wide().partial_cmp(&right.wide())
    }
}

/// Chooses the better of two pairs of a value and a place; of equal values, the lower place.
#[inline(always)]
unsafe fn pairs<V: Copy + PartialOrd, P: Copy + PartialOrd>(
    (right, left, count): (*const u8, *mut u8, usize),
    is_better: impl Fn(V, V) -> bool,
) {
    let (place_at, bytes) = (size_of::<V>(), size_of::<V>() + size_of::<P>());
    for number in 0..count {
        // SAFETY: the caller says so.
        unsafe {
            let (left, right) = (left.add(number * bytes), right.add(number * bytes));
            let [a, b] = [left.cast_const(), right].map(|at| at.cast::<V>().read_unaligned());
            let place = |at: *const u8| at.add(place_at).cast::<P>().read_unaligned();
            let keeps_left = if a == b { place(left) <= place(right) } else { is_better(a, b) };
            if !keeps_left {
                left.copy_from_nonoverlapping(right, bytes);
            }
        }
    }
}

macro_rules! places {
    ($operation:ident $value:ty, $place:ty) => {
        match $operation {
            Predefined::MinLoc => Some(
                (|right, left, count| {
                    // SAFETY: whoever calls a kernel has such operands.
                    unsafe { pairs::<$value, $place>((right, left, count), |a, b| a < b) }
                }) as Kernel,
            ),
            Predefined::MaxLoc => Some(
                (|right, left, count| {
                    // SAFETY: as above.
                    unsafe { pairs::<$value, $place>((right, left, count), |a, b| a > b) }
                }) as Kernel,
            ),
            _ => None,
        }
    };
}

/// Whether the standard defines an operation for elements.
pub(super) fn is_defined(operation: Predefined, operand: Operand) -> bool {
    use Kind::{Byte, Complex, Float, FortranInteger, Logical, LongComplex, LongDouble, Signed, Unsigned};
    let Operand::Single(Basic { kind, .. }) = operand else {
        let Operand::Pair(value, _) = operand else { return false };
        return matches!(operation, Predefined::MinLoc | Predefined::MaxLoc) && value.kind != Complex;
    };
    match operation {
        Predefined::Sum | Predefined::Prod => {
            matches!(kind, Signed | Unsigned | FortranInteger | Float | LongDouble | Complex | LongComplex)
        }
        Predefined::Min | Predefined::Max => {
            matches!(kind, Signed | Unsigned | FortranInteger | Float | LongDouble)
        }
        Predefined::And | Predefined::Or | Predefined::Xor => matches!(kind, Signed | Unsigned | Logical),
        Predefined::BitAnd | Predefined::BitOr | Predefined::BitXor => {
            matches!(kind, Signed | Unsigned | FortranInteger | Byte)
        }
        Predefined::MinLoc | Predefined::MaxLoc | Predefined::Replace | Predefined::Nothing => false,
    }
}

/// The function that combines elements; none if the operation is not defined for them, or not simulated.
pub(super) fn kernel(operation: Predefined, operand: Operand) -> Option<Kernel> {
    if !is_defined(operation, operand) {
        return None;
    }
    let basic = match operand {
        Operand::Single(basic) => basic,
        Operand::Pair(value, place) => return of_pairs(operation, value, place),
    };
    match (basic.kind, basic.bytes) {
        (Kind::Signed | Kind::FortranInteger, 1) => integers!(operation i8),
        (Kind::Signed | Kind::FortranInteger, 2) => integers!(operation i16),
        (Kind::Signed | Kind::FortranInteger, 4) => integers!(operation i32),
        (Kind::Signed | Kind::FortranInteger, 8) => integers!(operation i64),
        (Kind::FortranInteger, 16) => integers!(operation i128),
        (Kind::Unsigned | Kind::Byte, 1) => integers!(operation u8),
        (Kind::Unsigned, 2) => integers!(operation u16),
        (Kind::Unsigned, 4) => integers!(operation u32),
        (Kind::Unsigned, 8) => integers!(operation u64),
        (Kind::Logical, 1) => truths!(operation u8),
        (Kind::Logical, 2) => truths!(operation u16),
        (Kind::Logical, 4) => truths!(operation u32),
        (Kind::Logical, 8) => truths!(operation u64),
        (Kind::Logical, 16) => truths!(operation u128),
        (Kind::Float, 2) => reals!(operation Half, Half::add, Half::mul),
        (Kind::Float, 4) => reals!(operation f32, |a, b| a + b, |a, b| a * b),
        (Kind::Float, 8) => reals!(operation f64, |a, b| a + b, |a, b| a * b),
        (Kind::Complex, 4) => complex!(operation Half, Half::add, Half::sub, Half::mul),
        (Kind::Complex, 8) => {
            complex!(operation f32, std::ops::Add::add, std::ops::Sub::sub, std::ops::Mul::mul)
        }
        (Kind::Complex, 16) => {
            complex!(operation f64, std::ops::Add::add, std::ops::Sub::sub, std::ops::Mul::mul)
        }
        #[cfg(target_arch = "x86_64")]
        (Kind::LongDouble, _) => reals!(operation LongDouble, LongDouble::add, LongDouble::mul),
        #[cfg(target_arch = "x86_64")]
        (Kind::LongComplex, _) => {
            complex!(operation LongDouble, LongDouble::add, LongDouble::sub, LongDouble::mul)
        }
        _ => None,
    }
}

fn of_pairs(operation: Predefined, value: Basic, place: Basic) -> Option<Kernel> {
    match ((value.kind, value.bytes), (place.kind, place.bytes)) {
        ((Kind::Float, 4), (Kind::Float, 4)) => places!(operation f32, f32),
        ((Kind::Float, 8), (Kind::Float, 8)) => places!(operation f64, f64),
        ((Kind::Float, 4), _) => places!(operation f32, i32),
        ((Kind::Float, 8), _) => places!(operation f64, i32),
        ((Kind::Signed, 2), _) => places!(operation i16, i32),
        ((_, 4), _) => places!(operation i32, i32),
        ((Kind::Signed, 8), _) => places!(operation i64, i32),
        #[cfg(target_arch = "x86_64")]
        ((Kind::LongDouble, _), _) => places!(operation LongDouble, i32),
        _ => None,
    }
}
