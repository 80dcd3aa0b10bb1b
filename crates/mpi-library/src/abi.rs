//! Binary interfaces: how a compiled program writes down handles, constants and statuses.
//!
//! Everything behind the exported functions uses the values of MPI's standard ABI. A crate with exports has one type
//! that implements [`Abi`]: it translates. A parameter of a function is a type that implements [`Parameter`].
//!
//! # To add a binary interface
//!
//! 1. A crate like `mpi-abi`, with a type that implements [`Abi`], and [`export!`](crate::export).
//! 2. Its soname in the list of `rank-processes`, which finds the library that a program needs.

use crate::constants;
use std::ffi::{c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ptr;
use std::sync::OnceLock;

/// The kinds of handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum HandleKind {
    Comm = 1,
    Group,
    Datatype,
    Op,
    Request,
    Errhandler,
    Info,
    Message,
    Session,
    Win,
    File,
}

/// The kinds of integers with values that interfaces number differently. Other values are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerKind {
    /// Ranks and roots.
    Rank,
    /// Tags.
    Tag,
    /// Indices, colors, counts: `MPI_UNDEFINED`.
    Index,
    /// Error codes and classes.
    Error,
    /// Results of comparisons.
    Comparison,
    /// Kinds of topologies.
    Topology,
    /// Levels of thread support.
    Threads,
    /// Kinds of splits.
    Split,
    /// Keys of attributes.
    Keyval,
    /// Orders and distributions of arrays.
    Array,
    /// Combiners of datatypes.
    Combiner,
    /// Classes of datatypes.
    Typeclass,
}

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
}

/// A binary interface.
pub trait Abi: 'static {
    /// A handle: an integer or an address.
    type Handle: Copy;

    /// The handle of the standard ABI.
    fn handle(raw: Self::Handle, kind: HandleKind) -> usize;
    /// The handle of this interface.
    fn raw_handle(handle: usize, kind: HandleKind) -> Self::Handle;
    /// Pairs of values: of the standard ABI, and of this interface.
    fn integers(kind: IntegerKind) -> &'static [(c_int, c_int)];
    /// The special addresses `MPI_BOTTOM`, `MPI_IN_PLACE`, `MPI_UNWEIGHTED`, `MPI_WEIGHTS_EMPTY` of the standard ABI.
    fn address(raw: usize) -> usize;

    /// Whether statuses at this address are not wanted.
    fn is_status_ignored(at: *const c_void) -> bool;
    /// The bytes of a status.
    const STATUS_BYTES: usize;
    /// Reads a status.
    ///
    /// # Safety
    /// There is a status of this interface at the address.
    unsafe fn read_status(at: *const c_void) -> Status;
    /// Writes a status.
    ///
    /// # Safety
    /// There is room for a status of this interface at the address.
    unsafe fn write_status(at: *mut c_void, status: &Status);
}

fn to_standard(pairs: &[(c_int, c_int)], raw: c_int) -> c_int {
    pairs.iter().find(|pair| pair.1 == raw).map_or(raw, |pair| pair.0)
}

fn from_standard(pairs: &[(c_int, c_int)], value: c_int) -> c_int {
    pairs.iter().find(|pair| pair.0 == value).map_or(value, |pair| pair.1)
}

/// The interface of this process, for values behind addresses.
#[derive(Debug)]
pub struct Runtime {
    handle_bytes: usize,
    handle: unsafe fn(*const c_void, HandleKind) -> usize,
    set_handle: unsafe fn(*mut c_void, usize, HandleKind),
    integers: fn(IntegerKind) -> &'static [(c_int, c_int)],
    is_status_ignored: fn(*const c_void) -> bool,
    status_bytes: usize,
    read_status: unsafe fn(*const c_void) -> Status,
    write_status: unsafe fn(*mut c_void, &Status),
}

static RUNTIME: OnceLock<Runtime> = OnceLock::new();

