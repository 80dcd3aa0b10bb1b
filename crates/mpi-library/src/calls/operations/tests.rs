//! Operations against simple loops.

use super::arithmetic::Half;
use super::{Form, Operation, Predefined, kernel, predefined};
use crate::calls::datatypes::{Type, named_type};
use crate::constants as c;
use proptest::prelude::*;
use std::rc::Rc;

const OPERATIONS: [usize; 14] = [
    c::SUM,
    c::PROD,
    c::MIN,
    c::MAX,
    c::LAND,
    c::LOR,
    c::LXOR,
    c::BAND,
    c::BOR,
    c::BXOR,
    c::MINLOC,
    c::MAXLOC,
    c::REPLACE,
    c::NO_OP,
];

fn named(constant: usize) -> Rc<Type> {
    Rc::new(named_type(constant).unwrap())
}

fn operation(constant: usize) -> Operation {
    let (operation, name) = predefined(constant).unwrap();
    Operation(Form::Predefined(operation, name))
}

/// Folds operands that are numbers.
fn fold<T: Copy + Default>(op: usize, datatype: usize, operands: &[Vec<T>]) -> Vec<T> {
    let datatype = named(datatype);
    let bytes = size_of_val(&operands[0][..]) as u64;
    assert_eq!(bytes % datatype.size, 0);
    // Numbers are not aligned in messages.
    let unaligned = |operand: &Vec<T>| {
        let mut bytes = vec![0_u8; size_of_val(&operand[..]) + 1];
        // SAFETY: there is room for the numbers, the first byte aside.
        unsafe {
            bytes.as_mut_ptr().add(1).copy_from_nonoverlapping(operand.as_ptr().cast(), bytes.len() - 1)
        };
        bytes
    };
    let messages: Vec<_> = operands.iter().map(unaligned).collect();
    let mut result = vec![T::default(); operands[0].len()];
    let operands = messages.iter().map(|message| message[1..].as_ptr());
    // SAFETY: all have the same length.
    unsafe {
        operation(op).fold(&datatype, bytes / datatype.size, operands, result.as_mut_ptr().cast()).unwrap()
    };
    result
}

macro_rules! against_loops {
    ($($name:ident $datatype:ident $type:ty: $($op:ident $combine:expr),*;)*) => {
        proptest! {
            $(
                #[test]
                fn $name(operands in operands::<$type>()) {
                    $({
                        let combine: fn($type, $type) -> $type = $combine;
                        let expected: Vec<_> = (0..operands[0].len())
                            .map(|place| operands.iter().map(|operand| operand[place]).reduce(combine).unwrap())
                            .collect();
                        let folded = fold(c::$op, c::$datatype, &operands);
                        // As text, in which all that are no numbers are equal.
                        prop_assert_eq!(format!("{folded:?}"), format!("{expected:?}"));
                    })*
                }
            )*
        }
    };
}

fn operands<T: Arbitrary + Clone>() -> impl Strategy<Value = Vec<Vec<T>>> {
    (1..9_usize)
        .prop_flat_map(|length| prop::collection::vec(prop::collection::vec(any::<T>(), length), 1..6))
}

against_loops! {
    signed_integers INT i32: SUM |a, b| a.wrapping_add(b), PROD |a, b| a.wrapping_mul(b), MIN |a, b| a.min(b),
        MAX |a, b| a.max(b), BAND |a, b| a & b, BOR |a, b| a | b, BXOR |a, b| a ^ b;
    long_integers AINT i64: SUM |a, b| a.wrapping_add(b), MIN |a, b| a.min(b), MAX |a, b| a.max(b);
    unsigned_integers UNSIGNED_SHORT u16: SUM |a, b| a.wrapping_add(b), MIN |a, b| a.min(b), MAX |a, b| a.max(b);
    characters CHAR i8: MIN |a, b| a.min(b), MAX |a, b| a.max(b);
    long_fortran_integers INTEGER16 i128: SUM |a, b| a.wrapping_add(b), MAX |a, b| a.max(b);
    bytes BYTE u8: BAND |a, b| a & b, BOR |a, b| a | b, BXOR |a, b| a ^ b;
    doubles DOUBLE f64: SUM |a, b| a + b, PROD |a, b| a * b, MIN |a, b| if b < a { b } else { a },
        MAX |a, b| if b > a { b } else { a };
    floats REAL f32: SUM |a, b| a + b, PROD |a, b| a * b;
}

