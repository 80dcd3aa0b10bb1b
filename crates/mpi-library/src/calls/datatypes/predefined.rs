//! Predefined datatypes: those of constants, and those that a program asks for by their precision or size.
//!
//! A pair has the layout that a C compiler gives a structure of its two elements.

use super::constructors::{Block, structure_of};
use super::contents::Contents;
use super::elements::{Basic, Elements, Kind};
use super::layout::Layout;
use super::{Bounds, Type, of};
use crate::abi::{Datatype, Ref, Typeclass};
use crate::calls::texts;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::of_process::OfProcess;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::rc::Rc;

pub(crate) static PREDEFINED: OfProcess<Predefined> = OfProcess::new(Predefined::new());

/// An operand of operations: elements that are alike, or pairs of a value and a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Single(Basic),
    Pair(Basic, Basic),
}

const FIRST: usize = c::DATATYPE_NULL;
const NUMBER: usize = c::_2DOUBLE_COMPLEX + 1 - FIRST;

/// The predefined datatypes that the program has used.
#[derive(Debug)]
pub(crate) struct Predefined {
    named: [OnceCell<Rc<Type>>; NUMBER],
    /// Those of a combiner, a precision and a range, as numbers of decimal digits.
    of_digits: RefCell<BTreeMap<(c_int, c_int, c_int), Rc<Type>>>,
}

impl Predefined {
    pub const fn new() -> Self {
        let of_digits = RefCell::new(BTreeMap::new());
        Predefined { named: [const { OnceCell::new() }; NUMBER], of_digits }
    }

    /// The datatype of a constant.
    pub fn get(&self, datatype: Datatype) -> Option<Rc<Type>> {
        let place = self.named.get(datatype.0.checked_sub(FIRST)?)?;
        if place.get().is_none() {
            let _ = place.set(Rc::new(named(datatype.0)?));
        }
        place.get().cloned()
    }
}

const fn basic(kind: Kind, bytes: u8) -> Basic {
    Basic { kind, bytes, external_bytes: bytes }
}

const SHORT: Basic = basic(Kind::Signed, 2);
const INT: Basic = basic(Kind::Signed, 4);
const LONG: Basic = Basic { kind: Kind::Signed, bytes: 8, external_bytes: 4 };
const FLOAT: Basic = basic(Kind::Float, 4);
const DOUBLE: Basic = basic(Kind::Float, 8);
const LONG_DOUBLE: Basic = basic(Kind::LongDouble, 16);
const INTEGER: Basic = basic(Kind::FortranInteger, 4);