impl Runtime {
    /// Uses an interface in this process.
    pub fn set<A: Abi>() {
        unsafe fn handle<A: Abi>(at: *const c_void, kind: HandleKind) -> usize {
            // SAFETY: the caller gives the address of a handle.
            A::handle(unsafe { at.cast::<A::Handle>().read_unaligned() }, kind)
        }
        unsafe fn set_handle<A: Abi>(at: *mut c_void, handle: usize, kind: HandleKind) {
            // SAFETY: the caller gives the address of a handle.
            unsafe { at.cast::<A::Handle>().write_unaligned(A::raw_handle(handle, kind)) }
        }
        // An interface that is set twice is the same one.
        let _ = RUNTIME.set(Runtime {
            handle_bytes: size_of::<A::Handle>(),
            handle: handle::<A>,
            set_handle: set_handle::<A>,
            integers: A::integers,
            is_status_ignored: A::is_status_ignored,
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
        from_standard((Self::get().integers)(kind), value)
    }

    /// The value of the standard ABI.
    pub fn integer(raw: c_int, kind: IntegerKind) -> c_int {
        to_standard((Self::get().integers)(kind), raw)
    }

    /// A handle as this interface passes it to a function: an integer or an address, in the lower bits of a word.
    pub fn raw_handle(handle: usize, kind: HandleKind) -> usize {
        let mut raw = 0_usize;
        // SAFETY: a word has room for every handle, and its lower bytes come first.
        unsafe { (Self::get().set_handle)(ptr::from_mut(&mut raw).cast(), handle, kind) };
        raw
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

/// A parameter of a function.
pub trait Parameter: Sized {
    /// The type with which a program passes it.
    type Raw<A: Abi, S: Size>: Copy;
    /// The type in C, where counts are small, and where they are large. `@` stands for the name.
    const C: [&'static str; 2];
    /// The parameter of the standard ABI.
    fn enter<A: Abi, S: Size>(raw: Self::Raw<A, S>) -> Self;
}

/// Values that lie at an address, in the form of the interface.
pub trait Stored: Sized {
    /// The type in C.
    const C: &'static str;
    /// Reads the value at a place of an array.
    ///
    /// # Safety
    /// There is such a value.
    unsafe fn read(at: *const c_void, place: usize) -> Self;
    /// Writes the value at a place of an array.
    ///
    /// # Safety
    /// There is room for it.
    unsafe fn write(self, at: *mut c_void, place: usize);
}

/// The address of one or several values.
#[derive(Clone, Copy, Debug)]
pub struct Ref<T>(*mut c_void, PhantomData<T>);

impl<T: Stored> Ref<T> {
    /// The values at an address of the library.
    pub(crate) fn at(address: *mut c_void) -> Self {
        Ref(address, PhantomData)
    }

    /// Whether there is no address.
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// The address.
    pub fn address(&self) -> *mut c_void {
        self.0
    }

    /// The value at a place; the program has to have one there.
    pub fn get(&self, place: usize) -> T {
        // SAFETY: MPI requires that the program passes an array of this length.
        unsafe { T::read(self.0, place) }
    }

    /// Sets the value at a place, if there is an address.
    pub fn set(&self, place: usize, value: T) {
        if !self.0.is_null() {
            // SAFETY: MPI requires that the program passes an array of this length.
            unsafe { value.write(self.0, place) }
        }
    }
}

macro_rules! handles {
    ($($name:ident $c:literal $array:literal;)*) => {$(
        #[doc = concat!("A `", $c, "`, with the value of the standard ABI.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub usize);

        impl Parameter for $name {
            type Raw<A: Abi, S: Size> = A::Handle;
            const C: [&'static str; 2] = [concat!($c, " @"); 2];
            fn enter<A: Abi, S: Size>(raw: A::Handle) -> Self {
                $name(A::handle(raw, HandleKind::$name))
            }
        }

        impl Stored for $name {
            const C: &'static str = $c;
            unsafe fn read(at: *const c_void, place: usize) -> Self {
                let runtime = Runtime::get();
                // SAFETY: the caller gives the address of such handles.
                $name(unsafe { (runtime.handle)(at.byte_add(place * runtime.handle_bytes), HandleKind::$name) })
            }
            unsafe fn write(self, at: *mut c_void, place: usize) {
                let runtime = Runtime::get();
                // SAFETY: the caller gives the address of such handles.
                unsafe {
                    (runtime.set_handle)(at.byte_add(place * runtime.handle_bytes), self.0, HandleKind::$name);
                }
            }
        }

        impl From<usize> for $name {
            fn from(handle: usize) -> Self {
                $name(handle)
            }
        }
    )*};
}

handles! {
    Comm "MPI_Comm" "MPI_Comm @[]";
    Group "MPI_Group" "MPI_Group @[]";
    Datatype "MPI_Datatype" "MPI_Datatype @[]";
    Op "MPI_Op" "MPI_Op @[]";
    Request "MPI_Request" "MPI_Request @[]";
    Errhandler "MPI_Errhandler" "MPI_Errhandler @[]";
    Info "MPI_Info" "MPI_Info @[]";
    Message "MPI_Message" "MPI_Message @[]";
    Session "MPI_Session" "MPI_Session @[]";
    Win "MPI_Win" "MPI_Win @[]";
    File "MPI_File" "MPI_File @[]";
}

macro_rules! integers {
    ($($(#[$doc:meta])* $name:ident $kind:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub c_int);

        impl Parameter for $name {
            type Raw<A: Abi, S: Size> = c_int;
            const C: [&'static str; 2] = ["int @"; 2];
            fn enter<A: Abi, S: Size>(raw: c_int) -> Self {
                $name(to_standard(A::integers(IntegerKind::$kind), raw))
            }
        }

        impl Stored for $name {
            const C: &'static str = "int";
            unsafe fn read(at: *const c_void, place: usize) -> Self {
                // SAFETY: the caller gives the address of integers.
                let raw = unsafe { at.cast::<c_int>().add(place).read_unaligned() };
                $name(Runtime::integer(raw, IntegerKind::$kind))
            }
            unsafe fn write(self, at: *mut c_void, place: usize) {
                let raw = Runtime::raw_integer(self.0, IntegerKind::$kind);
                // SAFETY: the caller gives the address of integers.
                unsafe { at.cast::<c_int>().add(place).write_unaligned(raw) }
            }
        }
    )*};
}

integers! {
    /// A rank, a root, or a constant that stands for one.
    Rank Rank;
    /// A tag, or any.
    Tag Tag;
    /// An index, a color or a count, or `MPI_UNDEFINED`.
    Index Index;
    /// An error code or class.
    Code Error;
    /// The result of a comparison.
    Comparison Comparison;
    /// The kind of a topology.
    Topology Topology;
    /// A level of thread support.
    Threads Threads;
    /// The kind of a split.
    Split Split;
    /// The key of an attribute.
    Keyval Keyval;
    /// The order or distribution of an array.
    Order Array;
    /// The combiner of a datatype.
    Combiner Combiner;
    /// The class of a datatype.
    Typeclass Typeclass;
}

macro_rules! plain {
    ($($type:ty, $c:literal;)*) => {$(
        impl Parameter for $type {
            type Raw<A: Abi, S: Size> = $type;
            const C: [&'static str; 2] = [concat!($c, " @"); 2];
            fn enter<A: Abi, S: Size>(raw: $type) -> Self {
                raw
            }
        }

        impl Stored for $type {
            const C: &'static str = $c;
            unsafe fn read(at: *const c_void, place: usize) -> Self {
                // SAFETY: the caller gives the address of such values.
                unsafe { at.cast::<$type>().add(place).read_unaligned() }
            }
            unsafe fn write(self, at: *mut c_void, place: usize) {
                // SAFETY: the caller gives the address of such values.
                unsafe { at.cast::<$type>().add(place).write_unaligned(self) }
            }
        }
    )*};
}

plain! {
    c_int, "int";
    isize, "MPI_Aint";
    i64, "MPI_Count";
    f64, "double";
}

impl Stored for Status {
    const C: &'static str = "MPI_Status";
    unsafe fn read(at: *const c_void, place: usize) -> Self {
        let runtime = Runtime::get();
        // SAFETY: the caller gives the address of statuses.
        unsafe { (runtime.read_status)(at.byte_add(place * runtime.status_bytes)) }
    }
    unsafe fn write(self, at: *mut c_void, place: usize) {
        let runtime = Runtime::get();
        if !(runtime.is_status_ignored)(at) {
            // SAFETY: the caller gives the address of statuses, which are wanted.
            unsafe { (runtime.write_status)(at.byte_add(place * runtime.status_bytes), &self) }
        }
    }
}

impl<T: Stored> Parameter for Ref<T> {
    type Raw<A: Abi, S: Size> = *mut c_void;
    const C: [&'static str; 2] = ["@"; 2];
    fn enter<A: Abi, S: Size>(raw: *mut c_void) -> Self {
        Ref(raw, PhantomData)
    }
}

/// A number of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub i64);

impl Parameter for Count {
    type Raw<A: Abi, S: Size> = S::Count;
    const C: [&'static str; 2] = ["int @", "MPI_Count @"];
    fn enter<A: Abi, S: Size>(raw: S::Count) -> Self {
        Count(raw.into())
    }
}

/// A displacement: `int`, or `MPI_Aint` where counts are large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Displacement(pub i64);

impl Parameter for Displacement {
    type Raw<A: Abi, S: Size> = S::Displacement;
    const C: [&'static str; 2] = ["int @", "MPI_Aint @"];
    fn enter<A: Abi, S: Size>(raw: S::Displacement) -> Self {
        Displacement(S::wide(raw))
    }
}

/// An array of counts or displacements, or the place of one.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    at: *mut c_void,
    is_large: bool,
}

impl Numbers {
    /// Whether there is no array.
    pub fn is_null(&self) -> bool {
        self.at.is_null()
    }

    /// The number at a place.
    pub fn get(&self, place: usize) -> i64 {
        // SAFETY: MPI requires that the program passes an array of this length.
        unsafe { if self.is_large { i64::read(self.at, place) } else { c_int::read(self.at, place).into() } }
    }

    /// The first numbers.
    pub fn list(&self, count: usize) -> Vec<i64> {
        (0..count).map(|place| self.get(place)).collect()
    }

    /// Sets the number at a place; one that is too large becomes `MPI_UNDEFINED`.
    pub fn set(&self, place: usize, number: i64) {
        // SAFETY: MPI requires that the program passes an array of this length.
        unsafe {
            if self.is_large {
                number.write(self.at, place);
            } else {
                Index(c_int::try_from(number).unwrap_or(constants::UNDEFINED)).write(self.at, place);
            }
        }
    }
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident $small:literal $large:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub Numbers);

        impl Parameter for $name {
            type Raw<A: Abi, S: Size> = *mut c_void;
            const C: [&'static str; 2] = [$small, $large];
            fn enter<A: Abi, S: Size>(raw: *mut c_void) -> Self {
                $name(Numbers { at: raw, is_large: S::IS_LARGE })
            }
        }
    )*};
}

numbers! {
    /// An array of counts.
    Counts "const int @[]" "const MPI_Count @[]";
    /// An array of displacements.
    Displacements "const int @[]" "const MPI_Aint @[]";
    /// An array of displacements that are counts, where counts are large.
    CountDisplacements "const int @[]" "const MPI_Count @[]";
    /// The place of a count.
    CountAt "int *@" "MPI_Count *@";
    /// The place of a displacement.
    DisplacementAt "int *@" "MPI_Aint *@";
}

/// Data in memory of the program, or a constant: `MPI_BOTTOM` is 0, and [`Buffer::IN_PLACE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer(pub usize);

impl Buffer {
    /// The data are in the other buffer.
    pub const IN_PLACE: Self = Buffer(1);
}

impl Parameter for Buffer {
    type Raw<A: Abi, S: Size> = *mut c_void;
    const C: [&'static str; 2] = ["void *@"; 2];
    fn enter<A: Abi, S: Size>(raw: *mut c_void) -> Self {
        Buffer(A::address(raw as usize))
    }
}

macro_rules! pointers {
    ($($(#[$doc:meta])* $name:ident $type:ty, $c:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub $type);

        impl Parameter for $name {
            type Raw<A: Abi, S: Size> = $type;
            const C: [&'static str; 2] = [$c; 2];
            fn enter<A: Abi, S: Size>(raw: $type) -> Self {
                $name(raw)
            }
        }
    )*};
}

pointers! {
    /// A text that ends with 0.
    Text *const c_char, "const char *@";
    /// Room for a text.
    TextAt *mut c_char, "char *@";
    /// An address that has a meaning only for the program.
    Pointer *mut c_void, "void *@";
    /// A function of the program.
    Function usize, "void *@";
}
