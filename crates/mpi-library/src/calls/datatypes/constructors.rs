//! Constructors: datatypes that are made of others.

use super::contents::Contents;
use super::elements::Elements;
use super::layout::{Sequence, span};
use super::{Bounds, Type, counted, of, too_large};
use crate::abi::{Count, CountDisplacements, Counts, Datatype, Extent, Extents, Ref};
use crate::constants as c;
use crate::error::{Error, Outcome};
use std::ffi::c_int;
use std::rc::Rc;

/// Copies of a type in a new one: where the first lies, and how many there are, an extent apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub at: i64,
    pub count: u64,
}

/// Bounds of a type that is being made, as far as its parts are known.
#[derive(Clone, Copy, Debug, Default)]
struct Between {
    lower: Option<i64>,
    upper: Option<i64>,
    bounds: Bounds,
    alignment: u64,
}

impl Between {
    /// Takes in copies of a type, the first and the last of which are these bytes from the beginning.
    ///
    /// A bound that is set hides those that are not.
    fn take_in(&mut self, child: &Type, first: i64, last: i64) -> Option<()> {
        let Bounds { is_lower_set, is_upper_set } = child.bounds;
        if child.size == 0 && !is_lower_set && !is_upper_set {
            return Some(());
        }
        let lower = first.min(last).checked_add(child.lb)?;
        let upper = first.max(last).checked_add(child.ub())?;
        let merge = |known: &mut Option<i64>,
                     is_known_set: &mut bool,
                     bound: i64,
                     is_set: bool,
                     better: fn(i64, i64) -> i64| {
            *known = match *known {
                Some(_) if is_set && !*is_known_set => Some(bound),
                Some(known) if is_set == *is_known_set => Some(better(known, bound)),
                Some(known) => Some(known),
                None => Some(bound),
            };
            *is_known_set |= is_set;
        };
        merge(&mut self.lower, &mut self.bounds.is_lower_set, lower, is_lower_set, i64::min);
        merge(&mut self.upper, &mut self.bounds.is_upper_set, upper, is_upper_set, i64::max);
        self.alignment = self.alignment.max(child.alignment);
        Some(())
    }

    /// Lets a type have these bounds.
    fn bound(self, made: Type) -> Option<Type> {
        let (lb, ub) = (self.lower.unwrap_or(0), self.upper.unwrap_or(0));
        let alignment = self.alignment.max(1);
        Some(Type { lb, extent: ub.checked_sub(lb)?, bounds: self.bounds, alignment, ..made })
    }
}

/// The extent of a structure is a multiple of its alignment, unless its upper bound is set.
fn padded(made: Type) -> Option<Type> {
    if made.bounds.is_upper_set {
        return Some(made);
    }
    let extent = u64::try_from(made.extent).ok()?.checked_next_multiple_of(made.alignment)?;
    made.lb.checked_add_unsigned(extent)?;
    Some(Type { extent: i64::try_from(extent).ok()?, ..made })
}

/// A type of blocks of another.
pub(super) fn indexed_of(
    child: &Rc<Type>,
    blocks: impl Iterator<Item = Block>,
    contents: Contents,
) -> Outcome<Type> {
    let (mut sequence, mut between, mut copies) = (Sequence::default(), Between::default(), 0_u64);
    let mut add = |Block { at, count }: Block| {
        copies = copies.checked_add(count)?;
        between.take_in(child, at, at.checked_add(span(count, child.extent)?)?)?;
        sequence.push(child.layout.copies(count, child.extent)?.shifted(at)?)
    };
    let make = || {
        blocks.filter(|block| block.count > 0).try_for_each(&mut add)?;
        Some(())
    };
    make().ok_or_else(too_large)?;
    let layout = sequence.layout().ok_or_else(too_large)?;
    let elements = child.elements.copies(copies).ok_or_else(too_large)?;
    between.bound(Type::new(layout, elements, contents)?).ok_or_else(too_large)
}

/// A type of blocks of several others.
pub(super) fn structure_of(parts: &[(Block, Rc<Type>)], contents: Contents) -> Outcome<Type> {
    let (mut sequence, mut between, mut elements) = (Sequence::default(), Between::default(), Vec::new());
    let mut add = |(Block { at, count }, child): &(Block, Rc<Type>)| {
        between.take_in(child, *at, at.checked_add(span(*count, child.extent)?)?)?;
        elements.push(child.elements.copies(*count)?);
        sequence.push(child.layout.copies(*count, child.extent)?.shifted(*at)?)
    };
    parts.iter().filter(|(block, _)| block.count > 0).try_for_each(&mut add).ok_or_else(too_large)?;
    let layout = sequence.layout().ok_or_else(too_large)?;
    let elements = Elements::sequence(elements).ok_or_else(too_large)?;
    let made = between.bound(Type::new(layout, elements, contents)?);
    made.and_then(padded).ok_or_else(too_large)
}