/// The elements of a constant. The standard has the sizes of external data in its table of "external32".
fn operand(constant: usize) -> Option<Operand> {
    use Kind::{Complex, Float, FortranInteger, Logical, LongComplex, Opaque, Signed, Unsigned};
    let pair = |value, place| Some(Operand::Pair(value, place));
    Some(Operand::Single(match constant {
        // Operations are not defined for MPI_CHAR in the standard, but are in MPICH.
        c::CHAR | c::SIGNED_CHAR | c::INT8_T => basic(Signed, 1),
        c::SHORT | c::INT16_T => SHORT,
        c::INT | c::INT32_T => INT,
        c::LONG => LONG,
        c::LONG_LONG | c::INT64_T | c::AINT | c::COUNT | c::OFFSET => basic(Signed, 8),
        c::UNSIGNED_CHAR | c::UINT8_T => basic(Unsigned, 1),
        c::UNSIGNED_SHORT | c::UINT16_T => basic(Unsigned, 2),
        c::UNSIGNED | c::UINT32_T => basic(Unsigned, 4),
        c::UNSIGNED_LONG => Basic { kind: Unsigned, bytes: 8, external_bytes: 4 },
        c::UNSIGNED_LONG_LONG | c::UINT64_T => basic(Unsigned, 8),
        c::FLOAT | c::REAL | c::REAL4 => FLOAT,
        c::DOUBLE | c::DOUBLE_PRECISION | c::REAL8 => DOUBLE,
        c::LONG_DOUBLE => LONG_DOUBLE,
        c::REAL2 => basic(Float, 2),
        c::REAL16 => basic(Float, 16),
        c::C_FLOAT_COMPLEX | c::CXX_FLOAT_COMPLEX | c::COMPLEX | c::COMPLEX8 => basic(Complex, 8),
        c::C_DOUBLE_COMPLEX | c::CXX_DOUBLE_COMPLEX | c::DOUBLE_COMPLEX | c::COMPLEX16 => basic(Complex, 16),
        c::C_LONG_DOUBLE_COMPLEX | c::CXX_LONG_DOUBLE_COMPLEX => basic(LongComplex, 32),
        c::COMPLEX4 => basic(Complex, 4),
        c::COMPLEX32 => basic(Complex, 32),
        c::C_BOOL | c::CXX_BOOL | c::LOGICAL1 => basic(Logical, 1),
        c::LOGICAL2 => basic(Logical, 2),
        c::LOGICAL | c::LOGICAL4 => basic(Logical, 4),
        c::LOGICAL8 => basic(Logical, 8),
        c::LOGICAL16 => basic(Logical, 16),
        c::INTEGER1 => basic(FortranInteger, 1),
        c::INTEGER2 => basic(FortranInteger, 2),
        c::INTEGER | c::INTEGER4 => INTEGER,
        c::INTEGER8 => basic(FortranInteger, 8),
        c::INTEGER16 => basic(FortranInteger, 16),
        c::BYTE => basic(Kind::Byte, 1),
        c::PACKED | c::CHARACTER => basic(Opaque, 1),
        c::WCHAR => Basic { kind: Opaque, bytes: 4, external_bytes: 2 },
        c::FLOAT_INT => return pair(FLOAT, INT),
        c::DOUBLE_INT => return pair(DOUBLE, INT),
        c::LONG_INT => return pair(LONG, INT),
        c::_2INT => return pair(INT, INT),
        c::SHORT_INT => return pair(SHORT, INT),
        c::LONG_DOUBLE_INT => return pair(LONG_DOUBLE, INT),
        c::_2REAL => return pair(FLOAT, FLOAT),
        c::_2DOUBLE_PRECISION => return pair(DOUBLE, DOUBLE),
        c::_2INTEGER => return pair(INTEGER, INTEGER),
        c::_2COMPLEX => return pair(basic(Complex, 8), basic(Complex, 8)),
        c::_2DOUBLE_COMPLEX => return pair(basic(Complex, 16), basic(Complex, 16)),
        _ => return None,
    }))
}

/// A basic type. It begins at multiples of its size, as on all machines of 64 bits.
pub(super) fn single(basic: Basic) -> Option<Type> {
    let layout = Layout::run(0, basic.bytes.into())?;
    let made = Type::new(layout, Elements::one(basic), Contents::named()).ok()?;
    let alignment = basic.unit().into();
    Some(Type { alignment, operand: Some(Operand::Single(basic)), is_committed: Cell::new(true), ..made })
}

/// A pair of two elements.
fn pair(value: Basic, place: Basic) -> Option<Type> {
    let at = i64::from(value.bytes.next_multiple_of(place.unit()));
    let parts = [
        (Block { at: 0, count: 1 }, Rc::new(single(value)?)),
        (Block { at, count: 1 }, Rc::new(single(place)?)),
    ];
    let made = structure_of(&parts, Contents::named()).ok()?;
    Some(Type { operand: Some(Operand::Pair(value, place)), is_committed: Cell::new(true), ..made })
}

/// A datatype without data that sets a bound of the one that it is in.
fn marker(is_lower: bool) -> Type {
    Type { bounds: Bounds { is_lower_set: is_lower, is_upper_set: !is_lower }, ..Type::nothing() }
}