#[test]
fn truth_values_are_0_or_1() {
    let of = |op| fold(op, c::LOGICAL, &[vec![0, 0, 5, -1], vec![0, 7, 0, 3]]);
    assert_eq!(of(c::LAND), [0, 0, 0, 1]);
    assert_eq!(of(c::LOR), [0, 1, 1, 1]);
    assert_eq!(of(c::LXOR), [0, 1, 1, 0]);
    assert_eq!(fold(c::LXOR, c::INT, &[vec![4, 4], vec![4, 0], vec![4, 0]]), [1, 1]);
    assert_eq!(fold(c::LAND, c::C_BOOL, &[vec![1_u8, 1], vec![1, 0]]), [1, 0]);
}

#[test]
fn complex_numbers_are_multiplied_part_by_part() {
    let operands = [vec![1.0, 2.0, 0.0, 1.0], vec![3.0, -1.0, 0.0, 1.0]];
    assert_eq!(fold(c::PROD, c::C_DOUBLE_COMPLEX, &operands), [5.0, 5.0, -1.0, 0.0]);
    assert_eq!(fold(c::SUM, c::DOUBLE_COMPLEX, &operands), [4.0, 1.0, 0.0, 2.0]);
    let operands = operands.map(|operand| operand.into_iter().map(|part| part as f32).collect());
    assert_eq!(fold(c::PROD, c::COMPLEX8, &operands), [5.0_f32, 5.0, -1.0, 0.0]);
}

#[test]
fn what_is_no_number_stays_so() {
    for operands in [[vec![f64::NAN], vec![1.0]], [vec![1.0], vec![f64::NAN]]] {
        assert!(
            fold(c::MIN, c::DOUBLE, &operands)[0].is_nan() && fold(c::MAX, c::DOUBLE, &operands)[0].is_nan()
        );
    }
}

#[test]
fn of_equal_values_the_lower_place_wins() {
    // Packed pairs: a double, or an integer of 2 bytes, and an integer of 4.
    let pairs = |pairs: &[(f64, i32)]| -> Vec<u8> {
        pairs
            .iter()
            .flat_map(|(value, place)| [&value.to_le_bytes()[..], &place.to_le_bytes()].concat())
            .collect()
    };
    let operands = [pairs(&[(1.0, 5), (2.0, 0)]), pairs(&[(1.0, 3), (3.0, 1)]), pairs(&[(1.0, 4), (1.0, 2)])];
    assert_eq!(fold(c::MINLOC, c::DOUBLE_INT, &operands), pairs(&[(1.0, 3), (1.0, 2)]));
    assert_eq!(fold(c::MAXLOC, c::DOUBLE_INT, &operands), pairs(&[(1.0, 3), (3.0, 1)]));
    let short = |value: u8, place: u8| vec![value, 0, place, 0, 0, 0];
    assert_eq!(fold(c::MAXLOC, c::SHORT_INT, &[short(7, 1), short(9, 2), short(9, 0)]), short(9, 0));
    assert_eq!(fold(c::MINLOC, c::_2INT, &[vec![4, 1, 2, 1], vec![4, 0, 3, 0]]), [4, 0, 2, 1]);
    assert_eq!(fold(c::MINLOC, c::_2REAL, &[vec![4.0_f32, 1.0], vec![4.0, 0.5]]), [4.0, 0.5]);
}

