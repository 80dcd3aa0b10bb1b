//! Binary interfaces: how a compiled program writes down handles, constants and statuses.
//!
//! Everything behind the exported functions uses the values of MPI's standard ABI. A crate with exports has one type
//! that implements [`Abi`]: it translates. A parameter of a function is of a kind that implements [`Parameter`].
//!
//! # To add a binary interface
//!
//! 1. An [`Interface`], and its column in the tables of [`constants`](crate::constants).
//! 2. A crate like `mpi-mpich`, with a type that implements [`Abi`], and [`export!`](crate::export).
//! 3. Its soname in the list of `rank-processes`, which finds the library that a program needs.

mod handle_table;
mod parameters;

pub use crate::constants::{AddressKind, HandleKind, IntegerKind, Interface, Limit};
pub use handle_table::HandleTable;
pub use parameters::*;

use crate::constants;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

/// The result of a receive, as a program sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The sender, as a rank in the communicator.
    pub source: c_int,
    /// The tag.
    pub tag: c_int,
    /// The error code.
    pub error: c_int,
    /// The bytes received.
    pub bytes: u64,
    /// Whether the operation was cancelled.
    pub is_cancelled: bool,
}

impl Status {
    /// The status of an operation without a message.
    pub const EMPTY: Self = Status {
        source: constants::ANY_SOURCE,
        tag: constants::ANY_TAG,
        error: constants::SUCCESS,
        bytes: 0,
        is_cancelled: false,
    };

    /// The status with integers that have been translated.
    #[must_use]
    fn translated(self, integer: impl Fn(c_int, IntegerKind) -> c_int) -> Self {
        Status {
            source: integer(self.source, IntegerKind::Rank),
            tag: integer(self.tag, IntegerKind::Tag),
            error: integer(self.error, IntegerKind::Error),
            ..self
        }
    }
}

/// A handle as a program passes it: an integer or an address.
pub trait RawHandle: Copy {
    /// The handle in the lower bits of a word.
    fn word(self) -> usize;
    /// The handle of a word.
    fn of(word: usize) -> Self;
}

impl RawHandle for usize {
    fn word(self) -> usize {
        self
    }

    fn of(word: usize) -> Self {
        word
    }
}

impl RawHandle for c_int {
    fn word(self) -> usize {
        self as u32 as usize
    }

    fn of(word: usize) -> Self {
        word as c_int
    }
}

/// A binary interface.
pub trait Abi: 'static {
    /// Its column of the tables of constants.
    const INTERFACE: Interface;

    /// A handle. Those of files are addresses in all interfaces.
    type Handle: RawHandle;
    /// The handle of the standard ABI.
    fn handle(raw: usize, kind: HandleKind) -> usize;
    /// The handle of this interface.
    fn raw_handle(handle: usize, kind: HandleKind) -> usize;

    /// The bytes of a status.
    const STATUS_BYTES: usize;
    /// Reads a status, with the integers of this interface.
    ///
    /// # Safety
    /// There is a status of this interface at the address.
    unsafe fn read_status(at: *const c_void) -> Status;
    /// Writes a status, with the integers of this interface.
    ///
    /// # Safety
    /// There is room for a status of this interface at the address.
    unsafe fn write_status(at: *mut c_void, status: &Status);
}

/// The value of the standard ABI.
fn to_standard(interface: Interface, raw: c_int, kind: IntegerKind) -> c_int {
    let pairs = constants::integers(interface, kind);
    if is_sum(kind) {
        return sum(raw, pairs.iter().map(|pair| (pair.1, pair.0)));
    }
    pairs.iter().find(|pair| pair.1 == raw).map_or(raw, |pair| pair.0)
}

/// The value of an interface.
fn from_standard(interface: Interface, value: c_int, kind: IntegerKind) -> c_int {
    let pairs = constants::integers(interface, kind);
    if is_sum(kind) {
        return sum(value, pairs.iter().copied());
    }
    pairs.iter().find(|pair| pair.0 == value).map_or(value, |pair| pair.1)
}

/// Whether programs add the constants of a kind.
fn is_sum(kind: IntegerKind) -> bool {
    matches!(kind, IntegerKind::FileMode | IntegerKind::Assertion)
}