/// The datatype of a constant.
pub(crate) fn named(constant: usize) -> Option<Type> {
    let made = match constant {
        c::LB | c::UB => marker(constant == c::LB),
        _ => match operand(constant)? {
            Operand::Single(basic) => single(basic)?,
            Operand::Pair(value, place) => pair(value, place)?,
        },
    };
    let found = c::HANDLES.iter().find(|it| it.kind == c::HandleKind::Datatype && it.standard == constant)?;
    let name = texts::of(format!("MPI_{}", found.name.trim_start_matches('_')));
    Some(Type { handle: Cell::new(constant), name: RefCell::new(name), ..made })
}

/// Numbers that a Fortran program can ask for: decimal digits, the largest decimal exponent, and their constants.
const REALS: [(c_int, c_int, usize, usize); 3] =
    [(6, 37, c::REAL4, c::COMPLEX8), (15, 307, c::REAL8, c::COMPLEX16), (33, 4931, c::REAL16, c::COMPLEX32)];

/// Integers that a Fortran program can ask for: their decimal digits, and their constants.
const INTEGERS: [(c_int, usize); 5] =
    [(2, c::INTEGER1), (4, c::INTEGER2), (9, c::INTEGER4), (18, c::INTEGER8), (38, c::INTEGER16)];

/// The type of a combiner with its arguments: the same one each time.
fn of_digits(
    (combiner, first, second): (c_int, c_int, c_int),
    constant: usize,
    newtype: Ref<Datatype>,
) -> Outcome {
    let known = PREDEFINED.of_digits.borrow().get(&(combiner, first, second)).cloned();
    let found = match known {
        Some(found) => found,
        None => {
            let basis = of(Datatype(constant))?;
            let both = [first, second];
            let integers = if combiner == c::COMBINER_F90_INTEGER { &both[..1] } else { &both };
            let contents = Contents::of(combiner, []).integers(integers.iter().copied());
            let made = Rc::new(Type { contents, ..basis.duplicate() });
            made.clone().publish();
            PREDEFINED.of_digits.borrow_mut().insert((combiner, first, second), made.clone());
            made
        }
    };
    newtype.set(0, found.handle().unwrap_or(Datatype(c::DATATYPE_NULL)));
    Ok(())
}

/// The real number with a precision and a range, of which one may be `MPI_UNDEFINED`.
pub(super) fn real_of(p: c_int, r: c_int) -> Outcome<(usize, usize)> {
    let least = |digits: c_int| if digits == c::UNDEFINED { 0 } else { digits };
    let found = REALS.iter().find(|real| least(p) <= real.0 && least(r) <= real.1);
    let is_defined = p != c::UNDEFINED || r != c::UNDEFINED;
    found.filter(|_| is_defined).map(|real| (real.2, real.3)).ok_or_else(|| {
        let words = format!(
            "p = {p}, r = {r}: a real number has at most 33 decimal digits and exponents up to 4931, and one of both \
             is not MPI_UNDEFINED"
        );
        Error::new(c::ERR_ARG, words)
    })
}

/// The integer with `r` decimal digits.
pub(super) fn integer_of(r: c_int) -> Outcome<usize> {
    let found = INTEGERS.iter().find(|integer| r != c::UNDEFINED && r <= integer.0);
    found.map(|integer| integer.1).ok_or_else(|| Error::argument("r", r, "at most 38 decimal digits"))
}

/// `MPI_Type_create_f90_real`.
///
/// # Errors
/// If there is no such number.
pub fn create_f90_real(p: c_int, r: c_int, newtype: Ref<Datatype>) -> Outcome {
    of_digits((c::COMBINER_F90_REAL, p, r), real_of(p, r)?.0, newtype)
}

/// `MPI_Type_create_f90_complex`.
///
/// # Errors
/// If there is no such number.
pub fn create_f90_complex(p: c_int, r: c_int, newtype: Ref<Datatype>) -> Outcome {
    of_digits((c::COMBINER_F90_COMPLEX, p, r), real_of(p, r)?.1, newtype)
}

