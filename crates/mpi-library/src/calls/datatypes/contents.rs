//! Contents: the call that has made a datatype, as `MPI_Type_get_contents` gives it.
//!
//! Numbers of a call with large counts are counts, those of others are integers. An address is one only where counts are
//! not large.

use super::{Type, of};
use crate::abi::{Combiner, Datatype, Ref};
use crate::constants as c;
use crate::error::{Error, Outcome};
use std::ffi::c_int;
use std::rc::Rc;

/// The constructor of a datatype, and its arguments.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    combiner: c_int,
    /// As the program has passed them: constants have the values of its interface.
    integers: Vec<c_int>,
    addresses: Vec<i64>,
    counts: Vec<i64>,
    pub types: Vec<Rc<Type>>,
}

impl Contents {
    /// The contents of a datatype with a name.
    pub fn named() -> Self {
        Self::of(c::COMBINER_NAMED, [])
    }

    /// The call of a combiner, on these types.
    pub fn of(combiner: c_int, types: impl Into<Vec<Rc<Type>>>) -> Self {
        let (integers, addresses, counts) = (Vec::new(), Vec::new(), Vec::new());
        Contents { combiner, integers, addresses, counts, types: types.into() }
    }

    /// With further integers.
    pub fn integers(mut self, integers: impl IntoIterator<Item = c_int>) -> Self {
        self.integers.extend(integers);
        self
    }

    /// With further numbers, which are counts if counts are large.
    pub fn numbers(mut self, are_large: bool, numbers: impl IntoIterator<Item = i64>) -> Self {
        match are_large {
            true => self.counts.extend(numbers),
            // The program has passed them as integers.
            false => self.integers.extend(numbers.into_iter().map(|number| number as c_int)),
        }
        self
    }

    /// With further addresses, which are counts if counts are large.
    pub fn addresses(mut self, are_large: bool, addresses: impl IntoIterator<Item = i64>) -> Self {
        if are_large { &mut self.counts } else { &mut self.addresses }.extend(addresses);
        self
    }

    /// Whether the program cannot free a datatype with these contents.
    pub fn is_predefined(&self) -> bool {
        [c::COMBINER_NAMED, c::COMBINER_F90_REAL, c::COMBINER_F90_COMPLEX, c::COMBINER_F90_INTEGER]
            .contains(&self.combiner)
    }

    fn lengths(&self) -> [usize; 4] {
        [self.integers.len(), self.addresses.len(), self.counts.len(), self.types.len()]
    }

    fn refuse_large(&self) -> Outcome {
        match self.counts.is_empty() {
            true => Ok(()),
            false => Err(Error::new(
                c::ERR_TYPE,
                "datatype is made with large counts: MPI_Type_get_envelope_c and MPI_Type_get_contents_c give them",
            )),
        }
    }
}

/// `MPI_Type_get_envelope`.
///
/// # Errors
/// If there is no such datatype, or it is made with large counts.
pub fn get_envelope(
    datatype: Datatype,
    num_integers: Ref<c_int>,
    num_addresses: Ref<c_int>,
    num_datatypes: Ref<c_int>,
    combiner: Ref<Combiner>,
) -> Outcome {
    let found = of(datatype)?;
    found.contents.refuse_large()?;
    let [integers, addresses, _, types] = found.contents.lengths();
    num_integers.set(0, integers as c_int);
    num_addresses.set(0, addresses as c_int);
    num_datatypes.set(0, types as c_int);
    combiner.set(0, Combiner(found.contents.combiner));
    Ok(())
}

/// `MPI_Type_get_envelope_c`.
///
/// # Errors
/// If there is no such datatype.
pub fn get_envelope_c(
    datatype: Datatype,
    num_integers: Ref<i64>,
    num_addresses: Ref<i64>,
    num_large_counts: Ref<i64>,
    num_datatypes: Ref<i64>,
    combiner: Ref<Combiner>,
) -> Outcome {
    let found = of(datatype)?;
    let places = [num_integers, num_addresses, num_large_counts, num_datatypes];
    for (place, length) in places.iter().zip(found.contents.lengths()) {
        place.set(0, length as i64);
    }
    combiner.set(0, Combiner(found.contents.combiner));
    Ok(())
}

/// `MPI_Type_get_contents`.
///
/// # Errors
/// If there is no such datatype, or it has no contents or large ones, or an array is too short.
pub fn get_contents(
    datatype: Datatype,
    max_integers: c_int,
    max_addresses: c_int,
    max_datatypes: c_int,
    array_of_integers: Ref<c_int>,
    array_of_addresses: Ref<isize>,
    array_of_datatypes: Ref<Datatype>,
) -> Outcome {
    let found = of(datatype)?;
    found.contents.refuse_large()?;
    let room = [max_integers, max_addresses, 0, max_datatypes].map(i64::from);
    tell(&found, room, array_of_integers, array_of_addresses, array_of_datatypes)
}

/// `MPI_Type_get_contents_c`.
///
/// # Errors
/// If there is no such datatype, or it has no contents, or an array is too short.
#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub fn get_contents_c(
    datatype: Datatype,
    max_integers: i64,
    max_addresses: i64,
    max_large_counts: i64,
    max_datatypes: i64,
    array_of_integers: Ref<c_int>,
    array_of_addresses: Ref<isize>,
    array_of_large_counts: Ref<i64>,
    array_of_datatypes: Ref<Datatype>,
) -> Outcome {
    let found = of(datatype)?;
    let room = [max_integers, max_addresses, max_large_counts, max_datatypes];
    tell(&found, room, array_of_integers, array_of_addresses, array_of_datatypes)?;
    found
        .contents
        .counts
        .iter()
        .enumerate()
        .for_each(|(place, count)| array_of_large_counts.set(place, *count));
    Ok(())
}

fn tell(
    found: &Type,
    room: [i64; 4],
    integers: Ref<c_int>,
    addresses: Ref<isize>,
    types: Ref<Datatype>,
) -> Outcome {
    let contents = &found.contents;
    if contents.combiner == c::COMBINER_NAMED {
        return Err(Error::new(c::ERR_TYPE, "datatype is a basic one, which is made of no others"));
    }
    let names = ["max_integers", "max_addresses", "max_large_counts", "max_datatypes"];
    for ((name, room), length) in names.iter().zip(room).zip(contents.lengths()) {
        if room < length as i64 {
            return Err(Error::argument(name, room, &format!("at least {length}, as the envelope says")));
        }
    }
    contents.integers.iter().enumerate().for_each(|(place, integer)| integers.set(place, *integer));
    contents
        .addresses
        .iter()
        .enumerate()
        .for_each(|(place, address)| addresses.set(place, *address as isize));
    for (place, child) in contents.types.iter().enumerate() {
        types.set(place, handle_of(child));
    }
    Ok(())
}

/// A handle for a datatype of which another is made: a new one, unless it is predefined. The program frees it.
fn handle_of(child: &Type) -> Datatype {
    match child.handle() {
        Some(handle) if child.is_predefined() => handle,
        _ => Rc::new(child.duplicate()).publish(),
    }
}