/// A sum of constants as the sum of others. Other bits than those of constants make it negative, which no sum is.
fn sum(value: c_int, pairs: impl ExactSizeIterator<Item = (c_int, c_int)>) -> c_int {
    if pairs.len() == 0 {
        return value;
    }
    let (mut left, mut translated) = (value, 0);
    for (from, to) in pairs {
        if value & from != 0 {
            left &= !from;
            translated |= to;
        }
    }
    if left == 0 { translated } else { -1 }
}

/// The address of the standard ABI.
fn standard_address(interface: Interface, raw: *const c_void, kind: AddressKind) -> usize {
    let raw = raw as usize;
    let pairs = constants::addresses(interface, kind);
    pairs.iter().find(|pair| pair.1 as usize == raw).map_or(raw, |pair| pair.0)
}

/// The interface of this process, for values behind addresses.
#[derive(Debug)]
pub struct Runtime {
    interface: Interface,
    handle_bytes: usize,
    handle: fn(usize, HandleKind) -> usize,
    raw_handle: fn(usize, HandleKind) -> usize,
    status_bytes: usize,
    read_status: unsafe fn(*const c_void) -> Status,
    write_status: unsafe fn(*mut c_void, &Status),
}

static RUNTIME: OnceLock<Runtime> = OnceLock::new();

impl Runtime {
    /// Uses an interface in this process.
    pub fn set<A: Abi>() {
        // An interface that is set twice is the same one.
        let _ = RUNTIME.set(Runtime {
            interface: A::INTERFACE,
            handle_bytes: size_of::<A::Handle>(),
            handle: A::handle,
            raw_handle: A::raw_handle,
            status_bytes: A::STATUS_BYTES,
            read_status: A::read_status,
            write_status: A::write_status,
        });
    }

    fn get() -> &'static Runtime {
        RUNTIME.get().expect("the library has been loaded")
    }

    /// The value of this interface.
    pub fn raw_integer(value: c_int, kind: IntegerKind) -> c_int {
        from_standard(Self::get().interface, value, kind)
    }

    /// The value of the standard ABI.
    pub fn integer(raw: c_int, kind: IntegerKind) -> c_int {
        to_standard(Self::get().interface, raw, kind)
    }

    /// A handle as this interface passes it to a function: an integer or an address, in the lower bits of a word.
    pub fn raw_handle(handle: usize, kind: HandleKind) -> usize {
        (Self::get().raw_handle)(handle, kind)
    }

    /// The handle of the standard ABI for one that a function of the program has passed, in the lower bits of a word.
    pub fn handle(raw: usize, kind: HandleKind) -> usize {
        (Self::get().handle)(raw, kind)
    }

    /// The address of this interface for a constant of the standard ABI; others stay.
    pub fn raw_address(address: usize, kind: AddressKind) -> usize {
        let pairs = constants::addresses(Self::get().interface, kind);
        pairs.iter().find(|pair| pair.0 == address).map_or(address, |pair| pair.1 as usize)
    }

    /// A number of bytes on which the program relies.
    pub fn limit(limit: Limit) -> usize {
        limit.bytes(Self::get().interface)
    }

    /// Whether handles are integers, which are those of Fortran too.
    pub fn has_integer_handles() -> bool {
        Self::get().handle_bytes == size_of::<c_int>()
    }

    /// The bytes of a status.
    pub fn status_bytes() -> usize {
        Self::get().status_bytes
    }

    /// The bytes of a handle in an array.
    fn bytes_of(&self, kind: HandleKind) -> usize {
        if kind == HandleKind::File { size_of::<usize>() } else { self.handle_bytes }
    }

    /// Reads a handle.
    ///
    /// # Safety
    /// There is an array of such handles at the address, which has this place.
    unsafe fn read_handle(&self, at: *const c_void, place: usize, kind: HandleKind) -> usize {
        // SAFETY: the caller says so.
        let raw = unsafe {
            if self.bytes_of(kind) == size_of::<c_int>() {
                at.cast::<c_int>().add(place).read_unaligned().word()
            } else {
                at.cast::<usize>().add(place).read_unaligned()
            }
        };
        (self.handle)(raw, kind)
    }

    /// Writes a handle.
    ///
    /// # Safety
    /// There is room for an array of such handles at the address, which has this place.
    unsafe fn write_handle(&self, at: *mut c_void, place: usize, handle: usize, kind: HandleKind) {
        let raw = (self.raw_handle)(handle, kind);
        // SAFETY: the caller says so.
        unsafe {
            if self.bytes_of(kind) == size_of::<c_int>() {
                at.cast::<c_int>().add(place).write_unaligned(c_int::of(raw));
            } else {
                at.cast::<usize>().add(place).write_unaligned(raw);
            }
        }
    }

    /// Reads a status.
    ///
    /// # Safety
    /// There is an array of statuses at the address, which has this place.
    unsafe fn read_status(&self, at: *const c_void, place: usize) -> Status {
        // SAFETY: the caller says so.
        let raw = unsafe { (self.read_status)(at.byte_add(place * self.status_bytes)) };
        raw.translated(|raw, kind| to_standard(self.interface, raw, kind))
    }

    /// Writes a status.
    ///
    /// # Safety
    /// There is room for an array of statuses at the address, which has this place.
    unsafe fn write_status(&self, at: *mut c_void, place: usize, status: Status) {
        let raw = status.translated(|value, kind| from_standard(self.interface, value, kind));
        // SAFETY: the caller says so.
        unsafe { (self.write_status)(at.byte_add(place * self.status_bytes), &raw) }
    }
}

