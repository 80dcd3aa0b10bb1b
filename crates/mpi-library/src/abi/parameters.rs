//! The kinds of parameters: their types in C, and the values of the standard ABI that the functions get.
//!
//! # To add a kind
//!
//! 1. A row in one of the tables below: `@` stands for the name of the parameter, and where counts are large, the second
//!    type is that of the parameter.

use super::{Abi, RawHandle, Runtime, Size, Status, from_standard, standard_address, to_standard};
use crate::constants::{self, AddressKind, HandleKind, IntegerKind};
use std::ffi::{c_char, c_int, c_void};
use std::marker::PhantomData;

/// The declaration of a parameter in C, in pieces.
pub type Declaration = &'static [&'static str];

/// A kind of parameters.
pub trait Parameter {
    /// The type with which a program passes it.
    type Raw<A: Abi, S: Size>: Copy;
    /// The type that a function of the library gets.
    type Value;
    /// The declaration in C, where counts are small, and where they are large.
    const C: [Declaration; 2];
    /// The value of the standard ABI.
    fn enter<A: Abi, S: Size>(raw: Self::Raw<A, S>) -> Self::Value;
}

/// The value of a function that returns no error code.
pub trait Returned {
    /// The type with which a program gets it.
    type Raw<A: Abi>;
    /// The type in C.
    const C: &'static str;
    /// The value of the interface.
    fn leave<A: Abi>(self) -> Self::Raw<A>;
}