/// `MPI_Type_create_f90_integer`.
///
/// # Errors
/// If there is no such number.
pub fn create_f90_integer(r: c_int, newtype: Ref<Datatype>) -> Outcome {
    of_digits((c::COMBINER_F90_INTEGER, r, 0), integer_of(r)?, newtype)
}

/// The constant of Fortran's numbers of a class with this size.
fn of_size(class: c_int, size: c_int) -> Option<usize> {
    Some(match (class, size) {
        (c::TYPECLASS_INTEGER, 1) => c::INTEGER1,
        (c::TYPECLASS_INTEGER, 2) => c::INTEGER2,
        (c::TYPECLASS_INTEGER, 4) => c::INTEGER4,
        (c::TYPECLASS_INTEGER, 8) => c::INTEGER8,
        (c::TYPECLASS_INTEGER, 16) => c::INTEGER16,
        (c::TYPECLASS_REAL, 2) => c::REAL2,
        (c::TYPECLASS_REAL, 4) => c::REAL4,
        (c::TYPECLASS_REAL, 8) => c::REAL8,
        (c::TYPECLASS_REAL, 16) => c::REAL16,
        (c::TYPECLASS_COMPLEX, 4) => c::COMPLEX4,
        (c::TYPECLASS_COMPLEX, 8) => c::COMPLEX8,
        (c::TYPECLASS_COMPLEX, 16) => c::COMPLEX16,
        (c::TYPECLASS_COMPLEX, 32) => c::COMPLEX32,
        _ => return None,
    })
}

/// `MPI_Type_match_size`.
///
/// # Errors
/// If there is no such number.
pub fn match_size(typeclass: Typeclass, size: c_int, datatype: Ref<Datatype>) -> Outcome {
    let classes = [c::TYPECLASS_INTEGER, c::TYPECLASS_REAL, c::TYPECLASS_COMPLEX];
    if !classes.contains(&typeclass.0) {
        let kinds = "MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_REAL or MPI_TYPECLASS_COMPLEX";
        return Err(Error::argument("typeclass", typeclass.0, kinds));
    }
    let found = of_size(typeclass.0, size);
    let constant =
        found.ok_or_else(|| Error::argument("size", size, "the bytes of a number of this class"))?;
    datatype.set(0, Datatype(constant));
    Ok(())
}

/// `MPI_Type_get_value_index`: `MPI_DATATYPE_NULL` if no pair is of these types.
///
/// # Errors
/// If there are no such datatypes.
pub fn get_value_index(value_type: Datatype, index_type: Datatype, pair_type: Ref<Datatype>) -> Outcome {
    let (value, index) = (of(value_type)?, of(index_type)?);
    let constant = match (value.handle().map(|it| it.0), index.handle().map(|it| it.0)) {
        (Some(c::FLOAT), Some(c::INT)) => c::FLOAT_INT,
        (Some(c::DOUBLE), Some(c::INT)) => c::DOUBLE_INT,
        (Some(c::LONG), Some(c::INT)) => c::LONG_INT,
        (Some(c::INT), Some(c::INT)) => c::_2INT,
        (Some(c::SHORT), Some(c::INT)) => c::SHORT_INT,
        (Some(c::LONG_DOUBLE), Some(c::INT)) => c::LONG_DOUBLE_INT,
        (Some(c::REAL), Some(c::REAL)) => c::_2REAL,
        (Some(c::DOUBLE_PRECISION), Some(c::DOUBLE_PRECISION)) => c::_2DOUBLE_PRECISION,
        (Some(c::INTEGER), Some(c::INTEGER)) => c::_2INTEGER,
        _ => c::DATATYPE_NULL,
    };
    pair_type.set(0, Datatype(constant));
    Ok(())
}