/// The size of counts: `MPI_Send`, or `MPI_Send_c`.
pub trait Size {
    /// A count.
    type Count: Copy + Into<i64>;
    /// A displacement.
    type Displacement: Copy;
    /// Whether counts are large.
    const IS_LARGE: bool;
    /// A displacement as a number of bytes.
    fn wide(displacement: Self::Displacement) -> i64;
}

/// Counts are `int`.
#[derive(Debug)]
pub struct Small;
/// Counts are `MPI_Count`.
#[derive(Debug)]
pub struct Large;

impl Size for Small {
    type Count = c_int;
    type Displacement = c_int;
    const IS_LARGE: bool = false;
    fn wide(displacement: c_int) -> i64 {
        displacement.into()
    }
}

impl Size for Large {
    type Count = i64;
    type Displacement = isize;
    const IS_LARGE: bool = true;
    fn wide(displacement: isize) -> i64 {
        displacement as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants as c;

    const OTHERS: [Interface; 2] = [Interface::Mpich, Interface::OpenMpi];

    #[test]
    fn integers_come_back() {
        for (interface, kind) in
            OTHERS.into_iter().flat_map(|it| [(it, IntegerKind::Rank), (it, IntegerKind::Keyval)])
        {
            for &(standard, raw) in c::integers(interface, kind) {
                assert_eq!(from_standard(interface, standard, kind), raw);
                assert_eq!(to_standard(interface, raw, kind), standard);
            }
            assert_eq!(to_standard(interface, 17_000, kind), 17_000, "other integers stay");
        }
    }

    #[test]
    fn a_class_that_an_interface_lacks_is_one_that_it_has() {
        let raw = from_standard(Interface::OpenMpi, c::ERR_ABI, IntegerKind::Error);
        assert_eq!(to_standard(Interface::OpenMpi, raw, IntegerKind::Error), c::ERR_OTHER);
    }

    #[test]
    fn sums_are_translated_by_their_terms() {
        let mode = c::MODE_CREATE | c::MODE_RDWR;
        let raw = from_standard(Interface::Mpich, mode, IntegerKind::FileMode);
        assert_eq!(raw, 1 | 8);
        assert_eq!(to_standard(Interface::Mpich, raw, IntegerKind::FileMode), mode);
        assert_eq!(to_standard(Interface::Standard, mode, IntegerKind::FileMode), mode);
        assert_eq!(to_standard(Interface::Mpich, 0, IntegerKind::FileMode), 0);
        assert_eq!(to_standard(Interface::Mpich, 1 << 20, IntegerKind::FileMode), -1, "no mode has this bit");
    }

    #[test]
    fn addresses_are_constants_or_stay() {
        let standard = |interface, raw: isize, kind| standard_address(interface, raw as *const c_void, kind);
        assert_eq!(standard(Interface::Mpich, -1, AddressKind::Buffer), c::IN_PLACE);
        assert_eq!(standard(Interface::OpenMpi, 2, AddressKind::Weights), c::UNWEIGHTED);
        assert_eq!(standard(Interface::Mpich, 1, AddressKind::Status), c::STATUS_IGNORE);
        assert_eq!(standard(Interface::Standard, 4096, AddressKind::Buffer), 4096);
    }
}