/// A type of `count` blocks of `length` copies of another, which begin `stride` bytes apart.
pub(super) fn vector_of(
    child: &Rc<Type>,
    (count, length): (u64, u64),
    stride: i64,
    contents: Contents,
) -> Outcome<Type> {
    let make = || {
        let block = Rc::new(child.layout.copies(length, child.extent)?);
        let layout = block.copies(count, stride)?;
        let copies = child.elements.copies(length.checked_mul(count)?)?;
        let mut between = Between::default();
        if count > 0 && length > 0 {
            let [lengths, strides] = [span(length, child.extent)?, span(count, stride)?];
            let lowest = lengths.min(0).checked_add(strides.min(0))?;
            between.take_in(child, lowest, lengths.max(0).checked_add(strides.max(0))?)?;
        }
        Some((layout, copies, between))
    };
    let (layout, elements, between) = make().ok_or_else(too_large)?;
    between.bound(Type::new(layout, elements, contents)?).ok_or_else(too_large)
}

/// A type with another lower bound and extent.
pub(super) fn resized_of(child: &Type, lb: i64, extent: i64, contents: Contents) -> Outcome<Type> {
    lb.checked_add(extent).ok_or_else(too_large)?;
    let made = Type::new((*child.layout).clone(), (*child.elements).clone(), contents)?;
    let bounds = Bounds { is_lower_set: true, is_upper_set: true };
    Ok(Type { lb, extent, bounds, alignment: child.alignment, ..made })
}

/// The length of a block.
fn length_of(length: i64) -> Outcome<u64> {
    u64::try_from(length).map_err(|_| Error::argument("blocklength", length, "a number from 0"))
}

/// The number of blocks that arrays list.
fn number_of(count: Count) -> Outcome<usize> {
    const MOST: u64 = i32::MAX as u64;
    let number = counted(count)?;
    if number > MOST {
        let words = format!("count = {number}: a list has at most {MOST} blocks");
        return Err(Error::new(c::ERR_COUNT, words));
    }
    Ok(number as usize)
}

/// A count, with whether counts are large.
type Counted = (Count, bool);

/// A displacement in copies of a type, in bytes.
fn in_bytes(child: &Type, displacement: i64) -> Outcome<i64> {
    displacement.checked_mul(child.extent).ok_or_else(too_large)
}

/// Lets the program have a new type.
fn publish(newtype: Ref<Datatype>, made: Type) -> Outcome {
    newtype.set(0, Rc::new(made).publish());
    Ok(())
}

/// `MPI_Type_contiguous`.
///
/// # Errors
/// If an argument is wrong, or the new type is too large.
pub fn contiguous((count, is_large): Counted, oldtype: Datatype, newtype: Ref<Datatype>) -> Outcome {
    let child = of(oldtype)?;
    let contents = Contents::of(c::COMBINER_CONTIGUOUS, [child.clone()]).numbers(is_large, [count.0]);
    publish(newtype, vector_of(&child, (1, counted(count)?), 0, contents)?)
}

/// `MPI_Type_vector`.
///
/// # Errors
/// If an argument is wrong, or the new type is too large.
pub fn vector(
    (count, is_large): Counted,
    blocklength: Count,
    stride: Count,
    oldtype: Datatype,
    newtype: Ref<Datatype>,
) -> Outcome {
    let (child, number, length) = (of(oldtype)?, counted(count)?, length_of(blocklength.0)?);
    let contents = Contents::of(c::COMBINER_VECTOR, [child.clone()]);
    let contents = contents.numbers(is_large, [count, blocklength, stride].map(|count| count.0));
    publish(newtype, vector_of(&child, (number, length), in_bytes(&child, stride.0)?, contents)?)
}

/// `MPI_Type_create_hvector`.
///
/// # Errors
/// If an argument is wrong, or the new type is too large.
pub fn create_hvector(
    (count, is_large): Counted,
    blocklength: Count,
    stride: Extent,
    oldtype: Datatype,
    newtype: Ref<Datatype>,
) -> Outcome {
    let (child, number, length) = (of(oldtype)?, counted(count)?, length_of(blocklength.0)?);
    let contents = Contents::of(c::COMBINER_HVECTOR, [child.clone()])
        .numbers(is_large, [count.0, blocklength.0])
        .addresses(is_large, [stride.0]);
    publish(newtype, vector_of(&child, (number, length), stride.0, contents)?)
}

