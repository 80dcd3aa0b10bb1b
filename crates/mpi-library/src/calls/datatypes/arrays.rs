//! Parts of arrays as datatypes: subarrays, and what a process has of a distributed array.
//!
//! ```text
//!   dimension by dimension, the one that varies fastest first: rows of what is there so far, a pitch apart
//! ```

use super::constructors::{Block, indexed_of, resized_of, vector_of};
use super::contents::Contents;
use super::{Type, of, too_large};
use crate::abi::{Argument, Counts, Datatype, Distribution, IntegerKind, Order, Ref, Runtime};
use crate::constants as c;
use crate::error::{Error, Outcome};
use std::ffi::c_int;
use std::rc::Rc;

/// The number of dimensions.
fn dimensions(ndims: c_int) -> Outcome<usize> {
    let number = usize::try_from(ndims).ok().filter(|number| *number > 0);
    number.ok_or_else(|| Error::argument("ndims", ndims, "a number from 1"))
}

/// The numbers of an array, each in a range.
fn positive(name: &str, numbers: &[i64], first: i64) -> Outcome {
    let wrong = numbers.iter().position(|number| *number < first);
    wrong.map_or(Ok(()), |place| {
        Err(Error::argument(&format!("{name}[{place}]"), numbers[place], &format!("a number from {first}")))
    })
}

/// The dimensions, the one that varies fastest first.
fn fastest_first(order: Order, dimensions: usize) -> Outcome<Vec<usize>> {
    match order.0 {
        c::ORDER_FORTRAN => Ok((0..dimensions).collect()),
        c::ORDER_C => Ok((0..dimensions).rev().collect()),
        raw => Err(Error::argument("order", raw, "MPI_ORDER_C or MPI_ORDER_FORTRAN")),
    }
}

/// The type of rows in a dimension, a pitch apart: of all blocks of rows, by their numbers.
fn rows(of: Type, pitch: i64, blocks: impl Iterator<Item = Block>) -> Outcome<Type> {
    let row = Rc::new(resized_of(&of, 0, pitch, Contents::named())?);
    indexed_of(&row, blocks, Contents::named())
}

fn times(number: i64, factor: i64) -> Outcome<i64> {
    number.checked_mul(factor).ok_or_else(too_large)
}

/// The elements with which an array begins to be described.
fn beginning(child: &Rc<Type>) -> Outcome<Type> {
    resized_of(child, child.lb, child.extent, Contents::named())
}

/// A type with the extent of the whole array.
fn whole(made: &Type, child: &Rc<Type>, sizes: &[i64], contents: Contents) -> Outcome<Type> {
    let extent = sizes.iter().try_fold(child.extent, |extent, size| times(extent, *size))?;
    resized_of(made, 0, extent, contents)
}

/// A part of an array in a dimension.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub size: i64,
    pub length: i64,
    pub start: i64,
}

/// The type of a part of an array.
pub(super) fn subarray_of(
    child: &Rc<Type>,
    parts: &[Part],
    order: Order,
    contents: Contents,
) -> Outcome<Type> {
    let mut made = beginning(child)?;
    let mut pitch = child.extent;
    for dimension in fastest_first(order, parts.len())? {
        let Part { size, length, start } = parts[dimension];
        made = rows(made, pitch, [Block { at: times(start, pitch)?, count: length as u64 }].into_iter())?;
        pitch = times(pitch, size)?;
    }
    let sizes: Vec<_> = parts.iter().map(|part| part.size).collect();
    whole(&made, child, &sizes, contents)
}

