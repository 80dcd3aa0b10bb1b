//! Operations of reductions.
//!
//! ```text
//!   operands, packed, in the order of ranks:   a  b  c  d   -->   ((a op b) op c) op d
//!   predefined: on the packed bytes            of the program: unpacked, since its function reads data as they lie
//! ```

mod arithmetic;
#[cfg(target_arch = "x86_64")]
mod long_double;
#[cfg(test)]
mod tests;

use crate::abi::{Buffer, Count, Datatype, Function, HandleKind, Op, Ref, Runtime};
use crate::calls::datatypes::{Data, Type};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::handles::Objects;
use crate::library::library;
use crate::of_process::OfProcess;
use std::ffi::{c_int, c_void};
use std::rc::Rc;

pub(crate) static OPERATIONS: OfProcess<Objects<Operation>> = OfProcess::new(Objects::new(HandleKind::Op));

/// Combines `count` packed operands with those before them: `left = left op right`.
type Kernel = unsafe fn(right: *const u8, left: *mut u8, count: usize);

/// The operations of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the constants")]
pub(crate) enum Predefined {
    Sum,
    Prod,
    Min,
    Max,
    And,
    Or,
    Xor,
    BitAnd,
    BitOr,
    BitXor,
    MinLoc,
    MaxLoc,
    /// Operations of one-sided communication, and not of reductions.
    Replace,
    Nothing,
}

/// The operation of a constant, and its name.
fn predefined(constant: usize) -> Option<(Predefined, &'static str)> {
    Some(match constant {
        c::SUM => (Predefined::Sum, "MPI_SUM"),
        c::PROD => (Predefined::Prod, "MPI_PROD"),
        c::MIN => (Predefined::Min, "MPI_MIN"),
        c::MAX => (Predefined::Max, "MPI_MAX"),
        c::LAND => (Predefined::And, "MPI_LAND"),
        c::LOR => (Predefined::Or, "MPI_LOR"),
        c::LXOR => (Predefined::Xor, "MPI_LXOR"),
        c::BAND => (Predefined::BitAnd, "MPI_BAND"),
        c::BOR => (Predefined::BitOr, "MPI_BOR"),
        c::BXOR => (Predefined::BitXor, "MPI_BXOR"),
        c::MINLOC => (Predefined::MinLoc, "MPI_MINLOC"),
        c::MAXLOC => (Predefined::MaxLoc, "MPI_MAXLOC"),
        c::REPLACE => (Predefined::Replace, "MPI_REPLACE"),
        c::NO_OP => (Predefined::Nothing, "MPI_NO_OP"),
        _ => return None,
    })
}

type Combine<N> = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut N, *mut usize);

/// A function of the program, with counts of `int` or of `MPI_Count`.
#[derive(Clone, Copy, Debug)]
enum UserFunction {
    Small(Combine<c_int>),
    Large(Combine<i64>),
}

/// An operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation(Form);

#[derive(Clone, Copy, Debug)]
enum Form {
    Predefined(Predefined, &'static str),
    OfProgram { function: UserFunction, is_commutative: bool },
}

/// The operation of a handle.
///
/// # Errors
/// If there is none.
pub(crate) fn of(op: Op) -> Outcome<Rc<Operation>> {
    if let Some((operation, name)) = predefined(op.0) {
        return Ok(Rc::new(Operation(Form::Predefined(operation, name))));
    }
    let is_null = op.0 == c::OP_NULL;
    let words = if is_null { "op is MPI_OP_NULL" } else { "op is no operation" };
    OPERATIONS.get(op.0).ok_or_else(|| Error::new(c::ERR_OP, words))
}

impl Operation {
    /// Refuses datatypes for which the operation is not defined.
    ///
    /// # Errors
    /// If this is one.
    pub fn check(&self, datatype: &Type) -> Outcome {
        match self.0 {
            Form::Predefined(operation, name) => kernel(operation, name, datatype).map(drop),
            Form::OfProgram { .. } => Ok(()),
        }
    }