/// `MPI_Type_hvector`.
///
/// # Errors
/// If an argument is wrong, or the new type is too large.
pub fn hvector(
    count: c_int,
    blocklength: c_int,
    stride: isize,
    oldtype: Datatype,
    newtype: Ref<Datatype>,
) -> Outcome {
    let (count, stride) = ((Count(count.into()), false), Extent(stride as i64));
    create_hvector(count, Count(blocklength.into()), stride, oldtype, newtype)
}

/// The blocks of arrays of lengths and displacements.
fn blocks(lengths: &[i64], displacements: impl Iterator<Item = Outcome<i64>>) -> Outcome<Vec<Block>> {
    let each = |(length, at): (&i64, Outcome<i64>)| Ok(Block { at: at?, count: length_of(*length)? });
    lengths.iter().zip(displacements).map(each).collect()
}

/// `MPI_Type_indexed`.
///
/// # Errors
/// If an argument is wrong, or the new type is too large.
pub fn indexed(
    count: Count,
    array_of_blocklengths: Counts,
    array_of_displacements: CountDisplacements,
    oldtype: Datatype,
    newtype: Ref<Datatype>,
) -> Outcome {
    let (child, number) = (of(oldtype)?, number_of(count)?);
    let (lengths, places) = (array_of_blocklengths.0.list(number), array_of_displacements.0.list(number));
    let blocks = blocks(&lengths, places.iter().map(|at| in_bytes(&child, *at)))?;
    let numbers = [count.0].into_iter().chain(lengths).chain(places);
    let contents = Contents::of(c::COMBINER_INDEXED, [child.clone()]);
    let contents = contents.numbers(array_of_blocklengths.0.is_large(), numbers);
    publish(newtype, indexed_of(&child, blocks.into_iter(), contents)?)
}

/// `MPI_Type_create_hindexed`.
///
/// # Errors
/// If an argument is wrong, or the new type is too large.
pub fn create_hindexed(
    count: Count,
    array_of_blocklengths: Counts,
    array_of_displacements: Extents,
    oldtype: Datatype,
    newtype: Ref<Datatype>,
) -> Outcome {
    let (child, number) = (of(oldtype)?, number_of(count)?);
    let (lengths, places) = (array_of_blocklengths.0.list(number), array_of_displacements.0.list(number));
    hindexed_of(&child, (lengths, places), array_of_blocklengths.0.is_large(), newtype)
}

fn hindexed_of(
    child: &Rc<Type>,
    (lengths, places): (Vec<i64>, Vec<i64>),
    is_large: bool,
    newtype: Ref<Datatype>,
) -> Outcome {
    let blocks = blocks(&lengths, places.iter().map(|at| Ok(*at)))?;
    let contents = Contents::of(c::COMBINER_HINDEXED, [child.clone()])
        .numbers(is_large, [lengths.len() as i64].into_iter().chain(lengths))
        .addresses(is_large, places);
    publish(newtype, indexed_of(child, blocks.into_iter(), contents)?)
}

/// The numbers of an array of the program.
fn listed<T: crate::abi::Stored + Into<i64>>(array: Ref<T>, count: usize) -> Vec<i64> {
    (0..count).map(|place| array.get(place).into()).collect()
}

fn addresses(array: Ref<isize>, count: usize) -> Vec<i64> {
    (0..count).map(|place| array.get(place) as i64).collect()
}

/// `MPI_Type_hindexed`.
///
/// # Errors
/// If an argument is wrong, or the new type is too large.
pub fn hindexed(
    count: c_int,
    array_of_blocklengths: Ref<c_int>,
    array_of_displacements: Ref<isize>,
    oldtype: Datatype,
    newtype: Ref<Datatype>,
) -> Outcome {
    let (child, number) = (of(oldtype)?, number_of(Count(count.into()))?);
    let arrays = (listed(array_of_blocklengths, number), addresses(array_of_displacements, number));
    hindexed_of(&child, arrays, false, newtype)
}