/// `MPI_Type_create_subarray`.
///
/// # Errors
/// If an argument is wrong, or the new type is too large.
pub fn create_subarray(
    ndims: c_int,
    array_of_sizes: Counts,
    array_of_subsizes: Counts,
    array_of_starts: Counts,
    order: Order,
    oldtype: Datatype,
    newtype: Ref<Datatype>,
) -> Outcome {
    let (number, child) = (dimensions(ndims)?, of(oldtype)?);
    let [sizes, subsizes, starts] =
        [array_of_sizes, array_of_subsizes, array_of_starts].map(|array| array.0.list(number));
    positive("array_of_sizes", &sizes, 1)?;
    positive("array_of_subsizes", &subsizes, 1)?;
    positive("array_of_starts", &starts, 0)?;
    let part = |dimension: usize| {
        let part = Part { size: sizes[dimension], length: subsizes[dimension], start: starts[dimension] };
        let end = part.start.checked_add(part.length).filter(|end| *end <= part.size);
        end.map(|_| part).ok_or_else(|| {
            let Part { size, length, start } = part;
            let words = format!(
                "array_of_subsizes[{dimension}] = {length}: {length} elements from element {start} on are beyond the \
                 {size} of the array"
            );
            Error::new(c::ERR_ARG, words)
        })
    };
    let parts = (0..number).map(part).collect::<Outcome<Vec<_>>>()?;
    let is_large = array_of_sizes.0.is_large();
    let contents = Contents::of(c::COMBINER_SUBARRAY, [child.clone()])
        .integers([ndims])
        .numbers(is_large, sizes.into_iter().chain(subsizes).chain(starts))
        .integers([Runtime::raw_integer(order.0, IntegerKind::Order)]);
    newtype.set(0, Rc::new(subarray_of(&child, &parts, order, contents)?).publish());
    Ok(())
}

/// How the elements of a dimension are dealt out to processes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dealt {
    pub size: i64,
    /// The elements of a block. Blocks go to one process after the other.
    pub block: i64,
    pub processes: i64,
    /// The place of the process among them.
    pub process: i64,
}

impl Dealt {
    /// The whole blocks of the process, and the elements of one that is cut.
    fn blocks(&self) -> Outcome<(i64, i64)> {
        let first = times(self.process, self.block)?;
        let left = (self.size - first).max(0);
        let round = times(self.processes, self.block)?;
        let in_last_round = (left % round).min(self.block);
        let is_whole = in_last_round == self.block;
        Ok((left / round + i64::from(is_whole), if is_whole { 0 } else { in_last_round }))
    }

    /// The rows of the process, of what is there so far.
    fn rows(&self, of: Type, pitch: i64) -> Outcome<Type> {
        let (whole, cut) = self.blocks()?;
        let first = times(times(self.process, self.block)?, pitch)?;
        let step = times(times(self.processes, self.block)?, pitch)?;
        let row = Rc::new(resized_of(&of, 0, pitch, Contents::named())?);
        let all = vector_of(&row, (whole as u64, self.block as u64), step, Contents::named())?;
        let last = indexed_of(&row, [Block { at: 0, count: cut as u64 }].into_iter(), Contents::named())?;
        let cut_at = first.checked_add(times(step, whole)?).ok_or_else(too_large)?;
        let parts = [(first, all), (cut_at, last)].map(|(at, made)| (Block { at, count: 1 }, Rc::new(made)));
        super::constructors::structure_of(&parts, Contents::named())
    }
}

/// The type of what a process has of a distributed array.
pub(super) fn darray_of(
    child: &Rc<Type>,
    dealt: &[Dealt],
    order: Order,
    contents: Contents,
) -> Outcome<Type> {
    let mut made = beginning(child)?;
    let mut pitch = child.extent;
    for dimension in fastest_first(order, dealt.len())? {
        made = dealt[dimension].rows(made, pitch)?;
        pitch = times(pitch, dealt[dimension].size)?;
    }
    let sizes: Vec<_> = dealt.iter().map(|dealt| dealt.size).collect();
    whole(&made, child, &sizes, contents)
}

/// The place of a process in a grid of processes, of which the last dimension varies fastest.
fn coordinates(rank: c_int, processes: &[c_int]) -> Vec<c_int> {
    let mut left = rank;
    let mut found: Vec<_> = processes
        .iter()
        .rev()
        .map(|size| {
            let coordinate = left % size;
            left /= size;
            coordinate
        })
        .collect();
    found.reverse();
    found
}