    /// Combines operands in their order; each has `count` copies of a datatype, packed.
    ///
    /// # Errors
    /// If the operation is not defined for the datatype, or there is no memory for the data.
    ///
    /// # Safety
    /// All operands and the result have room for the data.
    pub unsafe fn fold(
        &self,
        datatype: &Rc<Type>,
        count: u64,
        mut operands: impl Iterator<Item = *const u8>,
        result: *mut u8,
    ) -> Outcome {
        let (bytes, Some(first)) = (count * datatype.size, operands.next()) else { return Ok(()) };
        match self.0 {
            Form::Predefined(operation, name) => {
                let kernel = kernel(operation, name, datatype)?;
                // SAFETY: the caller says so.
                unsafe {
                    result.copy_from_nonoverlapping(first, bytes as usize);
                    operands.for_each(|operand| kernel(operand, result, count as usize));
                }
            }
            Form::OfProgram { function, .. } => {
                let mut combined = Scratch::new(datatype, count)?;
                let mut next = Scratch::new(datatype, count)?;
                // SAFETY: the caller says so, and there is room for the data.
                unsafe {
                    datatype.unpack(first, bytes, combined.at);
                    for operand in operands {
                        datatype.unpack(operand, bytes, next.at);
                        function.combine(datatype, count, combined.at, next.at);
                        std::mem::swap(&mut combined, &mut next);
                    }
                    datatype.pack(combined.at, count, result);
                }
            }
        }
        Ok(())
    }
}

/// A function that combines operands of a datatype.
fn kernel(operation: Predefined, name: &str, datatype: &Type) -> Outcome<Kernel> {
    if matches!(operation, Predefined::Replace | Predefined::Nothing) {
        return Err(Error::new(c::ERR_OP, format!("op is {name}, which is for one-sided communication")));
    }
    let Some(operand) = datatype.operand else {
        let words = format!(
            "op is {name}, which is defined for predefined datatypes, and this one is made of others: a program \
             defines operations for those by MPI_Op_create"
        );
        return Err(Error::new(c::ERR_OP, words));
    };
    arithmetic::kernel(operation, operand).ok_or_else(|| {
        let defined = if arithmetic::is_defined(operation, operand) { "simulated" } else { "defined" };
        Error::new(
            c::ERR_OP,
            format!("{name} is not {defined} for {}", datatype.name.borrow().to_string_lossy()),
        )
    })
}

/// Memory for data as a program lays them out.
struct Scratch {
    /// Numbers of 16 bytes, for their alignment.
    _memory: Vec<u128>,
    /// The address for which a function of the program takes the data.
    at: Buffer,
}

impl Scratch {
    fn new(datatype: &Type, count: u64) -> Outcome<Self> {
        const WIDEST: i64 = size_of::<u128>() as i64;
        let reach = datatype.reach(count).and_then(|(low, high)| {
            let before = low.rem_euclid(WIDEST);
            let words = high.checked_sub(low)?.checked_add(before)? / WIDEST + 1;
            // Whether there is as much memory; none is touched.
            Vec::<u128>::new().try_reserve_exact(words as usize).is_ok().then_some((low, before, words))
        });
        let (low, before, words) = reach.ok_or_else(|| {
            Error::new(c::ERR_NO_MEM, "the data of a reduction reach over more memory than a process has")
        })?;
        let mut memory = vec![0_u128; words as usize];
        let at = (memory.as_mut_ptr() as usize).wrapping_add_signed(before.wrapping_sub(low) as isize);
        Ok(Scratch { _memory: memory, at: Buffer(at) })
    }
}

impl UserFunction {
    /// Combines data: `right = left op right`.
    ///
    /// # Safety
    /// There are `count` copies of the datatype in both buffers.
    unsafe fn combine(self, datatype: &Rc<Type>, count: u64, left: Buffer, right: Buffer) {
        let known = datatype.handle();
        // A datatype that the program has freed has a handle for this call.
        let handle = known.unwrap_or_else(|| datatype.clone().publish());
        let mut raw = Runtime::raw_handle(handle.0, HandleKind::Datatype);
        // SAFETY: the caller says so, and the program has passed such a function. Lower bytes of a word come first, so
        // that it is a handle of each size.
        unsafe {
            match self {
                UserFunction::Small(function) => {
                    let mut done = 0;
                    while done < count {
                        let here = (count - done).min(c_int::MAX as u64);
                        let at = |buffer: Buffer| {
                            let skipped = (done as isize).wrapping_mul(datatype.extent as isize);
                            buffer.0.wrapping_add_signed(skipped) as *mut c_void
                        };
                        let (left, right) = (at(left), at(right));
                        library().outside(|| function(left, right, &mut (here as c_int), &mut raw));
                        done += here;
                    }
                }
                UserFunction::Large(function) => {
                    let (left, right) = (left.0 as *mut c_void, right.0 as *mut c_void);
                    library().outside(|| function(left, right, &mut (count as i64), &mut raw));
                }
            }
        }
        if known.is_none() {
            datatype.withdraw();
        }
    }
}

/// `MPI_Op_create`.
///
/// # Errors
/// If there is no function.
pub fn create(user_fn: Function, commute: c_int, op: Ref<Op>) -> Outcome {
    if user_fn.address == 0 {
        return Err(Error::new(c::ERR_ARG, "user_fn is a null pointer: it is a function that combines data"));
    }
    // SAFETY: the program passes a function of this type.
    let function = unsafe {
        match user_fn.is_large {
            false => UserFunction::Small(std::mem::transmute::<usize, Combine<c_int>>(user_fn.address)),
            true => UserFunction::Large(std::mem::transmute::<usize, Combine<i64>>(user_fn.address)),
        }
    };
    let made = Operation(Form::OfProgram { function, is_commutative: commute != 0 });
    op.set(0, Op(OPERATIONS.add(Rc::new(made))));
    Ok(())
}

/// `MPI_Op_free`. Calls that use the operation keep it.
///
/// # Errors
/// If there is no such operation, or it is predefined.
pub fn free(op: Ref<Op>) -> Outcome {
    let handle = op.get(0);
    if let Form::Predefined(_, name) = of(handle)?.0 {
        return Err(Error::new(c::ERR_OP, format!("op is {name}: a predefined one cannot be freed")));
    }
    OPERATIONS.remove(handle.0);
    op.set(0, Op(c::OP_NULL));
    Ok(())
}

/// `MPI_Op_commutative`.
///
/// # Errors
/// If there is no such operation.
pub fn commutative(op: Op, commute: Ref<c_int>) -> Outcome {
    let is_commutative = match of(op)?.0 {
        Form::Predefined(operation, _) => !matches!(operation, Predefined::Replace | Predefined::Nothing),
        Form::OfProgram { is_commutative, .. } => is_commutative,
    };
    commute.set(0, is_commutative.into());
    Ok(())
}

/// `MPI_Reduce_local`.
///
/// # Errors
/// If an argument is wrong, or the operation is not defined for the datatype.
pub fn reduce_local(inbuf: Buffer, inoutbuf: Buffer, count: Count, datatype: Datatype, op: Op) -> Outcome {
    let operation = of(op)?;
    let left = Data::of(inbuf, count, datatype)?;
    operation.check(&left.datatype)?;
    let right = Data { buffer: inoutbuf, ..left.clone() };
    // SAFETY: the program has passed valid buffers.
    unsafe { operation.combine_buffers(&left, &right) }
}

/// The copies of a predefined datatype for which there is memory.
const COPIES_AT_A_TIME: u64 = 4_096;

impl Operation {
    /// Combines data of the program: `right = left op right`.
    ///
    /// # Safety
    /// The buffers have these data.
    unsafe fn combine_buffers(&self, left: &Data, right: &Data) -> Outcome {
        let (datatype, count) = (&left.datatype, left.count);
        if left.bytes() == 0 {
            return Ok(());
        }
        if let Form::OfProgram { function, .. } = self.0 {
            // SAFETY: the caller says so.
            unsafe { function.combine(datatype, count, left.buffer, right.buffer) };
            return Ok(());
        }
        let each = COPIES_AT_A_TIME.min(count);
        let room = || left.part(0, each).room_for_packed();
        let mut operands = [room()?, room()?, room()?];
        let mut done = 0;
        while done < count {
            let here = each.min(count - done);
            let [left, right] = [left, right].map(|data| data.part(done, here));
            let [first, second, combined] = &mut operands;
            // SAFETY: the caller says so, and there is room for the bytes.
            unsafe {
                left.pack(first.as_mut_ptr());
                right.pack(second.as_mut_ptr());
                let operands = [first.as_ptr(), second.as_ptr()].into_iter();
                self.fold(datatype, here, operands, combined.as_mut_ptr())?;
                right.unpack(combined.as_ptr(), right.bytes());
            }
            done += here;
        }
        Ok(())
    }
}