#[test]
fn half_numbers_are_rounded_to_the_nearest() {
    for bits in 0..=u16::MAX {
        let wide = Half(bits).wide();
        assert!(wide.is_nan() || Half::of(wide) == Half(bits), "{bits:x}");
    }
    let of = |number: f32| Half::of(number).0;
    assert_eq!(
        [of(1.0), of(-2.0), of(65_504.0), of(65_519.9), of(65_520.0)],
        [0x3c00, 0xc000, 0x7bff, 0x7bff, 0x7c00]
    );
    assert_eq!(of(1.0 + 1.0 / 2048.0), 0x3c00, "to the even one");
    assert_eq!(of(1.0 + 3.0 / 2048.0), 0x3c02, "to the even one");
    assert_eq!([of(2_f32.powi(-24)), of(2_f32.powi(-25)), of(1.5 * 2_f32.powi(-25))], [1, 0, 1]);
    assert_eq!(of(2_f32.powi(-14) - 2_f32.powi(-26)), 0x400, "to the lowest normal one");
    assert_eq!(fold(c::SUM, c::REAL2, &[vec![of(1.0)], vec![of(0.5)]]), [of(1.5)]);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn long_doubles_have_a_mantissa_of_64_bits() {
    let long = |head: u128, mantissa: u128| head << 64 | mantissa;
    let (one, tiny) = (long(0x3fff, 1 << 63), long(0x3fff - 63, 1 << 63));
    let (sum, minus) = (long(0x3fff, 1 << 63 | 1), long(0xbfff, 1 << 63));
    let of = |op, operands: &[u128]| {
        let operands: Vec<_> = operands.iter().map(|operand| vec![*operand]).collect();
        fold(op, c::LONG_DOUBLE, &operands)[0]
    };
    assert_eq!(of(c::SUM, &[one, tiny]), sum);
    assert_eq!(of(c::SUM, &[sum, minus]), tiny, "from left to right");
    assert_eq!(of(c::PROD, &[sum, tiny]), long(0x3fff - 63, 1 << 63 | 1));
    assert_eq!([of(c::MIN, &[one, sum, tiny]), of(c::MAX, &[one, sum, tiny])], [tiny, sum]);
    let nan = long(0x7fff, 3 << 62);
    assert_eq!([of(c::MIN, &[one, nan]), of(c::MAX, &[nan, one])], [nan, nan]);
    let complex = [vec![one, one], vec![one, minus]];
    assert_eq!(fold(c::PROD, c::C_LONG_DOUBLE_COMPLEX, &complex), [long(0x4000, 1 << 63), 0]);
    let pair = |value: u128, place: u32| [&value.to_le_bytes()[..], &place.to_le_bytes()].concat();
    assert_eq!(
        fold(c::MINLOC, c::LONG_DOUBLE_INT, &[pair(one, 2), pair(tiny, 1), pair(tiny, 4)]),
        pair(tiny, 1)
    );
}

/// The names of the operations that are defined for a datatype.
fn defined(constant: usize) -> Vec<&'static str> {
    let made = named(constant);
    let operations = OPERATIONS.map(|op| predefined(op).unwrap());
    let is_there = |&(operation, name): &(Predefined, &str)| kernel(operation, name, &made).is_ok();
    operations.iter().filter(|it| is_there(it)).map(|it| it.1.trim_start_matches("MPI_")).collect()
}

#[test]
fn operations_are_defined_as_in_the_standard() {
    let integer = ["SUM", "PROD", "MIN", "MAX", "LAND", "LOR", "LXOR", "BAND", "BOR", "BXOR"];
    for constant in [c::INT, c::CHAR, c::UINT64_T, c::COUNT, c::OFFSET, c::SIGNED_CHAR, c::UNSIGNED_CHAR] {
        assert_eq!(defined(constant), integer);
    }
    let of_fortran = ["SUM", "PROD", "MIN", "MAX", "BAND", "BOR", "BXOR"];
    assert_eq!([defined(c::INTEGER), defined(c::INTEGER16)], [of_fortran; 2]);
    for constant in [c::FLOAT, c::DOUBLE_PRECISION, c::REAL2] {
        assert_eq!(defined(constant), ["SUM", "PROD", "MIN", "MAX"]);
    }
    for constant in [c::COMPLEX, c::C_DOUBLE_COMPLEX, c::CXX_FLOAT_COMPLEX, c::COMPLEX4] {
        assert_eq!(defined(constant), ["SUM", "PROD"]);
    }
    for constant in [c::LOGICAL, c::LOGICAL16, c::C_BOOL, c::CXX_BOOL] {
        assert_eq!(defined(constant), ["LAND", "LOR", "LXOR"]);
    }
    assert_eq!(defined(c::BYTE), ["BAND", "BOR", "BXOR"]);
    for constant in [c::FLOAT_INT, c::_2INT, c::_2DOUBLE_PRECISION, c::_2INTEGER, c::LONG_INT] {
        assert_eq!(defined(constant), ["MINLOC", "MAXLOC"]);
    }
    for constant in [c::PACKED, c::WCHAR, c::CHARACTER, c::_2COMPLEX, c::LB] {
        assert!(defined(constant).is_empty());
    }
    #[cfg(target_arch = "x86_64")]
    assert_eq!(defined(c::LONG_DOUBLE), ["SUM", "PROD", "MIN", "MAX"]);
}

#[test]
fn errors_say_what_is_missing() {
    let words = |op: usize, datatype: &Type| {
        let error = operation(op).check(datatype).unwrap_err();
        assert_eq!(error.code, c::ERR_OP);
        error.words
    };
    assert_eq!(words(c::SUM, &named(c::CHARACTER)), "MPI_SUM is not defined for MPI_CHARACTER");
    assert_eq!(words(c::SUM, &named(c::REAL16)), "MPI_SUM is not simulated for MPI_REAL16");
    assert_eq!(words(c::REPLACE, &named(c::INT)), "op is MPI_REPLACE, which is for one-sided communication");
    assert!(
        words(c::SUM, &Type::nothing())
            .starts_with("op is MPI_SUM, which is defined for predefined datatypes")
    );
}
