//! Operations of reductions, on the packed bytes of their operands.

use crate::abi::Op;
use crate::calls::datatypes::{Element, Type};
use crate::constants as c;
use crate::error::{Error, Outcome};
use std::rc::Rc;

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Sum,
    Min,
    Max,
    Prod,
}

/// The operation of a handle.
///
/// # Errors
/// If there is none.
pub(crate) fn of(op: Op) -> Outcome<Rc<Operation>> {
    let found = match op.0 {
        0x21 => Operation::Sum,
        0x22 => Operation::Min,
        0x23 => Operation::Max,
        0x24 => Operation::Prod,
        _ => return Err(Error::new(c::ERR_OP, "op is no operation")),
    };
    Ok(Rc::new(found))
}

impl Operation {
    /// Combines operands in their order; each has `count` copies of a datatype, packed.
    ///
    /// # Errors
    /// If the operation is not defined for the datatype.
    ///
    /// # Safety
    /// All operands and the result have room for the data.
    pub unsafe fn fold(
        &self,
        datatype: &Type,
        count: u64,
        operands: impl Iterator<Item = *const u8>,
        result: *mut u8,
    ) -> Outcome {
        let bytes = (count * datatype.size) as usize;
        let mut is_first = true;
        for operand in operands {
            // SAFETY: the caller says so.
            unsafe {
                if std::mem::take(&mut is_first) {
                    result.copy_from_nonoverlapping(operand, bytes);
                } else {
                    self.combine(datatype, bytes, operand, result)?;
                }
            }
        }
        Ok(())
    }

    unsafe fn combine(&self, datatype: &Type, bytes: usize, right: *const u8, left: *mut u8) -> Outcome {
        macro_rules! each {
            ($type:ty, $add:expr, $mul:expr) => {{
                for place in 0..bytes / size_of::<$type>() {
                    // SAFETY: the caller says so.
                    unsafe {
                        let at = left.cast::<$type>().add(place);
                        let (a, b) = (at.read_unaligned(), right.cast::<$type>().add(place).read_unaligned());
                        at.write_unaligned(match self {
                            Operation::Sum => $add(a, b),
                            Operation::Prod => $mul(a, b),
                            Operation::Min => {
                                if b < a {
                                    b
                                } else {
                                    a
                                }
                            }
                            Operation::Max => {
                                if b > a {
                                    b
                                } else {
                                    a
                                }
                            }
                        });
                    }
                }
            }};
            ($type:ty) => {
                each!($type, <$type>::wrapping_add, <$type>::wrapping_mul)
            };
        }
        match datatype.element {
            Some(Element::Signed(4)) => each!(i32),
            Some(Element::Signed(8)) => each!(i64),
            Some(Element::Unsigned(4)) => each!(u32),
            Some(Element::Unsigned(8)) => each!(u64),
            Some(Element::Float32) => each!(f32, |a, b| a + b, |a, b| a * b),
            Some(Element::Float64) => each!(f64, |a, b| a + b, |a, b| a * b),
            _ => return Err(Error::new(c::ERR_OP, "op is not defined for this datatype")),
        }
        Ok(())
    }
}