/// How a dimension is dealt out.
fn dealt(
    place: usize,
    size: i64,
    kind: Distribution,
    argument: Argument,
    on: (c_int, c_int),
) -> Outcome<Dealt> {
    let (processes, process) = (i64::from(on.0), i64::from(on.1));
    let whole = size / processes + i64::from(size % processes > 0);
    let name = format!("array_of_dargs[{place}]");
    let block = |default: i64| match argument.0 {
        None => Ok(default),
        Some(block) if block > 0 => Ok(i64::from(block)),
        Some(block) => Err(Error::argument(&name, block, "a number from 1, or MPI_DISTRIBUTE_DFLT_DARG")),
    };
    let block = match kind.0 {
        c::DISTRIBUTE_BLOCK => {
            let block = block(whole)?;
            if block < whole {
                let least = format!("at least {whole}, since {processes} processes share {size} elements");
                return Err(Error::argument(&name, block, &least));
            }
            block
        }
        c::DISTRIBUTE_CYCLIC => block(1)?,
        c::DISTRIBUTE_NONE if processes == 1 => size,
        c::DISTRIBUTE_NONE => {
            let name = format!("array_of_psizes[{place}]");
            return Err(Error::argument(&name, processes, "1 in a dimension that is not distributed"));
        }
        raw => {
            let name = format!("array_of_distribs[{place}]");
            let kinds = "MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC or MPI_DISTRIBUTE_NONE";
            return Err(Error::argument(&name, raw, kinds));
        }
    };
    // A block that is longer than the array is as one of its length.
    Ok(Dealt { size, block: block.min(size), processes, process })
}

/// `MPI_Type_create_darray`.
///
/// # Errors
/// If an argument is wrong, or the new type is too large.
#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub fn create_darray(
    size: c_int,
    rank: c_int,
    ndims: c_int,
    array_of_gsizes: Counts,
    array_of_distribs: Ref<Distribution>,
    array_of_dargs: Ref<Argument>,
    array_of_psizes: Ref<c_int>,
    order: Order,
    oldtype: Datatype,
    newtype: Ref<Datatype>,
) -> Outcome {
    let (number, child) = (dimensions(ndims)?, of(oldtype)?);
    let sizes = array_of_gsizes.0.list(number);
    let kinds: Vec<_> = (0..number).map(|place| array_of_distribs.get(place)).collect();
    let arguments: Vec<_> = (0..number).map(|place| array_of_dargs.get(place)).collect();
    let processes: Vec<_> = (0..number).map(|place| array_of_psizes.get(place)).collect();
    positive("array_of_gsizes", &sizes, 1)?;
    positive("array_of_psizes", &processes.iter().map(|size| i64::from(*size)).collect::<Vec<_>>(), 1)?;
    let product = processes.iter().try_fold(1, |product: c_int, size| product.checked_mul(*size));
    if product != Some(size) {
        return Err(Error::argument("size", size, "the product of array_of_psizes"));
    }
    if !(0..size).contains(&rank) {
        let words = format!("rank = {rank}: it is a rank from 0 to {}", size - 1);
        return Err(Error::new(c::ERR_RANK, words));
    }
    let places = coordinates(rank, &processes);
    let each = |place: usize| {
        dealt(place, sizes[place], kinds[place], arguments[place], (processes[place], places[place]))
    };
    let all = (0..number).map(each).collect::<Outcome<Vec<_>>>()?;
    let raw = |kind: &Distribution| Runtime::raw_integer(kind.0, IntegerKind::Distribution);
    let default = Runtime::raw_integer(c::DISTRIBUTE_DFLT_DARG, IntegerKind::Argument);
    let contents = Contents::of(c::COMBINER_DARRAY, [child.clone()])
        .integers([size, rank, ndims])
        .numbers(array_of_gsizes.0.is_large(), sizes.iter().copied())
        .integers(kinds.iter().map(raw))
        .integers(arguments.iter().map(|argument| argument.0.unwrap_or(default)))
        .integers(processes.iter().copied())
        .integers([Runtime::raw_integer(order.0, IntegerKind::Order)]);
    newtype.set(0, Rc::new(darray_of(&child, &all, order, contents)?).publish());
    Ok(())
}