/// `MPI_Type_create_indexed_block`.
///
/// # Errors
/// If an argument is wrong, or the new type is too large.
pub fn create_indexed_block(
    (count, is_large): Counted,
    blocklength: Count,
    array_of_displacements: CountDisplacements,
    oldtype: Datatype,
    newtype: Ref<Datatype>,
) -> Outcome {
    let (child, number, length) = (of(oldtype)?, number_of(count)?, length_of(blocklength.0)?);
    let places = array_of_displacements.0.list(number);
    let starts = places.iter().map(|at| in_bytes(&child, *at)).collect::<Outcome<Vec<_>>>()?;
    let numbers = [count.0, blocklength.0].into_iter().chain(places);
    let contents = Contents::of(c::COMBINER_INDEXED_BLOCK, [child.clone()]).numbers(is_large, numbers);
    let blocks = starts.into_iter().map(|at| Block { at, count: length });
    publish(newtype, indexed_of(&child, blocks, contents)?)
}

/// `MPI_Type_create_hindexed_block`.
///
/// # Errors
/// If an argument is wrong, or the new type is too large.
pub fn create_hindexed_block(
    (count, is_large): Counted,
    blocklength: Count,
    array_of_displacements: Extents,
    oldtype: Datatype,
    newtype: Ref<Datatype>,
) -> Outcome {
    let (child, number, length) = (of(oldtype)?, number_of(count)?, length_of(blocklength.0)?);
    let places = array_of_displacements.0.list(number);
    let contents = Contents::of(c::COMBINER_HINDEXED_BLOCK, [child.clone()])
        .numbers(is_large, [count.0, blocklength.0])
        .addresses(is_large, places.iter().copied());
    let blocks = places.into_iter().map(|at| Block { at, count: length });
    publish(newtype, indexed_of(&child, blocks, contents)?)
}

/// `MPI_Type_create_struct`.
///
/// # Errors
/// If an argument is wrong, or the new type is too large.
pub fn create_struct(
    count: Count,
    array_of_blocklengths: Counts,
    array_of_displacements: Extents,
    array_of_types: Ref<Datatype>,
    newtype: Ref<Datatype>,
) -> Outcome {
    let number = number_of(count)?;
    let arrays = (array_of_blocklengths.0.list(number), array_of_displacements.0.list(number));
    make_structure(arrays, array_of_types, array_of_blocklengths.0.is_large(), newtype)
}

/// `MPI_Type_struct`.
///
/// # Errors
/// If an argument is wrong, or the new type is too large.
pub fn structure(
    count: c_int,
    array_of_blocklengths: Ref<c_int>,
    array_of_displacements: Ref<isize>,
    array_of_types: Ref<Datatype>,
    newtype: Ref<Datatype>,
) -> Outcome {
    let number = number_of(Count(count.into()))?;
    let arrays = (listed(array_of_blocklengths, number), addresses(array_of_displacements, number));
    make_structure(arrays, array_of_types, false, newtype)
}

fn make_structure(
    (lengths, places): (Vec<i64>, Vec<i64>),
    types: Ref<Datatype>,
    is_large: bool,
    newtype: Ref<Datatype>,
) -> Outcome {
    let children = (0..lengths.len()).map(|place| of(types.get(place))).collect::<Outcome<Vec<_>>>()?;
    let blocks = blocks(&lengths, places.iter().map(|at| Ok(*at)))?;
    let parts: Vec<_> = blocks.into_iter().zip(children.iter().cloned()).collect();
    let contents = Contents::of(c::COMBINER_STRUCT, children)
        .numbers(is_large, [lengths.len() as i64].into_iter().chain(lengths))
        .addresses(is_large, places);
    publish(newtype, structure_of(&parts, contents)?)
}

/// `MPI_Type_create_resized`.
///
/// # Errors
/// If there is no such datatype, or the new type is too large.
pub fn create_resized(
    oldtype: Datatype,
    (lb, is_large): (Extent, bool),
    extent: Extent,
    newtype: Ref<Datatype>,
) -> Outcome {
    let child = of(oldtype)?;
    let contents = Contents::of(c::COMBINER_RESIZED, [child.clone()]);
    let contents = contents.addresses(is_large, [lb.0, extent.0]);
    publish(newtype, resized_of(&child, lb.0, extent.0, contents)?)
}

/// `MPI_Type_dup`.
///
/// # Errors
/// If there is no such datatype, and that of a function that copies an attribute.
pub fn dup(oldtype: Datatype, newtype: Ref<Datatype>) -> Outcome {
    let child = of(oldtype)?;
    let contents = Contents::of(c::COMBINER_DUP, [child.clone()]);
    let made = Type::new((*child.layout).clone(), (*child.elements).clone(), contents)?;
    let Type { lb, extent, bounds, alignment, .. } = *child;
    let made = Type { lb, extent, bounds, alignment, is_committed: child.is_committed.clone(), ..made };
    made.attributes.copy_from(&child.attributes, oldtype.0)?;
    publish(newtype, made)
}
