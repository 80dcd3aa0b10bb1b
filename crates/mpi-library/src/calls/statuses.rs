//! Statuses: what a receive tells, and what a program puts into one.

use crate::abi::{Code, Count, CountAt, Datatype, Rank, Ref, Status, Tag};
use crate::calls::datatypes::{self, Type};
use crate::constants as c;
use crate::error::{Error, Outcome};
use std::ffi::c_int;

/// The status at an address.
fn at(status: Ref<Status>) -> Outcome<Status> {
    match status.is_null() {
        true => Err(Error::new(c::ERR_ARG, "status is MPI_STATUS_IGNORE: it has to be one")),
        false => Ok(status.get(0)),
    }
}

/// Changes a status.
fn change(status: Ref<Status>, change: impl FnOnce(Status) -> Status) -> Outcome {
    status.set(0, change(at(status)?));
    Ok(())
}

/// A number, or `MPI_UNDEFINED`.
fn or_undefined(number: Option<u64>) -> i64 {
    number.and_then(|number| i64::try_from(number).ok()).unwrap_or(c::UNDEFINED.into())
}

/// The copies of a datatype that these bytes are.
fn copies(datatype: &Type, bytes: u64) -> Option<u64> {
    match datatype.size {
        0 => (bytes == 0).then_some(0),
        size => bytes.is_multiple_of(size).then(|| bytes / size),
    }
}

/// The basic elements that these bytes are.
fn elements(datatype: &Type, bytes: u64) -> Option<u64> {
    if datatype.size == 0 { (bytes == 0).then_some(0) } else { datatype.elements.number_in(bytes) }
}

/// `MPI_Get_count`: `MPI_UNDEFINED` if the data are no whole number of copies.
///
/// # Errors
/// If there is no such datatype.
pub fn get_count(status: Ref<Status>, datatype: Datatype, count: CountAt) -> Outcome {
    count.0.set(0, or_undefined(copies(&*datatypes::of(datatype)?, at(status)?.bytes)));
    Ok(())
}

/// `MPI_Get_elements`: `MPI_UNDEFINED` if the last element is not complete.
///
/// # Errors
/// If there is no such datatype.
pub fn get_elements(status: Ref<Status>, datatype: Datatype, count: CountAt) -> Outcome {
    count.0.set(0, or_undefined(elements(&*datatypes::of(datatype)?, at(status)?.bytes)));
    Ok(())
}

/// `MPI_Get_elements_x`.
///
/// # Errors
/// As those of [`get_elements`].
pub fn get_elements_x(status: Ref<Status>, datatype: Datatype, count: Ref<i64>) -> Outcome {
    count.set(0, or_undefined(elements(&*datatypes::of(datatype)?, at(status)?.bytes)));
    Ok(())
}

/// `MPI_Status_set_elements`.
///
/// # Errors
/// If the count is negative, or there is no such datatype, or it has no elements.
pub fn set_elements(status: Ref<Status>, datatype: Datatype, count: Count) -> Outcome {
    let (datatype, number) = (datatypes::of(datatype)?, datatypes::counted(count)?);
    let bytes = if number == 0 { Some(0) } else { datatype.elements.bytes_of(number) };
    let bytes = bytes.ok_or_else(|| {
        let why = match datatype.elements.number {
            0 => "the datatype has no elements",
            _ => "these elements are more bytes than a number can count",
        };
        Error::new(c::ERR_COUNT, format!("count = {number}: {why}"))
    })?;
    change(status, |status| Status { bytes, ..status })
}

/// `MPI_Status_set_elements_x`.
///
/// # Errors
/// As those of [`set_elements`].
pub fn set_elements_x(status: Ref<Status>, datatype: Datatype, count: i64) -> Outcome {
    set_elements(status, datatype, Count(count))
}

/// `MPI_Test_cancelled`.
///
/// # Errors
/// If there is no status.
pub fn test_cancelled(status: Ref<Status>, flag: Ref<c_int>) -> Outcome {
    flag.set(0, at(status)?.is_cancelled.into());
    Ok(())
}

/// `MPI_Status_set_cancelled`.
///
/// # Errors
/// If there is no status.
pub fn set_cancelled(status: Ref<Status>, flag: c_int) -> Outcome {
    change(status, |status| Status { is_cancelled: flag != 0, ..status })
}

/// `MPI_Status_get_source`.
///
/// # Errors
/// If there is no status.
pub fn get_source(status: Ref<Status>, source: Ref<Rank>) -> Outcome {
    source.set(0, Rank(at(status)?.source));
    Ok(())
}

/// `MPI_Status_get_tag`.
///
/// # Errors
/// If there is no status.
pub fn get_tag(status: Ref<Status>, tag: Ref<Tag>) -> Outcome {
    tag.set(0, Tag(at(status)?.tag));
    Ok(())
}

/// `MPI_Status_get_error`.
///
/// # Errors
/// If there is no status.
pub fn get_error(status: Ref<Status>, error: Ref<Code>) -> Outcome {
    error.set(0, Code(at(status)?.error));
    Ok(())
}

/// `MPI_Status_set_source`.
///
/// # Errors
/// If there is no status.
pub fn set_source(status: Ref<Status>, source: Rank) -> Outcome {
    change(status, |status| Status { source: source.0, ..status })
}

/// `MPI_Status_set_tag`.
///
/// # Errors
/// If there is no status.
pub fn set_tag(status: Ref<Status>, tag: Tag) -> Outcome {
    change(status, |status| Status { tag: tag.0, ..status })
}

/// `MPI_Status_set_error`.
///
/// # Errors
/// If there is no status.
pub fn set_error(status: Ref<Status>, error: Code) -> Outcome {
    change(status, |status| Status { error: error.0, ..status })
}