/// Values that lie at an address, in the form of the interface.
pub trait Stored: Sized {
    /// The type in C.
    const C: &'static str;
    /// Of which kind addresses of such values are, if some are constants.
    const ADDRESSES: Option<AddressKind> = None;
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
#[derive(Debug)]
pub struct Ref<T>(*mut c_void, PhantomData<T>);

impl<T> Clone for Ref<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ref<T> {}

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

macro_rules! references {
    ($($(#[$doc:meta])* $name:ident $before:literal $after:literal;)*) => {$(
        $(#[$doc])*
        impl<T: Stored> Parameter for $name<T> {
            type Raw<A: Abi, S: Size> = *mut c_void;
            type Value = Ref<T>;
            const C: [Declaration; 2] = [&[$before, T::C, $after]; 2];
            fn enter<A: Abi, S: Size>(raw: *mut c_void) -> Ref<T> {
                let address = |kind| standard_address(A::INTERFACE, raw, kind) as *mut c_void;
                Ref(T::ADDRESSES.map_or(raw, address), PhantomData)
            }
        }
    )*};
}

/// The address of values that the function does not change.
#[derive(Debug)]
pub struct Const<T>(PhantomData<T>);
/// An array.
#[derive(Debug)]
pub struct Array<T>(PhantomData<T>);
/// An array that the function does not change.
#[derive(Debug)]
pub struct ConstArray<T>(PhantomData<T>);

references! {
    Ref "" " *@";
    Const "const " " *@";
    Array "" " @[]";
    ConstArray "const " " @[]";
}

macro_rules! handles {
    ($($name:ident $raw:ty, $c:literal;)*) => {$(
        #[doc = concat!("A `", $c, "`, with the value of the standard ABI.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub usize);

        impl Parameter for $name {
            type Raw<A: Abi, S: Size> = $raw;
            type Value = Self;
            const C: [Declaration; 2] = [&[$c, " @"]; 2];
            fn enter<A: Abi, S: Size>(raw: $raw) -> Self {
                $name(A::handle(RawHandle::word(raw), HandleKind::$name))
            }
        }

        impl Returned for $name {
            type Raw<A: Abi> = $raw;
            const C: &'static str = $c;
            fn leave<A: Abi>(self) -> $raw {
                RawHandle::of(A::raw_handle(self.0, HandleKind::$name))
            }
        }

        impl Stored for $name {
            const C: &'static str = $c;
            unsafe fn read(at: *const c_void, place: usize) -> Self {
                // SAFETY: the caller gives the address of such handles.
                $name(unsafe { Runtime::get().read_handle(at, place, HandleKind::$name) })
            }
            unsafe fn write(self, at: *mut c_void, place: usize) {
                // SAFETY: the caller gives the address of such handles.
                unsafe { Runtime::get().write_handle(at, place, self.0, HandleKind::$name) }
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
    Comm A::Handle, "MPI_Comm";
    Group A::Handle, "MPI_Group";
    Datatype A::Handle, "MPI_Datatype";
    Op A::Handle, "MPI_Op";
    Request A::Handle, "MPI_Request";
    Errhandler A::Handle, "MPI_Errhandler";
    Info A::Handle, "MPI_Info";
    Message A::Handle, "MPI_Message";
    Session A::Handle, "MPI_Session";
    Win A::Handle, "MPI_Win";
    File usize, "MPI_File";
}

macro_rules! integers {
    ($($(#[$doc:meta])* $name:ident $kind:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub c_int);

        impl Parameter for $name {
            type Raw<A: Abi, S: Size> = c_int;
            type Value = Self;
            const C: [Declaration; 2] = [&["int @"]; 2];
            fn enter<A: Abi, S: Size>(raw: c_int) -> Self {
                $name(to_standard(A::INTERFACE, raw, IntegerKind::$kind))
            }
        }

        impl Stored for $name {
            const C: &'static str = "int";
            unsafe fn read(at: *const c_void, place: usize) -> Self {
                // SAFETY: the caller gives the address of integers.
                let raw = unsafe { c_int::read(at, place) };
                $name(Runtime::integer(raw, IntegerKind::$kind))
            }
            unsafe fn write(self, at: *mut c_void, place: usize) {
                // SAFETY: the caller gives the address of integers.
                unsafe { Runtime::raw_integer(self.0, IntegerKind::$kind).write(at, place) }
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
    /// The order of an array.
    Order Order;
    /// The distribution of an array.
    Distribution Distribution;
    /// The combiner of a datatype.
    Combiner Combiner;
    /// The class of a datatype.
    Typeclass Typeclass;
    /// The kind of a lock.
    Lock Lock;
    /// Assertions on a window.
    Assertion Assertion;
    /// The mode of a file.
    FileMode FileMode;
    /// The origin of a position in a file.
    Seek Seek;
}

/// The argument of a distribution, if it is not the default one. The constant of the standard ABI is an argument too in
/// other interfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument(pub Option<c_int>);

impl Stored for Argument {
    const C: &'static str = "int";
    unsafe fn read(at: *const c_void, place: usize) -> Self {
        // SAFETY: the caller gives the address of integers.
        let raw = unsafe { c_int::read(at, place) };
        let default = Runtime::raw_integer(constants::DISTRIBUTE_DFLT_DARG, IntegerKind::Argument);
        Argument((raw != default).then_some(raw))
    }
    unsafe fn write(self, at: *mut c_void, place: usize) {
        let default = || Runtime::raw_integer(constants::DISTRIBUTE_DFLT_DARG, IntegerKind::Argument);
        // SAFETY: the caller gives the address of integers.
        unsafe { self.0.unwrap_or_else(default).write(at, place) }
    }
}

/// The weight of a neighbor. There is no array of weights where [`Ref::address`] is `MPI_UNWEIGHTED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight(pub c_int);

impl Stored for Weight {
    const C: &'static str = "int";
    const ADDRESSES: Option<AddressKind> = Some(AddressKind::Weights);
    unsafe fn read(at: *const c_void, place: usize) -> Self {
        // SAFETY: the caller gives the address of integers.
        Weight(unsafe { c_int::read(at, place) })
    }
    unsafe fn write(self, at: *mut c_void, place: usize) {
        // SAFETY: the caller gives the address of integers.
        unsafe { self.0.write(at, place) }
    }
}

macro_rules! plain {
    ($($type:ty, $raw:ty, $c:literal;)*) => {$(
        impl Parameter for $type {
            type Raw<A: Abi, S: Size> = $raw;
            type Value = Self;
            const C: [Declaration; 2] = [&[$c, " @"]; 2];
            fn enter<A: Abi, S: Size>(raw: $raw) -> Self {
                raw.into()
            }
        }

        impl Returned for $type {
            type Raw<A: Abi> = $raw;
            const C: &'static str = $c;
            fn leave<A: Abi>(self) -> $raw {
                self.into()
            }
        }

        impl Stored for $type {
            const C: &'static str = $c;
            unsafe fn read(at: *const c_void, place: usize) -> Self {
                // SAFETY: the caller gives the address of such values.
                unsafe { at.cast::<$raw>().add(place).read_unaligned() }.into()
            }
            unsafe fn write(self, at: *mut c_void, place: usize) {
                // SAFETY: the caller gives the address of such values.
                unsafe { at.cast::<$raw>().add(place).write_unaligned(self.into()) }
            }
        }
    )*};
}

plain! {
    c_int, c_int, "int";
    isize, isize, "MPI_Aint";
    i64, i64, "MPI_Count";
    f64, f64, "double";
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident $raw:ty, $c:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub $raw);

        impl From<$raw> for $name {
            fn from(raw: $raw) -> Self {
                $name(raw)
            }
        }

        impl From<$name> for $raw {
            fn from(word: $name) -> Self {
                word.0
            }
        }

        plain! { $name, $raw, $c; }
    )*};
}

words! {
    /// A place in a file.
    Offset i64, "MPI_Offset";
    /// An enumeration of the interface for tools.
    ToolEnum usize, "MPI_T_enum";
    /// A control variable.
    ControlVariable usize, "MPI_T_cvar_handle";
    /// A performance variable.
    PerformanceVariable usize, "MPI_T_pvar_handle";
    /// A session of performance variables.
    PerformanceSession usize, "MPI_T_pvar_session";
    /// The registration of an event.
    EventRegistration usize, "MPI_T_event_registration";
    /// An event.
    Event usize, "MPI_T_event_instance";
    /// The calls that a function for events may make.
    EventSafety c_int, "MPI_T_cb_safety";
    /// The order of events.
    EventOrder c_int, "MPI_T_source_order";
}

impl Stored for Status {
    const C: &'static str = "MPI_Status";
    const ADDRESSES: Option<AddressKind> = Some(AddressKind::Status);
    unsafe fn read(at: *const c_void, place: usize) -> Self {
        // SAFETY: the caller gives the address of statuses.
        unsafe { Runtime::get().read_status(at, place) }
    }
    unsafe fn write(self, at: *mut c_void, place: usize) {
        // SAFETY: the caller gives the address of statuses.
        unsafe { Runtime::get().write_status(at, place, self) }
    }
}

/// A number of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub i64);

impl Parameter for Count {
    type Raw<A: Abi, S: Size> = S::Count;
    type Value = Self;
    const C: [Declaration; 2] = [&["int @"], &["MPI_Count @"]];
    fn enter<A: Abi, S: Size>(raw: S::Count) -> Self {
        Count(raw.into())
    }
}

/// A displacement: `int`, or `MPI_Aint` where counts are large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Displacement(pub i64);

impl Parameter for Displacement {
    type Raw<A: Abi, S: Size> = S::Displacement;
    type Value = Self;
    const C: [Declaration; 2] = [&["int @"], &["MPI_Aint @"]];
    fn enter<A: Abi, S: Size>(raw: S::Displacement) -> Self {
        Displacement(S::wide(raw))
    }
}

/// A number of bytes that is never an `int`: `MPI_Aint`, or `MPI_Count` where counts are large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent(pub i64);

impl Parameter for Extent {
    type Raw<A: Abi, S: Size> = i64;
    type Value = Self;
    const C: [Declaration; 2] = [&["MPI_Aint @"], &["MPI_Count @"]];
    fn enter<A: Abi, S: Size>(raw: i64) -> Self {
        Extent(raw)
    }
}

/// The displacement of a view of a file, with the value of the standard ABI for the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewDisplacement(pub i64);

impl Parameter for ViewDisplacement {
    type Raw<A: Abi, S: Size> = i64;
    type Value = Self;
    const C: [Declaration; 2] = [&["MPI_Offset @"]; 2];
    fn enter<A: Abi, S: Size>(raw: i64) -> Self {
        let current = from_standard(A::INTERFACE, constants::DISPLACEMENT_CURRENT, IntegerKind::View);
        ViewDisplacement(if raw == current.into() { constants::DISPLACEMENT_CURRENT.into() } else { raw })
    }
}

/// A parameter, with whether counts are large: a datatype remembers it.
#[derive(Debug)]
pub struct WithSize<K>(PhantomData<K>);

impl<K: Parameter> Parameter for WithSize<K> {
    type Raw<A: Abi, S: Size> = K::Raw<A, S>;
    type Value = (K::Value, bool);
    const C: [Declaration; 2] = K::C;
    fn enter<A: Abi, S: Size>(raw: Self::Raw<A, S>) -> Self::Value {
        (K::enter::<A, S>(raw), S::IS_LARGE)
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

    /// Whether counts are large.
    pub fn is_large(&self) -> bool {
        self.is_large
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
    ($($(#[$doc:meta])* $name:ident $small:literal $large:literal $is_large:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub Numbers);

        impl Parameter for $name {
            type Raw<A: Abi, S: Size> = *mut c_void;
            type Value = Self;
            const C: [Declaration; 2] = [&[$small], &[$large]];
            fn enter<A: Abi, S: Size>(raw: *mut c_void) -> Self {
                $name(Numbers { at: raw, is_large: $is_large })
            }
        }
    )*};
}

numbers! {
    /// An array of counts.
    Counts "const int @[]" "const MPI_Count @[]" S::IS_LARGE;
    /// An array of displacements.
    Displacements "const int @[]" "const MPI_Aint @[]" S::IS_LARGE;
    /// An array of displacements that are counts, where counts are large.
    CountDisplacements "const int @[]" "const MPI_Count @[]" S::IS_LARGE;
    /// An array of displacements that are never an `int`.
    Extents "const MPI_Aint @[]" "const MPI_Count @[]" true;
    /// The place of a count.
    CountAt "int *@" "MPI_Count *@" S::IS_LARGE;
    /// The place of a displacement.
    DisplacementAt "int *@" "MPI_Aint *@" S::IS_LARGE;
    /// The place of a number of bytes that is never an `int`.
    ExtentAt "MPI_Aint *@" "MPI_Count *@" true;
}

/// Data in memory of the program, or a constant: `MPI_BOTTOM` is 0, and [`Buffer::IN_PLACE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer(pub usize);

impl Buffer {
    /// The data are in the other buffer.
    pub const IN_PLACE: Self = Buffer(constants::IN_PLACE);
}

/// A buffer that the function does not change.
#[derive(Debug)]
pub enum Data {}

macro_rules! buffers {
    ($($name:ident $c:literal;)*) => {$(
        impl Parameter for $name {
            type Raw<A: Abi, S: Size> = *mut c_void;
            type Value = Buffer;
            const C: [Declaration; 2] = [&[$c]; 2];
            fn enter<A: Abi, S: Size>(raw: *mut c_void) -> Buffer {
                Buffer(standard_address(A::INTERFACE, raw, AddressKind::Buffer))
            }
        }
    )*};
}

buffers! {
    Buffer "void *@";
    Data "const void *@";
}

macro_rules! pointers {
    ($($(#[$doc:meta])* $name:ident $type:ty, $c:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub $type);

        impl Parameter for $name {
            type Raw<A: Abi, S: Size> = $type;
            type Value = Self;
            const C: [Declaration; 2] = [&[$c]; 2];
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
    /// A list of texts that ends with a null pointer.
    Texts *mut *mut c_char, "char *@[]";
    /// Lists of texts.
    TextLists *mut *mut *mut c_char, "char **@[]";
    /// The place of the arguments of the program.
    Arguments *mut *mut *mut c_char, "char ***@";
    /// An address that has a meaning only for the program.
    Pointer *mut c_void, "void *@";
    /// The ranges of a group: first, last and stride of each.
    Ranges *const [c_int; 3], "int @[][3]";
    /// Further parameters, which the library ignores.
    More usize, "...";
}

/// A function of the program, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its address.
    pub address: usize,
    /// Whether its counts are large.
    pub is_large: bool,
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident $small:literal $large:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name {}

        impl Parameter for $name {
            type Raw<A: Abi, S: Size> = usize;
            type Value = Function;
            const C: [Declaration; 2] = [&["MPI_", $small, " *@"], &["MPI_", $large, " *@"]];
            fn enter<A: Abi, S: Size>(raw: usize) -> Function {
                Function { address: raw, is_large: S::IS_LARGE }
            }
        }
    )*};
}

functions! {
    /// Reduces data.
    UserFunction "User_function" "User_function_c";
    /// Copies an attribute of a communicator.
    CopyCommAttribute "Comm_copy_attr_function" "Comm_copy_attr_function";
    /// Deletes an attribute of a communicator.
    DeleteCommAttribute "Comm_delete_attr_function" "Comm_delete_attr_function";
    /// Copies an attribute of a datatype.
    CopyTypeAttribute "Type_copy_attr_function" "Type_copy_attr_function";
    /// Deletes an attribute of a datatype.
    DeleteTypeAttribute "Type_delete_attr_function" "Type_delete_attr_function";
    /// Copies an attribute of a window.
    CopyWinAttribute "Win_copy_attr_function" "Win_copy_attr_function";
    /// Deletes an attribute of a window.
    DeleteWinAttribute "Win_delete_attr_function" "Win_delete_attr_function";
    /// Copies an attribute, under its name of MPI 1.
    CopyAttribute "Copy_function" "Copy_function";
    /// Deletes an attribute, under its name of MPI 1.
    DeleteAttribute "Delete_function" "Delete_function";
    /// Handles an error on a communicator.
    CommErrorFunction "Comm_errhandler_function" "Comm_errhandler_function";
    /// Handles an error on a window.
    WinErrorFunction "Win_errhandler_function" "Win_errhandler_function";
    /// Handles an error on a file.
    FileErrorFunction "File_errhandler_function" "File_errhandler_function";
    /// Handles an error of a session.
    SessionErrorFunction "Session_errhandler_function" "Session_errhandler_function";
    /// Handles an error, under its name of MPI 1.
    ErrorFunction "Handler_function" "Handler_function";
    /// Fills in the status of a generalized request.
    QueryFunction "Grequest_query_function" "Grequest_query_function";
    /// Frees a generalized request.
    FreeFunction "Grequest_free_function" "Grequest_free_function";
    /// Cancels a generalized request.
    CancelFunction "Grequest_cancel_function" "Grequest_cancel_function";
    /// Converts data of a file.
    ConversionFunction "Datarep_conversion_function" "Datarep_conversion_function_c";
    /// Gives the extent of a datatype in a file.
    ExtentFunction "Datarep_extent_function" "Datarep_extent_function";
    /// Handles an event.
    EventFunction "T_event_cb_function" "T_event_cb_function";
    /// Frees a registration of an event.
    EventFreeFunction "T_event_free_cb_function" "T_event_free_cb_function";
    /// Hears of events that were lost.
    EventDroppedFunction "T_event_dropped_cb_function" "T_event_dropped_cb_function";
}
